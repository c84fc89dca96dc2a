/** Requests that must succeed, with their parsed responses. A case uses them where the request itself is not the point. */
import type {
  CarrierList,
  Me,
  Passport,
  PassportWriteResult,
  Product,
  ProductList,
  ProductListItem,
  ScanStatistics,
} from '@product-passport/sdk';
import { shown } from '../judge/finding.ts';
import { check, memberAt } from './check.ts';
import type { WireResponse } from './http/exchange.ts';

type Query = Exclude<Ask['query'], string | undefined>;

export const productPath = (slug: string): string => `/api/v1/products/${encodeURIComponent(slug.toWellFormed())}`;
export const passportPath = (slug: string): string => `${productPath(slug)}/passport`;

export type Api = ReturnType<typeof apiOf>;

/**
 * Every method throws CaseFailure unless the response is 200 with a JSON object.
 *
 * @param key the tenant's key; default: the first tenant's
 */
export function apiOf(send: (ask: Ask) => Promise<Reply>, key?: string) {
  const ok = async <Body>(ask: Ask): Promise<Body> => {
    const reply = await send(key === undefined ? ask : { ...ask, key });
    const line = `${ask.method ?? 'GET'} ${ask.path}`;
    check(reply.status === 200, `${line} must respond with 200, responds with ${outcomeOf(reply)}`, { ask });
    check(typeof reply.json === 'object' && reply.json !== null, `${line}: ${noObject(reply)}`, { ask });
    return reply.json as Body;
  };
  return {
    me: () => ok<Me>({ path: '/api/v1/me' }),
    list: (query: Query = {}) => ok<ProductList>({ path: '/api/v1/products', query }),
    product: (slug: string) => ok<Product>({ path: productPath(slug) }),
    create: (json: object) => ok<Product>({ method: 'POST', path: '/api/v1/products', json }),
    passport: (slug: string) => ok<Passport>({ path: passportPath(slug) }),
    put: (slug: string, json: readonly object[]) =>
      ok<PassportWriteResult>({ method: 'PUT', path: passportPath(slug), json }),
    carriers: (slug: string) => ok<CarrierList>({ path: `${productPath(slug)}/carriers` }),
    scans: (query: Query = {}) => ok<ScanStatistics>({ path: '/api/v1/analytics/scans', query }),
  };
}

/** What the body is instead of a JSON object. It does not quote the body, so that no value of a passport gets into a report. */
function noObject({ text }: Reply): string {
  if (text === '') return 'the body is missing';
  try {
    return `the body must be a JSON object, is ${shown(JSON.parse(text))}`;
  } catch (error) {
    return `the body is not JSON: ${(error as Error).message.replace(/, (?:\.{3})?".*/s, '')}`;
  }
}

/** The product in the response to a creation. PROD-1.status checks the status. */
export function createdProduct(reply: Reply): Product {
  const product = productIn(reply);
  check(product !== undefined, `POST /api/v1/products must respond with a product, responds with ${outcomeOf(reply)}`, {
    ask: { method: 'POST', path: '/api/v1/products' },
  });
  return product;
}

/** The product in a response that succeeds. */
export function productIn({ status, json }: Pick<Reply, 'status' | 'json'>): Product | undefined {
  return status < 300 && typeof memberAt(json, 'slug') === 'string' ? (json as Product) : undefined;
}

/** The status and, for an error, its code: `404 not_found`. */
export function outcomeOf({ status, code }: Pick<Reply, 'status' | 'code'>): string {
  return code === undefined ? String(status) : `${status} ${code}`;
}

/** A request. Defaults: `GET`, the first tenant's key under `/api/v1`, no body. */
export interface Ask {
  readonly method?: string;
  /** As in the contract, below the site: `/api/v1/me`. */
  readonly path: string;
  /** Appended to the path. An array sends the parameter several times. Text is sent unchanged. */
  readonly query?: string | Readonly<Record<string, string | number | readonly string[]>>;
  /** Another key, or `null` for none. */
  readonly key?: string | null;
  /** `undefined` removes a default header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly raw?: string | Uint8Array;
}

export interface Expected {
  readonly status: number | readonly number[];
  readonly code?: string;
}

export interface Reply extends WireResponse {
  /** The parsed body, or `undefined` if the body is not JSON. */
  readonly json: unknown;
  /** `error.code` of the body. */
  readonly code: string | undefined;
}

/** The same value for each key. */
export function valuesOf(keys: readonly string[], value: unknown): { field_key: string; value: unknown }[] {
  return keys.map((field_key) => ({ field_key, value }));
}

/** A GTIN of GS1's prefix for demonstrations. It is random, because a provider may refuse a repeated one. */
export function newGtin(): string {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  const digits = `952${String(number % 1e9).padStart(9, '0')}`;
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

interface ListQuery {
  readonly limit: number;
  readonly status?: string;
  readonly search?: string;
}

/** A walk ends after this many pages, because a provider may have many products. */
export const maxPages = 20;

/** The products of the first pages. */
export async function walk(api: Api, query: ListQuery): Promise<ProductListItem[]> {
  const items: ProductListItem[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const { items: more, total } = await api.list({ ...query, offset: page * query.limit });
    items.push(...more);
    if ((page + 1) * query.limit >= total || more.length === 0) break;
  }
  return items;
}

export const slugsOf = (items: readonly ProductListItem[]): string[] => items.map(({ slug }) => slug);
