import { randomUUID } from 'node:crypto';
import { chmod, copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { commandHint, shownAddress } from '../../../server/src/database/address.ts';
import { connect } from '../../../server/src/database/connection.ts';
import { textColumns } from '../../../server/src/database/migrations/0001_tables.ts';
import { createTable } from '../../../server/src/database/migrations/table.ts';
import { spreadingPlan } from '../../../server/src/database/spread.ts';
import { openDatabase } from '../../../server/src/index.ts';
import { type Outcome, runHere, type Serving, serveHere } from '../../support/command.ts';
import {
  asNextVersion,
  columnsOf,
  type Database,
  type DatabaseKind,
  databaseKinds,
  newDatabase,
  newMigratedDatabase,
  nextMigration,
  untilBlocked,
} from '../../support/database.ts';
import { ending, makeReadOnly, newFolder } from '../../support/files.ts';
import { announcement, freePort, type Running, root, run, start } from '../../support/program.ts';
import { startService } from '../../support/service.ts';

const directory = newFolder();
let running: (Running | Serving)[] = [];

afterEach(async () => {
  await Promise.all(running.map((program) => program.stop()));
  running = [];
});

async function serve(line: string, ready = /Ready in/): Promise<Serving> {
  const program = await serveHere(`product-passport serve ${line}`, ready);
  running.push(program);
  return program;
}

describe('a database address', () => {
  test.each<[DatabaseKind, ...string[]]>([
    ['SQLite', 'PRAGMA application_id = 252006673', 'PRAGMA user_version = 7'],
    ['SQLite', 'CREATE TABLE migrations (id, migration)', "INSERT INTO migrations VALUES (1, 'create_users')"],
    ['PostgreSQL', 'CREATE TABLE installation (mine text)'],
    ['PostgreSQL', "SELECT 1 AS id, 'create_users' AS name INTO migrations"],
  ])('of another program on %s: the tables are not changed (%s)', async (kind, ...statements) => {
    const address = await newDatabase(kind);
    const database = connect(address);
    for (const sql of statements) await database.raw(sql);
    await database.destroy();
    const before = await columnsOf(address);
    const outcome = await runHere(`product-passport migrate --database ${address}`);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expectOneLine(outcome.stderr, /belongs to another program, so it was not changed\. Name another/);
    expect(await columnsOf(address)).toEqual(before);
  });

  test.each([
    ['the option', 'postgres://127.0.0.1/other', ' with the same database address'],
    ['the variable', 'postgres://127.0.0.1/shop', ''],
  ])('a hint repeats an address from %s only if the next command lacks it', (_source, address, words) => {
    process.env.PRODUCT_PASSPORT_DATABASE = 'postgres://127.0.0.1/shop';
    expect(commandHint('stats', address)).toBe(`\`product-passport stats\`${words}`);
    delete process.env.PRODUCT_PASSPORT_DATABASE;
  });

  test('with a password: the password is never printed', async () => {
    const address = await newDatabase('PostgreSQL');
    const { password, host, pathname, username } = new URL(address);
    const program = await serve(`--port 0 --database ${address}`);
    expect(program.said()).toContain(`Database  postgres://${host}${pathname}\n`);
    expect(program.said()).toContain('  product-passport key create --tenant my-shop\n');
    expect(program.said()).toContain('with the database address in PRODUCT_PASSPORT_DATABASE:');
    const said = [program.said(), program.logged()];
    for (const [wrong, code] of [
      [address.replace(`:${password}@`, `:${password}-wrong@`), 1],
      [`${address}-none`, 1],
      [address.replace(`:${password}@`, '@').concat(`-none?password=${password}`), 1],
      [address.replace(`//${username}:`, `//${username}/:`), 2],
      [address.replace(`//${username}:`, '//h:1?x&').replace('@', '=@'), 2],
      [`${address}?sslmode=${password}`, 2],
      [`${address}?ssl_mode=${password}`, 2],
    ] as const) {
      const outcome = await runHere(`product-passport tenant list --database '${wrong}'`);
      expect(outcome).toMatchObject({ code, stdout: '' });
      expectOneLine(outcome.stderr, /^product-passport: the database /);
      said.push(outcome.stderr);
    }
    expect(said.join('')).not.toContain(password);
  });
});

test.each([
  ['postgres://me:secret@host:5433/shop?password=secret', 'postgres://host:5433/shop'],
  ['postgresql://host/shop#secret@x', 'postgresql://host/shop'],
  ['postgres://me:12/secret@host/shop', 'postgres://…'],
  ['postgres://me:se/cret@host/shop', 'postgres://…'],
  ['postgres:///shop?host=/var/run&password=secret', 'postgres:///shop'],
  ['shop@home.sqlite', 'shop@home.sqlite'],
])('%s is shown as %s', (address, shown) => {
  expect(shownAddress(address)).toBe(shown);
});

function expectOneLine(stderr: string, message: RegExp): void {
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^product-passport: [^\n]+\n$/);
  expect(stderr).not.toContain('secret');
}

