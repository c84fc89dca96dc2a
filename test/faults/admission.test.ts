/** Load beyond the limits: floods, requests in flight, bytes of bodies, clients that read or write slowly. */
import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { poolUse } from '../../server/src/database/connection.ts';
import { keylessWait } from '../../server/src/http/connections.ts';
import { openDatabase } from '../../server/src/index.ts';
import { Metrics } from '../../server/src/metrics/metrics.ts';
import { divideConnections } from '../../server/src/tenants/queue.ts';
import { findTenant } from '../../server/src/tenants/store.ts';
import { type Database, databaseKinds, newMigratedDatabase } from '../support/database.ts';
import { ending } from '../support/files.ts';
import { announcement, start } from '../support/program.ts';
import { type Call, type Client, type Service, startService } from '../support/service.ts';
import { rejection } from '../support/thrown.ts';

function open(port: number, bytes: string | Buffer): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes);
  ending.defer(async () => void socket.destroy());
  return socket;
}

function creation({ key }: Client, length: number, sent = ''): string {
  const head = ['POST /api/v1/products HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`];
  return `${head.join('\r\n')}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${sent}`;
}

/** Makes handlers wait until `open`. */
function closeGate({ app }: Service) {
  const gate = Promise.withResolvers<void>();
  const state = { waiting: 0, isOpen: false };
  app.ext('onPreHandler', async (_, h) => {
    state.waiting += 1;
    if (!state.isOpen) await gate.promise;
    return h.continue;
  });
  return {
    waiting: async (count: number): Promise<void> => {
      while (state.waiting < count) await setTimeout(5);
    },
    reached: (): number => state.waiting,
    open: (): void => {
      state.isOpen = true;
      gate.resolve();
    },
  };
}

test('requests beyond the limit get 503 with Retry-After at once, the log counts them, and later ones succeed', async () => {
  const metrics = new Metrics();
  const service = await startService('SQLite', { maxRequests: 8, metrics, logLevel: 'info' });
  const client = await service.newTenant();
  const gate = closeGate(service);
  // Half of the slots are for keys, and one tenant may have half of those.
  const held = Array.from({ length: 2 }, () => client.call({ path: '/api/v1/me' }));
  await gate.waiting(held.length);
  const before = performance.now();
  const shed = await Promise.all(
    ['/api/v1/me', '/api/v1/none', '/01/09520001000010', '/p/mandant-1/tasse', '/p/mandant-1/tasse/jsonld'].map(
      (path) => client.call({ path }),
    ),
  );
  expect(performance.now() - before).toBeLessThan(10_000);
  expect(shed.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
  expect(shed.map(({ headers }) => headers['retry-after'])).toEqual(Array(5).fill('1'));
  expect(shed[3]?.headers['content-type']).toBe('text/html; charset=utf-8');
  gate.open();
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await client.call({ path: '/api/v1/me' })).status).toBe(200);
  await service.stop();
  const msg = 'too many requests in flight: some were refused';
  const lines = service.logLines.map((line) => JSON.parse(line));
  expect(lines.filter(({ level }) => level > 30)).toEqual([
    expect.objectContaining({ requests: 1, in_flight: 2, msg }),
    expect.objectContaining({ requests: 4, in_flight: 2, msg }),
  ]);
  // One line stands for a hundred refused requests. They do not reach their handlers.
  expect(lines.filter(({ status }) => status === 503)).toEqual([expect.objectContaining({ operation: 'getMe' })]);
  expect(await metrics.text()).toContain('product_passport_limits_hit_total{limit="requests"} 5\n');
  expect(gate.reached()).toBe(held.length + 1);
});

test('the first request of a connection that a stop has ended is not carried out, because it would get no response', async () => {
  const service = await startService('SQLite');
  const client = await service.newTenant();
  const accepted = once(service.app.listener, 'connection');
  const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
  ending.defer(async () => void socket.destroy());
  socket.on('error', () => undefined).resume();
  const body = JSON.stringify({ name: 'Tasse' });
  // The request was on its way when the connection ended.
  socket.once('end', () => socket.write(creation(client, body.length, body)));
  await accepted;
  await service.app.stop({ timeout: 1000 });
  expect(await service.database('products').pluck('name')).toEqual([]);
});

