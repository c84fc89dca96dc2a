import { beforeAll, describe, expect, test } from '@jest/globals';
import type { PassportValue } from '@product-passport/openapi';
import canonicalize from 'canonicalize';
import { Encoded } from '../../../server/src/http/encoded.ts';
import { PassportCache } from '../../../server/src/passports/cache.ts';
import { templateOf } from '../../../server/src/templates/catalogue.ts';
import type { Client } from '../../support/client.ts';
import { databaseKinds } from '../../support/database.ts';
import { useService } from '../../support/service.ts';

const mebibyte = 2 ** 20;

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);
  let client: Client;
  beforeAll(async () => {
    client = await service.newTenant();
    await client.create('Tasse');
    await client.write('tasse', [{ field_key: 'a', value: 'alt' }]);
  });

  /** Sends a write that must fail and change nothing, and returns the error. */
  async function refusal(body: unknown): Promise<string> {
    const state = async () => [
      await client.passport('tasse'),
      await client.product('tasse'),
      await service.database('passport_versions').count(),
    ];
    const before = await state();
    const outcome = await client.writing('tasse', body);
    expect(await state()).toEqual(before);
    return outcome;
  }

  test.each(['{}', '{"0":{"field_key":"a","value":1},"length":1}', '"[]"', '5', 'null', 'true', '"\\u0000"', '1e400'])(
    'PASS-2 %s is values_must_be_array',
    async (body) => {
      expect(await refusal(body)).toBe('400 values_must_be_array');
    },
  );

  const good = { field_key: 'a', value: 'neu' };
  const withoutKey: [string, unknown][] = [
    ['no field_key', { value: 1 }],
    ['nothing', {}],
    ['null as field_key', { field_key: null, value: 1 }],
    ['an empty field_key', { field_key: '', value: 1 }],
    ['a blank field_key', { field_key: ' \t\u00a0', value: 1 }],
    ['another spelling', { Field_key: 'a', value: 1 }],
    ['null', null],
    ['a string', 'field_key'],
    ['a number', 5],
    ['a boolean', false],
    ['an array', ['field_key', 'a']],
    ['an empty array', []],
  ];
  test.each(withoutKey)('PASS-2 PASS-3 an element with %s is field_key_required at every position', async (_, bad) => {
    for (const body of [[bad], [bad, good, good], [good, bad, good], [good, good, bad]]) {
      expect(await refusal(body)).toBe('400 field_key_required');
    }
    expect(await refusal([...Array.from({ length: 999 }, () => good), bad])).toBe('400 field_key_required');
  });

  const bad: [string, unknown][] = [
    ['without a value', { field_key: 'b' }],
    ['with a number as field_key', { field_key: 5, value: 1 }],
    ['with an object as field_key', { field_key: {}, value: 1 }],
    ['with a field_key of 101 characters', { field_key: 'x'.repeat(101), value: 1 }],
    ['with a unit of 51 characters', { field_key: 'b', value: 1, unit: '𝓊'.repeat(51) }],
    ['with a number as unit', { field_key: 'b', value: 1, unit: 5 }],
    ['with another source', { field_key: 'b', value: 1, source: 'Import' }],
    ['with null as source', { field_key: 'b', value: 1, source: null }],
    ['with another access_level', { field_key: 'b', value: 1, access_level: 'secret' }],
    ['with an empty access_level', { field_key: 'b', value: 1, access_level: '' }],
    ['with null as access_level', { field_key: 'b', value: 1, access_level: null }],
    ['with text as is_unknown', { field_key: 'b', value: 1, is_unknown: 'true' }],
    ['with null as is_unknown', { field_key: 'b', value: 1, is_unknown: null }],
    ['with a number as needs_review', { field_key: 'b', value: 1, needs_review: 1 }],
    ['with null as needs_review', { field_key: 'b', value: 1, needs_review: null }],
    ['with U+0000 in the field_key', { field_key: 'b\0', value: 1 }],
    ['with U+0000 in the value', { field_key: 'b', value: { x: ['\0'] } }],
    ['with a lone surrogate in the value', { field_key: 'b', value: '\ud800' }],
    ['with a lone surrogate in a name', { field_key: 'b', value: { '\udfff': 1 } }],
    ['with U+0000 in the unit', { field_key: 'b', value: 1, unit: '\0' }],
    ['with __proto__ in the value', { field_key: 'b', value: JSON.parse('{"x":{"__proto__":1}}') }],
    ['with __proto__', JSON.parse('{"field_key":"b","value":1,"__proto__":{}}')],
  ];
  test.each(bad)(
    'PASS-3 an element %s is invalid_request, and the valid elements are not stored',
    async (_, element) => {
      for (const body of [[element], [good, element], [element, good]]) {
        expect(await refusal(body)).toBe('400 invalid_request');
      }
    },
  );

  test('PASS-2 the checks run in the documented order', async () => {
    expect(await refusal('{"a":"\\u0000","b":1e400')).toBe('400 invalid_json');
    expect(await refusal('{"a":"\\u0000","b":1e400}')).toBe('400 values_must_be_array');
    const many = Array.from({ length: 1001 }, () => ({}));
    expect(await refusal(many)).toBe('400 invalid_request');
    expect(await refusal(many.slice(1))).toBe('400 field_key_required');
    const late = [{ field_key: 5, value: '\0' }, { field_key: 'x', unit: 5 }, { value: 1 }];
    expect(await refusal(late)).toBe('400 field_key_required');
    expect(await refusal(late.slice(0, 2))).toBe('400 invalid_request');
  });

  test('PASS-3 lengths are counted in code points', async () => {
    const { slug } = await client.create('Lang');
    const field_key = '𝒳'.repeat(100);
    const unit = '𝓊'.repeat(50);
    await client.write(slug, [{ field_key, value: 1, unit }]);
    expect((await client.passport(slug)).values).toMatchObject([{ field_key, unit }]);
    expect(await client.writing(slug, [{ field_key: `${field_key}x`, value: 1 }])).toBe('400 invalid_request');
  });

  describe('PASS-7 completeness', () => {
    const { fields } = templateOf('textile');
    const required = fields.filter((field) => field.required).map(({ key }) => key);
    const optional = fields.filter((field) => !field.required).map(({ key }) => key);
    const [first = ''] = required;

    async function completenessOf(values: readonly object[], product_group: string | null = 'textile') {
      const { slug } = await client.create({ name: 'Hemd', product_group });
      const { completeness } = await client.write(slug, values);
      expect((await client.passport(slug)).product.completeness).toBe(completeness);
      expect((await client.product(slug)).completeness).toBe(completeness);
      return completeness;
    }

    test.each([
      ['text', 'x', 20],
      ['0', 0, 20],
      ['false', false, 20],
      ['an empty array', [], 20],
      ['an array of null', [null], 20],
      ['an object', { a: null }, 20],
      ['null', null, 0],
      ['empty text', '', 0],
      ['blank text', ' \t\n\u00a0', 0],
      ['an empty object', {}, 0],
    ])('%s in one of five required fields', async (_, value, completeness) => {
      expect(required).toHaveLength(5);
      expect(await completenessOf([{ field_key: first, value }])).toBe(completeness);
    });

    test('an unknown value does not count', async () => {
      expect(await completenessOf([{ field_key: first, value: 'x', is_unknown: true }])).toBe(0);
    });

    test('access levels and needs_review change nothing', async () => {
      const value = { field_key: first, value: 'x', access_level: 'authority', needs_review: true };
      expect(await completenessOf([value])).toBe(20);
    });

    test('optional and unknown fields do not count', async () => {
      const keys = [...optional, 'gibt_es_nicht', first.toUpperCase(), `${first} `, 'constructor'];
      expect(await completenessOf(keys.map((field_key) => ({ field_key, value: 'x' })))).toBe(0);
    });

    test('completeness is rounded down, and is 100 only if all required fields have values', async () => {
      const keys = templateOf('smartphone')
        .fields.filter((field) => field.required)
        .map(({ key }) => key);
      const answers = keys.map((field_key) => ({ field_key, value: 'x' }));
      expect(keys).toHaveLength(12);
      for (const [count, completeness] of [
        [1, 8],
        [5, 41],
        [11, 91],
        [12, 100],
      ] as const) {
        expect(await completenessOf(answers.slice(0, count), 'smartphone')).toBe(completeness);
      }
    });

    test('a product without a group uses the template `other`', async () => {
      const other = templateOf('other').fields.filter((field) => field.required);
      expect(other).toHaveLength(4);
      expect(await completenessOf([{ field_key: other[0]?.key, value: 'x' }], null)).toBe(25);
    });

    test('a removed value no longer counts', async () => {
      const { slug } = await client.create({ name: 'Hemd', product_group: 'textile' });
      await client.write(slug, [{ field_key: first, value: 'x' }]);
      expect(await client.write(slug, [{ field_key: first, value: null }])).toEqual({ updated: 1, completeness: 0 });
      expect((await client.list({ limit: 200 })).items.find((item) => item.slug === slug)?.completeness).toBe(0);
    });
  });

  test('PASS-8 twenty concurrent writes of different fields are all stored', async () => {
    const { slug } = await client.create({ name: 'Zugleich', product_group: 'textile' });
    const keys = Array.from({ length: 20 }, (_, index) => `f${index}`);
    await Promise.all(keys.map((field_key) => client.write(slug, [{ field_key, value: field_key }])));
    const { values } = await client.passport(slug);
    expect(values.map(({ field_key }) => field_key)).toEqual(keys.toSorted());
    expect(values.every(({ field_key, value }) => field_key === value)).toBe(true);
    expect(new Set(values.map(({ updated_at }) => updated_at)).size).toBe(20);
  });

  test('PASS-8 of twenty concurrent writes of the same fields, one is stored completely', async () => {
    const { slug } = await client.create('Zugleich');
    const keys = ['a', 'b', 'c', 'd'];
    const writes = Array.from({ length: 20 }, (_, value) =>
      // The fields come in both orders, so that row locks would deadlock.
      client.write(
        slug,
        (value % 2 ? keys : keys.toReversed()).map((field_key) => ({ field_key, value, unit: `${value}` })),
      ),
    );
    await Promise.all(writes);
    const { values } = await client.passport(slug);
    expect(values.map(({ field_key }) => field_key)).toEqual(keys);
    expect(new Set(values.map(({ value, unit }) => `${value} ${unit}`)).size).toBe(1);
    expect(values[0]?.unit).toBe(String(values[0]?.value));
  });

  test('PASS-9 1,000 elements are accepted, 1,001 are rejected', async () => {
    const { slug } = await client.create('Viele');
    const elements = Array.from({ length: 1001 }, (_, index) => ({ field_key: `f${index}`, value: index }));
    expect(await client.writing(slug, elements)).toBe('400 invalid_request');
    expect((await client.passport(slug)).values).toEqual([]);
    expect((await client.write(slug, elements.slice(1))).updated).toBe(1000);
    expect(await refusal(Array.from({ length: 1001 }, () => good))).toBe('400 invalid_request');
  });

  test('PASS-9 5,000 values are accepted, 5,001 are rejected', async () => {
    const { slug } = await client.create('Voll');
    for (let start = 0; start < 5000; start += 1000) {
      await client.write(
        slug,
        Array.from({ length: 1000 }, (_, index) => ({ field_key: `f${start + index}`, value: index })),
      );
    }
    const before = await client.passport(slug);
    expect(before.values).toHaveLength(5000);
    const more = [
      { field_key: 'f1', value: 'neu' },
      { field_key: 'zuviel', value: 1 },
    ];
    expect(await client.writing(slug, more)).toBe('400 invalid_request');
    expect(await client.passport(slug)).toEqual(before);
    expect(await client.write(slug, more.slice(0, 1))).toMatchObject({ updated: 1 });
  });

  test('PASS-9 a body of 1 MiB is accepted, one more byte is rejected', async () => {
    const head = '[{"field_key":"a","value":"';
    const ofSize = (size: number) => `${head}${'x'.repeat(size - head.length - 3)}"}]`;
    expect(await refusal(ofSize(mebibyte + 1))).toBe('413 payload_too_large');
    const { slug } = await client.create('Groß');
    expect(await client.writing(slug, ofSize(mebibyte))).toBe('200');
    expect((await client.passport(slug)).values[0]?.value).toHaveLength(mebibyte - head.length - 3);
  });

  test.each([
    ['arrays', '[', ']'],
    ['objects', '{"v":', '}'],
  ])('PASS-9 32 levels of %s are accepted, 33 are rejected', async (_, open, close) => {
    const ofDepth = (depth: number) =>
      `[{"field_key":"a","value":${open.repeat(depth - 1)}${open[0]}${close[0]}${close.repeat(depth - 1)}}]`;
    const { slug } = await client.create('Tief');
    expect(await client.writing(slug, ofDepth(32))).toBe('200');
    expect(await refusal(ofDepth(33))).toBe('400 invalid_request');
    expect(await refusal(ofDepth(1000))).toBe('400 invalid_request');
  });
});

describe('the size of a passport', () => {
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
});
