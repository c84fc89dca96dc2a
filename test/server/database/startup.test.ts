import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Contract, pathValidation, queryValidation, readContract } from '@product-passport/openapi';
import { bodyReader } from '@product-passport/openapi/body';
import Joi from 'joi';
import { connect } from '../../../server/src/database/connection.ts';
import { isPostgres } from '../../../server/src/database/statement.ts';
import { fillDemo } from '../../../server/src/demo/fill.ts';
import type { Handlers } from '../../../server/src/http/handlers.ts';
import { routesPlugin } from '../../../server/src/http/routes.ts';
import { createApp, openDatabase } from '../../../server/src/index.ts';
import { createLog } from '../../../server/src/log/log.ts';
import { startServer, type TestServer, type TestServerOptions } from '../../../server/src/testing.ts';
import {
  addColours,
  asNextVersion,
  type Database,
  databaseKinds,
  newDatabase,
  newMigratedDatabase,
  newPostgresDatabase,
} from '../../support/database.ts';
import { ending, newFolder } from '../../support/files.ts';
import { freePort } from '../../support/program.ts';
import { type App, startService } from '../../support/service.ts';
import { rejection } from '../../support/thrown.ts';

describe.each(databaseKinds)('the migrations of %s', (kind) => {
  const fileOrAddress = async () => {
    const address = await newMigratedDatabase(kind);
    const database = await openDatabase(address);
    ending.defer(() => database.destroy());
    return { address, database };
  };

  test('run once when several connections open an empty database at the same time', async () => {
    const address = await newDatabase(kind);
    // Fewer than the threads of the pool in which SQLite waits, because releasing its lock needs a thread too.
    const opened = await Promise.allSettled(Array.from({ length: 3 }, () => openDatabase(address)));
    for (const each of opened) if (each.status === 'fulfilled') ending.defer(() => each.value.destroy());
    expect(opened.filter(({ status }) => status === 'rejected')).toEqual([]);
    const { database } = await fileOrAddress();
    const [first] = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    if (first) expect(await tablesOf(first)).toEqual(await tablesOf(database));
  });

  test('leave no changes if one of them fails', async () => {
    const { address, database } = await fileOrAddress();
    const before = await tablesOf(database);
    const failing = asNextVersion(
      () => openDatabase(address),
      async (next) => {
        await addColours(next);
        throw new Error('in the middle');
      },
    );
    await expect(failing).rejects.toThrow('in the middle');
    expect(await tablesOf(database)).toEqual(before);
    expect(await database('migrations').pluck('name')).toEqual(['0001_tables']);
    expect(await database('migrations_lock').pluck('is_locked')).toEqual([0]);
  });
});

describe('the script that makes a new SQLite database', () => {
  const contentOf = async (database: Database): Promise<unknown[]> => [
    await database('sqlite_master').select('type', 'name', 'tbl_name', 'sql').orderBy('name'),
    await database('migrations').select('id', 'name', 'batch', database.raw('typeof(migration_time) as type')),
    await database('migrations_lock').select('*'),
    await database('sqlite_sequence').select('*').orderBy('name'),
  ];

  test('leaves what the migrations leave', async () => {
    const made = await openDatabase(':memory:');
    ending.defer(() => made.destroy());
    const migrated = connect(':memory:');
    ending.defer(() => migrated.destroy());
    await migrated.transaction((transaction) => transaction.migrate.latest());
    expect(await contentOf(made)).toEqual(await contentOf(migrated));
  });

  test('is followed by the migrations that it does not have', async () => {
    await asNextVersion(async () => {
      const database = await openDatabase(':memory:');
      ending.defer(() => database.destroy());
      expect(await database('migrations').orderBy('id').select('name', 'batch')).toEqual([
        { name: '0001_tables', batch: 1 },
        { name: '0002_made_up', batch: 2 },
      ]);
      expect(await database.schema.hasColumn('products', 'made_up')).toBe(true);
    });
  });
});

