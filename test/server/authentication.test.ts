import { Agent, type IncomingHttpHeaders } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createJudge } from '../../contracts/judge/judge.ts';
import { revokeKey } from '../../server/src/tenants/keys.ts';
import type { Client } from '../support/client.ts';
import { databaseKinds, useService } from '../support/service.ts';
import { exchange, send, sharedHeaders } from '../support/wire.ts';

const secured = createJudge()
  .operations.filter((operation) => operation.secured)
  .map(({ operationId, method, path }) => ({ operationId, method, path: path.replace(/\{\w+\}/, 'tasse') }));
const me = '/api/v1/me';

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);
  let client: Client;
  beforeAll(async () => {
    client = await service.newTenant();
    await client.create({ name: 'Tasse', gtin: '9520001000010' });
    await service.activate(client, 'tasse');
  });

  test.each(secured)('AUTH-1 $operationId without a key is 401', async ({ method, path }) => {
    const { outcome, headers } = await client.call({ method, path, key: null });
    expect(outcome).toBe('401 invalid_api_key');
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  test.each(['', 'Bearer', 'Bearer ', 'Bearer    ', 'Basic dTpw', 'Token KEY', 'KEY', 'Bearer KEY KEY', 'Bearer KEYx'])(
    'AUTH-2 the header %j is 401',
    async (header) => {
      const authorization = header.replaceAll('KEY', client.key);
      expect((await client.call({ path: me, headers: { authorization } })).outcome).toBe('401 invalid_api_key');
    },
  );

  test.each(['api_key', 'key', 'access_token', 'authorization'])(
    'AUTH-2 an API key in the query parameter %s is ignored',
    async (name) => {
      const reply = await client.call({ path: me, query: { [name]: client.key }, key: null });
      expect(reply.outcome).toBe('401 invalid_api_key');
    },
  );

  test('AUTH-2 a token of 6 kB is 401', async () => {
    expect((await client.call({ path: me, key: 'x'.repeat(6000) })).outcome).toBe('401 invalid_api_key');
  });

  test.each([
    ['bytes that are not ASCII', Buffer.from([0xff, 0xe4, 0xfc, 0x80])],
    ['the bytes of an emoji', Buffer.from('ppk_🔑')],
    ['a tab', Buffer.from('ppk_\tx')],
  ])('AUTH-2 a key with %s is 401', async (_, token) => {
    const head = Buffer.from(`GET ${me} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer `);
    const response = await exchange(service.port, Buffer.concat([head, token, Buffer.from('\r\n\r\n')]));
    service.judge({ method: 'GET', path: me }, response);
    expect(response.status).toBe(401);
  });

  test.each(['bearer', 'BEARER', 'bEaReR', 'Bearer  '])('AUTH-2 the scheme %j is accepted', async (scheme) => {
    const reply = await client.call({ path: me, headers: { authorization: `${scheme} ${client.key}` } });
    expect(reply.outcome).toBe('200');
  });

  test('AUTH-3 an unknown and a revoked key get the same response', async () => {
    const { id, key } = await service.newKey(client.tenant);
    expect((await client.call({ path: me, key })).outcome).toBe('200');
    await revokeKey(service.database, client.tenant.id, id, new Date());
    const revoked = await client.call({ path: me, key });
    const unknown = await client.call({ path: me, key: `ppk_${'A'.repeat(43)}` });
    const missing = await client.call({ path: me, key: null });
    expect(revoked.outcome).toBe('401 invalid_api_key');
    expect(identical(revoked)).toEqual(identical(unknown));
    expect(identical(revoked)).toEqual(identical(missing));
  });

  test('AUTH-3 a key revoked between two requests of one connection fails on the second request', async () => {
    const { id, key } = await service.newKey(client.tenant);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = () =>
      send(service.port, agent, { method: 'GET', path: me, headers: { authorization: `Bearer ${key}` } });
    expect((await ask()).status).toBe(200);
    await revokeKey(service.database, client.tenant.id, id, new Date());
    expect(await ask()).toMatchObject({ status: 401, reusedConnection: true });
    agent.destroy();
  });

  test('AUTH-3 revoking a key twice, or a key of another tenant, changes nothing', async () => {
    const other = await service.newTenant();
    expect(await revokeKey(service.database, other.tenant.id, client.keyId, new Date())).toBeUndefined();
    expect((await client.call({ path: me })).outcome).toBe('200');
    const { id } = await service.newKey(other.tenant);
    const first = await revokeKey(service.database, other.tenant.id, id, new Date('2026-01-01'));
    expect(await revokeKey(service.database, other.tenant.id, id, new Date('2026-02-01'))).toEqual(first);
  });

  const beforeEverything = [
    { would: '404 of a path', call: { path: '/api/v1/nothing' } },
    { would: '404 of the root', call: { path: '/api/v1' } },
    { would: '404 of a product', call: { path: '/api/v1/products/nothing' } },
    { would: '405', call: { method: 'DELETE', path: '/api/v1/products/tasse' } },
    { would: '413', call: { method: 'POST', path: '/api/v1/products', body: Buffer.alloc(2 ** 20 + 1, ' ') } },
    {
      would: '415',
      call: { method: 'POST', path: '/api/v1/products', body: '{}', headers: { 'content-type': 'text/plain' } },
    },
    { would: '400 of a body', call: { method: 'POST', path: '/api/v1/products', body: '{' } },
    { would: '400 of a query', call: { path: '/api/v1/products', query: { limit: 'x' } } },
    { would: '404 of a path that cannot be decoded', call: { path: '/api/v1/%E4%zz' } },
  ];
  test.each(beforeEverything)('AUTH-4 a request without a key gets 401 instead of $would', async ({ call }) => {
    expect((await client.call({ ...call, key: null })).outcome).toBe('401 invalid_api_key');
    // With a key the request fails in another way, so the case really tests the order.
    expect((await client.call(call)).status).not.toBe(401);
  });

  test.each(['/p/mandant-1/tasse', '/p/mandant-1/tasse/jsonld', '/01/9520001000010', '/p/mandant-1/none', '/01/1'])(
    'AUTH-5 %s gives the same response without a key, with a valid key and with an invalid key',
    async (path) => {
      const [without, good, bad] = await Promise.all(
        [null, client.key, 'ppk_wrong'].map((key) => client.call({ path, key })),
      );
      expect(without?.status).not.toBe(401);
      expect(without && identical(without)).toEqual(good && identical(good));
      expect(without && identical(without)).toEqual(bad && identical(bad));
    },
  );

  test('AUTH-6 no log line has the key or data of the client, even for a failed request', async () => {
    await service.database.schema.renameTable('products', 'products_away');
    const list = await client.call({ path: '/api/v1/products', query: { search: 'vertraulich' } });
    const creation = await client.creation({ name: 'vertraulich', model: 'vertraulich' });
    await service.database.schema.renameTable('products_away', 'products');
    expect([list.outcome, creation]).toEqual(['500 internal_error', '500 internal_error']);
    expect(service.logLines).toHaveLength(2);
    expect(service.logLines.join()).toMatch(/no such table|does not exist/);
    expect(service.logLines.filter((line) => line.includes(client.key) || line.includes('vertraulich'))).toEqual([]);
  });

  test('AUTH-6 the database does not store the key', async () => {
    const rows = JSON.stringify(await service.database('api_keys'));
    expect(rows).not.toContain(client.key);
    expect(rows).not.toContain(client.key.slice(4));
  });
});

function identical({ status, headers, text }: { status: number; headers: IncomingHttpHeaders; text: string }) {
  return { status, headers: sharedHeaders(headers), text };
}
