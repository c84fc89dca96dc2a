import { attempt, type CallState } from './attempt.ts';
import { AbortError, NetworkError } from './errors.ts';
import type { Fetch, FetchResponse, PreparedRequest } from './fetch.ts';
import type { TextResponse } from './response.ts';
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
