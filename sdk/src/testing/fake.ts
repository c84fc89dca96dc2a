import type { operations, ServerErrorCode } from '../../../openapi/src/generated/types.ts';
import { errorBodyOf } from '../../../openapi/src/rules/errors.ts';
import { pathPattern } from '../../../openapi/src/rules/side.ts';
import { type Client, type ClientOptions, createClient } from '../client.ts';
import type * as contract from '../contract.ts';
import type { ApiOperation, OperationOutput } from '../contract.ts';
import type { KnownErrorCode, Operation } from '../errors.ts';
import type { publicRequests } from '../generated/requests.ts';
import { errors, examples, operations as served } from '../generated/samples.ts';
import { createPublicClient, type PublicClient, type PublicClientOptions } from '../public.ts';
import type { PlatformFetch } from '../response.ts';
import { decoded } from './service/respond.ts';

/** The operations of the public side. A Digital Link with key qualifiers counts as `resolveGtin`. */
export type PublicOperation = Exclude<keyof typeof publicRequests, 'getResolverDescription'>;

/** The error codes of an operation. */
export type FakeErrorCode<Name extends Operation> = Exclude<KnownErrorCode<Name>, ServerErrorCode>;

// Registered, like the brand of errors: a test may use one copy of this package, and the tested program another.
const errorBody: unique symbol = Symbol.for('@product-passport/sdk/fake-refusal');
const failure: unique symbol = Symbol.for('@product-passport/sdk/fake-failure');

/** A response with an error body, made by `apiError`. */
export interface FakeApiError<Code extends string> {
  readonly [errorBody]: { readonly code: Code; readonly message: string };
}

/** A connection failure, made by `networkError`. */
export interface FakeNetworkError {
  readonly [failure]: { readonly thrown: unknown };
}

/** A response with the contract's error body. The status is the contract's status for the code. */
export function apiError<Code extends FakeErrorCode<Operation>>(
  code: Code,
  message = 'An error of the fake.',
): FakeApiError<Code> {
  return { [errorBody]: { code, message } };
}

/** A connection failure: `fetch` rejects with `thrown`, by default the `TypeError` of a failed connection. */
export function networkError(thrown: unknown = new TypeError('fetch failed')): FakeNetworkError {
  return { [failure]: { thrown } };
}

type Of<Name extends Operation, Part extends 'path' | 'query'> = NonNullable<operations[Name]['parameters'][Part]>;
type PathOf<Name extends Operation> = [Of<Name, 'path'>] extends [never] ? unknown : Of<Name, 'path'>;
type QueryOf<Name extends Operation> = [Of<Name, 'query'>] extends [never] ? Record<string, never> : Of<Name, 'query'>;
type BodyOf<Name extends Operation> = operations[Name] extends { requestBody: { content: infer Content } }
  ? Content[keyof Content]
  : undefined;
/**
 * A received request: its operation, the values of its path (`slug`, or `tenant` and `product`, or `gtin`), its query
 * and its body with the types of the contract, and the `Request` itself. Each attempt and each page of a list is one
 * call.
 */
export type FakeCall<Name extends Operation = Operation> = {
  [One in Name]: PathOf<One> & {
    readonly operation: One;
    readonly query: QueryOf<One>;
    readonly body: BodyOf<One>;
    readonly request: Request;
  };
}[Name];

/**
 * The response of an operation: its value (for `getPassportPage` the HTML, for `resolveGtin` the address that it
 * redirects to, for `putPassport` with or without `findings`), one of its codes, a network failure, or any `Response`, such as a gateway's error page.
 */
export type FakeResponse<Name extends Operation> =
  | (Name extends 'putPassport' ? contract.PassportWriteResult : OperationOutput<Name>)
  | FakeApiError<FakeErrorCode<Name>>
  | FakeNetworkError
  | Response;

/** A response for each operation that the program calls, or a function that makes the response from the call. */
export type FakeResponses<Name extends Operation = Operation> = {
  readonly [One in Name]?:
    | FakeResponse<One>
    | ((call: FakeCall<One>) => FakeResponse<One> | Promise<FakeResponse<One>>);
};

/** A `fetch` that responds by operation, and the calls that it received. */
export interface FakeFetch<Name extends Operation = Operation> {
  /** For `createClient` or `createPublicClient`. */
  readonly fetch: PlatformFetch;
  /** The received calls, oldest first. */
  readonly calls: readonly FakeCall<Name>[];
}

