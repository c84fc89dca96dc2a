import type { PlatformFetch } from '../fetch.ts';

/** A server that answers without a socket: Hapi's, and any whose `inject` takes and gives the same. */
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
 * A `fetch` for `createClient` or `createPublicClient` that hands each request to the server in this process: the whole
 * service behind a test, with no port. The addresses of the client may be any; redirects are not followed.
 */
export function injectFetch(server: Injectable): PlatformFetch {
  return async (input, init) => {
    // As `fetch` does: this completes the headers, and refuses what cannot be sent.
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const { pathname, search, host } = new URL(request.url);
    const payload = await request.text();
    const answer = await server.inject({
      method: request.method,
      url: pathname + search,
      authority: host,
      headers: Object.fromEntries(request.headers),
      ...(payload && { payload }),
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) {
      for (const one of [value ?? []].flat()) headers.append(name, String(one));
    }
    const status = answer.statusCode;
    // Copied, because the server's bytes may lie in memory that it shares.
    const body = withoutBody.includes(status) ? null : Uint8Array.from(answer.rawPayload);
    return new Response(body, { status, headers });
  };
}
