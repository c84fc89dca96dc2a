import createFetchClient, {
  type Client as FetchClient,
  type FetchResponse,
  type MaybeOptionalInit,
} from 'openapi-fetch';
import { segment } from './address.ts';
import {
  type CallOptions,
  type ClientContext,
  contextOf,
  type Deadline,
  type ObservedOptions,
  perform,
  startOf,
} from './call.ts';
import type { ApiOperation, ApiPaths, OperationOutput } from './contract.ts';
import { ArgumentError, isPassportError } from './errors.ts';
import { apiRoot, requests } from './generated/requests.ts';
import { type AllLimits, type Limits, limits } from './limits.ts';
import { type ApiResponse, headersOf, type Read, readObject } from './response.ts';
import { describeCause, redactor } from './secret.ts';

/**
 * The tenant's API key, or a function that returns it. The function runs once for each attempt, inside its time limit,
 * so a key can be rotated while the program runs. `signal` fires when the attempt ends early.
 */
export type ApiKey = string | ((signal: AbortSignal) => string | Promise<string>);

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
export interface BaseClientOptions extends ObservedOptions {
  /** Added to each request. Default: none. */
  readonly headers?: ExtraHeaders | undefined;
}

/** Options that only the SDK's own methods set for a call. By default it reads any JSON object. */
type InternalOptions = Partial<Pick<CallOptions, 'deadline' | 'recover' | 'read'>>;

/** The values of a request, as the contract names them. */
export interface Input {
  readonly path?: Record<string, unknown> | undefined;
  readonly query?: object | undefined;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** The options of openapi-fetch for one call, and our limits. */
interface FetchOptions extends RequestOptions {
  readonly params?: Pick<Input, 'path' | 'query'> | undefined;
  readonly body?: unknown;
}

type PathsWith<Method extends string> = {
  [Path in keyof ApiPaths]: ApiPaths[Path] extends Record<Method, unknown> ? Path : never;
}[keyof ApiPaths];

/** A method of openapi-fetch that rejects after a failure, so that its result always has `data`. */
export type HttpMethod<Method extends string> = <
  Path extends PathsWith<Method>,
  Init extends MaybeOptionalInit<ApiPaths[Path], Method & keyof ApiPaths[Path]>,
>(
  path: Path,
  ...init: undefined extends Init ? [init?: Init & Record<string, unknown>] : [init: Init & Record<string, unknown>]
) => Promise<
  FetchResponse<ApiPaths[Path][Method & keyof ApiPaths[Path]] & object, Init, `${string}/${string}`> & { error?: never }
>;

/**
 * A client of [openapi-fetch](https://openapi-ts.dev/openapi-fetch/) with the paths of the contract under `/api/v1`, for
 * libraries that take one. Its calls have the limits, the retries, the hooks and the errors of the methods: they reject
 * instead of returning `error`. A call also takes the options of `RequestOptions`. Its `fetch`, `Request`, `pathSerializer`
 * and `bodySerializer` are those of the SDK, and it refuses another `baseUrl`, because the key would be sent there.
 */
export type HttpClient = {
  readonly GET: HttpMethod<'get'>;
  readonly PUT: HttpMethod<'put'>;
  readonly POST: HttpMethod<'post'>;
} & FetchClient<ApiPaths>;

/** `request` of openapi-fetch, without the types of the contract. */
type FetchRequest = (method: string, path: string, init: object) => Promise<unknown>;

/** What the methods of the client call. */
export type Api = ReturnType<typeof createApi>;

/** What openapi-fetch makes of a call. The platform's `Request` would make a stream of the body, and jsdom has none. */
export class PlainRequest {
  declare readonly url: string;
  declare readonly headers: Headers;
  declare readonly body: string | undefined;