test('the migrations of PostgreSQL ignore the time limits in its address', async () => {
  const address = await newDatabase('PostgreSQL');
  const other = connect(address);
  ending.defer(() => other.destroy());
  // Another process that runs the migrations.
  const transaction = await other.transaction();
  await transaction.raw('SELECT pg_advisory_xact_lock(?)', [0x50504b31]);
  const limits = 'statement_timeout=200&lock_timeout=200&idle_in_transaction_session_timeout=200&query_timeout=900';
  const opening = openDatabase(`${address}?${limits}`);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await transaction.rollback();
  const database = await opening;
  ending.defer(() => database.destroy());
  await expect(database.raw('SELECT pg_sleep(1)')).rejects.toMatchObject({ code: '57014' });
});

describe.each(databaseKinds)('the demo in %s', (kind) => {
  test('is stored completely or not at all', async () => {
    const database = await openDatabase(await newMigratedDatabase(kind));
    ending.defer(() => database.destroy());
    const services = { database, urnNamespace: 'dpp', now: () => new Date() };
    // Filling fails in the middle of the first product.
    await database.schema.renameTable('carriers', 'elsewhere');
    await expect(fillDemo(services)).rejects.toThrow(/carriers/);
    for (const table of ['tenants', 'api_keys', 'products', 'passport_versions', 'installation']) {
      expect(await database(table)).toEqual([]);
    }
    await database.schema.renameTable('elsewhere', 'carriers');
    expect(await fillDemo(services)).toMatchObject({
      tenants: [{ slug: 'skellig' }, { slug: 'nordlicht' }, { slug: 'atelier-lumiere' }],
    });
    expect(await fillDemo(services)).toBeUndefined();
  });
});

/** The columns and indexes of each table, except those of the migrations. */
async function tablesOf(database: Database): Promise<unknown[]> {
  const own = (name: unknown) => !/^(migrations|sqlite_)/.test(String(name));
  if (!isPostgres(database)) {
    const rows = await database('sqlite_master').where({ type: 'table' }).select('name', 'sql').orderBy('name');
    return rows.filter(({ name }) => own(name));
  }
  const columns = await database('information_schema.columns')
    .where({ table_schema: 'public' })
    .select('table_name', 'column_name', 'data_type', 'collation_name', 'is_nullable')
    .orderBy(['table_name', 'column_name']);
  return Object.entries(Object.groupBy(columns, (column) => column.table_name)).filter(([name]) => own(name));
}

