import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Plugin } from '@hapi/hapi';
import { isRequestId } from '@product-passport/openapi';

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** The response's `X-Request-Id`, and `request_id` in the log. */
    requestId?: string;
    /** When the request arrived, in milliseconds of `performance.now()`. */
    arrivedAt?: number;
  }
}

/** The request's own `X-Request-Id` if it is valid and not a secret, otherwise a new UUID. */
export function requestIdOf(request?: IncomingMessage): string {
  const own = request?.headers['x-request-id'];
  return typeof own === 'string' && isRequestId(own) ? own : randomUUID();
}

/** Gives each request an id. Register it first: requests that later plugins refuse need an id, too. */
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
