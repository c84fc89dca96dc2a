/** Databases that a command cannot write or open, and lists of more rows than a page has. */
import { randomUUID } from 'node:crypto';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { connect } from '../../../server/src/database/connection.ts';
import { openDatabase } from '../../../server/src/index.ts';
import { runHere } from '../../support/command.ts';
import { databaseKinds, newMigratedDatabase } from '../../support/database.ts';
import { ending, makeReadOnly, newFolder } from '../../support/files.ts';
import { run } from '../../support/program.ts';

async function newFile(): Promise<string> {
  const file = await newMigratedDatabase('SQLite');
  await runHere(`product-passport tenant create shop --name 'Shop' --country DE --database ${file}`);
  return file;
}

test('a read-only PostgreSQL database: commands that read work, the others print one line', async () => {
  const address = await newMigratedDatabase('PostgreSQL');
  const create = "product-passport tenant create other --name 'Other' --country DE";
  const database = connect(address);
  ending.defer(() => database.destroy());
  const [{ name }] = (await database.raw('SELECT current_database() AS name')).rows;
  await database.raw(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  expect(await runHere(`${create} --database ${address}`)).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'product-passport: the database did not accept the command: it is read-only. Name the primary server, not a replica.\n',
  });
  expect(await runHere(`product-passport tenant list --database ${address}`)).toMatchObject({ code: 0, stderr: '' });
});

test('a file that this user may only read: commands that read work, the others print one line', async () => {
  const folder = newFolder();
  const file = join(folder, 'shop.sqlite');
  await copyFile(await newFile(), file);
  await makeReadOnly(folder);
  const command = (line: string) => runHere(`product-passport ${line} --database ${file}`);
  expect(await command("tenant create other --name 'Other' --country DE")).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'product-passport: the database did not accept the command: it is read-only for this user. ' +
      'Run the command as the user that owns the file and its folder.\n',
  });
  expect(await command('tenant list')).toMatchObject({ code: 0, stdout: expect.stringContaining('shop'), stderr: '' });
});

test('without its driver, SQLite says how to install it', async () => {
  const folder = newFolder();
  // As after an installation without install scripts.
  const preloaded = join(folder, 'no-driver.cjs');
  await writeFile(
    preloaded,
    `const modules = require('node:module');
    const load = modules._load;
    modules._load = (name, ...more) => {
      if (name === 'sqlite3') throw new Error('Could not locate the bindings file.');
      return load(name, ...more);
    };`,
  );
  const line = `product-passport migrate --database ${await newFile()}`;
  expect(await run(line, { NODE_OPTIONS: `--require=${preloaded}` })).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^product-passport: the SQLite driver is not installed, .*`npm rebuild sqlite3`, .*\n$/,
    ),
  });
});

test.each(databaseKinds)('tenants, keys and tokens on %s are listed whole, in the order of their ids', async (kind) => {
  const address = await newMigratedDatabase(kind);
  const count = 1001;
  const database = await openDatabase(address);
  const created_at = new Date().toISOString();
  const newIds = (): string[] => Array.from({ length: count }, () => randomUUID()).toSorted();
  const ids = newIds();
  const [tenant_id = ''] = ids;
  const rows = {
    tenants: ids.map((id) => ({ id, slug: id, name: id, country: 'DE', language: 'de', plan: 'starter' })),
    api_keys: newIds().map((id) => ({ tenant_id, id, hash: id, label: '' })),
    access_tokens: newIds().map((id) => ({ tenant_id, id, role: 'inspector', kid: 'x', expires_at: created_at })),
  };
  for (const [table, all] of Object.entries(rows)) {
    const complete = all.map((row) => ({ ...row, created_at }));
    await database.batchInsert(table, complete, 100);
  }
  await database.destroy();

  const list = async (line: string): Promise<{ id: string }[]> => {
    const { code, stdout } = await runHere(`product-passport ${line} --json`, { PRODUCT_PASSPORT_DATABASE: address });
    expect(code).toBe(0);
    return JSON.parse(stdout).items;
  };
  const listed = {
    tenants: 'tenant list',
    api_keys: `key list --tenant ${tenant_id}`,
    access_tokens: `token list --tenant ${tenant_id}`,
  };
  for (const [table, line] of Object.entries(listed)) {
    expect((await list(line)).map(({ id }) => id)).toEqual(rows[table as keyof typeof rows].map(({ id }) => id));
  }
  const table = await runHere('product-passport tenant list', { PRODUCT_PASSPORT_DATABASE: address });
  expect(table.stdout.trim().split('\n')).toHaveLength(count + 1);
});
