/**
 * `@product-passport/sdk/public`: reading passports, for data carriers and third parties. It takes no API key and sends
 * none, so it is safe in browsers.
 */
import { rootOf, segment, webAddress } from './address.ts';
import { type ClientContext, contextOf, type ObservedOptions, perform, startOf } from './call.ts';
import type { PassportDocument, PassportDocumentQuery, PassportPageQuery, ResolveQuery } from './contract.ts';
import { ArgumentError, isApiError, type Operation, type ResponseInfo } from './errors.ts';
import { gtin14 } from './gs1.ts';
import { type AllLimits, type Limits, limits } from './limits.ts';
import {
  type ApiPromise,
  type ApiResponse,
  apiPromise,
  type Fail,
  type FetchResponse,
  isRedirect,
  isType,
  type Read,
  readObject,
  type TextResponse,
  targetOf,
} from './response.ts';
import { redactor } from './secret.ts';

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
export type { ApiPromise, Fetch, FetchInit, FetchResponse, Result, WithResponse } from './response.ts';

/** How to reach the public side. */
export interface PublicClientOptions extends ObservedOptions {
  /** The site's address, without `/api/v1`: `https://passport.example.com`. A trailing slash is allowed. */
  readonly siteUrl: string;
}

/** Options of one call. Limits that are left out default to those of the client. */
export interface PublicRequestOptions extends Limits {
  /** Ends the call when it fires, also while the body is read: the call rejects with an `AbortError`. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** Where a Digital Link leads. */
export interface Resolution {
  /** The address of the passport. Without a `document`, the address of the page for people. */
  readonly url: string;
  /** The passport. `undefined` if the provider has only a page, or a document that does not follow this contract. */
  readonly document: PassportDocument | undefined;
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

  const getPassport = <Value, Name extends 'getPassportPage' | 'getPassportJsonld'>(
    operation: Name,
    tail: string,
    accept: string,
    read: Read,
  ) => {
    const get = async (
      tenant: string,
      product: string,
      query: PassportPageQuery & PassportDocumentQuery = {},
      options?: PublicRequestOptions,
    ) => {
      const path = `/p/${segment('tenant', tenant)}/${segment('product', product)}${tail}`;
      const url = new URL(root + path);
      for (const name of ['lang', 'zugang', 'version'] as const) {
        if (query[name]) url.searchParams.set(name, query[name]);
      }
      return createPublicGet(context, base, operation, path, options, query.zugang)<Value>(url.href, accept, read);
    };
    return (...args: Parameters<typeof get>) => apiPromise<Value, Name>(get(...args));
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
      page: getPassport('getPassportPage', '', 'text/html', readHtml),
      // The type follows the contract. The conformance suite proves that a service follows it; single calls do not.
      document: getPassport('getPassportJsonld', '/jsonld', documentType, readObject),
    },
    resolve: (gtinOrLink, query, options) => apiPromise(resolve(gtinOrLink, query, options)),
  };
}

type PublicGet = ReturnType<typeof createPublicGet>;

// The page for people reports these errors as HTML, so the codes follow from the status.
const pageErrors: Record<number, string> = {
  404: 'not_found',
  429: 'rate_limited',
  500: 'internal_error',
  503: 'service_unavailable',
};

/** The HTML of a page. */
const readHtml: Read = ({ text, response }, _url, fail) => {
  if (!isType(response, /html/i)) return undefined;
  const code = pageErrors[response.status];
  if (code) fail(code === 'not_found' ? 'this address has no published passport' : 'the page reports it', code);
  return (response.ok && text) || undefined;
};

/** The value of a redirect that the browser hides. */
const hidden = Symbol('hidden redirect');

/**
 * Makes the function that sends the GETs of one public call, without a key, and reads the value from the response or throws
 * a typed error. They share the call's deadline.
 */
