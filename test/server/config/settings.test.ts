/** `product-passport config`, the table of settings, and the start before its database. */

import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { server as createHapi } from '@hapi/hapi';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadProgram } from '../../../server/src/cli/program.ts';
import { hostAddress, readText } from '../../../server/src/config/formats.ts';
import {
  optionOf,
  readConfiguration,
  type SettingName,
  settingNames,
  settings,
  variableOf,
} from '../../../server/src/config/settings.ts';
import { connect } from '../../../server/src/database/connection.ts';
import { createApp, openDatabase } from '../../../server/src/index.ts';
import { runHere, type Serving, serveHere } from '../../support/command.ts';
import { newPostgresDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';
import { announcement, freePort, root, run } from '../../support/program.ts';

const createProgram = await loadProgram();
type Program = ReturnType<typeof createProgram>;

test('what config prints is a valid configuration', async () => {
  const { stdout } = await runHere('product-passport config --json');
  const rows: { name: string; value: string | null }[] = JSON.parse(stdout).settings;
  expect(rows.map(({ name }) => name)).toEqual(settingNames);
  const read = readConfiguration((name) => {
    const text = rows.find((row) => row.name === name)?.value;
    return typeof text === 'string' ? { text, source: optionOf(name) } : undefined;
  });
  expect(read.values).toEqual(readConfiguration(() => undefined).values);
});

describe('an address to listen on', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    [' localhost ', 'localhost'],
    ['shop-1.example', 'shop-1.example'],
    ['[::1]', '::1'],
    ['0:0:0:0:0:0:0:0', '::'],
  ])('%s is %s, which Hapi accepts', (text, host) => {
    expect(readText(hostAddress, text)).toEqual({ value: host });
    expect(createHapi({ host }).settings.host).toBe(host);
  });

  test.each([
    ...[
      '*',
      'my_service',
      'http://127.0.0.1',
      '127.0.0.1:3000',
      '[::1]:3000',
      '1.2.3',
      'a..b',
      'fe80::1%eth0',
      '::1/64',
    ],
    ...['x'.repeat(64), `x${'.x'.repeat(130)}`],
  ])('%s is refused by every command, with the name of the setting', async (text) => {
    const sentence =
      `is "${text}". Use an address or a host name of this machine without a scheme or a port, for example 127.0.0.1, ` +
      'or 0.0.0.0 for all addresses.\n';
    for (const words of ['config --host', 'serve --host', 'config --admin-host', 'serve --admin-host']) {
      const refused = await runHere(`product-passport ${words} ${text}`);
      expect(refused).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
      expect(refused.stderr).toContain(`product-passport: ${words.split(' ')[1]} `);
    }
  });
});

