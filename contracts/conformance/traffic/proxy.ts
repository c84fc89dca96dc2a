/** A proxy that records what passes through it. Requests and responses pass unchanged. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as sendHttp } from 'node:http';
import { request as sendHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { decoded, type Exchange, textOf, type WireRequest } from '../http/exchange.ts';

export interface Proxy {
  /** The root of the proxy: the clients use it in place of the upstream. */
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** The root of the provider: scheme, host and port. */
  readonly upstream: string;
  /** Default: any free port. */
  readonly port?: number;
  readonly onExchange?: (exchange: Exchange) => void;
}

/** Listens on 127.0.0.1. */
export async function openProxy({ upstream, port = 0, onExchange = () => {} }: ProxyOptions): Promise<Proxy> {
  const exchanges: Exchange[] = [];
  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing, upstream).then(
      (exchange) => {
        exchanges.push(exchange);
        onExchange(exchange);
      },
      () => outgoing.destroy(),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function forward(incoming: IncomingMessage, outgoing: ServerResponse, upstream: string): Promise<Exchange> {
  const begin = performance.now();
  const { method = 'GET', url = '/' } = incoming;
  const body = await buffer(incoming);
  const request: WireRequest = {
    method,
    path: url,
    headers: plain(incoming.headers),
    body: body.length > 0 ? body : undefined,
  };
  const facts = { caseId: 'proxy', purpose: 'valid', request, sentAt: new Date().toISOString() } as const;
  try {
    const response = await ask(request, upstream);
    const bytes = await buffer(response);
    outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders.filter(isPassedOn)).end(bytes);
    const headers = plain(response.headers);
    const text = textOf(decoded(bytes, headers['content-encoding']));
    const milliseconds = Math.round(performance.now() - begin);
    return { ...facts, response: { status: response.statusCode ?? 0, headers, ...text }, milliseconds };
  } catch (error) {
    outgoing.writeHead(502, { 'content-type': 'text/plain' }).end('The upstream does not respond.\n');
    return { ...facts, failure: (error as Error).message, milliseconds: Math.round(performance.now() - begin) };
  }
}

function ask({ method, path, headers, body }: WireRequest, upstream: string): Promise<IncomingMessage> {
  const root = new URL(upstream);
  const { host: _host, connection: _connection, 'transfer-encoding': _chunked, ...passed } = headers;
  const options = {
    method,
    protocol: root.protocol,
    hostname: root.hostname.replace(/^\[|\]$/g, ''),
    port: root.port,
    path: `${root.pathname.replace(/\/$/, '')}${path}`,
    headers: { ...passed, host: root.host, ...(body === undefined ? {} : { 'content-length': String(body.length) }) },
  };
  return new Promise((resolve, reject) => {
    const outgoing = root.protocol === 'https:' ? sendHttps(options) : sendHttp(options);
    outgoing.on('error', reject);
    outgoing.on('response', resolve);
    outgoing.end(body);
  });
}

/** Keeps names and values of `rawHeaders`, without those of the connection to the upstream. */
function isPassedOn(_text: string, index: number, raw: readonly string[]): boolean {
  const name = raw[index - (index % 2)]?.toLowerCase() ?? '';
  return !['connection', 'keep-alive', 'transfer-encoding', 'content-length'].includes(name);
}

function plain(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
  );
}
