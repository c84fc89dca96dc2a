import { createFinalURL, createQuerySerializer } from 'openapi-fetch';
import { type Read, readObject } from './answer.ts';
import { type Attempt, perform, type Surroundings, type Terms } from './call.ts';
import { ArgumentError, isPassportError } from './errors.ts';
import type { Fetch, PreparedRequest } from './fetch.ts';
import { requests } from './generated/requests.ts';
import { JsonText, toJson } from './json.ts';
import { type AllLimits, type Limits, limits } from './limits.ts';
import type { ApiOperation, Input, Value } from './operation.ts';
import { segment } from './path.ts';
import type { Received } from './result.ts';
import { describeCause, redactor } from './secret.ts';

/** Options of one call. Limits that are left out default to those of the client. */
export interface RequestOptions extends Limits {
  /** Ends the call when it fires, also while the response is read and during a pause. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** Options that apply to every call of a client. */
export interface CallOptions extends Limits {
  /**
   * Replaces the runtime's `fetch`, for a proxy or a test. It is called as `fetch(url, init)`, so `undici.fetch` works.
   * Default: `globalThis.fetch`.
   */
  readonly fetch?: Fetch | undefined;
  /** Called after every attempt. It cannot fail the call: an error that it throws is printed to the console. */
  readonly onAttempt?: ((attempt: Attempt) => unknown) | undefined;
}

/** Additional terms that the SDK's own methods set for a call. */
interface Additions extends Partial<Pick<Terms, 'until' | 'recover'>> {
  /** Default: any JSON object. */
  readonly read?: Read;
}

/** The input of an operation, whose body may be serialized JSON already. */
type Sent<Name extends ApiOperation> = Input<Name> | (Omit<Input<Name>, 'body'> & { readonly body: JsonText });

/** The input of any operation, as a program without types may pass it. */
interface AnyInput {
  readonly path?: Record<string, unknown>;
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
}

/** The engine of the client. */
export interface Api {
  /** Calls an operation. Builds the request at once, so later changes of the input have no effect. */
  send<Name extends ApiOperation>(
    operation: Name,
    input: Sent<Name>,
    options?: RequestOptions,
    additions?: Additions,
  ): Promise<Received<Value<Name>>>;
  /** Runs `make`, which reads the arguments of a call. If it throws, an argument is the cause. */
  prepare<Prepared>(operation: ApiOperation, make: () => Prepared): Prepared;
}

const querySerializer = createQuerySerializer();

/** Fills the values into a route. Throws an `ArgumentError` for an invalid or missing value. */
function pathSerializer(route: string, values: Record<string, unknown>): string {
  return route.replace(/\{(\w+)\}/g, (_, name) => segment(name, values[name]));
}

/**
 * Builds the request of a call once, with openapi-fetch's URL and query, and performs it with our limits, retries and
 * redaction. openapi-fetch's own client builds requests too, but adds 1.6 KiB.
 */
export function createApi(root: string, { fetch, onAttempt }: CallOptions, base: AllLimits, key: string): Api {
  const surroundings: Surroundings = {
    fetch,
    redact: redactor(key),
    authorize: () => ({ authorization: `Bearer ${key}` }),
    report: (attempt) => {
      // biome-ignore lint/suspicious/noConsole: an error in the program's hook is printed, and does not end the program.
      if (onAttempt) Promise.resolve(attempt).then(onAttempt).catch(console.error);
    },
  };

  const requestOf = (method: string, route: string, { path = {}, query = {}, body }: AnyInput): PreparedRequest => {
    const json = body instanceof JsonText || body === undefined ? body?.text : toJson(body);
    const url = createFinalURL(route, { baseUrl: root, params: { path, query }, querySerializer, pathSerializer });
    const content = json ? { headers: { 'content-type': 'application/json' }, body: json } : { headers: {} };
    return { url, method, redirect: 'manual', ...content };
  };

  const prepare: Api['prepare'] = (operation, make) => {
    try {
      return make();
    } catch (error) {
      if (isPassportError(error)) throw error;
      const cause = describeCause(error, surroundings.redact);
      throw new ArgumentError(operation, 'got an argument that cannot be sent', { cause });
    }
  };

  const send = async (
    operation: ApiOperation,
    input: AnyInput,
    options: RequestOptions | undefined,
    { read = readObject, until, recover }: Additions = {},
  ): Promise<Received<unknown>> => {
    const signal = options?.signal;
    const own = limits(options, base);
    if (!Object.hasOwn(requests, operation)) {
      throw new ArgumentError('operation', 'must be an operationId of the contract, under /api/v1');
    }
    const [method, route] = requests[operation];
    if (signal && typeof signal.addEventListener !== 'function') {
      throw new ArgumentError('signal', 'must be an AbortSignal');
    }
    const request = prepare(operation, () => requestOf(method, route, input));
    const path = surroundings.redact(request.url.slice(root.length).replace(/\?.*/s, ''));
    const terms = { limits: own, signal, until: until ?? performance.now() + own.deadlineMs, read, recover };
    return perform(surroundings, { operation, method, path, attempts: 0, phase: 'headers' }, request, terms);
  };
  return { send: send as Api['send'], prepare };
}
