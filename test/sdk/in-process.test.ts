import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from '../../sdk/src/index.ts';
import { createPublicClient } from '../../sdk/src/public.ts';
import { type Injectable, injectFetch } from '../../sdk/src/testing.ts';
import { fillDemo } from '../../server/src/demo/fill.ts';
import { createApp, openDatabase } from '../../server/src/index.ts';
import { createLog } from '../../server/src/log/log.ts';
import { rejection } from '../support/fake-fetch.ts';

describe('the SDK against the reference server in the same process', () => {
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let fetch: ReturnType<typeof injectFetch>;
  let apiKey = '';
  const siteUrl = 'https://passport.example.com';
  const client = () => createClient({ baseUrl: `${siteUrl}/api/v1`, apiKey, fetch });
  const site = () => createPublicClient({ siteUrl, fetch });

  beforeAll(async () => {
    database = await openDatabase(':memory:');
    const keys = await fillDemo({ database, urnNamespace: 'dpp', now: () => new Date() });
    apiKey = keys?.tenants[0]?.api_key ?? '';
    const log = createLog('silent');
    const app = await createApp({ database, siteUrl, log });
    fetch = injectFetch(app);
    expect(app.info.started).toBe(0); // it does not listen
  });
  afterAll(() => database.destroy());

  test('reads, pages and writes', async () => {
    expect(await client().me.get()).toMatchObject({ tenant: { slug: 'nordlicht' }, products_total: 15 });
    const slugs: string[] = [];
    for await (const { slug } of client().products.list({ limit: 4 })) slugs.push(slug);
    expect(new Set(slugs).size).toBe(15);

    const created = await client().products.create({ name: 'Größenmaß ✓', product_group: 'cable' });
    expect(created).toMatchObject({ name: 'Größenmaß ✓', status: 'draft' });
    const values = [{ field_key: 'cable_length', value: 'zwei Meter' }];
    expect(await client().passports.put(created.slug, values)).toMatchObject({ updated: 1 });
    expect((await client().passports.get(created.slug)).values).toMatchObject(values);
  });

  test('refuses', async () => {
    expect(await rejection(client().products.get('no-such-product'))).toMatchObject({ status: 404, code: 'not_found' });
    apiKey = 'ppk_wrong';
    expect(await rejection(client().me.get())).toMatchObject({ code: 'invalid_api_key' });
  });

  test('shows the public side', async () => {
    const [tenant, product] = ['nordlicht', 'usb-c-kabel-240-w-2-m'];
    expect(await site().passports.page(tenant, product)).toContain('<html');
    expect((await site().passports.document(tenant, product)).name).toContain('USB-C');
    expect(
      await site()
        .resolve('9999999999999')
        .catch(({ code }) => code),
    ).toBe('not_found');
  });

  test('an aborted call reaches no server', async () => {
    const signal = AbortSignal.abort();
    const request = new Request(`${siteUrl}/api/v1/me`, { signal });
    expect(await rejection(fetch(request))).toBe(signal.reason);
  });
});

test.each([204, 205, 304])('a %i has no body, even if the server sends an empty one', async (statusCode) => {
  const server: Injectable = {
    inject: async () => ({ statusCode, headers: { 'x-request-id': '7' }, rawPayload: new Uint8Array() }),
  };
  const response = await injectFetch(server)(new Request('http://127.0.0.1:3000/api/v1/me'));
  expect([response.status, response.body, response.headers.get('x-request-id')]).toEqual([statusCode, null, '7']);
});

test('accepts any server with such an inject, and keeps repeated headers', async () => {
  const requests: unknown[] = [];
  const server: Injectable = {
    inject: async (request) => {
      requests.push(request);
      const headers = { 'content-length': 0, 'set-cookie': ['a=1', 'b=2'], gone: undefined };
      return { statusCode: 204, headers, rawPayload: new Uint8Array() };
    },
  };
  const response = await injectFetch(server)(
    new Request('http://127.0.0.1:3000/api/v1/products/x%2Fy?a=b', { method: 'PUT', body: '[]' }),
  );
  expect(response.status).toBe(204);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(requests).toEqual([
    {
      method: 'PUT',
      url: '/api/v1/products/x%2Fy?a=b',
      authority: '127.0.0.1:3000',
      headers: { 'content-type': 'text/plain;charset=UTF-8' },
      payload: '[]',
    },
  ]);
});
