import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RouteOptionsApp, Server } from '@hapi/hapi';
import { ContractError } from '../contract/errors.ts';
import { discardBody } from './body.ts';
import type { RespondToError } from './error-response.ts';
import { type ErrorPageMaker, publicHeaders } from './errors.ts';
import type { FinishedRequest } from './finished.ts';
import { SentQuery } from './query.ts';
import { requestIdOf } from './request-id.ts';

/** Refuses a request with 503. */
export type Shed = (request: IncomingMessage, response: ServerResponse) => void;

interface Content {
  type: string;
  bytes: Buffer;
  headers: Record<string, string>;
}

/** The largest body that the server reads to keep the connection, in bytes. */
const smallBody = 64 * 1024;

/**
 * Makes the refusal of requests that Hapi does not see. It costs a fraction of a served request, so that a flood leaves
 * the processor to the requests that were accepted.
 */
export function shedding(
  server: Server,
  {
    respondToError,
    errorPage,
    finished,
  }: { respondToError: RespondToError; errorPage: ErrorPageMaker; finished: (request: FinishedRequest) => void },
): Shed {
  const { status, headers: errorHeaders, body } = respondToError(new ContractError('service_unavailable'));
  const { code } = body.error;
  const json: Content = {
    type: 'application/json; charset=utf-8',
    bytes: Buffer.from(JSON.stringify(body)),
    headers: {},
  };

  return (request, response) => {
    const arrivedAt = performance.now();
    const requestId = requestIdOf(request);
    const { method = '', url = '' } = request;
    const app = pathOptionsOf(server, method, url);
    const query = new SentQuery(url);

    const send = ({ type, bytes, headers }: Content): void => {
      response.writeHead(status, {
        ...headers,
        ...errorHeaders,
        ...publicHeaders(app, query),
        'x-request-id': requestId,
        'content-type': type,
        'content-length': bytes.length,
        ...(!hasSmallBody(request) && { connection: 'close' }),
      });
      end(request, response, bytes);
      const { operation, isPublic = false } = app;
      const duration = performance.now() - arrivedAt;
      finished({ requestId, operation, method: method.toLowerCase(), status, code, isPublic, isShed: true, duration });
    };
    if (!app.answersHtml) return send(json);
    const { html, headers } = errorPage(status, {
      lang: query.values.get('lang') ?? undefined,
      acceptLanguage: request.headers['accept-language'],
    });
    send({ type: 'text/html; charset=utf-8', bytes: Buffer.from(html), headers });
  };
}

/** The options of the route that the request would take. */
function pathOptionsOf(server: Server, method: string, url: string): RouteOptionsApp {
  const [path = ''] = /^\/[^?#]*/.exec(url) ?? [];
  try {
    return server.match(method as 'get', path.replace(/(?<=.)\/$/, ''))?.settings.app ?? {};
  } catch {
    // Not a path that Hapi can route.
    return {};
  }
}

/** Whether the connection can be used again: there is no body, or the rest of it is short. */
function hasSmallBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false;
  return Number(headers['content-length'] ?? 0) <= smallBody;
}

function end(request: IncomingMessage, response: ServerResponse, bytes: Buffer): void {
  // Node discards the rest of the body.
  if (hasSmallBody(request)) response.end(bytes);
  else {
    response.write(bytes);
    void discardBody(request).then(() => response.end());
  }
}