/** What the server sends on a connection until it is silent. */
async function received(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  for (let tries = 0; tries < 500 && chunks.length === 0; tries += 1) await setTimeout(20);
  await setTimeout(400);
  return Buffer.concat(chunks).toString();
}

test('bodies of a tenant that wait for their end hold a share of the bytes, also those of clients that leave', async () => {
  const service = await startService('SQLite', { load: { bodyBytes: 500_000 } });
  const [client, other] = [await service.newTenant(), await service.newTenant()];
  const half = 'x'.repeat(100_000);
  const name = JSON.stringify({ name: 'Tasse', model: 'y', extra: half });
  const outcome = async (): Promise<string> =>
    (await client.call({ method: 'POST', path: '/api/v1/products', body: name })).outcome;
  for (let round = 0; round < 3; round += 1) {
    const slow = [1, 2].map(() => open(service.port, creation(client, 200_000, half)));
    await setTimeout(500);
    expect(await outcome()).toBe('503 service_unavailable');
    // A small body, a request without one, and another tenant have room.
    await client.create('Tasse');
    expect(await other.creation(name)).toBe('200');
    for (const socket of slow) socket.destroy();
    while ((await outcome()) !== '200') await setTimeout(20);
  }
});

test('clients that leave at any moment keep no slot and no room', async () => {
  const service = await startService('SQLite', { maxRequests: 8, load: { bodyBytes: 400_000 } });
  const [client, other] = [await service.newTenant(), await service.newTenant()];
  await client.create('Tasse');
  const body = JSON.stringify({ name: 'Tasse', extra: 'x'.repeat(100_000) });
  const requests = [
    creation(client, body.length, body),
    creation(client, body.length, body.slice(0, 70_000)),
    `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\n\r\n`.repeat(5),
    'POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{',
    'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n',
  ];
  for (let round = 0; round < 60; round += 1) {
    const sockets = requests.map((bytes) => open(service.port, bytes));
    await setTimeout(round % 12);
    for (const socket of sockets) socket.destroy();
  }
  // A tenant alone may have a quarter of the requests in progress, and half of the bytes.
  const together = async (): Promise<string[]> =>
    Promise.all([client.creation(body), (await client.call({ path: '/api/v1/me' })).outcome]);
  while ((await together()).some((outcome) => outcome !== '200')) await setTimeout(20);
  expect(service.logLines.filter((line) => !line.includes('too many requests in flight'))).toEqual([]);
  expect((await other.call({ path: '/api/v1/me' })).outcome).toBe('200');
  expect((await fetch(`http://127.0.0.1:${service.port}/robots.txt`)).status).toBe(200);
});

