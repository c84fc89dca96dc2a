import type { Operation, PassportError, ResponseInfo } from './errors.ts';
import type { FetchResponse } from './response.ts';

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
