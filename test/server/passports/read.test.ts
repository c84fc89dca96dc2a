import { describe, expect, test } from '@jest/globals';
import { Encoded } from '../../../server/src/http/handlers.ts';
import { PassportCache } from '../../../server/src/passports/read.ts';

const kilobyte = 1024;

describe('the passports kept in memory', () => {
  /** A cache of 100 KB, whose entries have 10 KB. Notes which entries were made. */
  function small() {
    const cache = new PassportCache(100 * kilobyte);
    const made: string[] = [];
    const get = (key: string, size = 10 * kilobyte): Promise<Encoded<string>> =>
      cache.get(key, async () => {
        made.push(key);
        return Encoded.of('x'.repeat(size));
      });
    return { cache, made, get };
  }

  test('take bounded memory, and the least recently used one is dropped first', async () => {
    const { made, get } = small();
    await get('used');
    for (let number = 0; number < 100; number += 1) {
      await get('used');
      await get(`${number}`);
    }
    made.length = 0;
    // Nine of them fit.
    for (const key of ['used', '99', '92', '91']) await get(key);
    expect(made).toEqual(['91']);
  });

  test('concurrent requests share one that is being made, and a failure is not kept', async () => {
    const cache = new PassportCache();
    let failures = 0;
    const fail = async (): Promise<Encoded<string>> => {
      failures += 1;
      await new Promise(setImmediate);
      throw new Error('No.');
    };
    const outcomes = await Promise.allSettled([cache.get('a', fail), cache.get('a', fail)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(failures).toBe(1);
    const { bytes } = await cache.get('a', async () => Encoded.of('text'));
    expect(bytes.toString()).toBe('text');
  });

  test('one whose place is taken while it is made reaches its readers', async () => {
    const { cache, get } = small();
    const gate = Promise.withResolvers<Encoded<string>>();
    const late = cache.get('late', () => gate.promise);
    for (let number = 0; number < 20; number += 1) await get(`${number}`);
    gate.resolve(Encoded.of('late'));
    expect((await late).bytes.toString()).toBe('late');
  });
});