  constructor(url: string, init: object) {
    Object.assign(this, init, { url });
  }
}

/** Checks headers before a request has them. The error does not quote a value, which may be a secret. */
function checkHeaders(given: ExtraHeaders | Headers = {}): void {
  for (const [name, value] of given instanceof Headers ? given : Object.entries(given)) {
    if (!/^(?!authorization:|content-|host:|user-agent:)[\w-]+:[\t -~\x80-\xff]*$/i.test(`${name}:${value}`)) {
      throw new ArgumentError(`headers.${name}`, 'must be a valid header that the SDK does not set itself');
    }
  }
}

/** Throws an `ArgumentError` if the value is not a bearer token (RFC 6750, 2.1). */
function checked(key: unknown): string {
  if (typeof key === 'string' && /^[\w.~+/-]+=*$/.test(key)) return key;
  throw new ArgumentError('apiKey', 'must be a bearer token: letters, digits and - . _ ~ + /, with = only at the end');
}

/** Returns the function that gets the key for an attempt. Throws an `ArgumentError` for an invalid key. */
function keySource(apiKey: ApiKey): (signal: AbortSignal) => Promise<string> {
  if (typeof apiKey !== 'function') {
    checked(apiKey);
    return async () => apiKey;
  }
  return async (signal) => {
    let key: unknown;
    try {
      key = await apiKey(signal);
    } catch (cause) {
      throw new ArgumentError('apiKey', 'could not be read: the function threw an error', { cause });
    }
    return checked(key);
  };
}

/** Fills the values into a route. Throws an `ArgumentError` for an invalid or missing value. */
function pathSerializer(route: string, values: Record<string, unknown>): string {
  return route.replace(/\{(\w+)\}/g, (_, name) => segment(name, values[name]));
}

function bodySerializer(body: unknown): string {
  return typeof body === 'string' ? body : toJson(body);
}

/** Describes a value that JSON cannot express. A member that is `undefined` is allowed: JSON leaves it out. */
function unsupported(value: unknown, inList: boolean, above: unknown[]): string | undefined {
  if (value && above.includes(value)) return 'a circular reference';
  // The tag is the same for objects of another realm; the constructor is not.
  const kind = typeof value === 'object' ? Object.prototype.toString.call(value).slice(8, -1) : typeof value;
  if (kind === 'number') return Number.isFinite(value) ? undefined : String(value);
  if (kind === 'undefined') return inList ? kind : undefined;
  return /^(Object|Array|Null|string|boolean)$/.test(kind) ? undefined : `a ${kind}`;
}

/**
 * Serializes a body, or one element of it, as JSON. `JSON.stringify` alone turns NaN into `null` and a Map into `{}`,
 * and these would overwrite values of a passport. `toJson` throws an `ArgumentError` with the place of such a value.
 * Dates and other objects with a `toJSON` are sent as its result.
 *
 * @param start the place of the element: `[3]`
 */
export function toJson(body: unknown, start = ''): string {
  const above: unknown[] = [];
  const places: string[] = [];
  return JSON.stringify(body, function (this: unknown, name, value: unknown) {
    const depth = above.indexOf(this) + 1;
    above.length = depth;
    const inList = depth ? Array.isArray(this) : start !== '';
    places[depth] = depth ? places[depth - 1] + (inList ? `[${name}]` : `.${name}`) : start;
    // The `toJSON` of an invalid date returns null, which would delete a value of the passport.
    const isBadDate = value === null && Reflect.get(Object(this), name) instanceof Date;
    const reason = isBadDate ? 'an invalid date' : unsupported(value, inList, above);
    if (reason)
      throw new ArgumentError(places[depth].replace(/^\./, '') || 'the body', `is ${reason}, which cannot be sent`);
    above.push(value);
    return value;
  });
}

/**
 * Calls the operations under `/api/v1` with openapi-fetch. It builds the request. Its `fetch` is `perform`, with our
 * limits, retries, errors and redaction.
 */
export function createApi(root: string, options: BaseClientOptions, base: AllLimits, apiKey: ApiKey) {
  const context: ClientContext = {
    ...contextOf(options, base),
    redact: redactor(typeof apiKey === 'string' ? apiKey : ''),
    keyFor: keySource(apiKey),
  };
  const { host } = new URL(root);
  checkHeaders(options.headers);
  const headers = { ...options.headers, 'user-agent': `product-passport-sdk/${version}` };
  const connect = () => createFetchClient<ApiPaths>({ baseUrl: root, headers });

  /**
   * Runs `make`, which reads the arguments of a call. If it throws before a request is sent, an argument is the cause.
   *
   * @param operation named by the error
   */
  const prepare = async <Prepared>(
    operation: string,
    make: () => Prepared | Promise<Prepared>,
    isSent = () => false,
  ): Promise<Prepared> => {
    try {
      return await make();
    } catch (error) {
      // After that it is the error of a middleware.
      if (isPassportError(error) || isSent()) throw error;
      const cause = describeCause(error, context.redact);
      throw new ArgumentError(operation, 'got an argument or middleware that cannot be sent', { cause });
    }
  };

  /** Makes one call. openapi-fetch builds the request; its `fetch` sends it. `respond` makes the response that it reads. */
  const call = (
    client: FetchClient<ApiPaths>,
    operation: ApiOperation,
    init: FetchOptions,
    internal: InternalOptions,
    respond: (received: ApiResponse<unknown>) => Response,
  ): Promise<unknown> => {
    let isSent = false;
    const make = () => {
      const { signal, params } = init;
      const { path = {}, query } = params ?? {};
      toJson(query); // throws for NaN
      // Every query of the contract has plain values.
      for (const [name, value] of Object.entries(query ?? {})) {
        if (typeof value === 'object' && value) throw new ArgumentError(name, 'must be a text or a number');
      }
      const callLimits = limits(init, base);
      const callOptions = { limits: callLimits, signal, deadline: startOf(callLimits), read: readObject, ...internal };
      if (signal && typeof signal.addEventListener !== 'function') {
        throw new ArgumentError('signal', 'must be an AbortSignal');
      }
      checkHeaders(init.headers);
      const [method, route] = requests[operation];
      const fetch = async ({ url, headers: given, body }: PlainRequest): Promise<Response> => {
        if (!url.startsWith(`${root}${apiRoot}/`)) {
          throw new ArgumentError('baseUrl', 'must be that of the client, because its key is sent there');
        }
        // Of the query, only the offset of a later page.
        const shown = url.slice(root.length).replace(/(\?).*?\b(offset=(?!0\b)[^&]+).*|\?.*/s, '$1$2');
        const request = {
          url,
          method,
          redirect: 'manual',
          headers: Object.fromEntries(given),
          ...(body !== undefined && { body }),
        } as const;
        const start = { operation, method, path: context.redact(shown), host, attempts: 0 };
        isSent = true;
        return respond(await perform(context, start, request, callOptions));
      };
      return (client.request as unknown as FetchRequest)(method, route, {
        ...init,
        Request: PlainRequest,
        pathSerializer,
        bodySerializer,
        params: { path, query },
        fetch,
      });
    };
    return prepare(operation, make, () => isSent);
  };

  const client = connect();
  /** Calls an operation. Builds the request at once, so later changes of the input have no effect. */
  const send = async <Name extends ApiOperation>(
    operation: Name,
    input: Input,
    options?: RequestOptions,
    internal: InternalOptions = {},
  ): Promise<ApiResponse<OperationOutput<Name>>> => {
    let received: ApiResponse<unknown> | undefined;
    // openapi-fetch does not read a 204.
    await call(client, operation, { ...options, params: input, body: input.body }, internal, (response) => {
      received = response;
      return { status: 204, ok: true, headers: new Headers() } as unknown as Response;
    });
    return received as ApiResponse<OperationOutput<Name>>;
  };
  // A client of its own, because the program may add middleware to it. It parses the text itself.
  const open = connect();
  const request = async (method: string, path: string, init: FetchOptions = {}) => {
    const names = Object.keys(requests) as ApiOperation[];
    const operation = names.find((one) => `${requests[one]}` === `${`${method}`.toUpperCase()},${path}`);
    if (!operation)
      throw new ArgumentError('path', `must be one that the contract has under ${apiRoot}, with ${method}`);
    const read: Read = (received) => readObject(received) && received.text;
    return call(open, operation, init, { read }, ({ value, response }) => {
      return new Response(value as string, { status: response.status, headers: headersOf(response) });
    });
  };
  const methods = Object.keys(open).filter((name) => name === name.toUpperCase());
  const bound = methods.map((method) => [method, (path: string, init?: FetchOptions) => request(method, path, init)]);
  const http: HttpClient = { ...open, ...Object.fromEntries(bound), request };
  /** Starts the deadline of a call that sends several requests. */
  const deadlineOf = (options: RequestOptions | undefined): Deadline => startOf(limits(options, base));
  return { send, http, deadlineOf, prepare };
}

/** The package's version, as in package.json. */
const version = '0.1.0';
