/** Databases that a command cannot use, and pipes that close: clear messages, and no SQL. */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { connect } from '../../../server/src/database/connection.ts';
import { imageHash } from '../../../server/src/images/rules.ts';
import { openDatabase } from '../../../server/src/index.ts';
import { runHere } from '../../support/command.ts';
import { ending } from '../../support/ending.ts';
import { run } from '../../support/program.ts';
import { makeReadOnly } from '../../support/read-only.ts';
import { databaseKinds, newMigratedDatabase } from '../../support/service.ts';

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
  const folder = await mkdtemp(join(tmpdir(), 'read-only-'));
  ending.defer(() => rm(folder, { recursive: true }));
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
  const folder = await mkdtemp(join(tmpdir(), 'no-driver-'));
  ending.defer(() => rm(folder, { recursive: true }));
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

/** A line of every command with `--database`, and and whether the file may be new. */
const id = '01900000-0000-7000-8000-000000000000';
const site = '--site-url https://passport.example';
const lines: Readonly<Record<string, { readonly line: string; readonly mayBeNew?: boolean }>> = {
  audit: { line: 'audit' },
  backup: { line: 'backup {made}' },
  'carrier add': { line: `carrier add cup --type qr ${site}` },
  'carrier deprecate': { line: `carrier deprecate ${id} ${site}` },
  'carrier image': { line: `carrier image cup --output {made} ${site}` },
  'carrier list': { line: `carrier list cup ${site}` },
  'carrier sheet': { line: `carrier sheet cup --output {made} ${site}` },
  'carrier withdraw': { line: `carrier withdraw ${id} ${site}` },
  'check-hashes': { line: 'check-hashes' },
  'demo fill': { line: 'demo fill --products 1', mayBeNew: true },
  export: { line: 'export {made}' },
  import: { line: 'import {export}', mayBeNew: true },
  'key create': { line: 'key create' },
  'key list': { line: 'key list' },
  'key revoke': { line: `key revoke ${id}` },
  migrate: { line: 'migrate' },
  'passport set': { line: 'passport set cup {values}' },
  'passport unset': { line: 'passport unset cup colour --yes' },
  'product activate': { line: 'product activate cup' },
  'product archive': { line: 'product archive cup' },
  'product create': { line: 'product create cup --name Cup' },
  'product image remove': { line: 'product image remove cup' },
  'product image set': { line: 'product image set cup {picture}' },
  'product list': { line: 'product list' },
  'product show': { line: 'product show cup' },
  'registry list': { line: 'registry list' },
  'registry set': { line: 'registry set cup ready' },
  restore: { line: 'restore {backup}', mayBeNew: true },
  'scan confirm-clock': { line: 'scan confirm-clock' },
  'scan delete': { line: 'scan delete --yes' },
  serve: { line: 'serve --port 0', mayBeNew: true },
  stats: { line: 'stats' },
  'template readiness': { line: 'template readiness other' },
  'tenant brand': { line: 'tenant brand shop --name Shop' },
  'tenant close-list': { line: 'tenant close-list shop' },
  'tenant create': { line: 'tenant create shop --name Shop --country DE', mayBeNew: true },
  'tenant language': { line: 'tenant language shop en' },
  'tenant legal': { line: 'tenant legal shop --imprint https://shop.example/imprint' },
  'tenant list': { line: 'tenant list' },
  'tenant open-list': { line: 'tenant open-list shop' },
  'tenant scans': { line: 'tenant scans shop off' },
  'tenant show': { line: 'tenant show shop' },
  'token create': { line: 'token create --all --role inspector' },
  'token list': { line: 'token list' },
  'token revoke': { line: `token revoke ${id}` },
  'token rotate-secret': { line: 'token rotate-secret' },
  'version withhold': { line: 'version withhold cup 1 --yes' },
};
const servers = ['serve --port 0', 'serve --demo --port 0', 'serve --sandbox --port 0'];

