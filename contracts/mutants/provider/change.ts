/**
 * The kinds of change that wrong and unusual providers are made of. Each changes one thing of a correct provider and
 * passes everything else on.
 */
import { isRecord } from '@product-passport/openapi';
import type {
  CarrierList,
  CreateProduct,
  Me,
  Passport,
  PassportDocument,
  PassportValueInput,
  PassportWriteResult,
  Product,
  ProductList,
  ScanStatistics,
} from '@product-passport/sdk';
import type { FakeService } from '@product-passport/sdk/testing';

/** The provider without the change. */
export type Service = Pick<FakeService, 'fetch' | 'provider'>;
export type Handler = (request: Request) => Promise<Response>;
export type Change = (service: Service) => Handler;

/** The requests to change: a method, and a pattern of the path. */
export interface At<Body = unknown> {
  readonly method?: string;
  readonly path: RegExp;
  /** Text that the query contains. */
  readonly query?: string;
  /** Only a type: the body of a response with status 200. */
  readonly body?: Body;
}

const products = '^/api/v1/products';

function at<Body>(method: string, path: string): At<Body> {
  return { method, path: new RegExp(path) };
}

export const everywhere: At = { path: /^/ };
export const api: At = { path: /^\/api\/v1\// };
export const me = at<Me>('GET', '^/api/v1/me$');
export const list = at<ProductList>('GET', `${products}$`);
export const create = at<Product>('POST', `${products}$`);
export const product = at<Product>('GET', `${products}/[^/]+$`);
export const ofProduct: At = { path: new RegExp(`${products}/[^/]+`) };
export const passport = at<Passport>('GET', `${products}/[^/]+/passport$`);
export const write = at<PassportWriteResult>('PUT', `${products}/[^/]+/passport$`);
export const carriers = at<CarrierList>('GET', `${products}/[^/]+/carriers$`);
export const scans = at<ScanStatistics>('GET', '^/api/v1/analytics/scans$');
export const page = at('GET', '^/p/[^/]+/[^/]+$');
export const document = at<PassportDocument>('GET', '^/p/[^/]+/[^/]+/jsonld$');
export const publicSide: At = { path: /^\/(p|01)\// };
export const resolver = at('GET', '^/01/[^/]+$');
/** Digital Links with and without key qualifiers. */
export const links: At = { path: /^\/01\// };

export function matches({ method, path, query = '' }: At, request: Request): boolean {
  const { pathname, search } = new URL(request.url);
  return (method === undefined || method === request.method) && path.test(pathname) && search.includes(query);
}

// Changes of the request.

type Asked = Promise<Request | undefined> | Request | undefined;
type When = (request: Request, service: Service) => boolean | Promise<boolean>;

/** Changes the request before the provider receives it. */
export function asks(at: At, change: (request: Request, service: Service) => Asked): Change {
  return (service) => async (request) =>
    service.fetch((matches(at, request) ? await change(request.clone(), service) : undefined) ?? request);
}

/** The provider takes the request for one of the first tenant. */
export function asFirstTenant(at: At, when: When): Change {
  return asks(at, async (request, service) =>
    (await when(request, service)) ? withKey(request, keysOf(service)[0]) : undefined,
  );
}

/** Sets, or removes with `null`, a header of the request. */
export function asksWith(at: At, name: string, value: string | null, when: When = () => true): Change {
  return asks(at, async (request, service) =>
    (await when(request, service)) ? withHeader(request, name, value) : undefined,
  );
}

/** Reads another value of a query parameter. `null` removes it. */
export function parameter(
  at: At,
  name: string,
  change: (value: string | null, query: URLSearchParams) => string | null,
): Change {
  return asks(at, (request) =>
    withQuery(request, (query) => {
      const value = change(query.get(name), query);
      if (value === null && query.has(name)) query.delete(name);
      if (value !== null && value !== query.get(name)) query.set(name, value);
    }),
  );
}

/** Reads a query parameter as if it were not there. */
export function ignores(at: At, name: string, when: (value: string, query: URLSearchParams) => boolean = () => true) {
  return parameter(at, name, (value, query) => (value !== null && when(value, query) ? null : value));
}

/** Reads another text in place of the body. */
export function reads(at: readonly At[], change: (text: string) => string): Change {
  return (service) => async (request) => {
    if (request.body === null && !['POST', 'PUT'].includes(request.method)) return service.fetch(request);
    if (!at.some((one) => matches(one, request))) return service.fetch(request);
    const text = await request.clone().text();
    const changed = change(text);
    return service.fetch(changed === text ? request : withText(request, changed));
  };
}

/** Reads other JSON in place of the body, unless the body is not JSON. */
export function readsJson(at: At, change: (body: never) => unknown): Change {
  return asks(at, async (request) => {
    const body = await jsonOf(request);
    return body === undefined ? undefined : withText(request, JSON.stringify(change(body as never)));
  });
}

/** Reads a creation with other members. `undefined` removes a member. */
export function created(change: (body: CreateProduct) => { readonly [Name in keyof CreateProduct]?: unknown }): Change {
  return readsJson(create, (body) => (isRecord(body) ? { ...(body as object), ...change(body) } : body));
}

/** Reads another text for a member of a creation. `undefined` removes the member. */
export function createdText(name: keyof CreateProduct, change: (text: string) => string | null | undefined): Change {
  return created(({ [name]: value }) => (typeof value === 'string' ? { [name]: change(value) } : {}));
}

/** Reads other elements of a write. */
export function written(change: (elements: readonly (Element | null)[]) => readonly unknown[]): Change {
  return readsJson(write, (body: unknown) => (Array.isArray(body) ? change(body) : body));
}

type Element = Partial<PassportValueInput>;

/** Reads each element of a write with other members. `undefined` removes a member. */
export function eachWritten(change: (element: Element) => { readonly [Name in keyof Element]?: unknown }): Change {
  return written((elements) => elements.map((one) => (isRecord(one) ? { ...(one as object), ...change(one) } : one)));
}

// Changes of the response.

type Made = Promise<Response | undefined> | Response | undefined;

/** Changes the response, unless the change returns `undefined`. */
export function responds(at: At, change: (response: Response, request: Request, service: Service) => Made): Change {
  return (service) => async (request) => {
    const response = await service.fetch(request.clone());
    return (matches(at, request) ? await change(response, request, service) : undefined) ?? response;
  };
}

/** Changes a response with this status, unless the change returns `undefined`. */
export function onStatus(
  at: At,
  status: number,
  change: (response: Response, request: Request, service: Service) => Made,
): Change {
  return responds(at, (response, ...more) => (response.status === status ? change(response, ...more) : undefined));
}

/** Carries out another request after a response with this status. */
export function also(at: At, status: number, ask: (request: Request, service: Service) => Asked): Change {
  return onStatus(at, status, async (_, request, service) => {
    const other = await ask(request.clone(), service);
    if (other !== undefined) await service.fetch(other);
    return undefined;
  });
}

/** Notes a request before the provider receives it. */
export function notes(at: At, note: (request: Request) => unknown): Change {
  return instead(at, async (request) => {
    await note(request);
    return undefined;
  });
}

/** Responds in place of the provider, unless the function returns `undefined`. */
export function instead(at: At, respond: (request: Request, service: Service) => Made): Change {
  return (service) => async (request) =>
    (matches(at, request) ? await respond(request.clone(), service) : undefined) ?? service.fetch(request);
}

/** Refuses what the provider accepts, or refuses it otherwise. */
export function refuses(at: At, status: number, code: string, when: When, message?: string): Change {
  return instead(at, async (request, service) =>
    (await when(request, service)) ? error(status, code, message) : undefined,
  );
}

/** Refuses a creation. A body that is not an object has no members. */
export function refusesCreation(status: number, code: string, when: (body: Partial<CreateProduct>) => boolean): Change {
  return refuses(create, status, code, async (request) => when(await creationOf(request)));
}

/** Sends an error with another status, and, if named, another code and message. */
export function errors(at: At, code: string, status: number, other?: string, message?: string): Change {
  return errorsInto(at, code, (response) =>
    other === undefined ? withStatus(response, status) : error(status, other, message),
  );
}

/** Sends another response in place of the error with this code. */
export function errorsInto(at: At, code: string, change: (response: Response, request: Request) => Response): Change {
  return responds(at, async (response, request) => {
    const body = response.status < 400 ? undefined : Object(await jsonOf(response));
    return body?.error?.code === code ? change(response, request) : undefined;
  });
}

/** Sends another status in place of this one. */
export function status(at: At, from: number, to: number): Change {
  return onStatus(at, from, (response) => withStatus(response, to));
}

/** Sends a header, or with `null` leaves it out. The function returns the value of each response. */
export function header(
  at: At,
  name: string,
  value: string | null | ((value: string | null, request: Request, service: Service) => string | null),
): Change {
  return responds(at, (response, request, service) => {
    const own = response.headers.get(name);
    const other = typeof value === 'function' ? value(own, request, service) : value;
    return other === own ? response : withHeader(response, name, other);
  });
}

/** Sends another text in place of a body with status 200. */
export function text(at: At, change: (text: string, request: Request) => string): Change {
  return onStatus(at, 200, async (response, request) => withBody(response, change(await response.text(), request)));
}

/** Sends other JSON in place of that with this status. */
export function json<Body>(at: At<Body>, change: (body: Body, request: Request) => unknown, status = 200): Change {
  return onStatus(at, status, async (response, request) =>
    withBody(response, JSON.stringify(change(await response.json(), request))),
  );
}

type Members<Body> = { readonly [Name in keyof Body]?: unknown };

/** Sends other members of the body. `undefined` leaves a member out. */
export function members<Body>(
  at: At<Body>,
  change: Members<Body> | ((body: Body, request: Request) => Members<Body>),
): Change {
  return json(at, (body, request) => ({ ...body, ...(typeof change === 'function' ? change(body, request) : change) }));
}

/** Sends other members of each element of an array in the body. `undefined` leaves a member out. */
export function each<Body, Name extends keyof Body>(
  at: At<Body>,
  name: Name,
  change: (element: ElementOf<Body[Name]>) => Members<ElementOf<Body[Name]>>,
): Change {
  const changed = (one: ElementOf<Body[Name]>) => ({ ...Object(one), ...change(one) });
  return json(at, (body) => ({ ...body, [name]: (body[name] as ElementOf<Body[Name]>[]).map(changed) }));
}

type ElementOf<List> = List extends readonly (infer One)[] ? One : never;

/** Sends other elements of an array in the body. */
export function elements<Body, Name extends keyof Body>(
  at: At<Body>,
  name: Name,
  change: (elements: Body[Name]) => readonly unknown[],
): Change {
  return json(at, (body) => ({ ...body, [name]: change(body[name]) }));
}

/** Sends other members of a body with status 200, from the body of the response to another request. */
export function membersWith<Body, Other = Body>(
  at: At<Body>,
  ask: (request: Request, service: Service) => Request,
  change: (own: Body, other: Other) => Members<Body>,
): Change {
  return onStatus(at, 200, async (response, request, service) => {
    const own: Body = await response.json();
    const other: Other = await (await service.fetch(ask(request, service))).json();
    return withBody(response, JSON.stringify({ ...own, ...change(own, other) }));
  });
}

/** Sends the response to another request in place of one with this status. */
export function again(at: At, status: number, other: (request: Request, service: Service) => Request): Change {
  return onStatus(at, status, (_response, request, service) => service.fetch(other(request, service)));
}

/** All changes in one provider. The first is the innermost. */
export function together(changes: readonly Change[]): Change {
  return (service) => {
    let { fetch } = service;
    for (const change of changes) fetch = fetchOf(change({ ...service, fetch }));
    return fetch;
  };
}

/** A handler as the `fetch` of a service. */
const fetchOf = (handler: Handler): Service['fetch'] => handler as Service['fetch'];

// Requests and responses with a difference.

export function error(status: number, code: string, message = 'The request failed.'): Response {
  return Response.json({ error: { code, message } }, { status });
}

export function redirect(location: string, status = 307): Response {
  return new Response(null, { status, headers: { location } });
}

export function html(text: string, status = 200): Response {
  return new Response(`<!doctype html><title>${text}</title>`, { status, headers: { 'content-type': 'text/html' } });
}

export function withBody(response: Response, body: string): Response {
  return new Response(body, {
    status: response.status,
    headers: headersWith(response.headers, 'content-length', null),
  });
}

export function withStatus(response: Response, status: number): Response {
  return new Response(response.body, { status, headers: response.headers });
}

/** The request or the response with a header. `null` removes it. */
export function withHeader<Message extends Request | Response>(message: Message, name: string, value: string | null) {
  const headers = headersWith(message.headers, name, value);
  const { body, status } = message as Response;
  const made = message instanceof Request ? new Request(message, { headers }) : new Response(body, { status, headers });
  return made as Message;
}

function headersWith(given: Headers, name: string, value: string | null): Headers {
  const headers = new Headers(given);
  if (value === null) headers.delete(name);
  else headers.set(name, value);
  return headers;
}

/** The request with another API key, or `null` for none. */
export function withKey(request: Request, key: string | null): Request {
  return withHeader(request.clone(), 'authorization', key && `Bearer ${key}`);
}

export function withQuery(request: Request, change: (query: URLSearchParams) => void): Request {
  const url = new URL(request.url);
  change(url.searchParams);
  return new Request(url, request.clone());
}

export function withPath(request: Request, path: string): Request {
  return new Request(new URL(path, request.url), request.clone());
}

export function withText(request: Request, body: string): Request {
  return new Request(request.clone(), { body });
}

/** The same view of a page, which does not count as a scan. */
export function uncounted(request: Request): Request {
  return withHeader(request, 'sec-purpose', 'prefetch');
}

/** The read of a path with the key of the request. */
export function readOf(request: Request, path: string): Request {
  const headers = { authorization: request.headers.get('authorization') ?? '' };
  return new Request(new URL(path, request.url), { headers });
}

/** The same request of the other tenant. */
export function ofOther(request: Request, service: Service): Request {
  const [first, second] = keysOf(service);
  return withKey(request, keyOf(request) === first ? second : first);
}

// What a request has.

/** The text after `Bearer `, or an empty text. */
export function keyOf(request: Request): string {
  return /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
}

/** The keys of both tenants. */
export function keysOf({ provider }: Service): readonly [string, string] {
  const [first, second] = provider.tenants;
  if (first === undefined || second === undefined) throw new Error('The service has fewer than two tenants.');
  return [first.api_key, second.api_key];
}

export const hasNoKey = ({ headers }: Request): boolean => !headers.has('authorization');

export function queryOf(request: Request, name: string): string | null {
  return new URL(request.url).searchParams.get(name);
}

export function pathOf({ url }: Request): string {
  return new URL(url).pathname;
}

export function segments(request: Request): readonly string[] {
  return pathOf(request)
    .split('/')
    .filter((part) => part !== '');
}

/** The body of a request or a response, or `undefined` if it is not JSON. */
export async function jsonOf(message: Request | Response): Promise<unknown> {
  return message
    .clone()
    .json()
    .catch(() => undefined);
}

/** The members of a creation. A body that is not an object has none. */
export async function creationOf(request: Request): Promise<Partial<CreateProduct>> {
  const body = await jsonOf(request);
  return isRecord(body) ? body : {};
}

/** The elements of a write. A body that is not an array has none. */
export async function elementsOf(request: Request): Promise<readonly (Element | null)[]> {
  const body = await jsonOf(request);
  return Array.isArray(body) ? body : [];
}
