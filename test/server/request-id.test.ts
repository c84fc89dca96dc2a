import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Call, Client } from '../support/client.ts';
import { useService } from '../support/service.ts';
import { exchange } from '../support/wire.ts';

const service = useService('SQLite');
let client: Client;
beforeAll(async () => {
  client = await service.newTenant();
  await client.create({ name: 'Tasse', gtin: '9520001000010' });
  await service.activate(client, 'tasse');
});

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const page = '/p/mandant-1/tasse';

test.each(['a', '7', 'A-z.0_9', '-', '...', 'x'.repeat(128)])(
  'the response has the id %s of the request',
  async (id) => {
    const { headers } = await client.call({ path: '/api/v1/me', headers: { 'x-request-id': id } });
    expect(headers['x-request-id']).toBe(id);
  },
);

const secrets = ['ppk_', 'sandbox_', 'eyJ'].map((beginning) => `${beginning}${'x'.repeat(43)}`);

test.each(['', 'a b', 'a,b', 'ä', 'a/b', 'x'.repeat(129), '"a"', '<b>', ...secrets])(
  'the invalid id %j is replaced by a new UUID',
  async (id) => {
    const { headers } = await client.call({ path: '/api/v1/me', headers: { 'x-request-id': id } });
    expect(headers['x-request-id']).toMatch(uuid);
  },
);

test('two ids in one request are replaced by a new UUID', async () => {
  const head = `GET /01/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: a\r\nX-Request-Id: b\r\n\r\n`;
  expect((await exchange(service.port, head)).headers['x-request-id']).toMatch(uuid);
});

test('each request without an id gets a new one', async () => {
  const [one, other] = [await client.call({ path: '/api/v1/me' }), await client.call({ path: '/api/v1/me' })];
  expect(one.headers['x-request-id']).toMatch(uuid);
  expect(other.headers['x-request-id']).toMatch(uuid);
  expect(one.headers['x-request-id']).not.toBe(other.headers['x-request-id']);
});

describe('every response has the id:', () => {
  const id = { 'x-request-id': 'mine-7' };

  test.each([
    ['a value', 200, { path: '/api/v1/me' }],
    ['a creation', 200, { method: 'POST', path: '/api/v1/products', body: { name: 'Kanne' } }],
    ['HEAD', 200, { method: 'HEAD', path: '/api/v1/me' }],
    ['a request without a key', 401, { path: '/api/v1/me', key: null }],
    ['an invalid body', 400, { method: 'POST', path: '/api/v1/products', body: '{' }],
    ['another tenant’s product', 404, { path: '/api/v1/products/none' }],
    ['an unknown path', 404, { path: '/none' }],
    ['another method', 405, { method: 'DELETE', path: '/api/v1/me' }],
    ['a preflight', 204, { method: 'OPTIONS', path: page, key: null }],
    ['the page', 200, { path: page }],
    ['the page of an error', 404, { path: '/p/mandant-1/none' }],
    ['JSON-LD', 200, { path: `${page}/jsonld` }],
    ['a redirect', 307, { path: '/01/9520001000010' }],
  ] as [string, number, Call][])('to %s: %i', async (_, status, call) => {
    const reply = await client.call({ ...call, headers: id });
    expect([reply.status, reply.headers['x-request-id']]).toEqual([status, 'mine-7']);
  });

  test('304 and the stylesheet have the id', async () => {
    const { headers, text } = await client.call({ path: page });
    const current = await client.call({ path: page, headers: { ...id, 'if-none-match': headers.etag } });
    expect([current.status, current.headers['x-request-id']]).toEqual([304, 'mine-7']);
    const [, stylesheet] = /href="(\/assets\/[^"]+)"/.exec(text) ?? [];
    const styled = await fetch(`http://127.0.0.1:${service.port}${stylesheet}`, { headers: id });
    expect([styled.status, styled.headers.get('x-request-id')]).toEqual([200, 'mine-7']);
  });

  test('the log has the id of a failed request', async () => {
    await service.database.schema.renameTable('products', 'products_away');
    const failed = await client.call({ path: '/api/v1/products/tasse', headers: id });
    await service.database.schema.renameTable('products_away', 'products');
    expect([failed.status, failed.headers['x-request-id']]).toEqual([500, 'mine-7']);
    expect(service.logLines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ msg: 'request failed', request_id: 'mine-7' }),
    ]);
  });

  test.each([
    ['a request without a Host', 400, 'GET / HTTP/1.1\r\nX-Request-Id: mine-7\r\nConnection: close\r\n\r\n', 'mine-7'],
    ['CONNECT', 400, 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine-7\r\n\r\n', 'mine-7'],
    ['bytes that are not HTTP', 400, 'hello\r\n\r\n', uuid],
    ['headers that are too large', 431, `GET / HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, uuid],
  ])('to %s: %i', async (_, status, bytes, expected) => {
    const response = await exchange(service.port, bytes);
    service.judge({}, response);
    expect(response).toMatchObject({ status, headers: { 'x-request-id': expect.stringMatching(expected) } });
  });
});