describe('every command refuses, and changes nothing:', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'refusals-'));
    ending.defer(() => rm(folder, { recursive: true }));
    await mkdir(join(folder, 'folder'));
    await writeFile(join(folder, 'values'), '[]');
    await writeFile(join(folder, 'text'), 'Not a database. '.repeat(300));
    for (const [name, tables] of Object.entries({ 'one table': ['notes'], foreign: ['notes', 'users', 'orders'] })) {
      const database = connect(join(folder, name));
      for (const table of tables) await database.schema.createTable(table, (columns) => void columns.text('text'));
      await database.destroy();
    }
    const own = await newFile();
    await runHere(`product-passport export ${join(folder, 'export')} --database ${own}`);
    await runHere(`product-passport backup ${join(folder, 'backup')} --database ${own}`);
    await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
      .png()
      .toFile(join(folder, 'picture'));
  });

  /** The folder's files with their contents. */
  async function stateOf(): Promise<Record<string, string>> {
    const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
    const pairs = files.map(async ({ name }) => [name, imageHash(await readFile(join(folder, name)))] as const);
    return Object.fromEntries(await Promise.all(pairs));
  }

  const inFolder = (line: string): string => line.replace(/\{(\w+)\}/g, (_, name) => `'${join(folder, name)}'`);

  async function refused(line: string, address: string): Promise<string[]> {
    const before = await stateOf();
    const { code, stdout, stderr } = await runHere(`product-passport ${inFolder(line)} --database '${address}'`);
    const faults = [
      ...(code === 1 || code === 2 ? [] : [`code ${code}`]),
      ...(stdout === '' ? [] : [`prints ${stdout}`]),
      ...(/^product-passport: [^\n]+\n$/.test(stderr) ? [] : [`writes ${stderr}`]),
      ...(JSON.stringify(await stateOf()) === JSON.stringify(before) ? [] : ['changes a file']),
      ...(existsSync(':memory:') ? ['makes a file :memory:'] : []),
    ];
    return faults.map((fault) => `${line}: ${fault}`);
  }

  test('the table has every command with a database', async () => {
    const { loadProgram } = await import('../../../server/src/cli/program.ts');
    const createProgram = await loadProgram();
    const namesOf = (command: ReturnType<typeof createProgram>, name = ''): string[] => [
      ...(command.options.some(({ long }) => long === '--database') ? [name.trim()] : []),
      ...command.commands.flatMap((child) => namesOf(child, `${name} ${child.name()}`)),
    ];
    // `config` opens no database.
    const names = namesOf(createProgram()).filter((name) => name !== 'config');
    expect(names.toSorted()).toEqual(Object.keys(lines));
  });

  test.each([
    ['a foreign file', 'foreign'],
    ['a file with one table', 'one table'],
    ['a file of text', 'text'],
    ['a folder', 'folder'],
    ['a file in a missing folder', 'none/made.sqlite'],
  ])('%s', async (_what, name) => {
    const faults = [];
    const all = new Set([...Object.values(lines).map(({ line }) => line), ...servers]);
    for (const line of all) faults.push(...(await refused(line, join(folder, name))));
    expect(faults).toEqual([]);
  });

  test.each([
    ['a missing file', 'none.sqlite'],
    ['a database in memory', ':memory:'],
  ])('%s, where the command makes none', async (_what, name) => {
    const faults = [];
    for (const [command, { line, mayBeNew }] of Object.entries(lines)) {
      const isAllowed = name === ':memory:' ? command === 'serve' : mayBeNew;
      if (!isAllowed) faults.push(...(await refused(line, name === ':memory:' ? name : join(folder, name))));
    }
    expect(faults).toEqual([]);
  });
});

test('a pipe whose reader ends first is no error', async () => {
  const file = await newFile();
  const main = `${process.execPath} server/src/cli/main.ts`;
  const { code, stdout, stderr } = await run(
    `set -o pipefail; ${main} demo fill --products 3000 --database ${file} 2>/dev/null; ${main} product list --tenant many --database ${file} | head -n 2`,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.trim().split('\n')).toHaveLength(3);
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
