/** Load beyond the limits: requests in flight, bytes of bodies, clients that read or write slowly. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Metrics } from '../../server/src/metrics/metrics.ts';
import type { Client } from '../support/client.ts';
import { ending } from '../support/ending.ts';
import { type Service, startService } from '../support/service.ts';

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

test('requests beyond the limit get 503 with Retry-After at once, one line of the log counts them, and later ones succeed', async () => {
  const service = await startService('SQLite', { maxRequests: 3 });
  const client = await service.newTenant();
  const gate = Promise.withResolvers<void>();
  let isClosed = true;
  service.app.ext('onPreHandler', async (_, h) => {
    if (isClosed) await gate.promise;
    return h.continue;
  });
  const held = Array.from({ length: 3 }, () => client.call({ path: '/api/v1/me' }));
  await setTimeout(100);
  const before = performance.now();
  const shed = await Promise.all(
    ['/api/v1/me', '/api/v1/none', '/01/09520001000010', '/p/mandant-1/tasse', '/p/mandant-1/tasse/jsonld'].map(
      (path) => client.call({ path }),
    ),
  );
  expect(performance.now() - before).toBeLessThan(2000);
  expect(shed.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
  expect(shed.map(({ headers }) => headers['retry-after'])).toEqual(Array(5).fill('1'));
  expect(shed[3]?.headers['content-type']).toBe('text/html; charset=utf-8');
  isClosed = false;
  gate.resolve();
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await client.call({ path: '/api/v1/me' })).status).toBe(200);
  expect(service.logLines).toEqual([]);
  await service.stop();
  expect(service.logLines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ requests: 5, msg: 'too many requests in flight: some got 503' }),
  ]);
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

/** Keeps a request in flight until the returned function is called. */
async function holdOne(service: Service, client: Client): Promise<() => Promise<unknown>> {
  const gate = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  let isClosed = true;
  service.app.ext('onPreHandler', async (_, h) => {
    arrived.resolve();
    if (isClosed) await gate.promise;
    return h.continue;
  });
  const held = client.call({ path: '/api/v1/me' });
  await arrived.promise;
  return async () => {
    isClosed = false;
    gate.resolve();
    return held;
  };
}

/** What the server sends on a connection until it is silent. */
async function received(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await setTimeout(400);
  return Buffer.concat(chunks).toString();
}

// Other systems have another backlog.
(process.platform === 'linux' ? test : test.skip)(
  'a thousand clients that connect at once are all connected before the server accepts the first',
  async () => {
    const service = await startService('SQLite');
    const sockets = Array.from({ length: 1000 }, () => open(service.port, ''));
    // `connect` waits for the next tick. Until this function waits for the event loop, the server accepts nobody.
    await new Promise((resolve) => process.nextTick(resolve));
    const port = service.port.toString(16).padStart(4, '0').toUpperCase();
    const clients = new RegExp(`^ *\\d+: \\w{8}:\\w{4} \\w{8}:${port} (\\d\\d) `, 'gm');
    const states = Array.from(readFileSync('/proc/net/tcp', 'utf8').matchAll(clients), ([, state]) => state);
    expect(sockets.filter(({ connecting }) => connecting)).toHaveLength(1000);
    // 01 is an established connection, 02 one that the kernel has not taken.
    expect(Object.groupBy(states, (state = '') => state)['01']).toHaveLength(1000);
  },
);

