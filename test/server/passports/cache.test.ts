import { describe, expect, test } from '@jest/globals';
import { Encoded } from '../../../server/src/http/encoded.ts';
import { PassportCache } from '../../../server/src/passports/cache.ts';

const kilobyte = 1024;

describe('the passports kept in memory', () => {
  /** A cache of 100 KB, whose entries have 10 KB. Notes which entries were made. */
  function small() {
    const cache = new PassportCache(100 * kilobyte);
    const made: string[] = [];
    const get = (tenant: string, key: string, size = 10 * kilobyte): Promise<Encoded<string>> =>
      cache.get(tenant, key, async () => {
        made.push(key);
        return Encoded.of('x'.repeat(size));
      });
    return { cache, made, get };
  }

  test('a tenant with many entries pushes out its own, and the memory stays bounded', async () => {
    const { cache, made, get } = small();
    await get('small', 'a');
    await get('small', 'b');
    for (let number = 0; number < 1000; number += 1) await get('large', `${number}`);
    expect(cache.size).toBeLessThanOrEqual((100 * kilobyte) / 2);
    for (let tenant = 0; tenant < 100; tenant += 1) await get(`tenant ${tenant}`, `of ${tenant}`, 5 * kilobyte);
    expect(cache.size).toBeLessThanOrEqual(100 * kilobyte);
    expect(cache.size).toBeGreaterThan(80 * kilobyte);
    made.length = 0;
    await get('tenant 99', 'of 99');
    expect(made).toEqual([]);
  });

  test('what another tenant uses stays, however many entries a tenant has', async () => {
    const { made, get } = small();
    await get('small', 'a');
    for (let number = 0; number < 100; number += 1) await get('large', `${number}`);
    made.length = 0;
    await get('small', 'a');
    await get('large', '99');
    expect(made).toEqual([]);
    await get('large', '0');
    expect(made).toEqual(['0']);
  });

  test('the least recently used rendering of a tenant is dropped first', async () => {
    const { made, get } = small();
    await get('t', 'a');
    await get('t', 'b');
    await get('t', 'a');
    await get('t', 'c');
    made.length = 0;
    await get('t', 'a');
    expect(made).toEqual([]);
    await get('t', 'b');
    expect(made).toEqual(['b']);
  });

  test('a rendering that was dropped and made again counts as used now', async () => {
    const { made, get } = small();
    // Three of them fill the share of a tenant.
    for (const key of ['a', 'b', 'c', 'd', 'a', 'e']) await get('t', key, 7 * kilobyte);
    made.length = 0;
    await get('t', 'a', 7 * kilobyte);
    expect(made).toEqual([]);
  });

  test.each([
    [0, 1],
    [1, 2],
  ])(
    'one that is %d bytes larger than the share of a tenant, with 500 for its key, is made %d times',
    async (more, times) => {
      const { made, get } = small();
      for (const _ of [1, 2]) await get('t', 'a', 25 * kilobyte - 500 + more);
      expect(made).toHaveLength(times);
    },
  );

  test('one that is larger than the share of a tenant is made each time', async () => {
    const { cache, made, get } = small();
    await get('t', 'a', 30 * kilobyte);
    await get('t', 'a', 30 * kilobyte);
    expect(made).toEqual(['a', 'a']);
    expect(cache.size).toBe(0);
    // It takes no room from the tenant's other entries.
    await get('t', 'small');
    await get('t', 'huge', 60 * kilobyte);
    made.length = 0;
    await get('t', 'small');
    expect(made).toEqual([]);
  });

  test('concurrent requests share one that is being made, and a failure is not kept', async () => {
    const cache = new PassportCache();
    let failures = 0;
    const fail = async (): Promise<Encoded<string>> => {
      failures += 1;
      await new Promise(setImmediate);
      throw new Error('No.');
    };
    const outcomes = await Promise.allSettled([cache.get('t', 'a', fail), cache.get('t', 'a', fail)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(failures).toBe(1);
    const { bytes } = await cache.get('t', 'a', async () => Encoded.of('text'));
    expect(bytes.toString()).toBe('text');
  });
});
