import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Client, createClient, type Passport, type Product, type ProductQuery } from '../../sdk/src/index.ts';
import { root } from '../support/program.ts';

/** A child process, and what it has said so far. */
export class Program {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly #ended: Promise<unknown>;

  constructor(args: readonly string[], environment: NodeJS.ProcessEnv) {
    this.child = spawn(process.execPath, args, { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#ended = once(this.child, 'close');
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      this.child.emit('said');
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.child.emit('said');
    });
  }

  /** Waits until it has said something that matches. */
  async says(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.stdout + this.stderr)) {
      const ended = this.#ended.then(() => {
        throw new Error(`It ended without ${pattern}:\n${this.stdout}${this.stderr}`);
      });
      await Promise.race([once(this.child, 'said'), ended]);
    }
  }

  /** Its exit code; `null` where a signal ended it. */
  async end(): Promise<number | null> {
    await this.#ended;
    return this.child.exitCode;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.end();
  }
}

/** Where a service is and who asks. */
export interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** The real server, in a process of its own, with the demo data. */
export interface Server extends Access {
  readonly program: Program;
  readonly client: Client;
}

export async function serve(database: string): Promise<Server> {
  const main = join(root, 'server/src/cli/main.ts');
  const args = [main, 'serve', '--demo', '--json', '--port', '0', '--database', database, '--log-level', 'silent'];
  const program = new Program(args, process.env);
  await program.says(/\}\n/);
  const said: { base_url: string; tenants: { api_key: string }[] } = JSON.parse(program.stdout);
  const access = { baseUrl: said.base_url, apiKey: said.tenants[0]?.api_key ?? '' };
  return { ...access, program, client: createClient(access) };
}

/** Starts the example. What is `undefined` is not in its environment. */
export function sync(access: Partial<Access>, ...args: string[]): Program {
  const environment = { ...process.env };
  delete environment.INIT_CWD;
  const { baseUrl, apiKey } = access;
  return new Program([join(root, 'examples/inventory-sync/sync.ts'), ...args], {
    ...environment,
    ...(baseUrl !== undefined && { PRODUCT_PASSPORT_URL: baseUrl }),
    ...(apiKey !== undefined && { PRODUCT_PASSPORT_KEY: apiKey }),
  });
}

/** The tenant's products, less what the list leaves out. */
export async function listed(client: Client, query: ProductQuery = {}): Promise<{ slug: string; name: string }[]> {
  const found: { slug: string; name: string }[] = [];
  for await (const item of client.products.list({ ...query, limit: 200 })) found.push(item);
  return found;
}

/** A product as it is in the service, with its passport. */
export interface Stored extends Passport {
  readonly product: Passport['product'] & Product;
}

/** Every product of the tenant by its slug, in the order of the slugs. */
export async function storedIn(client: Client): Promise<Map<string, Stored>> {
  const slugs = (await listed(client)).map(({ slug }) => slug).sort();
  const stored = await Promise.all(
    slugs.map(async (slug): Promise<[string, Stored]> => {
      const [product, passport] = await Promise.all([client.products.get(slug), client.passports.get(slug)]);
      return [slug, { ...passport, product: { ...passport.product, ...product } }];
    }),
  );
  return new Map(stored);
}

/** What becomes of a request or an answer; who asked never hears of one that is lost. */
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
    const onward = request({ hostname, port, method, path: url, headers }, (answer) => {
      if (hooks.after?.(line) === 'lost') {
        answer.resume().once('end', () => incoming.socket.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
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
