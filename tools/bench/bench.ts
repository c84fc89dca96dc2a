/** Compares the server and the SDK with other programs, side by side in one run, and prints tables of ratios. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@product-passport/sdk';
import openapiFetch from 'openapi-fetch';
import type { paths } from '../../openapi/src/generated/types.ts';
import { Cluster } from '../../test/support/cluster.ts';
import { optionsOf, refuse } from '../options.ts';
import type { FixedResponse } from './bare-hapi.ts';
import { buildCatalogue, buildShop, type Shop } from './data.ts';
import { type Load, startGenerator } from './load.ts';
import { buildServer, type Program, start } from './programs.ts';

const usage = `npm run bench -- [options]

  --quick         only check that everything runs: short rounds, few products
  --only NAME     one table (throughput, growth, start, sdk), or one row of the first
  --seconds N     length of one round of load (default 2)
  --products N    products of the large tenant (default 1000000)
`;

const { values: options } = optionsOf(usage, {
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    seconds: { type: 'string' },
    products: { type: 'string' },
  },
});
const seconds = Number(options.seconds ?? (options.quick ? 0.2 : 2));
const products = Number(options.products ?? (options.quick ? 2000 : 1_000_000));
/** An odd number, so that there is a middle. */
const rounds = options.quick ? 1 : 5;

type Row = Pick<Load, 'method' | 'headers' | 'requests'> & { title: string };

function rowsOf({ key, slug, product, gtin, model, drafts }: Shop): Record<string, Row> {
  const secured = { authorization: `Bearer ${key}` };
  const json = { ...secured, 'content-type': 'application/json' };
  const page = `/p/${slug}/${product}`;
  const read = (title: string, path: string, headers: Load['headers'] = {}): Row => ({
    ...{ title, method: 'GET', headers, requests: [{ path }] },
  });
  const values = Array.from({ length: 26 }, (_, index) => ({ field_key: `field_${index}`, value: '[<id>]' }));
  return {
    product: read('`GET /products/{slug}`', `/api/v1/products/${product}`, secured),
    me: read('`GET /me`', '/api/v1/me', secured),
    list: read('`GET /products`, 50 rows', '/api/v1/products?limit=50', secured),
    passport: read('`GET …/passport`', `/api/v1/products/${product}/passport`, secured),
    page: read('passport page', page, { accept: 'text/html', 'accept-language': 'de' }),
    jsonld: read('JSON-LD', `${page}/jsonld`),
    resolver: read('resolver', `/01/${gtin}`),
    dpp: read("the EU's read by product", `/dpp/v1/dppsByProductId/${model}`),
    put: {
      title: '`PUT` of 26 values, all changed',
      method: 'PUT',
      headers: json,
      requests: drafts.map((draft) => ({ path: `/api/v1/products/${draft}/passport`, body: JSON.stringify(values) })),
    },
    create: {
      title: '`POST /products`',
      method: 'POST',
      headers: json,
      requests: [{ path: '/api/v1/products', body: JSON.stringify({ name: 'Bench [<id>]' }) }],
    },
  };
}

const startPrism = (): Promise<Program> =>
  start('node_modules/@stoplight/prism-cli/dist/index.js', 'mock', 'openapi.yaml', '--port', '{port}');

const tables = ['throughput', 'growth', 'start', 'sdk'];
const rowNames = Object.keys(rowsOf({ slug: '', key: '', product: '', gtin: '', model: '', drafts: [] }));
const isWanted = (...names: string[]): boolean => options.only === undefined || names.includes(options.only);
if (!(seconds > 0)) refuse('--seconds takes a number.', usage);
if (!(products > 0)) refuse('--products takes a number.', usage);
if (!isWanted(...tables, ...rowNames)) refuse(`--only takes ${[...tables, ...rowNames].join(', ')}.`, usage);
await main();

