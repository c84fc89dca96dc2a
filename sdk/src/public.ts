/**
 * `@product-passport/sdk/public`: the public side, for data carriers and third parties. It takes no API key and sends
 * none, so it may be used in a browser.
 */
import openapiFetch from 'openapi-fetch';
import { rootOfSite } from './address.ts';
import { type Answer, type Read, readTarget } from './answer.ts';
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
 * The activated passports of every tenant. One request a method, no retries and no limit unless its options name one;
 * rejects with an `ApiError`, `UnexpectedAnswerError`, `NetworkError`, `TimeoutError`, `AbortError` or `ArgumentError`. A draft, an archived and an
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

function isHtml({ headers }: Response): boolean {
  return /html/i.test(headers.get('content-type') ?? '');
}

const readPage: Read = ({ data, response }) => (response.ok && isHtml(response) && data ? data : undefined);

// How the contract's page for people says these errors: as HTML, so by status alone.
const pageErrors: Record<number, string> = { 404: 'not_found', 500: 'internal_error', 503: 'service_unavailable' };

/** The answer, with the error body that its status stands for where it is a page for people. */
function withCode(answer: Answer): Answer {
  const code = isHtml(answer.response) && pageErrors[answer.response.status];
  return code
    ? { ...answer, error: { error: { code, message: 'the service answered with a page for people' } } }
    : answer;
}

/** Connects to the public side. Sends nothing yet. Throws an `ArgumentError` for an unusable address. */
export function createPublicClient({ siteUrl, fetch }: PublicClientOptions): PublicClient {
  const root = rootOfSite(siteUrl);
  const site = openapiFetch<paths>({ baseUrl: root });
  const send = createTransport(root, { fetch, timeoutMs: Infinity, deadlineMs: Infinity, maxAttempts: 1 });
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
            site
              .GET('/p/{tenant}/{product}', {
                params: at(tenant, product, query),
                // The same address has the passport for machines, too.
                headers: { accept: 'text/html' },
                ...init,
              })
              .then(withCode),
          options,
          { read: readPage, secret: query?.zugang },
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
        { read: readTarget, secret: query?.zugang },
      ),
  };
}
