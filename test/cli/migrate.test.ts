import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { connect } from '../../server/src/database/connection.ts';
import { migrationNames } from '../../server/src/database/migrations/index.ts';
import { openDatabase } from '../../server/src/index.ts';
import { createKey } from '../../server/src/tenants/keys.ts';
import { insertTenant } from '../../server/src/tenants/store.ts';
import { runHere, serveHere } from '../support/command.ts';
import { ending } from '../support/ending.ts';

import { type DatabaseKind, databaseKinds, newDatabase } from '../support/service.ts';

const later = migrationNames.slice(3);

/** A database of the first version of this program, with a tenant. */
async function olderDatabase(kind: DatabaseKind): Promise<string> {
  const address = await newDatabase(kind);
  const database = await openDatabase(address);
  const tenant = { slug: 'shop', name: 'Shop', country: 'DE', plan: 'starter' as const };
  const { id = '' } = (await insertTenant(database, tenant, new Date())) ?? {};
  await createKey(database, id, 'first', new Date());
  for (const _ of later) await database.migrate.down();
  await database.destroy();
  return address;
}

async function migrationsRun(address: string): Promise<string[]> {
  const database = connect(address);
  try {
    return await database('migrations').orderBy('id').pluck('name');
  } finally {
    await database.destroy();
  }
}

/** Every command that works on a database, except `migrate` and `serve`. */
const commands = [
  'tenant list',
  "tenant create other --name 'Other' --country DE",
  'key create --tenant shop',
  'key list --tenant shop',
  'key revoke 1 --tenant shop',
  'product list --tenant shop',
  'product activate tasse --tenant shop',
  'product archive tasse --tenant shop',
  'token create --role inspector --tenant shop',
  'token list --tenant shop',
  'token revoke 1 --tenant shop',
  'token rotate-secret',
  'carrier list --product tasse --tenant shop --site-url https://x.example',
];

describe.each(databaseKinds)('a database of an older version on %s', (kind) => {
  test('is not changed by the other commands, which print the command to run', async () => {
    const address = await olderDatabase(kind);
    const bytes = kind === 'SQLite' ? await readFile(address) : undefined;
    const variable = { PRODUCT_PASSPORT_DATABASE: address };
    const outcomes = await Promise.all(commands.map((line) => runHere(`product-passport ${line} --json`, variable)));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      expect(outcome.stderr).toMatch(
        /^product-passport: the database [^\n]+ was created by an older version [^\n]+\n$/,
      );
    }
    expect(await migrationsRun(address)).toEqual(migrationNames.slice(0, 3));
    if (bytes) expect((await readFile(address)).equals(bytes)).toBe(true);
    const command =
      kind === 'SQLite'
        ? `\`product-passport migrate --database ${address}\``
        : '`product-passport migrate` with the same database address';
    for (const { stderr } of outcomes) expect(stderr).toContain(`Back it up, then run ${command}.`);
    if (kind === 'PostgreSQL') expect(JSON.stringify(outcomes)).not.toContain(new URL(address).password);
  });

  test('is migrated once by `migrate`, which prints the migrations', async () => {
    const address = await olderDatabase(kind);
    const variable = { PRODUCT_PASSPORT_DATABASE: address };
    expect(await runHere('product-passport migrate', variable)).toEqual({
      code: 0,
      stdout: `${later.map((name) => `Ran ${name}.\n`).join('')}The database is up to date.\n`,
      stderr: '',
    });
    expect(await migrationsRun(address)).toEqual(migrationNames);
    expect(await runHere('product-passport migrate', variable)).toEqual({
      code: 0,
      stdout: 'The database is already up to date.\n',
      stderr: '',
    });
    expect(await runHere('product-passport migrate --json', variable)).toMatchObject({ stdout: '{"migrations":[]}\n' });
    expect(await runHere('product-passport tenant list', variable)).toMatchObject({ code: 0 });
  });

  test('is migrated by `serve`, which logs it', async () => {
    const address = await olderDatabase(kind);
    const program = await serveHere(`product-passport serve --json --port 0 --database ${address}`, /"base_url"/);
    ending.defer(async () => void (await program.stop()));
    expect(program.logged()).toContain(`"msg":"migrations ran: ${later.join(', ')}"`);
    expect(await migrationsRun(address)).toEqual(migrationNames);
  });
});

