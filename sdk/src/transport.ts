import type { Answer } from './answer.ts';
import { attempt, type OpenCall } from './attempt.ts';
import { AbortError, NetworkError } from './errors.ts';
import type { Fetch, FetchResponse, PreparedRequest } from './fetch.ts';
import { describeCause, type Redact } from './secret.ts';
import { untilAborted } from './timeout.ts';

/** What all attempts of a call share. */
export interface Wire {
  /** Default: `globalThis.fetch`. */
  readonly fetch: Fetch | undefined;
  readonly signal: AbortSignal | undefined;
  readonly redact: Redact;
  /** Which bodies not to read, besides those of redirects. */
  readonly isUnwanted?: ((response: FetchResponse) => boolean) | undefined;
}

/** Runs an attempt. Rejects when the signal fires or a time limit runs out. */
export type Run = (signal: AbortSignal | undefined, work: (own: AbortSignal) => Promise<Answer>) => Promise<Answer>;

/**
 * Both clients send every request here. Makes one attempt, and turns a failure into a typed error.
 *
 * @param late returns the error of an attempt that took too long
 */
export async function transport(
  call: OpenCall,
  request: PreparedRequest,
  { fetch = globalThis.fetch, signal, redact, isUnwanted }: Wire,
  run: Run = untilAborted,
  late?: () => Error | undefined,
): Promise<Answer> {
  try {
    return await run(signal, (own) => attempt(call, request, fetch, own, isUnwanted));
  } catch (thrown) {
    if (signal?.aborted) throw new AbortError(call, call.phase, signal.reason);
    throw late?.() ?? new NetworkError(call, new URL(request.url).host, describeCause(thrown, redact));
  }
}
