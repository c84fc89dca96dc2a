import {
  AbortError,
  ArgumentError,
  type Call,
  NetworkError,
  type PassportError,
  type Phase,
  TimeoutError,
} from './errors.ts';
import type { requests } from './generated/requests.ts';
import { backoff, createLimiter, type Limiter, type Wait } from './limiter.ts';
import { type AllLimits, type ClientLimits, delay, withTimeout } from './limits.ts';
import {
  type ApiResponse,
  decide,
  type Fetch,
  type FetchInit,
  type FetchResponse,
  isRedirect,
  type Read,
  textOf,
} from './response.ts';
import { describeCause, type Redact, reasonOf, redactor } from './secret.ts';

/** The methods of the contract's operations. A new one needs a rule in the table. */
type Method = (typeof requests)[keyof typeof requests][0];

/** The start of an attempt. `attempts` is its number and starts at 1. It does not contain the key. */
export interface AttemptStart extends Call {
  readonly method: Method;
  /** The host of the service, with its port if it is not the default. */
  readonly host: string;
}

/** The outcome of one attempt. `attempts` is its number and starts at 1. It does not contain the key. */
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

/** What a program may observe and replace, in both clients. */
export interface ObservedOptions extends ClientLimits {
  /**
   * Replaces the runtime's `fetch`, for a proxy or a test. It is called as `fetch(url, init)`, so `undici.fetch` works.
   * Default: `globalThis.fetch`.
   */
  readonly fetch?: Fetch | undefined;
  /** Called after every attempt. It cannot fail the call: an error that it throws is printed to the console. */
  readonly onAttempt?: ((attempt: Attempt) => unknown) | undefined;
  /**
   * Called before every attempt. It may return a function, which is called after that attempt. Errors are treated as
   * those of `onAttempt`.
   */
  readonly onAttemptStart?: ((start: AttemptStart) => ((attempt: Attempt) => unknown) | undefined) | undefined;
}

/** What all calls of a client share. */
export interface ClientContext {
  /** Default: `globalThis.fetch`. */
  readonly fetch: Fetch | undefined;
  /** Removes the key, or the access token of the call. */
  readonly redact: Redact;
  /** Limits the attempts of all calls. After a 429 it pauses them. */
  readonly limiter: Limiter;
  /** The API key for one attempt. It is fetched inside the attempt's time limit. The public client has none. */
  readonly keyFor?: ((signal: AbortSignal) => Promise<string>) | undefined;
  /** Whether any request got a response: the address is right. */
  hasResponded: boolean;
  /** Reports the start of an attempt. Returns a function that reports its end. */
  reportStart(start: AttemptStart): (attempt: Attempt) => void;
}

/** Calls a hook of the program, if there is one. */
const callHook = <Event, Value>(hook: ((event: Event) => Value) | undefined, event: Event) =>
  // biome-ignore lint/suspicious/noConsole: an error in the program's hook is printed, and does not end the program.
  (async () => hook?.(event))().catch(console.error);

export function contextOf(
  { fetch, onAttempt, onAttemptStart }: ObservedOptions,
  { maxInFlight }: AllLimits,
): Omit<ClientContext, 'redact'> {
  return {
    fetch,
    limiter: createLimiter(maxInFlight),
    hasResponded: false,
    reportStart: (start) => {
      const started = callHook(onAttemptStart, start);
      return (attempt) => {
        void callHook(onAttempt, attempt);
        void started.then((onEnd) => callHook(onEnd || undefined, attempt));
      };
    },
  };
}

/** The end of a call, by `performance.now()`. All requests of a call share it. Waiting for the limiter moves it. */
export interface Deadline {
  at: number;
}

export const startOf = ({ deadlineMs }: AllLimits): Deadline => ({ at: performance.now() + deadlineMs });

/** A request that is ready to be sent. Each attempt sends it once. */
interface PreparedRequest extends Omit<FetchInit, 'signal'> {
  readonly url: string;
}

/** The options of one call. */
export interface CallOptions {
  readonly limits: AllLimits;
  readonly signal: AbortSignal | undefined;
  readonly deadline: Deadline;
  readonly read: Read;
  /** Selects bodies that are not read. Default: none. */
  readonly isUnwanted?: ((response: FetchResponse) => boolean) | undefined;
  /**
   * Makes a POST safe to retry. It runs before a retry, except after a 429, when the service did nothing. If it returns
   * a value, that is the value of the call, and the POST is not sent again.
   */
  readonly recover?: (() => Promise<ApiResponse<unknown> | undefined>) | undefined;
}

