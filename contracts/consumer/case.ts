/** An interaction as data: the provider states, the call of the SDK, the request it must send, and the response. */
import { isDeepStrictEqual } from 'node:util';
import { MatchersV3 } from '@pact-foundation/pact';
import type {
  Client,
  CreateProduct,
  createClient,
  Fetch,
  Operation,
  PassportValueInput,
  ProductQuery,
  ProductStatusChange,
} from '@product-passport/sdk';
import type { createPublicClient, PublicClient } from '@product-passport/sdk/public';
import { type Given, given, keys, type ProductFacts } from '../states/catalogue.ts';
import { anyMessage, type Template } from './matchers.ts';

export interface Case {
  /** Unique. Begins with the operation. Ends in `(reference)` if only the claim `reference` defines the behaviour. */
  readonly description: `${Operation}: ${string}`;
  readonly given: readonly Given[];
  readonly call: (clients: Clients) => PromiseLike<unknown>;
  readonly request: ExpectedRequest;
  /** Sends `request` in place of what the SDK built, because the SDK does not send such a request. */
  readonly isReplaced?: boolean;
  readonly response: ExpectedResponse;
}

/** Both clients of the SDK, and plain `fetch`. */
export interface Clients {
  readonly client: Client;
  readonly site: PublicClient;
  /** Sends the request as a scanner or another resolver does. Returns the `Location` of a redirect, otherwise the JSON. */
  readonly plain: () => Promise<unknown>;
}

export interface ExpectedRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly accept?: string;
  /** The API key in the Authorization header. Absent for public operations. */
  readonly key?: string;
  readonly body?: unknown;
  /** A body that is not JSON, or not sent as JSON. */
  readonly rawBody?: RawBody;
}

export interface RawBody {
  readonly text: string;
  readonly contentType: string;
}

export interface ExpectedResponse {
  readonly status: number;
  /** Other statuses that the contract allows. */
  readonly otherStatuses?: readonly number[];
  readonly contentType?: string;
  readonly body?: unknown;
  readonly html?: string;
  readonly location?: Template<string>;
  /** The header `Passport-Findings`, which the SDK adds to the value. Only the claim `reference` asks for it. */
  readonly findings?: number;
  /** The `code` of the error that the SDK throws. */
  readonly code?: string;
}

/** The tenant of the API key. */
export const skellig = { name: 'Skellig Goods Ltd', slug: 'skellig', country: 'IE', plan: 'business' } as const;
/** Another tenant, whose products skellig must not see. */
export const causeway = { name: 'Causeway Textiles Ltd', slug: 'causeway', country: 'GB', plan: 'business' } as const;

export const aTenant = given('a tenant with an API key', { tenant: skellig });

/** A public request, without an API key. */
export function getPublic(path: string, query: object = {}): ExpectedRequest {
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return { method: 'GET', path, ...(pairs.length > 0 && { query: Object.fromEntries(pairs) }) };
}

function get(path: string, query?: object): ExpectedRequest {
  return { ...getPublic(`/api/v1${path}`, query), key: keys.valid };
}

function send(method: 'POST' | 'PUT', path: string, body: unknown, key: string = keys.valid): ExpectedRequest {
  return { method, path: `/api/v1${path}`, key, body };
}

export function ok<Body>(body: Template<Body>, contentType = 'application/json'): ExpectedResponse {
  return { status: 200, contentType, body };
}

export function page(): ExpectedResponse {
  return { status: 200, contentType: 'text/html', html: '<!doctype html><title>USB-C Cable</title>' };
}

/** 307 or 302: the contract leaves the choice to the provider. */
export function redirect(location: Template<string>): ExpectedResponse {
  return { status: 307, otherStatuses: [302], location };
}

export function failure(status: number, code: string): ExpectedResponse {
  return { status, contentType: 'application/json', body: { error: { code, message: anyMessage } }, code };
}

/** An HTML error page. The SDK derives the code from the status. */
export function failurePage(status: number, code: string): ExpectedResponse {
  return { status, contentType: 'text/html', html: '<!doctype html><title>No passport</title>', code };
}

export type PlainCall = Pick<Case, 'call' | 'request' | 'isReplaced'>;

/** With a value in every field that a client can set. */
export const cable = {
  name: 'USB-C Cable 240 W 2 m',
  slug: 'usb-c-cable-240-w-2-m',
  product_group: 'cable',
  gtin: '9520001200045',
  model: 'SC240-2',
} as const satisfies Required<Pick<ProductFacts, keyof CreateProduct>>;

export const cableOnSale = { ...cable, status: 'active' } as const satisfies ProductFacts;

export function aProduct(product: ProductFacts): Given {
  return given('the tenant has a product', { product });
}

export const aTenantWithCable: readonly Given[] = [aTenant, aProduct(cable)];

export const threeValues = [
  { field_key: 'cable_length', value: 2, unit: 'm' },
  { field_key: 'halogen_free', value: null, is_unknown: true, needs_review: true, source: 'supplier' },
  { field_key: 'substances_of_concern', value: [], access_level: 'restricted', source: 'supplier' },
] as const satisfies readonly PassportValueInput[];

const plain = (call: PlainCall['call'], request: ExpectedRequest): PlainCall => ({ call, request });

