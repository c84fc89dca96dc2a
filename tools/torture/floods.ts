/**
 * Floods of one client, and the time of another tenant's `/me` during each, with the defaults of `serve`: at the server itself,
 * and behind nginx. Each flood runs in a thread of its own.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { hasValidCheckDigit } from '../../openapi/src/index.ts';
import { openDatabase } from '../../server/src/index.ts';
import { createProduct, moveProduct } from '../../server/src/lifecycle/lifecycle.ts';
import { writePassport } from '../../server/src/passports/write.ts';
import { send } from '../../test/support/wire.ts';
import { hasNginx, startNginx } from './nginx.ts';
import { print, type RunRound } from './rounds.ts';
import { Server } from './server.ts';
import { productSlugs, type Shop, type Tenant } from './workload.ts';

/** The median of `/me` during a flood may be ten times the median without it, or 10 ms if that is more. */
const maxRatio = 10;
const maxMedian = 10;

/** How long `/me` is measured alone and during a flood, in milliseconds. */
const aloneTime = 2000;
const floodedTime = 4000;

/** The product with 2,000 values of 720 bytes. */
const large = 'gross';

interface Target {
  port: number;
  /** Of the tenant that floods. */
  key: string;
  slug: string;
}

interface Flood {
  connections: number;
  /** How often it is sent to measure the processor time of one. */
  times: number;
  /** Makes the function of a connection that sends one part of the flood. It returns what the server did. */
  sender(target: Target, connection: number): (round: number) => Promise<string>;
}

const floods: Readonly<Record<string, Flood>> = {
  'large pages, gzip': requests(64, 100, ({ slug }) => ({ path: `/p/${slug}/${large}` })),
  'large documents, gzip': requests(64, 100, ({ slug }) => ({ path: `/p/${slug}/${large}/jsonld` })),
  'large pages with a serial number': requests(64, 100, ({ slug }, index) => ({
    path: `/p/${slug}/${large}?serial=${index}`,
    isPlain: true,
  })),
  'large pages with a serial number, gzip': requests(64, 100, ({ slug }, index) => ({
    path: `/p/${slug}/${large}?serial=${index}`,
  })),
  'large pages with an invalid token': requests(64, 100, ({ slug }, index) => ({
    path: `/p/${slug}/${large}?zugang=${index}`,
    isPlain: true,
  })),
  'large pages with a forged token, gzip': requests(64, 100, ({ slug }, index) => ({
    path: `/p/${slug}/${large}?zugang=${forgedToken(index)}`,
  })),
  'pages and documents, gzip': requests(500, 500, ({ slug }, index) => {
    const paths = ['/', '/docs', '/openapi.json', '/nope', '/api/v1/me', `/p/${slug}/${productSlugs[0]}`];
    return { path: paths[index % paths.length] ?? '' };
  }),
  '404s': requests(100, 500, ({ slug }, index) => ({ path: `/p/${slug}/nichts-${index}` })),
  '404s of codes': requests(100, 500, (_, index) => ({ path: `/01/0952000${String(index % 1e7).padStart(7, '0')}` })),
  '404s of the EU reads': requests(100, 500, (_, index) => ({
    path: `/dpp/v1/dppsByProductId/0952000${String(index % 1e7).padStart(7, '0')}`,
  })),
  'batches of 100 GTINs that nobody has': requests(100, 500, (_, index) => ({
    path: '/dpp/v1/dppsByProductIds',
    method: 'POST',
    body: JSON.stringify(gtinsFrom(100 * index)),
  })),
  'keys that nobody has': requests(100, 500, (_, index) => ({ path: '/api/v1/me', key: `wrong-${index}` })),
  'one connection that pipelines 65 KB': pipelining(1),
  'four connections that pipeline 65 KB': pipelining(4),
  '1,000 half requests': halfRequests('100000'),
  '1,000 requests with Content-Length above 2^53': halfRequests('9007199254740993'),
  'bodies of 1 MiB with 10 elements': passports(10),
  'bodies of 1 MiB with 500 elements': passports(500),
  'bodies of 1 MiB with 1,000 elements': passports(1000),
  'bodies of 1 MiB with 90,000 members': creations(90_000),
};

/** A hundred GTIN-13 with their check digits. */
function gtinsFrom(first: number): string[] {
  const withCheckDigit = (digits: string) =>
    Array.from({ length: 10 }, (_, digit) => `${digits}${digit}`).find(hasValidCheckDigit) ?? '';
  return Array.from({ length: 100 }, (_, index) =>
    withCheckDigit(`95200${String((first + index) % 1e7).padStart(7, '0')}`),
  );
}

