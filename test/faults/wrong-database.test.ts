/** The address of an open database leads to another one, or to one that takes no writes. */
import { copyFile, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { commitTogether } from '../../server/src/database/group-commit.ts';
import { checkWrites, stateOf } from '../../server/src/database/state.ts';
import { readerOf } from '../../server/src/database/statement.ts';
import { openDatabase } from '../../server/src/index.ts';
import { newMigratedDatabase, startCluster } from '../support/database.ts';
import { ending, makeReadOnly, newFolder } from '../support/files.ts';
import { listen } from '../support/serve.ts';
import { type Client, type Service, startService } from '../support/service.ts';
import { until } from '../support/time.ts';

const linesOf = ({ logLines }: Service, message: string) =>
  logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes(message));
const unavailable = '503 service_unavailable';

async function read(client: Client): Promise<string> {
  return (await client.call({ path: '/api/v1/products?search=tas' })).outcome;
}

async function write(client: Client): Promise<string> {
  return (await client.call({ method: 'POST', path: '/api/v1/products', body: { name: 'Kanne' } })).outcome;
}

describe('a SQLite file that is not at its path any more', () => {
  const damages: Record<string, (path: string) => Promise<unknown>> = {
    'is moved': (path) => rename(path, `${path}.away`),
    'is removed': (path) => rm(path),
    'is moved with its folder': (path) => rename(dirname(path), `${dirname(path)}-away`),
    'is replaced': async (path) => rename(await newMigratedDatabase('SQLite'), path),
    'lacks its -wal file': (path) => rm(`${path}-wal`),
    'has another -shm file': async (path) => {
      await copyFile(`${path}-shm`, `${path}-copy`);
      await rename(`${path}-copy`, `${path}-shm`);
    },
    'was a symbolic link that leads elsewhere': async (path) => {
      await symlink(await newMigratedDatabase('SQLite'), `${path}.link`);
      await rename(`${path}.link`, path);
    },
  };

  async function serveFile(isLink: boolean) {
    const path = join(newFolder(), 'passports.sqlite');
    const target = await newMigratedDatabase('SQLite');
    await (isLink ? symlink(target, path) : rename(target, path));
    const service = await startService('SQLite', { on: path });
    const client = await service.newTenant();
    await client.create('Tasse');
    return { path, service, client };
  }

  test.each(Object.keys(damages))('%s: no write is acknowledged, then nothing is read', async (name) => {
    const { path, service, client } = await serveFile(name.includes('link'));
    // The timer must not be first.
    await damages[name]?.(path);
    expect(await write(client)).toBe(unavailable);
    expect([await read(client), await write(client)]).toEqual([unavailable, unavailable]);
    expect(linesOf(service, 'put the right file there')).toMatchObject([{ level: 50, reason: 'wrong_file' }]);
  });

  /** Another file stands in the place of an open one. The function reads on as many connections. */
  async function replaced() {
    const path = join(newFolder(), 'passports.sqlite');
    await rename(await newMigratedDatabase('SQLite'), path);
    const database = await openDatabase(path);
    ending.defer(() => database.destroy());
    await database('installation').insert({ name: 'scan_secret', value: 'kept' });
    const read = (): Promise<string> =>
      readerOf(database)('installation')
        .pluck('value')
        .then(String, ({ code }) => code);
    const readOn = (connections: number) => Promise.all(Array.from({ length: connections }, read));
    expect(await readOn(1)).toEqual(['kept']);
    await damages['is moved with its folder']?.(path);
    await mkdir(dirname(path));
    await rename(await newMigratedDatabase('SQLite'), path);
    return { database, state: stateOf(database), readOn };
  }

  test('is noticed within a second without a write', async () => {
    const { state, readOn } = await replaced();
    const begun = performance.now();
    while (state.refusal === undefined && performance.now() < begun + 5000) {
      expect(await readOn(1)).toEqual(['kept']);
      await setTimeout(10);
    }
    expect(performance.now() - begun).toBeLessThan(3000);
    expect(await readOn(1)).toEqual(['WRONG_FILE']);
  });

  test('is not read by a connection that opens later', async () => {
    const { database, readOn } = await replaced();
    // The open connection is taken, so that each read opens one.
    const { client } = readerOf(database);
    const taken = await client.acquireConnection();
    const outcomes = await readOn(2);
    await client.releaseConnection(taken);
    expect(outcomes).toEqual(['WRONG_FILE', 'WRONG_FILE']);
  });
});

