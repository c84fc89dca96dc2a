/** Statements that are prepared once, and the readers of a SQLite file. */
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { isUnavailable, readSnapshot } from '../../server/src/database/connection.ts';
import { statement } from '../../server/src/database/statement.ts';
import { openDatabase } from '../../server/src/index.ts';
import { findProduct } from '../../server/src/products/store.ts';
import { insertTenant } from '../../server/src/tenants/store.ts';
import { ending } from '../support/ending.ts';
import { type Database, databaseKinds, newMigratedDatabase } from '../support/service.ts';
import { thrownBy } from '../support/thrown.ts';

async function open(address: string): Promise<Database> {
  const database = await openDatabase(address);
  ending.defer(() => database.destroy());
  return database;
}

function newTenant(database: Database, slug: string): Promise<{ id: string } | undefined> {
  return insertTenant(database, { slug, name: slug, country: 'DE', plan: 'starter' }, new Date());
}

const bySlug = statement<{ name: string; plan: string }, { slug: string }>((database, { slug }) =>
  database('tenants').where({ slug }).select('name', 'plan'),
);

const named = statement<{ slug: string }, { from: string; plan: string; limit: number; offset: number }>(
  (database, { from, plan, limit, offset }) =>
    database('tenants')
      .where({ plan, country: 'DE' })
      .whereRaw('slug >= ? AND slug >= ?', [from, from])
      .orderBy('slug')
      .limit(limit)
      .offset(offset)
      .select('slug'),
);

/** Counts to a number, which takes seconds for a large one. */
const count = statement<{ number: number | string }, { last: number }>((database, { last }) =>
  database.raw(
    `WITH RECURSIVE counting(number) AS (
       SELECT 1 UNION ALL SELECT number + 1 FROM counting WHERE number < CAST(? AS INTEGER)
     ) SELECT max(number) AS number FROM counting`,
    [last],
  ),
);

const endless = 1e9;

describe.each([...databaseKinds, 'memory'] as const)('a statement on %s', (kind) => {
  const address = async (): Promise<string> => (kind === 'memory' ? ':memory:' : newMigratedDatabase(kind));

  test('binds each parameter where the query uses it, also twice, as a limit, and beside a constant', async () => {
    const database = await open(await address());
    for (const slug of ['a', 'b', 'c', 'd', 'e']) await newTenant(database, slug);
    expect(await bySlug.all(database, { slug: 'b' })).toEqual([{ name: 'b', plan: 'starter' }]);
    expect(await bySlug.first(database, { slug: 'none' })).toBeUndefined();
    const page = { from: 'b', plan: 'starter', limit: 2, offset: 1 };
    expect(await named.all(database, page)).toEqual([{ slug: 'c' }, { slug: 'd' }]);
    expect(await named.all(database, { ...page, from: 'e', offset: 0 })).toEqual([{ slug: 'e' }]);
  });

  test('sees a committed write at once, and an open transaction only from within', async () => {
    const database = await open(await address());
    for (let number = 0; number < 20; number += 1) {
      const slug = `t-${number}`;
      await newTenant(database, slug);
      expect(await bySlug.first(database, { slug })).toMatchObject({ name: slug });
    }
    const failure = await thrownBy(() =>
      database.transaction(async (transaction) => {
        await newTenant(transaction, 'unseen');
        expect(await bySlug.first(transaction, { slug: 'unseen' })).toBeDefined();
        // The one connection of a database in memory is taken.
        if (kind !== 'memory') expect(await bySlug.first(database, { slug: 'unseen' })).toBeUndefined();
        throw new Error('undone');
      }),
    );
    expect(failure).toMatchObject({ message: 'undone' });
    expect(await bySlug.first(database, { slug: 'unseen' })).toBeUndefined();
  });

  test('is prepared once for each connection', async () => {
    const database = await open(await address());
    const { client } = database;
    const source = client.readers ?? client;
    const connection = await source.acquireConnection();
    let prepared = 0;
    if (kind !== 'PostgreSQL') {
      const prepare = connection.prepare.bind(connection);
      connection.prepare = (...given: unknown[]) => {
        prepared += 1;
        return prepare(...given);
      };
    }
    source.releaseConnection(connection);
    for (let times = 0; times < 3; times += 1) await bySlug.first(database, { slug: 'a' });
    if (kind === 'PostgreSQL') {
      const { rows } = await database.raw("SELECT 1 FROM pg_prepared_statements WHERE statement LIKE '%slug%'");
      prepared = rows.length;
    }
    expect(prepared).toBe(1);
  });

  if (kind === 'PostgreSQL')
    test('is not prepared by name if the address says so, as a pooler needs it', async () => {
      const database = await open(`${await address()}?prepared_statements=false`);
      expect(await bySlug.all(database, { slug: 'a' })).toEqual([]);
      const { rows } = await database.raw('SELECT 1 FROM pg_prepared_statements');
      expect(rows).toEqual([]);
    });

  test('a mistake rejects, names its SQL and no value, and leaves the connection usable', async () => {
    const database = await open(await address());
    const wrong = statement<object, { slug: string }>((knex, { slug }) => knex('no_table').where({ slug }));
    for (let times = 0; times < 2; times += 1) {
      const { message } = (await thrownBy(() => wrong.all(database, { slug: 'secret' }))) as Error;
      expect(message).toMatch(/no_table.* - /);
      expect(message).not.toContain('secret');
    }
    expect(await bySlug.all(database, { slug: 'a' })).toEqual([]);
  });
});

