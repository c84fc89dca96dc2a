import { beforeAll, describe, expect, test } from '@jest/globals';
import { templateOf } from '../../server/src/templates/catalogue.ts';
import type { Client } from '../support/client.ts';
import { databaseKinds, useService } from '../support/service.ts';

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
