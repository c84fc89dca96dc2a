import type { ApiResponse } from './api-promise.ts';
import { type ClientContext, perform, startOf } from './call.ts';
import type { Operation } from './errors.ts';
import type { FetchResponse } from './fetch.ts';
import { type AllLimits, type Limits, limits } from './limits.ts';
import { isType, type Read } from './response.ts';
import { redactor } from './secret.ts';

/** Options of one call. Limits that are left out default to those of the client. */
export interface PublicRequestOptions extends Limits {
  /** Ends the call when it fires, also while the body is read: the call rejects with an `AbortError`. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

export type PublicGet = ReturnType<typeof createPublicGet>;

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
  if (code) fail(code === 'not_found' ? 'this address has no published passport' : 'the page reports it', code);
  return (response.ok && text) || undefined;
};

/** The value of a redirect that the browser hides. */
const hidden = Symbol('hidden redirect');

/**
 * Makes the function that sends the GETs of one public call, without a key, and reads the value from the response or throws
 * a typed error. They share the call's deadline.
 */
export function createPublicGet(
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
