import { webUrl } from './address.ts';
import { ApiError, type Call, UnexpectedAnswerError } from './errors.ts';
import type { Redact } from './secret.ts';

/** An answer, with its body as text. */
export interface Answer {
  readonly response: Response;
  readonly text: string;
}

// More than any error of the contract, and no more than a hostile one may take of the memory.
const mostOfError = 65_536;

/**
 * The text of a body, up to so many characters and a chunk more, by default 64 KiB. The rest is freed unread, and
 * everything when the signal has fired.
 */
export async function beginning({ body }: Response, signal: AbortSignal, most = mostOfError): Promise<string> {
  if (!body) return '';
  const reader = body.getReader();
  const free = () => reader.cancel().catch(() => {});
  signal.addEventListener('abort', free);
  const decoder = new TextDecoder();
  let text = '';
  while (text.length < most && !signal.aborted) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  free();
  return text;
}

/** Makes an operation's value of an answer. `undefined` where it is not what the operation answers when all is well. */
export type Read = (answer: Answer, url: string) => unknown;

/** A JSON object. */
export function readObject({ text, response }: Answer): Record<string, unknown> | undefined {
  return response.ok ? objectOf(text) : undefined;
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    return /^\s*{/.test(text) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

export function isHtml({ headers }: Response): boolean {
  return /html/i.test(headers.get('content-type') ?? '');
}

export function isRedirect({ status }: Response): boolean {
  return /^3/.test(String(status));
}

/** Where a redirect leads. `undefined` where it does not say, or says something that is no web address. */
function target(response: Response, from: string): URL | undefined {
  const location = response.headers.get('location');
  return location ? webUrl(location, from) : undefined;
}

/** The whole address that a redirect leads to. */
export const readTarget: Read = ({ response }, url) => (isRedirect(response) ? target(response, url)?.href : undefined);

/** The one place that decides what an answer is: the value it returns or the typed error it throws. */
export function decide(call: Call, url: string, answer: Answer, redact: Redact, read: Read): unknown {
  const value = read(answer, url);
  if (value !== undefined) return value;

  const { response, text } = answer;
  const clip = (part: unknown) => redact(part ?? '').slice(0, 500);
  const head = { status: response.status, requestId: clip(response.headers.get('x-request-id')) || undefined };
  const unexpected = (code: UnexpectedAnswerError['code'], why: string, excerpt?: string) =>
    new UnexpectedAnswerError(call, head, code, why, excerpt);

  if (response.type === 'opaqueredirect') throw unexpected('redirect_hidden', 'no script may see where it leads');
  if (isRedirect(response)) {
    const to = target(response, url);
    // What follows on the path may be a token or a password. The body may say it again.
    const where = to ? clip(to.origin + to.pathname) : 'nowhere';
    throw unexpected('redirect_refused', `it leads to ${where} and is not followed`);
  }
  const { code, message } = Object(!response.ok && objectOf(text)?.error);
  if (typeof code === 'string' && code) throw new ApiError(call, head, clip(code), clip(message));
  throw unexpected('unexpected_answer', text ? "it is not the contract's" : 'the body is empty', clip(text));
}
