/**
 * `@product-passport/sdk/public`: reading passports, for data carriers and third parties. It takes no API key and sends
 * none, so it is safe in browsers.
 */
import { rootOf, segment, webAddress } from './address.ts';
import { type ApiPromise, type ApiResponse, apiPromise } from './api-promise.ts';
import { contextOf, type ObservedOptions } from './call.ts';
import type { PassportDocument, PassportDocumentQuery, PassportPageQuery, ResolveQuery } from './contract.ts';
import { ArgumentError, type Operation } from './errors.ts';
import { gtin14 } from './gs1.ts';
import { limits } from './limits.ts';
import { createPublicGet, type PublicRequestOptions, readHtml } from './public-get.ts';
import { documentType, type Resolution, resolveLink } from './resolution.ts';
import { type Read, readObject } from './response.ts';

export type { ApiPromise, Result, WithResponse } from './api-promise.ts';
export type { Attempt, AttemptStart } from './call.ts';
export type { PassportDocument, PassportDocumentQuery, PassportPageQuery, ResolveQuery } from './contract.ts';
export type * from './errors.ts';
export {
  AbortError,
  ApiError,
  ArgumentError,
  isApiError,
  isPassportError,
  NetworkError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts';
export type { Fetch, FetchInit, FetchResponse } from './fetch.ts';
export type { PublicRequestOptions } from './public-get.ts';
export type { Resolution } from './resolution.ts';

/** How to reach the public side. */
export interface PublicClientOptions extends ObservedOptions {
  /** The site's address, without `/api/v1`: `https://passport.example.com`. A trailing slash is allowed. */
  readonly siteUrl: string;
}

/**
 * The activated passports of every tenant. Requests are retried after a network failure, a `timeout`, 429, 500, 502, 503
 * or 504. Responses of 64 Mi characters or more are refused. Every method rejects with an `ApiError`,
 * `UnexpectedResponseError`, `NetworkError`, `TimeoutError`, `AbortError` or `ArgumentError`. Its `.result()` never
 * rejects. Its `.withResponse()` adds the status and the headers of the (last) response. A draft, an archived and an unknown product give the same `not_found`. An invalid or
 * expired `zugang` is not an error: it gives the public view. Each method lists the codes that its `ApiError` may have.
 *
 * Codes of every method: `rate_limited`, `internal_error`, `service_unavailable`, and from the server rather than an
 * operation `method_not_allowed`, `request_timeout`, `headers_too_large`.
 */
export interface PublicClient {
  readonly passports: {
    /**
     * The passport page, as HTML. Its errors are HTML pages too, so the SDK derives their codes from the status.
     * Codes: `not_found`. Contract: `getPassportPage`.
     */
    page(
      tenant: string,
      product: string,
      query?: PassportPageQuery,
      options?: PublicRequestOptions,
    ): ApiPromise<string, 'getPassportPage'>;
    /** The passport as JSON-LD, or an older version of it. Codes: `not_found`. Contract: `getPassportJsonld`. */
    document(
      tenant: string,
      product: string,
      query?: PassportDocumentQuery,
      options?: PublicRequestOptions,
    ): ApiPromise<PassportDocument, 'getPassportJsonld'>;
  };
  /**
   * The passport for a GTIN (looked up on this site) or a scanned GS1 Digital Link (looked up on the link's own host).
   * It requests `linkType=gs1:dpp` and sends at most 8 requests. A provider without this link type leads to a page.
   * Then `resolve` tries the contract's document of that page, and otherwise gives the address of the page. It does
   * not fetch the page itself if it can see the redirect to it: the fetch would count as a scan.
   *
   * Links and redirects must use https, except on the site's own host if `siteUrl` is http. A browser follows redirects
   * by its own rules, and other hosts must allow it (CORS), as the contract does. A server that resolves untrusted
   * links should pass a `fetch` that cannot reach its internal network.
   *
   * The link's path and query are sent unchanged. `zugang` is only for the site: with a link of another host it is an
   * `ArgumentError`.
   * Codes: `invalid_gtin`, `invalid_request`, `not_found`. Contract: `resolveGtin`.
   */
  resolve(
    gtinOrLink: string,
    query?: ResolveQuery,
    options?: PublicRequestOptions,
  ): ApiPromise<Resolution, 'resolveGtin'>;
}

/**
 * Connects to the public side. Sends no request. Throws an `ArgumentError` for an unusable address.
 *
 * ```ts
 * import { createPublicClient } from '@product-passport/sdk/public';
 *
 * const site = createPublicClient({ siteUrl: 'https://passport.example.com' });
 * const { document, url } = await site.resolve('9520001200045');
 * console.log(document?.name ?? `There is only a page: ${url}`);
 * ```
 */
export function createPublicClient(options: PublicClientOptions): PublicClient {
  const { siteUrl, ...others } = { ...options }; // a program without types may pass undefined
  const root = rootOf('siteUrl', siteUrl);
  const base = limits(others);
  const context = contextOf(others, base);
  const own = new URL('/', root).href;
  const isOwn = (address: string) => address.startsWith(own);
  const isAllowed = (address: string) => isOwn(address) || address.startsWith('https:');

  const getPassport = async <Value>(
    operation: Operation,
    [tenant, product, query = {}, options]: [
      tenant: string,
      product: string,
      query?: (PassportPageQuery & PassportDocumentQuery) | undefined,
      options?: PublicRequestOptions | undefined,
    ],
    accept: string,
    tail: string,
    read: Read,
  ): Promise<ApiResponse<Value>> => {
    const path = `/p/${segment('tenant', tenant)}/${segment('product', product)}${tail}`;
    const url = new URL(root + path);
    for (const name of ['lang', 'zugang', 'version'] as const) {
      if (query[name]) url.searchParams.set(name, query[name]);
    }
    return createPublicGet(context, base, operation, path, options, query.zugang)(url.href, accept, read);
  };

  const resolve = async (
    gtinOrLink: string,
    { zugang }: ResolveQuery = {},
    options: PublicRequestOptions | undefined,
  ): Promise<ApiResponse<Resolution>> => {
    const link = webAddress('link', /:/.test(gtinOrLink) ? gtinOrLink : `${root}/01/${gtin14(gtinOrLink)}`);
    const [path] = /\/01\/\d{8,14}(\/.*)?$/.exec(link.pathname) ?? [];
    if (!path || !isAllowed(link.href)) {
      throw new ArgumentError('link', 'must be an https GS1 Digital Link');
    }
    if (zugang) {
      if (!isOwn(link.href)) throw new ArgumentError('zugang', 'is only for the host of siteUrl');
      link.searchParams.set('zugang', zugang);
    }
    const secret = link.searchParams.get('zugang');
    return resolveLink(createPublicGet(context, base, 'resolveGtin', path, options, secret), link, isAllowed);
  };

  return {
    passports: {
      // The same address serves the passport as JSON-LD, too.
      page: (...args) => apiPromise(getPassport('getPassportPage', args, 'text/html', '', readHtml)),
      // The type follows the contract. The conformance suite proves that a service follows it; single calls do not.
      document: (...args) => apiPromise(getPassport('getPassportJsonld', args, documentType, '/jsonld', readObject)),
    },
    resolve: (gtinOrLink, query, options) => apiPromise(resolve(gtinOrLink, query, options)),
  };
}
