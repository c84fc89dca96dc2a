import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isBoom } from '@hapi/boom';
import type { Plugin, Request } from '@hapi/hapi';
import { type ErrorCode, isRequestId, type OperationId } from '@product-passport/openapi';
import type { Log } from '../log/log.ts';

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** The response's `X-Request-Id`, and `request_id` in the log. */
    requestId?: string;
    /** When the request arrived, in milliseconds of `performance.now()`. */
    arrivedAt?: number;
  }
}

/** The limits of admission, as the metrics name them. */
export const refusingLimits = [
  'address_rate',
  'bodies',
  'connections',
  'key_lookups',
  'requests',
  'requests_ahead',
] as const;

export type RefusingLimit = (typeof refusingLimits)[number];

/** A request whose response was sent, for the log and the metrics. Only its id may be a text of the client. */
export interface FinishedRequest {
  requestId: string;
  /** Absent if the contract does not have the path or the method. */
  operation?: OperationId | undefined;
  /** In lower case. Absent if the bytes were not a request. */
  method?: string;
  /** 499 if the connection ended before the response. */
  status: number;
  /** The code of an error response. */
  code?: ErrorCode | undefined;
  /** The slug of the tenant of the key or of the page. */
  tenant?: string | undefined;
  /** The request needs no key. */
  isPublic: boolean;
  /** The limit of admission that refused the request. */
  refusedBy?: RefusingLimit | undefined;
  /** In milliseconds. */
  duration: number;
}

/** The request's own `X-Request-Id` if it is valid and not a secret, otherwise a new UUID. */
export function requestIdOf(request?: IncomingMessage): string {
  const own = request?.headers['x-request-id'];
  return typeof own === 'string' && isRequestId(own) ? own : randomUUID();
}

/**
 * Gives each request an id, and reports it once its response is sent. Register it first: requests that later plugins
 * refuse need an id, too.
 */
export const requestLogPlugin: Plugin<{ finished: (request: FinishedRequest) => void }> = {
  name: 'request-log',
  register(server, { finished }) {
    server.ext('onRequest', (request, h) => {
      const requestId = requestIdOf(request.raw.req);
      request.app.requestId = requestId;
      request.app.arrivedAt = performance.now();
      // On the raw response, because Hapi makes some error responses after the last extension.
      request.raw.res.setHeader('x-request-id', requestId);
      return h.continue;
    });
    server.events.on('response', (request) => {
      const { app, method, route, info, response } = request;
      const { operation } = route.settings.app ?? {};
      // Hapi gives 499 to a request whose client closed the connection before the response. A fault of the sandbox, which
      // breaks the connection, leaves a symbol in place of the response.
      const status = isBoom(response) ? response.output.statusCode : (response.statusCode ?? 499);
      finished({
        requestId: app.requestId ?? '',
        operation,
        method,
        status,
        code: app.errorCode,
        tenant: tenantOf(request, status),
        isPublic: !route.settings.auth,
        refusedBy: app.refusedBy,
        duration: app.arrivedAt === undefined ? info.completed - info.received : performance.now() - app.arrivedAt,
      });
    });
  },
};

/** The tenant of the key, or of a public path that exists. Any other path may hold any text. */
function tenantOf(request: Request, status: number): string | undefined {
  const { app, route } = request;
  if (app.tenant !== undefined || status >= 400 || !route.settings.app?.operation) return app.tenant;
  // Hapi gives no parameters to a request that it did not route.
  const params: { tenant?: string } | null = request.params;
  return params?.tenant;
}

/** One of this many requests that admission refused is logged. */
const refusedSample = 100;

/**
 * Logs one line for each request: errors, requests with a key, and samples of the others and of the refused ones.
 *
 * @param publicSample the share of successful requests without a key that are logged, from 0 to 1
 */
export function requestLog(log: Log, publicSample: number): (request: FinishedRequest) => void {
  let refused = 0;
  return ({ requestId, operation, method, status, code, tenant, isPublic, refusedBy, duration }) => {
    if (refusedBy && refused++ % refusedSample !== 0) return;
    if (isPublic && status < 400 && publicSample < 1 && Math.random() >= publicSample) return;
    log.info(
      {
        request_id: requestId,
        operation,
        method,
        status,
        code,
        tenant,
        // Tenths: many requests take less than a millisecond.
        duration_ms: Math.round(duration * 10) / 10,
      },
      'request',
    );
  };
}
