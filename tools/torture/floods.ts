/** Floods of one client, and the time of another tenant's `/me` during each. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { RawClient } from './raw-client.ts';
import { expectThat, type Report } from './report.ts';
import { Server } from './server.ts';
import { productSlugs, type Shop } from './workload.ts';

/** The median of `/me` during a flood may be ten times the median without it, or 10 ms if that is more. */
const maxRatio = 10;
const maxMedian = 10;

/** How long each measurement takes, in seconds. */
const seconds = 4;

const maxConnections = 3000;

/** Largest body that the server accepts, in bytes. */
const maxBody = 2 ** 20;

/** The other tenant's own address. Linux has all of 127.0.0.0/8. */
const otherAddress = '127.0.0.2';

interface Flood {
  port: number;
  name: keyof typeof floods;
  /** The tenant that floods. */
  key: string;
  slug: string;
  /** Lines of each head: those of the proxy in front. */
  lines: string;
}

const floods = {
  'one connection that pipelines': (flood: Flood) => pipeline(flood),
  '1,000 half requests': (flood: Flood) => times(1000, () => announceBody(flood)),
  'a flood without a key': (flood: Flood) => {
    const paths = ['/docs', '/openapi.json', '/nope', '/api/v1/me', `/p/${flood.slug}/${productSlugs[0]}`];
    times(500, (index) => repeat(flood, () => ({ path: paths[index % paths.length] ?? '' })));
  },
  'bodies of 1 MiB with 10 elements': (flood: Flood) => writePassports(flood, 10),
  'bodies of 1 MiB with 500 elements': (flood: Flood) => writePassports(flood, 500),
  'bodies of 1 MiB with 1,000 elements': (flood: Flood) => writePassports(flood, 1000),
  'bodies of 1 MiB with 90,000 members': (flood: Flood) => {
    const members = Array.from({ length: 90_000 }, (_, index) => `"k${index}":1`).join();
    const body = `{"name":"x",${members}}`.slice(0, maxBody);
    times(4, () => repeat(flood, () => ({ method: 'POST', path: '/api/v1/products', body })));
  },
  'as many idle connections as the server accepts': (flood: Flood) =>
    times(maxConnections, () => reopened(flood, () => undefined)),
};

export async function runFloods({ shop, kind }: { shop: Shop; kind: string }, report: Report): Promise<void> {
  for (const proxies of [0, 1]) {
    const server = await Server.start(
      shop.address,
      `--max-connections ${maxConnections} --trust-proxy ${proxies} --log-level error`,
    );
    try {
      for (const name of Object.keys(floods) as (keyof typeof floods)[]) {
        // The proxy opens the connections, so it limits them.
        if (proxies > 0 && name.includes('idle')) continue;
        const part = proxies === 0 ? name : `${name}, through a proxy`;
        await report.round(part, kind, 1, () => beside(server, shop, name, proxies));
      }
    } finally {
      await server.stop();
    }
  }
}

async function beside(server: Server, { tenants }: Shop, name: Flood['name'], proxies: number): Promise<string> {
  // A passport has room for the values of one series of floods.
  const [flooding, other] = proxies === 0 ? tenants : tenants.toReversed();
  if (!flooding || !other) throw new Error('The shop has too few tenants.');
  const line = (address: string): string => (proxies === 0 ? '' : `X-Forwarded-For: ${address}\r\n`);
  const head = `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${other.key}\r\n${line('192.0.2.2')}\r\n`;
  await measure(server.port, head);
  const alone = await measure(server.port, head);
  const data: Flood = { port: server.port, name, ...flooding, lines: line('192.0.2.1') };
  const worker = new Worker(new URL(import.meta.url), { workerData: data });
  try {
    await setTimeout(1000);
    const flooded = await measure(server.port, head);
    worker.postMessage('statuses');
    const [received] = await once(worker, 'message');
    const ratio = flooded.median / alone.median;
    const shown = (value: number): string => value.toFixed(1);
    const result = `/me ${shown(alone.median)} ms alone, ${shown(flooded.median)} ms during it (× ${shown(ratio)}), slowest ${shown(flooded.slowest)} ms, ${flooded.failed} of ${flooded.count} failed; the flood received ${JSON.stringify(received)}`;
    const isKept = flooded.failed === 0 && flooded.median <= Math.max(alone.median * maxRatio, maxMedian);
    expectThat(isKept, () => result);
    return result;
  } finally {
    await worker.terminate();
  }
}

