/** Clients whose responses a test defines, and samples of the contract's objects. */
import { describe, expect, test } from '@jest/globals';
import { createJudge } from '../../../contracts/judge/judge.ts';
import { operations } from '../../../sdk/src/generated/samples.ts';
import {
  apiError,
  createFakeClient,
  createFakeFetch,
  createFakePublicClient,
  networkError,
  pageOf,
  sample,
} from '../../../sdk/src/testing.ts';
import { operationsOfContract } from '../../support/documented.ts';
import { rejection } from '../../support/thrown.ts';

const judge = createJudge();
const _product = sample.product();
const items = Array.from({ length: 450 }, (_, index) => sample.listItem({ id: String(index) }));

describe('a fake client', () => {
  test('responds by operation with the values of the call, and records the calls', async () => {
    const client = createFakeClient(
      {
        getMe: sample.me(),
        getProduct: ({ slug }) => sample.product({ slug }),
        createProduct: async ({ body }) => sample.product({ name: body.name }),
        putPassport: ({ slug, body }) => ({ updated: body.length, completeness: slug === 'a b' ? 50 : 0, findings: 2 }),
        getScanStatistics: ({ query }) => sample.scans({ days: query.days ?? 30 }),
        listCarriers: { items: [] },
      },
      { baseUrl: 'https://gateway.example/dpp/api/v1', apiKey: 'ppk_other' },
    );
    expect((await client.products.get('größe-42')).slug).toBe('größe-42');
    expect((await client.products.create({ name: 'Mütze' })).name).toBe('Mütze');
    const written = await client.passports.put('a b', [{ field_key: 'x', value: 1 }]).withResponse();
    expect(written.value).toEqual({ updated: 1, completeness: 50, findings: 2 });
    expect(written.headers.get('passport-findings')).toBe('2');
    expect((await client.analytics.scans({ days: 7 })).days).toBe(7);
    for (const _ of ['once', 'and again']) expect(await client.carriers.list('kabel')).toEqual({ items: [] });
    expect(client.calls).toMatchObject([
      { operation: 'getProduct', slug: 'größe-42', query: {}, body: undefined },
      { operation: 'createProduct', body: { name: 'Mütze' } },
      { operation: 'putPassport', slug: 'a b', body: [{ field_key: 'x', value: 1 }] },
      { operation: 'getScanStatistics', query: { days: 7 } },
      ...Array(2).fill({ operation: 'listCarriers', slug: 'kabel' }),
    ]);
    expect(client.siteUrl).toBe('https://gateway.example/dpp');
    expect(client.calls[0]?.request.headers.get('authorization')).toBe('Bearer ppk_other');
  });

  test('pages as the real client does', async () => {
    const client = createFakeClient({ listProducts: ({ query }) => pageOf(items, query) });
    const ids: string[] = [];
    for await (const { id } of client.products.list({ limit: 200 })) ids.push(id);
    expect(ids).toEqual(items.map(({ id }) => id));
    const offsets = [{}, { offset: 200 }, { offset: 400 }];
    expect(client.calls.map(({ query }) => query)).toEqual(offsets.map((offset) => ({ limit: 200, ...offset })));
    expect(await client.products.list({ limit: 1_000, offset: 449 })).toMatchObject({ total: 450, limit: 200 });
    expect((await client.products.list()).items).toHaveLength(50);
  });

  test.each(operationsOfContract())(
    '$operationId refuses as the contract says',
    async ({ operationId, method, path }) => {
      const { codes = [] } = operations.find((one) => one.operationId === operationId) ?? {};
      expect(codes.length).toBeGreaterThan(1);
      for (const code of codes) {
        const { fetch } = createFakeFetch({ [operationId]: apiError(code as 'not_found', 'Because.') });
        const response = await fetch(`https://a.example${path}`, { method });
        const { status } = response;
        const headers = Object.fromEntries(response.headers);
        const findings = judge.response({ method, path, operationId, status, headers, body: await response.text() });
        // The fake sends fewer headers than a service.
        expect([code, findings.filter(({ where }) => !where.startsWith('header '))]).toEqual([code, []]);
        // A retry after it waits no longer than usual.
        const mayWait = (status === 429 || status === 503) && operationId !== 'getPassportPage';
        expect(headers['retry-after']).toBe(mayWait ? '0' : undefined);
      }
    },
  );

  const gateway = new Response('<h1>Bad Gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } });
  const reset = () => {
    throw new Error('reset');
  };
  const notFaked = { name: 'ApiError', status: 501, code: 'not_faked' };
  const nameless = { name: 'ApiError', code: 'name_required', status: 400, detail: 'An error of the fake.' };
  const page = { name: 'UnexpectedResponseError', status: 502, excerpt: '<h1>Bad Gateway</h1>' };
  test.each<[string, Parameters<typeof createFakeClient>[0], object]>([
    ['a code', { createProduct: apiError('name_required') }, nameless],
    ['no response', {}, { ...notFaked, detail: 'The fake has no response for createProduct.' }],
    ['a code of another operation', { createProduct: apiError('not_found' as 'invalid_json') }, notFaked],
    [
      'a network failure',
      { createProduct: networkError() },
      { name: 'NetworkError', cause: { message: 'fetch failed' } },
    ],
    ['a function that throws', { createProduct: reset }, { name: 'NetworkError', cause: { message: 'reset' } }],
    ['a response of a gateway', { createProduct: gateway }, page],
    ['a function that never responds', { createProduct: () => new Promise(() => {}) }, { name: 'AbortError' }],
  ])('fails with %s, each time', async (_what, responses, expected) => {
    const client = createFakeClient(responses);
    for (const attempts of [1, 1]) {
      const signal = AbortSignal.timeout(100);
      const error = await rejection(client.products.create({ name: 'x' }, { signal }));
      expect(error).toMatchObject({ operation: 'createProduct', attempts, ...expected });
    }
    expect(client.calls).toHaveLength(2);
    expect(await rejection(client.products.get('..'))).toMatchObject({ name: 'ArgumentError' });
    expect(client.calls).toHaveLength(2);
  });

  test('says which codes an operation has, and which path is none of the contract', async () => {
    const { fetch, calls } = createFakeFetch({ getMe: apiError('not_found' as 'rate_limited') });
    const texts = ['me', 'templates'].map(async (path) => (await fetch(`https://a.example/api/v1/${path}`)).json());
    expect(await Promise.all(texts)).toMatchObject([
      { error: { message: expect.stringMatching(/^getMe has no not_found, only invalid_api_key, /) } },
      { error: { message: 'GET https://a.example/api/v1/templates is not an operation of the contract.' } },
    ]);
    expect(calls).toHaveLength(1);
  });
});

describe('a fake of the public side', () => {
  test('returns the page, the document and the target of a link; key qualifiers belong to the GTIN', async () => {
    const document = sample.document();
    const site = createFakePublicClient({
      getPassportJsonld: document,
      getPassportPage: ({ tenant, product, query }) => `<p>${tenant} ${product} ${query.zugang}</p>`,
      resolveGtin: ({ gtin }) => `/p/nordlicht/${gtin}`,
    });
    const page = await site.passports.page('nordlicht', 'kabel', { zugang: 'a token' });
    expect(page).toBe('<p>nordlicht kabel a token</p>');
    const root = 'https://passport.example.com';
    const url = `${root}/p/nordlicht/09520001000072/jsonld`;
    const scanned = `${root}/01/09520001000072/10/LOT-42/21/SN%2F1`;
    for (const link of ['09520001000072', scanned]) expect(await site.resolve(link)).toEqual({ url, document });
    const resolved = site.calls.filter(({ operation }) => operation === 'resolveGtin');
    expect(resolved).toMatchObject([{}, { gtin: '09520001000072', serial: 'SN/1' }]);
  });
});

test('a test names only what matters', () => {
  const product = sample.product({ slug: 'helmet', status: 'draft' });
  expect(product).toEqual({ ...sample.product(), slug: 'helmet', status: 'draft' });
  const passport = sample.passport({ values: [sample.value({ field_key: 'material', value: 'Merino wool' })] });
  expect(passport.values).toEqual([{ ...sample.value(), field_key: 'material', value: 'Merino wool' }]);
  // @ts-expect-error A field that the contract does not have.
  sample.product({ flavour: 'mint' });
  // @ts-expect-error A value that the field cannot have.
  sample.product({ completeness: 'full' });
});

test.each(Object.entries(sample))('sample.%s shares nothing between calls', (_name, make) => {
  const before = structuredClone(make());
  const empty = (node: object): void => {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === 'object' && value !== null) empty(value);
      Reflect.deleteProperty(node, key);
    }
  };
  empty(make());
  expect(make()).toEqual(before);
});
