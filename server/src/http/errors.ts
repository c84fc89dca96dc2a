import { type Boom, isBoom } from '@hapi/boom';
import type { Plugin, Request, ResponseObject, ResponseToolkit } from '@hapi/hapi';
import {
  type Contract,
  ContractError,
  type ErrorCode,
  errorBodyOf,
  errorMeanings,
  publicHeaders,
  sideOf,
  usualCode,
} from '@product-passport/openapi';
import type { Log } from '../log/log.ts';
import type { Admission } from './admission.ts';
import { discardBody } from './body.ts';
import { preferredType, withHeaders } from './representation.ts';
import { queryOf } from './target.ts';

const additionalHeaders: Partial<Record<ErrorCode, Record<string, string>>> = {
  invalid_api_key: { 'www-authenticate': 'Bearer' },
  service_unavailable: { 'retry-after': '1' },
};

/**
 * Makes the response to any error of the service, as the contract describes it. The sandbox makes its own.
 *
 * @param request the one that failed, if it is HTTP
 */
export type RespondToError = (
  error: unknown,
  request?: Pick<Request, 'route' | 'path'>,
) => { status: number; headers: Record<string, string>; code: ErrorCode; body: object };

/** @param isUnavailable whether an error means that the database cannot be reached now */
export function errorResponder(contract: Contract, isUnavailable: (error: unknown) => boolean): RespondToError {
  const meanings = errorMeanings(contract);
  return (error, request) => {
    const { code, detail, headers } = error instanceof ContractError ? error : new ContractError(codeOf(error));
    const meaning = meanings.get(code);
    if (!meaning) throw new Error(`The contract has no ${code}.`);
    const message = detail ?? meaning.ofOperations.get(request?.route.settings.app?.operation ?? '') ?? meaning.message;
    return {
      status: meaning.status,
      headers: {
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        ...additionalHeaders[code],
        ...headers,
      },
      code,
      body: errorBodyOf(errorFormOf(request), code, message),
    };
  };

  /** Hapi, and Node's parser below it, raise errors with a status. */
  function codeOf(error: unknown): ErrorCode {
    if (isUnavailable(error)) return 'service_unavailable';
    return (isBoom(error) && usualCode(error.output.statusCode, meanings)) || 'internal_error';
  }
}

/** The form of the JSON errors of a request. */
export function errorFormOf(request?: Pick<Request, 'route' | 'path'>): object {
  return request?.route.settings.app?.errorBody ?? sideOf(request?.path ?? '').errorBody;
}

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** The code of the error response. */
    errorCode?: ErrorCode;
  }
}

/** Makes the HTML page of an error, in the reader's language. The target of the request says what the reader looked for. */
export type ErrorPageMaker = (
  status: number,
  reader: { lang: string | undefined; acceptLanguage: string | undefined; target: string },
) => Promise<{ html: string; headers: Record<string, string> }>;

interface ErrorsOptions {
  /** Absent in a server that admits every request. */
  admission: Pick<Admission, 'beginResponse'>;
  respondToError: RespondToError;
  errorPage: ErrorPageMaker;
  log: Log;
}

/** Sends the errors of all routes, and adds the common headers to every other response. */
export const errorsPlugin: Plugin<ErrorsOptions> = {
  name: 'errors',
  register(server, { admission, respondToError, errorPage, log }) {
    server.ext('onPreResponse', async (request, h) => {
      const { response } = request;
      admission.beginResponse(request);
      if (!isBoom(response)) {
        await discardBody(request.raw.req);
        return withCommonHeaders(request, response, h);
      }
      const { status, headers, code, body } = respondToError(response, request);
      request.app.errorCode = code;
      if (status !== 408) await discardBody(request.raw.req);
      const { requestId: request_id } = request.app;
      const about = { err: response, request_id, method: request.method, route: request.route.path };
      if (status === 500) log.error(about, 'request failed');
      if (status === 503 && !request.app.refusedBy) log.warn(about, 'service unavailable');
      const made = prefersPage(request, status)
        ? await page(status, request, h)
        : h.response(body).type('application/json');
      addPublicHeaders(request, withHeaders(made.code(status), headers));
      return made;
    });

    async function page(status: number, request: Request, h: ResponseToolkit): Promise<ResponseObject> {
      const lang = queryOf(request).values.get('lang') ?? undefined;
      const { html, headers } = await errorPage(status, {
        lang,
        acceptLanguage: request.raw.req.headers['accept-language'],
        target: request.raw.req.url ?? '',
      });
      return withHeaders(h.response(html).type('text/html'), headers);
    }
  },
};

/** The errors that a reader can do something about: another address, or another method. */
const readersErrors = new Set([400, 404, 405]);

function prefersPage({ route, raw }: Request, status: number): boolean {
  const { errors } = route.settings.app ?? {};
  if (errors === 'page') return true;
  const isOffered = errors === 'preferred' && readersErrors.has(status);
  return isOffered && preferredType(raw.req.headers.accept, ['application/json', 'text/html']) === 'text/html';
}

function withCommonHeaders(request: Request, response: Exclude<Request['response'], Boom>, h: ResponseToolkit) {
  response.header('x-content-type-options', 'nosniff');
  if (!response.headers['cache-control']) response.header('cache-control', 'no-store');
  addPublicHeaders(request, response);
  return h.continue;
}

function addPublicHeaders(request: Request, response: ResponseObject): void {
  const { app = {} } = request.route.settings;
  if (!app.isPublic) return;
  withHeaders(response, publicHeaders(queryOf(request).hasAccessToken));
}
