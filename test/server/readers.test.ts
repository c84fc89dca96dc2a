/** The pool of readers, if connections cannot be opened. */
import { describe, expect, test } from '@jest/globals';
import type { SqliteConnection } from '../../server/src/database/prepared.ts';
import { Readers } from '../../server/src/database/readers.ts';
import { openDatabase } from '../../server/src/index.ts';
import { ending } from '../support/ending.ts';
import { newMigratedDatabase } from '../support/service.ts';

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
