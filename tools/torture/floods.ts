/** Floods of one client, and how long `/me` of another tenant takes beside them. */
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { RawClient } from './raw-client.ts';
import { expectThat, type Report } from './report.ts';
import { Server } from './server.ts';
import type { Shop } from './workload.ts';

/** How much longer the median `/me` may take beside a flood than alone. */
const mostTimes = 5;

/** How long each measurement takes, in seconds. */
const seconds = 4;

const mostConnections = 3000;

/** The other tenant's own address. Linux has all of 127.0.0.0/8. */
const otherAddress = '127.0.0.2';

interface Flood {
  port: number;
  name: keyof typeof floods;
  /** The key of the tenant that floods. */
  key: string;
  /** Lines of each head: those of the proxy in front. */
  lines: string;
}

const floods = {
  'one connection that pipelines': (flood: Flood) => pipeline(flood),
  'four connections that pipeline': (flood: Flood) => times(4, () => pipeline(flood)),
  '1,100 requests without their body': (flood: Flood) => times(1100, () => announceBody(flood)),
  '1 MiB of distinct members, four at a time': (flood: Flood) => {
    const members = Array.from({ length: 90_000 }, (_, index) => `"k${index}":1`).join();
    const body = `{"name":"x",${members}}`.slice(0, 2 ** 20);
    times(4, () => repeat(flood, 'POST', '/api/v1/products', body));
  },
  '64 readers of the contract': (flood: Flood) => times(64, () => repeat(flood, 'GET', '/openapi.json')),
  '512 readers of the reference': (flood: Flood) => times(512, () => repeat(flood, 'GET', '/docs')),
  'as many idle connections as the server accepts': (flood: Flood) =>
    times(mostConnections, () => reopened(flood, () => undefined)),
};

export async function runFloods({ shop, kind }: { shop: Shop; kind: string }, report: Report): Promise<void> {
  for (const proxies of [0, 1]) {
    const server = await Server.start(
      shop.address,
      `--max-connections ${mostConnections} --trust-proxy ${proxies} --log-level error`,
    );
    try {
      for (const name of Object.keys(floods) as (keyof typeof floods)[]) {
        // The proxy opens the connections, so it limits them.
        if (proxies > 0 && name.includes('idle')) continue;
        const part = proxies === 0 ? name : `${name}, behind a proxy`;
        await report.round(part, kind, 1, () => beside(server, shop, name, proxies));
      }
    } finally {
      await server.stop();
    }
  }
}

async function beside(server: Server, { tenants }: Shop, name: Flood['name'], proxies: number): Promise<string> {
  const [flooding, other] = tenants;
  if (!flooding || !other) throw new Error('The shop has too few tenants.');
  const line = (address: string): string => (proxies === 0 ? '' : `X-Forwarded-For: ${address}\r\n`);
  const head = `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${other.key}\r\n${line('192.0.2.2')}\r\n`;
  await measure(server.port, head);
  const alone = await measure(server.port, head);
  const data: Flood = { port: server.port, name, key: flooding.key, lines: line('192.0.2.1') };
  const worker = new Worker(new URL(import.meta.url), { workerData: data });
  try {
    await setTimeout(1000);
    const flooded = await measure(server.port, head);
    const ratio = flooded.median / alone.median;
    const shown = (value: number): string => value.toFixed(1);
    const result = `/me ${shown(alone.median)} ms alone, ${shown(flooded.median)} ms beside it (× ${shown(ratio)}), slowest ${shown(flooded.slowest)} ms, ${flooded.failed} of ${flooded.count} failed`;
    expectThat(flooded.failed === 0 && ratio <= mostTimes, () => result);
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

function times(count: number, begin: () => void): void {
  for (let index = 0; index < count; index += 1) begin();
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

/** One request after the other. */
function repeat(flood: Flood, method: string, path: string, body?: string): void {
  const [name, address] = flood.lines.trim().split(': ');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = {
    'accept-encoding': 'gzip',
    ...(name && { [name]: address }),
    ...(body !== undefined && {
      authorization: `Bearer ${flood.key}`,
      'content-type': 'application/json',
      'content-length': body.length,
    }),
  };
  const next = (): void => {
    const sent = request({ host: '127.0.0.1', port: flood.port, agent, method, path, headers }, (response) => {
      response.resume().once('close', next);
    });
    sent.once('error', () => globalThis.setTimeout(next, 10));
    sent.end(body);
  };
  next();
}

if (!isMainThread) {
  const flood: Flood = workerData;
  floods[flood.name](flood);
}