test('the docstrings of createApp and openDatabase have the defaults of the settings', async () => {
  const files = ['app.ts', 'database/connection.ts'].map((file) => join(root, 'server/src', file));
  const source = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('');
  const options = Array.from(source.matchAll(/\/\*\*((?:[^*]|\*(?!\/))*)\*\/\n {2}(\w+)\?:/g))
    .map(([, text = '', name]) => ({ name: name as SettingName, value: /Default `?([\w.,]*\w)/.exec(text)?.[1] }))
    // A program that embeds the server gets any free port.
    .filter(({ name }) => name in settings && name !== 'port');
  const shown = (name: SettingName) => settings[name].default?.toLocaleString('en');
  expect(options).toEqual(options.map(({ name }) => ({ name, value: shown(name) })));
  expect(options.length).toBeGreaterThanOrEqual(15);
  const [head, body, keepAlive] = (['headTimeout', 'bodyTimeout', 'keepAlive'] as const).map(shown);
  expect(source).toContain(`Default ${head}, ${body} and ${keepAlive}.`);
});

test('a command that reads no setting does not load Joi', async () => {
  const loadsJoi = async (line: string): Promise<boolean> => {
    const { code, stderr } = await run(`node server/src/cli/main.ts ${line}`, { NODE_DEBUG: 'module' });
    expect(code).toBe(0);
    return stderr.includes('node_modules/joi/');
  };
  expect([await loadsJoi('config --port 1'), await loadsJoi('template list')]).toEqual([true, false]);
});

test('the server keeps idle connections for the keep-alive time, and has at most the given number', async () => {
  const database = await openDatabase(':memory:');
  const app = await createApp({ database, timeouts: { keepAlive: 71_000 }, maxConnections: 7 });
  expect(app.listener).toMatchObject({ keepAliveTimeout: 71_000, maxConnections: 7 });
  await app.start();
  const { headers } = await fetch(`http://127.0.0.1:${app.info.port}/01/1`);
  expect(headers.get('keep-alive')).toBe('timeout=71');
  await app.stop();
  await database.destroy();
});

test('head and body may each take as long as their settings allow', async () => {
  const database = await openDatabase(':memory:');
  const app = await createApp({ database, timeouts: { head: 3_600_000, body: 3_600_000 } });
  expect(app.listener).toMatchObject({ headersTimeout: 3_600_000 });
  // Node's own limit, for both together.
  expect((app.listener as Server).requestTimeout).toBeGreaterThan(7_200_000);
  await database.destroy();
});

test('the pool and the time limits of PostgreSQL follow the settings', async () => {
  const address = await newPostgresDatabase();
  const database = await openDatabase(address, { pool: 3, statementTimeout: 700, lockTimeout: 400 });
  expect(database.client.pool.max).toBe(3);
  const shown = async (name: string): Promise<unknown> => (await database.raw(`SHOW ${name}`)).rows[0][name];
  expect([await shown('statement_timeout'), await shown('lock_timeout')]).toEqual(['700ms', '400ms']);
  await expect(database.raw('SELECT pg_sleep(5)')).rejects.toMatchObject({ code: '57014' });
  await database.destroy();
});

describe('the environment', () => {
  /** A blank is invalid for each setting. */
  const wrong: Record<string, string> = {
    ...Object.fromEntries(settingNames.map((name) => [variableOf(name), ' '])),
    PORT: '65536',
    PRODUCT_PASSPORT_DATABASE: 'mysql://me:geheim@localhost/shop',
  };

  const directory = newFolder();
  let port = '';
  let environment: Record<string, string> = {};
  let server: Serving;

  beforeAll(async () => {
    port = String(await freePort());
    environment = {
      HOST: '127.0.0.1',
      PORT: port,
      PRODUCT_PASSPORT_DATABASE: join(directory, 'named.sqlite'),
      PRODUCT_PASSPORT_SITE_URL: 'https://passport.example.com',
      PRODUCT_PASSPORT_URN_NAMESPACE: 'acme',
    };
    server = await serveHere('product-passport serve --demo --json', /\}\n/, environment);
  });
  afterAll(async () => {
    await server.stop();
  });

  const local = (path: string): string => `http://127.0.0.1:${port}${path}`;

  test('every variable of every command is checked, and one message names all mistakes', async () => {
    const options = (command: Pick<Program, 'options' | 'commands'>): string[] => [
      ...command.options.flatMap(({ envVar }) => envVar ?? []),
      ...command.commands.flatMap(options),
    ];
    const found = new Set(options(createProgram()));
    // Not a setting of the server.
    expect(found.delete('PRODUCT_PASSPORT_TENANT')).toBe(true);
    expect([...found].sort()).toEqual(Object.keys(wrong).sort());

    const { code, stdout, stderr } = await runHere('product-passport serve', wrong);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const [summary, ...mistakes] = stderr.trimEnd().split('\n');
    expect(summary).toBe(`product-passport: the configuration has ${Object.keys(wrong).length} mistakes:`);
    expect(mistakes.map((line) => /^ {2}(\w+)/.exec(line)?.[1]).sort()).toEqual(Object.keys(wrong).sort());
    // Each says what to do. Only the address may hold a secret.
    for (const line of mistakes) expect(line).toMatch(/Use .+\.$/);
    expect(stderr).toContain('  PORT is "65536". Use a whole number from 0 to 65535.\n');
    expect(stderr).toContain('  PRODUCT_PASSPORT_DATABASE: the database address has an unknown scheme. Use');
    expect(stderr).not.toContain('geheim');
  });

  test('an option goes before its variable', async () => {
    const outcome = await runHere('product-passport serve --port 65537', { PORT: '65536' });
    expect(outcome.stderr).toContain('--port is "65537". Use a whole number from 0 to 65535.');
    expect(outcome.stderr).not.toContain('65536');
  });

  test('PORT and PRODUCT_PASSPORT_SITE_URL: where the server listens, and where it says that it is', async () => {
    expect(announcement(server.said())).toMatchObject({ base_url: 'https://passport.example.com/api/v1' });
    const { headers } = await fetch(local('/01/09520001000072'), { redirect: 'manual' });
    expect(headers.get('location')).toBe('https://passport.example.com/p/nordlicht/usb-c-kabel-240-w-2-m');
  });

  test('PRODUCT_PASSPORT_DATABASE and PRODUCT_PASSPORT_URN_NAMESPACE: where products are, and their identifiers', async () => {
    const database = connect(environment.PRODUCT_PASSPORT_DATABASE ?? '');
    const identifiers = await database('products').pluck('unique_product_identifier');
    await database.destroy();
    expect(identifiers.length).toBeGreaterThan(10);
    for (const identifier of identifiers) expect(identifier).toMatch(/^urn:acme:/);
  });

  test('UV_THREADPOOL_SIZE is 12 unless it is given, before the first thread starts', async () => {
    // On systems without /proc there is nothing to count.
    if (process.platform !== 'linux') return;
    const counter = join(directory, 'threads.cjs');
    await writeFile(
      counter,
      "process.on('exit', () => console.error('threads:', require('node:fs').readdirSync('/proc/self/task').length));",
    );
    const threads = async (given: Record<string, string>): Promise<number> => {
      const line = `product-passport tenant list --database ${join(directory, 'named.sqlite')}`;
      const { stderr } = await run(line, { ...given, NODE_OPTIONS: `--require=${counter}` });
      return Number(/threads: ([0-9]+)/.exec(stderr)?.[1]);
    };
    const five = await threads({ UV_THREADPOOL_SIZE: '5' });
    expect(five).toBeGreaterThan(5);
    expect(await threads({})).toBe(five + 7);
  });

  test('compiled modules are in a folder that only the user can write, and otherwise nowhere', async () => {
    const home = newFolder();
    const environment = { HOME: home, XDG_CACHE_HOME: '', TMPDIR: home };
    const version = async () => run('unset NODE_COMPILE_CACHE; product-passport --version', environment);
    const folder = join(home, '.cache/product-passport');
    expect(await version()).toMatchObject({ code: 0, stderr: '' });
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readdir(folder)).toHaveLength(1);
    expect(await readdir(home)).toEqual(['.cache']);

    await rm(folder, { recursive: true });
    await mkdir(folder);
    await chmod(folder, 0o777);
    expect(await version()).toMatchObject({ code: 0, stderr: '' });
    expect(await readdir(folder)).toEqual([]);
    // A read-only installation has no home.
    expect(
      await run('unset NODE_COMPILE_CACHE; product-passport --version', { ...environment, HOME: '/proc/1' }),
    ).toMatchObject({
      code: 0,
      stderr: '',
    });
  });
});
