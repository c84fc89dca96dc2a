import type { CallState } from './attempt.ts';
import type { Operation } from './errors.ts';
import type { Fetch, FetchResponse } from './fetch.ts';
import { decide, isType, type Read } from './response.ts';
import { redactor } from './secret.ts';
import { transport } from './transport.ts';

/** Options of one call. */
export interface PublicRequestOptions {
  /** Ends the call when it fires, also while the body is read: the call rejects with an `AbortError`. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a GET without a key, and reads the value from the response or throws a typed error.
 *
 * @param isUnwanted selects bodies that are not read. Set it in a call that follows redirects: if a browser hides the
 *   target of a redirect, `fetch` then follows it.
 */
export type PublicGet = <Value>(
  url: string,
  accept: string,
  read: Read,
  isUnwanted?: (response: FetchResponse) => boolean,
) => Promise<Value>;

// The page for people reports these errors as HTML, so the codes follow from the status.
const pageErrors: Record<number, string> = {
  404: 'not_found',
  429: 'rate_limited',
  500: 'internal_error',
  503: 'service_unavailable',
};

/** The HTML of a page. */
export const readHtml: Read = ({ text, response }, _url, fail) => {
  if (!isType(response, /html/i)) return undefined;
  const code = pageErrors[response.status];
  if (code) fail('reported by the page', code);
  return (response.ok && text) || undefined;
};

/** Makes the function that sends the GETs of one public call. They have no retries and no time limit: a page in a browser stays small. */
export function createPublicGet(
  operation: Operation,
  path: string,
  { signal }: PublicRequestOptions = {},
  fetch: Fetch | undefined,
  secret: string | null | undefined,
): PublicGet {
  const redact = redactor(secret);
  return async <Value>(...[url, accept, read, isUnwanted]: Parameters<PublicGet>) => {
    const get = async (follows: boolean): Promise<Value> => {
      const call: CallState = { operation, method: 'GET', path, attempts: 0, phase: 'headers' };
      const request = { url, method: 'GET', headers: { accept }, redirect: follows ? 'follow' : 'manual' } as const;
      const received = await transport(call, request, { fetch, signal, redact, isUnwanted });
      const { response } = received;
      if (isUnwanted && !follows && response.type === 'opaqueredirect') return get(true);
      return decide(call, follows ? response.url : url, received, redact, read) as Value;
    };
    return get(false);
  };
}
