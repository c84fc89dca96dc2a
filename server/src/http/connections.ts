import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Boom } from '@hapi/boom';
import type { Plugin } from '@hapi/hapi';
import { ContractError } from '@product-passport/openapi';
import type { RespondToError } from './error-response.ts';
import type { FinishedRequest } from './finished.ts';
import { requestIdOf } from './request-id.ts';

/** An `import` of `node:http` would also load undici, for `http.WebSocket`: 40 ms of a start. */
const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');

export { createServer };

const statusOfParserError: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

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
}

/**
 * Responds where Node's HTTP parser refuses a request before Hapi sees it. Hapi's own listener would respond without a
 * body, so this one replaces it.
 */
export const connectionsPlugin: Plugin<ConnectionsOptions> = {
  name: 'connections',
  register(server, { respondToError, finished, isStopping }) {
    const { listener } = server;
    const underWay = new WeakMap<Duplex, Set<ServerResponse>>();
    const refused = new WeakSet<Duplex>();

    listener.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      if (isStopping()) response.setHeader('connection', 'close');
      const responses = underWay.get(socket) ?? new Set();
      underWay.set(socket, responses.add(response));
      response.once('close', () => responses.delete(response));
    });

    /** Sends an error response to the last bytes of a connection, after the responses to earlier requests. */
    const refuse = (socket: Duplex, status: number, request?: IncomingMessage): void => {
      // The parser fails again at each chunk that follows.
      if (refused.has(socket)) return;
      refused.add(socket);
      destroyAfter(socket, responseTimeout);
      const end = (): void => {
        const requestId = requestIdOf(request);
        const { headers, body } = respondToError(new Boom('', { statusCode: status }));
        if (socket.writable) socket.end(refusal(status, requestId, headers, JSON.stringify(body)));
        finished({ requestId, status, code: body.error.code, isPublic: false, duration: 0 });
        destroyAfter(socket, lingerTimeout);
      };
      // A request whose body breaks off gets this error as its response.
      const last = [...(underWay.get(socket) ?? [])].findLast(({ req, headersSent }) => req.complete || headersSent);
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
      if (error.code === 'ECONNRESET') socket.destroy();
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
    server.ext('onRequest', (request, h) => {
      const { httpVersion, headers, headersDistinct, url = '' } = request.raw.req;
      // Node keeps the first Host and drops the others. RFC 9112, section 3.2, requires 400.
      if ((headersDistinct?.host?.length ?? 0) > 1) throw new ContractError('invalid_request');
      if (httpVersion === '1.1' && headers.host === undefined) throw new ContractError('invalid_request');
      if (headers.host && !isHost(headers.host)) throw new ContractError('invalid_request');
      // The request target is an absolute URL that cannot be parsed. Hapi parses a URL only where its getter is used.
      if (!url.startsWith('/') && !request.url) throw new ContractError('invalid_request');
      return h.continue;
    });
  },
};

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

/**
 * Whether a Host header holds only a host and a port. Hapi builds the request's URL from it, so it must not add to the
 * path or the query.
 */
function isHost(text: string): boolean {
  return !/[\s/\\?#@]/.test(text) && URL.canParse(`http://${text}`);
}
