/** A request on its way to a provider: where it goes, what a row reads of it, and the same request with a difference. */
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

/** The requests to change: a method, and a pattern of the path. */
export interface Route<Body = unknown> {
  readonly method?: string;
  readonly path: RegExp;
  /** Text that the query contains. */
  readonly query?: string;
  /** Only a type: the body of a response with status 200. */
  readonly body?: Body;
}

const products = '^/api/v1/products';

function route<Body>(method: string, path: string): Route<Body> {
  return { method, path: new RegExp(path) };
}

/** Routes by name. Those of an operation have the type of its body. */
export const at = {
  everywhere: { path: /^/ } as Route,
  api: { path: /^\/api\/v1\// } as Route,
  me: route<Me>('GET', '^/api/v1/me$'),
  list: route<ProductList>('GET', `${products}$`),
  create: route<Product>('POST', `${products}$`),
  product: route<Product>('GET', `${products}/[^/]+$`),
  ofProduct: { path: new RegExp(`${products}/[^/]+`) } as Route,
  passport: route<Passport>('GET', `${products}/[^/]+/passport$`),
  write: route<PassportWriteResult>('PUT', `${products}/[^/]+/passport$`),
  status: route<Product>('POST', `${products}/[^/]+/status$`),
  carriers: route<CarrierList>('GET', `${products}/[^/]+/carriers$`),
  scans: route<ScanStatistics>('GET', '^/api/v1/analytics/scans$'),
  page: route('GET', '^/p/[^/]+/[^/]+$'),
  document: route<PassportDocument>('GET', '^/p/[^/]+/[^/]+/jsonld$'),
  publicSide: { path: /^\/(p|01)\// } as Route,
  resolver: route('GET', '^/01/[^/]+$'),
  /** Digital Links with and without key qualifiers. */
  links: { path: /^\/01\// } as Route,
};

export type Element = Partial<PassportValueInput>;

interface Difference {
  readonly method?: string;
  /** With the query. Also a whole URL. */
  readonly path?: string;
  /** `null` removes a parameter. */
  readonly query?: Readonly<Record<string, string | null>>;
  /** `null` removes the key, `undefined` leaves it. */
  readonly key?: string | null | undefined;
  /** `null` removes a header. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The body. */
  readonly text?: string;
}

export class Call {
  readonly request: Request;
  readonly service: Service;

  constructor(request: Request, service: Service) {
    this.request = request;
    this.service = service;
  }

  isAt({ method, path, query = '' }: Route): boolean {
    const { pathname, search } = new URL(this.url);
    return (method === undefined || method === this.method) && path.test(pathname) && search.includes(query);
  }

  get method(): string {
    return this.request.method;
  }

  get url(): string {
    return this.request.url;
  }

  get headers(): Headers {
    return this.request.headers;
  }

  get path(): string {
    return new URL(this.url).pathname;
  }

  get query(): URLSearchParams {
    return new URL(this.url).searchParams;
  }

  get segments(): readonly string[] {
    return this.path.split('/').filter((part) => part !== '');
  }

  /** The product in a path of the API. */
  get slug(): string {
    return this.segments[3] ?? '';
  }

  get authorization(): string {
    return this.headers.get('authorization') ?? '';
  }

  /** The text after `Bearer `, or an empty text. */
  get key(): string {
    return /^bearer +(\S+)$/i.exec(this.authorization)?.[1] ?? '';
  }

  get provider(): Service['provider'] {
    return this.service.provider;
  }

  /** The keys of both tenants. */
  get keys(): readonly [string, string] {
    const [first, second] = this.provider.tenants;
    if (first === undefined || second === undefined) throw new Error('The service has fewer than two tenants.');
    return [first.api_key, second.api_key];
  }

  text(): Promise<string> {
    return this.request.clone().text();
  }

  /** The body, or `undefined` if it is not JSON. */
  json(): Promise<unknown> {
    return jsonOf(this.request);
  }

  /** The members of a creation. A body that is not an object has none. */
  async creation(): Promise<Partial<CreateProduct>> {
    const body = await this.json();
    return isRecord(body) ? body : {};
  }

  /** The elements of a write. A body that is not an array has none. */
  async elements(): Promise<readonly (Element | null)[]> {
    const body = await this.json();
    return Array.isArray(body) ? body : [];
  }

  send(): Promise<Response> {
    return this.service.fetch(this.request.clone());
  }

  /** Sends the request. Returns the JSON of the response. */
  async reply<Body>(): Promise<Body> {
    return (await (await this.send()).json()) as Body;
  }

  with({ method, path = this.url, query = {}, key, headers = {}, text }: Difference): Call {
    const url = new URL(path, this.url);
    for (const [name, value] of Object.entries(query)) {
      // A query without a difference keeps its bytes.
      if (value === url.searchParams.get(name)) continue;
      if (value === null) url.searchParams.delete(name);
      else url.searchParams.set(name, value);
    }
    const authorization = key === undefined ? {} : { authorization: key && `Bearer ${key}` };
    const init = {
      headers: headersWith(this.headers, { ...authorization, ...headers }),
      ...(method !== undefined && { method }),
      ...(text !== undefined && { body: text }),
    };
    return new Call(new Request(new Request(url, this.request.clone()), init), this.service);
  }

  withJson(body: unknown): Call {
    return this.with({ text: JSON.stringify(body) });
  }

  /** The read of a path with the key of the request. */
  get(path: string): Call {
    const { authorization } = this;
    return new Call(new Request(new URL(path, this.url), { headers: { authorization } }), this.service);
  }

  /** The same request of the other tenant. */
  get ofOther(): Call {
    const [first, second] = this.keys;
    return this.with({ key: this.key === first ? second : first });
  }

  /** The same view of a page, which does not count as a scan. */
  get uncounted(): Call {
    return this.with({ headers: { 'sec-purpose': 'prefetch' } });
  }
}

/** The body of a request or a response, or `undefined` if it is not JSON. */
export async function jsonOf(message: Request | Response): Promise<unknown> {
  return message
    .clone()
    .json()
    .catch(() => undefined);
}

/** The headers with others. `null` removes one. */
export function headersWith(given: Headers, others: Readonly<Record<string, string | null>>): Headers {
  const headers = new Headers(given);
  for (const [name, value] of Object.entries(others)) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  return headers;
}
