import { describe, expect, test } from '@jest/globals';
import { type BulkProgress, each, eachInOrder, toArray } from '../../sdk/src/bulk.ts';
import { createClient, type Fetch } from '../../sdk/src/index.ts';
import { createFakeClient, pageOf } from '../../sdk/src/testing.ts';
import { apiKey, baseUrl, json, refusal } from '../support/fake-fetch.ts';

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
