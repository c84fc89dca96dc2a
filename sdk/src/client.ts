import { rootOfApi, rootOfSite } from './address.ts';
import { type Read, readObject } from './answer.ts';
import { callSite, enter, locateMethods, runFor } from './call-site.ts';
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
import { ArgumentError, ConflictError, isApiError } from './errors.ts';
import { toJson } from './json.ts';
import { limits } from './limits.ts';
import { type Paged, paged, readListPage } from './pages.ts';
import { partsOf } from './parts.ts';
import { segment } from './path.ts';
import { type Reply, replied } from './result.ts';
import { type CallOptions, createTransport, type RequestOptions } from './transport.ts';

/** How to reach the service. */
export interface ClientOptions extends CallOptions {
  /** The API's address, `/api/v1` included: `https://passport.example.com/api/v1`. A trailing slash is allowed. */
  readonly baseUrl: string;
  /**
   * The tenant's API key. Keep it on a server, never in a frontend. It appears in no error and on no property of the
   * client.
   */
  readonly apiKey: string;
  /** The address of the public side. Default: `baseUrl` without `/api/v1`. */
  readonly siteUrl?: string | undefined;
}

/**
 * The API of one tenant. Reads and `passports.put` are retried after a network failure, a `timeout`, 429, 500, 502, 503
 * or 504; `products.create` only after 429. Each page of a list is a separate call. Every method rejects with an
 * `ApiError`, `UnexpectedAnswerError`, `NetworkError`, `TimeoutError`, `AbortError` or `ArgumentError`
 * (`products.ensure` with a `ConflictError` too); its `.result()` never rejects. Each method lists the codes that its
 * `ApiError` may have.
 *
 * Codes of every method: `invalid_api_key`, `rate_limited`, `internal_error`, `service_unavailable`, and from the
 * server rather than an operation `method_not_allowed`, `request_timeout`, `headers_too_large`.
 */
export interface Client {
  /** The address of the public side, for `createPublicClient`. */
  readonly siteUrl: string;
  readonly me: {
    /** The tenant of the key, and how many products it has: a connection test. Contract: `getMe`. */
    get(options?: RequestOptions): Reply<Me, 'getMe'>;
  };
  readonly products: {
    /**
     * The tenant's products, oldest first. `await` gives the first page, `for await` every product, `.pages()` every
     * page; nothing is sent before. `limit` is the size of a page, not of the list: 200 sends the fewest requests.
     * Products added meanwhile cause no gaps; products that leave the filter meanwhile may. A list that cannot be read
     * to its end is an `UnexpectedAnswerError`, `pages_stalled`. Codes: `invalid_request`. Contract: `listProducts`.
     */
    list(query?: ProductQuery, options?: RequestOptions): Paged<ProductList, 'listProducts'>;
    /**
     * Creates a draft. The slug may differ from the one given: use the one in the answer. Not safe to repeat blindly: a
     * second call makes a second product. Codes: `invalid_json`, `name_required`, `unknown_product_group`,
     * `invalid_gtin`, `invalid_request`, `payload_too_large`, `unsupported_media_type`. Contract: `createProduct`.
     */
    create(product: CreateProduct, options?: RequestOptions): Reply<Product, 'createProduct'>;
    /** The full master data of a product. Codes: `not_found`. Contract: `getProduct`. */
    get(slug: string, options?: RequestOptions): Reply<Product, 'getProduct'>;
    /**
     * Gets the product with this slug, or creates it. Safe to repeat after a lost answer. Both requests share one
     * deadline. An existing product is left unchanged, even if it differs from `product`. If another program takes the
     * slug in between, the service uses another slug: the call rejects with a `ConflictError` that has the new product.
     * Codes: those of `products.create`. Contract: `getProduct`, `createProduct`.
     */
    ensure(
      product: CreateProduct & { slug: string },
      options?: RequestOptions,
    ): Reply<Ensured, 'getProduct' | 'createProduct'>;
  };
  readonly passports: {
    /** A product's passport with all values, whatever their `access_level`. Codes: `not_found`. Contract: `getPassport`. */
    get(slug: string, options?: RequestOptions): Reply<Passport, 'getPassport'>;
    /**
     * Writes values; fields that are not named stay unchanged. What `passports.get` gave can be written back as it is.
     * More than 1,000 values or 1 MiB are sent in several requests, in order, under one deadline; `updated` is their
     * sum. Each request is all or nothing, the series is not: after a failure nothing more is sent, and the error's
     * `applied` counts the values already written, from the first on. Codes: `invalid_json`, `values_must_be_array`,
     * `field_key_required`, `invalid_request`, `not_found`, `payload_too_large`, `unsupported_media_type`.
     * Contract: `putPassport`.
     */
    put(
      slug: string,
      values: readonly PassportValueInput[],
      options?: RequestOptions,
    ): Reply<PassportWriteResult, 'putPassport'>;
  };
  readonly carriers: {
    /** A product's data carriers, oldest first. Codes: `not_found`. Contract: `listCarriers`. */
    list(slug: string, options?: RequestOptions): Reply<CarrierList, 'listCarriers'>;
  };
  readonly analytics: {
    /** Scans of the public pages in the last `days` days (UTC). Codes: `invalid_request`. Contract: `getScanStatistics`. */
    scans(query?: ScanQuery, options?: RequestOptions): Reply<ScanStatistics, 'getScanStatistics'>;
  };
}

