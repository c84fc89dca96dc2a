import { describe, expect, test } from '@jest/globals';
import { readDocument } from '../../openapi/src/index.ts';
import { createClient } from '../../sdk/src/index.ts';
import { operationsOfContract } from '../support/documented.ts';
import { apiKey, baseUrl, fakeFetch, json, refusal, rejection } from '../support/fake-fetch.ts';
import { useService } from '../support/service.ts';

const mebibyte = 1_048_576;
const many = (count: number, value: unknown = 1) =>
  Array.from({ length: count }, (_, index) => ({ field_key: `key_${index}`, value }));
const wrote = (updated: number, completeness: number) => json({ updated, completeness });

function connected(...responses: Parameters<typeof fakeFetch>) {
  const { fetch, requests } = fakeFetch(...responses);
  const client = createClient({ baseUrl, apiKey, maxAttempts: 1, fetch });
  const bodies = () => Promise.all(requests.map(async (request) => JSON.parse(await request.clone().text())));
  const bytes = () => Promise.all(requests.map(async (request) => (await request.clone().arrayBuffer()).byteLength));
  return { client, requests, bodies, bytes };
}

describe('more values than one request may have', () => {
  test('are sent in several requests in order, and the result covers all', async () => {
    const { client, bodies } = connected(wrote(1000, 10), wrote(1000, 20), wrote(1, 30));
    expect(await client.passports.put('x', many(2001))).toEqual({ updated: 2001, completeness: 30 });
    const sent = await bodies();
    expect(sent.map(({ length }) => length)).toEqual([1000, 1000, 1]);
    expect(sent.flat()).toEqual(many(2001));
  });

  test('1,000 values are one request, and so is an empty list', async () => {
    const { client, requests } = connected(wrote(0, 0));
    await client.passports.put('x', many(1000));
    await client.passports.put('x', []);
    expect(requests).toHaveLength(2);
  });

  test('no request has more than 1 MiB, counted in bytes', async () => {
    const { client, bodies, bytes } = connected(wrote(1, 1));
    await client.passports.put('x', many(10, 'ü'.repeat(150_000)));
    expect((await bodies()).map(({ length }) => length)).toEqual([3, 3, 3, 1]);
    expect(Math.max(...(await bytes()))).toBeLessThanOrEqual(mebibyte);
  });

  test('a request may have exactly 1 MiB', async () => {
    const rest = mebibyte - JSON.stringify(many(2, '')).length;
    for (const [more, expected] of [
      [0, [mebibyte]],
      [1, [expect.any(Number), expect.any(Number)]],
    ] as const) {
      const { client, bytes } = connected(wrote(1, 1));
      const [one, two] = many(2, '');
      await client.passports.put('x', [one, { ...two, value: 'x'.repeat(rest + more) }] as ReturnType<typeof many>);
      expect(await bytes()).toEqual(expected);
    }
  });

  test('no request has more than 20,000 nodes', async () => {
    const { client, bodies } = connected(wrote(1, 1));
    // Each element has three nodes and its items. The body is one more.
    const items = Array<number>(2854).fill(1);
    await client.passports.put('x', many(7, items));
    await client.passports.put('x', many(8, items));
    expect((await bodies()).map(({ length }) => length)).toEqual([7, 7, 1]);
  });

  test('a value that is too big is sent alone, and the service refuses it', async () => {
    const { client, bodies } = connected(wrote(1, 1));
    await client.passports.put('x', [...many(1), ...many(1, 'x'.repeat(mebibyte)), ...many(1)]);
    expect((await bodies()).map(({ length }) => length)).toEqual([1, 1, 1]);
  });

  test('if a request fails, the error counts the values written before, and the rest is not sent', async () => {
    const { client, requests } = connected(wrote(1000, 10), wrote(1000, 20), refusal(400, 'invalid_request'));
    const error = await rejection(client.passports.put('x', many(4000)));
    expect(error).toMatchObject({ name: 'ApiError', code: 'invalid_request', applied: 2000 });
    expect(requests).toHaveLength(3);
    const first = await connected(refusal(404, 'not_found')).client.passports.put('x', many(3000)).result();
    expect(first).toMatchObject({ ok: false, error: { applied: 0 } });
  });

  test('a value that JSON cannot express, in any request, and nothing is sent', async () => {
    const { client, requests } = connected(wrote(1, 1));
    const error = await rejection(client.passports.put('x', [...many(1500), ...many(1, Number.NaN)]));
    expect(error).toMatchObject({ name: 'ArgumentError', argument: '[1500].value' });
    expect(requests).toEqual([]);
  });

  test.each([undefined, null, 'abc', { length: 1, 0: { field_key: 'a', value: 1 } }])(
    '%p is not an array',
    async (values) => {
      const { client, requests } = connected(wrote(1, 1));
      const error = await rejection(client.passports.put('x', values as unknown as []));
      expect(error).toMatchObject({ name: 'ArgumentError', argument: 'values' });
      expect(requests).toEqual([]);
    },
  );

  test('are copied when the call begins', async () => {
    const values = many(1001);
    const { client, bodies } = connected(() => {
      values.length = 0;
      return wrote(1, 1);
    });
    await client.passports.put('x', values);
    expect((await bodies()).map(({ length }) => length)).toEqual([1000, 1]);
  });
});

test('a request has at most as many values as the contract allows', () => {
  const put = operationsOfContract().find(({ operationId }) => operationId === 'putPassport');
  expect(put?.body?.schema).toMatchObject({ type: 'array', maxItems: 1000 });
  expect(readDocument()).toMatchObject({ info: { description: expect.stringContaining('at most 1 MiB') } });
});

describe('with a service', () => {
  const service = useService('SQLite');

  test('more values than one request may have are written and read again', async () => {
    const { key } = await service.newTenant({ slug: 'nordlicht' });
    const client = createClient({ baseUrl: `http://127.0.0.1:${service.port}/api/v1`, apiKey: key });
    const { slug } = await client.products.create({ name: 'Kabel' });
    expect(await client.passports.put(slug, many(1500))).toMatchObject({ updated: 1500 });
    expect((await client.passports.get(slug)).values).toHaveLength(1500);
  });
});