test('a refused request never reaches Hapi, and has every header of an error', async () => {
  const metrics = new Metrics();
  const service = await startService('SQLite', { maxRequests: 1, metrics, logLevel: 'info' });
  const client = await service.newTenant();
  const release = await holdOne(service, client);
  let seen = 0;
  service.app.ext('onRequest', (_, h) => {
    seen += 1;
    return h.continue;
  });
  const head = `Host: x\r\nAuthorization: Bearer ${client.key}\r\nX-Request-Id: mine\r\n`;
  const me = await received(open(service.port, `GET /api/v1/me HTTP/1.1\r\n${head}\r\n`));
  expect(me).toMatch(/^HTTP\/1\.1 503 /);
  expect(me).toMatch(/\r\nx-request-id: mine\r\n/i);
  expect(me).toMatch(/\r\nretry-after: 1\r\n/i);
  expect(me).toMatch(/\r\ncache-control: no-store\r\n/i);
  expect(me).toMatch(/\r\n\r\n\{"error":\{"code":"service_unavailable","message":"[^"]+"\}\}$/);
  const withoutBody = await received(open(service.port, `HEAD /api/v1/me HTTP/1.1\r\n${head}\r\n`));
  expect(withoutBody).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\n\r\n$/);
  // The connection of a short body is used again. That of a long body closes, and nobody waits for its end.
  const short = await received(open(service.port, creation(client, 3, '{}\n').repeat(2)));
  expect(short.match(/HTTP\/1\.1 503/g)).toHaveLength(2);
  const long = open(service.port, creation(client, 900_000, '{'));
  const closed = once(long, 'close', { signal: AbortSignal.timeout(5000) });
  expect(await received(long)).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nconnection: close\r\n[\s\S]*\}\}$/i);
  await closed;
  const link = (await client.call({ path: '/p/mandant-1/tasse/jsonld?zugang=falsch' })).headers;
  expect([link['access-control-allow-origin'], link['referrer-policy']]).toEqual(['*', 'no-referrer']);
  expect(seen).toBe(0);
  const limit = 'product_passport_limits_hit_total{limit="requests"}';
  expect(await metrics.text()).toContain(`${limit} 6\n`);
  // One line stands for a hundred.
  const refusals = service.logLines.map((line) => JSON.parse(line)).filter(({ status }) => status === 503);
  expect(refusals).toEqual([
    expect.objectContaining({ request_id: 'mine', operation: 'getMe', method: 'get', code: 'service_unavailable' }),
  ]);
  await release();
});

test('of a burst, as many requests succeed as the limit lets in', async () => {
  const service = await startService('SQLite', { maxRequests: 3 });
  const client = await service.newTenant();
  const replies = await Promise.all(Array.from({ length: 200 }, () => client.call({ path: '/api/v1/me' })));
  const outcomes = replies.map(({ outcome }) => outcome);
  expect(new Set(outcomes)).toEqual(new Set(['200', '503 service_unavailable']));
  expect(outcomes.filter((outcome) => outcome === '200').length).toBeGreaterThanOrEqual(3);
});

test('bodies that wait for their end hold a limited number of bytes, also those of clients that leave', async () => {
  const service = await startService('SQLite', { load: { bodyBytes: 250_000 } });
  const client = await service.newTenant();
  const half = 'x'.repeat(100_000);
  const name = JSON.stringify({ name: 'Tasse', model: 'y', extra: half });
  for (let round = 0; round < 3; round += 1) {
    const slow = [1, 2].map(() => open(service.port, creation(client, 200_000, half)));
    await setTimeout(200);
    expect((await client.call({ method: 'POST', path: '/api/v1/products', body: name })).outcome).toBe(
      '503 service_unavailable',
    );
    // A small body, and a request without one, have room.
    await client.create('Tasse');
    for (const socket of slow) socket.destroy();
    await setTimeout(100);
    expect((await client.call({ method: 'POST', path: '/api/v1/products', body: name })).outcome).toBe('200');
  }
});

describe('a client', () => {
  test('that reads its response too slowly loses its connection, and no other client waits', async () => {
    const service = await startService('SQLite', { load: { responseTimeout: 400 } });
    const client = await service.newTenant();
    await client.create('Voll');
    const values = Array.from({ length: 30 }, (_, index) => ({ field_key: `f-${index}`, value: 'x'.repeat(30_000) }));
    await client.write('voll', values);
    const head = `GET /api/v1/products/voll/passport HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\n\r\n`;
    const accepted = once(service.app.listener, 'connection');
    // Several responses exceed the buffers of the kernel.
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
    const slow = ['GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX-Slow: ', creation(client, 1000, '{')].map((bytes) => {
      const socket = open(service.port, bytes);
      const drip = setInterval(() => socket.write('x'), 50);
      socket.on('close', () => clearInterval(drip));
      return once(socket, 'data', { signal: AbortSignal.timeout(10_000) });
    });
    expect((await client.call({ path: '/api/v1/me' })).status).toBe(200);
    for (const [data] of await Promise.all(slow)) expect(String(data)).toMatch(/^HTTP\/1.1 408 .*request_timeout/s);
  });
});
