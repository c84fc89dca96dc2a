import { createFinalURL, serializePrimitiveParam } from 'openapi-fetch';
import { segment } from './address.ts';
import type { ApiResponse } from './api-promise.ts';
import {
  type Attempt,
  type AttemptStart,
  type CallOptions,
  type ClientContext,
  type Deadline,
  perform,
} from './call.ts';
import { ArgumentError, isPassportError } from './errors.ts';
import type { Fetch, PreparedRequest } from './fetch.ts';
import { requests } from './generated/requests.ts';
import { JsonText, toJson } from './json.ts';
import { type ApiKey, keySource } from './key.ts';
import { createLimiter } from './limiter.ts';
import { type AllLimits, type ClientLimits, type Limits, limits } from './limits.ts';
import type { ApiOperation, OperationInput, OperationOutput } from './operation.ts';
import { type Read, readObject } from './response.ts';
import { describeCause, redactor } from './secret.ts';
import { version } from './version.ts';

/**
 * Headers to add to requests, such as a proxy's. Those that the SDK sets (`authorization`, `content-type`, `user-agent`)
 * cannot be replaced.
 */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** Options of one call. Limits that are left out default to those of the client. */
export interface RequestOptions extends Limits {
  /** Added to the headers of the client, for all attempts of the call. Default: none. */
  readonly headers?: ExtraHeaders | undefined;
  /** Ends the call when it fires, also while the response is read and during a pause. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** Options that apply to every call of a client. */
export interface BaseClientOptions extends ClientLimits {
  /**
   * Replaces the runtime's `fetch`, for a proxy or a test. It is called as `fetch(url, init)`, so `undici.fetch` works.
   * Default: `globalThis.fetch`.
   */
  readonly fetch?: Fetch | undefined;
  /** Added to each request. Default: none. */
  readonly headers?: ExtraHeaders | undefined;
  /** Called after every attempt. It cannot fail the call: an error that it throws is printed to the console. */
  readonly onAttempt?: ((attempt: Attempt) => unknown) | undefined;
  /**
   * Called before every attempt. It may return a function, which is called after that attempt. Errors are treated as
   * those of `onAttempt`.
   */
  readonly onAttemptStart?: ((start: AttemptStart) => ((attempt: Attempt) => unknown) | undefined) | undefined;
}

/** Options that only the SDK's own methods set for a call. */
interface InternalOptions extends Partial<Pick<CallOptions, 'deadline' | 'recover'>> {
  /** Default: any JSON object. */
  readonly read?: Read;
}

/** The input of an operation, whose body may be serialized JSON already. */
type SerializedInput<Name extends ApiOperation> =
  | OperationInput<Name>
  | (Omit<OperationInput<Name>, 'body'> & { readonly body: JsonText });

/** The input of any operation, as a program without types may pass it. */
interface AnyInput {
  readonly path?: Record<string, unknown>;
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
}

/** What the methods of the client call. */
export interface Api {
  /** Calls an operation. Builds the request at once, so later changes of the input have no effect. */
  send<Name extends ApiOperation>(
    operation: Name,
    input: SerializedInput<Name>,
    options?: RequestOptions,
    internal?: InternalOptions,
  ): Promise<ApiResponse<OperationOutput<Name>>>;
  /** Starts the deadline of a call that sends several requests. */
  deadlineOf(options: RequestOptions | undefined): Deadline;
  /**
   * Runs `make`, which reads the arguments of a call. If it throws, an argument is the cause.
   *
   * @param operation named by the error
   */
  prepare<Prepared>(operation: string, make: () => Prepared): Prepared;
}

/** Calls a hook of the program, if there is one. */
const callHook = <Event, Value>(hook: ((event: Event) => Value) | undefined, event: Event) =>
  // biome-ignore lint/suspicious/noConsole: an error in the program's hook is printed, and does not end the program.
  (async () => hook?.(event))().catch(console.error);

const startOf = ({ deadlineMs }: AllLimits): Deadline => ({ at: performance.now() + deadlineMs });

/** Every query of the contract has plain values. A list or an object throws. */
function querySerializer(query: Record<string, unknown>): string {
  return Object.entries(query)
    .map(([name, value]) => {
      if (typeof value === 'number' && !Number.isFinite(value))
        throw new ArgumentError(name, 'must be a finite number');
      return serializePrimitiveParam(name, value as string);
    })
    .filter(Boolean)
    .join('&');
}

/** Checks headers before a request has them. The error does not quote a value, which may be a secret. */
function extraHeaders(given: ExtraHeaders): Record<string, string> {
  for (const [name, value] of Object.entries(given)) {
    const isValid = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
    if (!isValid || /^(authorization|content-(type|length)|host|user-agent)$/i.test(name)) {
      throw new ArgumentError(`headers.${name}`, isValid ? 'is set by the SDK' : 'is no valid header');
    }
  }
  return { ...given };
}

/** Fills the values into a route. Throws an `ArgumentError` for an invalid or missing value. */
function pathSerializer(route: string, values: Record<string, unknown>): string {
  return route.replace(/\{(\w+)\}/g, (_, name) => segment(name, values[name]));
}

/**
 * Builds the request of a call once, with openapi-fetch's URL and query, and performs it with our limits, retries and
 * redaction. openapi-fetch's own client builds requests too, but adds 1.6 KiB.
 */
export function createApi(
  root: string,
  { fetch, headers: ofClient, onAttempt, onAttemptStart }: BaseClientOptions,
  base: AllLimits,
  apiKey: ApiKey,
): Api {
  const context: ClientContext = {
    fetch,
    redact: redactor(typeof apiKey === 'string' ? apiKey : ''),
    limiter: createLimiter(base.maxInFlight),
    keyFor: keySource(apiKey),
    reportStart: (start) => {
      const started = callHook(onAttemptStart, start);
      return (attempt) => {
        void callHook(onAttempt, attempt);
        void started.then((onEnd) => callHook(onEnd || undefined, attempt));
      };
    },
  };

  const { host } = new URL(root);

  const requestOf = (
    method: string,
    route: string,
    { path = {}, query = {}, body }: AnyInput,
    ofCall: ExtraHeaders | undefined,
  ): PreparedRequest => {
    const json = body instanceof JsonText || body === undefined ? body?.text : toJson(body);
    const url = createFinalURL(route, { baseUrl: root, params: { path, query }, querySerializer, pathSerializer });
    const headers = extraHeaders({ ...ofClient, ...ofCall });
    headers['user-agent'] = `product-passport-sdk/${version}`;
    if (json) headers['content-type'] = 'application/json';
    return { url, method, redirect: 'manual', headers, ...(json && { body: json }) };
  };

  const prepare: Api['prepare'] = (operation, make) => {
    try {
      return make();
    } catch (error) {
      if (isPassportError(error)) throw error;
      const cause = describeCause(error, context.redact);
      throw new ArgumentError(operation, 'got an argument that cannot be sent', { cause });
    }
  };

  const send = async (
    operation: ApiOperation,
    input: AnyInput,
    options: RequestOptions | undefined,
    { read = readObject, deadline, recover }: InternalOptions = {},
  ): Promise<ApiResponse<unknown>> => {
    const signal = options?.signal;
    const callLimits = limits(options, base);
    if (!Object.hasOwn(requests, operation)) {
      throw new ArgumentError('operation', 'must be an operationId of the contract, under /api/v1');
    }
    const [method, route] = requests[operation];
    if (signal && typeof signal.addEventListener !== 'function') {
      throw new ArgumentError('signal', 'must be an AbortSignal');
    }
    const request = prepare(operation, () => requestOf(method, route, input, options?.headers));
    const path = context.redact(request.url.slice(root.length).replace(/\?.*/s, ''));
    const callOptions = { limits: callLimits, signal, deadline: deadline ?? startOf(callLimits), read, recover };
    const offset = input.query?.offset as number | undefined;
    return perform(context, { operation, method, path, offset, host, attempts: 0 }, request, callOptions);
  };
  return { send: send as Api['send'], deadlineOf: (options) => startOf(limits(options, base)), prepare };
}
