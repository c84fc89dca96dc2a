/** Statements that are prepared once, and the readers of a SQLite file. */

import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { endLockWaits, isUnavailable, mostWrites, readSnapshot } from '../../server/src/database/connection.ts';
import { commitInBatches, commitTogether } from '../../server/src/database/group-commit.ts';
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

describe('group commits', () => {
  type Transaction = Parameters<Parameters<typeof commitTogether>[1]>[0];

  async function open(address: string): Promise<Database> {
    const database = await openDatabase(address);
    ending.defer(() => database.destroy());
    return database;
  }

  const insert =
    (name: string) =>
    async (transaction: Transaction): Promise<string> => {
      await transaction('installation').insert({ name, value: 'x' });
      return name;
    };

  describe.each(databaseKinds)('on %s', (kind) => {
    let database: Database;
    beforeAll(async () => {
      database = await open(await newMigratedDatabase(kind));
    });
    beforeEach(() => database('installation').delete());
    const stored = (): Promise<string[]> => database('installation').orderBy('name').pluck('name');

    test('each write has its own result', async () => {
      const names = ['a', 'b', 'c', 'd'];
      expect(await Promise.all(names.map((name) => commitTogether(database, insert(name))))).toEqual(names);
      expect(await stored()).toEqual(names);
    });

    test.each([0, 1, 2])('a write that fails leaves nothing, and the others are stored: number %i', async (failing) => {
      const writes = [0, 1, 2].map((number) =>
        commitTogether(database, async (transaction) => {
          await insert(`${number}`)(transaction);
          if (number === failing) throw new Error('a mistake');
        }),
      );
      const outcomes = await Promise.allSettled(writes);
      expect(outcomes.map(({ status }) => status)).toEqual(
        [0, 1, 2].map((number) => (number === failing ? 'rejected' : 'fulfilled')),
      );
      expect(outcomes[failing]).toMatchObject({ reason: { message: 'a mistake' } });
      expect(await stored()).toEqual(['0', '1', '2'].filter((name) => name !== `${failing}`));
    });

    test('a write that fails alone leaves nothing', async () => {
      const write = commitTogether(database, async (transaction) => {
        await insert('a')(transaction);
        throw new Error('a mistake');
      });
      await expect(write).rejects.toThrow('a mistake');
      expect(await stored()).toEqual([]);
    });

    test('one tenant leaves half of the connections to PostgreSQL to the others', async () => {
      const most = kind === 'PostgreSQL' ? [1, 1, 2] : [Infinity, Infinity, Infinity];
      for (const [index, pool] of [1, 3, 4].entries()) {
        const opened = await openDatabase(await newMigratedDatabase(kind), { pool });
        ending.defer(() => opened.destroy());
        expect(mostWrites(opened)).toBe(most[index]);
      }
    });

    test('a write inside a transaction is a part of it', async () => {
      const whole = database.transaction(async (transaction) => {
        await commitTogether(transaction, insert('a'));
        throw new Error('a mistake');
      });
      await expect(whole).rejects.toThrow('a mistake');
      expect(await stored()).toEqual([]);
    });
  });

  describe('in batches on SQLite', () => {
    interface Item {
      name: string;
      size?: number;
      failure?: Error;
    }
    let database: Database;
    let calls: string[];
    beforeAll(async () => {
      database = await open(await newMigratedDatabase('SQLite'));
    });
    beforeEach(async () => {
      calls = [];
      await database('installation').delete();
    });
    const stored = (): Promise<string[]> => database('installation').orderBy('name').pluck('name');
    const put = commitInBatches({
      async store(transaction, tenantId, items: readonly Item[]) {
        calls.push(`${tenantId} ${items.map(({ name }) => name).join()}`);
        for (const { name } of items) await insert(name)(transaction);
        for (const { failure } of items) if (failure) throw failure;
        return items.map(({ name }) => `result of ${name}`);
      },
      resourceOf: ({ name }) => name.slice(0, 1),
      sizeOf: ({ size = 1 }) => size,
      mostSize: 4,
    });
    /** Puts items while a transaction runs, so that they wait together. */
    async function putAll(...items: [tenantId: string, item: Item][]): Promise<unknown[]> {
      const gate = Promise.withResolvers<void>();
      const before = commitTogether(database, () => gate.promise);
      const outcomes = Promise.allSettled(items.map(([tenantId, item]) => put(database, tenantId, item)));
      gate.resolve();
      await before;
      return (await outcomes).map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message));
    }

    test('those of a tenant that wait are stored together, and each has its own result', async () => {
      const items = ['a', 'b', 'c'].map((name): [string, Item] => ['t', { name }]);
      expect(await putAll(...items, ['u', { name: 'd' }])).toEqual(
        ['a', 'b', 'c', 'd'].map((name) => `result of ${name}`),
      );
      expect(calls).toEqual(['t a,b,c', 'u d']);
      expect(await stored()).toEqual(['a', 'b', 'c', 'd']);
      expect(await put(database, 't', { name: 'e' })).toBe('result of e');
      expect(calls.at(-1)).toBe('t e');
    });

    test('a batch has the largest size at most, unless it has a single item', async () => {
      const sizes = [3, 1, 1, 9, 1];
      await putAll(...sizes.map((size, index): [string, Item] => ['t', { name: `${index}`, size }]));
      expect(calls).toEqual(['t 0,1', 't 2', 't 3', 't 4']);
    });

    test('a batch has one item of a resource', async () => {
      await putAll(...['a1', 'b1', 'a2', 'c1', 'c2'].map((name): [string, Item] => ['t', { name }]));
      expect(calls).toEqual(['t a1,b1', 't a2,c1', 't c2']);
      expect(await stored()).toEqual(['a1', 'a2', 'b1', 'c1', 'c2']);
    });

    test('if a batch fails, each of its items is stored alone', async () => {
      const failure = new Error('a mistake');
      const names = ['a', 'b', 'c'].map((name): [string, Item] => ['t', { name, ...(name === 'b' && { failure }) }]);
      expect(await putAll(...names)).toEqual(['result of a', 'a mistake', 'result of c']);
      expect(calls.slice(0, 2)).toEqual(['t a,b,c', 't a']);
      expect(await stored()).toEqual(['a', 'c']);
      calls = [];
      expect(await putAll(['t', { name: 'd', failure }])).toEqual(['a mistake']);
      expect(calls).toEqual(['t d']);
    });

    test('if the database is unavailable, none is tried again', async () => {
      const failure = Object.assign(new Error('the disk is full'), { code: 'SQLITE_FULL' });
      expect(await putAll(['t', { name: 'a' }], ['t', { name: 'b', failure }])).toEqual([
        'the disk is full',
        'the disk is full',
      ]);
      expect(calls).toEqual(['t a,b']);
      expect(await stored()).toEqual([]);
    });

    test('after a lock by another process, the next is stored', async () => {
      const address = await newMigratedDatabase('SQLite');
      const [locked, other] = [await open(address), await open(address)];
      endLockWaits(locked, 0);
      await other.transaction(async () => {
        const failure = await thrownBy(() => put(locked, 't', { name: 'a' }));
        expect(failure).toMatchObject({ code: 'SQLITE_BUSY' });
      });
      expect(await put(locked, 't', { name: 'b' })).toBe('result of b');
      expect(calls).toEqual(['t b']);
    });

    test('in a transaction, and on PostgreSQL, each is stored alone', async () => {
      const all = (on: Database): Promise<unknown> => Promise.all(['a', 'b'].map((name) => put(on, 't', { name })));
      await database.transaction(all);
      const postgres = await open(await newMigratedDatabase('PostgreSQL'));
      await all(postgres);
      expect(calls.sort()).toEqual(['t a', 't a', 't b', 't b']);
    });
  });

  describe('on SQLite', () => {
    let address: string;
    let database: Database;
    let reader: DatabaseSync;
    beforeAll(async () => {
      address = await newMigratedDatabase('SQLite');
      database = await open(address);
      reader = new DatabaseSync(address, { readOnly: true });
      ending.defer(async () => reader.close());
    });
    beforeEach(() => database('installation').delete());
    const committed = (): unknown => reader.prepare('SELECT count(*) AS count FROM installation').get()?.count;

    test('a write is acknowledged after its commit', async () => {
      const isCommitted = (name: string): boolean =>
        reader.prepare('SELECT 1 FROM installation WHERE name = ?').get(name) !== undefined;
      const write = async (name: string): Promise<boolean[]> => {
        const before = await commitTogether(database, async (transaction) =>
          isCommitted(await insert(name)(transaction)),
        );
        return [before, isCommitted(name)];
      };
      const seen = await Promise.all(['a', 'b', 'c', 'd'].map(write));
      expect(seen).toEqual(seen.map(() => [false, true]));
    });

    test('writes that wait for each other share a commit', async () => {
      const write = async (name: string): Promise<unknown> => {
        await commitTogether(database, insert(name));
        return committed();
      };
      // On a busy machine a group may reach its time limit with its first write.
      for (let total = 3; ; total += 3) {
        const [first] = await Promise.all(['a', 'b', 'c'].map((name) => write(`${name}${total}`)));
        if (first === total) return;
        expect(total).toBeLessThan(300);
      }
    });

    test('a commit that fails rejects every write of the group, and the next group is stored', async () => {
      const outcomesOf = (): Promise<PromiseSettledResult<unknown>[]> => {
        const breaking = commitTogether(database, async (transaction) => {
          // SQLite checks the foreign key at the commit.
          await transaction.raw('PRAGMA defer_foreign_keys = ON');
          const key = { tenant_id: 'nobody', id: 'a', label: 'a', hash: 'a', created_at: '2026-01-01T00:00:00.000Z' };
          await transaction('api_keys').insert(key);
        });
        return Promise.allSettled([breaking, commitTogether(database, insert('a'))]);
      };
      let outcomes = await outcomesOf();
      // On a busy machine a group may reach its time limit with its first write.
      for (let tries = 1; tries < 100 && outcomes[1]?.status === 'fulfilled'; tries += 1) {
        await database('installation').delete();
        outcomes = await outcomesOf();
      }
      expect(outcomes).toMatchObject([
        { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT' } },
        { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT' } },
      ]);
      expect(committed()).toBe(0);
      await Promise.all(['b', 'c'].map((name) => commitTogether(database, insert(name))));
      expect(committed()).toBe(2);
    });

    test('a full disk ends the group as unavailable, and stores nothing of it', async () => {
      const [{ page_count }] = await database.raw('PRAGMA page_count');
      await database.raw(`PRAGMA max_page_count = ${page_count}`);
      const large = commitTogether(database, async (transaction) => {
        await transaction('installation').insert({ name: 'large', value: 'x'.repeat(1_000_000) });
      });
      const outcomes = await Promise.allSettled([large, commitTogether(database, insert('a'))]);
      await database.raw('PRAGMA max_page_count = 1000000');
      expect(outcomes[0]).toMatchObject({ status: 'rejected', reason: { code: 'SQLITE_FULL' } });
      expect(committed()).toBe(outcomes.filter(({ status }) => status === 'fulfilled').length);
    });

    test('a group ends in time: writes that keep coming wait for the next one', async () => {
      const slow = (transaction: Transaction): Promise<unknown> =>
        Promise.all([setTimeout(15), transaction('installation').select('name')]);
      const counts: unknown[] = [];
      const writes = ['a', 'b', 'c', 'd', 'e', 'f'].map(async (name) => {
        await commitTogether(database, async (transaction) => {
          await slow(transaction);
          await insert(name)(transaction);
        });
        counts.push(committed());
      });
      await Promise.all(writes);
      expect(counts.length).toBe(6);
      expect(Number(counts[0])).toBeLessThan(6);
    });
  });
});
