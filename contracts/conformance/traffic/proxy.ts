/** A proxy that records what passes through it. Requests and responses pass unchanged, also those beyond its limits. */
import { type ClientRequest, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { decodeBody, limits, Memory } from '../http/body.ts';
import { headersOf, openRequest, startTimer } from '../http/connection.ts';
import type { Exchange } from '../http/exchange.ts';
import { listen } from '../http/listen.ts';

export interface ProxyOptions {
  /** The root of the provider: scheme, host and port. */
  readonly upstream: string;
  /** Default: any free port. */
  readonly port?: number;
  /** How long a response may take, in milliseconds. It passes in any case. Default: 30 seconds. */
  readonly timeout?: number;
  readonly onExchange?: (exchange: Exchange) => void;
}

/** Listens on 127.0.0.1. */
export async function openProxy(options: ProxyOptions) {
  const { upstream, port = 0, timeout = 30_000, onExchange = () => {} } = options;
  const exchanges: Exchange[] = [];
  const underWay = new Set<Promise<void>>();
  const memory = new Memory();
  const server = createServer((incoming, outgoing) => {
    const done = forward(incoming, outgoing, upstream, timeout).then((exchange) => {
      const { response, ...rest } = exchange;
      const kept = response === undefined ? rest : { ...rest, response: memory.kept(response) };
      // A body that does not fit into the proxy's memory is not a fault of the provider.
      if (memory.isFull) return;
      exchanges.push(kept);
      onExchange(exchange);
    });
    underWay.add(done);
    void done.finally(() => underWay.delete(done));
  });
  const origin = await listen(server, port);
  return {
    /** The root of the proxy: the clients use it in place of the upstream. */
    url: origin.url,
    exchanges: exchanges as readonly Exchange[],
    /** Whether the proxy had the memory to record every exchange. */
    get isWhole() {
      return !memory.isFull;
    },
    async close() {
      await origin.close();
      await Promise.all(underWay);
    },
  };
}

type Outcome = Pick<Exchange, 'response' | 'failure'>;

/** Passes an exchange on. The record is ready when a limit is reached: the response may go on forever. */
async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  upstream: string,
  timeout: number,
): Promise<Exchange> {
  const begin = performance.now();
  const sentAt = new Date().toISOString();
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const takeSent = recorded(incoming);
  const asked = requestTo(incoming, upstream);
  let late = (): Outcome => ({ failure: `no response within ${timeout / 1000} seconds` });
  let stopTimer = (): void => {};
  incoming.once('end', () => {
    stopTimer = startTimer(timeout, () => resolve(late()));
  });
  asked.on('response', (response) => {
    const take = recorded(response, () => resolve(outcomeOf(response, take())));
    late = () => outcomeOf(response, take(), `is not complete after ${timeout / 1000} seconds`);
    try {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders.filter(isPassedOn));
      response.pipe(outgoing);
    } catch (error) {
      // A status such as 099.
      asked.destroy(error as Error);
    }
    response.once('close', () => {
      resolve(outcomeOf(response, take(), response.complete ? undefined : 'ends too early'));
      if (!response.complete) outgoing.destroy();
    });
  });
  asked.on('error', (error) => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502, { 'content-type': 'text/plain' }).end('The upstream does not respond.\n');
    resolve({ failure: error.message });
  });
  outgoing.once('close', () => {
    if (outgoing.writableFinished) return;
    resolve({ failure: 'the client closed the connection' });
    asked.destroy();
  });
  incoming.pipe(asked);
  const outcome = await promise;
  stopTimer();
  const { method = 'GET', url: path = '/' } = incoming;
  const body = takeSent();
  const request = { method, path, headers: headersOf(incoming), body: body.length > 0 ? body : undefined };
  return {
    caseId: 'proxy',
    purpose: 'valid',
    request,
    sentAt,
    ...outcome,
    milliseconds: Math.round(performance.now() - begin),
  };
}

/** @param unreadable why the body is not complete */
function outcomeOf(response: IncomingMessage, bytes: Buffer, unreadable?: string): Outcome {
  const headers = headersOf(response);
  const body = unreadable === undefined ? decodeBody(bytes, headers['content-encoding']) : { text: '', unreadable };
  return { response: { status: response.statusCode ?? 0, headers, ...body } };
}

/**
 * Records the bytes that pass, up to the limit of a response. Returns a function that ends the recording and returns them.
 *
 * @param onExcess runs when the bytes exceed the limit
 */
function recorded(message: IncomingMessage, onExcess = () => {}): () => Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  const add = (chunk: Buffer): void => {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= limits.bytes) return;
    message.off('data', add);
    onExcess();
  };
  message.on('data', add);
  return () => {
    message.off('data', add);
    return Buffer.concat(chunks.splice(0));
  };
}

function requestTo({ method, url = '/', headers }: IncomingMessage, upstream: string): ClientRequest {
  const root = new URL(upstream);
  const { host: _host, connection: _connection, ...passed } = headers;
  const path = `${root.pathname.replace(/\/$/, '')}${url}`;
  return openRequest(root, { method, path, headers: { ...passed, host: root.host } });
}

/** Keeps names and values of `rawHeaders`, without those of the connection to the upstream. */
function isPassedOn(_text: string, index: number, raw: readonly string[]): boolean {
  const name = raw[index - (index % 2)]?.toLowerCase() ?? '';
  return !['connection', 'keep-alive', 'transfer-encoding'].includes(name);
}
