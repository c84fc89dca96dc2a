/** The server on a Citus cluster. `npm run test:distributed` runs it where `TEST_CITUS_NODES` names the nodes. */
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { verifyPassport } from '../../sdk/src/verify.ts';
import { connect } from '../../server/src/database/connection.ts';
import { textColumns } from '../../server/src/database/migrations/0001_tables.ts';
import { createTable } from '../../server/src/database/migrations/table.ts';
import { spreadingPlan, spreadTables } from '../../server/src/database/spread.ts';
import { fillDemo } from '../../server/src/demo/fill.ts';
import { moveProduct } from '../../server/src/lifecycle/lifecycle.ts';
import { buildShop, type Shop } from '../../tools/bench/data.ts';
import { startGenerator } from '../../tools/bench/load.ts';
import { runHere } from '../support/command.ts';
import { asNextVersion, contentOf, type Database, expectRightCounts } from '../support/database.ts';
import { ending, newFolder } from '../support/files.ts';
import { filledDatabase } from '../support/filled-database.ts';
import { freePort, start } from '../support/program.ts';
import { type Client, type Service, startService } from '../support/service.ts';
import { asFile, faultsIn, typeReporting } from '../support/suite.ts';
import { control, newClusterDatabase, newPlainDatabase, nodes, read, watchShards } from './nodes.ts';

jest.setTimeout(1_200_000);

const folder = newFolder();
/** Commands make entries, the extension makes views, and servers note the use of keys a while later. */
const notCompared = ['audit_entries', 'citus_tables', 'citus_schemas', 'api_keys.last_used_at'];
const tables: string[] = [];

afterAll(() => void process.stdout.write(`${tables.join('\n\n')}\n`));

/** Runs a command that must succeed. */
async function command(line: string): Promise<string> {
  const { code, stdout, stderr } = await runHere(`product-passport ${line}`);
  if (code !== 0) throw new Error(`${line} ended with ${code}: ${stderr}`);
  return stdout;
}

/** A database on all nodes that the command has spread. */
async function newSpreadDatabase(): Promise<string[]> {
  const addresses = await newClusterDatabase();
  await command(`migrate --distribute --shards 16 --database ${addresses[0]}`);
  return addresses;
}

const spread = { nodes: nodes.length - 1, shards: 16 };
const keyCount =
  "SELECT count(*)::int FROM pg_constraint WHERE contype = 'f' AND conrelid IN (SELECT oid FROM pg_class WHERE relname !~ '_[0-9]+$')";

const others = `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
  AND backend_type = 'client backend' AND application_name NOT LIKE 'citus%'`;

