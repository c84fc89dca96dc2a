/**
 * `@product-passport/sdk/public`: the public side, for data carriers and third parties. It takes no API key and sends
 * none, so it may be used in a browser.
 */
import openapiFetch from 'openapi-fetch';
import { rootOfSite } from './address.ts';
import type { PageQuery, PassportDocument, PublicQuery } from './contract.ts';
import type { paths } from './generated/openapi.ts';
import { segment } from './path.ts';
import { createTransport, type Fetch, type RequestOptions } from './transport.ts';

export type { PageQuery, PassportDocument, PublicQuery } from './contract.ts';
export * from './errors.ts';
export type { Fetch, RequestOptions } from './transport.ts';

/** How to reach the public side. */
export interface PublicClientOptions {
  /** The site's address, without `/api/v1`: `https://passport.example.com`. A slash at the end does no harm. */
  readonly siteUrl: string;
  /** Stands in for the runtime's `fetch`. Called with a `Request`. Default: `globalThis.fetch`. */
  readonly fetch?: Fetch | undefined;
}

/**
 * The activated passports of every tenant. One request a method, no retries, no deadline but the `signal`; rejects with
 * an `ApiError`, `UnexpectedAnswerError`, `NetworkError`, `AbortError` or `ArgumentError`. A draft, an archived and an
 * unknown product give the same `not_found`. An invalid or expired `zugang` is no error: it gives the public view.
 */
export interface PublicClient {
  readonly passports: {
    /**
     * The passport page, as HTML. Its errors come as a page too; they are told by their status: `not_found`,
     * `internal_error`, `service_unavailable`. Contract: `getPassportPage`.
     */
    page(tenant: string, product: string, query?: PageQuery, options?: RequestOptions): Promise<string>;
    /** The passport as JSON-LD. Codes: `not_found`. Contract: `getPassportJsonld`. */
    document(tenant: string, product: string, query?: PublicQuery, options?: RequestOptions): Promise<PassportDocument>;
  };
  /**
   * Where the GS1 Digital Link of a GTIN leads: the whole address of the passport page, which is not fetched. In a
   * browser always an `UnexpectedAnswerError` with `redirect_hidden`: let the reader follow the link instead.
   * Codes: `not_found`, `invalid_gtin`, `invalid_request`. Contract: `resolveGtin`.
   */
  resolve(gtin: string, query?: PublicQuery, options?: RequestOptions): Promise<string>;
}

/** Connects to the public side. Sends nothing yet. Throws an `ArgumentError` for an unusable address. */
export function createPublicClient({ siteUrl, fetch }: PublicClientOptions): PublicClient {
  const root = rootOfSite(siteUrl);
  const site = openapiFetch<paths>({ baseUrl: root });
  const send = createTransport(root, fetch);
  const at = <Query extends PublicQuery>(tenant: string, product: string, query?: Query) => ({
    path: { tenant: segment('tenant', tenant), product: segment('product', product) },
    query: { ...query } as Query,
  });

  return {
    passports: {
      page: (tenant, product, query, options) =>
        send(
          'getPassportPage',
          (init) =>
            site.GET('/p/{tenant}/{product}', {
              params: at(tenant, product, query),
              // The same address has the passport for machines, too.
              headers: { accept: 'text/html' },
              ...init,
            }),
          options,
          { expected: 'html', secret: query?.zugang },
        ),
      document: (tenant, product, query, options) =>
        send(
          'getPassportJsonld',
          (init) => site.GET('/p/{tenant}/{product}/jsonld', { params: at(tenant, product, query), ...init }),
          options,
          { secret: query?.zugang },
        ),
    },
    resolve: (gtin, query, options) =>
      send(
        'resolveGtin',
        (init) => {
          const params = { path: { gtin: segment('gtin', gtin) }, query: { ...query } };
          return site.GET('/01/{gtin}', { params, ...init });
        },
        options,
        { expected: 'redirect', secret: query?.zugang },
      ),
  };
}
