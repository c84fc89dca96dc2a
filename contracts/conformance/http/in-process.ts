/** A provider in the same process: a function from `Request` to `Response`. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { bodyFrom } from './body.ts';
import { type Connection, NoResponse, startTimer } from './connection.ts';
import type { WireRequest, WireResponse } from './exchange.ts';

/** @param siteUrl the root of the addresses that the handler receives */
export function connectInProcess(
  handler: (request: Request) => Promise<Response>,
  siteUrl: string,
  { timeout = 10_000 }: { readonly timeout?: number } = {},
): Connection {
  return {
    async send(request) {
      const asked = requestOf(request, siteUrl);
      if (asked === undefined) return { status: 400, headers: {}, text: '' };
      const { promise, resolve, reject } = Promise.withResolvers<WireResponse>();
      const fail = (reason: string) => reject(new NoResponse(reason));
      const stop = startTimer(timeout, () => fail(`no complete response within ${timeout / 1000} seconds`));
      handler(asked)
        .then(responseOf)
        .then(resolve, () => fail('the provider closed the connection without a response'));
      return promise.finally(stop);
    },
    close() {},
  };
}

/** `undefined` for a request that `Request` cannot express. A server would refuse its bytes. */
function requestOf({ method, path, headers, body }: WireRequest, siteUrl: string): Request | undefined {
  try {
    const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
    return new Request(`${siteUrl}${path}`, {
      method,
      headers,
      redirect: 'manual',
      body: hasBody ? new Uint8Array(body) : null,
    });
  } catch {
    return undefined;
  }
}

async function responseOf(response: Response): Promise<WireResponse> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    ...(await bodyFrom(response.body === null ? [] : Readable.fromWeb(response.body as ReadableStream))),
  };
}
