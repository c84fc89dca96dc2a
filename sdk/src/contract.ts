import type { components, operations } from './generated/openapi.ts';

type Schemas = components['schemas'];

// The contract's types under names of their own, so that a program need not reach into the generated file.

/** The tenant of a key, and how many products it has: what `me.get` gives. */
export type Me = Schemas['Me'];
/** A business that owns products: `tenant` of what `me.get` gives. */
export type Tenant = Schemas['Tenant'];
/** A product's status. `products.list` filters by it, and only `active` products have public pages. */
export type ProductStatus = Schemas['ProductStatus'];
/** The key of a template, which `products.create` takes: a known one, or any other that the service has. */
export type ProductGroup = Schemas['ProductGroup'];
/** A product as it stands in lists: an item of `products.list`. */
export type ProductListItem = Schemas['ProductListItem'];
/** A page of products: what `products.list` gives, awaited or from `.pages()`. */
export type ProductList = Schemas['ProductList'];
/** A product's full master data: what `products.get` and `products.create` give. */
export type Product = Schemas['Product'];
/** What `products.create` and `products.ensure` make a product from; only `name` is required. */
export type CreateProduct = Schemas['CreateProduct'];
/** A product's passport with all values, for its owner: what `passports.get` gives. */
export type Passport = Schemas['Passport'];
/** One value as the service keeps it: an element of the `values` that `passports.get` gives. */
export type PassportValue = Schemas['PassportValue'];
/** One value to write: an element of the list that `passports.put` takes. */
export type PassportValueInput = Schemas['PassportValueInput'];
/** What `passports.put` gives: how many fields it wrote, and how complete the passport is now. */
export type PassportWriteResult = Schemas['PassportWriteResult'];
/** A version of a passport's values: `latest_version` of what `passports.get` gives. */
export type PassportVersion = Schemas['PassportVersion'];
/** A data carrier, such as a QR code, which leads from the thing to its passport: an item of `carriers.list`. */
export type Carrier = Schemas['Carrier'];
/** The data carriers of a product: what `carriers.list` gives. */
export type CarrierList = Schemas['CarrierList'];
/** The scans in a period, by day, by view role and by product: what `analytics.scans` gives. */
export type ScanStatistics = Schemas['ScanStatistics'];
/** A passport as JSON-LD: what `passports.document` and `resolve` of the public client give. */
export type PassportDocument = Schemas['PassportDocument'];

type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

/**
 * What `products.list` is asked: which products, and which part of the list. Without `limit` the service's default counts,
 * 50; its most is 200.
 */
export type ProductQuery = Query<'listProducts'>;
/** What `analytics.scans` is asked: which period. Without `days` the service's default counts, 30; its most is 365. */
export type ScanQuery = Query<'getScanStatistics'>;
/** What `passports.document` and `resolve` are asked: `zugang`, an access token, opens the extended view of its role. */
export type PublicQuery = Query<'getPassportJsonld'>;
/** The same for `passports.page`, and `lang`: `en` or `de`. Without it the page follows `Accept-Language`. */
export type PageQuery = Query<'getPassportPage'>;