describe('migrate --distribute', () => {
  test('that is killed at any statement changes nothing, and the next run finishes', async () => {
    const [address = '', worker = ''] = await newClusterDatabase();
    const file = join(folder, 'filled');
    await command(`backup ${file} --database ${(await filledDatabase('PostgreSQL')).address}`);
    await command(`restore ${file} --database ${address}`);
    const content = await contentOf(address, notCompared);
    const keys = await read(address, keyCount);
    const steps = (await spreadingPlan()).filter((sql) => !sql.startsWith('SELECT truncate'));
    // As after a kill of the process: the connection ends before a statement, at last before COMMIT.
    for (const step of [...steps, 'COMMIT;']) {
      const database = connect(address, { unlimited: true });
      const { client } = database;
      const acquire = client.acquireConnection.bind(client);
      let socket: Socket | undefined;
      client.acquireConnection = async () => {
        const acquired = await acquire();
        socket = acquired.connection.stream;
        return acquired;
      };
      database.on('query', ({ sql }: { sql: string }) => void (sql === step && socket?.destroy()));
      await expect(spreadTables(database, address, 16)).rejects.toThrow(/[Cc]onnection (?:terminated|error)/);
      await database.destroy();
      // PostgreSQL notices the end after the statement that runs.
      while ((await read(address, others)) !== 0) await setTimeout(50);
      expect(JSON.parse(await command(`migrate --status --json --database ${address}`)).spread).toBeUndefined();
      expect(await read(address, keyCount)).toBe(keys);
    }
    expect(JSON.parse(await command(`migrate --distribute --shards 16 --json --database ${address}`))).toEqual({
      migrations: [],
      spread,
    });
    // A second run changes nothing, also with another number.
    expect(await command(`migrate --distribute --shards 8 --database ${address}`)).toBe(
      `The database is already up to date.\nThe tables are spread: 16 shards on ${spread.nodes} nodes.\n`,
    );
    expect(await read(address, keyCount)).toBe(keys);
    expect(await contentOf(address, notCompared)).toEqual(content);
    expect(await contentOf(worker, notCompared)).toEqual(content);
    expect(await command(`check-hashes --database ${worker}`)).toContain('Every hash fits.');
    expect(await command(`migrate --status --database ${worker}`)).toContain(`16 shards on ${spread.nodes} nodes`);
    const stats = JSON.parse(await command(`stats --json --database ${worker}`));
    expect(stats).toMatchObject({ spread, products: { draft: expect.any(Number) } });
    expect(stats.database_bytes).toBeGreaterThan(
      Number(await read(worker, 'SELECT pg_database_size(current_database())')),
    );
    expect(await read(address, "SELECT pg_relation_size('products')::int")).toBe(0);
  });

  test('refuses while another program is connected, and on a worker', async () => {
    const [address = '', worker = ''] = await newClusterDatabase();
    await command(`migrate --database ${address}`);
    const other = connect(address);
    await other.raw('SELECT 1');
    const refused = await runHere(`product-passport migrate --distribute --database ${address}`);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/ is in use by other connections \(1\)\. Stop the servers [^\n]+\n$/);
    await other.destroy();
    // One that the count leaves out, as it would one that starts after the count.
    const reader = connect(`${address}?application_name=citus_reader`);
    const open = await reader.transaction();
    await open('migrations').select('name');
    const late = await runHere(`product-passport migrate --distribute --database ${address}`);
    expect(late.stderr).toMatch(/ another process holds a lock on it\. Run the command again when [^\n]+\n$/);
    await open.rollback();
    await reader.destroy();
    const onWorker = await runHere(`product-passport migrate --distribute --database ${worker}`);
    expect(onWorker.stderr).toMatch(/ is on a worker of a Citus cluster\. Name the coordinator, [^\n]+\.\n$/);
    await command(`migrate --distribute --database ${address}`);
  });

  test('a role that owns the tables spreads them, and is refused while another role is connected', async () => {
    const role = `passport_role_${process.pid}`;
    for (const node of nodes) ending.defer(async () => void (await read(node, `DROP ROLE IF EXISTS ${role}`)));
    const [address = '', worker = ''] = await newClusterDatabase();
    const asRole = (on: string) => Object.assign(new URL(on), { username: role }).href;
    await read(address, `CREATE ROLE ${role} LOGIN`);
    await read(address, `GRANT CREATE, USAGE ON SCHEMA public TO ${role}`);
    await command(`migrate --database ${asRole(address)}`);
    const other = connect(address);
    await other.raw('SELECT 1');
    const refused = await runHere(`product-passport migrate --distribute --database ${asRole(address)}`);
    expect(refused.stderr).toMatch(/ is in use by other connections \(1\)\. /);
    await other.destroy();
    // As the extension's background worker looks to the role. In a new database it may not run yet.
    const daemon = connect(`${address}?application_name=Citus%20Maintenance%20Daemon`);
    await daemon.raw('SELECT 1');
    await command(`migrate --distribute --shards 16 --database ${asRole(address)}`);
    await daemon.destroy();
    expect(await command(`migrate --status --database ${asRole(worker)}`)).toContain(
      `16 shards on ${spread.nodes} nodes`,
    );
  });

  test('a later migration keeps the tables spread', async () => {
    const [address = ''] = await newSpreadDatabase();
    const up = async (knex: Database): Promise<void> => {
      await knex.schema.alterTable('products', (table) => textColumns(knex).textOrNull(table, 'made_up'));
      await createTable(knex, 'made_up', 'tenant_id', (table) => {
        textColumns(knex).texts(table, 'tenant_id', 'product_id');
        table.foreign(['tenant_id', 'product_id']).references(['tenant_id', 'id']).inTable('products');
      });
      await createTable(knex, 'made_up_too', 'everywhere', (table) => {
        textColumns(knex).text(table, 'tenant_id').references('tenants.id');
      });
    };
    await asNextVersion(() => command(`migrate --database ${address}`), up);
    const unlike = `SELECT count(*)::int FROM pg_dist_partition AS made JOIN pg_dist_partition AS first USING (colocationid)
      WHERE made.logicalrelid = ?::regclass AND first.logicalrelid = ?::regclass`;
    expect(await read(address, unlike, ['made_up', 'products'])).toBe(1);
    expect(await read(address, unlike, ['made_up_too', 'tenants'])).toBe(1);
  });
});

