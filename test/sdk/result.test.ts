import { expect, test } from '@jest/globals';
import { createClient } from '../../sdk/src/index.ts';
import { apiKey, baseUrl, fakeFetch, json, refusal } from '../support/fake-fetch.ts';

const connect = (...answers: Parameters<typeof fakeFetch>) => {
  const { fetch, requests } = fakeFetch(...answers);
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

test('it does not reject for any reason: a lost answer, an argument, a signal', async () => {
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
    error: { name: 'UnexpectedAnswerError', operation: 'listProducts' },
  });
});
