/**
 * `@product-passport/sdk/testing`: for unit tests of programs that use the SDK. It provides the real client with a
 * `fetch` that never leaves the process, so paths, paging and errors are real. It needs no test framework.
 */
import type { PlatformFetch } from './response.ts';

export type { ApiOperation } from './contract.ts';
export * from './testing/fake.ts';
export * from './testing/service/index.ts';
export type { PlatformFetch };

/** A server that responds without a socket: a Hapi server, or any other whose `inject` has the same form. */
export interface Injectable {
  inject(request: {
    method: string;
    url: string;
    authority: string;
    headers: Record<string, string>;
    payload?: string;
  }): Promise<{
    statusCode: number;
    headers: Record<string, string | string[] | number | undefined>;
    rawPayload: Uint8Array;
  }>;
}

const withoutBody = [204, 205, 304];

/**
 * A `fetch` for `createClient` or `createPublicClient` that passes each request to a server in the same process, so
 * that a test can use the whole service without a port. The client may have any address. Redirects are not followed.
 */
export function injectFetch(server: Injectable): PlatformFetch {
  return async (input, init) => {
    // Like `fetch`, this completes the headers and throws for a request that cannot be sent.
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const { pathname, search, host } = new URL(request.url);
    const payload = await request.text();
    const response = await server.inject({
      method: request.method,
      url: pathname + search,
      authority: host,
      headers: Object.fromEntries(request.headers),
      ...(payload && { payload }),
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(response.headers)) {
      for (const one of [value ?? []].flat()) headers.append(name, String(one));
    }
    const status = response.statusCode;
    // Copied, because the server's bytes may be in shared memory.
    const body = withoutBody.includes(status) ? null : Uint8Array.from(response.rawPayload);
    return new Response(body, { status, headers });
  };
}
