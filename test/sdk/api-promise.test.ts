import { describe, expect, test } from '@jest/globals';
import { createClient } from '../../sdk/src/index.ts';
import { apiKey, baseUrl, fakeFetch, json, refusal } from '../support/fake-fetch.ts';

const connect = (...responses: Parameters<typeof fakeFetch>) => {
  const { fetch, requests } = fakeFetch(...responses);
  return { client: createClient({ baseUrl, apiKey, fetch, maxAttempts: 1 }), requests };
};

test('a result is the value, or the error that the promise rejects with; one request for both', async () => {
  const good = connect(json({ id: 'x' }));
  expect(await good.client.products.get('x').result()).toEqual({ ok: true, value: { id: 'x' } });
  expect(good.requests).toHaveLength(1);

  const { client, requests } = connect(refusal(404, 'not_found'));
  const call = client.products.get('x');
  const result = await call.result();
  expect(result).toMatchObject({ ok: false, error: { name: 'ApiError', code: 'not_found' } });
  await expect(call).rejects.toBe(result.ok || result.error);
  expect(requests).toHaveLength(1);
});

test('it never rejects: not for a lost response, an argument or a signal', async () => {
  const { client } = connect(new TypeError('fetch failed'));
  const results = await Promise.all([
    client.me.get().result(),
    client.products.get('..').result(),
    client.me.get({ signal: AbortSignal.abort() }).result(),
    client.me.get({ timeoutMs: -1 }).result(),
  ]);
  expect(results.map((result) => !result.ok && result.error.code)).toEqual([
    'network_error',
    'invalid_argument',
    'aborted',
    'invalid_argument',
  ]);
});

test('of a list it is the first page', async () => {
  const page = { items: [{ id: 'x' }], total: 1, limit: 50, offset: 0 };
  expect(await connect(json(page)).client.products.list().result()).toEqual({ ok: true, value: page });
  expect(await connect(json({})).client.products.list().result()).toMatchObject({
    ok: false,
    error: { name: 'UnexpectedResponseError', operation: 'listProducts' },
  });
});

describe('withResponse', () => {
  const headers = { 'x-request-id': 'req-7', 'x-ratelimit-remaining': '59' };

  test('is the value, the status, the headers and the request id; one request for all', async () => {
    const { client, requests } = connect(json({ id: 'x' }, { status: 201, headers }));
    const call = client.products.create({ name: 'x' });
    const received = await call.withResponse();
    expect(received).toMatchObject({ value: { id: 'x' }, status: 201, requestId: 'req-7' });
    expect(received.headers).toBeInstanceOf(Headers);
    expect(received.headers.get('X-RateLimit-Remaining')).toBe('59');
    expect(await call).toBe(received.value);
    expect(requests).toHaveLength(1);
    expect((await connect(json({})).client.me.get().withResponse()).requestId).toBeUndefined();
  });

  test('rejects as the call does, and is then its only handler', async () => {
    const { client } = connect(refusal(404, 'not_found'));
    await expect(client.products.get('x').withResponse()).rejects.toMatchObject({ status: 404, code: 'not_found' });
    await new Promise((resolve) => setTimeout(resolve)); // a rejection without a handler would fail the test
  });

  test('of a list is that of the first page', async () => {
    const page = { items: [{ id: 'x' }], total: 1, limit: 50, offset: 0 };
    const { client, requests } = connect(json(page, { headers }));
    const list = client.products.list();
    expect(await list.withResponse()).toMatchObject({ value: page, status: 200, requestId: 'req-7' });
    expect(await list).toEqual(page);
    expect(requests).toHaveLength(1);
  });

  test('of several requests is that of the last', async () => {
    const wrote = (id: string) => json({ updated: 1, completeness: 5 }, { headers: { 'x-request-id': id } });
    const values = Array.from({ length: 1_001 }, () => ({ field_key: 'a', value: 1 }));
    const put = connect(wrote('one'), wrote('two')).client.passports.put('x', values);
    expect(await put.withResponse()).toMatchObject({ value: { updated: 2 }, requestId: 'two' });
    const made = connect(refusal(404, 'not_found'), json({ slug: 'x' }, { status: 201, headers }));
    const ensured = await made.client.products.ensure({ name: 'x', slug: 'x' }).withResponse();
    expect(ensured).toMatchObject({ value: { created: true }, status: 201, requestId: 'req-7' });
  });
});
