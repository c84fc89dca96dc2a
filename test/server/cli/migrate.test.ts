import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { connect } from '../../../server/src/database/connection.ts';
import { type Outcome, runHere, serveHere } from '../../support/command.ts';
import {
  asNextVersion,
  databaseKinds,
  newDatabase,
  newMigratedDatabase,
  nextMigration,
} from '../../support/database.ts';
import { ending } from '../../support/files.ts';
import { startService } from '../../support/service.ts';

async function migrationsRun(address: string): Promise<string[]> {
  const database = connect(address);
  try {
    return await database('migrations').orderBy('id').pluck('name');
  } finally {
    await database.destroy();
  }
}

/** Commands that read, write, and may create a database. */
const commands = [
  'tenant list',
  "tenant create other --name 'Other' --country DE",
  'key create --tenant shop',
  'product activate tasse --tenant shop',
  'token rotate-secret',
];

describe.each(databaseKinds)('a version with one more migration, on %s', (kind) => {
  const allCommands = (address: string): Promise<Outcome[]> => {
    const variable = { PRODUCT_PASSPORT_DATABASE: address };
    return Promise.all(commands.map((line) => runHere(`product-passport ${line} --json`, variable)));
  };

  test('refuses the older database and does not change it, migrates it once, and then runs', async () => {
    const address = await newMigratedDatabase(kind);
    const before = await startService(kind, { on: address });
    const client = await before.newTenant({ slug: 'shop' });
    const product = await client.create('Tasse');
    await before.stop();
    const bytes = kind === 'SQLite' ? await readFile(address) : undefined;
    const command = (line: string) => runHere(`product-passport ${line}`, { PRODUCT_PASSPORT_DATABASE: address });

    await asNextVersion(async () => {
      const refusals = await allCommands(address);
      const migrate =
        kind === 'SQLite'
          ? `\`product-passport migrate --database ${address}\``
          : '`product-passport migrate` with the same database address';
      for (const { code, stdout, stderr } of refusals) {
        expect([code, stdout]).toEqual([1, '']);
        expect(stderr).toMatch(
          /^\{"error":\{"message":"the database [^\n]+ was created by an older version [^\n]+"\}\}\n$/,
        );
        expect(stderr).toContain(`Back it up, then run ${migrate}.`);
      }
      if (kind === 'PostgreSQL') expect(JSON.stringify(refusals)).not.toContain(new URL(address).password);
      const { items } = JSON.parse((await command('migrate --status --json')).stdout);
      expect(items).toEqual([
        { name: '0001_tables', ran_at: expect.stringMatching(/Z$/) },
        { name: nextMigration, ran_at: null },
      ]);
      // The database is a copy of one that was made when the tests began.
      expect(Math.abs(Date.parse(items[0].ran_at) - Date.now())).toBeLessThan(86_400_000);
      expect((await command('migrate --status')).stdout).toMatch(/^0002_made_up +missing$/m);
      expect(await migrationsRun(address)).toEqual(['0001_tables']);
      if (bytes) expect((await readFile(address)).equals(bytes)).toBe(true);

      const stdout = `Ran ${nextMigration}.\nThe database is up to date.\n`;
      expect(await command('migrate')).toEqual({ code: 0, stdout, stderr: '' });
      expect(await migrationsRun(address)).toEqual(['0001_tables', nextMigration]);
      expect(await command('migrate')).toMatchObject({ stdout: 'The database is already up to date.\n', stderr: '' });
      expect(await command('migrate --json')).toMatchObject({ stdout: '{"migrations":[]}\n' });
      const audit = JSON.parse((await command('audit --json')).stdout);
      expect(audit.items).toMatchObject([{ command: 'migrate' }]);

      const after = await startService(kind, { on: address });
      expect(await after.clientOf(client).product('tasse')).toEqual(product);
      expect(await after.database('products').select('slug', 'made_up')).toEqual([{ slug: 'tasse', made_up: null }]);
      await after.stop();
    });

    for (const { code, stderr } of await allCommands(address)) {
      expect(code).toBe(1);
      expect(stderr).toMatch(/ was created by a newer version of this program \(0002_made_up\)\. Update /);
    }
  });

  test('migrates when `serve` starts, which logs it', async () => {
    const address = await newMigratedDatabase(kind);
    await asNextVersion(async () => {
      const program = await serveHere(`product-passport serve --json --port 0 --database ${address}`, /"base_url"/);
      ending.defer(async () => void (await program.stop()));
      expect(program.logged()).toContain(`"msg":"migrations ran: ${nextMigration}"`);
    });
    expect(await migrationsRun(address)).toEqual(['0001_tables', nextMigration]);
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
    expect(JSON.parse(made.stdout)).toEqual({ migrations: ['0001_tables'] });
    expect(await runHere(create, variable)).toMatchObject({ code: 0 });
  });
});
