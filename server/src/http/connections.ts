import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Boom } from '@hapi/boom';
import { server as createHapi, type Server as HapiServer, type Plugin } from '@hapi/hapi';
import { networkOf, Shares } from './admission.ts';
import type { RespondToError } from './errors.ts';
import { type FinishedRequest, type RefusingLimit, requestIdOf } from './request-log.ts';

/** An `import` of `node:http` would also load undici, for `http.WebSocket`: 40 ms of a start. */
const { createServer: createListener, STATUS_CODES } = process.getBuiltinModule('node:http');

/** A server of Hapi that reads of a request only what the contract describes. It does not listen yet. */
export function createServer(host: string, port: number, options: ServerOptions = {}): HapiServer {
  return createHapi({
    host,
    port,
    // `targetPlugin` refuses a missing Host. Node's own response would have no body.
    listener: createListener({ ...options, requireHostHeader: false }),
    debug: false,
    // Hapi would compress each response anew, in the threads that SQLite needs. `Encoded` does it once.
    compression: false,
    router: { stripTrailingSlash: true },
    routes: { response: { ranges: false }, state: { parse: false, failAction: 'ignore' } },
  });
}

const statusOfParserError: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Requests that a connection may send ahead of the response to its first one. */
const maxAhead = 32;

/** How long the statements of a request without a key wait for connections together, in milliseconds. */
const maxKeylessWait = 10_000;

/** How long something may still wait. It becomes less by each wait. */
export interface WaitLeft {
  milliseconds: number;
}

/** That of the current request, if it has no key. */
export const keylessWait = new AsyncLocalStorage<WaitLeft>();

/** How long a refused connection waits for its pending responses, in milliseconds. */
const responseTimeout = 30_000;

/** How long the client may take to read the error response before the connection is destroyed, in milliseconds. */
const lingerTimeout = 2000;

/** Maximum number of connections that wait for the server. The kernel lowers it to its own limit, on Linux `net.core.somaxconn`. */
const backlog = 65_535;

export interface ConnectionsOptions {
  respondToError: RespondToError;
  /** Receives the bytes that are not a request, as a request. */
  finished: (request: FinishedRequest) => void;
  /** Whether responses end their connections. Clients then open the next ones elsewhere. */
  isStopping: () => boolean;
  /** Maximum number of open connections, divided among addresses; 0 means no limit. */
  maxConnections: number;
  /** All connections come from our own proxies, so they are not divided. */
  isBehindProxy: boolean;
  limitHit: (limit: RefusingLimit) => void;
}

/** The request in progress of each connection, and after it those that wait. */
type Requests = WeakMap<Duplex, ServerResponse[]>;

/**
 * Divides connections among addresses. A connection has one request in progress; requests that it sends ahead wait, and too
 * many of them close it.
 *
 * Responds where Node's HTTP parser refuses a request before Hapi sees it. Hapi's own listener would respond without a
 * body, so this one replaces it.
 */
