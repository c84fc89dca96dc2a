import type { Boom } from '@hapi/boom';
import { isBoom } from '@hapi/boom';
import type { Plugin, Request, ResponseObject, ResponseToolkit } from '@hapi/hapi';
import type { Contract } from '../contract/document.ts';
import { ContractError, type ErrorCode, type ErrorMeaning, errorMeanings } from '../contract/errors.ts';
import { isUnavailable } from '../database/connection.ts';
import type { Log } from '../log/log.ts';
import { languageOf } from '../site/language.ts';
import { errorPage } from '../site/page.ts';
import { pageHeaders, type Render } from '../site/rendering.ts';
import { discardBody } from './body.ts';

/** What Hapi itself refuses, and Node's parser through it. */
const codeOfStatus: Record<number, ErrorCode> = {
  400: 'invalid_request',
  401: 'invalid_api_key',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  431: 'headers_too_large',
  503: 'service_unavailable',
};

const additionalHeaders: Partial<Record<ErrorCode, Record<string, string>>> = {
  invalid_api_key: { 'www-authenticate': 'Bearer' },
  service_unavailable: { 'retry-after': '1' },
};

/** An error as it leaves the server, whatever it was before. */
export interface ErrorAnswer {
  status: number;
  code: ErrorCode;
  message: string;
  headers: Record<string, string>;
}

/** Makes the answer of an error. The one place that knows the error body. */
export class ErrorDoor {
  readonly #meanings: Map<ErrorCode, ErrorMeaning>;

  constructor(contract: Contract) {
    this.#meanings = errorMeanings(contract);
  }

  answer(error: unknown): ErrorAnswer {
    const { code, detail, headers } = classify(error);
    const meaning = this.#meanings.get(code);
    if (!meaning) throw new Error(`The contract has no ${code}.`);
    return {
      status: meaning.status,
      code,
      message: detail ?? meaning.message,
      headers: {
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        ...additionalHeaders[code],
        ...headers,
      },
    };
  }

  body(answer: ErrorAnswer): { error: { code: ErrorCode; message: string } } {
    return { error: { code: answer.code, message: answer.message } };
  }
}

function classify(error: unknown): Pick<ContractError, 'code' | 'detail' | 'headers'> {
  if (error instanceof ContractError) return error;
  const code = isUnavailable(error)
    ? 'service_unavailable'
    : isBoom(error)
      ? (codeOfStatus[error.output.statusCode] ?? 'internal_error')
      : 'internal_error';
  return { code, detail: undefined, headers: {} };
}

/** Every error of every route leaves through here, and every other answer gets the headers that all have. */
export const errorsPlugin: Plugin<{ door: ErrorDoor; log: Log; render: Render }> = {
  name: 'errors',
  register(server, { door, log, render }) {
    server.ext('onPreResponse', async (request, h) => {
      const { response } = request;
      if (!isBoom(response)) {
        await discardBody(request.raw.req);
        return withCommonHeaders(request, response, h);
      }
      const answer = door.answer(response);
      if (answer.status !== 408) await discardBody(request.raw.req);
      const { requestId: request_id } = request.app;
      const about = { err: response, request_id, method: request.method, route: request.route.path };
      if (answer.status === 500) log.error(about, 'request failed');
      if (answer.status === 503) log.warn(about, 'service unavailable');
      const made = request.route.settings.app?.answersHtml
        ? await page(answer.status, request, h)
        : h.response(door.body(answer)).type('application/json');
      made.code(answer.status);
      for (const [name, value] of Object.entries(answer.headers)) made.header(name, value);
      addPublicHeaders(request, made);
      return made;
    });

    /** For people, in their language. */
    async function page(status: number, request: Request, h: ResponseToolkit): Promise<ResponseObject> {
      const language = languageOf(request.url.searchParams.get('lang'), request.raw.req.headers['accept-language']);
      const made = h.response(await render('error', errorPage(status, language))).type('text/html');
      for (const [name, value] of Object.entries(pageHeaders(language))) made.header(name, value);
      return made;
    }
  },
};

function withCommonHeaders(request: Request, response: Exclude<Request['response'], Boom>, h: ResponseToolkit) {
  response.header('x-content-type-options', 'nosniff');
  if (!response.headers['cache-control']) response.header('cache-control', 'no-store');
  addPublicHeaders(request, response);
  return h.continue;
}

/** What is public may be read by every site; a token in the address must not travel on. */
function addPublicHeaders(request: Request, response: ResponseObject): void {
  if (!request.route.settings.app?.isPublic) return;
  response.header('access-control-allow-origin', '*');
  if (hasAccessToken(request)) response.header('referrer-policy', 'no-referrer');
}

/** Whether the request carries a `zugang`, valid or not. Read from the request line, which every request has. */
export function hasAccessToken({ raw }: Request): boolean {
  const [, query] = /^[^?#]*\?([^#]*)/.exec(raw.req.url ?? '') ?? [];
  return new URLSearchParams(query).has('zugang');
}
