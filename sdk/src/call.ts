import { decide, type Read } from './answer.ts';
import type { OpenCall } from './attempt.ts';
import { delay } from './delay.ts';
import { AbortError, type Call, type PassportError, type Phase, TimeoutError } from './errors.ts';
import type { Fetch, PreparedRequest } from './fetch.ts';
import type { Gate } from './gate.ts';
import type { AllLimits } from './limits.ts';
import type { Received } from './result.ts';
import { mayRepeat, pauseAfter } from './retry.ts';
import { type Redact, redactor } from './secret.ts';
import { withTimeout } from './timeout.ts';
import { type Run, transport } from './transport.ts';

/** An attempt that begins; `attempts` is its number, from 1 on. It does not contain the key. */
export interface AttemptStart extends Call {
  /** The host of the service, with its port if it is not the default. */
  readonly host: string;
}

/** The outcome of one attempt; `attempts` is its number, from 1 on. It does not contain the key. */
export interface Attempt extends AttemptStart {
  /**
   * `ok`, or the `code` of the error that it failed with. It is also `ok` if `products.ensure` finds that the product
   * does not exist; `status` is then 404.
   */
  readonly outcome: 'ok' | PassportError['code'];
  /** The status of the response. `undefined` without a response. */
  readonly status: number | undefined;
  /** The response's `X-Request-Id`. `undefined` if it has none. */
  readonly requestId: string | undefined;
  /** How long the attempt took, its body included, in milliseconds. */
  readonly durationMs: number;
  /** The pause before the next attempt, in milliseconds. `undefined` if this attempt was the last. */
  readonly pauseMs: number | undefined;
}

/** Everything that the calls of a client share. */
export interface Surroundings {
  /** Default: `globalThis.fetch`. */
  readonly fetch: Fetch | undefined;
  readonly redact: Redact;
  /** Every attempt passes it. It holds all calls of the client after a 429. */
  readonly gate: Gate;
  /** The API key for one attempt. It is fetched inside the attempt's time limit. */
  keyFor(signal: AbortSignal): Promise<string>;
  /** Reports the start of an attempt. Returns a function that reports its end. */
  begin(start: AttemptStart): (attempt: Attempt) => void;
}

/** The end of a call, by `performance.now()`. All requests of a call share it. Waiting for the gate moves it. */
export interface Deadline {
  at: number;
}

/** The limits of one call, and how its response is read. */
export interface Terms {
  readonly limits: AllLimits;
  readonly signal: AbortSignal | undefined;
  readonly deadline: Deadline;
  readonly read: Read;
  /**
   * Makes a POST repeatable. It runs before a repeat, except after a 429, when the service did nothing. If it returns a
   * value, that is the value of the call, and the POST is not repeated.
   */
  readonly recover?: (() => Promise<Received<unknown> | undefined>) | undefined;
}

/** A call in progress, with the facts that its attempts report. */
interface Progress extends OpenCall {
  readonly host: string;
  /** Removes the key of the attempt. */
  redact: Redact;
  /** The start of the attempt, by `performance.now()`. */
  began: number;
  attemptsLeft: number;
  /** The failure of the last attempt. */
  failure?: PassportError;
}

const factsOf = ({ operation, method, path, host, attempts }: Progress): AttemptStart => {
  return { operation, method, path, host, attempts };
};

function outOfTime(call: Progress, { limits }: Terms, phase: Phase): TimeoutError {
  return new TimeoutError(call, 'deadline', limits.deadlineMs, phase, call.failure);
}

/** Makes one attempt, with its own key and within its time limits. */
async function once(
  { fetch = globalThis.fetch, keyFor }: Surroundings,
  call: Progress,
  request: PreparedRequest,
  terms: Terms,
  left: number,
): Promise<Received<unknown>> {
  const {
    limits: { timeoutMs },
    signal,
    read,
  } = terms;
  let ended: Error | undefined;
  const fetchWithKey: Fetch = async (url, init) => {
    const key = await keyFor(init.signal).catch((error: Error) => {
      ended ??= error;
      throw error;
    });
    call.redact = redactor(key);
    init.signal.throwIfAborted();
    return fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } });
  };
  const onTimeout = () => {
    const { phase } = call;
    ended = left < timeoutMs ? outOfTime(call, terms, phase) : new TimeoutError(call, 'timeout', timeoutMs, phase);
  };
  const run: Run = (signal, work) => withTimeout(Math.min(timeoutMs, left), signal, work, onTimeout);
  const wire = { fetch: fetchWithKey, signal, redact: (text: unknown) => call.redact(text) };
  const answer = await transport(call, request, wire, run, () => ended);
  return { value: decide(call, request.url, answer, call.redact, read), response: answer.response };
}

