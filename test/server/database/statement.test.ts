/** Statements that are prepared once, look-ups, the readers of a SQLite file, group commits. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { isUnavailable, snapshot } from '../../../server/src/database/connection.ts';
import { commitTogether } from '../../../server/src/database/group-commit.ts';
import { columnsOf, lookup, readerOf, statement } from '../../../server/src/database/statement.ts';
import { openDatabase } from '../../../server/src/index.ts';
import { findProduct } from '../../../server/src/products/store.ts';
import { type Database, databaseKinds, newMigratedDatabase } from '../../support/database.ts';
import { ending } from '../../support/files.ts';
import { newTenant } from '../../support/tenant.ts';
import { rejection } from '../../support/thrown.ts';

const kinds = [...databaseKinds, 'memory'] as const;

async function address(kind: (typeof kinds)[number]): Promise<string> {
  return kind === 'memory' ? ':memory:' : newMigratedDatabase(kind);
}

async function open(address: string): Promise<Database> {
  const database = await openDatabase(address);
  ending.defer(() => database.destroy());
  return database;
}

const addTenant = (database: Database, slug: string, name = slug): Promise<unknown> =>
  newTenant(database, { slug, name, plan: 'starter' });

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

describe.each(kinds)('a statement on %s', (kind) => {
  test('binds each parameter where the query uses it, also twice, as a limit, and next to a constant', async () => {
    const database = await open(await address(kind));
    for (const slug of ['a', 'b', 'c', 'd', 'e']) await addTenant(database, slug);
    expect(await bySlug.all(database, { slug: 'b' })).toEqual([{ name: 'b', plan: 'starter' }]);
    expect(await bySlug.first(database, { slug: 'none' })).toBeUndefined();
    const page = { from: 'b', plan: 'starter', limit: 2, offset: 1 };
    expect(await named.all(database, page)).toEqual([{ slug: 'c' }, { slug: 'd' }]);
    expect(await named.all(database, { ...page, from: 'e', offset: 0 })).toEqual([{ slug: 'e' }]);
  });

  test('sees a committed write at once, and an open transaction only from within', async () => {
    const database = await open(await address(kind));
    await addTenant(database, 'seen');
    expect(await bySlug.first(database, { slug: 'seen' })).toMatchObject({ name: 'seen' });
    const failure = await rejection(() =>
      database.transaction(async (transaction) => {
        await addTenant(transaction, 'unseen');
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
    const database = await open(await address(kind));
    const { client } = readerOf(database);
    const connection = await client.acquireConnection();
    let prepared = 0;
    if (kind !== 'PostgreSQL') {
      const prepare = connection.prepare.bind(connection);
      connection.prepare = (...given: unknown[]) => {
        prepared += 1;
        return prepare(...given);
      };
    }
    client.releaseConnection(connection);
    for (let times = 0; times < 3; times += 1) await bySlug.first(database, { slug: 'a' });
    if (kind === 'PostgreSQL') {
      const { rows } = await database.raw("SELECT 1 FROM pg_prepared_statements WHERE statement LIKE '%slug%'");
      prepared = rows.length;
    }
    expect(prepared).toBe(1);
  });

  if (kind === 'PostgreSQL')
    test('is not prepared by name if the address says so, as a pooler needs it', async () => {
      const database = await open(`${await address(kind)}?prepared_statements=false`);
      expect(await bySlug.all(database, { slug: 'a' })).toEqual([]);
      const { rows } = await database.raw('SELECT 1 FROM pg_prepared_statements');
      expect(rows).toEqual([]);
    });

  test('a mistake rejects, names its SQL and no value, and leaves the connection usable', async () => {
    const database = await open(await address(kind));
    const wrong = statement<object, { slug: string }>((knex, { slug }) => knex('no_table').where({ slug }));
    for (let times = 0; times < 2; times += 1) {
      const { message } = (await rejection(() => wrong.all(database, { slug: 'secret' }))) as Error;
      expect(message).toMatch(/no_table.* - /);
      expect(message).not.toContain('secret');
    }
    await database.schema.createTable('no_table', (table) => void table.string('slug'));
    expect(await wrong.all(database, { slug: 'secret' })).toEqual([]);
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
    await addTenant(database, 'quick');
    expect(await bySlug.first(database, { slug: 'quick' })).toBeDefined();
    expect(await snapshot(database, (transaction) => findProduct(transaction, 'none', 'none'))).toBeUndefined();
    expect(isSlow).toBe(true);
    await database.destroy();
    expect((await slow).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('a connection that cannot be made a reader is closed', async () => {
    const opened: { open: boolean }[] = [];
    const database = await openDatabase(await newMigratedDatabase('SQLite'));
    ending.defer(() => database.destroy());
    const { client } = readerOf(database);
    const acquire = client.acquireRawConnection.bind(client);
    client.acquireRawConnection = async () => {
      const made = await acquire();
      made.exec = (_: string, done: (error: Error) => void) => done(new Error('disk I/O error'));
      opened.push(made);
      return made;
    };
    await expect(bySlug.all(database, { slug: 'a' })).rejects.toThrow('disk I/O error');
    expect(opened.map(({ open }) => open)).toEqual([false]);
  });

  test('a reader cannot write', async () => {
    const database = await open(await newMigratedDatabase('SQLite'));
    const remove = statement((knex) => knex('tenants').delete());
    expect(await rejection(() => remove.all(database, {}))).toMatchObject({ code: 'SQLITE_READONLY' });
    const writing = snapshot(database, (transaction) => addTenant(transaction, 'new'));
    expect(await rejection(() => writing)).toMatchObject({ code: 'SQLITE_READONLY' });
  });

  test('a statement that runs too long is ended, as unavailable, and its reader works again', async () => {
    const database = await open(await newMigratedDatabase('SQLite'));
    const started = performance.now();
    const failures = await Promise.all([1, 2].map(() => rejection(() => count.all(database, { last: endless }))));
    expect(performance.now() - started).toBeGreaterThan(4900);
    expect(failures).toMatchObject([{ code: 'SQLITE_INTERRUPT' }, { code: 'SQLITE_INTERRUPT' }]);
    expect(failures.every(isUnavailable)).toBe(true);
    expect(await count.first(database, { last: 10 })).toEqual({ number: 10 });
    // They keep no snapshot.
    await addTenant(database, 'a');
    expect(await database.raw('PRAGMA wal_checkpoint(TRUNCATE)')).toMatchObject([{ busy: 0, log: 0 }]);
  });

  test('a long command ends no statement', async () => {
    const options = { unlimited: true, statementTimeout: 50 };
    const database = await openDatabase(await newMigratedDatabase('SQLite'), options);
    ending.defer(() => database.destroy());
    let took = 0;
    // The limit is checked four times a second. A fast machine counts further in that time.
    for (let last = 3e6; took < 350; last *= 2) {
      const started = performance.now();
      expect(await count.first(database, { last })).toEqual({ number: last });
      took = performance.now() - started;
    }
  });

  test('a closed database rejects, and has closed its file', async () => {
    const file = await newMigratedDatabase('SQLite');
    const database = await openDatabase(file);
    await bySlug.first(database, { slug: 'a' });
    await database.destroy();
    // The last connection removes the log when it closes. It does not close with a prepared statement.
    expect(existsSync(`${file}-wal`)).toBe(false);
    await setTimeout(10);
    expect(await rejection(() => bySlug.first(database, { slug: 'a' }))).toMatchObject({
      message: expect.stringContaining('Unable to acquire a connection'),
    });
  });
});

describe('group commits', () => {
  type Transaction = Parameters<Parameters<typeof commitTogether>[1]>[0];

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

    test.each([0, 1, 2])('a write that fails leaves nothing, and the others are stored: number %i', async (failing) => {
      const writes = [0, 1, 2].map((number) =>
        commitTogether(database, async (transaction) => {
          await insert(`${number}`)(transaction);
          if (number === failing) throw new Error('a mistake');
          return number;
        }),
      );
      const outcomes = await Promise.allSettled(writes);
      expect(outcomes).toMatchObject(
        [0, 1, 2].map((value) => (value === failing ? { reason: { message: 'a mistake' } } : { value })),
      );
      expect(await stored()).toEqual(['0', '1', '2'].filter((name) => name !== `${failing}`));
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
          const key = {
            tenant_id: 'nobody',
            id: 'a',
            label: 'a',
            hash: 'a',
            scope: 'edit',
            created_at: '2026-01-01T00:00:00.000Z',
          };
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

    test('an error that has ended the transaction is reported, not the ROLLBACK that fails then', async () => {
      await database('installation').insert({ name: 'taken', value: 'x' });
      const sql = "INSERT OR ROLLBACK INTO installation (name, value) VALUES ('taken', 'y')";
      const ending = commitTogether(database, async (transaction) => void (await transaction.raw(sql)));
      const outcomes = await Promise.allSettled([ending, commitTogether(database, insert('next'))]);
      expect(outcomes).toMatchObject([{ reason: { code: 'SQLITE_CONSTRAINT' } }, { value: 'next' }]);
      expect(committed()).toBe(2);
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

interface Row {
  slug: string;
  name: string;
  country: string | null;
}

const columns = columnsOf('tenants', ['slug', 'name', 'country']);

const rowOfSlug = lookup<Row, { slug: string }>(columns, (database, { slug }) =>
  database('tenants').where({ plan: 'starter', slug }).whereIn('country', ['DE', 'FR']),
);

const byBoth = lookup<{ found: string }, { name: string; slug: string }>(
  { found: 'tenants.slug' },
  (database, { name, slug }) => database('tenants').where({ slug, name }).where('name', name).orderBy('slug').limit(1),
);

describe.each(kinds)('a look-up on %s', (kind) => {
  test('concurrent look-ups each find their own row, or none', async () => {
    const database = await open(await address(kind));
    const names = ['Müller & Söhne "GmbH"', "O'Neill\\", '{"a":[1]}', '100 % 🧶 \u2028', 'x'.repeat(500), 'null', ''];
    const slugs = names.map((_, index) => `t-${index}`);
    for (const [index, name] of names.entries()) await addTenant(database, `t-${index}`, name);
    const asked = Array.from({ length: 500 }, (_, index) => slugs[index % 9] ?? 'none');
    const found = await Promise.all(asked.map((slug) => rowOfSlug(database, { slug })));
    expect(found).toEqual(
      asked.map((slug) => (slug === 'none' ? undefined : { slug, name: names[slugs.indexOf(slug)], country: 'DE' })),
    );
    const both = await Promise.all(names.map((name, index) => byBoth(database, { slug: `t-${index}`, name })));
    expect(both).toEqual(slugs.map((found) => ({ found })));
    expect(await byBoth(database, { slug: 't-0', name: 't-1' })).toBeUndefined();
  });

  test('of one turn share their executions on SQLite', async () => {
    const database = await open(await address(kind));
    let executions = 0;
    readerOf(database).on('query', () => {
      executions += 1;
    });
    await Promise.all(Array.from({ length: 100 }, () => rowOfSlug(database, { slug: 'none' })));
    // An execution takes half of those that wait, at least 16: 50, 25, 16, 9.
    expect(executions).toBe(kind === 'PostgreSQL' ? 100 : 4);
  });

  test('sees a write that was committed before it began, also while others run', async () => {
    const database = await open(await address(kind));
    let isDone = false;
    const others = (async () => {
      while (!isDone) await Promise.all([1, 2, 3].map(() => rowOfSlug(database, { slug: 'none' })));
    })();
    for (let number = 0; number < 30; number += 1) {
      await addTenant(database, `t-${number}`);
      expect(await rowOfSlug(database, { slug: `t-${number}` })).toMatchObject({ slug: `t-${number}` });
    }
    isDone = true;
    await others;
  });

  test('runs in the transaction that it is given', async () => {
    const database = await open(await address(kind));
    await database.transaction(async (transaction) => {
      await addTenant(transaction, 'new');
      expect(await rowOfSlug(transaction, { slug: 'new' })).toMatchObject({ slug: 'new' });
      if (kind !== 'memory') expect(await rowOfSlug(database, { slug: 'new' })).toBeUndefined();
    });
    expect(await rowOfSlug(database, { slug: 'new' })).toMatchObject({ slug: 'new' });
  });

  test('a failure rejects each look-up, and the next ones work', async () => {
    const database = await open(await address(kind));
    await database.schema.renameTable('tenants', 'elsewhere');
    const failures = await Promise.all(['a', 'b'].map((slug) => rejection(() => rowOfSlug(database, { slug }))));
    for (const failure of failures) expect(failure).toMatchObject({ message: expect.stringContaining('tenants') });
    await database.schema.renameTable('elsewhere', 'tenants');
    expect(await rowOfSlug(database, { slug: 'a' })).toBeUndefined();
  });
});

const require = createRequire(import.meta.url);
const client = [
  '_query',
  'query',
  'transaction',
  'acquireConnection',
  'releaseConnection',
  'acquireRawConnection',
  'validateConnection',
  'destroyRawConnection',
  'destroy',
];

/** What `server/src/database/knex-clients.ts` uses of Knex's private classes. A failure names what a new version lacks. */
test.each([
  ['knex/lib/dialects/sqlite3/index.js', client],
  ['knex/lib/dialects/postgres/index.js', [...client, '_driver']],
  ['knex/lib/execution/transaction.js', ['begin', 'isCompleted']],
  ['tarn/dist/Pool.js', ['on', 'check', 'numUsed', 'numFree', 'numPendingAcquires']],
])('%s has each member', (file, members) => {
  const found = require(file);
  const { prototype } = found.Pool ?? found;
  expect(members.filter((member) => typeof prototype[member] !== 'function')).toEqual([]);
});

test('a transaction sends the statements that the client recognizes, and its client has the class of the database', async () => {
  const database = await open(':memory:');
  const sent: string[] = [];
  database.on('query', ({ sql }: { sql: string }) => sent.push(sql));
  await database.transaction(async ({ client }) => {
    expect(client).toMatchObject({ transacting: true });
    expect(client.constructor).toBe(database.client.constructor);
  });
  const undone = database.transaction(async () => {
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await database.transaction(async () => {}, { readOnly: true });
  expect(sent).toEqual(['BEGIN IMMEDIATE;', 'COMMIT;', 'BEGIN IMMEDIATE;', 'ROLLBACK', 'BEGIN;', 'COMMIT;']);
});
