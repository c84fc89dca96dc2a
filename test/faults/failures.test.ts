import { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { connect, endLockWaits } from '../../server/src/database/connection.ts';
import { openDatabase } from '../../server/src/index.ts';
import { databaseKinds, newMigratedDatabase, newPostgresDatabase, startCluster } from '../support/database.ts';
import { ending } from '../support/files.ts';
import { announcement, start } from '../support/program.ts';
import { type Call, type Client, startService, useService } from '../support/service.ts';
import { type Incoming, type Outgoing, send } from '../support/wire.ts';

const reading: Call[] = [
  { path: '/api/v1/me' },
  { path: '/api/v1/products?search=geheim' },
  { path: '/api/v1/products/tasse' },
  { path: '/api/v1/products/tasse/passport' },
  { path: '/p/mandant-1/tasse/jsonld' },
  { path: '/01/9520001000010' },
];
const writing: Call[] = [
  { method: 'POST', path: '/api/v1/products', body: { name: 'Geheime Kanne' } },
  { method: 'PUT', path: '/api/v1/products/tasse/passport', body: [{ field_key: 'x', value: 'geheim' }] },
  // A page view is a scan, which is on disk before the page is sent.
  { path: '/p/mandant-1/tasse' },
];

async function fill(client: Client): Promise<void> {
  await client.create({ name: 'Tasse', gtin: '9520001000010' });
  await client.service.activate(client, 'tasse');
}

/** The tables that the calls read or write. */
const tables = ['products', 'product_counts'];

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);
  let client: Client;
  beforeAll(async () => {
    client = await service.newTenant();
    await fill(client);
  });

  test.each([...reading, ...writing])('HTTP-8 a failure of $method $path is 500 without the reason', async (call) => {
    service.logLines.length = 0;
    for (const name of tables) await service.database.schema.renameTable(name, `${name}_away`);
    const { status, headers, text, json } = await client.call(call);
    for (const name of tables) await service.database.schema.renameTable(`${name}_away`, name);
    expect(status).toBe(500);
    if (call.path === '/p/mandant-1/tasse') expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).not.toMatch(/products|counts|table|relation|SQL|select|insert|\.ts|at |geheim/i);
    if (json)
      expect(json).toEqual({ error: { code: 'internal_error', message: expect.stringMatching(/^\w[^/\\]+$/) } });
    expect(service.logLines).toHaveLength(1);
    expect(service.logLines.join()).toMatch(/no such table|does not exist/);
    const { err } = JSON.parse(service.logLines[0] ?? '');
    expect(['type', 'message', 'stack', 'code']).toEqual(expect.arrayContaining(Object.keys(err)));
    expect(service.logLines.join()).not.toMatch(/geheim/i);
    expect(service.logLines.join()).not.toContain(client.key);
    expect((await client.call(call)).status).toBeLessThan(400);
  });
});

/** Takes the write lock of a SQLite file, as another process does. Returns what releases it. */
async function lockWrites(address: string): Promise<() => Promise<void>> {
  const other = connect(address);
  ending.defer(() => other.destroy());
  await other.raw('BEGIN IMMEDIATE');
  return async () => void (await other.raw('COMMIT'));
}

