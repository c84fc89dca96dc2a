/** The pool of readers, if connections cannot be opened. */
import { describe, expect, jest, test } from '@jest/globals';
import { type ColumnsOf, columnsOf, lookup } from '../../server/src/database/lookup.ts';
import { forgetPrepared, runPrepared, type SqliteConnection } from '../../server/src/database/prepared.ts';
import { Readers } from '../../server/src/database/readers.ts';
import { openDatabase } from '../../server/src/index.ts';
import { insertTenant } from '../../server/src/tenants/store.ts';
import { ending } from '../support/ending.ts';
import { type Database, databaseKinds, newMigratedDatabase } from '../support/service.ts';
import { thrownBy } from '../support/thrown.ts';

/** A pool whose connections open, or fail to open, when the test says so. */
function poolOf(size: number) {
  const opening: PromiseWithResolvers<SqliteConnection>[] = [];
  const closed: SqliteConnection[] = [];
  const readers = new Readers(
    {
      open() {
        const next = Promise.withResolvers<SqliteConnection>();
        opening.push(next);
        return next.promise;
      },
      async close(connection) {
        closed.push(connection);
      },
    },
    { size, longestRun: 5_000 },
  );
  return { readers, opening, closed };
}

const connection = (): SqliteConnection => ({ interrupt() {} }) as SqliteConnection;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a connection that cannot be opened', () => {
  test('rejects only the request that opened it: one that waits opens its own', async () => {
    const { readers, opening, closed } = poolOf(1);
    const first = readers.acquireConnection();
    const second = readers.acquireConnection();
    const outcomes = Promise.allSettled([first, second]);
    opening[0]?.reject(new Error('too many open files'));
    await settled();
    expect(opening).toHaveLength(2);
    const opened = connection();
    opening[1]?.resolve(opened);
    expect(await outcomes).toMatchObject([
      { status: 'rejected', reason: { message: 'too many open files' } },
      { status: 'fulfilled' },
    ]);
    expect(await second).toBe(opened);
    readers.releaseConnection(opened);
    await readers.close();
    expect(closed).toEqual([opened]);
  });

  test('rejects every request if no connection can be opened', async () => {
    const { readers, opening } = poolOf(1);
    const requests = Promise.allSettled([1, 2, 3].map(() => readers.acquireConnection()));
    for (let nth = 0; nth < 3; nth += 1) {
      opening[nth]?.reject(new Error(`fault ${nth}`));
      await settled();
    }
    const messages = (await requests).map((each) => each.status === 'rejected' && each.reason.message);
    expect(messages).toEqual(['fault 0', 'fault 1', 'fault 2']);
    await readers.close();
  });

  test('does not keep a pool from closing', async () => {
    const { readers, opening } = poolOf(1);
    const request = Promise.allSettled([readers.acquireConnection()]);
    const closing = readers.close();
    opening[0]?.reject(new Error('too many open files'));
    await closing;
    expect(opening).toHaveLength(1);
    await request;
  });
});

