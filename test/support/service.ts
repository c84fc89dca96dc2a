/** The reference server as the tests use it: its own database, real requests, every response checked by the judge. */
import { Agent } from 'node:http';
import { beforeAll } from '@jest/globals';
import { createJudge } from '../../contracts/judge/judge.ts';
import { fillDemo } from '../../server/src/demo/fill.ts';
import { type AppOptions, createApp, openDatabase } from '../../server/src/index.ts';
import { moveProduct } from '../../server/src/lifecycle/status.ts';
import { createLog } from '../../server/src/log/log.ts';
import type { Tenant } from '../../server/src/tenants/store.ts';
import { Client } from './client.ts';
import { type Database, type DatabaseKind, newMigratedDatabase } from './database.ts';
import { ending } from './files.ts';
import { noteFailedRequests } from './program.ts';
import { newKey, newTenant } from './tenant.ts';
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

  async newKey(tenant: Tenant): Promise<{ id: string; key: string }> {
    const made = await newKey(this.database, tenant);
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
