import { rootOf } from './address.ts';
import {
  type ApiKey,
  type BaseClientOptions,
  createApi,
  type HttpClient,
  type Input,
  type RequestOptions,
} from './api.ts';
import type {
  ApiOperation,
  CarrierList,
  CreateProduct,
  Me,
  OperationOutput,
  Passport,
  PassportWriteResult,
  Product,
  ProductList,
  ProductListItem,
  ProductQuery,
  ProductStatusChange,
  ScanQuery,
  ScanStatistics,
} from './contract.ts';
import { type EnsureResult, ensure } from './ensure.ts';
import { ArgumentError, type EnsureError, type FindError, type PutError } from './errors.ts';
import { type FindQuery, find } from './find.ts';
import { limits } from './limits.ts';
import { type PagePromise, pagePromise, readListPage } from './pages.ts';
import { type PutOptions, type PutValues, put, type TemplateKey } from './put.ts';
import { type ApiPromise, apiPromise } from './response.ts';
import { setStatus } from './status.ts';

/** How to reach the service. */
export interface ClientOptions extends BaseClientOptions {
  /** The API's address, `/api/v1` included: `https://passport.example.com/api/v1`. A trailing slash is allowed. */
  readonly baseUrl: string;
  /**
   * The tenant's API key, or a function that returns it. Keep it on a server, never in a frontend. No error and no
   * property of the client contains it.
   */
  readonly apiKey: ApiKey;
  /** The address of the public side. Default: `baseUrl` without `/api/v1`. */
  readonly siteUrl?: string | undefined;
  /**
   * Lets a web page use the client. Everybody who opens the page can read the key, and can change all products with it:
   * set it only in tests, and for pages that never leave your company. Default: false.
   */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
}

/**
 * The API of one tenant. Reads and `passports.put` are retried after a network failure, a `timeout`, 429, 500, 502, 503
 * or 504, and so is `products.setStatus`; `products.create` only after 429. Each page of a list is a separate call. Every method rejects with an
 * `ApiError`, `UnexpectedResponseError`, `NetworkError`, `TimeoutError`, `AbortError` or `ArgumentError`
 * (`products.ensure` with a `ConflictError`, `products.find` with an `AmbiguousError` too). Its `.result()` never rejects. Its `.withResponse()` adds the status
 * and the headers of the response. Each method lists the codes that its `ApiError` may have.
 *
 * Codes of every method: `invalid_api_key`, `rate_limited`, `internal_error`, `service_unavailable`, and, from the
 * server rather than an operation, `method_not_allowed`, `request_timeout`, `headers_too_large`.
 */