/** Servers on every node, over one database with the demo. */
let addresses: string[] = [];
let services: Service[] = [];
let keys: Awaited<ReturnType<typeof fillDemo>>;

beforeAll(async () => {
  addresses = await newSpreadDatabase();
  services = await Promise.all(addresses.map((on) => startService('PostgreSQL', { on })));
  keys = await fillDemo({ database: first().database, urnNamespace: 'dpp', now: () => new Date() });
});

function first(): Service {
  const [service] = services;
  if (!service) throw new Error('TEST_CITUS_NODES names no node.');
  return service;
}

let tenants = 0;

/** The same new tenant as a client of each server. */
async function newClients(): Promise<Client[]> {
  tenants += 1;
  const client = await first().newTenant({ slug: `spread-${tenants}` });
  return services.map((service) => service.clientOf(client));
}

/** Calls in turn through all clients at once. */
function overAll<Result>(
  clients: readonly Client[],
  count: number,
  call: (client: Client, index: number) => Promise<Result>,
) {
  return Promise.all(
    Array.from({ length: count }, (_, index) => call(clients[index % clients.length] as Client, index)),
  );
}

test.each(nodes.map((_, index) => index))('the whole suite passes through node %i', async (index) => {
  const site = `http://127.0.0.1:${services[index]?.port}`;
  const provider = asFile({ ...keys, base_url: `${site}/api/v1`, site_url: site });
  const { code, report } = await typeReporting('verify', ...provider, '--claim', 'core,public,digital-link,reference');
  tables.push(
    `verify through node ${index}: ${report.cases.filter(({ status }) => status === 'passed').length} of ${report.cases.length} cases passed`,
  );
  expect({ code, faults: faultsIn(report) }).toEqual({ code: 0, faults: [] });
});

test('60 creations of one name over the nodes are 60 products, with 60 slugs', async () => {
  const clients = await newClients();
  const made = await overAll(clients, 60, (client) => client.create('Tasse'));
  expect(new Set(made.map(({ slug }) => slug)).size).toBe(60);
  await expectRightCounts(first().database);
});

test('30 writes of one passport over the nodes are 30 versions', async () => {
  const clients = await newClients();
  const { slug, id } = (await clients[0]?.create('Tasse')) ?? { slug: '', id: '' };
  await overAll(clients, 30, async (client, index) => {
    // On a slow machine a write may wait too long for the others, and gets 503. A client sends it again.
    while ((await client.writing(slug, [{ field_key: `field_${index}`, value: index }])) !== '200')
      await setTimeout(50);
  });
  expect((await clients.at(-1)?.passport(slug))?.values).toHaveLength(30);
  const numbers = await first()
    .database('passport_versions')
    .where({ product_id: id })
    .orderBy('version')
    .pluck('version');
  expect(numbers).toEqual(Array.from({ length: 31 }, (_, index) => index + 1));
});

/** A GTIN-13 with its check digit. */
function gtinOf(number: number): string {
  const digits = `952${String(number).padStart(9, '0')}`;
  const sum = Array.from(digits).reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return digits + ((10 - (sum % 10)) % 10);
}

test('of two tenants that activate one GTIN through two nodes, one is refused, 50 times', async () => {
  const [, one, other] = await newClients();
  const [, , second] = await newClients();
  if (!one || !other || !second) throw new Error('There are fewer than three nodes.');
  const seen: Record<string, number> = {};
  for (let round = 0; round < 50; round += 1) {
    const gtin = gtinOf(round);
    const [mine, theirs] = await Promise.all([
      one.create({ name: 'Tasse', gtin }),
      second.create({ name: 'Tasse', gtin }),
    ]);
    const activate = ({ service: { database }, tenant }: Client, slug: string) =>
      moveProduct({ database, now: () => new Date() }, tenant.id, slug, 'active', {}).then(
        () => 'activated',
        (error: Error & { code?: string }) => error.code ?? error.message,
      );
    const outcomes = await Promise.all([activate(one, mine.slug), activate(second, theirs.slug)]);
    const outcome = outcomes.sort().join(', ');
    seen[outcome] = (seen[outcome] ?? 0) + 1;
    const active = await first().database('products').where({ gtin, status: 'active' });
    expect(active).toHaveLength(1);
  }
  tables.push(`one GTIN, two tenants, two nodes, 50 rounds: ${JSON.stringify(seen)}`);
});

