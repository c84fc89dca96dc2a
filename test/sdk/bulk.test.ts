/** Work on many items. */
import { describe, expect, jest, test } from '@jest/globals';
import { type BulkOptions, type BulkProgress, each, eachInOrder, StoppedError, toArray } from '../../sdk/src/bulk.ts';
import { createClient } from '../../sdk/src/index.ts';
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

describe.each([
  ['each', each],
  ['eachInOrder', eachInOrder],
])('%s, while the service', (_name, loop) => {
  /** Reads 200 products from a service that responds with a status; 0 is none. The outcomes, the pauses in seconds, and what the loop threw. */
  async function syncing(respond: () => number, options: BulkOptions = {}) {
    jest.useFakeTimers();
    try {
      const fetch = async () => {
        const status = respond();
        if (status === 0) throw new TypeError('fetch failed');
        return Response.json(status === 200 ? {} : { error: { code: 'x', message: 'x' } }, { status });
      };
      const client = createClient({ baseUrl: 'https://passport.example.com/api/v1', apiKey: 'ppk_x', fetch });
      const worked: number[] = [];
      const pauses: number[] = [];
      const outcomes: { ok: boolean; index: number }[] = [];
      const work = (index: number) => {
        worked.push(index);
        return client.products.get(`product-${index}`, { maxAttempts: 1 });
      };
      const onPause = ({ pauseMs }: { pauseMs: number }) => pauses.push(pauseMs / 1000);
      const ended = (async () => {
        for await (const { ok, index } of loop(Array(200).keys(), work, { onPause, ...options }))
          outcomes.push({ ok, index });
      })().then(
        () => undefined,
        (error: unknown) => error,
      );
      let isEnded = false;
      void ended.then(() => (isEnded = true));
      while (!isEnded) await jest.advanceTimersByTimeAsync(500);
      expect(new Set(worked).size).toBe(worked.length);
      expect(outcomes.map(({ index }) => index).sort((a, b) => a - b)).toEqual(worked.sort((a, b) => a - b));
      return { outcomes, pauses, stopped: await ended, failures: outcomes.filter(({ ok }) => !ok).length };
    } finally {
      jest.useRealTimers();
    }
  }

  test('is down for 30 seconds: it pauses, tries one item at a time, and then does the rest', async () => {
    let calls = 0;
    let begun: number | undefined;
    const answer = () => {
      calls += 1;
      if (calls <= 20) return 200;
      begun ??= Date.now();
      return Date.now() - begun < 30_000 ? 503 : 200;
    };
    const { outcomes, pauses, stopped, failures } = await syncing(answer);
    expect([outcomes.length, pauses, stopped]).toEqual([200, [1, 2, 4, 8, 16], undefined]);
    // Those in progress, and one for each pause but the last.
    expect(failures).toBeLessThanOrEqual(8 + 4);
  });

  test('stays away: it ends after stopAfterMs, and says where to continue', async () => {
    const { outcomes, pauses, stopped } = await syncing(() => 0);
    expect(pauses).toEqual([1, 2, 4, 8, 16, ...Array(9).fill(30)]);
    expect(stopped).toBeInstanceOf(StoppedError);
    const { next, failed, cause } = stopped as StoppedError;
    expect([next, failed, (cause as Error).name]).toEqual([outcomes.length, [...Array(next).keys()], 'NetworkError']);
    // Those in progress at first, and one after each pause.
    expect(next - 14).toBeGreaterThanOrEqual(1);
    expect(next - 14).toBeLessThanOrEqual(8);
  });

  test('revokes the key: it ends at once, also after the last item', async () => {
    let calls = 0;
    const { outcomes, pauses, stopped } = await syncing(() => {
      calls += 1;
      return calls > 20 ? 401 : 200;
    });
    expect(pauses).toEqual([]);
    expect(stopped).toMatchObject({ name: 'StoppedError', next: outcomes.length, cause: { status: 401 } });
    expect(outcomes.length).toBeLessThan(30);
    let left = 199;
    const late = await syncing(() => (left-- > 0 ? 200 : 401));
    expect(late.stopped).toMatchObject({ name: 'StoppedError', next: 200 });
  });

  test('is down, and stopOn says that this does not matter', async () => {
    const { outcomes, failures, pauses, stopped } = await syncing(() => 503, {
      stopOn: () => false,
    });
    expect([outcomes.length, failures, pauses, stopped]).toEqual([200, 200, [], undefined]);
  });

  test('is down: the signal ends a pause', async () => {
    const controller = new AbortController();
    const onPause = () => controller.abort();
    const options = { onPause, signal: controller.signal };
    const { outcomes, stopped } = await syncing(() => 503, options);
    expect([outcomes.length, stopped]).toEqual([8, undefined]);
  });
});

test('what the work throws is an Error in the outcome', async () => {
  const work = () => Promise.reject('a text');
  const [outcome] = await toArray(each([1], work));
  expect(outcome).toMatchObject({ ok: false, error: { message: 'a text', cause: 'a text' } });
  if (outcome && !outcome.ok) expect(outcome.error).toBeInstanceOf(Error);
});

test('toArray reads no more pages than the limit needs', async () => {
  const items = Array.from({ length: 9 }, (_, index) => ({ id: `${index}` }) as never);
  const client = createFakeClient({ listProducts: ({ query }) => pageOf(items, query) });
  expect(await toArray(client.products.list({ limit: 2 }), { limit: 3 })).toHaveLength(3);
  expect(client.calls).toHaveLength(2);
  expect(await toArray(client.products.list({ limit: 4 }))).toHaveLength(9);
  expect(await toArray(client.products.list(), { limit: 0 })).toEqual([]);
});