function createPublicGet(
  context: Omit<ClientContext, 'redact'>,
  base: AllLimits,
  operation: Operation,
  path: string,
  options: PublicRequestOptions = {},
  secret: string | null | undefined,
) {
  const own = { ...context, redact: redactor(secret) };
  const { signal } = options;
  const callLimits = limits(options, base);
  const deadline = startOf(callLimits);
  /**
   * @param isUnwanted selects bodies that are not read. Set it in a call that follows redirects: if a browser hides the
   *   target of a redirect, `fetch` then follows it.
   */
  return async <Value>(
    url: string,
    accept: string,
    read: Read,
    isUnwanted?: (response: FetchResponse) => boolean,
  ): Promise<ApiResponse<Value>> => {
    const get = async (follows: boolean): Promise<ApiResponse<unknown>> => {
      const readOnce: Read = (received, from, fail) =>
        isUnwanted && !follows && received.response.type === 'opaqueredirect'
          ? hidden
          : read(received, follows ? received.response.url : from, fail);
      const request = { url, method: 'GET', headers: { accept }, redirect: follows ? 'follow' : 'manual' } as const;
      const start = { operation, method: 'GET', path, host: new URL(url).host, attempts: 0 } as const;
      return perform(own, start, request, { limits: callLimits, signal, deadline, read: readOnce, isUnwanted });
    };
    const found = await get(false);
    return (found.value === hidden ? await get(true) : found) as ApiResponse<Value>;
  };
}

const documentType = 'application/ld+json';
// Without `*/*`, a resolver that has only pages or a linkset could respond with 406.
const accepted = `${documentType},*/*;q=0.1`;

/** The address of the document of the contract's `/p/{tenant}/{product}`. Returns any other address unchanged. */
function documentOf(page: string): string {
  return page.replace(/^([^?#]*\/p\/[^/?#]+\/(?!jsonld(?:[/?#]|$))[^/?#]+)\/?(?=[?#]|$)/, '$1/jsonld');
}

/** Whether the response is something other than JSON, such as a page. */
function isPage(response: FetchResponse): boolean {
  return response.ok && !isType(response, /json/i);
}

/** Reads a passport. Returns `pageOnly` if the document is not a passport. */
function readPassport(received: TextResponse, url: string, fail: Fail, pageOnly: Resolution): Resolution | undefined {
  const found = readObject(received) as (PassportDocument & { linkset?: unknown }) | undefined;
  if (found?.linkset) fail('got a linkset instead. A static mock cannot do this: use the reference server');
  return found && (found.hasDigitalProductPassport ? { url, document: found } : pageOnly);
}

/**
 * Follows a Digital Link to its passport. It checks each redirect before it follows it, so that a link cannot lead a
 * server from https to another scheme. In a browser, `fetch` follows redirects by the browser's own rules.
 *
 * @param link a Digital Link; a `linkType` in it is ignored
 * @param isAllowed whether an address may be requested
 */
async function resolveLink(
  get: PublicGet,
  link: URL,
  isAllowed: (address: string) => boolean,
): Promise<ApiResponse<Resolution>> {
  link.search = link.search.replace(/(?<=[?&])linktype=[^&]*&?/gi, '');
  const plain = link.href;
  link.searchParams.set('linkType', 'gs1:dpp');
  let url = link.href;
  let page = plain; // the page for people, if no document is found
  let isGuess = false; // whether `url` is derived from a page's address, and may not have a document
  let left = 8; // requests
  const pageOnly = () => ({ url: page, document: undefined });
  const allowed = (to: string | undefined) => (to && left > 1 && isAllowed(to) ? to : undefined);

  /** Returns where the link leads, or the next address. */
  const read: Read = (received, from, fail): Resolution | string | undefined => {
    if (from !== url && !isGuess) page = from;
    if (isRedirect(received.response)) return allowed(targetOf(received.response, from));
    if (isPage(received.response)) return isGuess || documentOf(page) === page ? pageOnly() : from;
    return readPassport(received, from, fail, pageOnly());
  };

  /** Handles a failure: returns the result, or `undefined` to request `url` again, or throws the failure. */
  const recover = (error: Partial<ResponseInfo>): Resolution | undefined => {
    const { status = Infinity } = error;
    if (isGuess && status < 429) return pageOnly();
    // A resolver without this link type responds with 404, and not necessarily as the contract does.
    if (url !== link.href || status !== 404 || isApiError(error)) throw error;
    url = plain;
    return undefined;
  };

  /** Moves on to an address, or to its document. Returns whether that was the last request already. */
  const goTo = (to: string): boolean => {
    const last = url;
    url = documentOf(to);
    if (!isGuess || url !== to) page = to; // The page is not requested: that would count as a scan.
    isGuess ||= url !== to;
    return isGuess && url === last;
  };

  // A failure leads to a page only after a response that led to it.
  let response: FetchResponse | undefined;
  for (; ; left -= 1) {
    const found = await get<Resolution | string>(url, accepted, read, isPage).then((received) => {
      response = received.response;
      return received.value;
    }, recover);
    const value = found && typeof found !== 'object' && goTo(found) ? pageOnly() : found;
    if (typeof value === 'object') return { value, response: response as FetchResponse };
  }
}
