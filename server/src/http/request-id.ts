import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Plugin } from '@hapi/hapi';

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** The response's `X-Request-Id`, and `request_id` in the log. */
    requestId?: string;
    /** When the request arrived, in milliseconds of `performance.now()`. */
    arrivedAt?: number;
  }
}

const form = /^[A-Za-z0-9._-]{1,128}$/;

/** The beginnings of API keys, access tokens and control tokens. A client may send one as an id, and ids are logged. */
const secret = /ppk_|eyJ|sandbox_/;

/** The request's own `X-Request-Id` if it is valid and not a secret, otherwise a new UUID. */
export function requestIdOf(request?: IncomingMessage): string {
  const own = request?.headers['x-request-id'];
  return typeof own === 'string' && form.test(own) && !secret.test(own) ? own : randomUUID();
}

/** Gives each request an id. Register it first, so that requests which later plugins refuse have an id too. */
export const requestIdPlugin: Plugin<object> = {
  name: 'request-id',
  register(server) {
    server.ext('onRequest', (request, h) => {
      const requestId = requestIdOf(request.raw.req);
      request.app.requestId = requestId;
      request.app.arrivedAt = performance.now();
      // On the raw response, because Hapi makes some error responses after the last extension.
      request.raw.res.setHeader('x-request-id', requestId);
      return h.continue;
    });
  },
};