function checkSignal(call: Call, signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AbortError(call, call.attempts ? 'pause' : 'headers', signal.reason);
}

/**
 * Waits for the call's turn. The deadline moves, because the call cannot shorten this wait. Returns how long the attempt
 * may take.
 */
async function enter(gate: Gate, call: Progress, terms: Terms): Promise<number> {
  const { signal, deadline } = terms;
  const since = performance.now();
  await gate.enter(call.attempts > 0, signal);
  Object.assign(call, { phase: 'headers', response: undefined, began: performance.now() });
  deadline.at += call.began - since;
  const left = deadline.at - call.began;
  if (left > 0 && !signal?.aborted) return left;
  gate.leave();
  checkSignal(call, signal);
  throw outOfTime(call, terms, 'headers');
}

/** The end of an attempt, for the program's hook. */
function outcomeOf(call: Progress, outcome: Attempt['outcome'], pauseMs?: number): Attempt {
  const { response, began } = call;
  const requestId = call.redact(response?.headers.get('x-request-id') ?? '') || undefined;
  const durationMs = performance.now() - began;
  return { ...factsOf(call), outcome, status: response?.status, requestId, durationMs, pauseMs };
}

/** Ends a failed attempt. Returns the pause before the next one, or `undefined` after a 429. Throws a final failure. */
function afterFailure(
  gate: Gate,
  call: Progress,
  terms: Terms,
  failure: PassportError,
  end: (attempt: Attempt) => void,
) {
  const { deadline, recover } = terms;
  const isRefused = call.response?.status === 429;
  const ms = pauseAfter(call.attempts, call.response?.headers.get('retry-after'), isRefused);
  const others = gate.leave(isRefused ? ms : undefined);
  // A refusal does not count if the client's own parallel requests may have used up the limit.
  if (!isRefused || others === 0) call.attemptsLeft -= 1;
  call.failure = failure;
  const repeats = call.attemptsLeft > 0 && mayRepeat(recover ? 'PUT' : call.method, failure);
  const isInTime = isRefused || performance.now() + ms < deadline.at;
  end(outcomeOf(call, failure.code, repeats && isInTime ? ms : undefined));
  if (!repeats) throw failure;
  if (!isInTime) throw outOfTime(call, terms, 'pause');
  return isRefused ? undefined : ms;
}

/** Sends a request until it succeeds, its failure is final, or the attempts or the time run out. */
export async function perform(
  surroundings: Surroundings,
  start: AttemptStart,
  request: PreparedRequest,
  terms: Terms,
): Promise<Received<unknown>> {
  const { gate, begin, redact } = surroundings;
  const { limits, signal, deadline, recover } = terms;
  const call: Progress = { ...start, redact, began: 0, attemptsLeft: limits.maxAttempts, phase: 'headers' };

  for (;;) {
    const left = await enter(gate, call, terms);
    const end = begin({ ...factsOf(call), attempts: call.attempts + 1 });
    let pauseMs: number | undefined;
    try {
      const received = await once(surroundings, call, request, terms, left);
      gate.leave();
      end(outcomeOf(call, 'ok'));
      return received;
    } catch (error) {
      pauseMs = afterFailure(gate, call, terms, error as PassportError, end);
    }
    if (pauseMs === undefined) continue; // the gate holds the call back
    if (!signal?.aborted) await delay(pauseMs, signal);
    checkSignal(call, signal);
    if (performance.now() >= deadline.at) throw outOfTime(call, terms, 'pause');
    const recovered = await recover?.();
    if (recovered) return recovered;
  }
}
