/** `@product-passport/server/testing`: the reference server inside the process of a test runner. */
import type { Knex } from 'knex';
import type { AppOptions } from './app.ts';
import { shownAddress } from './database/address.ts';
import { type ConnectedSandbox, connectSandbox, newControlToken } from './sandbox/client.ts';
import type { KeyScope } from './tenants/keys.ts';

export {
  type ConnectedSandbox,
  connectSandbox,
  type NewTenant,
  SandboxError,
  type SandboxFault,
  type SandboxScans,
  type SandboxTenant,
  type SandboxToken,
  type SeedProduct,
} from './sandbox/client.ts';
export type { ClientFinding, RecordedRequest } from './sandbox/traffic.ts';

export interface TestServerOptions {
  /** A new SQLite file, or the `postgres://` address of an empty database. Default: a database in memory. */
  database?: string;
  /** Loads the demo: three tenants with 26 products, passports, data carriers and scans. Default false. */
  demo?: boolean;
  /** Slugs of the tenants to create, in addition to those of the demo. Default: `test-shop`, or none with the demo. */
  tenants?: readonly string[];
  /** Whether the keys of `tenants` may change the status of products. Default false. */
  publish?: boolean;
  /** Port on 127.0.0.1. Default: any free port. */
  port?: number;
  /** Public address of the site, used in links. Default: the address that the server listens on. */
  siteUrl?: string;
  /** Requests a minute for each tenant; 0 means no limit. Default 0. */
  rateLimit?: number;
}

export interface TestTenant {
  readonly slug: string;
  readonly apiKey: string;
}

export interface TestServer {
  /** Address of the API, with `/api/v1`, as the SDK's `baseUrl` wants it. */
  readonly baseUrl: string;
  /** Public address of the site, without a slash at the end. */
  readonly siteUrl: string;
  /** The first tenant's key. */
  readonly apiKey: string;
  /** Those of the demo first. */
  readonly tenants: readonly TestTenant[];
  /** Waits for running requests, frees the port, and closes the database. Calling it twice does no harm. */
  stop(): Promise<void>;
}

/** Time for running requests to finish at a stop, in milliseconds. */
const stopTimeout = 1000;

/** The modules of the server take a second to load, so a program that only connects to a sandbox does not load them. */
async function load() {
  const [app, open, { createLog }, keys, tenants] = await Promise.all([
    import('./app.ts'),
    import('./database/open.ts'),
    import('./log/log.ts'),
    import('./tenants/keys.ts'),
    import('./tenants/store.ts'),
  ]);
  return { ...app, ...open, ...keys, ...tenants, log: createLog('error') };
}

/** One for all servers of the process. Their log has errors only, on standard error. */
let loaded: ReturnType<typeof load> | undefined;

const server = () => {
  loaded ??= load();
  return loaded;
};

/**
 * Starts a reference server in this process. Servers share nothing, so each test file or worker can have its own.
 *
 * @throws if the database already has tenants, the port is in use, or a slug has another form
 */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { database: address = ':memory:', demo = false, tenants: slugs = demo ? [] : ['test-shop'] } = options;
  const { port = 0, rateLimit = 0, siteUrl, publish = false } = options;
  const { openDatabase, hasTenants } = await server();
  const database = await openDatabase(address);
  try {
    if (await hasTenants(database)) {
      const fault = `The database ${shownAddress(address)} already has tenants.`;
      throw new Error(`${fault} Name an empty database, or leave out \`database\` for one in memory.`);
    }
    const demonstration = { database, urnNamespace: 'dpp', now: () => new Date() };
    const filled = demo ? await (await import('./demo/fill.ts')).fillDemo(demonstration) : undefined;
    const tenants = filled?.tenants.map(({ slug, api_key }) => ({ slug, apiKey: api_key })) ?? [];
    for (const slug of slugs) tenants.push(await addTenant(database, slug, publish ? 'publish' : 'edit'));
    const [first] = tenants;
    if (!first) throw new Error('Name at least one tenant.');

    const { local, stop } = await listen({ database, port, siteUrl, rateLimit });
    return { baseUrl: `${local}/api/v1`, siteUrl: siteUrl ?? local, apiKey: first.apiKey, tenants, stop };
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

export interface SandboxOptions {
  /** Port on 127.0.0.1. Default: any free port. */
  port?: number;
  /** Requests a minute for each tenant; 0 means no limit. Default 0. */
  rateLimit?: number;
  /** Public address in the responses. Default: the one that the server listens on. */
  siteUrl?: string;
}

/** A sandbox in this process. */
export interface Sandbox extends ConnectedSandbox {
  /** Public address of the site, without a slash at the end. */
  readonly siteUrl: string;
  /** Waits for running requests, frees the port, and closes the database. Calling it twice does no harm. */
  stop(): Promise<void>;
}

/**
 * Starts a server in this process that tests control: tenants with their own products, faults, clock and recorded
 * requests. The database is in memory.
 *
 * @throws if the port is in use
 */
export async function startSandbox({ port = 0, rateLimit = 0, siteUrl }: SandboxOptions = {}): Promise<Sandbox> {
  const { openDatabase } = await server();
  const database = await openDatabase(':memory:', { sandbox: true });
  const controlToken = newControlToken();
  try {
    const { local, stop } = await listen({ database, port, siteUrl, rateLimit, sandbox: { controlToken } });
    return { ...connectSandbox({ baseUrl: `${local}/api/v1`, controlToken }), siteUrl: siteUrl ?? local, stop };
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

/** Starts to listen. `stop` closes the database too. */
async function listen(options: AppOptions): Promise<{ local: string; stop: () => Promise<void> }> {
  const { createApp, localAddress, log } = await server();
  const app = await createApp({ ...options, log });
  await app.start();
  const end = async () => {
    await app.stop({ timeout: stopTimeout });
    await options.database.destroy();
  };
  let ended: Promise<void> | undefined;
  return {
    local: localAddress(app),
    stop() {
      ended ??= end();
      return ended;
    },
  };
}

async function addTenant(database: Knex, slug: string, scope: KeyScope): Promise<TestTenant> {
  const needs = `The tenant ${JSON.stringify(slug)} needs another slug:`;
  const { createKey, insertTenant, slugForm } = await server();
  if (!slugForm.test(slug)) throw new Error(`${needs} use a to z, 0 to 9 and single hyphens, as in my-shop.`);
  const now = new Date();
  const tenant = await insertTenant(database, { slug, name: slug, country: 'DE', plan: 'starter' }, now);
  if (!tenant) throw new Error(`${needs} another tenant has it already.`);
  const { key } = await createKey(database, tenant.id, 'test', now, scope);
  return { slug, apiKey: key };
}
