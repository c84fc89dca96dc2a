/** An interaction as data: the provider states, the call of the SDK, the request it must send, and the response. */
import type { Client, CreateProduct, Operation, PassportValueInput } from '@product-passport/sdk';
import type { PublicClient } from '@product-passport/sdk/public';
import { type Given, given, type ProductFacts } from '../states/catalogue.ts';
import { keys } from '../states/keys.ts';
import { anyMessage, type Template } from './matchers.ts';

export interface Case {
  /** Unique. Begins with the operation. Ends in `(reference)` if only the reference profile defines the behaviour. */
  readonly description: `${Operation}: ${string}`;
  readonly given: readonly Given[];
  readonly call: (service: Service) => PromiseLike<unknown>;
  readonly request: ExpectedRequest;
  /** Changes the request that the SDK built, for requests that the SDK's types do not allow. */
  readonly alter?: (request: Request) => Request;
  readonly response: ExpectedResponse;
}

/** Both clients of the SDK, and plain `fetch`. */
export interface Service {
  readonly client: Client;
  readonly site: PublicClient;
  /** Sends a GET request like a scanner or another resolver. Returns the `Location` of a redirect, otherwise the JSON. */
  readonly plain: (path: string, headers?: Readonly<Record<string, string>>) => Promise<unknown>;
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
  /** The `code` of the error that the SDK throws. */
  readonly code?: string;
}

/** The tenant of the API key. */
export const nordlicht = { name: 'Nordlicht Demo GmbH', slug: 'nordlicht', country: 'DE', plan: 'business' } as const;
/** Another tenant, whose products nordlicht must not see. */
export const suedwind = { name: 'Südwind Textil AG', slug: 'suedwind', country: 'AT', plan: 'business' } as const;

export const aTenant = given('a tenant with an API key', { tenant: nordlicht });

export function get(path: string, query?: Readonly<Record<string, string>>): ExpectedRequest {
  return { method: 'GET', path: `/api/v1${path}`, key: keys.valid, ...(query && { query }) };
}

export function post(path: string, body: unknown): ExpectedRequest {
  return { method: 'POST', path: `/api/v1${path}`, key: keys.valid, body };
}

export function put(path: string, body: unknown): ExpectedRequest {
  return { method: 'PUT', path: `/api/v1${path}`, key: keys.valid, body };
}

/** A public request, without an API key. */
export function getPublic(path: string, query?: Readonly<Record<string, string>>): ExpectedRequest {
  return { method: 'GET', path, ...(query && { query }) };
}

/** The request for the passport page: the SDK asks for HTML. */
export function getPage(path: string, query?: Readonly<Record<string, string>>): ExpectedRequest {
  return { ...getPublic(path, query), accept: 'text/html' };
}

/** The same request with a body that is not JSON, or not sent as JSON. */
export function withRawBody({ body: _, ...request }: ExpectedRequest, rawBody: RawBody): ExpectedRequest {
  return { ...request, rawBody };
}

export function ok<Body>(body: Template<Body>, contentType = 'application/json'): ExpectedResponse {
  return { status: 200, contentType, body };
}

