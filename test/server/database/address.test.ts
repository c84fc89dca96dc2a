import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  addressFault,
  addressParameters,
  connectTimeoutOf,
  driverAddress,
} from '../../../server/src/database/address.ts';
import { connect } from '../../../server/src/database/connection.ts';
import { fileWith } from '../../support/files.ts';
import { root } from '../../support/program.ts';

const require = createRequire(import.meta.url);
const { Client } = require('pg') as typeof import('pg');
const at = (query: string): string => `postgres://me:secret@host/shop?${query}`;

test.each([
  ['ssl_mode=require', /"ssl_mode", which the driver does not have\. Did you mean sslmode\?$/],
  ['sslMode=require', /"sslMode", .* Did you mean sslmode\?$/],
  ['stament_timeout=10', /Did you mean statement_timeout\?$/],
  ['quite=other', /"quite", which the driver does not have\. Leave it out\.$/],
  ['database=other', /"database", which/],
  ['tls=true', /has the parameter tls\. Leave it out: sslmode=verify-full/],
  ['schema=x', /has the parameter schema\. Use options=-c%20search_path%3D/],
  ['currentSchema=x', /has the parameter currentSchema\. Use options=-c%20search_path%3D/],
  ['channel_binding=require', /has the parameter channel_binding\. Leave it out: /],
  ['target_session_attrs=read-write', /has the parameter target_session_attrs\. Leave it out: /],
  ['gssencmode=disable', /has the parameter gssencmode\. Leave it out: /],
  ['pgbouncer=true', /has the parameter pgbouncer\. Leave it out: .* prepared_statements=false/],
  ['sslmode=requier', /wrong value of sslmode\. It must be one of: .* Did you mean require\?$/],
  ['sslmode=allow', /wrong value of sslmode\. It must be one of: verify-full, /],
  ['sslmode=', /wrong value of sslmode/],
  ['ssl=false', /wrong value of ssl\. It must be one of: true, 1, no-verify, 0\.$/],
  ['ssl=TRUE', /wrong value of ssl.* Did you mean true\?$/],
  ['sslnegotiation=secret', /wrong value of sslnegotiation/],
  ['statement_timeout=5s', /wrong value of statement_timeout\. It must be a whole number of milliseconds\.$/],
  ['connect_timeout=0', /wrong value of connect_timeout\. It must be a number of seconds from 1 to 999\.$/],
  ['prepared_statements=no', /wrong value of prepared_statements/],
  ['user=', /wrong value of user/],
  ['sslmode=verify-full&sslmode=disable', /has the parameter sslmode twice\. Leave one out\.$/],
  ['ssl=true&sslmode=disable', /has ssl and another parameter of TLS.* Leave ssl out\.$/],
  ['ssl=0&sslrootcert=ca.pem', /Leave ssl out\.$/],
  ['sslnegotiation=direct&sslmode=disable', /sslnegotiation=direct, which needs TLS/],
  ['uselibpqcompat=true', /uselibpqcompat without sslmode/],
  ['uselibpqcompat=true&sslmode=verify-ca', /sslmode=verify-ca without sslrootcert/],
  ['sslrootcert=system', /sslrootcert=system\. Leave it out/],
])('an address with %s is refused', (query, fault) => {
  expect(addressFault(at(query))).toMatch(fault);
  expect(addressFault(at(query))).toMatch(/^the database address has /);
  expect(() => connect(at(query))).toThrow(expect.objectContaining({ name: 'OperatorError', exitCode: 2 }));
});

test.each([
  ...['postgres://me:1?secret&x=y@host/shop', 'postgres://me:1?x=secret&secret@host/shop'],
  ...['postgres://me:se#cret@host/shop', 'postgres://me:12#secret@host/shop', 'postgres://me:12/secret@host/shop'],
  ...['postgres://me:%FFsecret@host/shop', 'postgres://me:secret@host:99999999/shop', at('sslmode=secret')],
])('what is wrong with %s is said without the password', (address) => {
  expect(addressFault(address)).toMatch(/^the database address (?:is not valid|has )/);
  expect(addressFault(address)).not.toContain('secret');
});

test('without a parameter of TLS, PGSSLMODE counts, and a wrong value of it would connect without TLS', () => {
  process.env.PGSSLMODE = 'requier';
  const found = ['', 'sslmode=disable', 'ssl=true'].map((query) => addressFault(at(query)));
  process.env.PGSSLMODE = 'require';
  found.push(addressFault(at('')));
  delete process.env.PGSSLMODE;
  expect(found).toEqual([expect.stringMatching(/PGSSLMODE has a wrong value/), undefined, undefined, undefined]);
});

