/** PostgreSQL with and without the extension pg_trgm. */
import { expect, test } from '@jest/globals';
import { connect } from '../../../server/src/database/connection.ts';
import { openDatabase } from '../../../server/src/index.ts';
import { createLog } from '../../../server/src/log/log.ts';
import { newDatabase } from '../../support/database.ts';
import { ending } from '../../support/files.ts';
import { startService } from '../../support/service.ts';

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
  expect(warnings[0]).toContain('CREATE EXTENSION pg_trgm; CREATE INDEX products_name_trigrams ON products');
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

test('PostgreSQL with pg_trgm has an index of the names', async () => {
  const database = await openDatabase(await newDatabase('PostgreSQL'), {
    warn: (message) => createLog('info').warn(message),
  });
  ending.defer(() => database.destroy());
  const indexes = await database('pg_indexes').where({ tablename: 'products' }).pluck('indexname');
  expect(indexes).toContain('products_name_trigrams');
});
