import { ApiError, type Call, UnexpectedAnswerError } from './errors.ts';
import type { Redact } from './secret.ts';

/** What an operation answers when all is well. */
export type Expected = 'json' | 'html' | 'redirect';

/** An answer as openapi-fetch hands it over when told to read text. `error` is parsed where it could be. */
export interface Answer {
  data?: unknown;
  error?: unknown;
  response: Response;
}

// How the contract's page for people says these errors: as HTML, so by status alone.
const pageErrors: Record<number, string> = { 404: 'not_found', 500: 'internal_error', 503: 'service_unavailable' };

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

/** Where the answer redirects to. `undefined` where it does not say, or says something that is no web address. */
function target(response: Response, from: string): URL | undefined {
  const location = response.headers.get('location');
  try {
    const url = new URL(location ?? '', from);
    return location && /^https?:$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** The one place that decides, by `response.ok`, what an answer is: the value it returns or the typed error it throws. */
export function decide(call: Call, url: string, expected: Expected, answer: Answer, redact: Redact): unknown {
  const { data, error, response } = answer;
  const { status } = response;
  const isHtml = /html/i.test(response.headers.get('content-type') ?? '');
  const clip = (text: string) => redact(text).slice(0, 500);

  if (response.ok) {
    if (expected === 'html' && isHtml && data) return data;
    const value = expected === 'json' ? parsed(data) : undefined;
    if (isObject(value)) return value;
  } else if (response.type === 'opaqueredirect') {
    throw new UnexpectedAnswerError(call, status, 'redirect_hidden', 'this browser does not show where it leads');
  } else if (status >= 300 && status < 400) {
    const to = target(response, url);
    if (expected === 'redirect' && to) return to.href;
    const where = to ? clip(to.origin + to.pathname) : 'nowhere'; // the rest may hold a token or a password
    throw new UnexpectedAnswerError(call, status, 'redirect_refused', `it leads to ${where}, and is not followed`);
  } else {
    const body = isObject(error) ? error.error : undefined;
    if (isObject(body) && typeof body.code === 'string' && body.code) {
      throw new ApiError(call, status, clip(body.code), clip(typeof body.message === 'string' ? body.message : ''));
    }
    const code = expected === 'html' && isHtml ? pageErrors[status] : undefined;
    if (code) throw new ApiError(call, status, code, 'the service answered with a page for people');
  }

  const body = data ?? error ?? '';
  const excerpt = clip(typeof body === 'string' ? body : JSON.stringify(body));
  const why = body === '' ? 'the body is empty' : `this is not the contract's ${response.ok ? expected : 'error'}`;
  throw new UnexpectedAnswerError(call, status, 'unexpected_answer', why, excerpt);
}