export function page(): ExpectedResponse {
  return { status: 200, contentType: 'text/html', html: '<!doctype html><title>USB-C-Kabel</title>' };
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

export interface PlainCall {
  readonly call: (service: Service) => PromiseLike<unknown>;
  readonly request: ExpectedRequest;
}

/** The operations that need an API key. */
export type SecuredOperation = Exclude<Operation, PublicOperation | DeeperLink | 'getResolverDescription'>;
export type PublicOperation = 'getPassportPage' | 'getPassportJsonld' | 'resolveGtin';
/** Digital Links with key qualifiers: `resolveGtin` at other paths. */
export type DeeperLink = Exclude<Extract<Operation, `resolveGtin${string}`>, 'resolveGtin'>;

/** With a value in every field that a client can set. */
export const kabel = {
  name: 'USB-C-Kabel 240 W 2 m',
  slug: 'usb-c-kabel-240-w-2-m',
  product_group: 'cable',
  gtin: '9520001000072',
  model: 'UC240-2',
} as const satisfies Required<Pick<ProductFacts, keyof CreateProduct>>;

export const kabelOnSale = { ...kabel, status: 'active' } as const satisfies ProductFacts;

export function aProduct(product: ProductFacts): Given {
  return given('the tenant has a product', { product });
}

export const aTenantWithKabel: readonly Given[] = [aTenant, aProduct(kabel)];

export const threeValues = [
  { field_key: 'cable_length', value: 2, unit: 'm' },
  { field_key: 'halogen_free', value: null, is_unknown: true, needs_review: true, source: 'supplier' },
  { field_key: 'substances_of_concern', value: [], access_level: 'restricted', source: 'supplier' },
] as const satisfies readonly PassportValueInput[];

export const securedCalls: { readonly [Id in SecuredOperation]: PlainCall } = {
  getMe: { call: ({ client }) => client.me.get(), request: get('/me') },
  listProducts: { call: ({ client }) => client.products.list(), request: get('/products') },
  createProduct: {
    call: ({ client }) => client.products.create({ name: 'Wollmütze Förde' }),
    request: post('/products', { name: 'Wollmütze Förde' }),
  },
  getProduct: { call: ({ client }) => client.products.get(kabel.slug), request: get(`/products/${kabel.slug}`) },
  getPassport: {
    call: ({ client }) => client.passports.get(kabel.slug),
    request: get(`/products/${kabel.slug}/passport`),
  },
  putPassport: {
    call: ({ client }) => client.passports.put(kabel.slug, threeValues),
    request: put(`/products/${kabel.slug}/passport`, threeValues),
  },
  listCarriers: {
    call: ({ client }) => client.carriers.list(kabel.slug),
    request: get(`/products/${kabel.slug}/carriers`),
  },
  getScanStatistics: { call: ({ client }) => client.analytics.scans(), request: get('/analytics/scans') },
};

export const publicCalls: { readonly [Id in PublicOperation]: PlainCall } = {
  getPassportPage: {
    call: ({ site }) => site.passports.page('nordlicht', kabel.slug),
    request: getPage(`/p/nordlicht/${kabel.slug}`),
  },
  getPassportJsonld: {
    call: ({ site }) => site.passports.document('nordlicht', kabel.slug),
    request: getPublic(`/p/nordlicht/${kabel.slug}/jsonld`),
  },
  resolveGtin: {
    call: ({ site }) => site.resolve(kabel.gtin),
    request: getPublic(`/01/0${kabel.gtin}`, { linkType: 'gs1:dpp' }),
  },
};

/** Like `Object.entries`, but keeps the type of the keys. */
export function entriesOf<Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][] {
  return Object.entries(record) as [Key, Value][];
}

export function withoutKey(request: Request): Request {
  const headers = new Headers(request.headers);
  if (!headers.has('authorization')) throw new Error('The request of the SDK has no Authorization header to remove.');
  headers.delete('authorization');
  return new Request(request, { headers });
}

/** The Digital Link as printed on the product and opened by a phone: without a link type. */
export function asScanned(gtin: string): (request: Request) => Request {
  return (request) => {
    const url = new URL(request.url);
    url.pathname = `/01/${gtin}`;
    url.searchParams.delete('linkType');
    return new Request(url, request);
  };
}

/** Replaces the body with JSON of a shape that the SDK's types forbid. */
export function withBody(body: unknown): (request: Request) => Request {
  return (request) => new Request(request, { body: JSON.stringify(body) });
}

export function withRaw({ text, contentType }: RawBody): (request: Request) => Request {
  return (request) => {
    const headers = new Headers(request.headers);
    headers.set('content-type', contentType);
    return new Request(request, { headers, body: text });
  };
}

/** Text that cannot be parsed as JSON, sent as JSON. */
export const brokenJson: RawBody = {
  text: '{name: Kabel}',
  // Pact parses a body of type `application/json` and fails on this one. It does not recognize the type with a space before
  // the semicolon, which means the same (RFC 9110, 5.6.6).
  contentType: 'application/json ; charset=utf-8',
};

/** Valid JSON, sent as plain text. */
export const plainText: RawBody = { text: '{"name":"Kabel"}', contentType: 'text/plain' };
