/** Load beyond the limits: requests in flight, bytes of bodies, clients that read or write slowly. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { Client } from '../support/client.ts';
import { ending } from '../support/ending.ts';
import { startService } from '../support/service.ts';

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