async function main(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'passport-bench-'));
  stack.defer(() => rm(folder, { recursive: true }));
  let cluster: Promise<Cluster> | undefined;
  const newPostgres = async (): Promise<string> => {
    cluster ??= Cluster.start((undo) => stack.defer(undo), tmpdir());
    return (await cluster).newDatabase();
  };
  if (isWanted('sdk')) await sdk();
  if (!isWanted('throughput', 'growth', 'start', ...rowNames)) return;
  // The quick check leaves it out: it takes as long as all the rest.
  const commandLine = options.quick ? 'server/src/cli/main.ts' : await buildServer(folder);
  const serve = (database: string): Promise<Program> => {
    const words = ['--port', '{port}', '--site-url', 'https://passport.example.com', '--log-level', 'warn'];
    return start(commandLine, 'serve', '--database', database, ...words);
  };
  const context: Context = { folder, newPostgres, serve };
  if (isWanted('throughput', ...rowNames)) await throughput(context);
  if (isWanted('growth')) await growth(context);
  if (isWanted('start')) await starts(context);
}

interface Context {
  folder: string;
  newPostgres(): Promise<string>;
  serve(database: string): Promise<Program>;
}

/** Requests per second, and processor time for each request. In each round the programs run in turn. */
async function throughput({ folder, newPostgres, serve }: Context): Promise<void> {
  const [file, postgres] = [join(folder, 'shop.sqlite'), await newPostgres()];
  const onSqlite = rowsOf(await buildShop(file));
  const onPostgres = rowsOf(await buildShop(postgres));
  const names = rowNames.filter((name) => isWanted('throughput', name));
  const programs: Record<string, Program> = { SQLite: await serve(file), PostgreSQL: await serve(postgres) };
  const responses = join(folder, 'responses.json');
  const recorded = names.flatMap((name) => onSqlite[name] ?? []).map((row) => record(programs.SQLite?.host ?? '', row));
  await writeFile(responses, JSON.stringify(await Promise.all(recorded)));
  programs['bare Hapi'] = await start('tools/bench/bare-hapi.ts', responses, '{port}');
  programs.Prism = await startPrism();
  const generator = startGenerator();
  const rows: string[][] = [];
  for (const name of names) {
    const loads = Object.entries(programs).flatMap(([program, running]) => {
      const row = (program === 'PostgreSQL' ? onPostgres : onSqlite)[name];
      // Prism is compared once. Bare Hapi has one route for each operation.
      if (!row || (program === 'Prism' && name !== 'product')) return [];
      const requests = program === 'bare Hapi' ? row.requests.slice(0, 1) : row.requests;
      return { program, running, load: { ...row, requests, host: running.host, seconds } };
    });
    const samples = new Map(loads.map(({ program }) => [program, [] as Sample[]]));
    // Warms up.
    for (const { running, load } of loads) await sampleOf(running, load, generator.run);
    for (let round = 0; round < rounds; round += 1) {
      for (const { program, running, load } of loads) {
        samples.get(program)?.push(await sampleOf(running, load, generator.run));
      }
    }
    const own = median(samples.get('SQLite')?.map(({ cpu }) => cpu) ?? []);
    const cells = Object.keys(programs).map((program) => shown(samples.get(program), own));
    rows.push([onSqlite[name]?.title ?? '', ...cells]);
    process.stderr.write(`${rows.at(-1)?.join(' | ')}\n`);
  }
  generator.stop();
  for (const program of Object.values(programs)) await program.stop();
  print(['processor time of a request, rate, ratio of processor times to SQLite', ...Object.keys(programs)], rows);
}

interface Sample {
  /** Responses per second. */
  rate: number;
  /** Processor time of the program for each response, in microseconds. */
  cpu: number;
}

async function sampleOf(program: Program, load: Load, run: ReturnType<typeof startGenerator>['run']): Promise<Sample> {
  const before = await program.processorTime();
  const { rate, total } = await run(load);
  return { rate, cpu: ((await program.processorTime()) - before) / total };
}

function shown(samples: readonly Sample[] | undefined, own: number): string {
  if (samples === undefined) return '–';
  const cpu = median(samples.map((sample) => sample.cpu));
  const rate = median(samples.map((sample) => sample.rate)) / 1000;
  return `${cpu.toFixed(0)} µs, ${rate.toPrecision(2)} k/s, ${(cpu / own).toFixed(2)}`;
}

/** The server's response to the first request of a row. */
async function record(host: string, { method, headers, requests: [first] }: Row): Promise<FixedResponse> {
  const { path = '', body = null } = first ?? {};
  const response = await fetch(host + path, { method, headers, body, redirect: 'manual' });
  if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  const sent = ['content-type', 'location'].flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const { pathname } = new URL(path, host);
  return {
    method,
    path: pathname,
    status: response.status,
    headers: Object.fromEntries(sent),
    body: await response.text(),
  };
}

