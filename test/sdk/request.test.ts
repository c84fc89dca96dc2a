/** `client.request`: any operation under /api/v1, through the same engine as the methods. */
import { describe, expect, test } from '@jest/globals';
import { type ApiOperation, createClient, type RequestOptions } from '../../sdk/src/index.ts';
import { operationsOfContract } from '../support/documented.ts';
import { apiKey, baseUrl, fakeFetch, html, json, refusal, rejection, siteUrl } from '../support/fake-fetch.ts';

function connect(...responses: Parameters<typeof fakeFetch>) {
  const { fetch, requests } = fakeFetch(...responses);
  return { client: createClient({ baseUrl, apiKey, fetch, maxAttempts: 1 }), requests };
}

/** `client.request` as a program without types calls it. */
const untyped = (client: ReturnType<typeof createClient>) =>
  client.request as (operation: unknown, input?: unknown, options?: RequestOptions) => Promise<unknown>;

const api = operationsOfContract().filter(({ path }) => path.startsWith('/api/'));

test.each(api)('$operationId: sends the method and the path of the contract', async ({ operationId, method, path }) => {
  const { client, requests } = connect(json({ id: 'x' }));
  const value = await untyped(client)(operationId as ApiOperation, { path: { slug: 'ä b' } });
  expect(value).toEqual({ id: 'x' });
  expect(requests.map(({ url }) => url)).toEqual([siteUrl + path.replace('{slug}', '%C3%A4%20b')]);
  expect(requests[0]?.method).toBe(method);
  expect(requests[0]?.headers.get('authorization')).toBe(`Bearer ${apiKey}`);
});

test('sends the query and the body', async () => {
  const { client, requests } = connect(json({ items: [], total: 0, offset: 0, limit: 2 }));
  await client.request('listProducts', { query: { limit: 2, search: 'Größe & 5', status: undefined } });
  await client.request('createProduct', { body: { name: 'Mütze', gtin: null } });
  expect(requests[0]?.url).toBe(`${baseUrl}/products?limit=2&search=Gr%C3%B6%C3%9Fe%20%26%205`);
  expect(await requests[1]?.json()).toEqual({ name: 'Mütze', gtin: null });
});

describe('has the errors, the retries and the limits of the methods', () => {
  test('a refusal', async () => {
    const error = await rejection(
      connect(refusal(404, 'not_found')).client.request('getProduct', { path: { slug: 'x' } }),
    );
    expect(error).toMatchObject({ name: 'ApiError', operation: 'getProduct', path: '/api/v1/products/x', status: 404 });
  });

  test('its result and its response', async () => {
    const response = json({ products_total: 0 }, { headers: { 'x-request-id': 'req-7' } });
    const call = connect(response).client.request('getMe');
    expect(await call.result()).toEqual({ ok: true, value: { products_total: 0 } });
    expect(await call.withResponse()).toMatchObject({ status: 200, requestId: 'req-7' });
  });

  test('a read is retried, a create is not', async () => {
    const { client, requests } = connect(html(503, ''));
    await rejection(client.request('getMe', {}, { maxAttempts: 2 }));
    expect(requests).toHaveLength(2);
    await rejection(client.request('createProduct', { body: { name: 'x' } }, { maxAttempts: 2 }));
    expect(requests).toHaveLength(3);
  });

  test('a signal', async () => {
    const { client, requests } = connect(json({}));
    const call = client.request('getMe', {}, { signal: AbortSignal.abort('enough') });
    expect(await rejection(call)).toMatchObject({ name: 'AbortError', cause: 'enough' });
    expect(requests).toEqual([]);
  });
});

describe('rejects input that is not in the contract, and sends nothing', () => {
  test.each<[string, unknown, unknown, string]>([
    ['a path value that leaves its place', 'getProduct', { path: { slug: '../me' } }, 'slug'],
    ['a path without its value', 'getProduct', { path: {} }, 'slug'],
    ['an input without the path', 'getProduct', {}, 'slug'],
    ['no input', 'getProduct', undefined, 'slug'],
    ['a body that is not JSON', 'createProduct', { body: { name: Number.NaN } }, 'name'],
    ['an operation of the public side', 'getPassportPage', {}, 'operation'],
    ['no operation', undefined, {}, 'operation'],
    ['a member of every object', 'toString', {}, 'operation'],
  ])('%s', async (_what, operation, input, argument) => {
    const { client, requests } = connect(json({}));
    expect(await rejection(untyped(client)(operation, input))).toMatchObject({ name: 'ArgumentError', argument });
    expect(requests).toEqual([]);
  });
});