export async function runFloods(shop: Shop, folder: string, inRound: RunRound): Promise<void> {
  await publishLarge(shop);
  const figures: Figures = new Map(Object.keys(floods).map((name) => [name, []]));
  await runAtServer(shop, inRound, figures);
  if (hasNginx) await runBehindNginx(shop, folder, inRound, figures);
  else print('nginx is not installed: the floods behind it are left out.');
  for (const [name, own] of figures) print(`| ${[name, ...own].join(' | ')} |`);
}

/** The processor time and the medians of each flood, for the page. */
type Figures = ReadonlyMap<string, string[]>;

async function runAtServer({ address, tenants: [flooding, other] }: Shop, inRound: RunRound, figures: Figures) {
  const server = await Server.start(address, '--log-level error');
  try {
    for (const [name, flood] of Object.entries(floods)) {
      await inRound(name, async () => {
        const target = { ...flooding, port: server.port };
        const time = await processorTime(server, flood, target);
        const own = figures.get(name);
        own?.push(time);
        return `one takes ${time} of processor time, ${await withFlood(name, target, other, own)}`;
      });
    }
  } finally {
    await server.stop();
  }
}

/** The other tenant floods: a passport has room for the values of one series of floods. */
async function runBehindNginx(shop: Shop, folder: string, inRound: RunRound, figures: Figures) {
  const [other, flooding] = shop.tenants;
  const server = await Server.start(shop.address, '--trust-proxy 1 --log-level error');
  const nginx = await startNginx(folder, server.port);
  try {
    for (const name of Object.keys(floods)) {
      const target = { ...flooding, port: nginx.port };
      await inRound(`${name}, behind nginx`, () => withFlood(name, target, other, figures.get(name)));
    }
  } finally {
    await nginx.stop();
    await server.stop();
  }
}

async function publishLarge({ address, tenants }: Shop): Promise<void> {
  const database = await openDatabase(address);
  const now = (): Date => new Date();
  try {
    for (const tenant of tenants) {
      await createProduct({ database, now, urnNamespace: 'dpp' }, tenant, { name: large });
      for (const half of ['a', 'b']) {
        const values = Array.from({ length: 1000 }, (_, index) => ({
          field_key: `${half}${index}`,
          value: Array.from({ length: 80 }, () => Math.random().toString(36).slice(2, 10)).join(' '),
        }));
        await writePassport({ database, now }, tenant, large, values);
      }
      await moveProduct({ database, now }, tenant.id, large, 'active');
    }
  } finally {
    await database.destroy();
  }
}

async function withFlood(name: string, target: Target, other: Tenant, figures: string[] = []): Promise<string> {
  const headers = { authorization: `Bearer ${other.key}` };
  await measure(target, headers, aloneTime / 4);
  const alone = await measure(target, headers, aloneTime);
  const worker = new Worker(new URL(import.meta.url), { workerData: { name, target } });
  try {
    await once(worker, 'message');
    await setTimeout(1000);
    const flooded = await measure(target, headers, floodedTime);
    worker.postMessage('outcomes');
    const [outcomes] = await once(worker, 'message');
    figures.push(`${alone.median.toFixed(1)} → ${flooded.median.toFixed(1)} ms`);
    const of = ({ median, slowest }: typeof alone) => `${median.toFixed(1)} ms (slowest ${slowest.toFixed(1)} ms)`;
    const ratio = `×${(flooded.median / alone.median).toFixed(1)}`;
    const received = `${flooded.failed} failed; the flood received ${JSON.stringify(outcomes)}`;
    const result = `/me takes ${of(alone)} alone, ${of(flooded)} during it, ${ratio}, ${received}`;
    assert.equal(flooded.failed, 0, result);
    assert.ok(flooded.median <= Math.max(alone.median * maxRatio, maxMedian), result);
    return result;
  } finally {
    await worker.terminate();
  }
}

/** The processor time of the server for one part of a flood. Other load hardly changes it. */
async function processorTime(server: Server, flood: Flood, target: Target): Promise<string> {
  const { connections, times } = flood;
  const senders = Array.from({ length: Math.min(connections, times) }, (_, index) => flood.sender(target, index));
  let sent = 0;
  const sendUntil = async (end: number): Promise<number> => {
    await Promise.all(
      senders.map(async (sendPart) => {
        while (sent < end) await sendPart(sent++);
      }),
    );
    return server.processorTime();
  };
  // The first one makes what the cache keeps.
  const begin = await sendUntil(1);
  return `${(((await sendUntil(times + 1)) - begin) / times).toFixed(2)} ms`;
}