/** The time of one request, one at a time, with a thousand products and with many. */
async function growth({ folder, newPostgres, serve }: Context): Promise<void> {
  const columns: Record<string, Record<string, number>> = {};
  for (const kind of ['SQLite', 'PostgreSQL']) {
    for (const count of [1000, products]) {
      const address = kind === 'SQLite' ? join(folder, `${count}.sqlite`) : await newPostgres();
      process.stderr.write(`${kind}: adds ${count} products\n`);
      const headers = {
        authorization: `Bearer ${await buildCatalogue(address, count, Math.min(300_000, 365 * count))}`,
      };
      const { host, stop } = await serve(address);
      const read = async (path: string): Promise<string> => {
        const response = await fetch(`${host}/api/v1${path}`, { headers });
        if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
        return response.text();
      };
      const [{ slug, name }] = JSON.parse(await read(`/products?limit=1&offset=${count - 1}`)).items;
      const paths = {
        '`GET /me`': '/me',
        'one product': `/products/${slug}`,
        'first page': '/products?limit=50',
        'last page': `/products?limit=50&offset=${count - 50}`,
        'last page of `status=active`': '/products?status=active&limit=50&offset=450',
        'search, common': `/products?search=${encodeURIComponent(name.split(' ')[0])}`,
        'search, rare': `/products?search=${encodeURIComponent(name)}`,
        'search without a match': '/products?search=no%20product%20has%20this%20name',
        'statistics, 365 days': '/analytics/scans?days=365',
      };
      for (const [title, path] of Object.entries(paths)) {
        const times: number[] = [];
        for (let round = 0; round < 7; round += 1) times.push(await time(() => read(path)));
        columns[title] ??= {};
        columns[title][`${kind}, ${count.toLocaleString('en')} products`] = median(times);
      }
      await stop();
    }
  }
  const heads = Object.keys(Object.values(columns)[0] ?? {});
  const rows = Object.entries(columns).map(([title, times]) => [
    title,
    ...heads.map((head) => `${times[head]?.toFixed(1)} ms`),
  ]);
  print(['median of seven requests', ...heads], rows);
}

async function starts({ folder, serve }: Context): Promise<void> {
  const programs = {
    'in memory': () => serve(':memory:'),
    'a file': () => serve(join(folder, 'start.sqlite')),
    Prism: startPrism,
  };
  const rows: string[][] = [];
  for (const [title, begin] of Object.entries(programs)) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const program = await begin();
      times.push(program.firstResponse);
      await program.stop();
    }
    rows.push([title, `${median(times).toFixed(0)} ms`]);
  }
  print(['start to first response', ''], rows);
}

/** A call through the SDK, and the same call through openapi-fetch alone, over a `fetch` that responds at once. */
async function sdk(): Promise<void> {
  const body = JSON.stringify({ id: '019ad0c0-7c00-7000-8000-000000000001', name: 'USB-C cable', slug: 'cable' });
  const fetch = async () => new Response(body, { headers: { 'content-type': 'application/json' } });
  const site = 'https://passport.example.com';
  const bare = openapiFetch<paths>({ baseUrl: site, headers: { authorization: 'Bearer a-key' }, fetch });
  const client = createClient({ baseUrl: `${site}/api/v1`, apiKey: 'a-key', fetch });
  const calls = {
    'openapi-fetch': () => bare.GET('/api/v1/products/{slug}', { params: { path: { slug: 'cable' } } }),
    SDK: () => client.products.get('cable'),
  };
  const times: Record<string, number[]> = {};
  for (let round = -20; round < (options.quick ? 1 : 201); round += 1) {
    for (const [name, call] of Object.entries(calls)) {
      const took = await time(async () => {
        for (let count = 0; count < 300; count += 1) await call();
      });
      times[name] ??= [];
      if (round >= 0) times[name].push((took / 300) * 1000);
    }
  }
  const base = median(times['openapi-fetch'] ?? []);
  const rows = Object.entries(times).map(([name, all]) => {
    return [name, `${median(all).toFixed(1)} µs`, (median(all) / base).toFixed(2)];
  });
  print(['a call', 'time', 'ratio'], rows);
}

/** In milliseconds. */
async function time(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}

function print(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  process.stdout.write(`\n${lines.join('\n')}\n`);
}