/** What `products.ensure` found or created. */
export interface Ensured {
  readonly product: Product;
  /** Whether this call created it. */
  readonly created: boolean;
}

/**
 * Connects to the API of one tenant. Sends nothing yet. Throws an `ArgumentError` for an unusable address, key or limit.
 *
 * ```ts
 * import { createClient } from '@product-passport/sdk';
 *
 * const client = createClient({
 *   baseUrl: 'https://passport.example.com/api/v1',
 *   apiKey: process.env.PASSPORT_API_KEY ?? '',
 * });
 * for await (const { slug, name } of client.products.list({ status: 'active' })) console.log(slug, name);
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const leave = enter(createClient);
  try {
    return connect(options);
  } finally {
    leave();
  }
}

function connect(given: ClientOptions): Client {
  const { baseUrl, apiKey, siteUrl, ...options } = { ...given }; // also of nothing
  for (const [argument, value] of Object.entries({ baseUrl, apiKey })) {
    if (!value) throw new ArgumentError(argument, 'is missing: createClient needs { baseUrl, apiKey }');
  }
  const root = rootOfApi(baseUrl);
  if (typeof apiKey !== 'string' || !/^[\w.~+/-]+=*$/.test(apiKey)) {
    throw new ArgumentError('apiKey', 'must be a bearer token: letters, digits, - . _ ~ + /, at the end ='); // RFC 6750, 2.1
  }
  const base = limits(options);
  const send = createTransport(root, options, base, apiKey);
  /** When a call of several requests ends. */
  const endOf = (options?: RequestOptions) => performance.now() + limits(options, base).deadlineMs;
  const at = (slug: string) => ({ path: { slug: segment('slug', slug) } });

  async function ensure(input: CreateProduct & { slug: string }, options?: RequestOptions): Promise<Ensured> {
    const until = endOf(options);
    // As it is now: the program may go on with the same object. What cannot be sent is found before the first request.
    const body: typeof input = JSON.parse(toJson({ ...input }));
    const readSame: Read = (answer, _url, refuse) => {
      const found = readObject(answer);
      if (!found || found.slug === body.slug) return found;
      return refuse(`product ${found.slug} came instead. A static mock cannot do this: use the reference server`);
    };
    const found = await send('getProduct', () => at(body.slug), options, readSame, until).result();
    if (found.ok) return { product: found.value, created: false };
    if (!isApiError(found.error, 'getProduct', 'not_found')) throw found.error;
    const product = await send('createProduct', () => ({ body }), options, undefined, until);
    if (product.slug !== body.slug) throw new ConflictError(body.slug, product);
    return { product, created: true };
  }

  async function put(slug: string, values: readonly PassportValueInput[], options?: RequestOptions) {
    const until = endOf(options);
    let parts: PassportValueInput[][] | undefined;
    let applied = 0;
    let updated = 0;
    for (let index = 0; ; index += 1) {
      const write = send(
        'putPassport',
        () => {
          const path = at(slug);
          parts ??= partsOf(values);
          return { ...path, body: parts[index] ?? [] };
        },
        options,
        undefined,
        until,
      );
      const result = await write.catch((error: object) => {
        throw Object.assign(error, { applied });
      });
      if (parts?.length === 1) return result;
      updated += result.updated;
      applied += parts?.[index]?.length ?? 0;
      if (!parts?.[index + 1]) return { ...result, updated };
    }
  }

  return locateMethods({
    siteUrl: siteUrl === undefined ? root : rootOfSite(siteUrl),
    me: {
      get: (options) => send('getMe', () => ({}), options),
    },
    products: {
      list: (query, options) => {
        const asked = { ...query };
        const site = callSite;
        return paged('listProducts', options?.signal, (offset = asked.offset) => {
          const query = offset === undefined ? asked : { ...asked, offset };
          return runFor(site, () => send('listProducts', () => ({ query }), options, readListPage));
        });
      },
      create: (body, options) => send('createProduct', () => ({ body }), options),
      get: (slug, options) => send('getProduct', () => at(slug), options),
      ensure: (...asked) => replied(ensure(...asked)),
    },
    passports: {
      get: (slug, options) => send('getPassport', () => at(slug), options),
      put: (...asked) => replied(put(...asked)),
    },
    carriers: {
      list: (slug, options) => send('listCarriers', () => at(slug), options),
    },
    analytics: {
      scans: (query, options) => {
        const asked = { ...query };
        return send('getScanStatistics', () => ({ query: asked }), options);
      },
    },
  });
}
