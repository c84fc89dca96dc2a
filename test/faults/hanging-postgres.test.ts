/** A PostgreSQL that hangs: its processes are stopped, its connections stay open, and it sends no response. */
import { Agent } from 'node:http';
import { expect, test } from '@jest/globals';
import { connect } from '../../server/src/database/connection.ts';
import { newPostgresDatabase, startCluster } from '../support/database.ts';
import { ending } from '../support/files.ts';
import { announcement, start } from '../support/program.ts';
import { startService } from '../support/service.ts';
import { type Incoming, type Outgoing, send } from '../support/wire.ts';

/** The maximum time for a response, and for the process to end, in milliseconds. */
const longest = { response: 12_000, end: 12_000 };

interface Timed extends Incoming {
  milliseconds: number;
}

test('every request gets 503 in time, SIGTERM ends the process, and after the hang nobody has to restart', async () => {
  const cluster = await startCluster();
  ending.defer(() => cluster.resume());
  const address = await cluster.newDatabase();
  const service = await startService('PostgreSQL', { on: address });
  const { key } = await service.newTenant({ slug: 'mandant' });
  await service.stop();
  await service.database.destroy();
  // The default limit of a query is tested below.
  const quicker = `${address}?query_timeout=1500`;
  const program = await start(`product-passport serve --json --port 0 --database ${quicker}`, /\}\n/);
  ending.defer(async () => void (await program.stop('SIGKILL')));
  const port = Number(new URL(announcement(program.said()).base_url).port);
  const agent = new Agent({ keepAlive: true });
  ending.defer(() => agent.destroy());

  async function ask(method: string, path: string, value?: unknown): Promise<Timed> {
    const started = performance.now();
    const headers = {
      authorization: `Bearer ${key}`,
      ...(value === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const body = value === undefined ? undefined : Buffer.from(JSON.stringify(value));
    const outgoing: Outgoing = { method, path, headers, body };
    const incoming = await send(port, agent, outgoing);
    return { ...incoming, milliseconds: performance.now() - started };
  }
  /** More concurrent requests than the pool of ten has connections. */
  const askMany = (): Promise<Timed[]> =>
    Promise.all([
      ...Array.from({ length: 7 }, () => ask('GET', '/api/v1/products')),
      ...Array.from({ length: 3 }, () => ask('GET', '/01/09520001000010')),
      ...Array.from({ length: 3 }, () => ask('GET', '/p/mandant/tasse')),
      ask('PUT', '/api/v1/products/tasse/passport', [{ field_key: 'x', value: 1 }]),
      ask('POST', '/api/v1/products', { name: 'Kanne' }),
    ]);
  const statuses = (responses: Timed[]): number[] => [...new Set(responses.map(({ status }) => status))];

  expect((await ask('POST', '/api/v1/products', { name: 'Tasse' })).status).toBe(200);
  expect(statuses(await askMany()).sort()).toEqual([200, 404]);

  await cluster.hang();
  // First with open connections, then with connections that PostgreSQL does not accept.
  for (const _ of [1, 2]) {
    const responses = await askMany();
    expect(statuses(responses)).toEqual([503]);
    for (const { headers, text, milliseconds } of responses) {
      expect(headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
      expect(text).toMatch(/"service_unavailable"|<!doctype html>/);
      expect(milliseconds).toBeLessThan(longest.response);
    }
  }
  await cluster.resume();
  const back = performance.now();
  while ((await ask('GET', '/api/v1/products')).status !== 200) {
    if (performance.now() - back > 10_000) throw new Error('The server did not recover in 10 seconds.');
  }
  for (const responses of [await askMany(), await askMany()]) expect(statuses(responses).sort()).toEqual([200, 404]);

  await cluster.hang();
  const underWay = Promise.allSettled([ask('GET', '/api/v1/products'), ask('GET', '/api/v1/me')]);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const stopping = performance.now();
  const code = await program.stop('SIGTERM');
  expect(code).toBe(0);
  expect(performance.now() - stopping).toBeLessThan(longest.end);
  await underWay;
});

test('a connection whose query got no response in time is not used again', async () => {
  const database = connect(`${await newPostgresDatabase()}?query_timeout=1000`);
  ending.defer(() => database.destroy());
  const process = async (): Promise<number> => (await database.raw('SELECT pg_backend_pid() AS id')).rows[0].id;
  const before = await process();
  const unavailable = { code: '08006' };
  await expect(database.raw('SELECT pg_sleep(10)')).rejects.toMatchObject(unavailable);
  const after = await process();
  expect(after).not.toBe(before);
  const inTransaction = database.transaction((transaction) => transaction.raw('SELECT pg_sleep(10)'));
  await expect(inTransaction).rejects.toMatchObject(unavailable);
  expect(await process()).not.toBe(after);
});

test('a connection has time limits', async () => {
  const database = connect(await newPostgresDatabase());
  ending.defer(() => database.destroy());
  const limitOf = async (name: string): Promise<string> => (await database.raw(`SHOW ${name}`)).rows[0][name];
  expect(await limitOf('statement_timeout')).toBe('5s');
  expect(await limitOf('lock_timeout')).toBe('3s');
  expect(await limitOf('idle_in_transaction_session_timeout')).toBe('10s');
  const connection = await database.client.acquireConnection();
  expect(connection.connectionParameters.query_timeout).toBe(6000);
  await database.client.releaseConnection(connection);
});
