/** Mistakes of an operator with a real PostgreSQL, with TLS and without: one sentence, what to do, and no password. */
import { chmodSync, chownSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { connect } from '../../../server/src/database/connection.ts';
import { selfSigned } from '../../support/certificate.ts';
import { runHere } from '../../support/command.ts';
import { type Database, startCluster } from '../../support/database.ts';
import { ending, fileWith } from '../../support/files.ts';
import { freePort } from '../../support/program.ts';
import { listen } from '../../support/serve.ts';

const { key, cert } = selfSigned('localhost');
const certificate = fileWith(cert);
const other = fileWith(selfSigned('localhost').cert);
let empty: URL;
let migrated: URL;
let superuser: Database;

/** The address with other parts. */
function where(parts: Partial<URL>, query = '', address = empty): string {
  return `${Object.assign(new URL(address), parts).href}${query && `?${query}`}`;
}

async function setTls(value: 'on' | 'off'): Promise<void> {
  await superuser.raw(`ALTER SYSTEM SET ssl = ${value}`);
  await superuser.raw('SELECT pg_reload_conf()');
  // The postmaster reads its settings a moment later.
  for (let tries = 0; tries < 50; tries += 1) {
    const { rows } = await superuser.raw('SHOW ssl');
    if (rows[0].ssl === value) return;
    await setTimeout(100);
  }
  throw new Error(`PostgreSQL does not switch TLS ${value}.`);
}

beforeAll(async () => {
  const cluster = await startCluster();
  empty = new URL(await cluster.newDatabase());
  migrated = new URL(await cluster.newDatabase());
  superuser = connect(migrated.href);
  ending.defer(() => superuser.destroy());
  expect(await runHere(`product-passport migrate --database ${migrated}`)).toMatchObject({ code: 0 });
  await superuser.raw(
    `
    CREATE ROLE reader LOGIN PASSWORD 'nothing-secret'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;
    CREATE ROLE stranger LOGIN PASSWORD 'nothing-secret'; CREATE ROLE outcast PASSWORD 'nothing-secret';
    CREATE ROLE one LOGIN PASSWORD 'nothing-secret' CONNECTION LIMIT 0;
    CREATE ROLE lost SUPERUSER LOGIN PASSWORD 'nothing-secret'; ALTER ROLE lost SET search_path = nowhere;`,
  );
  await superuser.raw('CREATE DATABASE closed ALLOW_CONNECTIONS false');
  const [keyFile, certFile] = [fileWith(key), fileWith(cert)];
  for (const file of [keyFile, certFile]) {
    for (let folder = dirname(file); folder.includes('passport-'); folder = dirname(folder)) chmodSync(folder, 0o755);
    // The cluster of a test that runs as root belongs to nobody.
    if (process.getuid?.() === 0) chownSync(file, 65_534, 65_534);
    chmodSync(file, 0o600);
  }
  await superuser.raw(`ALTER SYSTEM SET ssl_key_file = '${keyFile}'`);
  await superuser.raw(`ALTER SYSTEM SET ssl_cert_file = '${certFile}'`);
});

async function refused(address: string, sentence: RegExp, command = 'tenant list'): Promise<void> {
  const { code, stdout, stderr } = await runHere(`product-passport ${command} --database '${address}'`);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^product-passport: the database [^\n]+\.\n$/);
  expect(stderr).toMatch(sentence);
  expect(stderr).not.toMatch(/secret|Error:/);
}

const create = "tenant create my-shop --name 'My Shop' --country DE";
const unknownHost = 'no-such-host.invalid';

