/** What the server keeps to: memory, the time of a start, blocks of the event loop, and one client beside another. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCatalogue } from './catalogue.ts';
import { addLargePassport, addTenant, buildShop, withDatabase } from './data.ts';
import type { Generator } from './generator.ts';
import { sizesOf } from './growth.ts';
import type { Load } from './load.ts';
import { type Program, startDemo, startPrism, startServer } from './programs.ts';
import { median, type Settings } from './settings.ts';
import type { Walk } from './walk.ts';

export interface Limit {
  name: string;
  title: string;
  unit: string;
  value: number;
  /** The largest value that meets the goal. Without one the value is for comparison. */
  limit?: number;
}

type Measure = (settings: Settings, generator: Generator) => Promise<Limit[]>;

const measures: Record<string, Measure> = { start, memory, block, fairness, walk };

export const limitNames = Object.keys(measures);

export async function measureLimits(
  settings: Settings,
  generator: Generator,
  isWanted: (name: string) => boolean,
): Promise<Limit[]> {
  const limits: Limit[] = [];
  for (const [name, measure] of Object.entries(measures)) {
    if (!isWanted(name)) continue;
    settings.say(`${name}: begins`);
    const found = await measure(settings, generator);
    for (const { title, value, unit } of found) settings.say(`${name}: ${title} ${value.toFixed(2)} ${unit}`);
    limits.push(...found);
  }
  return limits;
}

/** From the start of the process to the first response. */
async function start(settings: Settings): Promise<Limit[]> {
  const file = join(settings.folder, 'start.sqlite');
  await withDatabase(file, async () => {});
  const alone = { isProbed: false };
  const programs = [
    { title: 'start to first response, in memory', limit: 300, begin: () => startServer(':memory:', alone) },
    { title: 'start to first response, a file', limit: 300, begin: () => startServer(file, alone) },
    {
      title: 'start to first response, demo',
      limit: 500,
      begin: () => startDemo(join(settings.folder, 'demo.sqlite'), alone),
    },
    { title: 'start to first response, Prism', begin: () => startPrism(alone) },
  ];
  const limits: Limit[] = [];
  for (const { begin, ...rest } of settings.isQuick ? programs.slice(0, 1) : programs) {
    const samples: number[] = [];
    for (let round = 0; round < settings.rounds; round += 1) {
      const program = await begin();
      samples.push(program.firstResponse);
      await program.stop();
    }
    limits.push({ name: 'start', unit: 'ms', value: median(samples), ...rest });
  }
  return limits;
}

/** Resident memory after many requests, compared with that after a hundredth of them. */
async function memory(settings: Settings, generator: Generator): Promise<Limit[]> {
  const address = join(settings.folder, 'memory.sqlite');
  const shop = await buildShop(address);
  const page = `/p/${shop.slug}/${shop.product}`;
  const paths = [page, `${page}/jsonld`, '/api/v1/products', `/api/v1/products/${shop.product}/passport`];
  const [few, many] = settings.isQuick ? [32, 320] : [1000, 100_000];

  const server = await startServer(address, { isProbed: false });
  const load = (requests: number): Load => ({
    host: server.host,
    method: 'GET',
    headers: { authorization: `Bearer ${shop.key}`, accept: 'text/html' },
    requests: paths.map((path) => ({ path })),
    connections: 32,
    until: { requests },
  });
  const row = (title: string, value: number, limit?: number): Limit => ({
    name: 'memory',
    title,
    unit: 'MB',
    value,
    ...(limit !== undefined && { limit }),
  });
  try {
    await generator.run(load(few));
    const before = server.memory;
    await generator.run(load(many - few));
    const after = server.memory;
    return [row(`memory after ${few} requests`, before), row(`memory after ${many} requests`, after, 250)];
  } finally {
    await server.stop();
  }
}

