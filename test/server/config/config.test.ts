/** `product-passport config`, the table of settings, and the start before its database. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readConfiguration } from '../../../server/src/config/read.ts';
import { optionOf, settingNames, settings } from '../../../server/src/config/settings.ts';
import { createApp, openDatabase } from '../../../server/src/index.ts';
import { runHere } from '../../support/command.ts';
import { newPostgresDatabase } from '../../support/database.ts';
import { root, run } from '../../support/program.ts';

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
