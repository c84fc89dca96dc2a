import type { operations, ServerErrorCode } from '../../openapi/src/generated/types.ts';
import type { Product } from './contract.ts';
import { reasonOf } from './secret.ts';

/** An operation's name, as the contract's `operationId` has it. */
export type Operation = keyof operations;

type CodeIn<Response> = Response extends { content: infer Content }
  ? Content[keyof Content] extends { error: { code: infer Code } } | { message: { code: infer Code }[] }
    ? Code
    : never
  : never;

// The page reports its errors as HTML, so their codes follow from the status: see public.ts.
type PageCode = 'not_found' | 'rate_limited' | 'internal_error' | 'service_unavailable';

/**
 * The error codes that the contract lists for an operation; without a type parameter, those of all operations.
 * `method_not_allowed`, `request_timeout` and `headers_too_large` come from the server rather than an operation, so any
 * call may get them.
 */
export type KnownErrorCode<Name extends Operation = Operation> =
  | (Name extends 'getPassportPage'
      ? PageCode
      : CodeIn<operations[Name]['responses'][keyof operations[Name]['responses']]>)
  | ServerErrorCode;

/** A code of the contract, or any other text: a code that the SDK does not list is passed on unchanged. */
export type ErrorCode<Name extends Operation = Operation> = KnownErrorCode<Name> | (string & Record<never, never>);

/** The request that an error is about. */
export interface Call<Name extends Operation = Operation> {
  readonly operation: Name;
  readonly method: string;
  /** The contract's path with its values filled in, without host and query: `/api/v1/products/usb-c-cable`. A later page of a list has its `?offset=50`. */
  readonly path: string;
  /** How many times the request was sent. */
  readonly attempts: number;
}

/** Status and request id of a response. */
export interface ResponseInfo {
  readonly status: number;
  /** The response's `X-Request-Id`, which finds the request in the service's logs. `undefined` if it has none. */
  readonly requestId?: string | undefined;
}

/** Where a call ended: before the response's headers, within its body, or in the pause before the next attempt. */
export type Phase = 'headers' | 'body' | 'pause';

const during: Record<Phase, string> = {
  headers: 'while waiting for the response',
  body: 'while reading the response',
  pause: 'before the next attempt',
};

// Registered, so that two copies of this package in one process recognise each other's errors. `instanceof` would not.
const brand: unique symbol = Symbol.for('@product-passport/sdk/error');

class SdkError extends Error {
  get [brand](): true {
    return true;
  }
}

class CallError<Name extends Operation> extends SdkError implements Call<Name> {
  readonly operation: Name;
  readonly method: string;
  readonly path: string;
  readonly attempts: number;

  constructor(call: Call<Name>, outcome: string, details: { requestId?: unknown; cause?: unknown }) {
    const request = details.requestId ? `, request: ${details.requestId}` : '';
    super(`${call.method} ${call.path} → ${outcome} (attempts: ${call.attempts}${request})`, details);
    this.operation = call.operation;
    this.method = call.method;
    this.path = call.path;
    this.attempts = call.attempts;
  }
}

class ResponseError<Name extends Operation, Code extends string> extends CallError<Name> implements ResponseInfo {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly code: Code;

  constructor(call: Call<Name>, response: ResponseInfo, code: Code, why: string) {
    super(call, `${response.status} ${code}: ${why}`, response);
    this.status = response.status;
    this.requestId = response.requestId;
    this.code = code;
  }
}

/** The service refused the request, with the contract's error body. Branch on `code`. */
export class ApiError<Name extends Operation = Operation> extends ResponseError<Name, ErrorCode<Name>> {
  /**
   * The name of the error's class. Compare it instead of using `instanceof`, which fails across copies of the package.
   */
  override readonly name = 'ApiError';
  /** The service's reason: a code of the operation, or one that this version of the SDK does not list. */
  declare readonly code: ErrorCode<Name>;
  /** The service's own text, for people; `message` contains it. At most 500 characters. */
  readonly detail: string;

  constructor(call: Call<Name>, response: ResponseInfo, code: ErrorCode<Name>, detail: string) {
    super(call, response, code, detail);
    this.detail = detail;
  }
}

/**
 * The response does not follow the contract: a gateway's HTML, a problem+json, an empty body, a 2xx without the
 * expected JSON.
 * - `redirect_refused`: the response redirects. The SDK does not follow it, so that no key or token is passed on.
 * - `redirect_hidden`: a browser hides a redirect's target from scripts. Call from a server, or open the link itself.
 * - `pages_stalled`: the next page does not continue the last one, or the list ends before its total.
 * - `unexpected_response`: everything else.
 */
export class UnexpectedResponseError<Name extends Operation = Operation> extends ResponseError<Name, string> {
  override readonly name = 'UnexpectedResponseError';
  declare readonly code: 'unexpected_response' | 'redirect_refused' | 'redirect_hidden' | 'pages_stalled';
  /** The beginning of the body, at most 500 characters. The message has the first 200 of them. */
  readonly excerpt: string;

  constructor(
    call: Call<Name>,
    response: ResponseInfo,
    code: UnexpectedResponseError['code'],
    why: string,
    excerpt = '',
  ) {
    super(call, response, code, excerpt ? `${why}: ${JSON.stringify(excerpt.slice(0, 200))}` : why);
    this.excerpt = excerpt;
  }
}