test('no limit of PostgreSQL stops a command that reads or writes whole tables', async () => {
  const folder = newFolder();
  const limited = async (): Promise<string> => `${await newMigratedDatabase('PostgreSQL')}?statement_timeout=1`;
  const [first, restored, imported] = [await limited(), await limited(), await limited()];
  const lines: [string, string][] = [
    ['demo fill --products 20', first],
    [`backup ${folder}/all.backup`, first],
    [`export ${folder}/many.jsonl --tenant many --with-secrets`, first],
    ['check-hashes', first],
    ['stats', first],
    ['stats --exact', first],
    ['token rotate-secret --revoke-old --yes', first],
    [`restore ${folder}/all.backup`, restored],
    [`import ${folder}/many.jsonl`, imported],
    ['migrate --status', imported],
  ];
  for (const [line, address] of lines) {
    const { code, stderr } = await runHere(`product-passport ${line}`, { PRODUCT_PASSPORT_DATABASE: address });
    expect([line, code, stderr.replace(/^\d+ of \d+ products\n/gm, '')]).toEqual([line, 0, '']);
  }
});

describe('a SQLite file', () => {
  const mode = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

  test('is created with mode 0600, like its -wal and -shm files; an existing file keeps its mode', async () => {
    const file = join(directory, 'new.sqlite');
    await serve(`--port 0 --demo --database ${file}`);
    for (const suffix of ['', '-wal', '-shm']) expect(await mode(file + suffix)).toBe('600');
    const old = join(directory, 'old.sqlite');
    await writeFile(old, '');
    await chmod(old, 0o640);
    await serve(`--port 0 --demo --database ${old}`);
    for (const suffix of ['', '-wal', '-shm']) expect(await mode(old + suffix)).toBe('640');
  });
});

describe.each(databaseKinds)('several first starts at once on one %s', (kind) => {
  test('all succeed, and one of them fills the demo', async () => {
    const address = await newDatabase(kind);
    // PostgreSQL holds its locks for connections, SQLite for processes. One process is the test's own.
    const begins = kind === 'SQLite' ? [start, start, serveHere] : [serveHere, serveHere, serveHere, serveHere];
    const programs = await Promise.all(
      begins.map((begin) => begin(`product-passport serve --demo --json --port 0 --database ${address}`, /\}\n/)),
    );
    running.push(...programs);
    const tenants = programs.map((program) => announcement(program.said()).tenants);
    const keys = tenants.flat().filter(({ api_key }) => api_key !== null);
    expect(keys).toHaveLength(3);
    for (const program of programs) {
      const { base_url } = announcement(program.said());
      const headers = { authorization: `Bearer ${keys[0]?.api_key}` };
      const answer = await fetch(`${base_url}/products`, { headers });
      expect(await answer.json()).toMatchObject({ total: 9 });
    }
    const database = connect(address);
    ending.defer(() => database.destroy());
    const [done, missing] = await database.migrate.list();
    expect([done.length, missing]).toEqual([1, []]);
  });
});

describe('a demo without --database', () => {
  const demo = 'product-passport serve --demo';
  let folder = '';
  beforeEach(async () => {
    folder = newFolder();
    process.chdir(folder);
  });
  afterEach(() => process.chdir(root));

  const startProcess = (line: string, ready: RegExp) => start(`${demo} ${line}`, ready, {}, folder);

  test('is created again by the next start, even after a kill', async () => {
    const keys: string[] = [];
    for (const begin of [startProcess, (line: string, ready: RegExp) => serveHere(`${demo} ${line}`, ready)]) {
      const program = await begin('--port 0', /Ready in/);
      running.push(program);
      keys.push(/ppk_\S+/.exec(program.said())?.[0] ?? '');
      const listed = await runHere(`product-passport tenant list --json --database ${folder}/demo.sqlite`);
      expect(JSON.parse(listed.stdout).items).toHaveLength(3);
      await program.stop('SIGKILL');
    }
    expect(new Set(keys).size).toBe(2);
  });

  test('that is started several times at once runs once', async () => {
    const line = '--json --port 0';
    const starts = await Promise.allSettled([
      startProcess(line, /\}\n/),
      startProcess(line, /\}\n/),
      serveHere(`${demo} ${line}`, /\}\n/),
    ]);
    const [first, ...more] = starts.filter((each) => each.status === 'fulfilled').map(({ value }) => value);
    running.push(...[first, ...more].filter((each) => each !== undefined));
    expect(more).toEqual([]);
    const { base_url, tenants } = announcement(first?.said() ?? '');
    const headers = { authorization: `Bearer ${tenants[0].api_key}`, 'content-type': 'application/json' };
    const written = await fetch(`${base_url}/products`, { method: 'POST', headers, body: '{"name":"Tasse"}' });
    expect(written.status).toBe(200);
    for (const each of starts) if (each.status === 'rejected') expect(String(each.reason)).toMatch(/is in use/);
  });

  test('is not filled if the port is in use, so that no key is lost', async () => {
    const port = await freePort();
    const other = await serve(`--database :memory: --port ${port}`);
    expect(other.said()).toContain('Start with --demo, or name a file');
    const file = join(directory, 'unfilled.sqlite');
    expect(await runHere(`product-passport serve --demo --port ${port} --database ${file}`)).toMatchObject({
      code: 1,
      stderr: `product-passport: port ${port} is in use. Choose another one with --port, or use --port 0 for any free port.\n`,
    });
    const listed = await runHere(`product-passport tenant list --json --database ${file}`);
    expect(JSON.parse(listed.stdout)).toEqual({ items: [] });
  });
});

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
  expect(await command('tenant list')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('shop'),
    stderr: '',
  });
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