/** Requests one after the other, each on a connection of its own every tenth time. */
async function measure(port: number, head: string) {
  const durations: number[] = [];
  let failed = 0;
  let client: RawClient | undefined;
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const began = performance.now();
    try {
      client ??= await RawClient.open(port, otherAddress);
      const { status } = await client.ask(head);
      if (status !== 200) failed += 1;
    } catch {
      failed += 1;
      client = undefined;
    }
    durations.push(performance.now() - began);
    if (durations.length % 10 === 0) {
      client?.close();
      client = undefined;
    }
    await setTimeout(2);
  }
  client?.close();
  const sorted = durations.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return { median, slowest: sorted.at(-1) ?? Number.NaN, failed, count: durations.length };
}

function times(count: number, begin: (index: number) => void): void {
  for (let index = 0; index < count; index += 1) begin(index);
}

/** A connection that is opened again when it ends. */
function reopened(flood: Flood, use: (socket: Socket) => void): void {
  const socket = connect(flood.port, '127.0.0.1', () => use(socket));
  socket.on('error', () => undefined).on('data', () => undefined);
  socket.once('close', () => globalThis.setTimeout(() => reopened(flood, use), 10));
}

/** One megabyte of requests per second. */
function pipeline(flood: Flood): void {
  const one = `GET /nope HTTP/1.1\r\nHost: x\r\n${flood.lines}\r\n`;
  const block = one.repeat(Math.ceil(20_000 / one.length));
  reopened(flood, (socket) => {
    const timer = setInterval(() => {
      if (socket.writableLength === 0) socket.write(block);
    }, 20);
    socket.once('close', () => clearInterval(timer));
  });
}

function announceBody(flood: Flood): void {
  reopened(flood, (socket) => {
    socket.write(`POST /nope HTTP/1.1\r\nHost: x\r\n${flood.lines}Content-Length: 100000\r\n\r\n`);
    socket.once('data', () => socket.destroy());
  });
}

/** Writes a passport of `count` values in each of four products at a time. Every write changes all of its values. */
function writePassports(flood: Flood, count: number): void {
  const length = Math.floor(maxBody / count) - 40;
  const bodyOf = (letter: string): string =>
    JSON.stringify(
      Array.from({ length: count }, (_, index) => ({ field_key: `f${index}`, value: letter.repeat(length) })),
    );
  const bodies = ['x', 'y'].map(bodyOf);
  for (const slug of productSlugs) {
    const path = `/api/v1/products/${slug}/passport`;
    repeat(flood, (round) => ({ method: 'PUT', path, body: bodies[round % 2] }));
  }
}

interface FloodRequest {
  method?: string;
  path: string;
  body?: string | undefined;
}

/** Sends one request after the other. */
function repeat(flood: Flood, requestOf: (round: number) => FloodRequest): void {
  const [name, address] = flood.lines.trim().split(': ');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let round = 0;
  const next = (): void => {
    const { method, path, body } = requestOf(round++);
    const headers = {
      'accept-encoding': 'gzip',
      ...(name && { [name]: address }),
      ...(body !== undefined && {
        authorization: `Bearer ${flood.key}`,
        'content-type': 'application/json',
        'content-length': body.length,
      }),
    };
    const sent = request({ host: '127.0.0.1', port: flood.port, agent, method, path, headers }, (response) => {
      const status = response.statusCode ?? 0;
      statuses[status] = (statuses[status] ?? 0) + 1;
      response.resume().once('close', next);
    });
    sent.once('error', () => globalThis.setTimeout(next, 10));
    sent.end(body);
  };
  next();
}

/** How many responses of each status the flood received. */
const statuses: Record<number, number> = {};

if (!isMainThread) {
  const flood: Flood = workerData;
  floods[flood.name](flood);
  parentPort?.once('message', () => parentPort?.postMessage(statuses));
}
