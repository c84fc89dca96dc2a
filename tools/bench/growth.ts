/** The time of single requests at a thousand products and at a million. */
import { join } from 'node:path';
import { type Amounts, buildCatalogue, type Catalogue } from './catalogue.ts';
import type { Account } from './data.ts';
import { type Program, startServer } from './programs.ts';
import { median, type Settings } from './settings.ts';

export type Database = 'sqlite' | 'postgres';

/** Medians in milliseconds. */
export interface Growth {
  name: string;
  title: string;
  goal: string;
  databases: Partial<Record<Database, { few: number; many: number; limit: number }>>;
}

export const growthNames = [
  'me',
  'product',
  'first',
  'last',
  'active',
  'counted',
  'common',
  'rare',
  'none',
  'statistics',
  'beside',
  'page',
  'flooded',
] as const;

/** The times of one database, in milliseconds. */
type Times = Record<(typeof growthNames)[number], number>;

interface Row {
  title: string;
  goal: string;
  /** The goal at many products, in milliseconds. */
  limit(few: Times, many: Times): number;
}

/** For goals that equal another time: what a median of seven differs by between two runs. */
const noise = 1.25;

const rows: Record<keyof Times, Row> = {
  me: { title: '`GET /me`', goal: 'as with few', limit: ({ me }) => me * noise },
  product: { title: 'one product', goal: 'as with few', limit: ({ product }) => product * noise },
  first: { title: 'first page', goal: 'as with few', limit: ({ first }) => first * noise },
  last: { title: 'last page', goal: '2 × the first page', limit: (_, { first }) => 2 * first },
  active: { title: 'last page of `status=active`', goal: '10 × the first page', limit: (_, { first }) => 10 * first },
  counted: { title: 'search, common, with its count, first request', goal: '200 ms', limit: () => 200 },
  common: { title: 'search, common, with its count, later requests', goal: '200 ms', limit: () => 200 },
  rare: { title: 'search, rare', goal: '50 ms', limit: () => 50 },
  none: { title: 'search without a match', goal: '50 ms', limit: () => 50 },
  statistics: { title: 'statistics, 365 days', goal: '250 ms', limit: () => 250 },
  beside: {
    title: 'one product of another tenant while four searches run',
    goal: '2 × alone',
    limit: (_, { product }) => 2 * product,
  },
  page: { title: 'first page of another tenant', goal: 'as with few', limit: ({ page }) => page * noise },
  flooded: {
    title: 'first page of another tenant while two tenants run eight searches each',
    goal: '2 × alone',
    limit: (_, { page }) => 2 * page,
  },
};

export interface Sizes {
  few: Amounts;
  many: Amounts;
}

export function sizesOf({ isQuick }: Settings): Sizes {
  if (isQuick) return { few: { products: 100, countRows: 730 }, many: { products: 1000, countRows: 730 } };
  return {
    few: { products: 1000, countRows: 300_000 },
    many: { products: 1_000_000, countRows: 1_000_000 },
  };
}

export async function measureGrowth(settings: Settings): Promise<Growth[]> {
  const sizes = sizesOf(settings);
  const measured = new Map<Database, { few: Times; many: Times }>();
  const kinds: Database[] = settings.isQuick ? ['sqlite'] : ['sqlite', 'postgres'];
  for (const database of kinds) {
    const times = async (size: keyof Sizes): Promise<Times> => {
      const address = database === 'postgres' ? await settings.newPostgres() : join(settings.folder, `${size}.sqlite`);
      settings.say(`${database}: adds ${sizes[size].products} products`);
      const start = performance.now();
      const catalogue = await buildCatalogue(address, sizes[size]);
      settings.say(`${database}: ${sizes[size].products} products in ${Math.round(performance.now() - start)} ms`);
      return timesOf(address, catalogue, settings);
    };
    measured.set(database, { few: await times('few'), many: await times('many') });
  }
  return growthNames.map((name) => {
    const { title, goal, limit } = rows[name];
    const databases = Object.fromEntries(
      [...measured].map(([database, { few, many }]) => [
        database,
        { few: few[name], many: many[name], limit: limit(few, many) },
      ]),
    );
    return { name, title, goal, databases };
  });
}

async function timesOf(address: string, { large, second, neighbour }: Catalogue, { say }: Settings): Promise<Times> {
  const server = await startServer(address);
  try {
    const repeats = 7;
    const timed = async (path: string, key = large.key, count = repeats): Promise<number> => {
      const samples: number[] = [];
      for (let round = 0; round < count; round += 1) samples.push(await time(server, path, key));
      return median(samples);
    };
    const products = '/api/v1/products';
    const { total } = await read(server, `${products}?limit=1`, large.key);
    const { total: active } = await read(server, `${products}?status=active&limit=1`, large.key);
    const last = await read(server, `${products}?limit=1&offset=${Math.max(0, total - 1)}`, large.key);
    const name = last.items[0]?.name ?? '';
    const [word = ''] = name.split(' ');
    const search = (needle: string): string => `${products}?limit=50&search=${encodeURIComponent(needle)}`;
    // PostgreSQL's counts with a status are not kept, so that each request searches.
    const searchActive = (needle: string): string => `${search(needle)}&status=active`;
    const neighbours = await read(server, `${products}?limit=1`, neighbour.key);
    const one = `${products}/${neighbours.items[0]?.slug}`;
    const ownPage = `${products}?limit=50`;
    const times: Times = {
      me: await timed('/api/v1/me'),
      product: await timed(one, neighbour.key),
      first: await timed(`${products}?limit=50`),
      last: await timed(`${products}?limit=50&offset=${Math.max(0, total - 50)}`),
      active: await timed(`${products}?status=active&limit=50&offset=${Math.max(0, active - 50)}`),
      counted: await timed(search(word), large.key, 1),
      common: await timed(search(word)),
      rare: await timed(search(name)),
      none: await timed(search('no product has this name')),
      statistics: await timed('/api/v1/analytics/scans?days=365'),
      beside: await besideSearches(server, searchActive(word), [large], 4, () => timed(one, neighbour.key)),
      page: await timed(ownPage, neighbour.key),
      flooded: await besideSearches(server, searchActive(word), [large, second], 8, () =>
        timed(ownPage, neighbour.key),
      ),
    };
    say(
      Object.entries(times)
        .map(([each, milliseconds]) => `${each} ${milliseconds.toFixed(1)} ms`)
        .join(', '),
    );
    return times;
  } finally {
    await server.stop();
  }
}

/** Measures while each of the tenants searches without a pause, over several connections. */
async function besideSearches(
  server: Program,
  path: string,
  tenants: readonly Account[],
  connections: number,
  measure: () => Promise<number>,
): Promise<number> {
  let isOver = false;
  const searches = tenants.flatMap(({ key }) =>
    Array.from({ length: connections }, async () => {
      // A search that the server refuses under load is part of the picture.
      while (!isOver) await send(server, path, key);
    }),
  );
  const result = await measure();
  isOver = true;
  await Promise.all(searches);
  return result;
}

async function time(server: Program, path: string, key: string): Promise<number> {
  const start = performance.now();
  const response = await send(server, path, key);
  const milliseconds = performance.now() - start;
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.text}`);
  return milliseconds;
}

async function read(server: Program, path: string, key: string): Promise<{ total: number; items: Item[] }> {
  const { status, text } = await send(server, path, key);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return JSON.parse(text);
}

interface Item {
  name: string;
  slug: string;
}

async function send({ host }: Program, path: string, key: string): Promise<{ status: number; text: string }> {
  const response = await fetch(host + path, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, text: await response.text() };
}
