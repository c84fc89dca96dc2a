import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Boom } from '@hapi/boom';
import type { Plugin } from '@hapi/hapi';
import type { ErrorDoor } from './errors.ts';

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
    server.listener.removeAllListeners('clientError');
    server.listener.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
      if (!socket.writable || error.code === 'ECONNRESET') {
        socket.destroy();
        return;
      }
      const status = statusOfParserError[error.code ?? ''] ?? 400;
      const answer = door.answer(new Boom('', { statusCode: status }));
      const body = JSON.stringify(door.body(answer));
      const headers = {
        ...answer.headers,
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        connection: 'close',
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    });
  },
};
