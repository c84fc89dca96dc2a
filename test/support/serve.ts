/** Servers that stop when the test file ends. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { ending } from './files.ts';

/** Returns the address: scheme, host and port. */
export async function listen(server: TcpServer, host = '127.0.0.1'): Promise<string> {
  ending.defer(async () => stop(server));
  await once(server.listen(0, host), 'listening');
  return `http${'setSecureContext' in server ? 's' : ''}://${host}:${(server.address() as AddressInfo).port}`;
}

function stop(server: TcpServer | Server): void {
  server.close();
  if ('closeAllConnections' in server) server.closeAllConnections();
}

/**
 * Serves a function from `Request` to `Response`. A request that `Request` cannot express gets a 400. If the handler
 * rejects, the connection closes without a response. The signal of the request fires when the client closes the connection.
 *
 * @param identity the key and the certificate of a server with TLS
 */
export async function serveFetch(
  handler: (request: Request) => Promise<Response>,
  identity?: { readonly key: string; readonly cert: string },
): Promise<{ url: string; close(): Promise<void> }> {
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
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
  };
  const server = identity ? createTlsServer(identity, respond) : createServer(respond);
  const url = await listen(server);
  return {
    url,
    async close() {
      const closed = once(server, 'close');
      stop(server);
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
    for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
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
