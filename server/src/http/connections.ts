import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Boom } from '@hapi/boom';
import type { Plugin } from '@hapi/hapi';
import { ContractError } from '../contract/errors.ts';
import type { ErrorDoor } from './errors.ts';
import { requestIdOf } from './request-id.ts';

const statusOfParserError: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers what never becomes a request: Node's HTTP parser refuses it before Hapi sees it. Hapi's own listener would
 * answer without a body, so this one takes its place.
 */
export const connectionsPlugin: Plugin<{ door: ErrorDoor }> = {
  name: 'connections',
  register(server, { door }) {
    const { listener } = server;
    const refuse = (socket: Duplex, status: number, request?: IncomingMessage): void => {
      const answer = door.answer(new Boom('', { statusCode: status }));
      const body = JSON.stringify(door.body(answer));
      const headers = {
        ...answer.headers,
        'x-request-id': requestIdOf(request),
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        connection: 'close',
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    };
    listener.removeAllListeners('clientError');
    listener.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
      if (socket.writable && error.code !== 'ECONNRESET') refuse(socket, statusOfParserError[error.code ?? ''] ?? 400);
      else socket.destroy();
    });
    // Node would close the connection of the one without an answer, and answer the other 417 without a body.
    listener.on('connect', (request: IncomingMessage, socket: Duplex) => refuse(socket, 400, request));
    listener.on('checkExpectation', (request, response) => listener.emit('request', request, response));
    // Hapi would ask for every body. One is asked for where it is read.
    listener.removeAllListeners('checkContinue');
    listener.on('checkContinue', (request, response) => listener.emit('request', request, response));
    server.ext('onRequest', (request, h) => {
      const { httpVersion, headers } = request.raw.req;
      if (httpVersion === '1.1' && headers.host === undefined) throw new ContractError('invalid_request');
      if (headers.host && !isHost(headers.host)) throw new ContractError('invalid_request');
      // A whole address as the target, and none that can be read.
      if (!request.url) throw new ContractError('invalid_request');
      return h.continue;
    });
  },
};

/**
 * Whether a Host names a host, and a port at most. Hapi makes the request's URL of it, whose path and query must be
 * those of the request line.
 */
function isHost(text: string): boolean {
  return !/[\s/\\?#@]/.test(text) && URL.canParse(`http://${text}`);
}