test.each<[string, () => string, RegExp, string?]>([
  ['a wrong password', () => where({ password: 'secret' }), /Check the user and the password/],
  ['no password', () => where({ password: '' }), /empty password .*\. Check the user and the password/],
  ['an unknown user', () => where({ username: 'nobody' }), /Check the user and the password/],
  ['a role without a login', () => where({ username: 'outcast' }), /not permitted to log in\. Check the user/],
  ['a role with too many connections', () => where({ username: 'one' }), /too many connections .*\. Lower/],
  ['a database that does not exist', () => where({ pathname: '/none' }), /"none" does not exist\. Create it/],
  ['a database that is closed', () => where({ pathname: '/closed' }), /not currently accepting .*\. Name another/],
  ['a closed port', () => where({ port: '1' }), /nothing listens at this address\. Check/],
  ['an unknown host', () => where({ hostname: unknownHost }), /host name (?:does not exist|could not be looked)/],
  ['a role without SELECT', () => where({ username: 'stranger' }, '', migrated), /this user may read\. Create/],
  ['a role without INSERT', () => where({ username: 'reader' }, '', migrated), /tenants\. Give this right/, create],
  ['a role without CREATE', () => where({ username: 'stranger' }), /schema public\. Give this right/, 'migrate'],
  ['a search_path without a schema', () => where({ username: 'lost' }), /no schema in the search_path/, 'migrate'],
  ['an unknown option', () => where({}, 'options=-c%20searchpath=x'), /"searchpath"\. Correct the options/],
])('%s', (_mistake, address, sentence, ...command) => refused(address(), sentence, ...command));

test.each([
  ['a banner', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['an unknown message', '\x4a\0\0\0\x0a8.0.35\0\0'],
])('a port that speaks another protocol, %s: the command ends at once', async (_what, greeting) => {
  const url = await listen(createServer((socket) => socket.on('error', () => {}).write(greeting)));
  const { port } = new URL(url);
  await refused(where({ port }, 'connect_timeout=1'), /the connection failed|does not speak the protocol/);
  await refused(where({ port }, 'sslmode=no-verify'), /does not speak the protocol of PostgreSQL\. Check/);
});

test('a server without TLS', async () => {
  await refused(where({}, 'sslmode=require'), /does not offer TLS\. Switch it on/);
});

test('a server with TLS', async () => {
  await setTls('on');
  const at = (query: string, hostname = 'localhost') => where({ hostname }, query, migrated);
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
    await refused(at(`sslmode=${mode}`), /self-signed\. Set sslrootcert in the address/);
    await refused(at(`sslmode=${mode}&sslrootcert=${other}`), /(?:self-signed|unknown)\. Set sslrootcert/);
    await refused(at(`sslmode=${mode}&sslrootcert=${certificate}`, '127.0.0.1'), /another host name\. Use/);
    expect(await encrypted(at(`sslmode=${mode}&sslrootcert=${certificate}`))).toBe(true);
  }
  await refused(at('sslmode=verify-full&sslrootcert=/'), /a file of sslrootcert, .* is a folder\. Name/);
  await refused(at('sslmode=verify-full&sslrootcert=/none.pem'), /the file \/none\.pem does not exist\. Check/);
  await refused(at(`sslmode=no-verify&sslcert=${other}&sslkey=${other}`), /do not fit .*\. Check both files/);
  await refused(at('sslmode=no-verify&sslnegotiation=direct', '127.0.0.1').replace(migrated.port, '1'), /nothing/);
  expect(await encrypted(at('sslmode=no-verify'))).toBe(true);
  expect(await encrypted(at('uselibpqcompat=true&sslmode=require'))).toBe(true);
  expect(await encrypted(at('sslmode=disable'))).toBe(false);
  await setTls('off');
});

async function encrypted(address: string): Promise<boolean> {
  const database = connect(address);
  try {
    return (await database('pg_stat_ssl').whereRaw('pid = pg_backend_pid()').first('ssl')).ssl;
  } finally {
    await database.destroy();
  }
}

test('a start that waits for a closed port logs the reason, and no stack trace', async () => {
  const address = where({ port: String(await freePort()) });
  const { code, stderr } = await runHere(`product-passport serve --database ${address} --port 0 --database-wait 1s`);
  expect(code).toBe(1);
  const lines = stderr.trimEnd().split('\n');
  expect(lines.at(-1)).toMatch(
    /is not available after 1 seconds: nothing listens .*, or wait longer with --database-wait\.$/,
  );
  for (const line of lines.slice(0, -1)) expect(JSON.parse(line).err).toMatchObject({ code: 'ECONNREFUSED' });
  expect(stderr).not.toMatch(/"stack"|^ +at /m);
});
