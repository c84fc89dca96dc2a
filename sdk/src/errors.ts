import type { components, operations } from './generated/openapi.ts';

type Schemas = components['schemas'];
type CodeOf<Schema> = Schema extends { error: { code: infer Code } } ? Code : never;

/**
 * The error codes of the contract. The last three stand in its `x-responses-beside-operations`: they belong to a path
 * or to the server, so the generated types do not know them.
 */
export type KnownErrorCode =
  | CodeOf<Schemas[keyof Schemas]>
  | 'method_not_allowed'
  | 'request_timeout'
  | 'headers_too_large';

/** A code that the contract knows, or any other: a code the SDK does not know yet is kept as the service sent it. */
export type ErrorCode = KnownErrorCode | (string & Record<never, never>);

/** An operation's name, as the contract's `operationId` has it. */
export type Operation = keyof operations;

/** Which request an error is about. */
export interface Call {
  readonly operation: Operation;
  readonly method: string;
  /** The contract's path with its values filled in, without host and query: `/api/v1/products/usb-c-kabel`. */
  readonly path: string;
}

// Registered, so that two copies of this package in one process know each other's errors; `instanceof` would not.
const brand: unique symbol = Symbol.for('@product-passport/sdk/error');

class SdkError extends Error {
  get [brand](): true {
    return true;
  }
}

class CallError extends SdkError {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;

  constructor(call: Call, outcome: string, options?: ErrorOptions) {
    super(`${call.method} ${call.path} → ${outcome}`, options);
    this.operation = call.operation;
    this.method = call.method;
    this.path = call.path;
  }
}

/** The service refused, and said why: an answer with the contract's error body. Decide by `code`. */
export class ApiError extends CallError {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  /** The service's own text, for people: the end of `message`. At most 500 characters. */
  readonly detail: string;

  constructor(call: Call, status: number, code: ErrorCode, detail: string) {
    super(call, `${status} ${code}: ${detail}`);
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}

/**
 * An answer came that is not the contract's: a gateway's HTML, a problem+json, an empty body, a 2xx without the JSON.
 * - `redirect_refused`: the answer redirects. It is not followed, so that neither key nor token travels on.
 * - `redirect_hidden`: a browser keeps a redirect's target from scripts. Call from a server, or open the link itself.
 * - `pages_stalled`: a list's next page does not follow on its last one, so the list cannot be read to its end.
 * - `unexpected_answer`: everything else.
 */
export class UnexpectedAnswerError extends CallError {
  override readonly name = 'UnexpectedAnswerError';
  readonly status: number;
  readonly code: 'unexpected_answer' | 'redirect_refused' | 'redirect_hidden' | 'pages_stalled';
  /** The beginning of the body, at most 500 characters. */
  readonly excerpt: string;

  constructor(call: Call, status: number, code: UnexpectedAnswerError['code'], why: string, excerpt = '') {
    super(call, `${status} ${code}: ${why}`);
    this.status = status;
    this.code = code;
    this.excerpt = excerpt;
  }
}

/**
 * No whole answer came: no connection, or it broke while the answer was read. Whether a write took effect is unknown.
 * `cause` is a copy of what `fetch` threw (name, message, code, causes), without the request and so without the key.
 */
export class NetworkError extends CallError {
  override readonly name = 'NetworkError';
  readonly code = 'network_error';
}

/** The call's `signal` fired. `cause` is the signal's `reason`, as it is. Whether a write took effect is unknown. */
export class AbortError extends CallError {
  override readonly name = 'AbortError';
  readonly code = 'aborted';
}

/** An argument cannot be sent as it is. Nothing was sent. */
export class ArgumentError extends SdkError {
  override readonly name = 'ArgumentError';
  readonly code = 'invalid_argument';
  /** Which argument, or the place in the body: `slug`, `[3].value.weight`. */
  readonly argument: string;

  constructor(argument: string, why: string, options?: ErrorOptions) {
    super(`${argument} ${why}`, options);
    this.argument = argument;
  }
}

/** Every error that this SDK rejects with. Tell them apart by `name`, then by `code`. */
export type PassportError = ApiError | UnexpectedAnswerError | NetworkError | AbortError | ArgumentError;

/** Whether this is an error of this SDK, from whichever copy of the package. */
export function isPassportError(error: unknown): error is PassportError {
  return typeof error === 'object' && error !== null && brand in error;
}

/** Whether the service refused with the contract's error body; with `code`, whether it refused for this reason. */
export function isApiError(error: unknown, code?: ErrorCode): error is ApiError {
  return isPassportError(error) && error.name === 'ApiError' && (code === undefined || error.code === code);
}