describe.each(databaseKinds)('migrations of a database on %s', (kind) => {
  test('status lists each with its time; down says what is lost, and undoes with --yes only', async () => {
    const address = await newDatabase(kind);
    const command = (line: string) => runHere(`product-passport ${line}`, { PRODUCT_PASSPORT_DATABASE: address });
    await (await openDatabase(address)).destroy();
    await command("tenant create shop --name 'Shop' --country DE");
    const states = async () => JSON.parse((await command('migrate status --json')).stdout).items;
    const before: { name: string; ran_at: string }[] = await states();
    expect(before.map(({ name }) => name)).toEqual(migrationNames);
    for (const { ran_at } of before) expect(Math.abs(Date.parse(ran_at) - Date.now())).toBeLessThan(600_000);

    const refused = await command('migrate down 0011');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^product-passport: this rollback loses data\. Nothing was changed\.\n/);
    expect(refused.stderr).toContain(
      '  0013_key_use_and_audit: the audit trail, and when each API key was last used\n',
    );
    expect(refused.stderr).toMatch(/^ {2}0015_imports: which imports are unfinished/m);
    expect(refused.stderr).not.toContain('everything that is stored');
    expect(refused.stderr).toContain('  product-passport migrate down 0011_public_hashes --yes');
    expect(await states()).toEqual(before);

    const undone = migrationNames.slice(migrationNames.indexOf('0011_public_hashes') + 1).reverse();
    const done = await command('migrate down 11 --yes --json');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(done.stdout).undone.map(({ name }: { name: string }) => name)).toEqual(undone);
    const after = await states();
    expect(after.filter(({ ran_at }: { ran_at: string | null }) => ran_at === null)).toHaveLength(undone.length);
    expect((await command('migrate status')).stdout).toMatch(/^0012_scan_days +missing$/m);
    expect(await command('tenant list')).toMatchObject({ code: 1, stderr: expect.stringContaining('older version') });
    expect(await command('migrate down 0011_public_hashes --yes')).toMatchObject({
      code: 0,
      stdout: 'The database has no migration after 0011_public_hashes.\n',
    });
    expect(await command('migrate down 99 --yes')).toMatchObject({ code: 2 });

    expect(await command('migrate')).toMatchObject({ code: 0, stderr: '' });
    expect((await command('tenant list')).stdout).toContain('shop');
    const { items } = JSON.parse((await command('audit --json')).stdout);
    expect(items.map((entry: { command: string }) => entry.command)).toEqual(['migrate up']);
  });
});

describe('a database without tables', () => {
  test('on PostgreSQL: commands print the command to run, and `migrate` creates the tables', async () => {
    const variable = { PRODUCT_PASSPORT_DATABASE: await newDatabase('PostgreSQL') };
    const create = "product-passport tenant create shop --name 'Shop' --country DE";
    const refused = await runHere(create, variable);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /has no tables of this program yet\. Create them with `product-passport migrate` with the same database address\.\n$/,
    );
    const made = await runHere('product-passport migrate --json', variable);
    expect(JSON.parse(made.stdout)).toEqual({ migrations: migrationNames });
    expect(await runHere(create, variable)).toMatchObject({ code: 0 });
  });

  test('in a file: `tenant create` creates a missing file, `migrate` does not', async () => {
    const file = await newDatabase('SQLite');
    const refused = await runHere(`product-passport migrate --database ${file}`);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`the database file ${file} does not exist`);
    const create = `product-passport tenant create shop --name 'Shop' --country DE --database ${file}`;
    expect(await runHere(create)).toMatchObject({ code: 0, stderr: '' });
    expect(await migrationsRun(file)).toEqual(migrationNames);
  });
});