/** A call in progress, with the data that its attempts report. */
interface RetriedCall extends AttemptStart {
  /** How many times the request was sent. */
  attempts: number;
  /** The phase of the attempt: `headers` when it begins. */
  phase: Phase;
  /** The response of the attempt: `undefined` when it begins. */
  response?: FetchResponse | undefined;
  readonly start: AttemptStart;
  /** Removes the key of the attempt. */
  redact: Redact;
  /** The start of the attempt, by `performance.now()`. */
  startedAt: number;
  attemptsLeft: number;
  readonly wait: Wait;
  /** The failure of the last attempt. */
  failure?: PassportError;
}

// A failed connection is also a TypeError, with another message.
const mistake =
  /^(reference|range|syntax)error|^typeerror.*( is not (an?|defined|iterable) |(of|is) (undefined|null)\b|must be|locked|already)/is;

function deadlineError(call: RetriedCall, { limits }: CallOptions, phase: Phase): TimeoutError {
  return new TimeoutError(call, 'deadline', limits.deadlineMs, phase, call.failure);
}

/** Makes one attempt, with its own key and within its time limits. Turns a failure into a typed error. */
async function sendOnce(
  context: ClientContext,
  call: RetriedCall,
  { url, ...init }: PreparedRequest,
  options: CallOptions,
  left: number,
): Promise<ApiResponse<unknown>> {
  const { fetch = globalThis.fetch, keyFor } = context;
  const {
    limits: { timeoutMs },
    signal,
  } = options;
  let ended: Error | undefined;
  const attempt = async (own: AbortSignal) => {
    call.attempts += 1;
    const key = await keyFor?.(own);
    if (key) call.redact = redactor(key);
    own.throwIfAborted();
    const headers = key ? { ...init.headers, authorization: `Bearer ${key}` } : init.headers;
    const response = await fetch(url, { ...init, headers, signal: own });
    context.hasResponded = true;
    // A `fetch` that ignores the signal may respond after the attempt has ended.
    if (!own.aborted) {
      call.phase = 'body';
      call.response = response;
    }
    return { response, text: await textOf(response, own, !isRedirect(response) && !options.isUnwanted?.(response)) };
  };
  const onTimeout = () => {
    ended =
      left < timeoutMs
        ? deadlineError(call, options, call.phase)
        : new TimeoutError(call, 'timeout', timeoutMs, call.phase);
  };
  const received = await withTimeout(Math.min(timeoutMs, left), signal, attempt, onTimeout).catch((thrown) => {
    if (signal?.aborted) throw new AbortError(call, call.phase, signal.reason);
    if (thrown instanceof ArgumentError) throw thrown; // the key
    const cause = describeCause(thrown, call.redact);
    ended ??= mistake.test(`${cause}`)
      ? new ArgumentError('fetch', `has a programming error: ${reasonOf(cause)}`, { cause })
      : new NetworkError(call, call.host, cause, context.hasResponded);
    throw ended;
  });
  return { value: decide(call, url, received, call.redact, options.read), response: received.response };
}

/**
 * Waits until the limiter lets the attempt start. The deadline moves, because the call cannot shorten this wait. Returns
 * how long the attempt may take.
 */
async function waitForSlot(limiter: Limiter, call: RetriedCall, options: CallOptions): Promise<number> {
  const { signal } = options;
  const since = performance.now();
  const pauseMs = await limiter.acquire(call.attempts > 0, signal, call.wait);
  if (pauseMs > 0) {
    const error = new TimeoutError(call, 'wait', options.limits.maxWaitMs, 'pause', call.failure);
    throw endOfWait(error, call.wait, pauseMs, options.limits);
  }
  Object.assign(call, { phase: 'headers', response: undefined, startedAt: performance.now() });
  options.deadline.at += call.startedAt - since;
  const left = options.deadline.at - call.startedAt;
  if (left > 0 && !signal?.aborted) return left;
  limiter.release();
  const phase = call.attempts > 0 ? 'pause' : 'headers';
  throw signal?.aborted ? new AbortError(call, phase, signal.reason) : deadlineError(call, options, phase);
}

/** The failure of a call that waits no longer after a 429, with the option that would let it wait. */
function endOfWait(
  failure: PassportError,
  { startsAt = 0, maxWaitMs }: Wait,
  pauseMs: number,
  { maxAttempts }: AllLimits,
): PassportError {
  const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
  const option = maxAttempts > 1 ? `maxWaitMs above ${maxWaitMs}` : 'maxAttempts above 1';
  const { message, stack = '' } = failure;
  failure.message += `. The call waited ${seconds(performance.now() - startsAt)}. The service asks for a pause of ${seconds(pauseMs)}: set ${option} to allow it`;
  failure.stack = stack.replace(message, () => failure.message);
  return failure;
}

