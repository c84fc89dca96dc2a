/** Requests per second: the server beside bare Hapi with the same bytes, json-server and Prism. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildShop, type Shop } from './data.ts';
import type { Generator } from './generator.ts';
import type { Load } from './load.ts';
import { type Program, startBareHapi, startJsonServer, startPrism, startServer } from './programs.ts';
import { median, type Settings } from './settings.ts';

/** A response that bare Hapi sends from memory. */
export interface FixedResponse {
  method: Load['method'];
  path: string;
  status: number;
  type: string | null;
  location: string | null;
  body: string;
}

/** The server on each database, and the programs that it is compared with. */
export type Contender = 'sqlite' | 'postgres' | 'hapi' | 'json-server' | 'prism';

type Figures = Partial<Record<Contender, number>>;

/** The medians of one scenario. */
export interface Throughput {
  name: string;
  title: string;
  /** Responses per second. */
  rates: Figures;
  /** Processor time of the program for each response, in microseconds, without PostgreSQL's own processes. */
  cpu: Figures;
  /** Median latency in milliseconds. */
  latency: Figures;
  /** The share of a processor that the generator used. If it used all of it, the program waited for the generator. */
  generator: Figures;
  /** The server's rate on SQLite divided by the other program's, as it should be. */
  goals: Figures;
}

interface Scenario extends Pick<Load, 'method' | 'requests' | 'headers'> {
  name: (typeof throughputNames)[number];
  title: string;
  /** The programs beside the server. */
  against: readonly Contender[];
  goals: Figures;
}

const connections = 32;

export const throughputNames = [
  'product',
  'me',
  'list',
  'passport',
  'page',
  'jsonld',
  'resolver',
  'put',
  'create',
] as const;

function scenarios(shop: Shop): Scenario[] {
  const secured = { authorization: `Bearer ${shop.key}` };
  const json = { ...secured, 'content-type': 'application/json' };
  const page = `/p/${shop.slug}/${shop.product}`;
  const read = (
    name: Scenario['name'],
    title: string,
    path: string,
    headers: Load['headers'],
    goals: Figures,
  ): Scenario => {
    const against = Object.keys(goals) as Contender[];
    return { name, title, method: 'GET', requests: [{ path }], headers, against, goals };
  };
  const values = Array.from({ length: 26 }, (_, index) => ({ field_key: `field_${index}`, value: '[<id>]' }));
  return [
    read('product', '`GET /products/{slug}`', `/api/v1/products/${shop.product}`, secured, {
      hapi: 0.5,
      'json-server': 1,
      prism: 10,
    }),
    read('me', '`GET /me`', '/api/v1/me', secured, { hapi: 0.5 }),
    read('list', '`GET /products`, 50 rows', '/api/v1/products?limit=50', secured, { hapi: 0.3 }),
    read('passport', '`GET …/passport`', `/api/v1/products/${shop.product}/passport`, secured, { hapi: 0.75 }),
    read('page', 'passport page', page, { accept: 'text/html', 'accept-language': 'de' }, { hapi: 0.6 }),
    read('jsonld', 'JSON-LD', `${page}/jsonld`, {}, { hapi: 0.5 }),
    read('resolver', 'resolver', `/01/${shop.gtin}`, {}, { hapi: 0.5 }),
    {
      name: 'put',
      title: '`PUT` of 26 values, all changed',
      method: 'PUT',
      requests: shop.drafts.map((slug) => ({
        path: `/api/v1/products/${slug}/passport`,
        body: JSON.stringify(values),
      })),
      headers: json,
      against: ['hapi'],
      goals: {},
    },
    {
      name: 'create',
      title: '`POST /products`',
      method: 'POST',
      requests: [{ path: '/api/v1/products', body: JSON.stringify({ name: 'Bench [<id>]' }) }],
      headers: json,
      against: ['hapi'],
      goals: {},
    },
  ];
}

