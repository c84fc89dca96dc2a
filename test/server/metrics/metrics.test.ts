/** What `/metrics` counts, and what none of its labels holds. */
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Metrics } from '../../../server/src/index.ts';
import { databaseKinds } from '../../support/database.ts';
import { type Client, useService } from '../../support/service.ts';
import { until } from '../../support/time.ts';
import { exchange } from '../../support/wire.ts';

describe.each(databaseKinds)('%s', (kind) => {
  const metrics = new Metrics();
  const service = useService(kind, { metrics, rateLimit: 40, publicRateLimit: 30, maxConnections: 20 });
  let client: Client;
  beforeAll(async () => {
    client = await service.newTenant({ slug: 'laden' });
    await client.create({ name: 'Tasse', slug: 'tasse-canary', gtin: '9520001000010' });
    await service.activate(client, 'tasse-canary');
  });

  /** The value of a metric with exactly these labels. */
  async function value(name: string, labels: Record<string, string | number> = {}): Promise<number | undefined> {
    const wanted = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
    for (const line of (await metrics.text()).split('\n')) {
      const [, found, inner = '', number] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      const all = inner === '' ? [] : inner.split(',');
      if (found === name && all.length === wanted.length && wanted.every((label) => all.includes(label))) {
        return Number(number);
      }
    }
    return undefined;
  }

  test('requests by operation, status and code, with their durations', async () => {
    await client.call({ path: '/api/v1/me' });
    await client.call({ path: '/api/v1/me' });
    await client.call({ path: '/api/v1/products/none' });
    await client.call({ path: '/none/canary' });
    await client.call({ path: '/other/canary' });
    await exchange(service.port, 'canary\r\n\r\n');
    const requests = 'product_passport_requests_total';
    expect(await value(requests, { operation: 'getMe', status: 200, code: '' })).toBe(2);
    expect(await value(requests, { operation: 'getProduct', status: 404, code: 'not_found' })).toBe(1);
    expect(await value(requests, { operation: 'none', status: 404, code: 'not_found' })).toBe(2);
    expect(await value(requests, { operation: 'none', status: 400, code: 'invalid_request' })).toBe(1);
    const durations = 'product_passport_request_duration_seconds';
    expect(await value(`${durations}_count`, { operation: 'getMe' })).toBe(2);
    expect(await value(`${durations}_sum`, { operation: 'getMe' })).toBeGreaterThan(0.0001);
    expect(await value(`${durations}_sum`, { operation: 'getMe' })).toBeLessThan(10);
    expect(await value(`${durations}_bucket`, { operation: 'getMe', le: 10 })).toBe(2);
  });

  test('statements by kind and table, those of transactions too', async () => {
    const statements = 'product_passport_statement_duration_seconds';
    const counted = (kindOf: string, table: string) => value(`${statements}_count`, { kind: kindOf, table });
    const before = (await counted('insert', 'products')) ?? 0;
    await client.create({ name: 'Kanne' });
    expect(await counted('insert', 'products')).toBe(before + 1);
    expect(await counted('select', 'api_keys')).toBeGreaterThan(0);
    expect(await counted('other', '')).toBeGreaterThan(0);
    expect(await value(`${statements}_sum`, { kind: 'insert', table: 'products' })).toBeGreaterThan(0);
  });

  test('connections to the database, scans, the event loop', async () => {
    await client.call({ path: '/p/laden/tasse-canary' });
    const connections = 'product_passport_database_connections';
    expect(await value(connections, { pool: 'main', state: 'free' })).toBeGreaterThan(0);
    expect(await value(connections, { pool: 'main', state: 'used' })).toBe(0);
    expect(await value('product_passport_database_waiting', { pool: 'main' })).toBe(0);
    if (kind === 'SQLite') expect(await value(connections, { pool: 'readers', state: 'free' })).toBeGreaterThan(0);
    expect(await value('product_passport_scans_waiting')).toBe(0);
    expect(await value('product_passport_scans_lost_total')).toBe(0);
    expect(await value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  });

  /** Holds this many connections in transactions until the returned function is called. */
  function hold(count: number): () => Promise<unknown> {
    const { promise: released, resolve } = Promise.withResolvers<void>();
    const held = Array.from({ length: count }, () => service.database.transaction(() => released));
    return () => {
      resolve();
      return Promise.all(held);
    };
  }

  test('work that waits for a connection', async () => {
    const { max } = service.database.client.pool;
    const pool = 'main';
    const release = hold(max);
    try {
      await until(() => value('product_passport_database_connections', { pool, state: 'used' }), max);
      const created = client.create({ name: 'Teller' });
      await until(() => value('product_passport_database_waiting', { pool }), 1);
      await release();
      await created;
    } finally {
      await release();
    }
    await until(() => value('product_passport_database_waiting', { pool }), 0);
  });

  test('scans that wait, and scans that are lost', async () => {
    // On PostgreSQL the page itself would wait for a connection.
    if (kind === 'PostgreSQL') return;
    const release = hold(1);
    try {
      const page = client.call({ path: '/p/laden/tasse-canary', key: null });
      await until(() => value('product_passport_scans_waiting'), 1);
      // After a second the page is sent without its scan.
      expect((await page).status).toBe(200);
      await until(() => value('product_passport_scans_waiting'), 0);
      expect(await value('product_passport_scans_lost_total')).toBe(1);
    } finally {
      await release();
    }
  });

  test('limits that refused a request or a connection', async () => {
    const limits = 'product_passport_limits_hit_total';
    expect(await value(limits, { limit: 'tenant_rate' })).toBe(0);
    for (let count = 0; count < 41; count += 1) await client.call({ path: '/api/v1/me' });
    expect(await value(limits, { limit: 'tenant_rate' })).toBeGreaterThan(0);
    expect(await value(limits, { limit: 'address_rate' })).toBe(0);
    for (let count = 0; count < 31; count += 1) await client.call({ path: '/01/4006381333931', key: null });
    expect(await value(limits, { limit: 'address_rate' })).toBeGreaterThan(0);
    const sockets = Array.from({ length: 25 }, () => connect(service.port, '127.0.0.1').on('error', () => undefined));
    while ((await value(limits, { limit: 'connections' })) === 0) await setTimeout(20);
    for (const socket of sockets) socket.destroy();
  });

  test('no label holds a tenant, a product, a key or anything that a client wrote', async () => {
    await client.call({ path: `/canary/${client.key}?canary=1`, headers: { 'x-request-id': 'canary' } });
    const text = await metrics.text();
    expect(text).toContain('product_passport_requests_total');
    for (const secret of ['canary', 'laden', 'ppk_', client.tenant.id, '127.0.0.1']) expect(text).not.toContain(secret);
  });
});