/** Sends one `/me` after the other, ten on each connection. */
async function measure({ port }: Target, headers: Record<string, string>, milliseconds: number) {
  const durations: number[] = [];
  let failed = 0;
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    // The client's own address. Linux has all of 127.0.0.0/8.
    const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: '127.0.0.2' });
    for (let count = 0; count < 10; count += 1) {
      const began = performance.now();
      const isOk = await send(port, agent, { method: 'GET', path: '/api/v1/me', headers }).then(
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

interface Part {
  path: string;
  key?: string;
  method?: string;
  body?: string | undefined;
  /** Does not accept gzip. */
  isPlain?: boolean;
}

/** Each connection sends one request after the other. No two have the same index. */
function requests(connections: number, times: number, partOf: (target: Target, index: number) => Part): Flood {
  return {
    connections,
    times,
    sender(target, connection) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      return (round) => receive(target.port, agent, partOf(target, round * connections + connection));
    },
  };
}

function receive(port: number, agent: Agent, { path, key, method = 'GET', body, isPlain }: Part): Promise<string> {
  const headers = {
    ...(!isPlain && { 'accept-encoding': 'gzip' }),
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': body.length }),
  };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, agent, method, path, headers }, (response) => {
      response.resume().once('close', () => resolve(String(response.statusCode)));
    });
    sent.once('error', reject).end(body);
  });
}

/** As a token that was issued, with another signature. */
function forgedToken(index: number): string {
  const encoded = (text: string): string => Buffer.from(text).toString('base64url');
  const header = encoded(JSON.stringify({ alg: 'HS256', typ: 'passport-access+jwt', kid: 'a' }));
  return [header, encoded(JSON.stringify({ jti: index })), encoded(String(index).padStart(32))].join('.');
}

/** How long a connection may take until the server ends it, in milliseconds. */
const maxWait = 15_000;

/** A new connection for each part: sends bytes, and waits until `isOver`. */
function connectionsWith(
  connections: number,
  times: number,
  { bytes, isOver, pause }: { bytes: string; isOver: 'close' | 'data'; pause: number },
): Flood {
  const sender =
    ({ port }: Target) =>
    async (): Promise<string> => {
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      let received = '';
      socket
        .on('error', () => undefined)
        .on('data', (data: Buffer) => {
          received ||= data.toString('latin1', 9, 12);
          if (isOver === 'data') socket.destroy();
        });
      socket.setTimeout(maxWait, () => socket.destroy());
      await new Promise((resolve) => socket.once('close', resolve));
      await setTimeout(pause);
      return received || 'closed';
    };
  return { connections, times, sender };
}

/** Many more requests than a connection may send ahead, again and again. */
function pipelining(connections: number): Flood {
  const bytes = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2400);
  return connectionsWith(connections, 40, { bytes, isOver: 'close', pause: 50 });
}

function halfRequests(length: string): Flood {
  const bytes = `POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
  return connectionsWith(1000, 1000, { bytes, isOver: 'data', pause: 10 });
}

/** Writes a passport of `count` values in each of four products at a time. Every write changes all of its values. */
function passports(count: number): Flood {
  const length = Math.floor(2 ** 20 / count) - 40;
  const bodyOf = (letter: string): string =>
    JSON.stringify(
      Array.from({ length: count }, (_, index) => ({ field_key: `f${index}`, value: letter.repeat(length) })),
    );
  const bodies = [bodyOf('x'), bodyOf('y')];
  return requests(productSlugs.length, 40, ({ key }, index) => {
    const [product, round] = [index % productSlugs.length, Math.floor(index / productSlugs.length)];
    return { key, path: `/api/v1/products/${productSlugs[product]}/passport`, method: 'PUT', body: bodies[round % 2] };
  });
}

/** Creates products with very many members. */
function creations(members: number): Flood {
  const all = Array.from({ length: members }, (_, index) => `"k${index}":1`).join();
  const body = `{"name":"x",${all}}`.slice(0, 2 ** 20);
  return requests(4, 40, ({ key }) => ({ key, path: '/api/v1/products', method: 'POST', body }));
}

/** Sends the flood on all connections, and waits a little after a failure. */
function flow({ connections, sender }: Flood, target: Target, outcomes: Record<string, number>): void {
  for (let connection = 0; connection < connections; connection += 1) {
    const sendPart = sender(target, connection);
    void (async () => {
      for (let round = 0; ; round += 1) {
        const outcome = await sendPart(round).catch(({ message }: Error) => message);
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        if (!/^\d+$/.test(outcome)) await setTimeout(10);
      }
    })();
  }
}

if (!isMainThread) {
  const { name, target }: { name: string; target: Target } = workerData;
  const outcomes: Record<string, number> = {};
  const flood = floods[name];
  if (flood) flow(flood, target, outcomes);
  parentPort?.on('message', () => parentPort?.postMessage(outcomes)).postMessage('begun');
}
