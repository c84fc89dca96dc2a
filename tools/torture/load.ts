/** Many times the load that the server can serve, idle connections, and a stop under load. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connect as connectDatabase } from '../../server/src/database/connection.ts';
import { creation, RawClient } from './raw-client.ts';
import { expectThat, Finding, type Report } from './report.ts';
import { Server } from './server.ts';
import { productSlugs, Random, type Shop } from './workload.ts';

/** How many times as many requests are sent as the server accepts. */
const times = 10;

/** A machine that other programs keep busy needs longer until requests were served and shed, at most so long, in seconds. */
const longestLoad = 60;

/** How long `/me` may take beside idle connections, in milliseconds: less than any time limit of the server. */
const longestMe = 5000;

/** The bound of the server's memory under this load, in MiB. */
const mostMemory = 768;

/** What a client of a load has seen. */
interface Seen {
  ok: number;
  shed: number;
  /** In milliseconds, of responses with 200. */
  slowest: number;
  /** How long the load took. */
  seconds: number;
}

interface Load {
  shop: Shop;
  kind: string;
  seed: number;
  seconds: number;
  /** Connections that idle. */
  connections: number;
  /** Requests in flight that the server accepts. */
  accepted: number;
}

export async function runLoad(options: Load, report: Report): Promise<void> {
  const { shop, kind, seed, connections, accepted } = options;
  // All connections have one address, which may have half of them.
  const mostConnections = 2 * (connections + times * accepted);
  const limits = `--max-requests ${accepted} --max-connections ${mostConnections}`;
  const server = await Server.start(shop.address, `${limits} --log-level warn`);
  try {
    await report.round('idle connections', kind, 1, () => idle(server, shop, connections));
    await report.round(`${times} times the load`, kind, 1, () => overload(server, options));
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
    expectThat(slowest < longestMe, () => `/me takes ${Math.round(slowest)} ms beside ${count} connections`);
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

async function overload(server: Server, { shop, seed, seconds, accepted }: Load): Promise<string> {
  const few = await load(server, shop, {
    clients: 50,
    seconds: Math.min(2, seconds),
    seed,
    isEnough: ({ ok }) => ok > 0,
  });
  let most = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, await memoryOf(server));
      await setTimeout(250);
    }
  })();
  const isEnough = ({ ok, shed }: Seen): boolean => ok > 0 && shed > 0;
  const seen = await load(server, shop, { clients: accepted * times, seconds, seed, isEnough }).finally(() => {
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
  return `50 clients: ${rate(few.ok, few.seconds)}; ${accepted * times} clients: ${rate(seen.ok, seen.seconds)} served, ${rate(seen.shed, seen.seconds)} shed, slowest ${Math.round(seen.slowest)} ms, at most ${most} MiB, ${Math.round(performance.now() - started)} ms afterwards`;
}

/** Clients that connect at once, and each send a request once the one before has its response. All responses are whole. */
async function load(
  server: Server,
  shop: Shop,
  {
    clients,
    seconds,
    seed,
    isEnough,
  }: { clients: number; seconds: number; seed: number; isEnough: (seen: Seen) => boolean },
): Promise<Seen> {
  const seen: Seen = { ok: 0, shed: 0, slowest: 0, seconds: 0 };
  const random = new Random(seed);
  const open = await Promise.all(Array.from({ length: clients }, () => RawClient.open(server.port)));
  const began = performance.now();
  const elapsed = (): number => (performance.now() - began) / 1000;
  let hasFailed = false;
  const isOver = (): boolean =>
    hasFailed || elapsed() > Math.max(seconds, longestLoad) || (elapsed() > seconds && isEnough(seen));
  const ends = await Promise.allSettled(
    open.map(async (first) => {
      let client = first;
      try {
        while (!isOver()) {
          if (client.isClosing) client = await RawClient.open(server.port);
          await askOnce(client, requestOf(shop, random), seen);
        }
      } catch (error) {
        hasFailed = true;
        throw error;
      } finally {
        client.close();
      }
    }),
  );
  seen.seconds = elapsed();
  const failed = ends.filter((end) => end.status === 'rejected');
  const [first] = failed;
  if (first) throw new Finding(`${failed.length} of ${clients} clients failed, the first: ${first.reason.message}`);
  return seen;
}

async function askOnce(client: RawClient, request: string, seen: Seen): Promise<void> {
  const started = performance.now();
  const { status, headers } = await client.ask(request);
  if (status === 200) {
    seen.ok += 1;
    seen.slowest = Math.max(seen.slowest, performance.now() - started);
    return;
  }
  expectThat(status === 503 && headers['retry-after'] !== undefined, () => `a request under load gets ${status}`);
  seen.shed += 1;
  // A client that keeps to Retry-After would send no load.
  await setTimeout(50);
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

/** Requests on one connection, and connections at a time. */
const onEach = 20;
const atOnce = 64;

/** SIGTERM while clients create products: each product that is stored has its response, and the other way round. */
async function stopUnderLoad(server: Server, { address, tenants: [tenant] }: Shop, seed: number): Promise<string> {
  if (!tenant) throw new Error('There is no tenant.');
  const head = `Host: x\r\nAuthorization: Bearer ${tenant.key}\r\n`;
  const acknowledged = new Set<string>();
  const creating = Array.from({ length: atOnce }, async (_, index) => {
    for (let turn = 0; await createSome(server.port, `Ende ${index}-${turn}`, head, acknowledged); turn += 1);
  });
  await setTimeout(300 + new Random(seed).below(1000));
  const started = performance.now();
  const code = await server.stop('SIGTERM');
  const took = performance.now() - started;
  await Promise.all(creating);
  expectThat(code === 0, () => `the server ended with ${code}`);
  const database = connectDatabase(address);
  const stored: string[] = await database('products').where('name', 'like', 'Ende %').pluck('name');
  await database.destroy();
  const without = stored.filter((name) => !acknowledged.has(name));
  expectThat(without.length === 0, () => `${without.length} products have no response, as ${without[0]}`);
  expectThat(stored.length === acknowledged.size, () => `${acknowledged.size} got 200, ${stored.length} are stored`);
  return `${stored.length} products stored and acknowledged, ended after ${Math.round(took)} ms`;
}

/** Creates products over one connection. Returns false when the server has ended. */
async function createSome(port: number, name: string, head: string, acknowledged: Set<string>): Promise<boolean> {
  const client = await RawClient.open(port).catch(() => undefined);
  try {
    for (let number = 0; client && !client.isClosing && number < onEach; number += 1) {
      const own = `${name}-${number}`;
      const { status } = await client.ask(creation(own, head));
      if (status === 200) acknowledged.add(own);
    }
    return client !== undefined;
  } catch {
    // The server ended the connection. What it has stored without a response is found afterwards.
    return false;
  } finally {
    client?.close();
  }
}
