import { decide, type Expected } from './answer.ts';
import { AbortError, type Call, isPassportError, NetworkError } from './errors.ts';
import { describeCause, redactor } from './secret.ts';
import type { Fetch } from './transport.ts';

/** What one call can be told. */
export interface ReadOptions {
  /** Ends the call when it fires, also while the answer is read: the call rejects with an `AbortError`. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends a GET. `follow` leaves redirects to `fetch`; otherwise they are answers as any other. */
export type Get = (url: string, accept: string, redirect?: 'follow') => Promise<Response>;

/** Reads the body, unless it is a redirect's, and gives what was expected or throws what came instead. */
export type Decide = (response: Response, url: string, expected: Expected) => Promise<unknown>;

export const isRedirect = ({ status }: Response): boolean => status >= 300 && status < 400;

// Other hosts are read too, and no passport comes near it.
const mostBytes = 16 * 1024 * 1024;

async function textOf({ body }: Response): Promise<string> {
  let bytes = 0;
  const counter = new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new Error(`The answer has more than ${mostBytes} bytes.`);
      controller.enqueue(chunk);
    },
  });
  return new Response(body?.pipeThrough(counter)).text();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * One call of the public side: GETs without a key. It stands beside `transport.ts`, whose retries and limits a page in
 * a browser need not carry, and makes the same errors.
 */
export async function exchange<Value>(
  call: Call,
  { signal }: ReadOptions = {},
  fetch: Fetch = globalThis.fetch,
  secret: string | undefined,
  work: (get: Get, decided: Decide) => Promise<Value>,
): Promise<Value> {
  const redact = redactor(secret);
  let last: Response | undefined;
  // A connection is free again when its answer was read, or is not wanted. What is being read cannot be cancelled.
  const free = () => void last?.body?.cancel().catch(() => {});
  let stop = (): void => {};
  // `fetch` need not listen to the signal, and Node's may lose it once the request is no longer referred to.
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal?.reason);
    signal?.addEventListener('abort', stop);
  });
  try {
    const working = work(
      async (url, accept, redirect) => {
        free();
        signal?.throwIfAborted();
        const request = { headers: { accept }, redirect: redirect ?? 'manual', signal: signal ?? null } as const;
        last = await fetch(new Request(url, request));
        return last;
      },
      async (response, url, expected) => {
        const data = isRedirect(response) ? '' : await textOf(response);
        return decide(call, url, expected, { response, data, error: parsed(data) }, redact);
      },
    );
    return await Promise.race([working, stopped]);
  } catch (thrown) {
    if (isPassportError(thrown)) throw thrown;
    if (signal?.aborted) throw new AbortError(call, 'aborted', { cause: signal.reason });
    throw new NetworkError(call, 'no whole answer came', { cause: describeCause(thrown, redact) });
  } finally {
    signal?.removeEventListener('abort', stop);
    free();
  }
}