test('a read-only SQLite file: the check and a write say so', async () => {
  const path = await newMigratedDatabase('SQLite');
  await makeReadOnly(dirname(path));
  const database = await openDatabase(path);
  ending.defer(() => database.destroy());
  await checkWrites(database);
  expect(stateOf(database).refusal).toBe('read_only');
  stateOf(database).set(undefined);
  await expect(commitTogether(database, (transaction) => transaction('tenants').delete())).rejects.toThrow('READONLY');
  expect(stateOf(database).refusal).toBe('read_only');
});

/** An address that leads to a PostgreSQL, and later to another one. Open connections stay. */
async function movingAddress(first: string) {
  let target = new URL(first);
  const sockets = new Set<Socket>();
  let opened = 0;
  const proxy = createServer((socket) => {
    opened += 1;
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  const { port } = new URL(await listen(proxy));
  ending.defer(async () => {
    for (const socket of sockets) socket.destroy();
  });
  return {
    address: Object.assign(new URL(first), { port }).href,
    opened: () => opened,
    move(to: string) {
      target = new URL(to);
    },
  };
}

test('a PostgreSQL that is read-only for a while: reads go on, and then no write fails', async () => {
  const on = await (await startCluster()).newDatabase();
  const service = await startService('PostgreSQL', { on });
  const client = await service.newTenant();
  await client.create('Tasse');
  const setReadOnly = (value: string) =>
    service.database.raw(`ALTER DATABASE ?? SET default_transaction_read_only = ${value}`, [
      new URL(on).pathname.slice(1),
    ]);
  await setReadOnly('on');
  const { address, opened } = await movingAddress(on);
  // Every connection of this server opens while PostgreSQL is read-only.
  const refused = await startService('PostgreSQL', { on: address, logLevel: 'info', rateLimit: 1_000_000 });
  const other = refused.clientOf(client);
  const state = stateOf(refused.database);
  await checkWrites(refused.database);
  expect(state.refusal).toBe('read_only');
  state.set(undefined);
  const held = await refused.database.transaction();
  const before = opened();
  const begun = performance.now();
  while (performance.now() < begun + 3500) {
    const outcomes = await Promise.all([read(other), write(other), write(other), write(other)]);
    expect(outcomes).toEqual(['200', unavailable, unavailable, unavailable]);
  }
  expect(state.refusal).toBe('read_only');
  // Four for requests, and one a second to try.
  expect(opened() - before).toBeLessThanOrEqual(4 + 4);

  // This connection may have opened in between.
  await service.database.raw('SET default_transaction_read_only = off');
  await setReadOnly('off');
  // Nobody has tried for a second: what is refused runs again on a new connection.
  await setTimeout(1100);
  for (let round = 1; round <= 5; round += 1) {
    expect(await Promise.all([write(other), write(other), write(other)])).toEqual(['200', '200', '200']);
  }
  expect((await client.list()).total).toBe(1 + 15);
  await held.rollback();
  // The connection that was in use is not used again.
  const { rows } = await refused.database.raw('SHOW transaction_read_only');
  expect(rows).toEqual([{ transaction_read_only: 'off' }]);
  expect(state.refusal).toBeUndefined();
  expect(linesOf(refused, 'the database refuses writes')).toHaveLength(2);
  expect(linesOf(refused, 'the database takes writes again')).toHaveLength(2);
});

test('an address that leads to another PostgreSQL: the old one gets no write after the max age of connections', async () => {
  const maxAge = 2000;
  const databases = await Promise.all(
    [1, 2].map(async () => {
      const address = await (await startCluster()).newDatabase();
      const database = await openDatabase(address);
      ending.defer(() => database.destroy());
      await database.raw('CREATE TABLE written (at double precision)');
      const times = async (): Promise<number[]> => database('written').orderBy('at').pluck('at');
      return { address, times };
    }),
  );
  const [old, promoted] = databases as [(typeof databases)[0], (typeof databases)[0]];
  const { address, move } = await movingAddress(old.address);
  const database = await openDatabase(address, { maxAge });
  ending.defer(() => database.destroy());
  let movedAt = Number.POSITIVE_INFINITY;
  const writeOn = async (): Promise<void> => {
    while (performance.now() < movedAt + 2 * maxAge) {
      await commitTogether(database, (transaction) => transaction('written').insert({ at: performance.now() }));
      await setTimeout(5);
    }
  };
  const writers = Promise.all([writeOn(), writeOn(), writeOn()]);
  await until(async () => (await old.times()).length > 100, true);
  move(promoted.address);
  movedAt = performance.now();
  await writers;
  const last = (await old.times()).at(-1) ?? 0;
  expect(last).toBeGreaterThan(movedAt);
  expect(last).toBeLessThan(movedAt + maxAge);
  expect((await promoted.times()).at(-1)).toBeGreaterThan(movedAt + maxAge);
});
