/** The reference server as the tests meet it: over a database of its own, through its port, every answer judged. */
import './realm.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll } from '@jest/globals';
import { createJudge } from '../../contracts/judge/judge.ts';
import { type AppOptions, createApp, openDatabase } from '../../server/src/index.ts';
import { createLog } from '../../server/src/log/log.ts';
import { createKey } from '../../server/src/tenants/keys.ts';
import { insertTenant, type Tenant } from '../../server/src/tenants/store.ts';
import { moveProduct } from '../../server/src/testing.ts';
import { Client } from './client.ts';
import { ending } from './ending.ts';
import { newPostgresDatabase } from './postgres.ts';
import { type Incoming, type Outgoing, send } from './wire.ts';

export const databaseKinds = ['SQLite', 'PostgreSQL'] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

export type Database = Awaited<ReturnType<typeof openDatabase>>;
export type App = Awaited<ReturnType<typeof createApp>>;

/** The address of a new, empty database. It goes when the test file ends. */
export async function newDatabase(kind: DatabaseKind): Promise<string> {
  if (kind === 'PostgreSQL') return newPostgresDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'passport-sqlite-'));
  ending.defer(() => rm(folder, { recursive: true }));
  return join(folder, 'passports.sqlite');
}

const judge = createJudge();

type ServiceOptions = Omit<AppOptions, 'database' | 'log'> & {
  /** An address or an open database. Without one the service has a database of its own. */
  on?: string | Database;
};

export class Service {
  readonly kind: DatabaseKind;
  /** What the server logged, one JSON text a line. */
  readonly logLines: string[] = [];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #keys: string[] = [];
  #running: { database: Database; app: App } | undefined;
  #tenants = 0;

  constructor(kind: DatabaseKind) {
    this.kind = kind;
  }

  /** Starts the server, until the test file ends. */
  async start({ on, ...options }: ServiceOptions): Promise<void> {
    const given = on ?? (await newDatabase(this.kind));
    const log = createLog('info', { write: (line) => void this.logLines.push(line) });
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
    if (!this.#running) throw new Error('The service is not started yet.');
    return this.#running;
  }

  /** A tenant that nobody else uses, with a key. */
  async newTenant(tenant: Partial<Omit<Tenant, 'id'>> = {}): Promise<Client> {
    this.#tenants += 1;
    const named = {
      slug: `mandant-${this.#tenants}`,
      name: 'Mandant GmbH',
      country: 'DE',
      plan: 'business' as const,
      ...tenant,
    };
    const inserted = await insertTenant(this.database, named, new Date());
    if (!inserted) throw new Error('The tenant is there already.');
    const { key, id } = await this.newKey(inserted);
    return new Client(this, inserted, key, id);
  }

  async newKey(tenant: Tenant): Promise<{ id: string; key: string }> {
    const made = await createKey(this.database, tenant.id, 'test', new Date());
    this.#keys.push(made.key);
    return made;
  }

  /** The client of a tenant's key that was made elsewhere, at another service over the same database. */
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
    // The tenants of a test file use the same GTINs.
    const moved = await moveProduct(services, client.tenant.id, slug, status, { shareGtin: true });
    if (!moved) throw new Error(`There is no ${slug}.`);
    return moved;
  }

  /** Sends a request and has the answer judged. */
  async send(outgoing: Outgoing, operationId?: string): Promise<Incoming> {
    const incoming = await send(this.port, this.#agent, outgoing);
    this.judge({ method: outgoing.method, path: outgoing.path, operationId }, incoming);
    return incoming;
  }

  /** HTTP-6, AUTH-6: throws unless the answer keeps the contract, its schemas closed, and holds no key. */
  judge(
    asked: { method?: string; path?: string; operationId?: string | undefined },
    { status, headers, text }: Pick<Incoming, 'status' | 'headers' | 'text'>,
  ): void {
    const findings = judge.answer({ ...asked, status, headers, body: text });
    if (findings.length > 0) {
      throw new Error(
        `${status} ${text.slice(0, 500)}\n${findings.map(({ where, what }) => `${where} ${what}`).join('\n')}`,
      );
    }
    const whole = JSON.stringify(headers) + text;
    if (this.#keys.some((key) => whole.includes(key))) throw new Error('The answer holds an API key.');
  }

  /** Stops to listen; the database stays open. */
  async stop(): Promise<void> {
    await this.app.stop({ timeout: 1000 });
    this.#agent.destroy();
  }
}

/** A service that stands before the tests of this `describe` begin. */
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