/** The end of an attempt, for the program's hook. */
function outcomeOf(call: RetriedCall, outcome: Attempt['outcome'], pauseMs?: number): Attempt {
  const { response, startedAt } = call;
  const requestId = call.redact(response?.headers.get('x-request-id') ?? '') || undefined;
  const durationMs = performance.now() - startedAt;
  return { ...call.start, attempts: call.attempts, outcome, status: response?.status, requestId, durationMs, pauseMs };
}

const transient = ['network_error', 'timeout', 429, 500, 502, 503, 504] as const;

/**
 * The failures after which a request is sent again: statuses, and the codes of errors without a response. A POST is
 * sent again only after a 429, which proves that the service did nothing: any other failed POST may have created
 * something.
 */
const table: Record<Method, readonly (string | number)[]> = { GET: transient, PUT: transient, POST: [429] };

/**
 * The pause that `Retry-After` requires, in milliseconds: after a 429 up to an hour, because every earlier request would
 * be refused too, and otherwise up to a minute. The header has seconds or a date. If it occurs twice, the first value
 * counts. A date is compared with the response's own `Date`, because the clock of this machine may differ.
 */
function requiredPause({ status, headers }: Pick<FetchResponse, 'status' | 'headers'>): number {
  const header = headers.get('retry-after') ?? '';
  const isNumber = /^\d+(,|$)/.test(header);
  const sentAt = Date.parse(headers.get('date') ?? '') || Date.now();
  const required = isNumber ? Number.parseFloat(header) * 1000 : Date.parse(header) - sentAt;
  return Math.max(0, Math.min(required || 0, status === 429 ? 3_600_000 : 60_000));
}

/** Ends a failed attempt. Returns the pause before the next one, or `undefined` after a 429. Throws a final failure. */
function afterFailure(
  limiter: Limiter,
  call: RetriedCall,
  options: CallOptions,
  failure: PassportError,
  reportEnd: (attempt: Attempt) => void,
): number | undefined {
  call.failure = failure;
  const { response } = call;
  const requiredMs = response ? requiredPause(response) : 0;
  if (response?.status === 429) {
    const { pauseMs, isInTime } = limiter.refuse(requiredMs, call.wait);
    const isRetried = options.limits.maxAttempts > 1 && isInTime;
    reportEnd(outcomeOf(call, failure.code, isRetried ? pauseMs : undefined));
    if (isRetried) return undefined;
    throw endOfWait(failure, call.wait, requiredMs || pauseMs, options.limits);
  }
  limiter.release();
  call.attemptsLeft -= 1;
  const ms = backoff(call.attempts) + requiredMs;
  const retried = table[options.recover ? 'PUT' : call.method];
  const isRetried = call.attemptsLeft > 0 && retried.includes('status' in failure ? failure.status : failure.code);
  const isInTime = performance.now() + ms < options.deadline.at;
  reportEnd(outcomeOf(call, failure.code, isRetried && isInTime ? ms : undefined));
  if (!isRetried) throw failure;
  if (!isInTime) throw deadlineError(call, options, 'pause');
  return ms;
}

/** Sends a request until it succeeds, its failure is final, or the attempts or the time run out. */
export async function perform(
  context: ClientContext,
  start: AttemptStart,
  request: PreparedRequest,
  options: CallOptions,
): Promise<ApiResponse<unknown>> {
  const { limiter, reportStart, redact } = context;
  const { limits, signal, recover } = options;
  const call: RetriedCall = {
    ...start,
    start,
    redact,
    attemptsLeft: limits.maxAttempts,
    wait: { maxWaitMs: limits.maxWaitMs },
    startedAt: 0,
    phase: 'headers',
  };

  for (;;) {
    const left = await waitForSlot(limiter, call, options);
    const reportEnd = reportStart({ ...start, attempts: call.attempts + 1 });
    let pauseMs: number | undefined;
    try {
      const received = await sendOnce(context, call, request, options, left);
      limiter.release();
      reportEnd(outcomeOf(call, 'ok'));
      return received;
    } catch (error) {
      pauseMs = afterFailure(limiter, call, options, error as PassportError, reportEnd);
    }
    if (pauseMs === undefined) continue; // the limiter delays the call
    await delay(pauseMs, signal);
    const recovered = !signal?.aborted && (await recover?.());
    if (recovered) return recovered;
  }
}
