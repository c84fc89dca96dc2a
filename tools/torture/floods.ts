/** Floods of one client, and the time of another tenant's `/me` during each. Each flood runs in a thread of its own. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { send } from '../../test/support/wire.ts';
import type { RunRound } from './rounds.ts';
import { Server } from './server.ts';
import { productSlugs, type Shop } from './workload.ts';

/** The median of `/me` during a flood may be ten times the median without it, or 10 ms if that is more. */
const maxRatio = 10;
const maxMedian = 10;

/** How long each measurement takes, in seconds. */
const seconds = 4;

interface Flood {
  name: string;
  port: number;
  key: string;
  slug: string;
  /** The headers of the proxy in front. */
  headers: Readonly<Record<string, string>>;
}

const floods: Readonly<Record<string, (flood: Flood) => void>> = {
  'one connection that pipelines': (flood) => {
    const one = headOf('GET /nope', flood.headers);
    // One megabyte of requests in a second.
    const block = one.repeat(Math.ceil(20_000 / one.length));
    reopened(flood, (socket) => {
      const timer = setInterval(() => socket.writableLength === 0 && socket.write(block), 20);
      socket.once('close', () => clearInterval(timer));
    });
  },
  '1,000 half requests': (flood) => {
    const head = headOf('POST /nope', { ...flood.headers, 'content-length': '100000' });
    times(1000, () => reopened(flood, (socket) => socket.once('data', () => socket.destroy()).write(head)));
  },
  'a flood without a key': (flood) => {
    const paths = ['/docs', '/openapi.json', '/nope', '/api/v1/me', `/p/${flood.slug}/${productSlugs[0]}`];
    times(500, (index) => repeat({ ...flood, key: '' }, () => ({ path: paths[index % paths.length] ?? '' })));
  },
  'bodies of 1 MiB with 10 elements': (flood) => writePassports(flood, 10),
  'bodies of 1 MiB with 500 elements': (flood) => writePassports(flood, 500),
  'bodies of 1 MiB with 1,000 elements': (flood) => writePassports(flood, 1000),
  'bodies of 1 MiB with 90,000 members': (flood) => {
    const members = Array.from({ length: 90_000 }, (_, index) => `"k${index}":1`).join();
    const body = `{"name":"x",${members}}`.slice(0, 2 ** 20);
    times(4, () => repeat(flood, () => ({ path: '/api/v1/products', method: 'POST', body })));
  },
};

export async function runFloods(shop: Shop, inRound: RunRound): Promise<void> {
  for (const proxies of [0, 1]) {
    const server = await Server.start(shop.address, `--max-requests 200 --trust-proxy ${proxies} --log-level error`);
    try {
      for (const name of Object.keys(floods)) {
        const part = proxies === 0 ? name : `${name}, through a proxy`;
        await inRound(part, () => withFlood(name, server, shop, proxies));
      }
    } finally {
      await server.stop();
    }
  }
}

async function withFlood(name: string, server: Server, { tenants }: Shop, proxies: number): Promise<string> {
  // A passport has room for the values of one series of floods.
  const [{ key, slug }, other] = proxies === 0 ? tenants : ([tenants[1], tenants[0]] as const);
  const from = (address: string): Record<string, string> => (proxies === 0 ? {} : { 'x-forwarded-for': address });
  const ownHeaders = { authorization: `Bearer ${other.key}`, ...from('192.0.2.2') };
  await measure(server, ownHeaders);
  const alone = await measure(server, ownHeaders);
  const data: Flood = { name, port: server.port, key, slug, headers: from('192.0.2.1') };
  const worker = new Worker(new URL(import.meta.url), { workerData: data });
  try {
    await once(worker, 'message');
    await setTimeout(1000);
    const flooded = await measure(server, ownHeaders);
    worker.postMessage('statuses');
    const [statuses] = await once(worker, 'message');
    const of = ({ median, slowest }: typeof alone) => `${median.toFixed(1)} ms (slowest ${slowest.toFixed(1)} ms)`;
    const received = `the flood received ${JSON.stringify(statuses)}`;
    const result = `/me takes ${of(alone)} alone, ${of(flooded)} during it, ${flooded.failed} failed; ${received}`;
    assert.equal(flooded.failed, 0, result);
    assert.ok(flooded.median <= Math.max(alone.median * maxRatio, maxMedian), result);
    return result;
  } finally {
    await worker.terminate();
  }
}

/** Sends one `/me` after the other, ten on each connection. */
async function measure({ port }: Server, headers: Record<string, string>) {
  const durations: number[] = [];
  let failed = 0;
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    // The client's own address. Linux has all of 127.0.0.0/8.
    const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: '127.0.0.2' });
    for (let count = 0; count < 10; count += 1) {
      const began = performance.now();
      const request = { method: 'GET', path: '/api/v1/me', headers };
      const isOk = await send(port, agent, request).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (!isOk) failed += 1;
      durations.push(performance.now() - began);
      await setTimeout(2);
    }
    agent.destroy();
  }
  const sorted = durations.toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, slowest: sorted.at(-1) ?? 0, failed };
}

function headOf(line: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n`;
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

/** Writes a passport of `count` values in each of four products at a time. Every write changes all of its values. */
function writePassports(flood: Flood, count: number): void {
  const length = Math.floor(2 ** 20 / count) - 40;
  const bodies = ['x', 'y'].map((letter) => {
    const values = Array.from({ length: count }, (_, index) => ({
      field_key: `f${index}`,
      value: letter.repeat(length),
    }));
    return JSON.stringify(values);
  });
  for (const slug of productSlugs) {
    const path = `/api/v1/products/${slug}/passport`;
    repeat(flood, (round) => ({ path, method: 'PUT', body: bodies[round % 2] }));
  }
}

/** How many responses of each status the flood received. */
const statuses: Record<string, number> = {};

/** Sends one request after the other, and waits a little after a refusal. */
function repeat(
  flood: Flood,
  requestOf: (round: number) => { path: string; method?: string; body?: string | undefined },
): void {
  const { port, key } = flood;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let round = 0;
  const next = (): void => {
    const { path, method = 'GET', body } = requestOf(round++);
    const headers = {
      'accept-encoding': 'gzip',
      ...flood.headers,
      ...(key !== '' && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': body.length }),
    };
    const sent = request({ host: '127.0.0.1', port, agent, method, path, headers }, (response) => {
      const { statusCode = 0 } = response;
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
      response.resume().once('close', next);
    });
    sent.once('error', ({ message }) => {
      statuses[message] = (statuses[message] ?? 0) + 1;
      globalThis.setTimeout(next, 10);
    });
    sent.end(body);
  };
  next();
}

if (!isMainThread) {
  const flood: Flood = workerData;
  floods[flood.name]?.(flood);
  parentPort?.on('message', () => parentPort?.postMessage(statuses)).postMessage('begun');
}
