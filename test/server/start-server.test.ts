/** `startServer` of `@product-passport/server/testing`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { startServer, type TestServer, type TestServerOptions } from '../../server/src/testing.ts';
import { newPostgresDatabase } from '../support/postgres.ts';
import { freePort } from '../support/program.ts';
import { thrownBy } from '../support/thrown.ts';

let servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  servers = [];
});

async function started(options?: TestServerOptions): Promise<TestServer> {
  const server = await startServer(options);
  servers.push(server);
  return server;
}

async function get({ baseUrl }: TestServer, path: string, key: string | undefined) {
  const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, body: await response.json() };
}

test('without options, the server has one tenant without products, whose key works', async () => {
  const server = await started();
  expect(server).toMatchObject({ siteUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
  expect(server.baseUrl).toBe(`${server.siteUrl}/api/v1`);
  expect(server.tenants).toEqual([{ slug: 'test-shop', apiKey: server.apiKey }]);
  expect(await get(server, '/me', server.apiKey)).toMatchObject({
    status: 200,
    body: { tenant: { slug: 'test-shop', country: 'DE' }, products_total: 0 },
  });
});

test('two servers share no data', async () => {
  const [one, other] = await Promise.all([started(), started()]);
  expect(await get(one, '/me', one.apiKey)).toMatchObject({ status: 200 });
  expect(await get(other, '/me', one.apiKey)).toMatchObject({ status: 401 });
});

test('each name in tenants becomes a tenant with its own key', async () => {
  const server = await started({ tenants: ['one-shop', 'other-shop'] });
  expect(server.tenants.map(({ slug }) => slug)).toEqual(['one-shop', 'other-shop']);
  for (const { slug, apiKey } of server.tenants) {
    expect(await get(server, '/me', apiKey)).toMatchObject({ body: { tenant: { slug } } });
  }
});

test('a tenant needs a valid slug, and a server needs a tenant', async () => {
  const message = 'The tenant "Other Shop" needs another slug: use a to z, 0 to 9 and single hyphens, as in my-shop.';
  expect(await thrownBy(() => startServer({ tenants: ['Other Shop'] }))).toMatchObject({ message });
  expect(await thrownBy(() => startServer({ tenants: [] }))).toMatchObject({ message: 'Name at least one tenant.' });
});

test('demo gives the tenants and products of the demo', async () => {
  const server = await started({ demo: true });
  expect(server.tenants).toHaveLength(2);
  expect(await get(server, '/me', server.apiKey)).toMatchObject({ body: { products_total: 15 } });
});

test('port and siteUrl are used, and a stop frees the port', async () => {
  const port = await freePort();
  const server = await started({ port, siteUrl: 'https://passport.example.com' });
  expect(server).toMatchObject({ siteUrl: 'https://passport.example.com', baseUrl: `http://127.0.0.1:${port}/api/v1` });
  await Promise.all([server.stop(), server.stop()]);
  await expect(fetch(server.baseUrl)).rejects.toThrow('fetch failed');
  await started({ port });
});

test('rateLimit limits the requests per minute', async () => {
  const server = await started({ rateLimit: 1 });
  expect(await get(server, '/me', server.apiKey)).toMatchObject({ status: 200 });
  expect(await get(server, '/me', server.apiKey)).toMatchObject({ status: 429 });
});

test('a port that is in use is an error that names it', async () => {
  const { baseUrl } = await started();
  const port = Number(new URL(baseUrl).port);
  expect(await thrownBy(() => startServer({ port }))).toMatchObject({ code: 'EADDRINUSE' });
});

test('PostgreSQL works too, and a database with tenants is refused without a change', async () => {
  const database = await newPostgresDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'start-server-'));
  try {
    for (const address of [database, join(folder, 'passports.sqlite')]) {
      const server = await started({ database: address });
      expect(await get(server, '/me', server.apiKey)).toMatchObject({ status: 200 });
      expect(await thrownBy(() => startServer({ database: address, tenants: ['late-shop'] }))).toMatchObject({
        message: expect.stringContaining('already has tenants. Name an empty database'),
      });
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