/** Measures the scenarios that `isWanted` takes. In each round the programs run in turn, so that other load affects all. */
export async function measureThroughput(
  settings: Settings,
  generator: Generator,
  isWanted: (name: string) => boolean,
): Promise<Throughput[]> {
  if (!throughputNames.some(isWanted)) return [];
  settings.say('throughput: builds two databases and starts the programs');
  const address = join(settings.folder, 'shop.sqlite');
  const shop = await buildShop(address);
  const wanted = scenarios(shop).filter(({ name }) => isWanted(name));
  const postgresAddress = await settings.newPostgres();
  const postgresShop = await buildShop(postgresAddress);
  const onPostgres = new Map(scenarios(postgresShop).map((scenario) => [scenario.name, scenario]));
  const programs = new Map<Contender, Program>();
  try {
    const server = await startServer(address);
    programs.set('sqlite', server);
    programs.set('postgres', await startServer(postgresAddress));
    const fixed = join(settings.folder, 'responses.json');
    await writeFile(fixed, JSON.stringify(await Promise.all(wanted.map((scenario) => record(server, scenario)))));
    programs.set('hapi', await startBareHapi(fixed));
    programs.set('json-server', await startJsonServer(await jsonServerData(settings, server, shop)));
    programs.set('prism', await startPrism());
    const measured: Throughput[] = [];
    for (const scenario of wanted) {
      const loads = (['sqlite', 'postgres', ...scenario.against] as const).map((contender) => {
        const from = contender === 'postgres' ? (onPostgres.get(scenario.name) ?? scenario) : scenario;
        return { contender, load: loadOf(from, contender, programs) };
      });
      measured.push(await compare(scenario, loads, programs, settings, generator));
    }
    return measured;
  } finally {
    for (const program of programs.values()) await program.stop();
  }
}

function programOf(programs: ReadonlyMap<Contender, Program>, contender: Contender): Program {
  const program = programs.get(contender);
  if (!program) throw new Error(`${contender} was not started.`);
  return program;
}

function loadOf(
  scenario: Scenario,
  contender: Contender,
  programs: ReadonlyMap<Contender, Program>,
): Omit<Load, 'until'> {
  const { method, headers, requests } = scenario;
  const [first] = requests;
  // Bare Hapi has one route for each operation. json-server's resources have no prefix.
  const shown = contender === 'hapi' && first ? [first] : requests;
  const plain = contender === 'json-server' ? shown.map(({ path }) => ({ path: path.replace('/api/v1', '') })) : shown;
  return { host: programOf(programs, contender).host, method, headers, requests: plain, connections };
}

type Measured = 'rate' | 'cpu' | 'latency' | 'busy';

async function compare(
  { name, title, goals }: Scenario,
  loads: readonly { contender: Contender; load: Omit<Load, 'until'> }[],
  programs: ReadonlyMap<Contender, Program>,
  { seconds, rounds, isQuick, say }: Settings,
  generator: Generator,
): Promise<Throughput> {
  const samples = new Map(loads.map(({ contender }) => [contender, [] as Record<Measured, number>[]]));
  for (let round = isQuick ? 0 : -1; round < rounds; round += 1) {
    for (const { contender, load } of loads) {
      const program = programOf(programs, contender);
      const before = await program.probe();
      const { rate, latency, total, busy } = await generator.run({ ...load, until: { seconds } });
      const after = await program.probe();
      // Round -1 warms up.
      if (round >= 0) {
        const cpu = ((after.cpu - before.cpu) / total) * 1000;
        samples.get(contender)?.push({ rate, cpu, latency: latency.median, busy });
      }
    }
  }
  const medians = (of: Measured): Figures =>
    Object.fromEntries([...samples].map(([contender, each]) => [contender, median(each.map((sample) => sample[of]))]));
  const rates = medians('rate');
  say(
    `${name}: ${Object.entries(rates)
      .map(([contender, rate]) => `${contender} ${Math.round(rate)}/s`)
      .join(', ')}`,
  );
  return { name, title, rates, cpu: medians('cpu'), latency: medians('latency'), generator: medians('busy'), goals };
}

/** The server's response to the first request of a scenario. */
async function record({ host }: Program, { method, requests: [first], headers }: Scenario): Promise<FixedResponse> {
  if (!first) throw new Error('A scenario needs a request.');
  const { path, body = null } = first;
  const response = await fetch(host + path, { method, headers, body, redirect: 'manual' });
  if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return {
    method,
    path: new URL(path, host).pathname,
    status: response.status,
    type: response.headers.get('content-type'),
    location: response.headers.get('location'),
    body: await response.text(),
  };
}

/** json-server finds an item by its `id`. */
async function jsonServerData(settings: Settings, { host }: Program, { key, product }: Shop): Promise<string> {
  const response = await fetch(`${host}/api/v1/products/${product}`, { headers: { authorization: `Bearer ${key}` } });
  const file = join(settings.folder, 'json-server.json');
  const item = (await response.json()) as object;
  await mkdir(join(settings.folder, 'public'));
  await writeFile(file, JSON.stringify({ products: [{ ...item, id: product }] }));
  return file;
}
