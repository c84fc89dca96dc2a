import { describe, expect, test } from '@jest/globals';
import { createJudge } from '../../contracts/judge/judge.ts';
import { routes } from '../../sdk/src/generated/routes.ts';
import {
  createClient,
  isApiError,
  type PassportDocument,
  type Product,
  type ProductListItem,
} from '../../sdk/src/index.ts';
import {
  type ApiOperation,
  apiError,
  createFakeClient,
  createFakeFetch,
  createFakePublicClient,
  type FakeErrorCode,
  networkError,
  pageOf,
} from '../../sdk/src/testing.ts';
import { exampleOf, operationsOfContract } from '../support/documented.ts';
import { rejection } from '../support/thrown.ts';

const judge = createJudge();
const product = exampleOf('getProduct') as Product;
const items: ProductListItem[] = Array.from({ length: 450 }, (_, index) => ({ ...product, id: String(index) }));

describe('a fake client', () => {
  test('responds by operation with the values of the call, and records the calls', async () => {
    const client = createFakeClient({
      getProduct: ({ slug }) => ({ ...product, slug }),
      createProduct: async ({ body }) => ({ ...product, name: body.name }),
      putPassport: ({ slug, body }) => ({ updated: body.length, completeness: slug === 'a b' ? 50 : 0 }),
      getScanStatistics: ({ query }) => ({
        days: query.days ?? 30,
        total: 0,
        per_day: [],
        by_view_role: { consumer: 0, inspector: 0, recycler: 0 },
        top_products: [],
      }),
      listCarriers: { items: [] },
    });

    expect((await client.products.get('größe-42')).slug).toBe('größe-42');
    expect((await client.products.create({ name: 'Mütze' })).name).toBe('Mütze');
    expect(await client.passports.put('a b', [{ field_key: 'x', value: 1 }])).toEqual({ updated: 1, completeness: 50 });
    expect((await client.analytics.scans({ days: 7 })).days).toBe(7);
    expect(await client.carriers.list('kabel')).toEqual({ items: [] });
    expect(await client.carriers.list('kabel')).toEqual({ items: [] });

    expect(client.calls.map(({ operation }) => operation)).toEqual([
      'getProduct',
      'createProduct',
      'putPassport',
      'getScanStatistics',
      'listCarriers',
      'listCarriers',
    ]);
    expect(client.calls[0]).toMatchObject({ slug: 'größe-42', query: {}, body: undefined });
    expect(client.calls[1]).toMatchObject({ body: { name: 'Mütze' } });
    expect(client.calls[3]).toMatchObject({ query: { days: 7 } });
    expect(client.calls[1]?.request.headers.get('authorization')).toBe('Bearer ppk_fake');
  });

  test('pages as the real client does', async () => {
    const client = createFakeClient({ listProducts: ({ query }) => pageOf(items, query) });
    const ids: string[] = [];
    for await (const { id } of client.products.list({ limit: 200 })) ids.push(id);
    expect(ids).toEqual(items.map(({ id }) => id));
    expect(client.calls.map(({ query }) => query)).toEqual([
      { limit: 200 },
      { limit: 200, offset: 200 },
      { limit: 200, offset: 400 },
    ]);
    expect(await client.products.list({ limit: 1_000, offset: 449 })).toMatchObject({ total: 450, limit: 200 });
    expect((await client.products.list()).items).toHaveLength(50);
  });

  test.each(operationsOfContract())(
    '$operationId refuses as the contract says',
    async ({ operationId, method, path }) => {
      const operation = operationId as keyof typeof routes;
      const codes = Object.keys(routes[operation].codes);
      expect(codes.length).toBeGreaterThan(1);
      for (const code of codes) {
        const { fetch } = createFakeFetch({ [operation]: apiError(code as 'not_found') });
        const response = await fetch(new Request(`https://passport.example.com${path}`, { method }));
        const headers = Object.fromEntries(response.headers);
        const findings = judge.response({
          method,
          path,
          operationId,
          status: response.status,
          headers,
          body: await response.text(),
        });
        // The fake sends fewer headers than a service.
        const wrong = findings.filter(({ where }) => !where.startsWith('header '));
        expect([code, wrong]).toEqual([code, []]);
      }
    },
  );

  test('a code has the status of the contract, and a retry after it waits no longer than usual', async () => {
    const codes: FakeErrorCode<ApiOperation>[] = [
      'not_found',
      'invalid_api_key',
      'rate_limited',
      'service_unavailable',
    ];
    const statuses = codes.map(async (code) => {
      const { fetch } = createFakeFetch({ getProduct: apiError(code as 'not_found', 'Because.') });
      const response = await fetch(new Request('https://passport.example.com/api/v1/products/x'));
      expect(await response.json()).toEqual({ error: { code, message: 'Because.' } });
      return [response.status, response.headers.get('retry-after')];
    });
    expect(await Promise.all(statuses)).toEqual([
      [404, null],
      [401, null],
      [429, '0'],
      [503, '0'],
    ]);
    const client = createFakeClient({ createProduct: apiError('name_required') });
    const error = await rejection(client.products.create({ name: '' }));
    expect(isApiError(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'name_required',
      status: 400,
      operation: 'createProduct',
      detail: 'An error of the fake.',
    });
  });

  test('fails with not_faked for an undefined response or an unknown code', async () => {
    const client = createFakeClient({ getProduct: apiError('name_required' as 'not_found') });
    const unasked = await rejection(client.me.get());
    expect(unasked).toMatchObject({ name: 'ApiError', status: 501, code: 'not_faked' });
    expect(String(unasked)).toContain('has no response for getMe');
    const wrong = await rejection(client.products.get('x'));
    expect(wrong).toMatchObject({
      code: 'not_faked',
      detail: expect.stringContaining('getProduct has no name_required'),
    });
    const { fetch } = createFakeFetch({});
    const beside = await fetch(new Request('https://passport.example.com/api/v1/templates'));
    expect(await beside.json()).toMatchObject({ error: { code: 'not_faked' } });
  });

  test('fails like a network or a gateway', async () => {
    const client = createFakeClient({
      getMe: networkError(),
      getProduct: () => {
        throw new Error('reset');
      },
      getPassport: new Response('<h1>Bad Gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } }),
      listCarriers: () => new Promise(() => {}),
    });
    expect(await rejection(client.me.get())).toMatchObject({
      name: 'NetworkError',
      cause: { message: 'fetch failed' },
    });
    expect(await rejection(client.products.get('x'))).toMatchObject({
      name: 'NetworkError',
      cause: { message: 'reset' },
    });
    for (const _ of ['once', 'and again']) {
      expect(await rejection(client.passports.get('x'))).toMatchObject({
        name: 'UnexpectedResponseError',
        status: 502,
        excerpt: '<h1>Bad Gateway</h1>',
      });
    }
    const signal = AbortSignal.timeout(20);
    expect(await rejection(client.carriers.list('x', { signal }))).toMatchObject({ name: 'AbortError' });
    const sent = client.calls.length;
    expect(await rejection(client.products.get('..'))).toMatchObject({ name: 'ArgumentError' });
    expect(client.calls).toHaveLength(sent);
  });

  test('makes one attempt, or as many as maxAttempts', async () => {
    const once = createFakeClient({ getMe: networkError(), getProduct: apiError('service_unavailable') });
    expect(await rejection(once.me.get())).toMatchObject({ attempts: 1 });
    const responses = [apiError('service_unavailable'), product];
    const twice = createFakeClient({ getProduct: () => responses.shift() ?? product }, { maxAttempts: 2 });
    expect(await twice.products.get('kabel')).toEqual(product);
    expect([once.calls.length, twice.calls.length]).toEqual([1, 2]);
  });

  test('accepts the options of the real client', async () => {
    const client = createFakeClient(
      { getMe: { tenant: { id: '1', name: 'N', slug: 'n', country: 'DE', plan: 'starter' }, products_total: 0 } },
      { baseUrl: 'https://gateway.example/dpp/api/v1', apiKey: 'ppk_other' },
    );
    expect((await client.me.get()).tenant.slug).toBe('n');
    expect(client.siteUrl).toBe('https://gateway.example/dpp');
    expect(client.calls[0]?.request.headers.get('authorization')).toBe('Bearer ppk_other');
  });
});

describe('a fake of the public side', () => {
  test('returns the page, the document and the target of a link', async () => {
    const document = { hasDigitalProductPassport: {}, additionalProperty: [] } as unknown as PassportDocument;
    const site = createFakePublicClient({
      getPassportJsonld: document,
      getPassportPage: ({ tenant, product, query }) => `<p>${tenant} ${product} ${query.zugang}</p>`,
      resolveGtin: ({ gtin }) => `/p/nordlicht/${gtin}`,
    });
    expect(await site.passports.page('nordlicht', 'kabel', { zugang: 'a token' })).toBe(
      '<p>nordlicht kabel a token</p>',
    );
    const url = 'https://passport.example.com/p/nordlicht/09520001000072/jsonld';
    expect(await site.resolve('09520001000072')).toEqual({ url, document });
    expect(site.calls.map(({ operation }) => operation).slice(0, 2)).toEqual(['getPassportPage', 'resolveGtin']);
  });

  test('a scanned link with key qualifiers counts as its GTIN', async () => {
    const site = createFakePublicClient({ resolveGtin: '/p/t/p/jsonld', getPassportJsonld: {} as PassportDocument });
    await site.resolve('https://passport.example.com/01/09520001000072/10/LOT-42/21/SN%2F1');
    expect(site.calls[0]).toMatchObject({ operation: 'resolveGtin', gtin: '09520001000072', serial: 'SN/1' });
  });

  test('reports an error of the page as a page', async () => {
    const site = createFakePublicClient({
      getPassportPage: apiError('not_found'),
      getPassportJsonld: apiError('not_found'),
      resolveGtin: apiError('not_found'),
    });
    expect(await rejection(site.passports.page('t', 'p'))).toMatchObject({ name: 'ApiError', code: 'not_found' });
    expect(await rejection(site.passports.document('t', 'p'))).toMatchObject({ name: 'ApiError', code: 'not_found' });
    expect(await rejection(site.resolve('09520001000072'))).toMatchObject({ name: 'ApiError', code: 'not_found' });
  });
});

test('createFakeFetch serves a client that the program creates itself', async () => {
  const { fetch, calls } = createFakeFetch({ getProduct: product });
  const client = createClient({ baseUrl: 'http://localhost:3000/api/v1', apiKey: 'ppk_own', fetch });
  expect(await client.products.get('kabel')).toEqual(product);
  expect(calls).toHaveLength(1);
});
