import { webUrl } from './address.ts';
import {
  ApiError,
  type Call,
  type Operation,
  type PassportError,
  type ResponseInfo,
  UnexpectedResponseError,
} from './errors.ts';
import { clip, type Redact } from './secret.ts';

/** The second argument that the SDK passes to `fetch`. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  /** The JSON to send. */
  readonly body?: string;
  readonly redirect: 'manual' | 'follow';
  /** Fires when the attempt ends early. */
  readonly signal: AbortSignal;
}

/** The parts of a `Response` that the SDK uses. Those of undici, node-fetch and React Native have them too. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly type: string;
  readonly url: string;
  readonly headers: {
    get(name: string): string | null;
    forEach(callback: (value: string, name: string) => void): void;
  };
  /** A stream with `getReader`, or one of Node. Without a stream, the SDK calls `text()`. */
  readonly body?: unknown;
  text(): Promise<string>;
}

/** The streams that the SDK reads, of the platform and of Node. */
interface ByteStream {
  getReader?(): {
    read(): Promise<{ done?: boolean | undefined; value?: Uint8Array | undefined }>;
    cancel(): Promise<unknown>;
  };
  [Symbol.asyncIterator]?(): AsyncIterator<Uint8Array | string, undefined>;
  destroy?(): unknown;
}

/** Sends one request: `globalThis.fetch`, `undici.fetch`, or your own function. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** The type of the runtime's own `fetch`. A function of this type is also a `Fetch`. */
export type PlatformFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A response, with its body as text. */
export interface TextResponse {
  readonly response: FetchResponse;
  readonly text: string;
}

// In characters. More than any response of the contract needs, and too few for a hostile response to fill the memory.
const maxBody = 2 ** 26;
const maxError = 2 ** 16;

/**
 * Reads the body up to a limit, which the last chunk may exceed, and cancels the rest. Cancels the whole body if it is
 * unwanted, or when the signal fires.
 */
export async function textOf(response: FetchResponse, signal: AbortSignal, isWanted: boolean): Promise<string> {
  const max = response.ok ? maxBody : maxError;
  const body = (response.body ?? {}) as ByteStream;
  const reader = body.getReader?.();
  const chunks = reader ? { next: () => reader.read() } : body[Symbol.asyncIterator]?.();
  if (!chunks) return isWanted ? (await response.text()).slice(0, max) : '';
  const cancel = () => (reader ? reader.cancel().catch(() => {}) : body.destroy?.());
  signal.addEventListener('abort', cancel);
  const decoder = new TextDecoder();
  let text = '';
  while (isWanted && text.length < max && !signal.aborted) {
    const { done, value } = await chunks.next();
    if (done) break;
    text += typeof value === 'string' ? value : decoder.decode(value, { stream: true });
  }
  cancel();
  return text;
}

/** Throws an `ApiError` if it has a code, and otherwise an `UnexpectedResponseError`. */
export type Fail = (why: string, code?: string) => never;

/** Reads an operation's value from a response. Returns `undefined` if the response does not have the expected form. */
export type Read = (received: TextResponse, url: string, fail: Fail) => unknown;

/** Reads a JSON object. */
export function readObject({ text, response }: TextResponse): Record<string, unknown> | undefined {
  return response.ok ? objectOf(text) : undefined;
}

/** The JSON object in a text. */
export function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    if (/^\s*{/.test(text)) return JSON.parse(text);
  } catch {} // another text than JSON
  return undefined;
}

export function isType({ headers }: FetchResponse, type: RegExp): boolean {
  return type.test(headers.get('content-type') ?? '');
}

export function isRedirect({ status }: FetchResponse): boolean {
  return /^30[12378]/.test(`${status}`);
}

/** The absolute address that a redirect leads to, or `undefined` if `webUrl` refuses it. */
export function targetOf({ headers }: FetchResponse, from: string): string | undefined {
  return webUrl(headers.get('location') || 'nowhere:', from)?.href;
}

/** The one place that decides between success and failure: returns the value, or throws a typed error. */
export function decide(call: Call, url: string, received: TextResponse, redact: Redact, read: Read): unknown {
  const { response, text } = received;
  const shown = (part: unknown) => clip(redact(part ?? ''));
  const info = { status: response.status, requestId: shown(response.headers.get('x-request-id')) || undefined };
  const unexpected = (code: UnexpectedResponseError['code'], why: string, excerpt?: string) =>
    new UnexpectedResponseError(call, info, code, why, excerpt);
  const fail: Fail = (why, code) => {
    if (code) throw new ApiError(call, info, shown(code), shown(why));
    throw unexpected('unexpected_response', shown(why), shown(text));
  };

  const value = text.length < maxBody ? read(received, url, fail) : undefined;
  if (value !== undefined) return value;

  if (response.type === 'opaqueredirect')
    throw unexpected('redirect_hidden', 'the browser hides the target of the redirect');
  if (isRedirect(response)) {
    // The query and the fragment may hold a token or a password. The body may repeat them.
    const where = shown(targetOf(response, url) ?? 'an invalid address').replace(/[?#].*/, '');
    throw unexpected('redirect_refused', `the SDK does not follow the redirect to ${where}`);
  }
  const { code, message } = Object(!response.ok && objectOf(text)?.error);
  if (typeof code === 'string' && code) return fail(message, code);
  if (!text) return fail('the response body is empty');
  return fail(`the response ${isType(response, /html/) ? 'is an HTML page' : 'does not follow the contract'}`);
}

/** The outcome of a call, for programs that branch instead of catching. */
export type Result<Value, Name extends Operation = Operation, Failure = PassportError<Name>> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Failure };

/** A value with its response. */
export interface WithResponse<Value> extends ResponseInfo {
  readonly value: Value;
  /** All headers of the response: `headers.get('x-ratelimit-remaining')`. */
  readonly headers: Headers;
}

/** The promise of a call, which also gives a `Result` or the response. */
export interface ApiPromise<Value, Name extends Operation = Operation, Failure = PassportError<Name>>
  extends Promise<Value> {
  /** The same call as a result; never rejects: `{ ok: true, value }` or `{ ok: false, error }`. */
  result(): Promise<Result<Value, Name, Failure>>;
  /**
   * The same call with its response: `{ value, status, headers, requestId }`. A call of several requests gives the last
   * response.
   */
  withResponse(): Promise<WithResponse<Value>>;
}

/** A value, and the response that it was read from. */
export interface ApiResponse<Value> {
  readonly value: Value;
  readonly response: FetchResponse;
}

/**
 * Makes an `ApiPromise`. Its methods share one promise, so a failure that one of them handles is not reported as unhandled.
 */
export function apiPromise<Value, Name extends Operation, Failure = PassportError<Name>>(
  response: Promise<ApiResponse<Value>>,
): ApiPromise<Value, Name, Failure> {
  const promise = response.then(({ value }) => value);
  return Object.assign(promise, {
    result: () =>
      promise.then(
        (value) => ({ ok: true, value }) as const,
        (error: Failure) => ({ ok: false, error }) as const,
      ),
    withResponse: async () => {
      const value = await promise;
      const { response: received } = await response;
      const headers = headersOf(received);
      return { value, status: received.status, headers, requestId: headers.get('x-request-id') ?? undefined };
    },
  });
}

/** The headers of a response, which may come from a library with headers of its own. */
export function headersOf(response: FetchResponse): Headers {
  const headers = new Headers();
  response.headers.forEach((text, name) => {
    headers.append(name, text);
  });
  return headers;
}
