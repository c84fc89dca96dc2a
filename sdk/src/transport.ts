import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';
import { decide, type Read, readObject, textOf } from './answer.ts';
import { callSite, runFor } from './call-site.ts';
import {
  AbortError,
  ArgumentError,
  type Call,
  isPassportError,
  NetworkError,
  type Operation,
  type PassportError,
  type Phase,
  TimeoutError,
} from './errors.ts';
import type { operations } from './generated/openapi.ts';
import { requests } from './generated/requests.ts';
import { toJson } from './json.ts';
import { type AllLimits, type Limits, limits, within } from './limits.ts';
import { type Reply, replied } from './result.ts';
import { mayRepeat, pauseAfter } from './retry.ts';
import { describeCause, redactor } from './secret.ts';

/** What sends a request: the runtime's `fetch`, or one that replaces it. It is called with a `Request`. */
export type Fetch = (request: Request) => Promise<Response>;

/** Options of one call. A limit that is not given is taken from the client. */
export interface RequestOptions extends Limits {
  /** Ends the call when it fires, also while the answer is read or a pause lasts. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** The outcome of one attempt; `attempts` is which one it was, from 1 on. It holds no key. */
export interface Attempt extends Call {
  /** `ok`, or the `code` of the error that it failed with. */
  readonly outcome: 'ok' | PassportError['code'];
  /** The answer's status. `undefined` if none came. */
  readonly status: number | undefined;
  /** How long the call now waits before the next attempt, in milliseconds. `undefined`: this one was the last. */
  readonly pauseMs: number | undefined;
}

/** Options that apply to every call of a client. */
export interface CallOptions extends Limits {
  /** Replaces the runtime's `fetch`, for a proxy or a test. Called with a `Request`. Default: `globalThis.fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Called after every attempt. It cannot fail the call: an error of its own is printed to the console. */
  readonly onAttempt?: ((attempt: Attempt) => unknown) | undefined;
}

/** The operations under `/api/v1`, which take a key. */
export type ApiOperation = keyof typeof requests;

type Body<Name extends Operation> = operations[Name] extends { requestBody: { content: infer Content } }
  ? { readonly body: Content[keyof Content] }
  : { readonly body?: never };

/** What an operation is asked: the values of its path, its query and its body. Its method and path are the contract's. */
type Asked<Name extends ApiOperation> = Pick<operations[Name]['parameters'], 'path' | 'query'> & Body<Name>;

/** The same, of whichever operation. */
interface AnyAsked {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/**
 * What an operation gives: the address that it redirects to where it does, else the body of its 200 (of the page's two
 * the HTML, which is never asked for otherwise). Read from the generated types and not from openapi-fetch, whose mapping
 * of them takes `string & {}`, any other value, apart.
 */
export type Value<Name extends Operation> = operations[Name]['responses'] extends { 307: unknown }
  ? string
  : operations[Name]['responses'] extends { 200: { content: infer Content } }
    ? Content extends { 'text/html': infer Page }
      ? Page
      : Content[keyof Content]
    : never;

export type Transport = <Name extends ApiOperation>(
  operation: Name,
  ask: () => Asked<Name>,
  options?: RequestOptions,
  /** What it answers. */
  read?: Read,
  /** When it ends, by `performance.now()`, where it is one of several requests of a call. */
  until?: number,
) => Reply<Value<Name>, Name>;

const querySerializer = createQuerySerializer();

/**
 * The one way out to the network: every request of every method, each page of a list too, goes through here.
 *
 * @param base the limits of a call that has none of its own
 */
export function createTransport(
  root: string,
  { fetch, onAttempt }: CallOptions,
  base: AllLimits,
  key: string,
): Transport {
  async function run<Name extends ApiOperation>(
    operation: Name,
    ask: () => Asked<Name>,
    options: RequestOptions | undefined,
    read: Read = readObject,
    until?: number,
  ): Promise<Value<Name>> {
    const site = callSite;
    const { timeoutMs, deadlineMs, maxAttempts } = limits(options, base);
    const signal = options?.signal;
    const deadline = until ?? performance.now() + deadlineMs;
    const redact = redactor(key);
    const [method, route] = requests[operation];
    const call = { operation, method, path: '', attempts: 0 };
    // Node ends an exchange by its request's signal, which it loses once nothing refers to the request.
    let request: Request | undefined;
    let body: string | undefined;
    let phase: Phase;
    let response: Response | undefined;
    let failure: PassportError | undefined;

    /** Sends the request, and gives the text of its answer. */
    const send = async (own: AbortSignal | undefined): Promise<string> => {
      const { body: value, ...params } = ask() as AnyAsked;
      // Every attempt sends what the first one did, also where the program changes its values meanwhile.
      if (value !== undefined) body ??= toJson(value);
      const address = createFinalURL(route, {
        baseUrl: root,
        params,
        querySerializer,
        pathSerializer: defaultPathSerializer,
      });
      const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
      const init = { method, headers, body: body ?? null, redirect: 'manual', signal: own ?? null } as const;
      request = new Request(address, init);
      call.path = redact(request.url.slice(root.length).replace(/\?.*/s, ''));
      own?.throwIfAborted();
      call.attempts += 1;
      const came = await (fetch ? fetch(request) : globalThis.fetch(request));
      // A fetch that does not listen may answer when nobody waits for it any more.
      if (!own?.aborted) {
        phase = 'body';
        response = came;
      }
      return textOf(came, own);
    };

    // An attempt that timed out says nothing of the one before: the chain would be as long as the call.
    const timeout = (code: 'timeout' | 'deadline', ms: number) =>
      new TimeoutError(call, code, ms, phase, code === 'deadline' ? failure : undefined);

    /** One attempt: its value, or a typed error thrown. */
    const attempt = async (left: number): Promise<unknown> => {
      let own: AbortSignal | undefined;
      let text: string;
      phase = 'headers';
      response = undefined;
      try {
        text = await within(Math.min(timeoutMs, left), signal, (given) => {
          own = given;
          return send(own);
        });
      } catch (thrown) {
        if (!request && isPassportError(thrown)) throw thrown;
        if (request && signal?.aborted) throw new AbortError(call, phase, signal.reason);
        if (own?.aborted) throw left < timeoutMs ? timeout('deadline', deadlineMs) : timeout('timeout', timeoutMs);
        const cause = describeCause(thrown, redact);
        if (request) throw new NetworkError(call, new URL(root).host, cause);
        throw runFor(site, () => new ArgumentError(operation, 'got an argument that cannot be sent', { cause }));
      }
      return decide(
        call,
        (request as unknown as Request).url,
        { response: response as unknown as Response, text },
        redact,
        read,
      );
    };

    const tell = (outcome: Attempt['outcome'], pauseMs?: number) => {
      const told: Attempt = { ...call, outcome, status: response?.status, pauseMs };
      // biome-ignore lint/suspicious/noConsole: the program's own mistake; it must not end the program, nor go unseen.
      if (onAttempt && call.attempts) Promise.resolve(told).then(onAttempt).catch(console.error);
    };

    for (;;) {
      try {
        const value = await attempt(deadline - performance.now());
        tell('ok');
        // The contract says so. That a service keeps it is the conformance suite's to prove and not each call's.
        return value as Value<Name>;
      } catch (error) {
        failure = error as PassportError;
      }
      const repeats = call.attempts < maxAttempts && mayRepeat(call.method, failure);
      const pause = pauseAfter(call.attempts, response);
      const inTime = performance.now() + pause < deadline;
      tell(failure.code, repeats && inTime ? pause : undefined);
      if (!repeats) throw failure;
      phase = 'pause';
      if (inTime && !signal?.aborted) await within(pause, signal, () => new Promise(() => {})).catch(() => {});
      if (signal?.aborted) throw new AbortError(call, phase, signal.reason);
      if (performance.now() >= deadline || !inTime) throw timeout('deadline', deadlineMs);
    }
  }

  return <Name extends ApiOperation>(...call: Parameters<typeof run<Name>>) => replied<Value<Name>, Name>(run(...call));
}
