import { beforeAll, describe, expect, test } from '@jest/globals';
import type { PassportValue } from '@product-passport/openapi';
import canonicalize from 'canonicalize';
import { Encoded } from '../../server/src/http/encoded.ts';
import { PassportCache } from '../../server/src/passports/cache.ts';
import type { Client } from '../support/client.ts';
import { databaseKinds, useService } from '../support/service.ts';

const limit = 2 * 2 ** 20;

/** The size that the contract counts: the RFC 8785 form of the values without their times. */
function sizeOf(values: readonly PassportValue[]): number {
  return Buffer.byteLength(canonicalize(values.map(({ updated_at: _, ...content }) => content)) ?? '');
}

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);
  let client: Client;
  beforeAll(async () => {
    client = await service.newTenant();
  });

  /** Sends a write that must fail and change nothing, and returns the error. */
  async function refusal(slug: string, body: readonly object[]): Promise<unknown> {
    const state = async () => [await client.passport(slug), await service.database('passport_versions').count()];
    const before = await state();
    const { outcome, json } = await client.call({
      method: 'PUT',
      path: `/api/v1/products/${slug}/passport`,
      body,
    });
    expect(outcome).toBe('400 invalid_request');
    expect(await state()).toEqual(before);
    return json;
  }

  test.each<[string, (nodes: number) => unknown]>([
    ['an array', (nodes) => Array.from({ length: nodes - 1 }, () => 0)],
    ['an object', (nodes) => Object.fromEntries(Array.from({ length: nodes - 1 }, (_, index) => [index, null]))],
    ['empty arrays', (nodes) => Array.from({ length: nodes - 1 }, () => [])],
    [
      'objects in an array',
      (nodes) => [
        ...Array.from({ length: 4999 }, () => ({ a: 'b' })),
        ...Array.from({ length: nodes - 1 - 2 * 4999 }, () => false),
      ],
    ],
  ])('10,000 nodes in a value are accepted, 10,001 are rejected: %s', async (_, ofNodes) => {
    const { slug } = await client.create('Knoten');
    await client.write(slug, [{ field_key: 'a', value: ofNodes(10_000) }]);
    const more = [ofNodes(9999), 1];
    expect(await refusal(slug, [{ field_key: 'b', value: more }])).toEqual({
      error: { code: 'invalid_request', message: '[0].value must have at most 10000 nodes.' },
    });
  });

  /** Writes values of exactly this size. More than 2 MiB are written only if the server accepts them. */
  async function fill(slug: string, bytes: number): Promise<string> {
    const texts = ['ü'.repeat(450_000), '€'.repeat(300_000)];
    for (const [index, value] of texts.entries()) await client.write(slug, [{ field_key: `f${index}`, value }]);
    await client.write(slug, [{ field_key: 'last', value: '' }]);
    const rest = bytes - sizeOf((await client.passport(slug)).values);
    expect(rest).toBeGreaterThan(0);
    return client.writing(slug, [{ field_key: 'last', value: 'x'.repeat(rest) }]);
  }

  test('a passport of 2 MiB is accepted, one more byte is rejected', async () => {
    const { slug } = await client.create('Voll');
    expect(await fill(slug, limit)).toBe('200');
    const { values } = await client.passport(slug);
    expect(sizeOf(values)).toBe(limit);
    const last = String(values.find(({ field_key }) => field_key === 'last')?.value);
    const longer = { field_key: 'last', value: `${last}x` };
    expect(await refusal(slug, [longer])).toEqual({
      error: {
        code: 'invalid_request',
        message: `The values of a passport can have at most ${limit} bytes as RFC 8785 JSON. After this write they would have ${limit + 1} bytes.`,
      },
    });
    expect(await refusal(slug, [{ field_key: 'new', value: null }, longer])).toBeDefined();
    await client.write(slug, [{ ...longer, value: last.toUpperCase() }]);
  });

  test('one byte too many is rejected when the passport was smaller before', async () => {
    const { slug } = await client.create('Zu viel');
    expect(await fill(slug, limit + 1)).toBe('400 invalid_request');
  });

  test('of ten writes of 1 MiB, as many as fit are stored', async () => {
    const { slug } = await client.create('Wachsend');
    const outcomes: string[] = [];
    for (let index = 0; index < 10; index += 1)
      outcomes.push(await client.writing(slug, [{ field_key: `f${index}`, value: 'x'.repeat(1_000_000) }]));
    expect(outcomes).toEqual(['200', '200', ...Array.from({ length: 8 }, () => '400 invalid_request')]);
    expect((await client.passport(slug)).values).toHaveLength(2);
  });
});

describe('the passports kept in memory', () => {
  const kilobyte = 1024;

  describe('PassportCache', () => {
    /** Keeps cache of 10 KB in 100 KB, and notes which were made. */
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

    test('a tenant with many cache pushes out its own, and the memory stays bounded', async () => {
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

    test('what another tenant uses stays, however many cache a tenant has', async () => {
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
      // It takes no room from the tenant's other cache.
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
});
