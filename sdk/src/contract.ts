import type { components, operations } from './generated/openapi.ts';

type Schemas = components['schemas'];

// The contract's types under names of their own, so that a program need not reach into the generated file.
export type Me = Schemas['Me'];
export type Tenant = Schemas['Tenant'];
export type ProductStatus = Schemas['ProductStatus'];
export type ProductGroup = Schemas['ProductGroup'];
export type ProductListItem = Schemas['ProductListItem'];
export type ProductList = Schemas['ProductList'];
export type Product = Schemas['Product'];
export type CreateProduct = Schemas['CreateProduct'];
export type Passport = Schemas['Passport'];
export type PassportValue = Schemas['PassportValue'];
export type PassportValueInput = Schemas['PassportValueInput'];
export type PassportWriteResult = Schemas['PassportWriteResult'];
export type PassportVersion = Schemas['PassportVersion'];
export type Carrier = Schemas['Carrier'];
export type CarrierList = Schemas['CarrierList'];
export type ScanStatistics = Schemas['ScanStatistics'];
export type PassportDocument = Schemas['PassportDocument'];

type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

/** Which products, and which part of the list. Without `limit` the service's default counts, 50; its most is 200. */
export type ProductQuery = Query<'listProducts'>;
/** Which period. Without `days` the service's default counts, 30; its most is 365. */
export type ScanQuery = Query<'getScanStatistics'>;
/** `zugang`: an access token, which opens the extended view of its role. */
export type PublicQuery = Query<'getPassportJsonld'>;
/** The same, and `lang`: `en` or `de`. Without it the page is in the language of `Accept-Language`. */
export type PageQuery = Query<'getPassportPage'>;
