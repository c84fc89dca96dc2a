import { describe, expect, test } from '@jest/globals';
import { readDocument } from '../../openapi/src/index.ts';
import { type BulkProgress, each, eachInOrder, toArray } from '../../sdk/src/bulk.ts';
import { createClient, type Fetch } from '../../sdk/src/index.ts';
import { createFakeClient, pageOf } from '../../sdk/src/testing.ts';
import { operationsOfContract } from '../support/documented.ts';
import { apiKey, baseUrl, fakeFetch, json, refusal } from '../support/fake-fetch.ts';
import { useService } from '../support/service.ts';
import { rejection } from '../support/thrown.ts';

const tick = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('each', () => {
  test('yields an outcome as soon as it is there, and a slow item holds up nothing', async () => {
    const slow = Promise.withResolvers<void>();
    const work = async (item: number) => {
      if (item === 0) await slow.promise;
      if (item === 3) throw new Error('three');
      return item;
    };
    const seen: number[] = [];
    for await (const { index, ok } of each(Array(20).keys(), work, { concurrency: 2 })) {
      expect(ok).toBe(index !== 3);
      if (seen.push(index) === 19) slow.resolve();
    }
    expect(seen).toEqual([...Array(20).keys()].map((index) => (index + 1) % 20));
  });

  test('has a limited number in progress, and takes no item before there is a place for it', async () => {
    let running = 0;
    let most = 0;
    let taken = 0;
    function* endless() {
      for (;;) yield taken++;
    }
    const work = async (item: number) => {
      running += 1;
      most = Math.max(most, running);
      await tick(item % 3);
      running -= 1;
    };
    for await (const { index } of each(endless(), work, { concurrency: 4 })) if (index === 10) break;
    expect(most).toBe(4);
    expect(taken).toBeLessThanOrEqual(18);
  });

  test('yields the outcomes of the items before one that cannot be read, and fails', async () => {
    function* items() {
      yield* [0, 1, 2];
      throw new Error('line 4 cannot be read');
    }
    const seen: number[] = [];
    const loop = async () => {
      for await (const { index } of each(items(), () => tick(1))) seen.push(index);
    };
    await expect(loop()).rejects.toThrow('line 4 cannot be read');
    expect(seen.sort()).toEqual([0, 1, 2]);
  });
});

describe('eachInOrder', () => {
  test('yields the outcomes in order, with a limited number in progress, and goes on after a failure', async () => {
    let running = 0;
    let most = 0;
    const reported: BulkProgress[] = [];
    const work = async (item: number, index: number) => {
      running += 1;
      most = Math.max(most, running);
      await tick((item * 7) % 5);
      running -= 1;
      if (item === 3) throw new Error('three');
      return item * 10 + index;
    };
    const items = Array.from({ length: 12 }, (_, index) => index);
    const outcomes = await toArray(
      eachInOrder(items, work, { concurrency: 3, onProgress: (progress) => reported.push(progress) }),
    );
    expect(outcomes).toEqual(
      items.map((item) =>
        item === 3
          ? { ok: false, index: 3, item: 3, error: new Error('three') }
          : { ok: true, index: item, item, value: item * 11 },
      ),
    );
    expect(most).toBe(3);
    expect(reported).toHaveLength(12);
    expect(reported.at(-1)).toEqual({ succeeded: 11, failed: 1 });
  });

  test('takes no item before there is a place for it', async () => {
    let taken = 0;
    async function* endless() {
      for (;;) {
        taken += 1;
        yield taken;
      }
    }
    for await (const { item } of eachInOrder(endless(), (item) => item, { concurrency: 4 })) if (item === 10) break;
    expect(taken).toBeLessThanOrEqual(14);
  });

  test('takes no further item after the signal, and finishes those in progress', async () => {
    const controller = new AbortController();
    const done: number[] = [];
    const work = async (item: number) => {
      if (item === 5) controller.abort();
      await tick(1);
      done.push(item);
      return item;
    };
    const outcomes = await toArray(eachInOrder(Array(100).keys(), work, { concurrency: 4, signal: controller.signal }));
    expect(outcomes.map(({ item }) => item)).toEqual(done.sort((one, other) => one - other));
    expect(outcomes.length).toBeGreaterThanOrEqual(6);
    expect(outcomes.length).toBeLessThan(12);
  });

  test('yields the outcomes of the items in progress before it fails because the next item cannot be read', async () => {
    function* items() {
      yield* [0, 1, 2, 3, 4];
      throw new Error('line 6 cannot be read');
    }
    const seen: number[] = [];
    const loop = async () => {
      const work = async (item: number) => tick(5 - item);
      for await (const { item } of eachInOrder(items(), work, { concurrency: 4 })) seen.push(item);
    };
    await expect(loop()).rejects.toThrow('line 6 cannot be read');
    expect(seen).toEqual([0, 1, 2, 3, 4]);
  });

  test('ends with the error that onProgress throws', async () => {
    const onProgress = ({ succeeded }: BulkProgress) => {
      if (succeeded === 6) throw new Error('the screen is closed');
    };
    const loop = toArray(eachInOrder(Array(100).keys(), (item) => item, { onProgress }));
    await expect(loop).rejects.toThrow('the screen is closed');
  });

  test('10,000 products of which three fail: every outcome comes once, and each failure names its product', async () => {
    const bad = ['p-77', 'p-5000', 'p-9999'];
    const service: Fetch = async (url) => {
      const slug = url.split('/').at(-1) ?? '';
      return bad.includes(slug) ? refusal(404, 'not_found') : json({ id: slug, slug });
    };
    const client = createClient({ baseUrl, apiKey, fetch: service });
    const slugs = Array.from({ length: 10_000 }, (_, index) => `p-${index}`);
    const failed: string[] = [];
    let next = 0;
    for await (const outcome of eachInOrder(slugs, (slug) => client.products.get(slug))) {
      expect(outcome.item).toBe(slugs[next]);
      next += 1;
      if (!outcome.ok) failed.push(`${outcome.item} ${outcome.error instanceof Error && outcome.error.message}`);
    }
    expect(next).toBe(10_000);
    expect(failed).toEqual(
      bad.map((slug) => expect.stringMatching(`^${slug} GET /api/v1/products/${slug} → 404 not_found: .*$`)),
    );
  });

  test.each([0, Number.NaN, -1])('rejects a concurrency of %p', async (concurrency) => {
    await expect(toArray(eachInOrder([1], (item) => item, { concurrency }))).rejects.toThrow('concurrency must be');
  });
});

test('toArray reads no more pages than the limit needs', async () => {
  const items = Array.from({ length: 9 }, (_, index) => ({ id: `${index}` }) as never);
  const client = createFakeClient({ listProducts: ({ query }) => pageOf(items, query) });
  expect(await toArray(client.products.list({ limit: 2 }), { limit: 3 })).toHaveLength(3);
  expect(client.calls).toHaveLength(2);
  expect(await toArray(client.products.list({ limit: 4 }))).toHaveLength(9);
  expect(await toArray(client.products.list(), { limit: 0 })).toEqual([]);
});

describe('chunks', () => {
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
});
