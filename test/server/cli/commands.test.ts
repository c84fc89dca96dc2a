import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { commandLine } from '../../../server/src/database/address.ts';
import { openDatabase } from '../../../server/src/index.ts';
import { createProduct } from '../../../server/src/lifecycle/create.ts';
import { writePassport } from '../../../server/src/passports/write.ts';
import { templateOf } from '../../../server/src/templates/catalogue.ts';
import { createKey } from '../../../server/src/tenants/keys.ts';
import { findTenant, insertTenant, type Tenant } from '../../../server/src/tenants/store.ts';
import { type Outcome, runHere, serveHere } from '../../support/command.ts';
import { run } from '../../support/program.ts';

let directory = '';
let database = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'commands-'));
  database = join(directory, 'shop.sqlite');
  await command("tenant create my-shop --name 'My Shop' --country de");
});
afterAll(async () => {
  await rm(directory, { recursive: true });
});

function command(line: string, environment: Record<string, string> = {}): Promise<Outcome> {
  return runHere(`product-passport ${line}`, { PRODUCT_PASSPORT_DATABASE: database, ...environment });
}

test('an error has the name of the program in front, and is one JSON document with --json', async () => {
  const named = await command('tenant creat x');
  expect(named).toMatchObject({ code: 2, stdout: '' });
  expect(named.stderr).toMatch(
    /^product-passport: there is no command tenant creat\. Did you mean create\?\nRun the command/,
  );
  const failed = await command('product activate none --tenant nobody --json');
  expect(failed).toMatchObject({ code: 1, stdout: '' });
  expect(failed.stderr.split('\n')).toHaveLength(2);
  expect(JSON.parse(failed.stderr)).toEqual({
    error: { message: expect.stringMatching(/^there is no tenant nobody\./) },
  });
});

test.each(['', 'tenant', 'product image'])('"%s" alone is a wrong command line, and prints the help', async (line) => {
  const { code, stdout, stderr } = await command(line);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`Usage: ${`product-passport ${line}`.trim()} [options] [command]`);
});

async function json(line: string) {
  const outcome = await command(`${line} --json`);
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(outcome.stdout.trim().split('\n')).toHaveLength(1);
  return JSON.parse(outcome.stdout);
}

describe('tenant', () => {
  test('create stores the country in upper case', async () => {
    expect(await json("tenant create other-shop --name 'Ändere Läden' --country fr --plan business")).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      slug: 'other-shop',
      name: 'Ändere Läden',
      country: 'FR',
      language: 'fr',
      plan: 'business',
    });
    const { items } = await json('tenant list');
    expect(items.map(({ slug }: { slug: string }) => slug)).toEqual(['my-shop', 'other-shop']);
  });

  test.each([
    ["create my-shop --name 'Again' --country DE", 1, /the tenant my-shop already exists/],
    ["create My-Shop --name 'X' --country DE", 2, /: <tenant> is "My-Shop"\. Use a to z/],
    ["create ok --name ' ' --country DE", 2, /--name/],
    ["create ok --name 'X' --country Germany", 2, /: --country is "Germany"\. Use two letters/],
    [
      "create ok --name 'X' --country DE --plan gold",
      2,
      /: --plan is "gold"\. Use one of: starter, business, enterprise/,
    ],
    ["create ok --name 'X' --country DE --plan busines", 2, /enterprise\. Did you mean business\?\n/],
    ['create', 2, /: tenant create needs <tenant>, --name <name>, --country <code>\.\n/],
    ['brand my-shop --color gren', 2, /slate\. Did you mean green\?\n/],
    ["create ok --name 'X'", 2, /: tenant create needs --country <code>\.\n/],
    ["create --name 'X' --country DE", 2, /: tenant create needs <tenant>\.\n/],
    ['delete my-shop', 2, /: there is no command tenant delete\.\n/],
  ])('%s fails with exit code %i and a clear message', async (line, code, message) => {
    const outcome = await command(`tenant ${line}`);
    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(outcome.stderr).toMatch(message);
    expect(outcome.stderr).not.toMatch(/^ {4}at /m);
  });
});

