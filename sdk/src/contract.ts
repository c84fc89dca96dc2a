import type { components, operations, paths } from '../../openapi/src/generated/types.ts';
import type { publicRequests, requests } from './generated/requests.ts';

type Schemas = components['schemas'];
type Schema<Name extends keyof Schemas> = Schemas[Name];

// The contract's types under their own names, so that programs do not depend on the generated file. They are
// interfaces, so that editors show the name and not the members.

/** The tenant of a key, and how many products it has: the value of `me.get`. */
export interface Me extends Schema<'Me'> {
  /** The tenant of the key. */
  tenant: Tenant;
}
/** A business that owns products: `tenant` in the value of `me.get`. */
export interface Tenant extends Schema<'Tenant'> {}
/** A product's status. `products.list` filters by it, and only `active` products have public pages. */
export type ProductStatus = Schemas['ProductStatus'];
/** The key of a template, for `products.create`: a known one, or any other that the service has. */
export type ProductGroup = Schemas['ProductGroup'];
/** A product in a list: an item of `products.list`. */
export interface ProductListItem extends Schema<'ProductListItem'> {}
/** A page of products: the value of `products.list` when awaited, and each item of its `.pages()`. */
export interface ProductList extends Schema<'ProductList'> {
  /** The products of this page, oldest first. */
  items: ProductListItem[];
}
/** A product's full master data: the value of `products.get` and `products.create`. */
export interface Product extends Schema<'Product'> {}
/** The input of `products.create` and `products.ensure`; only `name` is required. */
export interface CreateProduct extends Schema<'CreateProduct'> {}
/**
 * The input of `products.setStatus`: the new `status`, whether a passport that is not ready is published
 * (`accept_findings`), and the fields that may be more `open` than their template.
 */
export interface ProductStatusChange extends Schema<'ProductStatusChange'> {}
/** A product's passport with all values, for its owner: the value of `passports.get`. */
export interface Passport extends Schema<'Passport'> {
  /** All values, of every access level, by `field_key` and `locale`. */
  values: PassportValue[];
  /** The version that the values belong to. */
  latest_version: PassportVersion;
}
/** One value as the service stores it: an element of `values` in a `Passport`. */
export interface PassportValue extends Schema<'PassportValue'> {}
/** One value to write: an element of the list that `passports.put` takes. */
export interface PassportValueInput extends Schema<'PassportValueInput'> {}
/** The value of `passports.put`: how many fields it wrote, how complete the passport is now, and how many values do not fit. */
export interface PassportWriteResult extends Schema<'PassportWriteResult'> {
  /**
   * The number of written values that keep the passport from being ready: too open, unfit for the template, or with a
   * misspelt key. It is the sum of the header `Passport-Findings` over all requests. Absent if the service does not send it.
   */
  findings?: number;
}
/** A version of a passport's values: `latest_version` in a `Passport`. */
export interface PassportVersion extends Schema<'PassportVersion'> {}
/** A data carrier, such as a QR code, which leads from a product to its passport: an item of `carriers.list`. */
export interface Carrier extends Schema<'Carrier'> {}
/** The data carriers of a product: the value of `carriers.list`. */
export interface CarrierList extends Schema<'CarrierList'> {
  /** The carriers, oldest first. */
  items: Carrier[];
}
/** The scans in a period, by day, by view role and by product: the value of `analytics.scans`. */
export interface ScanStatistics extends Schema<'ScanStatistics'> {}
/** A passport as JSON-LD, from `passports.document` and `resolve` of the public client. */
export interface PassportDocument extends Schema<'PassportDocument'> {}

/** A passport in the EU's data model: the value of `get`, `getByProduct` and `at` of `@product-passport/sdk/dpp`. */
export interface EuPassport extends Schema<'Dpp'> {}
/** An element of a passport with its metadata: an item of `elements`, and the value of `element` with `full`. */
export type DataElement = Schemas['DataElement'];
/** The reads of `@product-passport/sdk/dpp`. */
export type DppRead = Extract<
  keyof typeof publicRequests,
  'readDppById' | 'readDppByProductId' | 'readDppIdsByProductIds' | 'readDppVersionByIdAndDate' | 'readDataElement'
>;

type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

/** Options of `products.list`: a filter, `limit` per page (the default is 50, the maximum 200), and `offset`, where the list starts. */
export interface ProductQuery extends Query<'listProducts'> {}
/** Options of `analytics.scans`: the period, in `days` (the default is 30, the maximum 365). */
export interface ScanQuery extends Query<'getScanStatistics'> {}
/** Options of `resolve`: `zugang`, an access token, opens the extended view of its role. */
export interface ResolveQuery extends Pick<Query<'getPassportJsonld'>, 'zugang'> {}
/**
 * Options of `passports.document`: `zugang` as above, `version`, the number of an older version, and `lang`, the language of
 * the labels (`en` or `de`; the default follows `Accept-Language`).
 */
export interface PassportDocumentQuery extends Query<'getPassportJsonld'> {}
/** Options of `passports.page`: `zugang`, and `lang`, such as `de`. Default: the page follows `Accept-Language`. */
export interface PassportPageQuery extends Query<'getPassportPage'> {}

/** The operations under `/api/v1`, which need a key. */
export type ApiOperation = keyof typeof requests;

/**
 * The value of an operation: the address that it redirects to, or otherwise the body of its 200; for the passport page,
 * the HTML. This type reads the generated types itself because openapi-fetch's own mapping drops `string & {}`, which
 * stands for any other text.
 */
export type OperationOutput<Name extends keyof operations> = operations[Name]['responses'] extends { 307: unknown }
  ? string
  : operations[Name]['responses'] extends { 200: { content: infer Content } }
    ? Content extends { 'text/html': infer Page }
      ? Page
      : Content[keyof Content]
    : never;

/**
 * The contract's types for openapi-fetch. An open enumeration is `string`, because openapi-fetch would turn its
 * `string & {}` into an object.
 */
type Plain<Type> = string & Record<never, never> extends Type
  ? string | Exclude<Type, string>
  : Type extends object
    ? { [Key in keyof Type]: Plain<Type[Key]> }
    : Type;

/** The paths of the contract under `/api/v1`, as openapi-fetch's types take them. */
export type ApiPaths = { [Path in (typeof requests)[ApiOperation][1]]: Plain<paths[Path]> };

/** The paths of the EU reads, below an address that ends in `/v1`. */
export type DppPaths = {
  [Path in (typeof publicRequests)[DppRead][1] as Path extends `/dpp/v1${infer Rest}` ? Rest : never]: Plain<
    paths[Path]
  >;
};