export const connectionsPlugin: Plugin<ConnectionsOptions> = {
  name: 'connections',
  register(server, options) {
    const { listener } = server;
    const { respondToError, finished } = options;
    const refused = new WeakSet<Duplex>();
    divide(listener as Server, options);
    const requests = limitPipelining(listener as Server, options);

    /** Sends an error response to the last bytes of a connection, after the responses to earlier requests. */
    const refuse = (socket: Duplex, status: number, request?: IncomingMessage): void => {
      // The parser fails again at each chunk that follows.
      if (refused.has(socket)) return;
      refused.add(socket);
      destroyAfter(socket, responseTimeout);
      const end = (): void => {
        const requestId = requestIdOf(request);
        const { headers, code, body } = respondToError(new Boom('', { statusCode: status }));
        if (socket.writable) socket.end(refusal(status, requestId, headers, JSON.stringify(body)));
        finished({ requestId, status, code, isPublic: false, duration: 0 });
        destroyAfter(socket, lingerTimeout);
      };
      // A request whose body breaks off gets this error as its response.
      const last = requests.get(socket)?.findLast(({ req, headersSent }) => req.complete || headersSent);
      if (last) last.once('close', end);
      else end();
    };

    // Hapi uses Node's backlog of 511. Beyond it, Linux tells the client that it is connected, and may reset the connection at
    // its first request.
    const listen = listener.listen.bind(listener);
    Object.assign(listener, {
      listen: (port: number, host: string, done: () => void) => listen({ port, host, backlog }, done),
    });

    listener.removeAllListeners('clientError');
    listener.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
      if (error.code === 'ECONNRESET' || socket.destroyed) socket.destroy();
      else refuse(socket, statusOfParserError[error.code ?? ''] ?? 400);
    });
    // Node would close a CONNECT without a response, and send 417 without a body to an unknown `Expect`.
    listener.on('connect', (request: IncomingMessage, socket: Duplex) => {
      // Node removes its own listeners from the socket. An error without a listener would end the process.
      socket.on('error', () => socket.destroy()).resume();
      refuse(socket, 400, request);
    });
    listener.on('checkExpectation', (request, response) => listener.emit('request', request, response));
    // Otherwise Node closes the connection when a client half-closes it, and the pending response is lost.
    Object.assign(listener, { httpAllowHalfOpen: true });
    // Hapi would send `100 Continue` for every body. `readBytes` sends it when it reads one.
    listener.removeAllListeners('checkContinue');
    listener.on('checkContinue', (request, response) => listener.emit('request', request, response));
  },
};

function divide(listener: Server, { maxConnections, isBehindProxy, limitHit }: ConnectionsOptions): void {
  const shares = new Shares(isBehindProxy ? 0 : maxConnections);
  if (maxConnections > 0) listener.maxConnections = maxConnections;
  listener.on('drop', () => limitHit('connections'));
  listener.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    if (shares.take(network)) socket.once('close', () => shares.give(network));
    else {
      limitHit('connections');
      socket.destroy();
    }
  });
}

/** Hapi receives a request when the connection's previous response has ended. */
function limitPipelining(listener: Server, { isStopping, limitHit }: ConnectionsOptions): Requests {
  const [dispatch] = listener.listeners('request') as RequestListener[];
  if (!dispatch) throw new Error('Hapi does not listen for requests.');
  const connections: Requests = new WeakMap();
  const startFirst = (responses: ServerResponse[]): void => {
    const [response] = responses;
    if (!response) return;
    const { req } = response;
    // A stop ends connections. A request that gets no response must not run.
    if (req.socket.writableEnded) req.socket.destroy();
    if (req.socket.destroyed) return;
    response.once('close', () => {
      responses.shift();
      startFirst(responses);
    });
    if (req.headers.authorization !== undefined) dispatch(req, response);
    else keylessWait.run({ milliseconds: maxKeylessWait }, dispatch, req, response);
  };
  listener.removeListener('request', dispatch);
  listener.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (socket.destroyed) return;
    if (isStopping()) response.setHeader('connection', 'close');
    const responses = connections.get(socket) ?? [];
    connections.set(socket, responses);
    if (responses.length > maxAhead) {
      limitHit('requests_ahead');
      socket.destroy();
      stopParser(socket);
    } else if (responses.push(response) === 1) startFirst(responses);
  });
  return connections;
}

/**
 * Makes the parser fail at the next request. Otherwise it goes on through the bytes that were read, up to 64 KiB, although
 * the socket is destroyed: 2,500 requests cost 30 ms.
 */
function stopParser(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming: () => number } | null };
  if (parser) parser.onIncoming = () => -1;
}

/** The bytes of an error response, after which the connection closes. */
function refusal(status: number, requestId: string, headers: Record<string, string>, body: string): string {
  const all = {
    ...headers,
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

function destroyAfter(socket: Duplex, milliseconds: number): void {
  const timer = setTimeout(() => socket.destroy(), milliseconds).unref();
  socket.once('close', () => clearTimeout(timer));
}