test.each([
  ['template show cabel', /List the product groups with `product-passport template list`\. Did you mean cable\?\n/],
  [
    'product create cup --name Cup --product-group textil',
    /: --product-group is "textil"\. Use one of: .*\. Did you mean textile\?\n/,
  ],
  ['registry set cup redy', /: <status> is "redy"\. Use one of: .*\. Did you mean ready\?\n/],
  ['product image set cup none.png', /the file none\.png does not exist\. Name a PNG, JPEG or WebP file\.\n$/],
  ['tenant brand my-shop --logo package.json', /package\.json is not a PNG, JPEG or WebP file\. Save the picture /],
  ['serve --log-level wran', /--log-level is "wran"\. Use one of: .*\. Did you mean warn\?\n/],
  [
    'version withhold cup 1',
    /Version 1 of cup would no longer be public\. This cannot be undone\. Add --yes if you want it\.\n$/,
  ],
])('%s fails with exit code 2 and says what to use', async (line, message) => {
  const outcome = await command(line);
  expect(outcome).toMatchObject({ code: 2, stdout: '' });
  expect(outcome.stderr).toMatch(message);
});

test('a server stores its public address, which commands then use; serve --demo leaves data alone and says so', async () => {
  const address = join(directory, 'served.sqlite');
  const served = (line: string) => command(`${line} --database ${address}`);
  await served("tenant create shop --name 'Shop' --country DE");
  await served('product create cup --name Cup --gtin 9520001000010');
  expect(await served('carrier add cup --type qr')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Add --site-url, or start the server with --site-url once.'),
  });
  const start = async (site: string) => {
    const line = `product-passport serve --demo --port 0 --site-url ${site} --database ${address}`;
    const server = await serveHere(line, /Ctrl\+C/);
    await server.stop();
    return server;
  };
  const first = await start('https://passport.example');
  expect(first.said()).toContain('It has data already, so --demo loaded nothing.');
  expect(first.logged()).toBe('');
  expect((await served('carrier add cup --type qr')).stdout).toContain('https://passport.example/01/09520001000010');
  expect((await served('product show cup')).stdout).toContain('https://passport.example/01/09520001000010');
  expect((await start('https://other.example')).logged()).toContain('--site-url was https://passport.example before');
  const key = JSON.parse((await served('key create --json')).stdout);
  const silent = await serveHere(`product-passport serve --port 0 --database ${address}`, /Ctrl\+C/);
  await silent.stop();
  const warning =
    /The database has https:\/\/other\.example; this start uses http:\/\/127\.0\.0\.1:\d+\. Add --site-url https:/g;
  expect(silent.logged().match(warning)).toHaveLength(1);
  expect(silent.said()).not.toContain('key create');
  await served(`key revoke ${key.id}`);
  const revoked = await serveHere(`product-passport serve --port 0 --database ${address}`, /Ctrl\+C/);
  await revoked.stop();
  expect(revoked.said()).toContain('  product-passport key create --tenant shop --database ');
  const own = await served('carrier list cup --site-url https://own.example');
  expect(own.stdout).toContain('https://own.example/01/');
});

