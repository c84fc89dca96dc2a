/** What `server/src/database/knex-clients.ts` uses of Knex's private classes. A failure names what a new version lacks. */
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { connect } from '../../../server/src/database/connection.ts';
import { ending } from '../../support/files.ts';

const require = createRequire(import.meta.url);
const client = ['_query', 'query', 'transaction', 'destroyRawConnection', 'destroy'];

test.each([
  ['knex/lib/dialects/sqlite3/index.js', client],
  ['knex/lib/dialects/postgres/index.js', [...client, '_driver']],
  ['knex/lib/execution/transaction.js', ['begin', 'isCompleted']],
  ['tarn/dist/Pool.js', ['on', 'numUsed', 'numFree', 'numPendingAcquires']],
])('%s has each member', (file, members) => {
  const found = require(file);
  const { prototype } = found.Pool ?? found;
  expect(members.filter((member) => typeof prototype[member] !== 'function')).toEqual([]);
});

test('a transaction sends the statements that the client recognizes, and its client has the class of the database', async () => {
  const database = connect(':memory:');
  ending.defer(() => database.destroy());
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
