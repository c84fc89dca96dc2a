import { decide, type Read } from './answer.ts';
import type { OpenCall } from './attempt.ts';
import { delay } from './delay.ts';
import { AbortError, type Call, type PassportError, type Phase, TimeoutError } from './errors.ts';
import type { Fetch, PreparedRequest } from './fetch.ts';
import type { AllLimits } from './limits.ts';
import type { Received } from './result.ts';
import { mayRepeat, pauseAfter } from './retry.ts';
import type { Redact } from './secret.ts';
import { withTimeout } from './timeout.ts';
import { type Run, transport, type Wire } from './transport.ts';

/** The outcome of one attempt; `attempts` is its number, from 1 on. It does not contain the key. */
export interface Attempt extends Call {
  /** `ok`, or the `code` of the error that it failed with. */
  readonly outcome: 'ok' | PassportError['code'];
  /** The status of the response. `undefined` without a response. */
  readonly status: number | undefined;
  /** The pause before the next attempt, in milliseconds. `undefined` if this attempt was the last. */
  readonly pauseMs: number | undefined;
}

/**
 * Everything that the calls of a client share. Features that concern every call attach here:
 *
 * - **A gate** that holds all calls after a 429: a function that `perform` awaits before each attempt. The wait then
 *   counts towards the deadline of the call, and not towards the timeout of the attempt. `report` receives the 429s.
 * - **A key that is fetched**: `authorize` may return a promise. It runs once for each attempt, inside its timeout.
 *   `redact` has to remove the fetched key, too.
 * - **Telemetry**: `report` receives the outcome of every attempt. A span begins where `perform` calls `transport`.
 */
export interface Surroundings {
  /** Default: `globalThis.fetch`. */
  readonly fetch: Fetch | undefined;
  readonly redact: Redact;
  /** The headers that authenticate the caller. */
  authorize(signal: AbortSignal): Record<string, string> | Promise<Record<string, string>>;
  report(attempt: Attempt): void;
}

/** The limits of one call, and how its response is read. */
export interface Terms {
  readonly limits: AllLimits;
  readonly signal: AbortSignal | undefined;
  /** The end of the call, by `performance.now()`. */
  readonly until: number;
  readonly read: Read;
  /**
   * Makes a POST repeatable. It runs before a repeat, except after a 429, when the service did nothing. If it returns a
   * value, that is the value of the call, and the POST is not repeated.
   */
  readonly recover?: (() => Promise<Received<unknown> | undefined>) | undefined;
}

/** Sends a request until it succeeds, its failure is final, or the attempts or the time run out. */
export async function perform(
  { fetch = globalThis.fetch, redact, authorize, report }: Surroundings,
  call: OpenCall,
  request: PreparedRequest,
  { limits: { timeoutMs, deadlineMs, maxAttempts }, signal, until, read, recover }: Terms,
): Promise<Received<unknown>> {
  const wire: Wire = {
    fetch: async (url, init) =>
      fetch(url, { ...init, headers: { ...init.headers, ...(await authorize(init.signal)) } }),
    signal,
    redact,
  };
  let failure: PassportError | undefined;
  const deadline = (phase: Phase) => new TimeoutError(call, 'deadline', deadlineMs, phase, failure);

  /** Makes one attempt. */
  const once = async (): Promise<Received<unknown>> => {
    Object.assign(call, { phase: 'headers', response: undefined });
    const left = until - performance.now();
    if (left <= 0) throw deadline('headers');
    let late: TimeoutError | undefined;
    const onTimeout = () => {
      const { phase } = call;
      late = left < timeoutMs ? deadline(phase) : new TimeoutError(call, 'timeout', timeoutMs, phase);
    };
    const run: Run = (signal, work) => withTimeout(Math.min(timeoutMs, left), signal, work, onTimeout);
    const answer = await transport(call, request, wire, run, () => late);
    return { value: decide(call, request.url, answer, redact, read), response: answer.response };
  };

  /** Waits before the next attempt, or rejects if there is no time for one. */
  const pause = async (ms: number | undefined) => {
    if (ms !== undefined && !signal?.aborted) await delay(ms, signal);
    if (signal?.aborted) throw new AbortError(call, 'pause', signal.reason);
    if (ms === undefined || performance.now() >= until) throw deadline('pause');
  };

  for (;;) {
    const { attempts } = call;
    const reportOutcome = (outcome: Attempt['outcome'], pauseMs?: number) => {
      const { phase: _, response, ...facts } = call;
      if (call.attempts > attempts) report({ ...facts, outcome, status: response?.status, pauseMs });
    };
    try {
      const received = await once();
      reportOutcome('ok');
      return received;
    } catch (error) {
      failure = error as PassportError;
    }
    const repeats = call.attempts < maxAttempts && mayRepeat(recover ? 'PUT' : call.method, failure);
    const ms = pauseAfter(call.attempts, call.response?.headers.get('retry-after'));
    const pauseMs = repeats && performance.now() + ms < until ? ms : undefined;
    reportOutcome(failure.code, pauseMs);
    if (!repeats) throw failure;
    await pause(pauseMs);
    const recovered = mayRepeat('POST', failure) ? undefined : await recover?.();
    if (recovered) return recovered;
  }
}
