/** `product-passport config`, the table of settings, and the start before its database. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parser } from '../../../server/src/cli/options.ts';
import { duration, type Format } from '../../../server/src/config/formats.ts';
import { readConfiguration, unknownVariables } from '../../../server/src/config/read.ts';
import { optionOf, settingNames, settings } from '../../../server/src/config/settings.ts';
import { createApp, openDatabase } from '../../../server/src/index.ts';
import { runHere } from '../../support/command.ts';
import { newPostgresDatabase } from '../../support/database.ts';
import { root, run } from '../../support/program.ts';

interface Row {
  name: string;
  value: string | null;
  source: string;
}

async function configured(line: string, environment: Record<string, string> = {}): Promise<Map<string, Row>> {
  const { code, stdout } = await runHere(`product-passport config --json ${line}`, environment);
  expect(code).toBe(0);
  const { settings: rows }: { settings: Row[] } = JSON.parse(stdout);
  return new Map(rows.map((row) => [row.name, row]));
}

test('a duration is shown with the largest unit that needs no fraction', () => {
  const { show } = duration('0s', '24h');
  expect([0, 1, 1500, 90_000, 120_000, 3_600_000].map(show)).toEqual(['0s', '1ms', '1500ms', '90s', '2m', '1h']);
});

test('config prints each value and its source, and hides the password', async () => {
  const environment = {
    PRODUCT_PASSPORT_DATABASE: 'postgres://me:geheim@db.example.com:5433/shop?password=geheim',
    PRODUCT_PASSPORT_KEEP_SCANS: '30',
    PRODUCT_PASSPORT_RATE_LIMIT: '60',
  };
  const rows = await configured('--rate-limit 600 --keep-alive 1.5m', environment);
  expect([...rows.keys()]).toEqual(settingNames);
  expect(rows.get('database')).toMatchObject({
    value: 'postgres://db.example.com:5433/shop',
    source: 'PRODUCT_PASSPORT_DATABASE',
  });
  expect(rows.get('rateLimit')).toMatchObject({ value: '600', source: '--rate-limit' });
  expect(rows.get('keepScans')).toMatchObject({ value: '30', source: 'PRODUCT_PASSPORT_KEEP_SCANS' });
  expect(rows.get('keepAlive')).toMatchObject({ value: '90s', source: '--keep-alive' });
  expect(rows.get('headTimeout')).toMatchObject({ value: '1m', source: 'default' });
  expect(rows.get('siteUrl')).toMatchObject({ value: null, source: 'default' });

  const text = await runHere('product-passport config', environment);
  expect(text.stdout).toMatch(/^--keep-scans +30 +PRODUCT_PASSPORT_KEEP_SCANS$/m);
  expect(text.stdout).toMatch(/^--site-url +\(the address that the server listens on\) +default$/m);
  expect(text.stdout + text.stderr).not.toContain('geheim');
});

test('what config prints is a valid configuration', async () => {
  const rows = await configured('');
  const read = readConfiguration((name) => {
    const text = rows.get(name)?.value;
    return typeof text === 'string' ? { text, source: optionOf(name) } : undefined;
  });
  expect(read.values).toEqual(readConfiguration(() => undefined).values);
});

test('a setting of two values is an option that may stand alone', async () => {
  expect((await configured('')).get('countScans')).toMatchObject({ value: 'true', source: 'default' });
  const environment = { PRODUCT_PASSPORT_COUNT_SCANS: 'false' };
  expect((await configured('', environment)).get('countScans')).toMatchObject({ value: 'false' });
  expect((await configured('--count-scans', environment)).get('countScans')).toMatchObject({
    value: 'true',
    source: '--count-scans',
  });
  expect((await configured('--count-scans false')).get('countScans')).toMatchObject({ value: 'false' });
  const wrong = await runHere('product-passport config', { PRODUCT_PASSPORT_COUNT_SCANS: 'yes' });
  expect(wrong).toMatchObject({
    code: 2,
    stderr: 'product-passport: PRODUCT_PASSPORT_COUNT_SCANS is "yes". Use true or false.\n',
  });
});

test('an unknown variable causes a warning with the nearest name', async () => {
  const environment = { PRODUCT_PASSPORT_RATELIMIT: '5', PRODUCT_PASSPORT_URL: 'x', PRODUCT_PASSPORT_KEY: 'x' };
  expect(unknownVariables(environment)).toEqual([
    'The environment variable PRODUCT_PASSPORT_RATELIMIT has no effect: no setting has this name. Did you mean PRODUCT_PASSPORT_RATE_LIMIT?',
  ]);
  expect(unknownVariables({ PRODUCT_PASSPORT_SOMETHING_ELSE_ALTOGETHER: '5' })[0]).toContain('Unset it.');
  const { code, stderr } = await runHere('product-passport config', environment);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('PRODUCT_PASSPORT_RATELIMIT') });
});

test.each([
  ['keepAlive', '1s', 1000],
  ['keepAlive', '1500ms', 1500],
  ['keepAlive', '0.5h', 1_800_000],
  ['keepAlive', '0s', undefined],
  ['keepAlive', '61m', undefined],
  ['keepAlive', '5', undefined],
  ['keepAlive', '1e3ms', undefined],
  ['stopTimeout', '0s', 0],
  ['logPublicSample', '0', 0],
  ['logPublicSample', '0.01', 0.01],
  ['logPublicSample', '1.0', 1],
  ['logPublicSample', '1.1', undefined],
  ['logPublicSample', '', undefined],
  ['redirectStatus', '302', 302],
  ['port', '0x10', undefined],
  ['siteUrl', 'https://passport.example.com/', 'https://passport.example.com'],
  ['siteUrl', 'https://passport.example.com/shop', undefined],
] as const)('%s reads %j as %j', async (name, text, value) => {
  const { format } = settings[name];
  const read = (): unknown => parser<unknown>(format as Format<unknown>)(text);
  if (value !== undefined) expect(read()).toBe(value);
  else expect(read).toThrow(/^Use /);
});

test('a command that reads no setting does not load Joi', async () => {
  const loadsJoi = async (line: string): Promise<boolean> => {
    const { code, stderr } = await run(`node server/src/cli/main.ts ${line}`, { NODE_DEBUG: 'module' });
    expect(code).toBe(0);
    return stderr.includes('node_modules/joi/');
  };
  expect([await loadsJoi('config'), await loadsJoi('template list')]).toEqual([true, false]);
});

test('the documented defaults of createApp and openDatabase are those of the settings', async () => {
  const app = await readFile(join(root, 'server/src/app.ts'), 'utf8');
  const database = await readFile(join(root, 'server/src/database/connection.ts'), 'utf8');
  const documented = (text: string, option: string): string[] => {
    const comment = new RegExp(`/\\*\\*([^/]*?)\\*/\\s+${option}\\?:`, 's').exec(text)?.[1] ?? '';
    const [, defaults = ''] = /Default (.*?)\.(?:\s|$)/s.exec(comment) ?? [];
    return defaults.replaceAll(/[`,](?=\d{3}|$)|`/g, '').split(/, | and /);
  };
  const pairs: [string, string, (string | number)[]][] = [
    [app, 'host', [settings.host.default]],
    [app, 'urnNamespace', [settings.urnNamespace.default]],
    [app, 'redirectStatus', [settings.redirectStatus.default]],
    [app, 'rateLimit', [settings.rateLimit.default]],
    [app, 'publicRateLimit', [settings.publicRateLimit.default]],
    [app, 'timeouts', [settings.headTimeout.default, settings.bodyTimeout.default, settings.keepAlive.default]],
    [app, 'maxConnections', [settings.maxConnections.default]],
    [app, 'maxRequests', [settings.maxRequests.default]],
    [app, 'tenantWrites', [settings.tenantWrites.default]],
    [app, 'trustProxy', [settings.trustProxy.default]],
    [app, 'countScans', [String(settings.countScans.default)]],
    [app, 'keepScans', [settings.keepScans.default]],
    [database, 'pool', [settings.databasePool.default]],
    [database, 'statementTimeout', [settings.statementTimeout.default]],
    [database, 'lockTimeout', [settings.lockTimeout.default]],
  ];
  for (const [text, option, defaults] of pairs) {
    expect([option, documented(text, option)]).toEqual([option, defaults.map(String)]);
  }
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

test('the pool and the time limits of PostgreSQL follow the settings', async () => {
  const address = await newPostgresDatabase();
  const database = await openDatabase(address, { pool: 3, statementTimeout: 700, lockTimeout: 400 });
  expect(database.client.pool.max).toBe(3);
  const shown = async (name: string): Promise<unknown> => (await database.raw(`SHOW ${name}`)).rows[0][name];
  expect([await shown('statement_timeout'), await shown('lock_timeout')]).toEqual(['700ms', '400ms']);
  await expect(database.raw('SELECT pg_sleep(5)')).rejects.toMatchObject({ code: '57014' });
  await database.destroy();
});

test('the wait has a clear end', async () => {
  const { code, stderr } = await runHere(
    'product-passport serve --port 0 --database-wait 400ms --database postgres://me:geheim@127.0.0.1:1/shop',
  );
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /product-passport: the database postgres:\/\/127\.0\.0\.1:1\/shop is not available after 0\.4 seconds: connect ECONNREFUSED .*\. Check that it is running and reachable, or wait longer with --database-wait\.\n$/,
  );
  expect(stderr).not.toContain('geheim');
});