describe('the readers of a SQLite file', () => {
  test('a reader is free, and the writer works, while slow statements run', async () => {
    const database = await open(await newMigratedDatabase('SQLite'));
    const slow = Promise.allSettled([count.all(database, { last: endless }), count.all(database, { last: endless })]);
    let isSlow = true;
    void slow.then(() => {
      isSlow = false;
    });
    await newTenant(database, 'quick');
    expect(await bySlug.first(database, { slug: 'quick' })).toBeDefined();
    expect(
      await readSnapshot(database, 'none', (transaction) => findProduct(transaction, 'none', 'none')),
    ).toBeUndefined();
    expect(isSlow).toBe(true);
    await database.destroy();
    expect((await slow).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('a reader cannot write', async () => {
    const database = await open(await newMigratedDatabase('SQLite'));
    const remove = statement((knex) => knex('tenants').delete());
    expect(await thrownBy(() => remove.all(database, {}))).toMatchObject({ code: 'SQLITE_READONLY' });
    const snapshot = readSnapshot(database, 'none', (transaction) => newTenant(transaction, 'new'));
    expect(await thrownBy(() => snapshot)).toMatchObject({ code: 'SQLITE_READONLY' });
  });

  test('a statement that runs too long is ended, as unavailable, and its reader works again', async () => {
    const database = await open(await newMigratedDatabase('SQLite'));
    const started = performance.now();
    const failures = await Promise.all([1, 2].map(() => thrownBy(() => count.all(database, { last: endless }))));
    expect(performance.now() - started).toBeGreaterThan(4900);
    expect(failures).toMatchObject([{ code: 'SQLITE_INTERRUPT' }, { code: 'SQLITE_INTERRUPT' }]);
    expect(failures.every(isUnavailable)).toBe(true);
    expect(await count.first(database, { last: 10 })).toEqual({ number: 10 });
  });

  test('a long command ends no statement', async () => {
    const options = { unlimited: true, statementTimeout: 50 };
    const database = await openDatabase(await newMigratedDatabase('SQLite'), options);
    ending.defer(() => database.destroy());
    const last = 3e6;
    const started = performance.now();
    expect(await count.first(database, { last })).toEqual({ number: last });
    // The limit is checked four times a second.
    expect(performance.now() - started).toBeGreaterThan(350);
  });

  test('keep no snapshot: the WAL file does not grow behind a reader', async () => {
    const file = await newMigratedDatabase('SQLite');
    const database = await open(file);
    await newTenant(database, 'a');
    await bySlug.first(database, { slug: 'a' });
    const [checkpoint] = await database.raw('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(checkpoint).toEqual({ busy: 0, log: 0, checkpointed: 0 });
  });

  test('a closed database rejects', async () => {
    const database = await openDatabase(await newMigratedDatabase('SQLite'));
    await bySlug.first(database, { slug: 'a' });
    await database.destroy();
    await setTimeout(10);
    expect(await thrownBy(() => bySlug.first(database, { slug: 'a' }))).toMatchObject({
      message: 'The database is closed.',
    });
  });
});
