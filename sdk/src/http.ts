import type { Client, FetchResponse, MaybeOptionalInit } from 'openapi-fetch';
import type { operations, paths } from '../../openapi/src/generated/types.ts';
import { ArgumentError } from './errors.ts';
import { requests } from './generated/requests.ts';

/** The operations under `/api/v1`, which need a key. */
export type ApiOperation = keyof typeof requests;

/**
 * The value of an operation: the address that it redirects to, or otherwise the body of its 200; for the passport page,
 * the HTML. This type reads the generated types itself because openapi-fetch's own mapping drops `string & {}`, which
 * stands for any other text.
 */
export type OperationOutput<Name extends keyof operations> = operations[Name]['responses'] extends { 307: unknown }
  ? string
  : operations[Name]['responses'] extends { 200: { content: infer Content } }
    ? Content extends { 'text/html': infer Page }
      ? Page
      : Content[keyof Content]
    : never;

/**
 * The contract's types for openapi-fetch. An open enumeration is `string`, because openapi-fetch would turn its
 * `string & {}` into an object.
 */
type Plain<Type> = string & Record<never, never> extends Type
  ? string | Exclude<Type, string>
  : Type extends object
    ? { [Key in keyof Type]: Plain<Type[Key]> }
    : Type;

/** The paths of the contract under `/api/v1`, as openapi-fetch's types take them. */
export type ApiPaths = { [Path in keyof paths as Path extends `/api/v1/${string}` ? Path : never]: Plain<paths[Path]> };

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
} & Client<ApiPaths>;

/** Makes every method of a client of openapi-fetch send its requests with `call`. */
export function httpClient<Init extends object>(
  client: Client<ApiPaths>,
  call: (operation: ApiOperation, init: Init) => Promise<unknown>,
): HttpClient {
  const request = async (method: string, path: string, init = {} as Init) => {
    const names = Object.keys(requests) as ApiOperation[];
    const operation = names.find((one) => `${requests[one]}` === `${`${method}`.toUpperCase()},${path}`);
    if (!operation) throw new ArgumentError('path', `must be one that the contract has under /api/v1, with ${method}`);
    return call(operation, init);
  };
  const methods = Object.keys(client).filter((name) => name === name.toUpperCase());
  const bound = methods.map((method) => [method, (path: string, init?: Init) => request(method, path, init)]);
  return { ...client, ...Object.fromEntries(bound), request };
}
