/** A client with the API key of a tenant. */
import type { Schemas, TokenRole } from '@product-passport/openapi';
import type { Tenant } from '../../server/src/tenants/store.ts';
import type { Service } from './service.ts';
import { newToken } from './tenant.ts';
import type { Incoming } from './wire.ts';

export type Product = Schemas['Product'];
export type Passport = Schemas['Passport'];

export interface Call {
  /** Default: `GET`. */
  readonly method?: string;
  readonly path: string;
  readonly query?: string | Readonly<Record<string, string | number>>;
  /** Bytes and text are sent unchanged, an array of several pieces in chunks. Anything else is sent as JSON. */
  readonly body?: unknown;
  /** `undefined` removes a default header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Another API key; `null` sends none. */
  readonly key?: string | null;
  /** The operation of the response, if the path does not identify it. */
  readonly operationId?: string;
}

export interface Reply extends Incoming {
  /** The status and, for an error, its code: `200`, `404 not_found`. */
  readonly outcome: string;
  /** The parsed body, if it is JSON. */
  readonly json: unknown;
}

export class Client {
  readonly service: Service;
  readonly tenant: Tenant;
  readonly key: string;
  readonly keyId: string;

  constructor(service: Service, tenant: Tenant, key: string, keyId: string) {
    this.service = service;
    this.tenant = tenant;
    this.key = key;
    this.keyId = keyId;
  }

  async call({
    method = 'GET',
    path,
    query = '',
    body,
    headers = {},
    key = this.key,
    operationId,
  }: Call): Promise<Reply> {
    const queryText = typeof query === 'string' ? query : String(new URLSearchParams(query as Record<string, string>));
    const all = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    };
    const incoming = await this.service.send(
      {
        method,
        path: queryText === '' ? path : `${path}?${queryText}`,
        headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
        body: bytesOf(body),
      },
      operationId,
    );
    const json =
      /json;/.test(incoming.headers['content-type'] ?? '') && incoming.text ? JSON.parse(incoming.text) : undefined;
    const code = incoming.status >= 400 && json ? ` ${json.error.code}` : '';
    return { ...incoming, json, outcome: `${incoming.status}${code}` };
  }

  /** Sends a request that must succeed with 200, and returns the body. */
  async #ok(call: Call): Promise<unknown> {
    const { outcome, text, json } = await this.call(call);
    if (outcome !== '200') throw new Error(`${call.method ?? 'GET'} ${call.path}: ${outcome} ${text.slice(0, 300)}`);
    return json;
  }

  /** Creates a product from a name or from a whole body. */
  create(product: string | object): Promise<Product> {
    const body = typeof product === 'string' ? { name: product } : product;
    return this.#ok({ method: 'POST', path: '/api/v1/products', body }) as Promise<Product>;
  }

  /** Sends a create request and returns its outcome. `body` is sent as in `call`. */
  async creation(body: unknown): Promise<string> {
    return (await this.call({ method: 'POST', path: '/api/v1/products', body })).outcome;
  }

  product(slug: string): Promise<Product> {
    return this.#ok({ path: `/api/v1/products/${slug}` }) as Promise<Product>;
  }

  list(query: Record<string, string | number> = {}): Promise<Schemas['ProductList']> {
    return this.#ok({ path: '/api/v1/products', query }) as Promise<Schemas['ProductList']>;
  }

  me(): Promise<Schemas['Me']> {
    return this.#ok({ path: '/api/v1/me' }) as Promise<Schemas['Me']>;
  }

  passport(slug: string): Promise<Passport> {
    return this.#ok({ path: passportOf(slug) }) as Promise<Passport>;
  }

  write(slug: string, values: readonly object[]): Promise<Schemas['PassportWriteResult']> {
    return this.#ok({ method: 'PUT', path: passportOf(slug), body: values }) as Promise<Schemas['PassportWriteResult']>;
  }

  /** Writes to a passport and returns the outcome. `body` is sent as in `call`. */
  async writing(slug: string, body: unknown): Promise<string> {
    return (await this.call({ method: 'PUT', path: passportOf(slug), body })).outcome;
  }

  /** Creates an active product with these values, and returns the path of its page. */
  async publish(product: string | object, values: readonly object[] = []): Promise<string> {
    const { slug } = await this.create(product);
    if (values.length > 0) await this.write(slug, values);
    await this.service.activate(this, slug);
    return `/p/${this.tenant.slug}/${slug}`;
  }

  /** An access token for all products of the tenant, which does not expire. */
  async token(role: TokenRole, now = new Date()): Promise<string> {
    return (await newToken(this.service.database, this.tenant, role, { now })).token;
  }

  carriers(slug: string): Promise<Schemas['CarrierList']> {
    return this.#ok({ path: `/api/v1/products/${slug}/carriers` }) as Promise<Schemas['CarrierList']>;
  }

  scans(query: Record<string, string | number> = {}): Promise<Schemas['ScanStatistics']> {
    return this.#ok({ path: '/api/v1/analytics/scans', query }) as Promise<Schemas['ScanStatistics']>;
  }
}

function passportOf(slug: string): string {
  return `/api/v1/products/${slug}/passport`;
}

function bytesOf(body: unknown): Buffer | readonly Buffer[] | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  if (isBuffers(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function isBuffers(body: unknown): body is readonly Buffer[] {
  return Array.isArray(body) && body.length > 0 && body.every(Buffer.isBuffer);
}