const patterns = served.map(({ method, path, variantOf, parameters }) => ({
  operation: variantOf,
  method,
  // The site may be below a path.
  pattern: pathPattern(path, ''),
  numbers: parameters.filter(({ schema }) => schema.type === 'integer').map(({ name }) => name),
}));

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });
}

// The status 501 is not retried, so that the test gets the error at once, with this text in its message.
function notFaked(message: string): Response {
  return json({ error: { code: 'not_faked', message } }, 501);
}

async function callOf(request: Request): Promise<FakeCall | undefined> {
  const { pathname, searchParams } = new URL(request.url);
  for (const { operation, method, pattern, numbers } of patterns) {
    const found = method === request.method && pattern.exec(pathname);
    if (!found) continue;
    const query = [...searchParams].map(([name, value]) => [name, numbers.includes(name) ? Number(value) : value]);
    const text = await request.clone().text();
    return {
      ...decoded(found.groups ?? {}),
      operation,
      query: Object.fromEntries(query),
      body: text ? JSON.parse(text) : undefined,
      request,
    } as FakeCall;
  }
  return undefined;
}

function errorResponse(operation: Operation, { code, message }: FakeApiError<string>[typeof errorBody]): Response {
  const { codes = [], side } = served.find(({ operationId }) => operationId === operation) ?? {};
  const status = codes.includes(code) && errors[code]?.status;
  if (!status) return notFaked(`${operation} has no ${code}, only ${codes.join(', ')}.`);
  if (side?.errors === 'page') return page(`<!doctype html><title>${message}</title>`, status);
  // The contract requires Retry-After with these statuses. 0 does not lengthen the client's own pause.
  return json(
    errorBodyOf(side?.errorBody ?? {}, code, message),
    status,
    status === 429 || status === 503 ? { 'retry-after': '0' } : {},
  );
}

function page(html: string, status = 200): Response {
  return new Response(html, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
}

function respond(operation: Operation, response: unknown): Response {
  if (response instanceof Response) return response.clone();
  const { [errorBody]: error, [failure]: failed } = Object(response) as Partial<
    FakeApiError<string> & FakeNetworkError
  >;
  if (failed) throw failed.thrown;
  if (error) return errorResponse(operation, error);
  const { types: [type] = [], redirects } = served.find(({ operationId }) => operationId === operation) ?? {};
  if (type === 'text/html') return page(String(response));
  if (redirects) return new Response(null, { status: 307, headers: { location: String(response) } });
  const { findings, ...body } = Object(response);
  if (operation === 'putPassport' && findings !== undefined)
    return json(body, 200, { 'passport-findings': `${findings}` });
  return json(response);
}

/**
 * A `fetch` for `createClient` or `createPublicClient`, for a program that creates its client itself. An operation
 * without a response fails with the code `not_faked`.
 *
 * If a response function throws, the client rejects with a `NetworkError`. If an `expect` in the function fails, the
 * `cause` of the `NetworkError` has its message. It is better to check `calls` after the call.
 */
export function createFakeFetch<Name extends Operation = Operation>(responses: FakeResponses<Name>): FakeFetch<Name> {
  const calls: FakeCall<Name>[] = [];
  const fetch: PlatformFetch = async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const call = await callOf(request);
    if (!call) return notFaked(`${request.method} ${request.url} is not an operation of the contract.`);
    calls.push(call as FakeCall<Name>);
    const response: unknown = Reflect.get(responses, call.operation);
    if (response === undefined) return notFaked(`The fake has no response for ${call.operation}.`);
    return respond(call.operation, typeof response === 'function' ? await response(call) : response);
  };
  return { fetch, calls };
}

/** The real client of the API with responses that you define, and the calls that it made. */
export type FakeClient = Client & {
  /** The calls that the client made, oldest first: each attempt, and each page of a list. */
  readonly calls: readonly FakeCall<ApiOperation>[];
};

/**
 * A client without a network. Each operation responds with its entry in `responses`; an operation without an entry fails
 * with the code `not_faked`. Everything between your program and `fetch` is the real client.
 *
 * If a response function throws, the call rejects as with `createFakeFetch`.
 *
 * @param options The options of `createClient`. Default: an example address and key, and one attempt, because a retry
 *   waits. With `maxAttempts` above 1 the pauses between attempts are real: up to 0.5 s, then 1, 2, 4 and 8 s, at
 *   random. Each attempt is a call.
 */