/** The SDK's call of each operation, and the request that it must send. A body may have a shape that its type forbids. */
export const secured = {
  getMe: () => plain(({ client }) => client.me.get(), get('/me')),
  listProducts: (query?: ProductQuery) => plain(({ client }) => client.products.list(query), get('/products', query)),
  createProduct: (body: object = { name: 'Wool Hat Dún' }) =>
    plain(({ client }) => client.products.create(body as CreateProduct), send('POST', '/products', body)),
  setProductStatus: (body: ProductStatusChange = { status: 'active' }, key: string = keys.valid) =>
    plain(
      ({ client }) => client.products.setStatus(cable.slug, body),
      send('POST', `/products/${cable.slug}/status`, body, key),
    ),
  getProduct: (slug: string = cable.slug) => plain(({ client }) => client.products.get(slug), get(`/products/${slug}`)),
  getPassport: () => plain(({ client }) => client.passports.get(cable.slug), get(`/products/${cable.slug}/passport`)),
  putPassport: (body: unknown = threeValues) =>
    plain(
      ({ client }) => client.passports.put(cable.slug, body as readonly PassportValueInput[]),
      send('PUT', `/products/${cable.slug}/passport`, body),
    ),
  listCarriers: () => plain(({ client }) => client.carriers.list(cable.slug), get(`/products/${cable.slug}/carriers`)),
  getScanStatistics: (query?: { readonly days: number }) =>
    plain(({ client }) => client.analytics.scans(query), get('/analytics/scans', query)),
};

type PageQuery = { readonly zugang: string } | { readonly lang: 'de' };

export const publicSide = {
  getPassportPage: (query?: PageQuery) =>
    plain(({ site }) => site.passports.page('skellig', cable.slug, query), {
      ...getPublic(`/p/skellig/${cable.slug}`, query),
      // The SDK asks for HTML.
      accept: 'text/html',
    }),
  getPassportJsonld: (query?: PageQuery) =>
    plain(
      ({ site }) => site.passports.document('skellig', cable.slug, query),
      getPublic(`/p/skellig/${cable.slug}/jsonld`, query),
    ),
  resolveGtin: () =>
    plain(({ site }) => site.resolve(cable.gtin), getPublic(`/01/0${cable.gtin}`, { linkType: 'gs1:dpp' })),
};

/** Like `Object.entries`, but keeps the type of the keys. */
export function entriesOf<Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][] {
  return Object.entries(record) as [Key, Value][];
}

/** Text that cannot be parsed as JSON, sent as JSON. */
export const brokenJson: RawBody = {
  text: '{name: Cable}',
  // Pact parses a body of type `application/json` and fails on this one. It does not recognize the type with a space before
  // the semicolon, which means the same (RFC 9110, 5.6.6).
  contentType: 'application/json ; charset=utf-8',
};

/** Valid JSON, sent as plain text. */
export const plainText: RawBody = { text: '{"name":"Cable"}', contentType: 'text/plain' };

/** The SDK, or a copy of it. */
export interface Sdk {
  readonly createClient: typeof createClient;
  readonly createPublicClient: typeof createPublicClient;
}

/** The request that a case expects. */
export function requestOf(siteUrl: string, expected: ExpectedRequest): Request {
  const { method, path, query = {}, accept, key, body, rawBody } = expected;
  const url = new URL(path, siteUrl);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const headers = new Headers();
  if (accept !== undefined) headers.set('accept', accept);
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
  const text = rawBody?.text ?? JSON.stringify(body);
  if (text !== undefined) headers.set('content-type', rawBody?.contentType ?? 'application/json');
  return new Request(url, { method, headers, redirect: 'manual', ...(text !== undefined && { body: text }) });
}

/** The clients of the SDK for one case. Their requests go to `respond`. */
export function clientsAt(
  siteUrl: string,
  { request, isReplaced }: Case,
  { createClient, createPublicClient }: Sdk,
  respond: (request: Request) => Promise<Response>,
): Clients {
  const fetch: Fetch = async (address, init) => {
    const sent = new Request(address, init);
    // The target of a redirect is not part of the interaction.
    if (!sent.url.startsWith(siteUrl)) return new Response('', { headers: { 'content-type': 'text/html' } });
    return respond(isReplaced ? requestOf(siteUrl, request) : sent);
  };
  const { key: apiKey = keys.valid } = request;
  return {
    // One attempt: the waits between attempts do not change an interaction.
    client: createClient({ baseUrl: `${siteUrl}/api/v1`, apiKey, fetch, maxAttempts: 1 }),
    site: createPublicClient({ siteUrl, fetch }),
    async plain() {
      const reply = await respond(requestOf(siteUrl, request));
      return reply.headers.get('location') ?? reply.json();
    },
  };
}

/** What is wrong with the value that the SDK returns, or with the error that it throws. */
export async function outcomeFaults({ call, response }: Case, clients: Clients): Promise<string[]> {
  const { status, body, html, location, findings, code } = response;
  try {
    const value = plainJson(await call(clients));
    const read = MatchersV3.reify((html ?? location ?? body) as object);
    const expected = plainJson(findings === undefined ? read : { ...Object(read), findings });
    if (code !== undefined) return [`The call succeeds in place of the error ${code}.`];
    if (isDeepStrictEqual(value, expected)) return [];
    return [`The call returns ${JSON.stringify(value)}, not ${JSON.stringify(expected)}.`];
  } catch (error) {
    const { name, status: thrown, code: own } = Object(error);
    if (code === undefined) return [`The call rejects with ${error}.`];
    const isExpected = name === 'ApiError' && thrown === status && own === code;
    return isExpected ? [] : [`The call rejects with ${name} ${thrown} ${own}, not with ApiError ${status} ${code}.`];
  }
}

/** Without members that are undefined, and without prototypes. */
function plainJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
