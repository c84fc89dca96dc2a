/** Many times the load that the server can serve, idle connections, and a stop under load. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connect as connectDatabase } from '../../server/src/database/connection.ts';
import { Random } from './random.ts';
import { firstResponse } from './raw.ts';
import { expectThat, Finding, type Report } from './report.ts';
import { Server } from './server.ts';
import { productSlugs, type Shop } from './shop.ts';

/** Requests in flight that the server accepts in this part, and how many times as many are sent. */
const accepted = 500;
const times = 10;

/** The bound of the server's memory under this load, in MiB. */
const mostMemory = 768;

/** What a client of a load has seen. */
interface Seen {
  ok: number;
  shed: number;
  /** In milliseconds, of responses with 200. */
  slowest: number;
}

export async function runLoad(
  {
    shop,
    kind,
    seed,
    seconds,
    connections,
  }: { shop: Shop; kind: string; seed: number; seconds: number; connections: number },
  report: Report,
): Promise<void> {
  const server = await Server.start(shop.address, `--max-requests ${accepted} --log-level warn`);
  try {
    await report.round('idle connections', kind, 1, () => idle(server, shop, connections));
    await report.round(`${times} times the load`, kind, 1, () => overload(server, shop, seed, seconds));
    await report.round('stop under load', kind, 1, () => stopUnderLoad(server, shop, seed));
  } finally {
    if (!server.hasEnded) await server.stop('SIGKILL');
  }
}

async function idle(server: Server, { tenants: [tenant] }: Shop, wished: number): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -n']);
  const limit = stdout.trim() === 'unlimited' ? wished : Number(stdout) - 500;
  const count = Math.min(wished, limit);
  const sockets: Socket[] = [];
  try {
    while (sockets.length < count) {
      const some = Array.from({ length: Math.min(200, count - sockets.length) }, () =>
        connect(server.port, '127.0.0.1'),
      );
      await Promise.all(some.map((socket) => once(socket, 'connect')));
      sockets.push(...some.map((socket) => socket.on('error', () => undefined)));
    }
    let slowest = 0;
    for (let asked = 0; asked < 50; asked += 1) {
      const started = performance.now();
      const { status } = await server.ask({ path: '/api/v1/me', ...(tenant && { key: tenant.key }) });
      slowest = Math.max(slowest, performance.now() - started);
      expectThat(status === 200, () => `/me gets ${status} beside ${count} connections`);
    }
    const closed = sockets.filter(({ closed }) => closed).length;
    expectThat(closed === 0, () => `${closed} of ${count} connections were closed`);
    expectThat(slowest < 2000, () => `/me takes ${Math.round(slowest)} ms beside ${count} connections`);
    const shown = count < wished ? ` (this machine allows ${limit})` : '';
    return `${count} connections${shown}, /me within ${Math.round(slowest)} ms, ${await memoryOf(server)} MiB`;
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** The memory of the process that is not shared, in MiB. */
async function memoryOf({ pid }: Server): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

async function overload(server: Server, shop: Shop, seed: number, seconds: number): Promise<string> {
  const few = await load(server, shop, { clients: 50, seconds: 2, seed });
  let most = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, await memoryOf(server));
      await setTimeout(250);
    }
  })();
  const seen = await load(server, shop, { clients: accepted * times, seconds, seed }).finally(() => {
    isOver = true;
  });
  await watching;
  expectThat(most < mostMemory, () => `the server used ${most} MiB, more than ${mostMemory}`);
  expectThat(seen.ok > 0, () => 'no request succeeded');
  expectThat(seen.shed > 0, () => 'no request was shed');
  const rate = (count: number, time: number): string => `${Math.round(count / time)}/s`;
  const started = performance.now();
  const { status } = await server.ask({ path: '/p/none/none' });
  expectThat(status === 404, () => `the first response after the load is ${status}`);
  return `50 clients: ${rate(few.ok, 2)}; ${accepted * times} clients: ${rate(seen.ok, seconds)} served, ${rate(seen.shed, seconds)} shed, slowest ${Math.round(seen.slowest)} ms, at most ${most} MiB, ${Math.round(performance.now() - started)} ms afterwards`;
}

