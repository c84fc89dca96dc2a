import { type Client, type ClientOptions, createClient } from '../client.ts';
import type { ProductList, ProductListItem, ProductQuery } from '../contract.ts';
import type { Operation } from '../errors.ts';
import type { PlatformFetch } from '../fetch.ts';
import type { operations } from '../generated/openapi.ts';
import { routes } from '../generated/routes.ts';
import type { ApiOperation, Value } from '../operation.ts';
import { createPublicClient, type PublicClient, type PublicClientOptions } from '../public.ts';

type Routes = typeof routes;

/** The operations of the public side. A Digital Link with key qualifiers is a `resolveGtin` like any other. */
export type PublicOperation = Exclude<Routes[Exclude<Operation, ApiOperation>]['variantOf'], 'getResolverDescription'>;

/** The codes with which an operation refuses. */
export type CodeOf<Name extends Operation> = { [One in Name]: keyof Routes[One]['codes'] & string }[Name];

// Registered, as that of errors is: a test may hold one copy of this package, and the program it tests another.
const refusal: unique symbol = Symbol.for('@product-passport/sdk/fake-refusal');
const failure: unique symbol = Symbol.for('@product-passport/sdk/fake-failure');

/** Made by `apiError`. */
export interface Refusal<Code extends string> {
  readonly [refusal]: { readonly code: Code; readonly message: string };
}

/** Made by `networkError`. */
export interface NetworkFailure {
  readonly [failure]: { readonly thrown: unknown };
}

/** An answer with the contract's error body. The status is the one that the contract has for the code. */
export function apiError<Code extends CodeOf<Operation>>(code: Code, message = 'The fake refuses.'): Refusal<Code> {
  return { [refusal]: { code, message } };
}

/** No answer: `fetch` rejects with this, by default with a `TypeError`, as without a connection. */
export function networkError(thrown: unknown = new TypeError('fetch failed')): NetworkFailure {
  return { [failure]: { thrown } };
}

type Of<Name extends Operation, Part extends 'path' | 'query'> = NonNullable<operations[Name]['parameters'][Part]>;
type PathOf<Name extends Operation> = [Of<Name, 'path'>] extends [never] ? unknown : Of<Name, 'path'>;
type QueryOf<Name extends Operation> = [Of<Name, 'query'>] extends [never] ? Record<string, never> : Of<Name, 'query'>;
type BodyOf<Name extends Operation> = operations[Name] extends { requestBody: { content: infer Content } }
  ? Content[keyof Content]
  : undefined;
/**
 * A request that came: its operation, the values of its path (`slug`, or `tenant` and `product`, or `gtin`), its query
 * and its body as the contract has them, and the `Request` itself. Each attempt and each page of a list is one.
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
 * How an operation answers: with its value (for `getPassportPage` the HTML, for `resolveGtin` the address that it leads
 * to), with one of its codes, not at all, or with any `Response`, a gateway's error page for one.
 */
export type FakeAnswer<Name extends Operation> = Value<Name> | Refusal<CodeOf<Name>> | NetworkFailure | Response;

/** An answer for each operation that is going to be called, or a function that makes it from the call. */
export type FakeAnswers<Name extends Operation = Operation> = {
  readonly [One in Name]?: FakeAnswer<One> | ((call: FakeCall<One>) => FakeAnswer<One> | Promise<FakeAnswer<One>>);
};

/** A `fetch` that answers by operation, and the calls that it got. */
export interface FakeFetch<Name extends Operation = Operation> {
  /** For `createClient` or `createPublicClient`. */
  readonly fetch: PlatformFetch;
  /** The calls that came, oldest first. */
  readonly calls: readonly FakeCall<Name>[];
}