describe('a pool', () => {
  /** A pool of one connection that is in use, and counts its interruptions. */
  async function busyPool() {
    const pool = poolOf(1);
    let interruptions = 0;
    const interrupt = () => {
      interruptions += 1;
    };
    const opened = { interrupt } as SqliteConnection;
    const first = pool.readers.acquireConnection();
    pool.opening[0]?.resolve(opened);
    await first;
    return { ...pool, opened, interruptions: () => interruptions };
  }

  test('that closes interrupts what runs, rejects what waits, and takes nothing more', async () => {
    const { readers, opened, closed, interruptions } = await busyPool();
    const waiting = thrownBy(() => readers.acquireConnection());
    expect(readers.use).toEqual({ used: 1, free: 0, waiting: 1 });
    const closing = readers.close();
    expect(await waiting).toMatchObject({ message: 'The database is closed.' });
    expect(interruptions()).toBe(1);
    expect(closed).toEqual([]);
    readers.releaseConnection(opened);
    await closing;
    expect(closed).toEqual([opened]);
    expect(await thrownBy(() => readers.acquireConnection())).toMatchObject({ message: 'The database is closed.' });
  });

  test('interrupts a statement that runs longer than 5 s, and rejects one that waits longer than 10 s', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const { readers, opened, interruptions } = await busyPool();
      await jest.advanceTimersByTimeAsync(5_000);
      expect(interruptions()).toBe(0);
      let outcome: unknown;
      const waiting = thrownBy(() => readers.acquireConnection()).then((error) => {
        outcome = error;
      });
      await jest.advanceTimersByTimeAsync(250);
      expect(interruptions()).toBe(1);
      await jest.advanceTimersByTimeAsync(9_750);
      expect(outcome).toBeUndefined();
      await jest.advanceTimersByTimeAsync(250);
      await waiting;
      expect(outcome).toMatchObject({ code: 'SQLITE_BUSY', message: 'No connection became free in time.' });
      expect(readers.use).toEqual({ used: 1, free: 0, waiting: 0 });
      readers.releaseConnection(opened);
      expect(readers.use).toEqual({ used: 0, free: 1, waiting: 0 });
      await readers.close();
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('prepared statements', () => {
  /** A connection that notes what happens to its statements. A statement with `bad` cannot be prepared, one with `late` fails. */
  function preparing() {
    const events: string[] = [];
    const prepare: SqliteConnection['prepare'] = (sql, done) => {
      events.push(`prepare ${sql}`);
      setImmediate(done, sql.includes('bad') ? new Error('no such table') : null);
      return {
        all: (_bindings, finished) => finished(sql.includes('late') ? new Error('interrupted') : null, [sql]),
        reset(finished) {
          events.push(`reset ${sql}`);
          finished();
        },
        finalize: () => void events.push(`finalize ${sql}`),
      };
    };
    const connection = { prepare } as SqliteConnection;
    return { connection, events, run: (sql: string) => runPrepared(connection, sql, []) };
  }

  test('are prepared once, and all of a connection end together', async () => {
    const { connection, events, run } = preparing();
    expect(await Promise.all(['a', 'b', 'a'].map(run))).toEqual([['a'], ['b'], ['a']]);
    await run('a');
    forgetPrepared(connection);
    forgetPrepared(connection);
    expect(events).toEqual(['prepare a', 'prepare b', 'finalize a', 'finalize b']);
  });

  test('are at most 200: the oldest ends', async () => {
    const { events, run } = preparing();
    for (let count = 0; count < 200; count += 1) await run(`${count}`);
    expect(events.filter((event) => event.startsWith('finalize'))).toEqual([]);
    await run('200');
    await run('0');
    expect(events.slice(200)).toEqual(['prepare 200', 'finalize 0', 'prepare 0', 'finalize 1']);
  });

  test('that cannot be prepared are tried again, and those that fail are reset first', async () => {
    const { events, run } = preparing();
    for (const sql of ['bad', 'bad', 'late', 'late']) await expect(run(sql)).rejects.toThrow();
    expect(events).toEqual(['prepare bad', 'prepare bad', 'prepare late', 'reset late', 'reset late']);
  });
});

test('a connection that cannot be made a reader is closed', async () => {
  const opened: (SqliteConnection & { open: boolean })[] = [];
  const database = await openDatabase(await newMigratedDatabase('SQLite'));
  ending.defer(() => database.destroy());
  const { client } = database;
  const acquire = client.acquireRawConnection.bind(client);
  client.acquireRawConnection = async () => {
    const made = await acquire();
    made.exec = (_: string, done: (error: Error) => void) => done(new Error('disk I/O error'));
    opened.push(made);
    return made;
  };
  await expect(client.readers.acquireConnection()).rejects.toThrow('disk I/O error');
  expect(opened.map(({ open }) => open)).toEqual([false]);
});

interface Row {
  slug: string;
  name: string;
  country: string | null;
}

const columns = columnsOf('tenants', ['slug', 'name', 'country']);

const bySlug = lookup<Row, { slug: string }>(columns, (database, { slug }) =>
  database('tenants').where({ plan: 'starter', slug }).whereIn('country', ['DE', 'FR']),
);

const byBoth = lookup<{ found: string }, { name: string; slug: string }>(
  { found: 'tenants.slug' },
  (database, { name, slug }) => database('tenants').where({ slug, name }).where('name', name).orderBy('slug').limit(1),
);

test('a look-up compiles only with the columns of its row', () => {
  const declare = (of: ColumnsOf<Row>): number => Object.keys(of).length;
  declare(columns);
  // @ts-expect-error: a member without a column
  declare(columnsOf('tenants', ['slug', 'name']));
  // @ts-expect-error: a column without a member
  declare({ slug: 'tenants.slug', name: 'tenants.name', country: 'tenants.country', plan: 'tenants.plan' });
  // @ts-expect-error: no table has the column
  declare({ ...columns, slug: 'tenants.slugs' });
  // @ts-expect-error: the column holds a number
  declare({ ...columns, slug: 'products.position' });
  // @ts-expect-error: the column may be null
  declare({ ...columns, slug: 'products.model' });
  // @ts-expect-error: the table has no such column
  columnsOf('tenants', ['gtin']);
});

describe.each([...databaseKinds, 'memory'] as const)('a look-up on %s', (kind) => {
  async function open(): Promise<Database> {
    const database = await openDatabase(kind === 'memory' ? ':memory:' : await newMigratedDatabase(kind));
    ending.defer(() => database.destroy());
    return database;
  }
  function newTenant(database: Database, slug: string, name = slug): Promise<unknown> {
    return insertTenant(database, { slug, name, country: 'DE', plan: 'starter' }, new Date());
  }

  test('concurrent look-ups each find their own row, or none', async () => {
    const database = await open();
    const names = ['Müller & Söhne "GmbH"', "O'Neill\\", '{"a":[1]}', '100 % 🧶 \u2028', 'x'.repeat(500), 'null', ''];
    const slugs = names.map((_, index) => `t-${index}`);
    for (const [index, name] of names.entries()) await newTenant(database, `t-${index}`, name);
    const asked = Array.from({ length: 500 }, (_, index) => slugs[index % 9] ?? 'none');
    const found = await Promise.all(asked.map((slug) => bySlug(database, { slug })));
    expect(found).toEqual(
      asked.map((slug) => (slug === 'none' ? undefined : { slug, name: names[slugs.indexOf(slug)], country: 'DE' })),
    );
    const both = await Promise.all(names.map((name, index) => byBoth(database, { slug: `t-${index}`, name })));
    expect(both).toEqual(slugs.map((found) => ({ found })));
    expect(await byBoth(database, { slug: 't-0', name: 't-1' })).toBeUndefined();
  });

  test('of one turn share their executions on SQLite', async () => {
    const database = await open();
    let executions = 0;
    database.on('query', () => {
      executions += 1;
    });
    await Promise.all(Array.from({ length: 100 }, () => bySlug(database, { slug: 'none' })));
    // An execution takes half of those that wait, at least 16: 50, 25, 16, 9.
    expect(executions).toBe(kind === 'PostgreSQL' ? 100 : 4);
  });

  test('sees a write that was committed before it began, also while others run', async () => {
    const database = await open();
    let isDone = false;
    const others = (async () => {
      while (!isDone) await Promise.all([1, 2, 3].map(() => bySlug(database, { slug: 'none' })));
    })();
    for (let number = 0; number < 30; number += 1) {
      await newTenant(database, `t-${number}`);
      expect(await bySlug(database, { slug: `t-${number}` })).toMatchObject({ slug: `t-${number}` });
    }
    isDone = true;
    await others;
  });

  test('runs in the transaction that it is given', async () => {
    const database = await open();
    await database.transaction(async (transaction) => {
      await newTenant(transaction, 'new');
      expect(await bySlug(transaction, { slug: 'new' })).toMatchObject({ slug: 'new' });
      if (kind !== 'memory') expect(await bySlug(database, { slug: 'new' })).toBeUndefined();
    });
    expect(await bySlug(database, { slug: 'new' })).toMatchObject({ slug: 'new' });
  });

  test('a failure rejects each look-up, and the next ones work', async () => {
    const database = await open();
    await database.schema.renameTable('tenants', 'elsewhere');
    const failures = await Promise.all(['a', 'b'].map((slug) => thrownBy(() => bySlug(database, { slug }))));
    for (const failure of failures) expect(failure).toMatchObject({ message: expect.stringContaining('tenants') });
    await database.schema.renameTable('elsewhere', 'tenants');
    expect(await bySlug(database, { slug: 'a' })).toBeUndefined();
  });
});