describe('a database that cannot be reached', () => {
  test('PostgreSQL goes and comes back: 503 in between, and nobody has to restart', async () => {
    const cluster = await startCluster();
    const service = await startService('PostgreSQL', { on: await cluster.newDatabase() });
    const client = await service.newTenant();
    await fill(client);
    const warned = jest.spyOn(process, 'emitWarning');
    await cluster.stop();
    for (const call of [...reading, ...writing]) {
      service.logLines.length = 0;
      const { status, headers, text } = await client.call(call);
      expect(status).toBe(503);
      expect(headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
      expect(text).not.toMatch(/127\.0\.0\.1|ECONN|postgres/i);
      const lines = service.logLines.map((line) => JSON.parse(line));
      // The log has the failure once, although Knex warns of it too. Ended idle connections are logged separately.
      expect(lines.filter(({ msg }) => !/^Connection Error/.test(msg))).toEqual([
        expect.objectContaining({
          level: 40,
          msg: 'service unavailable',
          method: (call.method ?? 'GET').toLowerCase(),
          route: expect.any(String),
        }),
      ]);
      expect(service.logLines.join()).not.toMatch(/geheim|nothing-secret/i);
      expect(service.logLines.join()).not.toContain(client.key);
    }
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
    await cluster.start();
    for (const call of [...reading, ...writing]) expect((await client.call(call)).status).toBeLessThan(400);
  });

  test('another process holds SQLite’s write lock for too long: writes get 503, reads succeed', async () => {
    const address = await newMigratedDatabase('SQLite');
    const service = await startService('SQLite', { on: address });
    const client = await service.newTenant();
    await fill(client);
    const release = await lockWrites(address);
    let isBlocked = true;
    const blocked = Promise.all(
      writing.slice(0, 2).map(async (call) => {
        const started = performance.now();
        const { outcome, headers } = await client.call(call);
        expect(outcome).toBe('503 service_unavailable');
        expect(headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
        expect(performance.now() - started).toBeLessThan(8000);
      }),
    ).finally(() => {
      isBlocked = false;
    });
    let rounds = 0;
    for (; isBlocked; rounds += 1) {
      for (const call of reading) expect((await client.call(call)).status).toBeLessThan(400);
      await setTimeout(50);
    }
    // Writes that wait for the lock do not block the connection for reads: those would end with them, in one round.
    expect(rounds).toBeGreaterThan(1);
    await blocked;
    await release();
    for (const call of writing) expect((await client.call(call)).status).toBe(200);
    expect((await client.list()).total).toBe(2);
  });

  test('another process holds the write lock briefly: the write waits', async () => {
    const address = await newMigratedDatabase('SQLite');
    const service = await startService('SQLite', { on: address });
    const client = await service.newTenant();
    const release = await lockWrites(address);
    const waits = new Promise<void>((resolve) => {
      service.database.on('query', ({ sql }: { sql: string }) => void (sql.startsWith('BEGIN') && resolve()));
    });
    const created = client.create('Tasse');
    await waits;
    await release();
    expect((await created).slug).toBe('tasse');
  });

  test('a write is kept although a transaction before it did not get the lock', async () => {
    const address = await newMigratedDatabase('SQLite');
    const database = await openDatabase(address);
    ending.defer(() => database.destroy());
    const release = await lockWrites(address);
    endLockWaits(database, 0);
    const transaction = (): Promise<void> => database.transaction(async (begun) => void (await begun.raw('SELECT 1')));
    await expect(transaction()).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    await release();
    // Outside of a transaction, so that it is committed when it ends.
    await database('installation').insert({ name: 'scan_secret', value: 'kept' });
    await transaction();
    expect(await database('installation').pluck('value')).toEqual(['kept']);
  });

  test('PostgreSQL ends a statement, a lock wait or a connection: the request gets 503 and the next one succeeds', async () => {
    const address = await newMigratedDatabase('PostgreSQL');
    // The last requests must succeed within this limit, also on a busy machine.
    const service = await startService('PostgreSQL', { on: `${address}?statement_timeout=1500` });
    const locked = await startService('PostgreSQL', { on: `${address}?lock_timeout=300` });
    const client = await service.newTenant();
    await fill(client);
    const other = connect(`${address}?idle_in_transaction_session_timeout=0`);
    ending.defer(() => other.destroy());
    const busy = '503 service_unavailable';
    const transaction = await other.transaction();
    await transaction.raw('LOCK TABLE products, product_counts IN ACCESS EXCLUSIVE MODE');
    for (const [one, code] of [
      [service, '57014'],
      [locked, '55P03'],
    ] as const) {
      one.logLines.length = 0;
      const calls = [...reading, ...writing].filter(({ path }) => !path.startsWith('/p/'));
      for (const { outcome, headers } of await Promise.all(calls.map((call) => one.clientOf(client).call(call)))) {
        expect(outcome).toBe(busy);
        expect(headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
      }
      expect(new Set(one.logLines.map((line) => JSON.parse(line).err.code))).toEqual(new Set([code]));
    }
    const pending = client.call({ path: '/api/v1/me' });
    const others = "pid <> pg_backend_pid() AND datname = current_database() AND query NOT LIKE 'LOCK%'";
    // The connection is ended while its query waits. A transaction would read one snapshot of the activity.
    for (let ended = 0; ended === 0; ) {
      const { rows } = await other.raw(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND ${others}`,
      );
      ended = rows.length;
    }
    expect((await pending).outcome).toBe(busy);
    await transaction.rollback();
    for (const call of [...reading, ...writing]) expect((await client.call(call)).status).toBeLessThan(400);
  });
});

test('SIGTERM ends a server in time although its writes wait for the lock of another process', async () => {
  const address = await newMigratedDatabase('SQLite');
  const stopTimeout = 3000;
  const program = await start(
    `product-passport serve --demo --json --port 0 --stop-timeout ${stopTimeout / 1000}s --database ${address}`,
    /\}\n/,
  );
  ending.defer(async () => void (await program.stop('SIGKILL')));
  const { base_url, tenants } = announcement(program.said());
  await lockWrites(address);
  const writes = Array.from({ length: 8 }, (_, index) =>
    fetch(`${base_url}/products`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenants[index % 2]?.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Tasse ${index}` }),
    }).then(({ status }) => status),
  );
  await setTimeout(1000);
  const stopping = performance.now();
  expect(await program.stop('SIGTERM')).toBe(0);
  expect(performance.now() - stopping).toBeLessThan(2 * stopTimeout);
  // No client waits for a response in vain.
  expect(await Promise.all(writes)).toEqual(Array(8).fill(503));
});

test('a column of PostgreSQL that gets another type: each connection answers 503 once', async () => {
  const service = await startService('PostgreSQL');
  const client = await service.newTenant();
  await fill(client);
  let value = 0;
  /** The outcomes of calls, one after the other: they use the same connection until it is dropped. */
  async function outcomes(): Promise<string[]> {
    value += 1;
    // A new version, so that no page is cached.
    const change = { method: 'PUT', path: '/api/v1/products/tasse/passport', body: [{ field_key: 'x', value }] };
    const found: string[] = [];
    for (const call of [change, ...reading, ...writing]) {
      for (let isOver = false; !isOver; isOver = !found.at(-1)?.startsWith('503'))
        found.push((await client.call(call)).outcome);
    }
    return found.filter((outcome) => !/^(?:200|307)/.test(outcome));
  }
  for (let round = 0; round < 3; round += 1) expect(await outcomes()).toEqual([]);
  let refused = 0;
  // One at a time: a statement of a transaction can be the first whose plan is stale.
  for (const [column, type] of [
    ['products.completeness', 'smallint'],
    ['tenants.name', 'varchar COLLATE "C"'],
  ] as const) {
    await service.database.raw(`ALTER TABLE ?? ALTER COLUMN ?? TYPE ${type}`, column.split('.'));
    const failed = await outcomes();
    expect([column, failed.filter((outcome) => !outcome.startsWith('503'))]).toEqual([column, []]);
    // There is one connection of the pool for each.
    expect(failed.length).toBeLessThanOrEqual(10);
    refused += failed.length;
    service.logLines.length = 0;
    expect(await outcomes()).toEqual([]);
    expect(service.logLines).toEqual([]);
  }
  expect(refused).toBeGreaterThan(0);
});

describe('a tenant that sends too many requests', () => {
  test('gets 429 with Retry-After; another tenant does not', async () => {
    const service = await startService('SQLite', { rateLimit: 3 });
    const [one, other] = [await service.newTenant(), await service.newTenant()];
    const second = await service.newKey(one.tenant);
    const path = '/api/v1/me';
    expect((await one.call({ path })).outcome).toBe('200');
    expect((await one.call({ path: '/api/v1/none' })).outcome).toBe('404 not_found');
    expect((await one.call({ path, key: second.key })).outcome).toBe('200');
    for (const call of [{ path }, { path, key: second.key }, { path: '/api/v1/none' }, { path, method: 'DELETE' }]) {
      const { outcome, headers } = await one.call(call);
      expect(outcome).toBe('429 rate_limited');
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    }
    expect((await other.call({ path })).outcome).toBe('200');
    expect((await one.call({ path, key: 'ppk_wrong' })).outcome).toBe('401 invalid_api_key');
    expect((await one.call({ path: '/01/1' })).outcome).toBe('400 invalid_gtin');
  });
});

/** For a response, and for the process to end. */
const maxMilliseconds = { response: 12_000, end: 12_000 };

interface Timed extends Incoming {
  milliseconds: number;
}

test('every request gets 503 in time, SIGTERM ends the process, and after the hang nobody has to restart', async () => {
  const cluster = await startCluster();
  ending.defer(() => cluster.resume());
  const address = await cluster.newDatabase();
  const service = await startService('PostgreSQL', { on: address });
  const { key } = await service.newTenant({ slug: 'mandant' });
  await service.stop();
  await service.database.destroy();
  // The default limit of a query is tested below.
  const quicker = `${address}?query_timeout=1500`;
  const program = await start(`product-passport serve --json --port 0 --database ${quicker}`, /\}\n/);
  ending.defer(async () => void (await program.stop('SIGKILL')));
  const port = Number(new URL(announcement(program.said()).base_url).port);
  const agent = new Agent({ keepAlive: true });
  ending.defer(() => agent.destroy());

  async function ask(method: string, path: string, value?: unknown): Promise<Timed> {
    const started = performance.now();
    const headers = {
      authorization: `Bearer ${key}`,
      ...(value === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const body = value === undefined ? undefined : Buffer.from(JSON.stringify(value));
    const outgoing: Outgoing = { method, path, headers, body };
    const incoming = await send(port, agent, outgoing);
    return { ...incoming, milliseconds: performance.now() - started };
  }
  /** More concurrent requests than the pool of ten has connections. */
  const askMany = (): Promise<Timed[]> =>
    Promise.all([
      ...Array.from({ length: 7 }, () => ask('GET', '/api/v1/products')),
      ...Array.from({ length: 3 }, () => ask('GET', '/01/09520001000010')),
      ...Array.from({ length: 3 }, () => ask('GET', '/p/mandant/tasse')),
      ask('PUT', '/api/v1/products/tasse/passport', [{ field_key: 'x', value: 1 }]),
      ask('POST', '/api/v1/products', { name: 'Kanne' }),
    ]);
  const statuses = (responses: Timed[]): number[] => [...new Set(responses.map(({ status }) => status))];

  expect((await ask('POST', '/api/v1/products', { name: 'Tasse' })).status).toBe(200);
  expect(statuses(await askMany()).sort()).toEqual([200, 404]);

  await cluster.hang();
  // First with open connections, then with connections that PostgreSQL does not accept.
  for (const _ of [1, 2]) {
    const responses = await askMany();
    expect(statuses(responses)).toEqual([503]);
    for (const { headers, text, milliseconds } of responses) {
      expect(headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
      expect(text).toMatch(/"service_unavailable"|<!doctype html>/);
      expect(milliseconds).toBeLessThan(maxMilliseconds.response);
    }
  }
  await cluster.resume();
  const back = performance.now();
  while ((await ask('GET', '/api/v1/products')).status !== 200) {
    if (performance.now() - back > 10_000) throw new Error('The server did not recover in 10 seconds.');
  }
  for (const responses of [await askMany(), await askMany()]) expect(statuses(responses).sort()).toEqual([200, 404]);

  await cluster.hang();
  const underWay = Promise.allSettled([ask('GET', '/api/v1/products'), ask('GET', '/api/v1/me')]);
  await setTimeout(200);
  const stopping = performance.now();
  const code = await program.stop('SIGTERM');
  expect(code).toBe(0);
  expect(performance.now() - stopping).toBeLessThan(maxMilliseconds.end);
  await underWay;
});

test('a connection whose query got no response in time is not used again', async () => {
  const database = connect(`${await newPostgresDatabase()}?query_timeout=1000`);
  ending.defer(() => database.destroy());
  const process = async (): Promise<number> => (await database.raw('SELECT pg_backend_pid() AS id')).rows[0].id;
  const before = await process();
  const unavailable = { code: '08006' };
  await expect(database.raw('SELECT pg_sleep(10)')).rejects.toMatchObject(unavailable);
  const after = await process();
  expect(after).not.toBe(before);
  const inTransaction = database.transaction((transaction) => transaction.raw('SELECT pg_sleep(10)'));
  await expect(inTransaction).rejects.toMatchObject(unavailable);
  expect(await process()).not.toBe(after);
});

test('a connection has time limits', async () => {
  const database = connect(await newPostgresDatabase());
  ending.defer(() => database.destroy());
  const limitOf = async (name: string): Promise<string> => (await database.raw(`SHOW ${name}`)).rows[0][name];
  expect(await limitOf('statement_timeout')).toBe('5s');
  expect(await limitOf('lock_timeout')).toBe('3s');
  expect(await limitOf('idle_in_transaction_session_timeout')).toBe('10s');
  const connection = await database.client.acquireConnection();
  expect(connection.connectionParameters.query_timeout).toBe(6000);
  await database.client.releaseConnection(connection);
});
