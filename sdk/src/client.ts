import openapiFetch from 'openapi-fetch';
import { rootOfApi, rootOfSite } from './address.ts';
import type {
  CarrierList,
  CreateProduct,
  Me,
  Passport,
  PassportValueInput,
  PassportWriteResult,
  Product,
  ProductList,
  ProductQuery,
  ScanQuery,
  ScanStatistics,
} from './contract.ts';
import { ArgumentError } from './errors.ts';
import type { paths } from './generated/openapi.ts';
import { toJson } from './json.ts';
import { type Paged, paged } from './pages.ts';
import { segment } from './path.ts';
import { createTransport, type Fetch, type RequestOptions } from './transport.ts';

/** How to reach the service. */
export interface ClientOptions {
  /** The API's address, `/api/v1` included: `https://passport.example.com/api/v1`. A slash at the end does no harm. */
  readonly baseUrl: string;
  /** The tenant's API key. Keep it on a server, never in a frontend. It stands in no error and on no property. */
  readonly apiKey: string;
  /** Stands in for the runtime's `fetch`, for a proxy or a test. Called with a `Request`. Default: `globalThis.fetch`. */
  readonly fetch?: Fetch | undefined;
  /** The address of the public side. Default: `baseUrl` without `/api/v1`. */
  readonly siteUrl?: string | undefined;
}

/**
 * The API of one tenant. Every method sends one request (a list: one a page), never retries, and has no deadline but
 * its `signal`. It rejects with an `ApiError`, `UnexpectedAnswerError`, `NetworkError`, `AbortError` or `ArgumentError`;
 * the codes that are told with a method are those of its `ApiError`. Each may also give `invalid_api_key`,
 * `rate_limited`, `internal_error` and `service_unavailable`.
 */
export interface Client {
  /** The address of the public side, for `createPublicClient`. */
  readonly siteUrl: string;
  readonly me: {
    /** The tenant of the key, and how many products it has: a connection test. Contract: `getMe`. */
    get(options?: RequestOptions): Promise<Me>;
  };
  readonly products: {
    /**
     * The tenant's products, oldest first. `await` gives the first page, `for await` every product, `.pages()` every
     * page; nothing is sent before. `limit` is the size of a page and not of the list: 200 sends the fewest requests.
     * No product that was there at the beginning is left out while others are added; where products leave the filter
     * meanwhile, some may be. A list that cannot be read to its end is an `UnexpectedAnswerError`, `pages_stalled`.
     * Codes: `invalid_request`. Contract: `listProducts`.
     */
    list(query?: ProductQuery, options?: RequestOptions): Paged<ProductList>;
    /**
     * Creates a draft. The slug may differ from the one given: read the answer's. Not safe to repeat blindly: a second
     * call makes a second product. Codes: `name_required`, `unknown_product_group`, `invalid_gtin`, `invalid_request`,
     * `payload_too_large`. Contract: `createProduct`.
     */
    create(product: CreateProduct, options?: RequestOptions): Promise<Product>;
    /** The full master data of a product. Codes: `not_found`. Contract: `getProduct`. */
    get(slug: string, options?: RequestOptions): Promise<Product>;
  };
  readonly passports: {
    /** A product's passport with all values, whatever their `access_level`. Codes: `not_found`. Contract: `getPassport`. */
    get(slug: string, options?: RequestOptions): Promise<Passport>;
    /**
     * Writes values, all or none; fields that are not named stay as they are. At most 1,000 at a time. What
     * `passports.get` gave can be written back as it is. Codes: `not_found`, `field_key_required`,
     * `values_must_be_array`, `invalid_request`, `payload_too_large`. Contract: `putPassport`.
     */
    put(slug: string, values: readonly PassportValueInput[], options?: RequestOptions): Promise<PassportWriteResult>;
  };
  readonly carriers: {
    /** A product's data carriers, oldest first. Codes: `not_found`. Contract: `listCarriers`. */
    list(slug: string, options?: RequestOptions): Promise<CarrierList>;
  };
  readonly analytics: {
    /** Scans of the public pages in the last `days` days (UTC). Codes: `invalid_request`. Contract: `getScanStatistics`. */
    scans(query?: ScanQuery, options?: RequestOptions): Promise<ScanStatistics>;
  };
}

/** Connects to the API of one tenant. Sends nothing yet. Throws an `ArgumentError` for an unusable address or key. */
export function createClient({ baseUrl, apiKey, fetch, siteUrl }: ClientOptions): Client {
  const root = rootOfApi(baseUrl);
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    throw new ArgumentError('apiKey', 'must be a key: visible ASCII, without white space');
  }
  const headers = { Authorization: `Bearer ${apiKey}` };
  const api = openapiFetch<paths>({ baseUrl: root, headers, bodySerializer: toJson });
  const send = createTransport(root, fetch, apiKey);
  const at = (slug: string) => ({ path: { slug: segment('slug', slug) } });
  const list = { operation: 'listProducts', method: 'GET', path: '/api/v1/products' } as const;

  return {
    siteUrl: siteUrl === undefined ? root : rootOfSite(siteUrl),
    me: {
      get: (options) => send('getMe', (init) => api.GET('/api/v1/me', init), options),
    },
    products: {
      list: (query, options) => {
        const asked = { ...query };
        return paged(list, (offset = asked.offset) => {
          const params = { query: offset === undefined ? asked : { ...asked, offset } };
          return send(list.operation, (init) => api.GET(list.path, { params, ...init }), options);
        });
      },
      create: (body, options) =>
        send('createProduct', (init) => api.POST('/api/v1/products', { body, ...init }), options),
      get: (slug, options) =>
        send('getProduct', (init) => api.GET('/api/v1/products/{slug}', { params: at(slug), ...init }), options),
    },
    passports: {
      get: (slug, options) =>
        send(
          'getPassport',
          (init) => api.GET('/api/v1/products/{slug}/passport', { params: at(slug), ...init }),
          options,
        ),
      put: (slug, values, options) => {
        const body = values as PassportValueInput[]; // the generated type is not readonly; nothing writes to it
        return send(
          'putPassport',
          (init) => api.PUT('/api/v1/products/{slug}/passport', { params: at(slug), body, ...init }),
          options,
        );
      },
    },
    carriers: {
      list: (slug, options) =>
        send(
          'listCarriers',
          (init) => api.GET('/api/v1/products/{slug}/carriers', { params: at(slug), ...init }),
          options,
        ),
    },
    analytics: {
      scans: (query, options) =>
        send(
          'getScanStatistics',
          (init) => api.GET('/api/v1/analytics/scans', { params: { query: { ...query } }, ...init }),
          options,
        ),
    },
  };
}