/**
 * The connection failed, or broke before the whole response was read. A write may have taken effect. The message
 * names the host and the innermost cause: `no complete response from 127.0.0.1:3000: read ECONNRESET`. If the host is
 * unknown or refuses the connection, it adds what to check. `cause` is a copy of the error that `fetch` threw (name,
 * message, code, causes), without the request and its key.
 */
export class NetworkError<Name extends Operation = Operation> extends CallError<Name> {
  override readonly name = 'NetworkError';
  readonly code = 'network_error';

  constructor(call: Call<Name>, host: string, cause: unknown, hasResponded = false) {
    super(call, `no complete response from ${host}: ${reasonOf(cause, hasResponded)}`, { cause });
  }
}

/**
 * A time limit ran out: `timeoutMs` (code `timeout`), `deadlineMs` (code `deadline`), or `maxWaitMs` while another call
 * of the client was refused with 429 (code `wait`). A write may have taken effect. If the pause would
 * outlast the limit, the call ends at once. The `cause` of a `deadline` or `wait` is the failure of the attempt
 * before it, if any.
 */
export class TimeoutError<Name extends Operation = Operation> extends CallError<Name> {
  override readonly name = 'TimeoutError';
  readonly code: 'timeout' | 'deadline' | 'wait';
  readonly phase: Phase;

  constructor(call: Call<Name>, code: TimeoutError['code'], ms: number, phase: Phase, cause?: unknown) {
    super(
      call,
      `${code}: ${ms} ms ${phase === 'pause' ? 'would run' : 'ran'} out ${during[phase]}`,
      cause ? { cause } : {},
    );
    this.code = code;
    this.phase = phase;
  }
}

/** The call's `signal` fired. `cause` is the signal's `reason`, unchanged. A write may have taken effect. */
export class AbortError<Name extends Operation = Operation> extends CallError<Name> {
  override readonly name = 'AbortError';
  readonly code = 'aborted';
  readonly phase: Phase;

  constructor(call: Call<Name>, phase: Phase, cause: unknown) {
    super(call, `aborted ${during[phase]}`, { cause });
    this.phase = phase;
  }
}

/**
 * An argument is invalid. Nothing was sent, unless the argument is a `fetch` with a programming error.
 */
export class ArgumentError extends SdkError {
  override readonly name = 'ArgumentError';
  readonly code = 'invalid_argument';
  /** Which argument, or the place in the body: `slug`, `[3].value.weight`. */
  readonly argument: string;

  constructor(argument: string, why: string, options?: { cause?: unknown }) {
    super(`${argument} ${why}`, options);
    this.argument = argument;
  }
}

/** `products.ensure` created a product with another slug, because another program took the requested one. */
export class ConflictError extends SdkError {
  override readonly name = 'ConflictError';
  readonly code = 'slug_taken';
  /** The created product, a draft. The service chose its `slug`. */
  readonly product: Product;

  constructor(slug: string, product: Product) {
    super(`another program took the slug ${slug}: the service created ${JSON.stringify(product.slug)}`);
    this.product = product;
  }
}

/** Two products fit what `products.find` looks for. */
export class AmbiguousError extends SdkError {
  override readonly name = 'AmbiguousError';
  readonly code = 'ambiguous';
  /** The slugs of both products. There may be more. */
  readonly slugs: readonly string[];

  constructor(slugs: readonly string[]) {
    super(`several products fit: ${slugs.map((slug) => JSON.stringify(slug)).join(', ')}`);
    this.slugs = slugs;
  }
}

/** An error of `products.find`. */
export type FindError = PassportError<'listProducts' | 'getPassport'> | AmbiguousError;

/** An error of `products.ensure`. */
export type EnsureError = PassportError<'getProduct' | 'createProduct'> | ConflictError;

/** An error of `passports.put`. */
export type PutError = PassportError<'putPassport'> & {
  /**
   * How many values, counted from the first, were written before the failure. Positions in the service's message count
   * from 0 after these: `[3]` with `applied` 1000 is value 1003.
   */
  readonly applied: number;
};

/**
 * The errors that a call of an operation rejects with; without a type parameter, every error of this SDK. Distinguish
 * them by `name`, then by `code`.
 */
export type PassportError<Name extends Operation = Operation> =
  | ApiError<Name>
  | UnexpectedResponseError<Name>
  | NetworkError<Name>
  | TimeoutError<Name>
  | AbortError<Name>
  | ArgumentError
  | (Operation extends Name ? AmbiguousError | ConflictError : never);

/** Whether this is an error of this SDK, from any copy of the package. */
export function isPassportError(error: unknown): error is PassportError {
  return brand in Object(error);
}

/**
 * Whether the service refused a request with the contract's error body. Pass an operation to test for a request of that
 * operation: the type of `code` is then that of the operation. Pass a code to test for that reason: only a code that
 * the contract lists for the operation compiles.
 */
export function isApiError<Name extends Operation = Operation>(
  error: unknown,
  operation?: Name,
): error is ApiError<Name>;
export function isApiError<Name extends Operation, Code extends KnownErrorCode<Name> = KnownErrorCode<Name>>(
  error: unknown,
  operation: Name | undefined,
  code: Code,
): error is ApiError<Name> & { readonly code: Code };
export function isApiError(error: unknown, operation?: Operation, code?: string): boolean {
  return (
    isPassportError(error) &&
    error.name === 'ApiError' &&
    (operation ?? error.operation) === error.operation &&
    (code ?? error.code) === error.code
  );
}
