/** The reference server as the tests use it: its own database, real requests, every response checked by the judge. */
import { Agent } from 'node:http';
import { beforeAll } from '@jest/globals';
import { errorIn, type Schemas, type TokenRole } from '@product-passport/openapi';
import { createJudge } from '../../contracts/judge/judge.ts';
import { fillDemo } from '../../server/src/demo/fill.ts';
import { type AppOptions, createApp, openDatabase } from '../../server/src/index.ts';
import { moveProduct } from '../../server/src/lifecycle/lifecycle.ts';
import { createLog } from '../../server/src/log/log.ts';
import type { Tenant } from '../../server/src/tenants/store.ts';
import { type Database, type DatabaseKind, newMigratedDatabase } from './database.ts';
import { ending } from './files.ts';
import { noteFailedRequests } from './program.ts';
import { newKey, newTenant, newToken } from './tenant.ts';
import { type Incoming, type Outgoing, send } from './wire.ts';

export type App = Awaited<ReturnType<typeof createApp>>;

const judge = createJudge();

type ServiceOptions = Omit<AppOptions, 'database' | 'log'> & {
  /** An address or an open database. By default the service has its own database. */
  on?: string | Database;
  /** Default: `warn`. */
  logLevel?: string;
};

export class Service {
  readonly kind: DatabaseKind;
  /** The server's log, one JSON text for each line. */
  readonly logLines: string[] = [];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #keys: string[] = [];
  #running: { database: Database; app: App } | undefined;
  #tenants = 0;

  constructor(kind: DatabaseKind) {
    this.kind = kind;
  }

  /** Starts the server. It stops when the test file ends. */
  async start({ on, logLevel = 'warn', ...options }: ServiceOptions): Promise<void> {
    const given = on ?? (await newMigratedDatabase(this.kind));
    const log = createLog(logLevel, { write: (line) => this.#log(line) });
    const database =
      typeof given === 'string' ? await openDatabase(given, { warn: (message) => log.warn(message) }) : given;
    if (typeof given === 'string') ending.defer(() => database.destroy());
    const app = await createApp({ ...options, database, log });
    this.#running = { database, app };
    await app.start();
    ending.defer(() => this.stop());
  }

  get database(): Database {
    return this.#started().database;
  }

  get app(): App {
    return this.#started().app;
  }

  get port(): number {
    return Number(this.app.info.port);
  }

  #started(): { database: Database; app: App } {
    if (!this.#running) throw new Error('The service has not started yet.');
    return this.#running;
  }

  /** Creates a tenant with an API key, used by the caller only. */
  async newTenant(tenant: Partial<Omit<Tenant, 'id'>> = {}): Promise<Client> {
    this.#tenants += 1;
    const inserted = await newTenant(this.database, { slug: `mandant-${this.#tenants}`, ...tenant });
    const { key, id } = await this.newKey(inserted);
    return new Client(this, inserted, key, id);
  }

  /** A client whose key may publish. */
  async publisherOf({ tenant }: Client): Promise<Client> {
    const { key, id } = await this.newKey(tenant, 'publish');
    return new Client(this, tenant, key, id);
  }

  async newKey(tenant: Tenant, scope?: 'edit' | 'publish'): Promise<{ id: string; key: string }> {
    const made = await newKey(this.database, tenant, 'test', scope);
    this.#keys.push(made.key);
    return made;
  }

  /** A client with a key that another service over the same database issued. */
  clientOf({ tenant, key, keyId }: Client): Client {
    this.#keys.push(key);
    return new Client(this, tenant, key, keyId);
  }

  activate(client: Client, slug: string): Promise<unknown> {
    return this.#move(client, slug, 'active');
  }

  archive(client: Client, slug: string): Promise<unknown> {
    return this.#move(client, slug, 'archived');
  }

  async #move(client: Client, slug: string, status: 'active' | 'archived'): Promise<unknown> {
    const services = { database: this.database, now: () => new Date() };
    // All tenants of a test file use the same GTINs.
    const moved = await moveProduct(services, client.tenant.id, slug, status, { shareGtin: true });
    if (!moved) throw new Error(`The product ${slug} does not exist.`);
    return moved;
  }

  /** Sends a request and checks the response with the judge. */
  async send(outgoing: Outgoing, operationId?: string): Promise<Incoming> {
    const incoming = await send(this.port, this.#agent, outgoing);
    this.judge({ method: outgoing.method, path: outgoing.path, operationId }, incoming);
    return incoming;
  }

  /** HTTP-6, AUTH-6: throws if the response breaks the contract, has undocumented fields or contains an API key. */
  judge(
    { method, path, operationId }: { method?: string; path?: string; operationId?: string | undefined },
    { status, headers, text }: Pick<Incoming, 'status' | 'headers' | 'text'>,
  ): void {
    const findings = judge.response({ method, path, operationId, status, headers, body: text });
    if (findings.length > 0) {
      const shown = findings.slice(0, 5).map(({ where, what }) => `${where} ${what}`);
      if (findings.length > shown.length) shown.push(`and ${findings.length - shown.length} more`);
      const about = `${method ?? ''} ${path ?? operationId ?? ''} → ${status} ${text.slice(0, 500)}`;
      throw Object.assign(new Error([about, ...shown, 'The other tests of this file are skipped.'].join('\n')), {
        name: 'ContractMismatch',
      });
    }
    const whole = JSON.stringify(headers) + text;
    if (this.#keys.some((key) => whole.includes(key))) throw new Error('The response contains an API key.');
  }

  #log(line: string): void {
    this.logLines.push(line);
    noteFailedRequests(line);
  }

  /** Stops listening. The database stays open. */
  async stop(): Promise<void> {
    await this.app.stop({ timeout: 1000 });
    this.#agent.destroy();
  }
}

/** A service that is ready before the tests of this `describe` begin. */
export function useService(kind: DatabaseKind, options: ServiceOptions = {}): Service {
  const service = new Service(kind);
  beforeAll(() => service.start(options));
  return service;
}

export async function startService(kind: DatabaseKind, options: ServiceOptions = {}): Promise<Service> {
  const service = new Service(kind);
  await service.start(options);
  return service;
}

/** Fills a database with the demo. Returns the access tokens for all products, and the products that are public. */
export async function fillPublicDemo({ database }: Pick<Service, 'database'>) {
  const keys = await fillDemo({ database, urnNamespace: 'dpp', now: () => new Date() });
  if (!keys) throw new Error('The database was not empty.');
  const products: { tenant: string; slug: string }[] = await database('products')
    .join('tenants', 'tenants.id', 'products.tenant_id')
    .where({ status: 'active' })
    .select({ tenant: 'tenants.slug', slug: 'products.slug' });
  return { tokens: keys.access_tokens.filter(({ product }) => product === null), products };
}

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

/** A client with the API key of a tenant. */
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
    const code = incoming.status >= 400 && json ? ` ${errorIn(json)?.code}` : '';
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
