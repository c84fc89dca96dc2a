import { decide, isHtml, isRedirect, type Read, textOf } from './answer.ts';
import { AbortError, isPassportError, NetworkError, type Operation, type Phase } from './errors.ts';
import { describeCause, redactor } from './secret.ts';
import type { Fetch } from './transport.ts';

/** Options of one call. */
export interface ReadOptions {
  /** Ends the call when it fires, also while the answer is read: the call rejects with an `AbortError`. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends a GET. `follow` leaves redirects to `fetch`; otherwise they are answers as any other. */
export type Get = (url: string, accept: string, redirect?: Request['redirect']) => Promise<Response>;

/** Reads the body, unless it is a redirect's, and gives what was expected or throws what came instead. */
export type Decide = (response: Response, url: string, read: Read) => Promise<unknown>;

/** A page for people. */
export const readHtml: Read = ({ text, response }) => (response.ok && isHtml(response) && text ? text : undefined);

// How the contract's page for people says these errors: as HTML, so by status alone.
const pageErrors: Record<number, string> = { 404: 'not_found', 500: 'internal_error', 503: 'service_unavailable' };

/**
 * One call of the public side: GETs without a key. It stands beside `transport.ts`, whose retries and limits a page in
 * a browser need not carry, and makes the same errors.
 */
export async function exchange<Value>(
  operation: Operation,
  path: string,
  { signal }: ReadOptions = {},
  fetch: Fetch = globalThis.fetch,
  secret: string | null | undefined,
  work: (get: Get, decided: Decide) => Promise<Value>,
): Promise<Value> {
  const call = { operation, method: 'GET', path, attempts: 1 };
  const redact = redactor(secret);
  let phase: Phase = 'headers';
  let host = '';
  let request: Request | undefined;
  let last: Response | undefined;
  // A connection is free again when its answer was read, or is not wanted. What is being read cannot be cancelled.
  const free = () => void last?.body?.cancel().catch(() => {});
  // `fetch` need not listen to the signal, and Node's loses it once nothing refers to the request.
  const ended = new AbortController();
  const stopped = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal });
  });
  try {
    const working = work(
      async (url, accept, redirect = 'manual') => {
        free();
        signal?.throwIfAborted();
        phase = 'headers';
        host = new URL(url).host;
        request = new Request(url, { headers: { accept }, redirect, signal: signal ?? null });
        last = await fetch(request);
        if (ended.signal.aborted) free(); // nobody waits for it any more
        phase = 'body';
        return last;
      },
      async (response, url, read) => {
        let text = isRedirect(response) ? '' : await textOf(response, ended.signal);
        const code = read === readHtml && isHtml(response) && pageErrors[response.status];
        if (code) text = JSON.stringify({ error: { code, message: 'a page says so' } });
        return decide(call, url, { response, text }, redact, read);
      },
    );
    return await Promise.race([working, stopped]);
  } catch (thrown) {
    if (isPassportError(thrown)) throw thrown;
    if (signal?.aborted) throw new AbortError(call, phase, signal.reason);
    throw new NetworkError(call, host, describeCause(thrown, redact));
  } finally {
    ended.abort();
    free();
  }
}
