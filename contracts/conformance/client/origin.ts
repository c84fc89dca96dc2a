/** Serves a function over HTTP on the loopback interface. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { WireRequest, WireResponse } from '../http/exchange.ts';

export interface Origin {
  /** Scheme, host and port. */
  readonly url: string;
  close(): Promise<void>;
}

/** @returns `undefined` to close the connection without a response */
export type Handler = (request: WireRequest, arrivedAt: number) => Promise<WireResponse | undefined>;

/** Listens on a free port of 127.0.0.1. */
export async function openOrigin(handle: Handler): Promise<Origin> {
  const server = createServer((incoming, outgoing) => {
    exchange(incoming, outgoing, handle).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function exchange(incoming: IncomingMessage, outgoing: ServerResponse, handle: Handler): Promise<void> {
  const arrivedAt = performance.now();
  const { method = 'GET', url = '/' } = incoming;
  const body = await buffer(incoming);
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  const request = { method, path: url, headers, body: body.length > 0 ? body : undefined };
  const response = await handle(request, arrivedAt);
  if (response === undefined) {
    outgoing.destroy();
    return;
  }
  outgoing.writeHead(response.status, response.headers);
  outgoing.end(method === 'HEAD' ? undefined : response.text);
}