test('every document fits its hash while its passport is written 1,000 times', async () => {
  const clients = await newClients();
  const [writer] = clients;
  if (!writer) throw new Error('There is no client.');
  const page = await writer.publish('Tasse', [{ field_key: 'farbe', value: 0, access_level: 'public' }]);
  let isWriting = true;
  const seen = new Set<string>();
  const readers = clients.map(async (client) => {
    while (isWriting) {
      const { json } = await client.call({ path: `${page}/jsonld` });
      const check = await verifyPassport(json as Parameters<typeof verifyPassport>[0]);
      expect(check.ok).toBe(true);
      seen.add(check.actual);
    }
  });
  for (let value = 1; value <= 1000; value += 1) {
    await clients[value % clients.length]?.write('tasse', [{ field_key: 'farbe', value, access_level: 'public' }]);
  }
  isWriting = false;
  await Promise.all(readers);
  tables.push(`JSON-LD during 1,000 writes: ${seen.size} different documents were read, and each fits its hash`);
  expect(seen.size).toBeGreaterThan(10);
});

test('a backup of the cluster restores into SQLite and into another cluster', async () => {
  const [file, again] = [join(folder, 'cluster.backup'), join(folder, 'sqlite.backup')];
  const sqlite = join(folder, 'restored.sqlite');
  await command(`backup ${file} --database ${addresses[0]}`);
  await command(`restore ${file} --database ${sqlite}`);
  expect(await command(`check-hashes --database ${sqlite}`)).toContain('Every hash fits.');
  const content = await contentOf(addresses[0] ?? '', notCompared);
  expect(await contentOf(sqlite, notCompared)).toEqual(content);
  const [other = ''] = await newSpreadDatabase();
  await command(`backup ${again} --database ${sqlite}`);
  await command(`restore ${again} --database ${other}`);
  expect(await command(`check-hashes --database ${other}`)).toContain('Every hash fits.');
  expect(await contentOf(other, notCompared)).toEqual(content);
});

const stops = control ? test : test.skip;

stops('without a worker its tenants get 503, the others go on, and all works when it is back', async () => {
  const lastPort = Number(new URL(nodes.at(-1) ?? '').port || 5432);
  const portOf = `SELECT nodeport FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
    WHERE shardid = get_shard_id_for_distribution_column('products', ?::text)`;
  const found = new Map<boolean, Client>();
  while (found.size < 2) {
    const [client] = await newClients();
    if (client) found.set((await read(addresses[0] ?? '', portOf, [client.tenant.id])) === lastPort, client);
  }
  const [lost, kept] = [found.get(true) as Client, found.get(false) as Client];
  const paths = new Map([
    [lost, await lost.publish('Tasse')],
    [kept, await kept.publish('Tasse')],
  ]);
  const outcomes = (client: Client) =>
    Promise.all(
      [
        '/api/v1/products/tasse',
        '/api/v1/products',
        '/api/v1/products/tasse/passport',
        `${paths.get(client)}/jsonld`,
      ].map(async (path) => (await client.call({ path })).status),
    );
  await control?.('stop');
  try {
    const start = performance.now();
    expect(await outcomes(lost)).toEqual(Array(4).fill(503));
    tables.push(`a stopped worker: 503 after ${Math.round(performance.now() - start)} ms`);
    expect(await outcomes(kept)).toEqual(Array(4).fill(200));
    expect((await kept.call({ method: 'POST', path: '/api/v1/products', body: { name: 'Neu' } })).status).toBe(200);
  } finally {
    await control?.('start');
  }
  expect(await outcomes(lost)).toEqual(Array(4).fill(200));
  await lost.write('tasse', [{ field_key: 'farbe', value: 'rot' }]);
});