test.each(databaseKinds)('tenants, keys, tokens and products on %s are listed whole, in their order', async (kind) => {
  const address = await newMigratedDatabase(kind);
  const count = 1001;
  const database = await openDatabase(address);
  const created_at = new Date().toISOString();
  const newIds = (): string[] => Array.from({ length: count }, () => randomUUID()).toSorted();
  const ids = newIds();
  const [tenant_id = ''] = ids;
  const rows = {
    tenants: ids.map((id) => ({ id, slug: id, name: 'Name', country: 'DE', language: 'de', plan: 'starter' })),
    api_keys: newIds().map((id) => ({ tenant_id, id, hash: id, label: '', scope: 'edit' })),
    access_tokens: newIds().map((id) => ({ tenant_id, id, role: 'inspector', kid: 'x', expires_at: created_at })),
  };
  for (const [table, all] of Object.entries(rows)) {
    const complete = all.map((row) => ({ ...row, created_at }));
    await database.batchInsert(table, complete, 100);
  }
  await database.destroy();

  const list = async (line: string): Promise<{ id: string }[]> => {
    const { code, stdout } = await runHere(`product-passport ${line} --json`, {
      PRODUCT_PASSPORT_DATABASE: address,
    });
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
  await runHere(`product-passport demo fill --products ${count} --database ${address}`);
  const products = (await list('product list --tenant many')) as unknown as { name: string }[];
  const numbers = products.map(({ name }) => Number(name.split(' ').at(-1)));
  expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1));
});

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
      for (const { code, stdout, stderr } of refusals) {
        expect([code, stdout]).toEqual([1, '']);
        expect(stderr).toMatch(
          /^\{"error":\{"message":"the database [^\n]+ was created by an older version [^\n]+"\}\}\n$/,
        );
        expect(stderr).toContain(`Back it up, then run ${commandHint('migrate', address)}.`);
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

test('a database without tables on PostgreSQL: commands print the command to run, and `migrate` creates the tables', async () => {
  const variable = { PRODUCT_PASSPORT_DATABASE: await newDatabase('PostgreSQL') };
  const create = "product-passport tenant create shop --name 'Shop' --country DE";
  const refused = await runHere(create, variable);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    /has no tables of this program yet, or not in the schemas that this user may read\. Create them with `product-passport migrate` with the same database address\.\n$/,
  );
  const made = await runHere('product-passport migrate --json', variable);
  expect(JSON.parse(made.stdout)).toEqual({ migrations: ['0001_tables'] });
  expect(await runHere(create, variable)).toMatchObject({ code: 0 });
});

test('a program that waits until PostgreSQL has the migrations sees them, as after `migrate --distribute`', async () => {
  const address = await newMigratedDatabase('PostgreSQL');
  const database = await openDatabase(address);
  ending.defer(() => database.destroy());
  const rows = await database('migrations').select();
  const whileLocked = async <Result>(read: () => Promise<Result>): Promise<Result> => {
    await database('migrations').delete();
    const transaction = await database.transaction();
    await transaction.raw('LOCK TABLE migrations');
    await transaction('migrations').insert(rows);
    const result = read();
    await untilBlocked(result, transaction);
    await transaction.commit();
    return result;
  };
  const status = await whileLocked(() => runHere(`product-passport migrate --status --database ${address}`));
  expect(status.stdout).toMatch(/^0001_tables +\d{4}-/m);
  // It would be refused without the migrations.
  await (await whileLocked(() => openDatabase(address, { migrate: 'none', unlimited: true }))).destroy();
});