/** Clients that each send a request once the one before has its response. Every request gets a whole response. */
async function load(
  server: Server,
  shop: Shop,
  { clients, seconds, seed }: { clients: number; seconds: number; seed: number },
): Promise<Seen> {
  const seen: Seen = { ok: 0, shed: 0, slowest: 0 };
  const until = performance.now() + seconds * 1000;
  const random = new Random(seed);
  await Promise.all(
    Array.from({ length: clients }, async () => {
      let client = await RawClient.open(server.port);
      try {
        while (performance.now() < until) {
          if (client.isClosing) client = await RawClient.open(server.port);
          const started = performance.now();
          const { status, headers } = await client.ask(requestOf(shop, random));
          if (status === 200) {
            seen.ok += 1;
            seen.slowest = Math.max(seen.slowest, performance.now() - started);
          } else {
            expectThat(
              status === 503 && headers['retry-after'] !== undefined,
              () => `a request under load gets ${status}`,
            );
            seen.shed += 1;
            // A client that keeps to Retry-After would send no load.
            await setTimeout(50);
          }
        }
      } finally {
        client.close();
      }
    }),
  );
  return seen;
}

function requestOf({ tenants }: Shop, random: Random): string {
  const { slug, key } = random.pick(tenants);
  const head = `Host: x\r\nAuthorization: Bearer ${key}\r\n`;
  const which = random.next();
  if (which < 0.4) return `GET /api/v1/me HTTP/1.1\r\n${head}\r\n`;
  if (which < 0.6) return `GET /api/v1/products?limit=50 HTTP/1.1\r\n${head}\r\n`;
  if (which < 0.8) return `GET /p/${slug}/${random.pick(productSlugs)} HTTP/1.1\r\n${head}\r\n`;
  return creation(`Last ${random.below(1e9)}`, head);
}

function creation(name: string, head: string): string {
  const body = JSON.stringify({ name });
  return `POST /api/v1/products HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** One connection that is used again. It costs a tenth of Node's own client. */
class RawClient {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #pending: PromiseWithResolvers<Buffer> | undefined;
  /** The server has announced that it closes the connection. */
  isClosing = false;

  static async open(port: number): Promise<RawClient> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#pending?.resolve(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => this.#pending?.reject(new Finding('a connection ended before the whole response')));
  }

  async ask(request: string): Promise<{ status: number; headers: Record<string, string> }> {
    this.#pending = Promise.withResolvers();
    this.#socket.write(request);
    for (;;) {
      const chunk = await this.#pending.promise;
      this.#pending = Promise.withResolvers();
      this.#received = Buffer.concat([this.#received, chunk]);
      const first = firstResponse(this.#received);
      if (!first) continue;
      this.#received = Buffer.from(first.rest);
      // A connection that ends between two requests breaks none.
      this.#pending.promise.catch(() => undefined);
      this.isClosing = first.response.headers.connection === 'close';
      return first.response;
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** SIGTERM while clients create products: each product that is stored has its response, and the other way round. */
async function stopUnderLoad(server: Server, { address, tenants: [tenant] }: Shop, seed: number): Promise<string> {
  if (!tenant) throw new Error('There is no tenant.');
  const head = `Host: x\r\nAuthorization: Bearer ${tenant.key}\r\n`;
  const random = new Random(seed);
  const acknowledged = new Set<string>();
  let refused = 0;
  const clients = Array.from({ length: 64 }, async (_, index) => {
    for (let number = 0; ; number += 1) {
      const name = `Ende ${index}-${number}`;
      const client = await RawClient.open(server.port).catch(() => undefined);
      if (!client) return;
      try {
        for (let again = 0; again < 20; again += 1) {
          const own = `${name}-${again}`;
          const { status } = await client.ask(creation(own, head));
          if (status === 200) acknowledged.add(own);
          else refused += 1;
          if (client.isClosing) break;
        }
      } catch {
        // The server had ended the connection before it read the request: it stored nothing.
        return;
      } finally {
        client.close();
      }
    }
  });
  await setTimeout(300 + random.below(1000));
  const started = performance.now();
  const code = await server.stop('SIGTERM');
  const took = performance.now() - started;
  await Promise.all(clients);
  expectThat(code === 0, () => `the server ended with ${code}`);
  const database = connectDatabase(address);
  const stored = await database('products').where('name', 'like', 'Ende %').pluck('name');
  await database.destroy();
  const without = stored.filter((name: string) => !acknowledged.has(name));
  expectThat(without.length === 0, () => `${without.length} products are stored without a response, as ${without[0]}`);
  expectThat(
    stored.length === acknowledged.size,
    () => `${acknowledged.size} were acknowledged, ${stored.length} are stored`,
  );
  return `${stored.length} products stored and acknowledged, ${refused} refused, ended after ${Math.round(took)} ms`;
}
