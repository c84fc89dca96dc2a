import { webUrl } from './address.ts';
import { ApiError, type Call, UnexpectedAnswerError } from './errors.ts';
import { clip, type Redact } from './secret.ts';

/** An answer, with its body as text. */
export interface Answer {
  readonly response: Response;
  readonly text: string;
}

// More than any answer of the contract, and no more than a hostile one may take of the memory. In characters.
const mostOfAnswer = 67_108_864;
const mostOfError = 65_536;

/**
 * Reads at most 64 Mi characters of a body, of an error's 64 Ki, and the rest of the chunk in which they end. What is
 * left is freed unread; everything is when the signal fires.
 */
export async function textOf({ body, ok }: Response, signal: AbortSignal | undefined): Promise<string> {
  if (!body) return '';
  const reader = body.getReader();
  const free = () => void reader.cancel().catch(() => {});
  signal?.addEventListener('abort', free);
  const decoder = new TextDecoder();
  let text = '';
  while (text.length < (ok ? mostOfAnswer : mostOfError) && !signal?.aborted) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  free();
  return text;
}

/**
 * Makes an operation's value of an answer. `undefined` where it is not what the operation answers when all is well;
 * `refuse` throws, with a reason for people.
 */
export type Read = (answer: Answer, url: string, refuse: (why: string) => never) => unknown;

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
  return /^30[12378]/.test(String(status));
}

/** The whole address that a redirect leads to. `undefined` where `webUrl` does not take it. */
export function readTarget({ response }: Answer, from: string): string | undefined {
  return isRedirect(response) ? webUrl(response.headers.get('location') || 'nowhere:', from)?.href : undefined;
}

/** The one place that decides what an answer is: the value it returns or the typed error it throws. */
export function decide(call: Call, url: string, answer: Answer, redact: Redact, read: Read): unknown {
  const { response, text } = answer;
  const shown = (part: unknown) => clip(redact(part ?? ''));
  const head = { status: response.status, requestId: shown(response.headers.get('x-request-id')) || undefined };
  const unexpected = (code: UnexpectedAnswerError['code'], why: string, excerpt?: string) =>
    new UnexpectedAnswerError(call, head, code, why, excerpt);
  const refuse = (why: string): never => {
    throw unexpected('unexpected_answer', shown(why), shown(text));
  };

  const value = text.length < mostOfAnswer ? read(answer, url, refuse) : undefined;
  if (value !== undefined) return value;

  if (response.type === 'opaqueredirect') throw unexpected('redirect_hidden', 'its target is hidden');
  if (isRedirect(response)) {
    // What follows on the path may be a token or a password. The body may say it again.
    const where = shown(readTarget(answer, url) ?? 'no web address').replace(/[?#].*/, '');
    throw unexpected('redirect_refused', `not followed to ${where}`);
  }
  const { code, message } = Object(!response.ok && objectOf(text)?.error);
  if (typeof code === 'string' && code) throw new ApiError(call, head, shown(code), shown(message));
  return refuse(text ? "it is not the contract's" : 'the body is empty');
}