describe('`migrate --distribute` without Citus', () => {
  const distribute = (address: string, more = '') =>
    runHere(`product-passport migrate --distribute ${more}`, { PRODUCT_PASSPORT_DATABASE: address });

  test.each([
    ['SQLite', / cannot be spread: only PostgreSQL can\. See docs\/explanation\/scale\.md\.$/m],
    [
      'PostgreSQL',
      / cannot be spread: it has no extension citus\. Install it on each node as docs\/explanation\/scale\.md /,
    ],
  ] as const)('says on %s what is missing, and changes nothing', async (kind, sentence) => {
    const address = await newDatabase(kind);
    if (kind === 'SQLite') await writeFile(address, '');
    const { stderr, ...outcome } = await distribute(address, '--shards 16');
    expect(outcome).toEqual({ code: 1, stdout: '' });
    expectOneLine(stderr, sentence);
    expect([...(await columnsOf(address)).keys()]).toEqual([]);
  });

  test('takes `--shards` only together', async () => {
    const alone = await runHere('product-passport migrate --shards 16', { PRODUCT_PASSPORT_DATABASE: 'none.sqlite' });
    expect(alone).toEqual({ code: 2, stdout: '', stderr: 'product-passport: --shards needs --distribute.\n' });
  });
});

/** The tables and the foreign keys of a PostgreSQL, as its catalogue has them. */
async function catalogueOf(database: Database): Promise<{ tables: string[]; keys: string[] }> {
  const { rows } = await database.raw(
    "SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS key FROM pg_constraint WHERE contype = 'f'",
  );
  return {
    tables: (await database('pg_tables').where({ schemaname: 'public' }).pluck('tablename')).sort(),
    keys: rows.map(({ key }: { key: string }) => key).sort(),
  };
}

/** The table of each statement that spreads one. */
function spreadIn(plan: string[]): string[] {
  return plan.flatMap((sql) => /^SELECT create_\w+\('(\w+)'/.exec(sql)?.[1] ?? []).sort();
}

describe('the statements that spread the tables', () => {
  test('name every table, and take each foreign key away until both of its tables are spread', async () => {
    const database = await openDatabase(await newMigratedDatabase('PostgreSQL'));
    ending.defer(() => database.destroy());
    const { tables, keys } = await catalogueOf(database);
    const plan = await spreadingPlan();
    expect(spreadIn(plan)).toEqual(tables);
    // Citus needs one to move a shard that is being written.
    const { rows } = await database.raw(
      "SELECT conrelid::regclass::text AS table FROM pg_constraint WHERE contype = 'p'",
    );
    expect(rows.map((row: { table: string }) => row.table)).toEqual(expect.arrayContaining(tables));
    expect(
      plan.map((sql) => /^SELECT (?:create|truncate)| (?:add|drop) constraint |SET LOGGED/.exec(sql)?.[0]),
    ).toEqual([
      ...keys.map(() => ' drop constraint '),
      'SET LOGGED',
      ...tables.map(() => 'SELECT create'),
      ...tables.map(() => 'SELECT truncate'),
      ...keys.map(() => ' add constraint '),
    ]);
    // Without the statements of Citus, the others leave the catalogue as it was.
    const [drops, adds] = [' drop constraint ', ' add constraint '].map((words) =>
      plan.filter((sql) => sql.includes(words)),
    );
    for (const sql of drops ?? []) await database.raw(sql);
    expect((await catalogueOf(database)).keys).toEqual([]);
    for (const sql of adds ?? []) await database.raw(sql);
    expect((await catalogueOf(database)).keys).toEqual(keys);
  });

  test('come from every migration, and lack only a table that does not say what it is', async () => {
    const up = async (knex: Database): Promise<void> => {
      const product: Parameters<typeof createTable>[3] = (table) => {
        textColumns(knex).texts(table, 'tenant_id', 'product_id');
        table.foreign(['tenant_id', 'product_id']).references(['tenant_id', 'id']).inTable('products');
      };
      await createTable(knex, 'made_up', 'tenant_id', product);
      await knex.schema.createTable('undeclared', product);
    };
    await asNextVersion(async () => {
      const database = await openDatabase(await newDatabase('PostgreSQL'));
      ending.defer(() => database.destroy());
      const { tables, keys } = await catalogueOf(database);
      const plan = await spreadingPlan();
      expect(spreadIn(plan)).toContain('made_up');
      expect(tables.filter((table) => !spreadIn(plan).includes(table))).toEqual(['undeclared']);
      expect(plan.filter((sql) => sql.includes(' add constraint '))).toHaveLength(keys.length);
    }, up);
  });
});
