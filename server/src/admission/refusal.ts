import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RouteOptionsApp, Server } from '@hapi/hapi';
import { publicHeaders, SentQuery } from '@product-passport/openapi';
import type { RespondToError } from '../http/error-response.ts';
import type { ErrorPageMaker } from '../http/errors.ts';
import type { FinishedRequest, RefusingLimit } from '../http/finished.ts';
import { requestIdOf } from '../http/request-id.ts';

/** Refuses a request. */
export type Refuse = (raw: Raw, error: unknown, refusedBy: RefusingLimit) => void;

/** A request and its response, as Hapi names them. */
export interface Raw {
  req: IncomingMessage;
  res: ServerResponse;
}

interface RefusalOptions {
  respondToError: RespondToError;
  errorPage: ErrorPageMaker;
  discardBody: (raw: Raw) => Promise<void>;
  finished: (request: FinishedRequest) => void;
}

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
export function refusing(server: Server, { respondToError, errorPage, discardBody, finished }: RefusalOptions): Refuse {
  return ({ req: request, res: response }, error, refusedBy) => {
    const begun = performance.now();
    const { status, headers: errorHeaders, body } = respondToError(error);
    const { code } = body.error;
    const requestId = requestIdOf(request);
    const { method = '', url = '' } = request;
    const app = pathOptionsOf(server, method, url);
    const query = new SentQuery(url);

    const send = ({ type, bytes, headers }: Content): void => {
      response.writeHead(status, {
        ...headers,
        ...errorHeaders,
        ...(app.isPublic && publicHeaders(query.hasAccessToken)),
        'x-request-id': requestId,
        'content-type': type,
        'content-length': bytes.length,
        ...(!hasSmallBody(request) && { connection: 'close' }),
      });
      if (hasSmallBody(request)) response.end(bytes);
      else {
        response.write(bytes);
        void discardBody({ req: request, res: response }).then(() => response.end());
      }
      const { operation, isPublic = false } = app;
      const duration = performance.now() - begun;
      finished({ requestId, operation, method: method.toLowerCase(), status, code, isPublic, refusedBy, duration });
    };
    if (!app.answersHtml) {
      send({ type: 'application/json; charset=utf-8', bytes: Buffer.from(JSON.stringify(body)), headers: {} });
      return;
    }
    const { html, headers } = errorPage(status, {
      lang: query.values.get('lang') ?? undefined,
      acceptLanguage: request.headers['accept-language'],
      target: url,
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