describe('the server does not start with a contract that has', () => {
  const contract = readContract();
  const ids = contract.operations.map(({ operationId }) => operationId);
  let app: App;
  beforeAll(async () => {
    const database = await openDatabase(':memory:');
    ending.defer(() => database.destroy());
    app = await createApp({ database });
  });

  const register = async (handled: readonly string[], read: Contract = contract) => {
    const handlers = Object.fromEntries(handled.map((id) => [id, () => undefined])) as unknown as Handlers;
    await routesPlugin.register(app, {
      contract: read,
      handlers,
      bodyTimeout: 1000,
      admission: { takeRoom: () => {} },
      proxies: 0,
      queueRequest: (_, work) => work(),
    });
  };

  test('an operation without a handler', async () => {
    await expect(register(ids.slice(1))).rejects.toThrow(`operations without a handler: ${ids[0]}.`);
  });

  test('no operation for a handler', async () => {
    await expect(register([...ids, 'deleteProduct'])).rejects.toThrow('handlers without an operation: deleteProduct.');
  });

  test.each([
    [{ type: 'string', minimum: 1 }, 'The body of a request has minimum, which'],
    [{ type: 'object', additionalProperties: false }, 'additionalProperties'],
    [
      { type: 'object', properties: { a: { type: 'integer', multipleOf: 2 } } },
      'a of a request has multipleOf, which validation does not support. It supports minimum, maximum.',
    ],
    [
      { type: 'object', properties: { a: { type: 'array', items: { type: 'string', contentEncoding: 'x' } } } },
      'contentEncoding',
    ],
    [{ type: 'file' }, 'the type file'],
    [{ oneOf: [{ type: 'string' }, { type: 'boolean' }] }, 'an array or an object, and nothing else'],
    [{ allOf: [{ type: 'string' }, { type: 'string' }] }, 'several types'],
    [{ type: ['string', 'boolean'] }, 'several types'],
  ])('a request rule that validation does not support: %j', (schema, named) => {
    expect(() => bodyReader(Joi, schema, [])).toThrow(named);
  });

  test.each([
    [{ type: 'integer', default: 1 }, 'needs an x-clamp, or both bounds, and a default'],
    [{ type: 'integer', 'x-clamp': { minimum: 1, maximum: 2 } }, 'needs an x-clamp, or both bounds, and a default'],
    [{ type: 'boolean' }, 'a of a request has the type boolean'],
    [{ type: 'string', maxLength: 5 }, 'maxLength'],
  ])('a query parameter that validation does not support: %j', (schema, named) => {
    expect(() => queryValidation([{ name: 'a', in: 'query', schema }], true)).toThrow(named);
    expect(() => queryValidation([{ name: 'a', in: 'header', schema }], true)).not.toThrow();
  });

  test.each([
    [{ type: 'string', enum: ['a'] }, 'enum'],
    [{ type: 'string', 'x-error-codes': { pattern: 'invalid_request' } }, 'a needs a description'],
  ])('a path parameter that validation does not support: %j', (schema, named) => {
    expect(() => pathValidation([{ name: 'a', in: 'path', schema }])).toThrow(named);
  });
});

let servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  servers = [];
});

async function started(options?: TestServerOptions): Promise<TestServer> {
  const server = await startServer(options);
  servers.push(server);
  return server;
}

async function get({ baseUrl }: TestServer, path: string, key: string | undefined) {
  const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, body: await response.json() };
}