describe('a client', () => {
  test.each([
    ['passport', '/api/v1/products/voll/passport'],
    ['page in pieces', '/p/mandant-1/voll?serial=1'],
  ])('that reads its %s too slowly loses its connection, and no other client waits', async (_what, path) => {
    const service = await startService('SQLite', { load: { responseTimeout: 400 } });
    const client = await service.newTenant();
    await client.create('Voll');
    // A page shows a part of each value, 11 kB.
    const values = Array.from({ length: 60 }, (_, index) => ({ field_key: `f-${index}`, value: 'x'.repeat(30_000) }));
    for (const half of [values.slice(30), values.slice(0, 30)]) await client.write('voll', half);
    await service.activate(client, 'voll');
    const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\n\r\n`;
    const accepted = once(service.app.listener, 'connection');
    // Together the responses exceed the buffers of the kernel, which grow to 4 MB and more.
    const slow = open(service.port, head.repeat(12));
    slow.pause();
    const [peer] = (await accepted) as [Socket];
    const begun = performance.now();
    await once(peer, 'close', { signal: AbortSignal.timeout(10_000) });
    expect(performance.now() - begun).toBeGreaterThan(400);
    expect((await client.call({ path: '/api/v1/products/voll/passport' })).status).toBe(200);
  });

  test('that sends its head or its body byte by byte gets 408, and no other client waits', async () => {
    const service = await startService('SQLite', { timeouts: { head: 400, body: 400 } });
    const client = await service.newTenant();
    const chunked = creation(client, 1000).replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked');
    const heads = ['GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX-Slow: ', creation(client, 1000, '{'), chunked];
    const slow = heads.map((bytes, index) => {
      const socket = open(service.port, bytes);
      const drip = setInterval(() => socket.write(index < 2 ? 'x' : '1\r\nx\r\n'), 50);
      socket.on('close', () => clearInterval(drip));
      return once(socket, 'data', { signal: AbortSignal.timeout(10_000) });
    });
    expect((await client.call({ path: '/api/v1/me' })).status).toBe(200);
    for (const [data] of await Promise.all(slow)) expect(String(data)).toMatch(/^HTTP\/1.1 408 .*request_timeout/s);
  });
});

/** The responses to a tenant's requests, one after the other. */
async function outcomesOf(client: Client, times: number, headers = {}): Promise<string[]> {
  const outcomes: string[] = [];
  for (let count = 0; count < times; count += 1)
    outcomes.push((await client.call({ path: '/api/v1/me', headers })).outcome);
  return outcomes;
}

/** The maximum number of requests that Hapi has at a time. */
function maxAtOnce(service: Service): () => number {
  let [now, max] = [0, 0];
  service.app.ext('onRequest', (request, h) => {
    now += 1;
    max = Math.max(max, now);
    request.raw.res.once('close', () => {
      now -= 1;
    });
    return h.continue;
  });
  return () => max;
}

describe('a flood without a key', () => {
  test('that pipelines has one request in progress, and loses its connection when it is too far ahead', async () => {
    const metrics = new Metrics();
    const service = await startService('SQLite', { metrics });
    const client = await service.newTenant();
    await client.me();
    const max = maxAtOnce(service);
    let parsed = 0;
    service.app.listener.on('request', () => {
      parsed += 1;
    });
    const get = 'GET /nope HTTP/1.1\r\nHost: x\r\n';
    const ahead = open(service.port, `${`${get}\r\n`.repeat(29)}${get}Connection: close\r\n\r\n`);
    const chunks: Buffer[] = [];
    await once(
      ahead.on('data', (chunk) => chunks.push(chunk)),
      'close',
    );
    expect(
      Buffer.concat(chunks)
        .toString()
        .match(/HTTP\/1\.1 404/g),
    ).toHaveLength(30);
    expect(max()).toBe(1);
    const floods = Array.from({ length: 4 }, () => open(service.port, `${get}\r\n`.repeat(5000)));
    const closed = floods.map((flood) => new Promise((resolve) => flood.resume().once('close', resolve)));
    expect(new Set(await outcomesOf(client, 50))).toEqual(new Set(['200']));
    await Promise.all(closed);
    expect(max()).toBeLessThanOrEqual(5);
    // 30 and 50 before it, and of each flood those that it may send ahead, not all that one read has.
    expect(parsed).toBeLessThan(80 + 4 * 40);
    // The client that lost its connection gets no second response.
    expect(await metrics.text()).not.toContain('status="400"');
    expect(await metrics.text()).toContain('product_passport_limits_hit_total{limit="requests_ahead"} 4\n');
  });

  test.each(['directly', 'through a proxy'])('that sends no bodies holds no slot of a tenant, %s', async (how) => {
    const service = await startService('SQLite', { maxRequests: 16, trustProxy: how === 'directly' ? 0 : 1 });
    const client = await service.newTenant();
    // As a proxy appends it.
    const forwarded = how === 'directly' ? '' : 'X-Forwarded-For: 192.0.2.1\r\n';
    const head = `Host: x\r\n${forwarded}Content-Length: 100000\r\n\r\n`;
    const targets = ['POST /nope', 'POST /api/v1/me', 'DELETE /api/v1/products', 'POST /docs', 'POST /p/a/b'];
    const floods = Array.from({ length: 100 }, (_, index) =>
      open(service.port, `${targets[index % 5]} HTTP/1.1\r\n${head}`),
    );
    const refused = floods.map((flood) => once(flood, 'data', { signal: AbortSignal.timeout(10_000) }));
    // The key is not known yet when the flood begins.
    expect(new Set(await outcomesOf(client, 100))).toEqual(new Set(['200']));
    const statuses = (await Promise.all(refused)).map(([data]) => String(data).slice(9, 12));
    expect(statuses).toHaveLength(100);
    for (const status of statuses) expect(['401', '404', '405', '503']).toContain(status);
    // Requests whose bodies are discarded have no slot, so that others without a key find one.
    expect((await fetch(`http://127.0.0.1:${service.port}/robots.txt`)).status).toBe(200);
  });

  test('with keys that nobody has counts as one without a key', async () => {
    const service = await startService('SQLite', { maxRequests: 16 });
    const client = await service.newTenant();
    const fake = (index: number): string => `ppk_${String(index).padStart(43, 'x')}`;
    const flood = Array.from({ length: 200 }, (_, index) => client.call({ path: '/api/v1/me', key: fake(index) }));
    expect(new Set(await outcomesOf(client, 50))).toEqual(new Set(['200']));
    const outcomes = new Set((await Promise.all(flood)).map(({ outcome }) => outcome));
    expect(outcomes).toEqual(new Set(['401 invalid_api_key', '503 service_unavailable']));

    const gate = closeGate(service);
    const page = (key: string | null) => client.call({ path: '/p/a/b', key });
    // Half of the slots are for requests without a key, and one address may have half of those.
    const held = Array.from({ length: 4 }, (_, index) => page(fake(index)));
    await gate.waiting(4);
    for (const key of [fake(4), null]) expect((await page(key)).status).toBe(503);
    const own = client.call({ path: '/api/v1/me' });
    await gate.waiting(5);
    gate.open();
    const statuses = (await Promise.all([...held, own])).map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404, 404, 200]);
  });

  test.each(['directly', 'through a proxy'])('leaves slots to other addresses without a key, %s', async (how) => {
    const trustProxy = how === 'directly' ? 0 : 1;
    const service = await startService('SQLite', { maxRequests: 16, trustProxy });
    const gate = closeGate(service);
    const get = (address: string): string =>
      `GET /robots.txt HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`;
    const from = (localAddress: string, address: string): Socket => {
      const socket = connect({ port: service.port, host: '127.0.0.1', localAddress });
      ending.defer(async () => void socket.destroy());
      socket.write(get(address));
      return socket;
    };
    // The addresses of one IPv6 network are one.
    const flood = Array.from({ length: 30 }, (_, index) => from('127.0.0.1', `2001:db8:0:1::${index}`));
    const refused = flood.slice(-20).map((socket) => once(socket, 'data', { signal: AbortSignal.timeout(10_000) }));
    for (const [data] of await Promise.all(refused)) expect(String(data)).toMatch(/^HTTP\/1\.1 503 /);
    const other = from(how === 'directly' ? '127.0.0.2' : '127.0.0.1', '2001:db8:0:2::1');
    await setTimeout(100);
    gate.open();
    expect(await received(other)).toMatch(/^HTTP\/1\.1 200 /);
  });

  // Only Linux has all of 127.0.0.0/8.
  (process.platform === 'linux' ? test : test.skip)('that idles leaves connections to other addresses', async () => {
    const service = await startService('SQLite', { maxConnections: 20 });
    const client = await service.newTenant();
    const idle = Array.from({ length: 40 }, () => open(service.port, ''));
    await setTimeout(100);
    expect(idle.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open')).not.toHaveLength(0);
    const socket = connect({ port: service.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    ending.defer(async () => void socket.destroy());
    socket.on('error', () => undefined);
    socket.write(`GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\n\r\n`);
    expect(await received(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('for static content is compressed once for each encoding, with a strong ETag for each', async () => {
    const service = await startService('SQLite');
    let compressed = 0;
    const hook = createHook({
      init: (_, type) => {
        if (type === 'ZLIB') compressed += 1;
      },
    }).enable();
    const get = (path: string, headers: Record<string, string>): Promise<Response> =>
      fetch(`http://127.0.0.1:${service.port}${path}`, { headers });
    const encodings = [...Array<string>(20).fill('gzip'), 'identity'];
    const all = await Promise.all(encodings.map((encoding) => get('/docs', { 'accept-encoding': encoding })));
    expect(new Set(await Promise.all(all.map((response) => response.text()))).size).toBe(1);
    // The decoders of this client are ZLIB too.
    expect(compressed).toBeLessThanOrEqual(1 + 20);
    const tags = all.map(({ headers }) => headers.get('etag') ?? '');
    expect(new Set(tags).size).toBe(2);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/);
    const [tag = ''] = tags;
    const unchanged = await get('/docs', { 'accept-encoding': 'gzip', 'if-none-match': tag });
    expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([304, tag]);
    expect((await get('/docs', { 'accept-encoding': 'identity', 'if-none-match': tag })).status).toBe(200);
    hook.disable();
  });
});

/** Later statistics take until the time limit of a statement, five seconds. */
async function slowDown(database: Database): Promise<void> {
  await database.schema.renameTable('scan_days', 'stored_scan_days');
  await database.raw(
    `CREATE VIEW scan_days AS WITH RECURSIVE counting(number) AS (
       SELECT 1 UNION ALL SELECT number + 1 FROM counting WHERE number < 1e10
     ) SELECT stored_scan_days.* FROM (SELECT max(number) FROM counting) AS slow CROSS JOIN stored_scan_days`,
  );
}

test.each(databaseKinds)('slow reads of two tenants leave turns for a third on %s', async (kind) => {
  const address = await newMigratedDatabase(kind);
  const service = await startService(kind, { on: address });
  const [one, two, third] = [await service.newTenant(), await service.newTenant(), await service.newTenant()];
  for (const client of [one, two, third]) {
    await client.create({ name: 'Tasse', gtin: '09520001000010' });
    const day = { date: new Date().toISOString().slice(0, 10), role: 'consumer', count: 1 };
    await service.database('scan_days').insert({ tenant_id: client.tenant.id, ...day });
  }
  await slowDown(service.database);
  await service.stop();
  const program = await start(`product-passport serve --json --port 0 --database '${address}'`, /\}\n/);
  ending.defer(async () => void (await program.stop('SIGKILL')));
  const { base_url } = announcement(program.said());
  const ask = async (path: string, { key }: Client, init: RequestInit = {}): Promise<number> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(base_url + path, { ...init, headers });
    await response.text();
    return response.status;
  };

  let ended = 0;
  const floods = Array.from({ length: 32 }, async (_, index) => {
    await ask('/analytics/scans', index < 16 ? one : two).catch(() => undefined);
    ended += 1;
  });
  await setTimeout(500);
  const paths = ['/me', '/products?search=tas', '/products?status=draft', '/products/tasse/passport'];
  for (const path of [...paths, '/products/tasse/carriers']) expect(await ask(path, third)).toBe(200);
  expect(await ask('/products', third, { method: 'POST', body: '{"name":"Kanne"}' })).toBe(200);
  // On a busy machine the first of them may have reached their time limit.
  expect(ended).toBeLessThan(floods.length);
  await program.stop('SIGKILL');
  await Promise.all(floods);
});

describe('requests without a key that PostgreSQL holds up', () => {
  /** A server some of whose requests wait for a locked table, and a tenant whose requests do not need it. */
  async function heldUp(table: string, pool: number, requests: number) {
    const address = await newMigratedDatabase('PostgreSQL');
    const database = await openDatabase(address, { pool, lockTimeout: 60_000, statementTimeout: 60_000 });
    ending.defer(() => database.destroy());
    const service = await startService('PostgreSQL', { on: database });
    const client = await service.newTenant();
    await client.me();
    const other = await openDatabase(address);
    ending.defer(() => other.destroy());
    const lock = await other.transaction();
    ending.defer(async () => void (await lock.rollback()));
    // PostgreSQL ends an idle transaction, by default after ten seconds.
    await lock.raw('SET idle_in_transaction_session_timeout = 0');
    await lock.raw('LOCK TABLE ?? IN ACCESS EXCLUSIVE MODE', [table]);
    const invented = (index: number): Call => ({ path: '/api/v1/me', key: `ppk_${String(index).padStart(43, 'x')}` });
    const page = (index: number): Call => ({ path: `/p/a/b-${index}`, key: null });
    const calls = Array.from({ length: requests }, (_, index) =>
      client.call(table === 'products' ? page(index) : invented(index)),
    );
    /** The server itself uses a connection now and then. */
    const use = async (used: number, waiting: number): Promise<void> => {
      const now = () => poolUse(database).map((each) => `${each.used} used, ${each.waiting} waiting`);
      const expected = [`${used} used, ${waiting} waiting`];
      for (let tries = 0; tries < 300 && String(now()) !== String(expected); tries += 1) await setTimeout(10);
      expect(now()).toEqual(expected);
    };
    return { database, client, lock, calls, use };
  }

  test('use half of its connections, wait ten seconds for them, and leave the others', async () => {
    const { database, client, lock, calls: pages, use } = await heldUp('products', 6, 40);
    await use(3, 37);
    expect(new Set(await outcomesOf(client, 20))).toEqual(new Set(['200']));
    await findTenant(database, '');
    let settled = 0;
    for (const page of pages) {
      void page.then(() => {
        settled += 1;
      });
    }
    // Those that have a connection wait for a minute.
    while (settled < 37) await setTimeout(10);
    await lock.rollback();
    const statuses = (await Promise.all(pages)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(3).fill(404), ...Array(37).fill(503)]);
    await use(0, 0);
  });

  test('wait for all their statements together', async () => {
    const database = await openDatabase(await newMigratedDatabase('PostgreSQL'), { pool: 2 });
    ending.defer(() => database.destroy());
    const { keyless } = divideConnections(database);
    const connection = await keyless.client.acquireConnection();
    const wait = { milliseconds: 50 };
    const look = (): Promise<unknown> => rejection(() => findTenant(keyless, ''));
    const refusals = await keylessWait.run(wait, async () => [await look(), await look()]);
    const refusal = { code: 'service_unavailable' };
    expect([refusals, wait.milliseconds]).toMatchObject([[refusal, refusal], 0]);
    keyless.client.releaseConnection(connection);

    const service = await startService('PostgreSQL', { on: database });
    const client = await service.newTenant();
    const found: unknown[] = [];
    service.app.ext('onPreHandler', (_, h) => {
      found.push(structuredClone(keylessWait.getStore()));
      return h.continue;
    });
    await client.call({ path: '/p/a/b', key: null });
    await client.me();
    expect(found).toEqual([{ milliseconds: 10_000 }, undefined]);
  });

  test('send their statements without listeners of their own', async () => {
    const database = await openDatabase(await newMigratedDatabase('PostgreSQL'));
    ending.defer(() => database.destroy());
    const listeners = (): number => database.client.listenerCount('query');
    const before = listeners();
    const { keyless, ofTenants } = divideConnections(database);
    expect(listeners()).toBe(before);
    const heard: string[] = [];
    database.on('query', ({ sql }: { sql: string }) => heard.push(sql));
    for (const one of [keyless, ofTenants]) await one.raw('SELECT 1');
    expect(heard).toEqual(['SELECT 1', 'SELECT 1']);
  });

  test('take turns with tenants on one of two connections, and the other one is for keys and /readyz', async () => {
    const { database, client, lock, calls: pages, use } = await heldUp('products', 2, 5);
    const ended: string[] = [];
    await use(1, 4);
    const me = client.me().then(() => ended.push('tenant'));
    for (const page of pages) void page.then(() => ended.push('page'));
    await use(1, 5);
    expect((await client.call({ path: '/api/v1/me', key: `ppk_${'x'.repeat(43)}` })).status).toBe(401);
    await findTenant(database, '');
    expect(ended).toEqual([]);
    await lock.rollback();
    await Promise.all([me, ...pages]);
    // Not after all of them.
    expect(ended.indexOf('tenant')).toBeLessThan(3);
  });

  test('with invented keys use half of its connections, too', async () => {
    const { database, client, lock, calls, use } = await heldUp('api_keys', 6, 40);
    await use(3, 0);
    await findTenant(database, '');
    expect((await client.call({ path: '/p/a/b', key: null })).status).toBe(404);
    await lock.rollback();
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([401]));
  });
});