export function createFakeClient(
  responses: FakeResponses<ApiOperation>,
  options: Partial<Omit<ClientOptions, 'fetch'>> = {},
): FakeClient {
  const { fetch, calls } = createFakeFetch(responses);
  const client = createClient({
    dangerouslyAllowBrowser: true, // tests in jsdom
    baseUrl: 'https://passport.example.com/api/v1',
    apiKey: 'ppk_fake',
    maxAttempts: 1,
    ...options,
    fetch,
  });
  return Object.assign(client, { calls });
}

/** The real client of the public side with responses that you define, and the calls that it made. */
export type FakePublicClient = PublicClient & {
  /** The calls that the client made, oldest first, including each request of `resolve`. */
  readonly calls: readonly FakeCall<PublicOperation>[];
};

/** Like `createFakeClient`, for the public side. */
export function createFakePublicClient(
  responses: FakeResponses<PublicOperation>,
  options: Partial<Omit<PublicClientOptions, 'fetch'>> = {},
): FakePublicClient {
  const { fetch, calls } = createFakeFetch(responses);
  const site = createPublicClient({ siteUrl: 'https://passport.example.com', ...options, fetch });
  return Object.assign(site, { calls });
}

function clamped(name: 'limit' | 'offset', query: contract.ProductQuery): number {
  const list = served.find(({ operationId }) => operationId === 'listProducts');
  const { default: usual, 'x-clamp': bounds } = list?.parameters.find((one) => one.name === name)?.schema ?? {};
  return Math.min(Math.max(query[name] ?? Number(usual), bounds?.minimum ?? 0), bounds?.maximum ?? Infinity);
}

/** The page of a list that a `listProducts` query requests, with the contract's default and bounds of `limit`. */
export function pageOf(
  items: readonly contract.ProductListItem[],
  query: contract.ProductQuery = {},
): contract.ProductList {
  const limit = clamped('limit', query);
  const offset = clamped('offset', query);
  return { items: items.slice(offset, offset + limit), total: items.length, limit, offset };
}

/**
 * Each method returns a new object, the example of the contract, with your own fields in place of the example's. A field
 * is replaced as a whole.
 */
export interface Samples {
  /** The value of `me.get`. */
  me(fields?: Partial<contract.Me>): contract.Me;
  /** `tenant` in the value of `me.get`. */
  tenant(fields?: Partial<contract.Tenant>): contract.Tenant;
  /** A page of products, as `products.list` returns it. `pageOf` makes one from your own items. */
  list(fields?: Partial<contract.ProductList>): contract.ProductList;
  /** A product in a list. */
  listItem(fields?: Partial<contract.ProductListItem>): contract.ProductListItem;
  /** A product with its full master data. */
  product(fields?: Partial<contract.Product>): contract.Product;
  /** The input of `products.create` and `products.ensure`. */
  newProduct(fields?: Partial<contract.CreateProduct>): contract.CreateProduct;
  /** The value of `passports.get`. */
  passport(fields?: Partial<contract.Passport>): contract.Passport;
  /** A value in a passport. */
  value(fields?: Partial<contract.PassportValue>): contract.PassportValue;
  /** `latest_version` in a passport. */
  version(fields?: Partial<contract.PassportVersion>): contract.PassportVersion;
  /** A value to write: an element of the list that `passports.put` takes. */
  newValue(fields?: Partial<contract.PassportValueInput>): contract.PassportValueInput;
  /** The value of `passports.put`. */
  writeResult(fields?: Partial<contract.PassportWriteResult>): contract.PassportWriteResult;
  /** The value of `carriers.list`. */
  carriers(fields?: Partial<contract.CarrierList>): contract.CarrierList;
  /** A data carrier. */
  carrier(fields?: Partial<contract.Carrier>): contract.Carrier;
  /** The value of `analytics.scans`. */
  scans(fields?: Partial<contract.ScanStatistics>): contract.ScanStatistics;
  /** A passport as JSON-LD, from the public client. */
  document(fields?: Partial<contract.PassportDocument>): contract.PassportDocument;
}

/**
 * Complete objects for tests, so that a test names only what matters: `sample.product({ slug: 'helmet' })`. For objects
 * inside, pass a sample: `sample.passport({ values: [sample.value({ value: 2 })] })`.
 */
export const sample = Object.fromEntries(
  Object.entries(examples).map(([name, example]) => {
    return [name, (fields?: object) => ({ ...JSON.parse(JSON.stringify(example)), ...fields })];
  }),
) as unknown as Samples;