describe('key', () => {
  test('create shows the key; list and revoke do not', async () => {
    const made = await json('key create --tenant my-shop --label inventory');
    expect(made).toMatchObject({ key: expect.stringMatching(/^ppk_[\w-]{43}$/), label: 'inventory', revoked_at: null });
    const listed = await command('key list --tenant my-shop');
    expect(listed.stdout).toContain(made.id);
    expect(listed.stdout).not.toContain(made.key);
    const revoked = await json(`key revoke ${made.id} --tenant my-shop`);
    expect(revoked.revoked_at).toMatch(/Z$/);
    expect(await json(`key revoke ${made.id} --tenant my-shop`)).toEqual(revoked);
  });

  test.each([
    [
      'create',
      2,
      /there are several tenants\. Name one with --tenant or PRODUCT_PASSPORT_TENANT: my-shop, other-shop\.\n/,
    ],
    ["create --tenant 'My Shop'", 2, /: --tenant is "My Shop"\. Use a to z/],
    [
      'create --tenant nobody',
      1,
      /there is no tenant nobody\. List the tenants with `product-passport tenant list --database /,
    ],
    ['revoke 123 --tenant my-shop', 2, /Use an id/],
    [
      'revoke 01900000-0000-7000-8000-000000000000 --tenant my-shop',
      1,
      /the tenant my-shop has no API key 01900000-0000-7000-8000-000000000000\./,
    ],
  ])('%s fails with exit code %i and a clear message', async (line, code, message) => {
    const outcome = await command(`key ${line}`);
    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(outcome.stderr).toMatch(message);
  });

  test('the tenant may be in the environment, or the only one; the audit trail names it', async () => {
    const named = { PRODUCT_PASSPORT_TENANT: 'other-shop' };
    expect(await command('key create --label env', named)).toMatchObject({ code: 0 });
    expect((await command('key list --tenant other-shop')).stdout).toContain('env');
    const address = join(directory, 'alone.sqlite');
    const alone = (line: string) => command(`${line} --database ${address}`);
    await alone("tenant create first --name 'First' --country DE");
    expect(await alone('key create --label only')).toMatchObject({ code: 0 });
    expect((await alone('audit')).stdout).toMatch(/ key create --tenant first --label only$/m);
    expect((await alone('product show none')).stderr).toContain('the tenant first has no product none.');
    // No command picks one of several.
    await alone("tenant create second --name 'Second' --country DE");
    expect(await alone('key create')).toMatchObject({ code: 2 });
    expect(JSON.parse((await alone('key list --tenant second --json')).stdout).items).toEqual([]);
  });

  test('a key of another tenant cannot be revoked', async () => {
    await command("tenant create third-shop --name 'Third' --country PL");
    const made = await json('key create --tenant my-shop');
    expect(await command(`key revoke ${made.id} --tenant third-shop`)).toMatchObject({ code: 1 });
    const { items } = await json('key list --tenant my-shop');
    expect(items.find(({ id }: { id: string }) => id === made.id)).toMatchObject({ revoked_at: null });
  });
});

describe('product', () => {
  const demo = () => ({ PRODUCT_PASSPORT_DATABASE: join(directory, 'demo.sqlite') });

  beforeAll(async () => {
    const filled = await serveHere('product-passport serve --demo --json --port 0', /\}\n/, demo());
    await filled.stop();
  });

  test('list prints all products, or those with one status', async () => {
    const list = async (line: string) =>
      JSON.parse((await command(`product list --tenant nordlicht --json ${line}`, demo())).stdout).items;
    expect(await list('')).toHaveLength(15);
    expect(await list('--status draft')).toMatchObject([{ slug: 'waschmittel-meeresbrise', completeness: 55 }]);
    expect(await command('product list --tenant nordlicht --status new', demo())).toMatchObject({ code: 2 });
  });

  test('activate and archive change the status, and refuse the status that a product already has', async () => {
    const move = (line: string) => command(`product ${line} --tenant nordlicht`, demo());
    expect(await move('archive thermobecher-kaje')).toMatchObject({
      code: 0,
      stdout: 'thermobecher-kaje is now archived.\n',
    });
    const again = await move('archive thermobecher-kaje');
    expect(again).toMatchObject({ code: 1 });
    expect(again.stderr).toContain('thermobecher-kaje is already archived.');
    expect(await move('activate thermobecher-kaje')).toMatchObject({ code: 0 });
    const unknown = await move('activate no-such');
    expect(unknown).toMatchObject({ code: 1 });
    expect(unknown.stderr).toContain('nordlicht has no product no-such.');
  });

  test('activate takes many slugs, a file and --all-complete, and prints one result a line', async () => {
    const activate = (line: string) => command(`product activate ${line} --tenant nordlicht`, demo());
    for (const slug of ['thermobecher-kaje', 'notebook-werkbank-14']) {
      await command(`product archive ${slug} --tenant nordlicht`, demo());
    }
    const file = join(directory, 'slugs.txt');
    await writeFile(file, 'notebook-werkbank-14\r\n\n  thermobecher-kaje\n');
    const many = await activate(`thermobecher-kaje no-such --file ${file}`);
    expect({ ...many, stdout: many.stdout.split('\n') }).toEqual({
      code: 1,
      stdout: [
        'thermobecher-kaje is now active.',
        expect.stringMatching(/^no-such failed: the tenant nordlicht has no product no-such\./),
        'notebook-werkbank-14 is now active.',
        '',
      ],
      stderr: expect.stringMatching(
        /lacks 1 required field .*\nproduct-passport: not activated: 1 of 3 products\. .*\n$/s,
      ),
    });
    const lines = (await activate('thermobecher-kaje no-such --json')).stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { slug: 'thermobecher-kaje', ok: false, error: expect.stringContaining('already active') },
      { slug: 'no-such', ok: false, error: expect.stringContaining('no product no-such') },
    ]);

    expect(await activate('--all-complete')).toMatchObject({ code: 0, stdout: expect.stringContaining('no complete') });
    const knex = await openDatabase(demo().PRODUCT_PASSPORT_DATABASE);
    const tenant = await findTenant(knex, 'nordlicht');
    const keys = templateOf('detergent').fields.filter(({ required }) => required);
    const values = keys.map(({ key: field_key, access_level }) => ({ field_key, value: 'x', access_level }));
    await writePassport({ database: knex, now: () => new Date() }, tenant as Tenant, 'waschmittel-meeresbrise', values);
    await knex.destroy();
    expect(await activate('--all-complete')).toMatchObject({
      code: 0,
      stdout: 'waschmittel-meeresbrise is now active.\n',
    });
    expect(await activate('')).toMatchObject({ code: 2, stderr: expect.stringContaining('no product is named.') });
    expect(await activate('--file /no/such')).toMatchObject({ code: 2, stderr: expect.stringContaining('/no/such') });
  });

  test('activate names the product that takes the link of an item, and says nothing of an item with its own', async () => {
    const knex = await openDatabase(demo().PRODUCT_PASSPORT_DATABASE);
    const tenant = (await findTenant(knex, 'nordlicht')) as Tenant;
    const services = { database: knex, now: () => new Date(), urnNamespace: 'dpp' };
    const serials = { model: undefined, 'item-1': 'SN-1', 'item-2': 'SN-2', twin: 'SN-1' };
    for (const [slug, value] of Object.entries(serials)) {
      await createProduct(services, tenant, { name: slug, slug, gtin: '9520001999993' });
      if (value) await writePassport(services, tenant, slug, [{ field_key: 'serial_number', value }]);
    }
    await knex.destroy();
    const warningsOf = async (slug: string, more = '') => {
      const { stderr } = await command(`product activate ${slug} ${more} --tenant nordlicht`, demo());
      return stderr.split('\n').filter((line) => line.includes('the link of'));
    };
    expect([await warningsOf('model'), await warningsOf('item-1'), await warningsOf('item-2', '--dry-run')]).toEqual([
      ...[[], [], []],
    ]);
    expect(await warningsOf('twin')).toEqual([
      'Warning: the link of the GTIN 9520001999993 with the serial number SN-1 leads to nordlicht/item-1, which was activated first.',
    ]);
  });

  test('activate refuses a GTIN that is active under another tenant, unless --share-gtin is given', async () => {
    const knex = await openDatabase(demo().PRODUCT_PASSPORT_DATABASE);
    const tenant = await findTenant(knex, 'atelier-lumiere');
    if (!tenant) throw new Error('The demo has no such tenant.');
    const services = { database: knex, now: () => new Date(), urnNamespace: 'dpp' };
    await createProduct(services, tenant, { name: 'Copy', gtin: '09520001000072' });
    await knex.destroy();

    const activate = (line: string) => command(`product activate copy --tenant atelier-lumiere ${line}`, demo());
    expect(await activate('')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(
        'product-passport: copy was not activated: its GTIN 09520001000072 is already active as ' +
          "nordlicht/usb-c-kabel-240-w-2-m, another tenant's product. To activate it anyway, add --share-gtin.\n",
      ),
    });
    const { code, stdout, stderr } = await activate('--share-gtin --json');
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ slug: 'copy', status: 'active' })]);
    expect(stderr).toContain(
      '\nWarning: the link of the GTIN 09520001000072 leads to nordlicht/usb-c-kabel-240-w-2-m, which was activated first.\n',
    );
    const owner = await command('product archive usb-c-kabel-240-w-2-m --tenant nordlicht', demo());
    expect(owner).toMatchObject({ code: 0 });
    const again = await command('product activate usb-c-kabel-240-w-2-m --tenant nordlicht --share-gtin', demo());
    expect(again).toEqual({ code: 0, stdout: 'usb-c-kabel-240-w-2-m is now active.\n', stderr: '' });
  });
});

describe('a name with terminal control characters', () => {
  const name = '\x1b[31mRot\x1b]0;Titel\x07\r\nneu\x9b2J\x7f\u202eabc\u2066\u061c\u2028';
  const shown = '\\x1b[31mRot\\x1b]0;Titel\\x07\\x0d\\x0aneu\\x9b2J\\x7f\\u202eabc\\u2066\\u061c\\u2028';
  const hostile = () => join(directory, 'hostile.sqlite');

  beforeAll(async () => {
    const knex = await openDatabase(hostile());
    const now = () => new Date();
    const tenant = await insertTenant(knex, { slug: 'my-shop', name, country: 'DE', plan: 'starter' }, now());
    if (!tenant) throw new Error('The tenant is there already.');
    for (const each of [name, 'Tasse ☕ für كوب'])
      await createProduct({ database: knex, now, urnNamespace: 'dpp' }, tenant, { name: each, slug: 'tasse' });
    await createKey(knex, tenant.id, name, now());
    await knex.destroy();
  });

  test.each(['tenant list', 'product list --tenant my-shop', 'key list --tenant my-shop'])(
    '%s prints it escaped, and unchanged as JSON',
    async (line) => {
      const { stdout } = await command(line, { PRODUCT_PASSPORT_DATABASE: hostile() });
      expect(stdout).toContain(shown);
      expect(stdout).not.toMatch(/[^\n\P{Cc}]|[\p{Bidi_Control}\u2028]/u);
      const { items } = JSON.parse((await command(`${line} --json`, { PRODUCT_PASSPORT_DATABASE: hostile() })).stdout);
      expect(items[0]).toMatchObject(line.startsWith('key') ? { label: name } : { name });
    },
  );

  test('other names are printed unchanged, in their column', async () => {
    const { stdout } = await command('product list --tenant my-shop', { PRODUCT_PASSPORT_DATABASE: hostile() });
    const [header = '', first = '', second = ''] = stdout.split('\n');
    expect(second).toContain('Tasse ☕ für كوب');
    expect([first.indexOf('\\x1b'), second.indexOf('Tasse')]).toEqual([header.indexOf('NAME'), header.indexOf('NAME')]);
  });
});

describe('the command line', () => {
  test('a command in a hint starts with npx if npx started the program', () => {
    const { npm_command } = process.env;
    process.env.npm_command = 'exec';
    try {
      expect(commandLine('tenant list', 'shop.sqlite')).toBe('npx product-passport tenant list --database shop.sqlite');
    } finally {
      process.env.npm_command = npm_command;
    }
    expect(commandLine('tenant list')).toBe('product-passport tenant list');
  });

  test('a mistyped name does not create a database', async () => {
    const file = join(directory, 'typo.sqlite');
    const outcome = await command('tenant list', { PRODUCT_PASSPORT_DATABASE: file });
    expect(outcome).toMatchObject({ code: 1 });
    expect(outcome.stderr).toContain(`the database file ${file} does not exist`);
    expect(existsSync(file)).toBe(false);
  });

  test('an unreachable PostgreSQL server gives a clear message', async () => {
    const outcome = await command('tenant list --database postgres://nobody@127.0.0.1:1/none');
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(/not available: connect ECONNREFUSED 127\.0\.0\.1:1\. Check that it is running/);
  });

  test('every command has help', async () => {
    for (const line of ['', 'serve', 'tenant', 'tenant create', 'key', 'key revoke', 'product', 'product activate']) {
      const outcome = await command(`${line} --help`);
      expect(outcome).toMatchObject({ code: 0, stderr: '' });
      expect(outcome.stdout).toMatch(/^Usage: product-passport/);
    }
  });
});

test('an export whose reader ends says so, and fails', async () => {
  const file = join(directory, 'many.sqlite');
  await command(`demo fill --products 500 --database ${file}`);
  const line = `${process.execPath} server/src/cli/main.ts export --tenant many --database ${file}`;
  expect(await run(`${line} | head -c 1; exit "\${PIPESTATUS[0]}"`)).toEqual({
    code: 1,
    stdout: '{',
    stderr: 'product-passport: the program that read the export ended, so the export was stopped.\n',
  });
});

test('a terminal gets colours and a total; with NO_COLOR and in a pipe there are none', async () => {
  // A terminal of Python's standard library.
  const onTerminal = async (line: string, environment = {}) => {
    const program = `${process.execPath} server/src/cli/main.ts ${line}`;
    // No variable of the surroundings counts: CI, NO_COLOR and FORCE_COLOR also decide about colours.
    const given = { TERM: 'xterm', PATH: '"$PATH"', PRODUCT_PASSPORT_DATABASE: database, ...environment };
    const settings = Object.entries(given).map(([name, value]) => `${name}=${value}`);
    const terminal = `python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' ${program}`;
    const { stdout } = await run(`env -i ${settings.join(' ')} ${terminal}`);
    return stdout.replaceAll('\u001b', 'ESC').replaceAll('\r', '');
  };
  await command("tenant create terminal-shop --name 'Terminal' --country DE");
  expect(await onTerminal('tenant list')).toMatch(/^ESC\[1mSLUG .*ESC\[22m\n.*\n\n\d+ in total\n$/s);
  expect(await onTerminal('tenant show none')).toMatch(/^ESC\[31mproduct-passport:ESC\[39m there is no/);
  expect(await onTerminal('tenant list', { NO_COLOR: '1' })).toMatch(/^SLUG [^[]* in total\n$/);
  expect((await command('tenant list')).stdout).toMatch(/^SLUG [^[]*-\n$/);
});

test('a terminal gets tables and sentences in its width, with whole cells in their columns; a pipe gets long lines', async () => {
  const show = `${process.execPath} server/src/cli/main.ts template show battery`;
  const { stdout } = await run(`script -qec 'stty cols 100; ${show}' /dev/null`, { NO_COLOR: '1' });
  const lines = stripVTControlCharacters(stdout).replaceAll('\r', '').split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
  const piped = (await command('template show battery')).stdout;
  expect(lines.join('').replaceAll(/\s/g, '')).toHaveLength(piped.replaceAll(/\s/g, '').length);
  const at = lines.findIndex((line) => line.startsWith('warranty_months'));
  const columns = [0, ...['TYPE', 'REQUIRED', 'POINT'].map((name) => lines[2]?.indexOf(name))];
  const cells = columns.map((from, index) =>
    [lines[at], lines[at + 1]].map((line) => line?.slice(from, columns[index + 1]).trim()).join(' '),
  );
  expect(cells.slice(0, 3)).toEqual(['warranty_months ', 'whole number,', 'conditional ']);
  expect(Math.max(...piped.split('\n').map(({ length }) => length))).toBeGreaterThan(150);
  // A terminal that does not say how wide it is.
  const unknown = await run(`script -qec 'stty cols 0; ${show}' /dev/null`, { NO_COLOR: '1' });
  expect(unknown.stdout.replaceAll('\r', '')).toBe(piped);
});
