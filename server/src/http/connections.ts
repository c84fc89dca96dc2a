import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Boom } from '@hapi/boom';
import type { Plugin } from '@hapi/hapi';
import { ContractError } from '../contract/errors.ts';
import type { Log } from '../log/log.ts';
import type { ErrorDoor } from './errors.ts';
import { requestIdOf } from './request-id.ts';

const statusOfParserError: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** How long a refused connection waits for the responses that are under way, in milliseconds. */
const responseTimeout = 30_000;

/** How long the client may take to read the refusal before the connection is destroyed, in milliseconds. */
const lingerTimeout = 2000;

/**
 * Answers what never becomes a request: Node's HTTP parser refuses it before Hapi sees it. Hapi's own listener would
 * answer without a body, so this one takes its place.
 */
export const connectionsPlugin: Plugin<{ door: ErrorDoor; log: Log }> = {
  name: 'connections',
  register(server, { door, log }) {
    const { listener } = server;
    const underWay = new WeakMap<Duplex, Set<ServerResponse>>();
    const refused = new WeakSet<Duplex>();

    listener.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const responses = underWay.get(socket) ?? new Set();
      underWay.set(socket, responses.add(response));
      response.once('close', () => responses.delete(response));
    });

    /** Refuses the bytes that came last on a connection, after the responses to the requests before them. */
    const refuse = (socket: Duplex, status: number, request?: IncomingMessage): void => {
      // The parser fails again at each piece that follows.
      if (refused.has(socket)) return;
      refused.add(socket);
      destroyAfter(socket, responseTimeout);
      const end = (): void => {
        const requestId = requestIdOf(request);
        if (socket.writable) socket.end(refusal(status, requestId));
        log.debug({ request_id: requestId, status }, 'bytes that are not a request');
        destroyAfter(socket, lingerTimeout);
      };
      // A request whose body breaks off gets the refusal as its response.
      const last = [...(underWay.get(socket) ?? [])].findLast(({ req, headersSent }) => req.complete || headersSent);
      if (last) last.once('close', end);
      else end();
    };

    const refusal = (status: number, requestId: string): string => {
      const answer = door.answer(new Boom('', { statusCode: status }));
      const body = JSON.stringify(door.body(answer));
      const headers = {
        ...answer.headers,
        'x-request-id': requestId,
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        connection: 'close',
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
    };

    listener.removeAllListeners('clientError');
    listener.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
      if (error.code === 'ECONNRESET') socket.destroy();
      else refuse(socket, statusOfParserError[error.code ?? ''] ?? 400);
    });
    // Node would close the connection of the one without an answer, and answer the other 417 without a body.
    listener.on('connect', (request: IncomingMessage, socket: Duplex) => {
      // Node takes its own listeners off the socket, and an error without a listener would end the process.
      socket.on('error', () => socket.destroy()).resume();
      refuse(socket, 400, request);
    });
    listener.on('checkExpectation', (request, response) => listener.emit('request', request, response));
    // Node would close the connection of a client that ends its half, and the response under way would be lost.
    Object.assign(listener, { httpAllowHalfOpen: true });
    // Hapi would ask for every body. One is asked for where it is read.
    listener.removeAllListeners('checkContinue');
    listener.on('checkContinue', (request, response) => listener.emit('request', request, response));
    server.ext('onRequest', (request, h) => {
      // Requests that a test injects have no raw headers.
      const { httpVersion, headers, rawHeaders = [] } = request.raw.req;
      // Node keeps the first Host and drops the others (RFC 9112, section 3.2, requires 400).
      const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
      if (hosts.length > 1) throw new ContractError('invalid_request');
      if (httpVersion === '1.1' && headers.host === undefined) throw new ContractError('invalid_request');
      if (headers.host && !isHost(headers.host)) throw new ContractError('invalid_request');
      // A whole address as the target, and none that can be read.
      if (!request.url) throw new ContractError('invalid_request');
      return h.continue;
    });
  },
};

function destroyAfter(socket: Duplex, milliseconds: number): void {
  const timer = setTimeout(() => socket.destroy(), milliseconds).unref();
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Whether a Host names a host, and a port at most. Hapi makes the request's URL of it, whose path and query must be
 * those of the request line.
 */
function isHost(text: string): boolean {
  return !/[\s/\\?#@]/.test(text) && URL.canParse(`http://${text}`);
}
