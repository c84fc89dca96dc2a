/** Concurrent writes on SQLite share a transaction, but not its failures. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { commitTogether } from '../../server/src/database/group-commit.ts';
import { openDatabase } from '../../server/src/index.ts';
import { ending } from '../support/ending.ts';
import { type Database, databaseKinds, newMigratedDatabase } from '../support/service.ts';

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
    const breaking = commitTogether(database, async (transaction) => {
      // SQLite checks the foreign key at the commit.
      await transaction.raw('PRAGMA defer_foreign_keys = ON');
      const key = { tenant_id: 'nobody', id: 'a', label: 'a', hash: 'a', created_at: '2026-01-01T00:00:00.000Z' };
      await transaction('api_keys').insert(key);
    });
    const outcomes = await Promise.allSettled([breaking, commitTogether(database, insert('a'))]);
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