test.each([
  'postgres://me@/shop?host=/run/postgresql',
  'postgres:///shop?host=/run/postgresql&port=5433',
  'postgresql://me:p%40ss@[::1]:5433/shop',
  'postgres://h/shop?user=me@tenant&password=a%26b',
  'postgres://h/shop?options=-c search_path=a,b',
])('%s is accepted', (address) => {
  expect(addressFault(address)).toBeUndefined();
});

test('connect_timeout is in seconds', () => {
  expect(connectTimeoutOf(at('connect_timeout=10'))).toBe(10_000);
  const { client } = connect(at('connect_timeout=10'));
  expect(client.connectionSettings.connectionTimeoutMillis).toBe(10_000);
  expect(client.pool.acquireTimeoutMillis).toBeGreaterThan(10_000);
  expect(client.pool.createTimeoutMillis).toBeGreaterThan(10_000);
});

describe('the driver', () => {
  /** What the driver makes of an address, as far as it has an effect on a connection. */
  function effect(query: string): string {
    const client = new Client({ connectionString: at(query) }) as unknown as {
      connectionParameters: object & { password: string; ssl?: object };
      getStartupConf(): object;
    };
    const { password, ssl } = client.connectionParameters;
    return JSON.stringify([client, client.getStartupConf(), password, { ...ssl }, ssl && Object.keys(ssl)]);
  }

  // Read from an address, and dropped, or sent in a connection that cannot run the statements of this program.
  const useless = ['database', 'binary', 'replication', 'connectionString', 'connectionTimeoutMillis', 'keepAlive'];
  const ofObjects = ['submit', 'keepAliveInitialDelayMillis', 'Promise', 'types', 'connection', 'stream', 'pipeline'];
  const ofClient = ['enableChannelBinding', 'scramMaxIterations', 'encoding', 'sslNegotiation'];

  test('reads no parameter that is neither accepted nor known to be useless', () => {
    const files = ['pg-connection-string/index.js', 'pg/lib/connection-parameters.js', 'pg/lib/client.js'];
    const source = [...files, 'pg/lib/connection.js']
      .map((file) => readFileSync(join(root, 'node_modules', file), 'utf8'))
      .join();
    const read = [...source.matchAll(/\b(?:config|c)\.(\w+)|\bval\('(\w+)'|config\['(\w+)'\]/g)].flatMap((found) =>
      found.slice(1).filter((name) => name !== undefined),
    );
    const known = new Set([...Object.keys(addressParameters), ...useless, ...ofObjects, ...ofClient]);
    expect(read.length).toBeGreaterThan(60);
    expect(read.filter((name) => !known.has(name))).toEqual([]);
    const ofProgram = ['connect_timeout', 'prepared_statements'];
    const unread = Object.keys(addressParameters).filter((name) => !read.includes(name));
    expect(unread).toEqual(ofProgram.toSorted().filter((name) => unread.includes(name)));
  });

  const pem = fileWith('PEM');
  const values: Record<string, string> = { sslrootcert: pem, sslcert: pem, sslkey: pem, port: '5433' };
  // query_timeout and client_encoding have no effect on a start; the first is read for each query.
  const others = ['connect_timeout', 'prepared_statements', 'uselibpqcompat'];
  test.each(Object.keys(addressParameters).filter((name) => !others.includes(name)))('obeys %s', (name) => {
    const value = values[name] ?? addressParameters[name]?.known?.[0] ?? '17';
    const before = name === 'sslnegotiation' ? 'ssl=true' : '';
    const given = name === 'sslnegotiation' ? 'direct' : value;
    expect(effect(`${before}&${name}=${given}`)).not.toBe(effect(before));
  });

  test.each(addressParameters.sslmode?.known ?? [])('sslmode=%s', (mode) => {
    const warn = process.emitWarning;
    const warnings: unknown[] = [];
    process.emitWarning = (text: unknown) => warnings.push(text);
    const { ssl } = new Client({ connectionString: driverAddress(at(`x=y&sslmode=${mode}&z=a`)) }) as unknown as {
      ssl: unknown;
    };
    process.emitWarning = warn;
    const weaker = { disable: false, 'no-verify': { rejectUnauthorized: false } }[mode];
    expect([ssl, warnings]).toEqual([weaker ?? {}, []]);
  });

  test('keeps the modes of libpq if the address asks for them', () => {
    for (const mode of ['prefer', 'require', 'verify-ca']) {
      expect(driverAddress(at(`a=b&sslmode=${mode}&c=d`))).toBe(at('a=b&sslmode=verify-full&c=d'));
    }
    expect(driverAddress(at('ssl%6Dode=%72equire'))).toBe(at('sslmode=verify-full'));
    expect(driverAddress(at('uselibpqcompat=true&sslmode=require'))).toContain('sslmode=require');
  });
});