const patterns = Object.values(routes).map(({ method, path, variantOf }) => ({
  operation: variantOf,
  method,
  form: new RegExp(`${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });
}

// Of no operation and no retry, so that it comes through to the test, with its text in the error's message.
function notFaked(message: string): Response {
  return json({ error: { code: 'not_faked', message } }, 501);
}

async function callOf(request: Request): Promise<FakeCall | undefined> {
  const { pathname, searchParams } = new URL(request.url);
  for (const { operation, method, form } of patterns) {
    const found = method === request.method && form.exec(pathname);
    if (!found) continue;
    const values = Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
    const { integers } = routes[operation];
    const query = [...searchParams].map(([name, value]) => [
      name,
      Object.hasOwn(integers, name) ? Number(value) : value,
    ]);
    const text = await request.clone().text();
    return {
      ...Object.fromEntries(values),
      operation,
      query: Object.fromEntries(query),
      body: text ? JSON.parse(text) : undefined,
      request,
    };
  }
  return undefined;
}

function refuse(operation: Operation, { code, message }: Refusal<string>[typeof refusal]): Response {
  const codes: Partial<Record<string, number>> = routes[operation].codes;
  const status = codes[code];
  if (!status) return notFaked(`${operation} has no ${code}, only ${Object.keys(codes).join(', ')}.`);
  if (operation === 'getPassportPage') return page(`<!doctype html><title>${message}</title>`, status);
  // The contract has Retry-After with these; where the client tries again it pauses no longer than it would by itself.
  return json({ error: { code, message } }, status, status === 429 || status === 503 ? { 'retry-after': '0' } : {});
}

function page(html: string, status = 200): Response {
  return new Response(html, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
}

function respond(operation: Operation, answer: unknown): Response {
  if (answer instanceof Response) return answer.clone();
  const { [refusal]: refused, [failure]: failed } = Object(answer) as Partial<Refusal<string> & NetworkFailure>;
  if (failed) throw failed.thrown;
  if (refused) return refuse(operation, refused);
  if (operation === 'getPassportPage') return page(String(answer));
  if (operation === 'resolveGtin') return new Response(null, { status: 307, headers: { location: String(answer) } });
  return json(answer);
}

/**
 * A `fetch` for `createClient` or `createPublicClient`, for a program that makes its client itself. An operation without
 * an answer is refused with the code `not_faked`.
 *
 * A function that throws is a `fetch` that throws: the client makes a `NetworkError` of it. That holds for an `expect`
 * that fails in there too; its message is that of the error's `cause`. Better, look at `calls` after the call.
 */
export function createFakeFetch<Name extends Operation = Operation>(answers: FakeAnswers<Name>): FakeFetch<Name> {
  const calls: FakeCall<Name>[] = [];
  const fetch: PlatformFetch = async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const call = await callOf(request);
    if (!call) return notFaked(`${request.method} ${request.url} is no operation of the contract.`);
    calls.push(call as FakeCall<Name>);
    const answer: unknown = Reflect.get(answers, call.operation);
    if (answer === undefined) return notFaked(`This fake was given no answer for ${call.operation}.`);
    return respond(call.operation, typeof answer === 'function' ? await answer(call) : answer);
  };
  return { fetch, calls };
}

/** The real client of the API over answers of your own, with the calls that it made. */
export type FakeClient = Client & {
  /** The calls that the client made, oldest first: each attempt, and each page of a list. */
  readonly calls: readonly FakeCall<ApiOperation>[];
};

/**
 * A client that reaches no network: each operation answers as `answers` says, or refuses with the code `not_faked`
 * without an answer there. Everything between your program and `fetch` is the real client.
 *
 * A function that throws is a network that fails, as for `createFakeFetch`: if an `expect` fails in one, the call
 * rejects with a `NetworkError`, and its `cause` has the message of the `expect`.
 *
 * @param options Those of `createClient`. Default: an address and a key that are nobody's, and one attempt, so that a test
 *   does not wait. With `maxAttempts` above 1 the pauses between attempts are real: up to 0.5 s, then 1, 2, 4 and 8 s,
 *   at random. Each attempt is a call.
 */
export function createFakeClient(
  answers: FakeAnswers<ApiOperation>,
  options: Partial<Omit<ClientOptions, 'fetch'>> = {},
): FakeClient {
  const { fetch, calls } = createFakeFetch(answers);
  const client = createClient({
    baseUrl: 'https://passport.example.com/api/v1',
    apiKey: 'ppk_fake',
    maxAttempts: 1,
    ...options,
    fetch,
  });
  return Object.assign(client, { calls });
}

/** The real client of the public side over answers of your own, with the calls that it made. */
export type FakePublicClient = PublicClient & {
  /** The calls that the client made, oldest first; those that `resolve` needed too. */
  readonly calls: readonly FakeCall<PublicOperation>[];
};

/** As `createFakeClient`, for the public side. */
export function createFakePublicClient(
  answers: FakeAnswers<PublicOperation>,
  options: Partial<Omit<PublicClientOptions, 'fetch'>> = {},
): FakePublicClient {
  const { fetch, calls } = createFakeFetch(answers);
  const site = createPublicClient({ siteUrl: 'https://passport.example.com', ...options, fetch });
  return Object.assign(site, { calls });
}

interface Whole {
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
}

function clamp(value: number | undefined, { default: fallback, minimum, maximum }: Whole): number {
  return Math.min(Math.max(value ?? fallback, minimum), maximum);
}

/** The part of a list that `listProducts` was asked for, with the contract's default and bounds of `limit`. */
export function pageOf(items: readonly ProductListItem[], query: ProductQuery = {}): ProductList {
  const limit = clamp(query.limit, routes.listProducts.integers.limit);
  const offset = clamp(query.offset, routes.listProducts.integers.offset);
  return { items: items.slice(offset, offset + limit), total: items.length, limit, offset };
}