export interface Client {
  /** The address of the public side, for `createPublicClient`. */
  readonly siteUrl: string;
  readonly me: {
    /** The tenant of the key, and how many products it has: a connection test. Contract: `getMe`. */
    get(options?: RequestOptions): ApiPromise<Me, 'getMe'>;
  };
  readonly products: {
    /**
     * The tenant's products, oldest first. `await` gives the first page, `for await` every product, `.pages()` every
     * page. No request is sent before. `limit` is the size of a page, not of the list: 200 sends the fewest requests.
     * Products added during the loop cause no gaps. Products that stop matching the filter during the loop may. A list
     * that cannot be read to its end causes an `UnexpectedResponseError` with the code `pages_stalled`.
     * Codes: `invalid_request`, `invalid_gtin`. Contract: `listProducts`.
     */
    list(query?: ProductQuery, options?: RequestOptions): PagePromise<ProductList, 'listProducts'>;
    /**
     * Creates a draft. The service may change the slug that you pass: use the slug of the result. Do not repeat the
     * call blindly: a second call creates a second product. Codes: `invalid_json`, `name_required`,
     * `unknown_product_group`, `invalid_gtin`, `invalid_request`, `payload_too_large`, `unsupported_media_type`.
     * Contract: `createProduct`.
     */
    create(product: CreateProduct, options?: RequestOptions): ApiPromise<Product, 'createProduct'>;
    /** The full master data of a product. Codes: `not_found`. Contract: `getProduct`. */
    get(slug: string, options?: RequestOptions): ApiPromise<Product, 'getProduct'>;
    /**
     * Finds a product by its GTIN: `find({ gtin, serial })` the item with this serial number, `find({ gtin })` the product
     * that is not an item. The value is `undefined` if there is none. If several products fit, the call rejects with an
     * `AmbiguousError` that contains their slugs: add a `status` if an archived product has the same numbers. A service
     * without the reference profile may ignore the parameters: `find` then reads the list to its end, and the passport of
     * each product with this GTIN. Each request is a separate call. Codes: `invalid_gtin`, `invalid_request`, `not_found`.
     * Contract: `listProducts`, `getPassport`.
     */
    find(
      query: FindQuery,
      options?: RequestOptions,
    ): ApiPromise<ProductListItem | undefined, 'listProducts' | 'getPassport', FindError>;
    /**
     * Gets the product with this slug, or creates it. The create is retried like a read: `ensure` looks for the slug
     * again before it creates again, so that no second product is created. All requests share one deadline. An existing
     * product stays unchanged, even if it differs from `product`. If another program takes the slug in between, the
     * service chooses another slug, and the call rejects with a `ConflictError` that contains the new product.
     * Codes: those of `products.create`. Contract: `getProduct`, `createProduct`.
     */
    ensure(
      product: CreateProduct & { slug: string },
      options?: RequestOptions,
    ): ApiPromise<EnsureResult, 'getProduct' | 'createProduct', EnsureError>;
    /**
     * Publishes or archives a product: `setStatus(slug, { status: 'active' })`. The key needs the right to publish. A
     * passport that is not ready is refused with `not_ready`, unless the change has `accept_findings`; a value that is more
     * open than its template also needs its field in `open`. A value that must be unique and that another active product has
     * is refused with `value_in_use`. The call is retried like a read: `setStatus` looks at the
     * product before it sends the change again. All requests share one deadline. Codes: `invalid_json`, `invalid_request`,
     * `key_cannot_publish`, `not_found`, `gtin_in_use`, `value_in_use`, `not_ready`, `payload_too_large`,
     * `unsupported_media_type`. Contract: `setProductStatus`.
     */
    setStatus(
      slug: string,
      change: ProductStatusChange,
      options?: RequestOptions,
    ): ApiPromise<Product, 'setProductStatus' | 'getProduct'>;
  };
  readonly passports: {
    /**
     * A product's passport with all values, whatever their `access_level`. Codes: `not_found`. Contract: `getPassport`.
     */
    get(slug: string, options?: RequestOptions): ApiPromise<Passport, 'getPassport'>;
    /**
     * Writes values; fields that are not named stay unchanged. The values of `passports.get` can be written back as
     * they are. More than 1,000 values or 1 MiB are sent in several requests, in order, under one deadline; `updated`
     * is their sum. Each request is all or nothing; the series is not. After a failure no further request is sent, and
     * the error's `applied` is the number of values written, counted from the first. Codes: `invalid_json`,
     * `values_must_be_array`, `field_key_required`, `invalid_request`, `not_found`, `payload_too_large`,
     * `unsupported_media_type`. `put<'cable'>(…)` checks keys, values, units and access levels against the group's template
     * at compile time; `put<'cable', 'our_colour'>(…)` also allows a field of your own. `put(slug, values, { check })` does
     * so at run time.
     * Contract: `putPassport`.
     */
    put<Group extends TemplateKey = never, Own extends string = never>(
      slug: string,
      values: PutValues<Group, Own>,
      options?: PutOptions,
    ): ApiPromise<PassportWriteResult, 'putPassport', PutError>;
  };
  readonly carriers: {
    /** A product's data carriers, oldest first. Codes: `not_found`. Contract: `listCarriers`. */
    list(slug: string, options?: RequestOptions): ApiPromise<CarrierList, 'listCarriers'>;
  };
  readonly analytics: {
    /**
     * Scans of the public pages in the last `days` days (UTC). Codes: `invalid_request`. Contract: `getScanStatistics`.
     */
    scans(query?: ScanQuery, options?: RequestOptions): ApiPromise<ScanStatistics, 'getScanStatistics'>;
  };
  /**
   * The same API as a client of openapi-fetch, for a path of the contract without a method and for libraries that take
   * such a client: `client.http.GET('/api/v1/me')`. Limits, retries and errors are the same as for the methods.
   */
  readonly http: HttpClient;
}

/**
 * Connects to the API of one tenant. Sends no request. Throws an `ArgumentError` for an unusable address, key or limit.
 *
 * ```ts
 * import { createClient } from '@product-passport/sdk';
 *
 * const client = createClient({
 *   baseUrl: 'https://passport.example.com/api/v1',
 *   apiKey: process.env.PRODUCT_PASSPORT_KEY ?? '',
 * });
 * for await (const { slug, name } of client.products.list({ status: 'active' })) console.log(slug, name);
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey, siteUrl, dangerouslyAllowBrowser, ...others } = { ...options }; // a program without types may pass undefined
  for (const [argument, value] of Object.entries({ baseUrl, apiKey })) {
    if (!value) throw new ArgumentError(argument, 'is missing: createClient needs { baseUrl, apiKey }');
  }
  if (!dangerouslyAllowBrowser && 'document' in globalThis) {
    throw new ArgumentError(
      'apiKey',
      'would be readable by everybody in a web page: use createPublicClient, or dangerouslyAllowBrowser',
    );
  }
  const root = rootOf('baseUrl', baseUrl);
  const api = createApi(root, others, limits(others), apiKey);
  const request = <Name extends ApiOperation>(operation: Name, input: Input, options?: RequestOptions) =>
    apiPromise<OperationOutput<Name>, Name>(api.send(operation, input, options));

  return {
    siteUrl: siteUrl === undefined ? root : rootOf('siteUrl', siteUrl),
    me: {
      get: (options) => request('getMe', {}, options),
    },
    products: {
      list: (query, options) => {
        const first = { ...query };
        return pagePromise(options?.signal, (offset = first.offset) => {
          return apiPromise(api.send('listProducts', { query: { ...first, offset } }, options, { read: readListPage }));
        });
      },
      create: (body, options) => request('createProduct', { body }, options),
      get: (slug, options) => request('getProduct', { path: { slug } }, options),
      find: (query, options) => apiPromise(find(api, query, options)),
      ensure: (product, options) => apiPromise(ensure(api, product, options)),
      setStatus: (slug, change, options) => apiPromise(setStatus(api, slug, change, options)),
    },
    passports: {
      get: (slug, options) => request('getPassport', { path: { slug } }, options),
      put: (slug, values, options) => apiPromise(put(api, slug, values, options)),
    },
    carriers: {
      list: (slug, options) => request('listCarriers', { path: { slug } }, options),
    },
    analytics: {
      scans: (query, options) => request('getScanStatistics', { query }, options),
    },
    http: api.http,
  };
}
