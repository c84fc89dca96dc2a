/**
 * Providers with one mistake that real teams make, and unusual ones. They wrap the fake service of the SDK. Each
 * way to wrap it changes one thing and passes everything else on.
 */
import type { FakeService } from '@product-passport/sdk/testing';
import type { Claim } from '../../conformance/claims.ts';

/** The provider without the mistake. */
export type Service = Pick<FakeService, 'fetch' | 'provider'>;

export type Handler = (request: Request) => Promise<Response>;

export interface Mutant {
  /** Lower case with hyphens. */
  readonly id: string;
  /** What the provider does wrong, in one sentence. */
  readonly mistake: string;
  /** What the suite is asked to check. Default: core, public and digital-link. */
  readonly claims?: readonly Claim[];
  /** The id of the case that must fail. Other cases may fail too. */
  readonly killedBy: string;
  /** Text in the reason of that failure, so that the case does not fail for another reason. */
  readonly because: string;
  /** Beginnings of case ids. Other cases do not run, because they would wait for a long time. */
  readonly only?: readonly string[];
  /** The provider to wrap. Default: the fake service. `reference` needs `only`, because its suite takes longer. */
  readonly of?: 'reference';
  readonly wrap: (service: Service) => Handler;
}

/** A provider that keeps the description, and does what it leaves free in an unusual way. */
export interface Unusual {
  /** Lower case with hyphens. */
  readonly id: string;
  /** What the provider does, in one sentence. */
  readonly freedom: string;
  /** Beginnings of case ids. Other cases do not run, because they would wait for a long time. */
  readonly only?: readonly string[];
  /** Whether it has a run of its own, because others change what it needs. Default: false. */
  readonly isAlone?: boolean;
  readonly wrap: (service: Service) => Handler;
}

/** Which requests a change applies to: a method and a pattern of the path, as in `GET /api/v1/products`. */
export interface At {
  readonly method?: string;
  readonly path: RegExp;
}

export type Wrap = (service: Service) => Handler;

/** All of these freedoms in one provider. The first is the innermost. */
export function together(freedoms: readonly Unusual[]): Wrap {
  const wrapped = ({ fetch, provider }: Service, { wrap }: Unusual): Service => ({
    provider,
    fetch: wrap({ fetch, provider }) as Service['fetch'],
  });
  return (service) => freedoms.reduce(wrapped, service).fetch;
}

/** Changes the request before the provider receives it. */
export function changeRequest(
  at: At,
  change: (request: Request, service: Service) => Promise<Request> | Request,
): Wrap {
  return (service) => async (request) => service.fetch(matches(at, request) ? await change(request, service) : request);
}

/** Changes the query of the request. */
export function changeQuery(at: At, change: (query: URLSearchParams) => void): Wrap {
  return changeRequest(at, (request) => withQuery(request, change));
}

/** Changes the JSON body of the request. A body that is not JSON stays as it is. */
export function changeBody(at: At, change: (body: never) => unknown): Wrap {
  return changeRequest(at, async (request) => {
    const body = await jsonOf(request);
    return body === undefined ? request : new Request(request, { body: JSON.stringify(change(body as never)) });
  });
}

/** Changes the response. */
export function changeResponse(
  at: At,
  change: (response: Response, request: Request, service: Service) => Promise<Response> | Response,
): Wrap {
  return (service) => async (request) => {
    const response = await service.fetch(request.clone());
    return matches(at, request) ? change(response, request, service) : response;
  };
}

/** Changes the JSON body of responses with this status. */
export function changeJson(at: At, change: (body: never, request: Request) => unknown, status = 200): Wrap {
  return changeResponse(at, async (response, request) => {
    if (response.status !== status) return response;
    const body = change((await response.json()) as never, request);
    return withBody(response, JSON.stringify(body));
  });
}

/** Changes the text of responses with status 200. */
export function changeText(at: At, change: (text: string, request: Request) => string): Wrap {
  return changeResponse(at, async (response, request) =>
    response.status === 200 ? withBody(response, change(await response.text(), request)) : response,
  );
}

/** Sends another response in place of the error with this code. */
export function changeError(at: At, code: string, change: (response: Response, request: Request) => Response): Wrap {
  return changeResponse(at, async (response, request) => {
    if (response.status < 400) return response;
    return (await codeOf(response)) === code ? change(response, request) : response;
  });
}

/** Responds without the provider, unless `respond` returns `undefined`. */
export function respondWith(
  at: At,
  respond: (request: Request, service: Service) => Promise<Response | undefined> | Response | undefined,
): Wrap {
  return (service) => async (request) =>
    (matches(at, request) ? await respond(request.clone(), service) : undefined) ?? service.fetch(request);
}

export function withBody(response: Response, body: string): Response {
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(body, { status: response.status, headers });
}

export function withStatus(response: Response, status: number): Response {
  return new Response(response.body, { status, headers: response.headers });
}

export function withHeader(response: Response, name: string, value: string): Response {
  const headers = new Headers(response.headers);
  headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
}

/** The request with another API key, or `null` for none. */
export function withKey(request: Request, key: string | null): Request {
  const headers = new Headers(request.headers);
  if (key === null) headers.delete('authorization');
  else headers.set('authorization', `Bearer ${key}`);
  return new Request(request.clone(), { headers });
}

export function withQuery(request: Request, change: (query: URLSearchParams) => void): Request {
  const url = new URL(request.url);
  change(url.searchParams);
  return new Request(url, request.clone());
}

export function withPath(request: Request, path: string): Request {
  return new Request(new URL(path, request.url), request.clone());
}

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

/** The key of the tenant that the request does not name. */
export function otherKey(request: Request, service: Service): string {
  const [first, second] = keysOf(service);
  return keyOf(request) === first ? second : first;
}

export function segments(request: Request): readonly string[] {
  return new URL(request.url).pathname.split('/').filter((part) => part !== '');
}

export function error(status: number, code: string, message = 'The request failed.'): Response {
  return Response.json({ error: { code, message } }, { status });
}

/** The body of a request or a response, or `undefined` if it is not JSON. */
export async function jsonOf(message: Request | Response): Promise<unknown> {
  return message
    .clone()
    .json()
    .catch(() => undefined);
}

async function codeOf(response: Response): Promise<string | undefined> {
  const body = (await jsonOf(response)) as { error?: { code?: string } } | undefined;
  return body?.error?.code;
}

export function matches({ method, path }: At, request: Request): boolean {
  return (method === undefined || method === request.method) && path.test(new URL(request.url).pathname);
}

const products = '^/api/v1/products';

function at(method: string, path: string): At {
  return { method, path: new RegExp(path) };
}

export const everywhere: At = { path: /^/ };
export const api: At = { path: /^\/api\/v1\// };
export const me = at('GET', '^/api/v1/me$');
export const list = at('GET', `${products}$`);
export const create = at('POST', `${products}$`);
export const product = at('GET', `${products}/[^/]+$`);
export const ofProduct: At = { path: new RegExp(`${products}/[^/]+`) };
export const passport = at('GET', `${products}/[^/]+/passport$`);
export const write = at('PUT', `${products}/[^/]+/passport$`);
export const carriers = at('GET', `${products}/[^/]+/carriers$`);
export const scans = at('GET', '^/api/v1/analytics/scans$');
export const page = at('GET', '^/p/[^/]+/[^/]+$');
export const document = at('GET', '^/p/[^/]+/[^/]+/jsonld$');
export const publicSide: At = { path: /^\/(p|01)\// };
export const resolver = at('GET', '^/01/[^/]+$');