/** The operations of one tenant, and how often each may reach a shard. */
async function operations(client: Client): Promise<Record<string, (index: number) => Promise<unknown>>> {
  const gtin = gtinOf(900_000_001);
  const page = await client.publish({ name: 'Tasse', gtin }, [
    { field_key: 'farbe', value: 'rot', access_level: 'public' },
  ]);
  const publisher = await client.service.publisherOf(client);
  const get = (path: string) => () => client.call({ path });
  return {
    me: get('/api/v1/me'),
    product: get('/api/v1/products/tasse'),
    list: get('/api/v1/products?limit=50'),
    'list of a status': get('/api/v1/products?status=active'),
    search: get('/api/v1/products?search=tas'),
    passport: get('/api/v1/products/tasse/passport'),
    carriers: get('/api/v1/products/tasse/carriers'),
    statistics: get('/api/v1/analytics/scans'),
    page: () => client.call({ path: page, headers: { accept: 'text/html' } }),
    'JSON-LD': get(`${page}/jsonld`),
    resolver: get(`/01/${gtin}`),
    'unknown product': get(`/p/${client.tenant.slug}/none/jsonld`),
    'POST product': (index) => client.create(`Neu ${index}`),
    'PUT passport': (index) => client.write('tasse', [{ field_key: 'nummer', value: index }]),
    'POST status': (index) =>
      publisher.call({
        method: 'POST',
        path: '/api/v1/products/tasse/status',
        body: { status: index % 2 ? 'archived' : 'active' },
      }),
  };
}

test('a request of one tenant reaches one shard', async () => {
  const [address = ''] = addresses;
  const shards = await watchShards(address);
  const service = await startService('PostgreSQL', { on: address });
  const calls = await operations(await service.newTenant({ slug: 'counted' }));
  const rows: string[] = [];
  const tooMany: string[] = [];
  for (const [name, call] of Object.entries(calls)) {
    // Prepared statements get their plan at the sixth time.
    for (let index = 1; index < 10; index += 1) await call(index);
    shards.forget();
    await call(10);
    const { statements, shards: reached, twoPhase } = shards.done();
    rows.push(`| ${name} | ${statements} | ${reached} | ${twoPhase} |`);
    if (reached > 1 || (twoPhase > 0 && name !== 'POST status')) tooMany.push(name);
  }
  tables.push(
    ['| operation | statements | shards | two-phase commits |', '| --- | --- | --- | --- |', ...rows].join('\n'),
  );
  expect(tooMany).toEqual([]);
});

/** Starts the program, and returns its address. */
async function serve(address: string): Promise<string> {
  const port = await freePort();
  const { stop } = await start(
    `node server/src/cli/main.ts serve --port ${port} --log-level warn --database ${address}`,
    /Ready in/,
  );
  servers.push(stop);
  return `http://127.0.0.1:${port}`;
}
const servers: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(servers.map((stop) => stop())));

test('prints the rates beside those of one PostgreSQL', async () => {
  const [plain, [cluster = '']] = [await newPlainDatabase(), await newSpreadDatabase()];
  const shops = new Map<string, Shop>([
    [await serve(plain), await buildShop(plain)],
    [await serve(cluster), await buildShop(cluster)],
  ]);
  const generator = startGenerator();
  const lines = ['| requests a second | one PostgreSQL | Citus | ratio |', '| --- | --- | --- | --- |'];
  const pathsOf = ({ slug, product, gtin }: Shop): Record<string, string> => ({
    me: '/api/v1/me',
    product: `/api/v1/products/${product}`,
    list: '/api/v1/products?limit=50',
    page: `/p/${slug}/${product}`,
    'JSON-LD': `/p/${slug}/${product}/jsonld`,
    resolver: `/01/${gtin}`,
  });
  for (const name of Object.keys(pathsOf({ slug: '', key: '', product: '', gtin: '', model: '', drafts: [] }))) {
    const rates: number[][] = [[], []];
    // The first round warms up.
    for (let round = 0; round < 4; round += 1) {
      for (const [index, [host, shop]] of [...shops].entries()) {
        const path = pathsOf(shop)[name] ?? '';
        const headers = { authorization: `Bearer ${shop.key}`, accept: name === 'page' ? 'text/html' : '*/*' };
        const { rate } = await generator.run({ host, method: 'GET', headers, requests: [{ path }], seconds: 2 });
        if (round > 0) rates[index]?.push(rate);
      }
    }
    const [one = 0, many = 0] = rates.map((all) => all.sort((a, b) => a - b)[1] ?? 0);
    lines.push(`| ${name} | ${Math.round(one)} | ${Math.round(many)} | ${(many / one).toFixed(2)} |`);
  }
  generator.stop();
  tables.push(lines.join('\n'));
});
