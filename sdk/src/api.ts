import { createFinalURL } from 'openapi-fetch';
import { segment } from './address.ts';
import type { ApiResponse } from './api-promise.ts';
import {
  type CallOptions,
  type ClientContext,
  contextOf,
  type Deadline,
  type ObservedOptions,
  perform,
  startOf,
} from './call.ts';
import { ArgumentError, isPassportError } from './errors.ts';
import type { PreparedRequest } from './fetch.ts';
import { requests } from './generated/requests.ts';
import { JsonText, toJson } from './json.ts';
import { type ApiKey, keySource } from './key.ts';
import { type AllLimits, type Limits, limits } from './limits.ts';
import type { ApiOperation, OperationInput, OperationOutput } from './operation.ts';
import { type Read, readObject } from './response.ts';
import { describeCause, redactor } from './secret.ts';

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

/** Every query of the contract has plain values. */
function querySerializer(query: Record<string, unknown>): string {
  toJson(query); // throws for NaN
  return Object.entries(query)
    .filter(([, value]) => value != null)
    .map(([name, value]) => {
      if (typeof value === 'object') throw new ArgumentError(name, 'must be a text or a number');
      return `${name}=${encodeURIComponent(value as string)}`;
    })
    .join('&');
}

/** Checks headers before a request has them. The error does not quote a value, which may be a secret. */
function checkHeaders(given: ExtraHeaders): void {
  for (const [name, value] of Object.entries(given)) {
    if (!/^(?!authorization:|content-|host:|user-agent:)[\w-]+:[\t -~\x80-\xff]*$/i.test(`${name}:${value}`)) {
      throw new ArgumentError(`headers.${name}`, 'must be a valid header that the SDK does not set itself');
    }
  }
}

/** Fills the values into a route. Throws an `ArgumentError` for an invalid or missing value. */
function pathSerializer(route: string, values: Record<string, unknown>): string {
  return route.replace(/\{(\w+)\}/g, (_, name) => segment(name, values[name]));
}

/**
 * Builds the request of a call once, with openapi-fetch's URL and query, and performs it with our limits, retries and
 * redaction. openapi-fetch's own client builds requests too, but adds 1.6 KiB.
 */
export function createApi(root: string, options: BaseClientOptions, base: AllLimits, apiKey: ApiKey): Api {
  const context: ClientContext = {
    ...contextOf(options, base),
    redact: redactor(typeof apiKey === 'string' ? apiKey : ''),
    keyFor: keySource(apiKey),
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
    const given = { ...options.headers, ...ofCall };
    checkHeaders(given);
    const headers = {
      ...given,
      'user-agent': `product-passport-sdk/${version}`,
      ...(json && { 'content-type': 'application/json' }),
    };
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
    const offset = input.query?.offset;
    const page = offset ? `?offset=${offset}` : '';
    const path = context.redact(request.url.slice(root.length).replace(/\?.*/s, page));
    const callOptions = { limits: callLimits, signal, deadline: deadline ?? startOf(callLimits), read, recover };
    return perform(context, { operation, method, path, host, attempts: 0 }, request, callOptions);
  };
  return { send: send as Api['send'], deadlineOf: (options) => startOf(limits(options, base)), prepare };
}

/** The package's version, as in package.json. */
const version = '0.1.0';