/** The longest block of the event loop during writes to a large passport. */
async function block(settings: Settings, generator: Generator): Promise<Limit[]> {
  const address = join(settings.folder, 'block.sqlite');
  const { key } = await addLargePassport(address, 'writer', settings.isQuick ? 100 : 5000);
  const server = await startServer(address);
  try {
    const values = Array.from({ length: settings.isQuick ? 20 : 1000 }, (_, index) => ({
      field_key: `field_${index}`,
      value: '[<id>]',
    }));
    const load: Load = {
      host: server.host,
      method: 'PUT',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      requests: [{ path: '/api/v1/products/large/passport', body: JSON.stringify(values) }],
      connections: 1,
      until: { requests: 3 },
    };
    await generator.run(load);
    await server.probe({ watch: true });
    await generator.run({ ...load, until: { requests: 7 } });
    const { block: value } = await server.probe();
    const title = 'longest block of the event loop, `PUT` of 1,000 values to a passport of 5,000';
    return [{ name: 'block', title, unit: 'ms', value, limit: 50 }];
  } finally {
    await server.stop();
  }
}

/** `GET /me` of one tenant while others load the server. */
async function fairness(settings: Settings, generator: Generator): Promise<Limit[]> {
  const address = join(settings.folder, 'fairness.sqlite');
  const { slug, key } = await addLargePassport(address, 'busy', settings.isQuick ? 100 : 4000);
  const { key: other } = await withDatabase(address, (database) => addTenant(database, 'quiet'));
  const count = settings.isQuick ? 10 : 300;
  const views: Omit<Load, 'host'> = {
    method: 'GET',
    headers: { accept: 'text/html' },
    requests: [{ path: `/p/${slug}/large` }],
    connections: count,
    until: { requests: count },
  };
  const writes: Omit<Load, 'host'> = {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    requests: [{ path: '/api/v1/products/large/passport', body: '[{"field_key":"field_0","value":"[<id>]"}]' }],
    connections: settings.isQuick ? 10 : 400,
    until: { requests: settings.isQuick ? 10 : 400 },
  };
  const name = 'fairness';
  const first = await beside(address, views, other, generator);
  const second = await beside(address, writes, other, generator);
  return [
    {
      name,
      title: '`GET /me`, slowest, during 300 page views of a passport of 4,000 values',
      unit: 'ms',
      value: first.slowest,
      limit: 250,
    },
    { name, title: 'page views of these that failed', unit: '', value: first.failures, limit: 0 },
    {
      name,
      title: '`GET /me`, slowest, during 400 one-value `PUT` to such a passport',
      unit: 'ms',
      value: second.slowest,
      limit: 250,
    },
  ];
}

/** The slowest `GET /me` until a load ends, on a server of its own. */
async function beside(
  address: string,
  load: Omit<Load, 'host'>,
  key: string,
  generator: Generator,
): Promise<{ slowest: number; failures: number }> {
  const server = await startServer(address);
  try {
    await me(server, key);
    let isOver = false;
    const ended = generator.runAnyway({ ...load, host: server.host }).finally(() => {
      isOver = true;
    });
    let slowest = 0;
    do slowest = Math.max(slowest, await me(server, key));
    while (!isOver);
    return { slowest, failures: (await ended).failures };
  } finally {
    await server.stop();
  }
}

async function me({ host }: Program, key: string): Promise<number> {
  const begin = performance.now();
  const response = await fetch(`${host}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return performance.now() - begin;
}

/** A walk of a tenant's products through the SDK, in a process of its own. */
async function walk(settings: Settings): Promise<Limit[]> {
  const { many } = sizesOf(settings);
  const address = join(settings.folder, 'many.sqlite');
  const { large } = await buildCatalogue(address, many);
  const server = await startServer(address);
  try {
    const child = fork(fileURLToPath(new URL('walk.ts', import.meta.url)), [`${server.host}/api/v1`, large.key], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    const [result]: [Walk] = (await once(child, 'message')) as [Walk];
    const { products, seconds, memory: client } = result;
    if (products !== many.products) throw new Error(`The walk found ${products} of ${many.products} products.`);
    const title = `\`for await\` over ${products} products with the SDK`;
    return [
      { name: 'walk', title: `${title}, products per second`, unit: '', value: products / seconds },
      { name: 'walk', title: `${title}, largest memory of the client`, unit: 'MB', value: client / 1e6 },
      { name: 'walk', title: `${title}, memory of the server`, unit: 'MB', value: (await server.probe()).rss / 1e6 },
    ];
  } finally {
    await server.stop();
  }
}
