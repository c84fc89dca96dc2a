import type { Call, Phase } from './errors.ts';
import type { Fetch, FetchResponse, PreparedRequest } from './fetch.ts';
import { isRedirect, type TextResponse, textOf } from './response.ts';

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
export async function attempt(
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
