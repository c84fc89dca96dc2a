/** Work on many items. */
import { describe, expect, test } from '@jest/globals';
import { type BulkOptions, type BulkProgress, each, eachInOrder, toArray } from '../../sdk/src/bulk.ts';
import { createFakeClient, pageOf } from '../../sdk/src/testing.ts';

const tick = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('each yields an outcome as soon as it is there, and a slow item holds up nothing', async () => {
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

test('eachInOrder yields the outcomes in order, and goes on after a failure', async () => {
  const reported: BulkProgress[] = [];
  const work = async (item: number, index: number) => {
    await tick((item * 7) % 5);
    if (item === 3) throw new Error('three');
    return item * 10 + index;
  };
  const options: BulkOptions = { concurrency: 3, onProgress: (progress) => reported.push(progress) };
  expect(await toArray(eachInOrder(Array(12).keys(), work, options))).toEqual(
    Array.from({ length: 12 }, (_, item) =>
      item === 3
        ? { ok: false, index: 3, item: 3, error: new Error('three') }
        : { ok: true, index: item, item, value: item * 11 },
    ),
  );
  expect(reported).toHaveLength(12);
  expect(reported.at(-1)).toEqual({ succeeded: 11, failed: 1 });
});

describe.each([
  ['each', each],
  ['eachInOrder', eachInOrder],
])('%s', (_name, loop) => {
  test('has a limited number in progress, and takes no item before there is a place for it', async () => {
    const counts = { running: 0, max: 0, taken: 0 };
    function* many() {
      while (counts.taken < 1000) yield counts.taken++;
    }
    const work = async (item: number) => {
      counts.running += 1;
      counts.max = Math.max(counts.max, counts.running);
      await tick(item % 3);
      counts.running -= 1;
    };
    for await (const { index } of loop(many(), work, { concurrency: 4 })) if (index === 10) break;
    expect(counts.max).toBe(4);
    expect(counts.taken).toBeLessThanOrEqual(18);
  });

  test('takes no further item after the signal, and finishes those in progress', async () => {
    const controller = new AbortController();
    const done: number[] = [];
    const work = async (item: number) => {
      if (item === 5) controller.abort();
      await tick(1);
      done.push(item);
    };
    const outcomes = await toArray(loop(Array(100).keys(), work, { concurrency: 4, signal: controller.signal }));
    expect(outcomes.map(({ item }) => item).sort((one, other) => one - other)).toEqual(
      done.sort((one, other) => one - other),
    );
    expect(outcomes.length).toBeGreaterThanOrEqual(6);
    expect(outcomes.length).toBeLessThan(12);
  });

  test('yields the outcomes of the items before one that cannot be read, and fails', async () => {
    function* items() {
      yield* [0, 1, 2, 3, 4];
      throw new Error('line 6 cannot be read');
    }
    const seen: number[] = [];
    const read = async () => {
      for await (const { item } of loop(items(), (item) => tick(5 - item), { concurrency: 4 })) seen.push(item);
    };
    await expect(read()).rejects.toThrow('line 6 cannot be read');
    expect(loop === each ? seen.sort() : seen).toEqual([0, 1, 2, 3, 4]);
  });

  test('ends with the error that onProgress throws, and rejects a concurrency below 1', async () => {
    const onProgress = ({ succeeded }: BulkProgress) => {
      if (succeeded === 6) throw new Error('the screen is closed');
    };
    const items = () => Array(100).keys();
    await expect(toArray(loop(items(), (item) => item, { onProgress }))).rejects.toThrow('the screen is closed');
    for (const concurrency of [0, Number.NaN, -1]) {
      const refused = toArray(loop(items(), (item) => item, { concurrency }));
      await expect(refused).rejects.toThrow('concurrency must be 1 or more');
    }
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
