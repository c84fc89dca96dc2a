/** Serves a function from `Request` to `Response` over HTTP. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

export interface ServedFetch {
  /** Scheme, host and port. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1. A request that `Request` cannot express gets a 400. If the handler rejects, the connection
 * closes without a response. The signal of the request fires when the client closes the connection.
 *
 * @param port default: any free port
 */
export async function serveFetch(
  handler: (request: Request) => Promise<Response>,
  { port = 0 }: { readonly port?: number } = {},
): Promise<ServedFetch> {
  const server = createServer(async (incoming, outgoing) => {
    try {
      const request = requestOf(incoming, outgoing, url);
      if (request === undefined) {
        incoming.resume();
        outgoing.writeHead(400, { 'content-type': 'text/plain' }).end('The request is not valid HTTP.');
        return;
      }
      await write(await handler(request), outgoing);
    } catch {
      outgoing.destroy();
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function requestOf(incoming: IncomingMessage, outgoing: ServerResponse, url: string): Request | undefined {
  const { method = 'GET', rawHeaders } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  try {
    const headers = new Headers();
    for (let index = 0; index < rawHeaders.length; index += 2) {
      headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
    }
    const body = hasBody ? (Readable.toWeb(incoming) as globalThis.ReadableStream) : null;
    // Node requires `duplex` with a stream; the type of a browser's `RequestInit` lacks it.
    const init = { method, headers, body, signal: gone.signal, duplex: 'half' };
    return new Request(url + incoming.url, init);
  } catch {
    return undefined;
  }
}

async function write(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, [...response.headers].flat());
  if (response.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing);
}
