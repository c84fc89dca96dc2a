import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  type Client,
  createClient,
  type Passport,
  type Product,
  type ProductListItem,
  type ProductQuery,
} from '../../sdk/src/index.ts';
import { runHere, scriptHere, serveHere } from '../support/command.ts';
import { announcement, type Outcome, type Running, root, run, start } from '../support/program.ts';

/** Where a service is and who asks. */
export interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** A tenant of the server. */
export interface Tenant extends Access {
  readonly client: Client;
}

function tenantOf(baseUrl: string, apiKey: string): Tenant {
  return { baseUrl, apiKey, client: createClient({ baseUrl, apiKey }) };
}

export interface Server {
  /** The tenants of the demo. */
  readonly demo: readonly [Tenant, Tenant];
  /** Creates a tenant without products. */
  newTenant(slug: string): Promise<Tenant>;
  stop(): Promise<void>;
}

/** The server with the demo data in a new file. */
export async function serve(database: string): Promise<Server> {
  const options = `--demo --json --port 0 --database ${database} --log-level silent`;
  const serving = await serveHere(`product-passport serve ${options}`, /\}\n/);
  const { base_url, tenants } = announcement(serving.said());
  const [one, other] = tenants;
  return {
    demo: [tenantOf(base_url, one.api_key), tenantOf(base_url, other.api_key)],
    newTenant: async (slug) => {
      await runHere(`product-passport tenant create ${slug} --name '${slug}' --country DE --database ${database}`);
      const { stdout } = await runHere(`product-passport key create --tenant ${slug} --database ${database}`);
      return tenantOf(base_url, stdout.trim());
    },
    stop: () => serving.stop(),
  };
}

const script = join(root, 'examples/inventory-sync/sync.ts');

function environmentOf({ baseUrl, apiKey }: Partial<Access>): Record<string, string> {
  return {
    ...(baseUrl !== undefined && { PRODUCT_PASSPORT_URL: baseUrl }),
    ...(apiKey !== undefined && { PRODUCT_PASSPORT_KEY: apiKey }),
  };
}

/** Runs the example in this process to its end. What is `undefined` is not in its environment. */
export function synced(access: Partial<Access>, ...files: string[]): Promise<Outcome> {
  return scriptHere(script, files, environmentOf(access));
}

/** Runs the example in a process of its own to its end. */
export function syncedApart(access: Access): Promise<Outcome> {
  return run(`node ${script}`, environmentOf(access));
}

/** Starts the example in a process of its own, and waits until its output, standard error included, matches. */
export function syncing(ready: RegExp, access: Access, ...files: string[]): Promise<Running> {
  return start(['node', script, ...files, '2>&1'].join(' '), ready, environmentOf(access));
}

/** The tenant's products, less what the list leaves out. */
export async function listed(client: Client, query: ProductQuery = {}): Promise<ProductListItem[]> {
  const found: ProductListItem[] = [];
  for await (const item of client.products.list({ ...query, limit: 200 })) found.push(item);
  return found;
}

/** A product as it is in the service, with its passport. */
export interface Stored extends Passport {
  readonly product: Passport['product'] & Product;
}

/** The tenant's products by their slugs, in the order of the slugs; those whose slugs begin with `prefix`. */
export async function storedIn(client: Client, prefix = ''): Promise<Map<string, Stored>> {
  const all = (await listed(client)).map(({ slug }) => slug).sort();
  const slugs = all.filter((slug) => slug.startsWith(prefix));
  const stored = await Promise.all(
    slugs.map(async (slug): Promise<[string, Stored]> => {
      const [product, passport] = await Promise.all([client.products.get(slug), client.passports.get(slug)]);
      return [slug, { ...passport, product: { ...passport.product, ...product } }];
    }),
  );
  return new Map(stored);
}

/** The slug of each product, its last change and the hash of its latest version, in the order of the slugs. */
export async function versionsIn(client: Client): Promise<unknown[]> {
  const products = (await listed(client)).sort((one, other) => (one.slug < other.slug ? -1 : 1));
  return Promise.all(
    products.map(async ({ slug, updated_at }) => {
      const { latest_version } = await client.passports.get(slug);
      return [slug, updated_at, latest_version?.content_hash];
    }),
  );
}

/** What becomes of a request or a response; who asked never hears of one that is lost. */
export type Fate = 'passed' | 'lost';

export interface Between extends Access {
  close(): Promise<void>;
}

/** Stands between the program and the server, and sees every request, such as `GET /products/x`. */
export async function between(
  { baseUrl, apiKey }: Access,
  hooks: { before?(line: string): Promise<Fate>; after?(line: string): Fate },
): Promise<Between> {
  const { hostname, port } = new URL(baseUrl);
  const proxy = createServer(async (incoming, outgoing) => {
    const line = `${incoming.method} ${incoming.url?.replace('/api/v1', '')}`;
    if ((await hooks.before?.(line)) === 'lost') {
      incoming.socket.destroy();
      return;
    }
    const { method, url, headers } = incoming;
    const onward = request({ hostname, port, method, path: url, headers }, (response) => {
      if (hooks.after?.(line) === 'lost') {
        response.resume().once('end', () => incoming.socket.destroy());
        return;
      }
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(outgoing);
    });
    onward.once('error', () => incoming.socket.destroy());
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${address.port}/api/v1`,
    apiKey,
    close: async () => {
      proxy.close();
      proxy.closeAllConnections();
      await once(proxy, 'close');
    },
  };
}
