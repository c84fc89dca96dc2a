import { AbortError, type Call, NetworkError, type Phase } from './errors.ts';
import type { Fetch, FetchResponse, PreparedRequest } from './fetch.ts';
import { isRedirect, type TextResponse, textOf } from './response.ts';
import { describeCause, type Redact } from './secret.ts';
import { untilAborted } from './timeout.ts';

/** Options that all attempts of a call share. */
export interface TransportOptions {
  /** Default: `globalThis.fetch`. */
  readonly fetch: Fetch | undefined;
  readonly signal: AbortSignal | undefined;
  readonly redact: Redact;
  /** Selects bodies that are not read. Bodies of redirects are never read. */
  readonly isUnwanted?: ((response: FetchResponse) => boolean) | undefined;
}

/** Runs an attempt. Rejects when the signal fires or a time limit runs out. */
export type Run = (
  signal: AbortSignal | undefined,
  work: (own: AbortSignal) => Promise<TextResponse>,
) => Promise<TextResponse>;

/**
 * Both clients send every request here. Makes one attempt, and turns a failure into a typed error.
 *
 * @param late returns the error of an attempt that took too long
 */
export async function transport(
  call: CallState,
  request: PreparedRequest,
  { fetch = globalThis.fetch, signal, redact, isUnwanted }: TransportOptions,
  run: Run = untilAborted,
  late?: () => Error | undefined,
): Promise<TextResponse> {
  try {
    return await run(signal, (own) => attempt(call, request, fetch, own, isUnwanted));
  } catch (thrown) {
    if (signal?.aborted) throw new AbortError(call, call.phase, signal.reason);
    throw late?.() ?? new NetworkError(call, new URL(request.url).host, describeCause(thrown, redact));
  }
}

/** The state of a call in progress. */
export interface CallState extends Call {
  /** How many times the request was sent. */
  attempts: number;
  /** The phase of the attempt: `headers` when it begins. */
  phase: Phase;
  /** The response of the attempt: `undefined` when it begins. */
  response?: FetchResponse | undefined;
}

/** Sends a request once, and reads the body. Cancels the body of a redirect, and an unwanted body. */
async function attempt(
  call: CallState,
  { url, ...init }: PreparedRequest,
  fetch: Fetch,
  signal: AbortSignal,
  isUnwanted?: (response: FetchResponse) => boolean,
): Promise<TextResponse> {
  call.attempts += 1;
  const response = await fetch(url, { ...init, signal });
  // A `fetch` that ignores the signal may respond after the attempt has ended.
  if (!signal.aborted) {
    call.phase = 'body';
    call.response = response;
  }
  return { response, text: await textOf(response, signal, !isRedirect(response) && !isUnwanted?.(response)) };
}