test('without options, the server has one tenant without products, and shares no data', async () => {
  const [server, other] = await Promise.all([started(), started()]);
  expect(server).toMatchObject({ siteUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
  expect(server.baseUrl).toBe(`${server.siteUrl}/api/v1`);
  expect(server.tenants).toEqual([{ slug: 'test-shop', apiKey: server.apiKey }]);
  expect(await get(server, '/me', server.apiKey)).toMatchObject({
    status: 200,
    body: { tenant: { slug: 'test-shop', country: 'DE' }, products_total: 0 },
  });
  expect(await get(other, '/me', server.apiKey)).toMatchObject({ status: 401 });
});

test('each name in tenants becomes a tenant with its own key, after those of the demo, with a limit of requests', async () => {
  const server = await started({ demo: true, tenants: ['one-shop', 'other-shop'], rateLimit: 1 });
  const slugs = server.tenants.map(({ slug }) => slug);
  expect(slugs).toEqual(['skellig', 'nordlicht', 'atelier-lumiere', 'one-shop', 'other-shop']);
  const totals: unknown[] = [];
  for (const { slug, apiKey } of server.tenants) {
    const { body } = await get(server, '/me', apiKey);
    expect(body).toMatchObject({ tenant: { slug } });
    totals.push(body.products_total);
    expect(await get(server, '/me', apiKey)).toMatchObject({ status: 429 });
  }
  expect(totals).toEqual([9, 15, 2, 0, 0]);
});

test('a tenant needs a valid slug, and a server needs a tenant', async () => {
  const message = 'The tenant "Other Shop" needs another slug: use a to z, 0 to 9 and single hyphens, as in my-shop.';
  expect(await rejection(() => startServer({ tenants: ['Other Shop'] }))).toMatchObject({ message });
  expect(await rejection(() => startServer({ tenants: [] }))).toMatchObject({ message: 'Name at least one tenant.' });
});

test('port and siteUrl are used, and a stop frees the port', async () => {
  const port = await freePort();
  const server = await started({ port, siteUrl: 'https://passport.example.com' });
  expect(server).toMatchObject({ siteUrl: 'https://passport.example.com', baseUrl: `http://127.0.0.1:${port}/api/v1` });
  await Promise.all([server.stop(), server.stop()]);
  await expect(fetch(server.baseUrl)).rejects.toThrow('fetch failed');
  await started({ port });
});

test('PostgreSQL works too, and a database with tenants is refused without a change', async () => {
  const database = await newPostgresDatabase();
  const folder = newFolder();
  for (const address of [database, join(folder, 'passports.sqlite')]) {
    const server = await started({ database: address });
    expect(await get(server, '/me', server.apiKey)).toMatchObject({ status: 200 });
    expect(await rejection(() => startServer({ database: address, tenants: ['late-shop'] }))).toMatchObject({
      message: expect.stringContaining('already has tenants. Name an empty database'),
    });
    await server.stop();
  }
});

/** The address of an empty database for a user who may create tables, and no extension. */
async function restrictedDatabase(): Promise<string> {
  const address = new URL(await newDatabase('PostgreSQL'));
  const user = `restricted_${address.pathname.slice(1)}`;
  const owner = connect(address.href);
  try {
    await owner.raw(`CREATE ROLE ${user} LOGIN PASSWORD 'nothing-secret'`);
    await owner.raw(`GRANT CREATE ON SCHEMA public TO ${user}`);
  } finally {
    await owner.destroy();
  }
  address.username = user;
  return address.href;
}

test('PostgreSQL refuses pg_trgm: the migration says what to do, and searches find the same without the index', async () => {
  const address = await restrictedDatabase();
  const warnings: string[] = [];
  const database = await openDatabase(address, { warn: (message) => warnings.push(message) });
  ending.defer(() => database.destroy());
  expect(warnings).toEqual([
    expect.stringMatching(
      /^Search has no index, because PostgreSQL refused the extension pg_trgm \(.*permission denied/,
    ),
  ]);
  expect(warnings[0]).toContain('CREATE EXTENSION pg_trgm; CREATE INDEX products_name_trigrams ON "public"."products"');
  expect(warnings[0]).not.toContain('nothing-secret');

  const service = await startService('PostgreSQL', { on: database });
  const client = await service.newTenant();
  for (const name of ['Größe 100% Wolle', 'Tasse']) await client.create(name);
  for (const [search, total] of [
    ['GRÖSSE 100%', 1],
    ['ss', 2],
    ['wolle_', 0],
  ] as const)
    expect([search, (await client.list({ search })).total]).toEqual([search, total]);
});

test.each([
  ['a user who may not use its schema', '', 0],
  ['a user who may use its schema', 'GRANT USAGE ON SCHEMA "Ext" TO PUBLIC', 1],
])('PostgreSQL has pg_trgm in a schema that is not searched, %s', async (_who, grant, indexes) => {
  const address = await restrictedDatabase();
  const superuser = connect(Object.assign(new URL(address), { username: 'postgres' }).href);
  ending.defer(() => superuser.destroy());
  await superuser.raw(`CREATE SCHEMA "Ext"; CREATE EXTENSION pg_trgm SCHEMA "Ext"; ${grant}`);
  const warnings: string[] = [];
  const database = await openDatabase(address, { warn: (message) => warnings.push(message) });
  ending.defer(() => database.destroy());
  expect(warnings).toHaveLength(1 - indexes);
  // The advice works as it is printed.
  for (const warning of warnings) await superuser.raw(warning.slice(warning.indexOf('run: ') + 5));
  expect(await superuser('pg_indexes').where({ indexname: 'products_name_trigrams' })).toHaveLength(1);
});

test('PostgreSQL with pg_trgm has an index of the names', async () => {
  const database = await openDatabase(await newDatabase('PostgreSQL'), {
    warn: (message) => createLog('info').warn(message),
  });
  ending.defer(() => database.destroy());
  const indexes = await database('pg_indexes').where({ tablename: 'products' }).pluck('indexname');
  expect(indexes).toContain('products_name_trigrams');
});
