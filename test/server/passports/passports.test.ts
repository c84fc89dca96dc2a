import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import type { Client, Passport } from '../../support/client.ts';
import { databaseKinds } from '../../support/database.ts';
import { useService } from '../../support/service.ts';

/** The hash as anyone with the passport can compute it. */
function recomputedHash({ template_version, values, latest_version: { salt } }: Passport): string {
  const hashed = values.map(({ updated_at: _, ...members }) => members);
  const text = canonicalize({ salt, template_version, values: hashed });
  return createHash('sha256').update(String(text)).digest('hex');
}

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);
  let client: Client;
  beforeAll(async () => {
    client = await service.newTenant();
  });

  /** Creates a product with some values and returns its slug. */
  async function productWith(values: object[] = [], group: string | null = null): Promise<string> {
    const { slug } = await client.create({ name: 'Ware', product_group: group });
    if (values.length > 0) await client.write(slug, values);
    return slug;
  }

  test('a new product has an empty passport with a first version', async () => {
    const product = await client.create('Neu');
    const passport = await client.passport('neu');
    expect(passport).toEqual({
      product: { id: product.id, name: 'Neu', slug: 'neu', status: 'draft', completeness: 0 },
      template_version: 2,
      values: [],
      latest_version: {
        content_hash: recomputedHash(passport),
        salt: expect.stringMatching(/^[0-9a-f]{32}$/),
        created_at: product.created_at,
      },
    });
  });

  test('PASS-1 a write updates existing values, adds new ones and keeps the others', async () => {
    const slug = await productWith([
      { field_key: 'a', value: 1 },
      { field_key: 'b', value: 2 },
    ]);
    const before = await client.passport(slug);
    const result = await client.write(slug, [
      { field_key: 'c', value: 3 },
      { field_key: 'b', value: 20 },
    ]);
    const after = await client.passport(slug);
    expect(result).toEqual({ updated: 2, completeness: after.product.completeness });
    expect(after.values.map(({ field_key, value }) => [field_key, value])).toEqual([
      ['a', 1],
      ['b', 20],
      ['c', 3],
    ]);
    expect(after.values[0]).toEqual(before.values[0]);
    expect(after.values[1]?.updated_at).not.toBe(before.values[1]?.updated_at);
    expect((await client.product(slug)).completeness).toBe(after.product.completeness);
  });

  test('PASS-1 a write returns the completeness that the next read shows', async () => {
    const slug = await productWith([], 'textile');
    const result = await client.write(slug, [{ field_key: 'manufacturer_name', value: 'Weberei' }]);
    expect(result).toEqual({ updated: 1, completeness: 20 });
    expect((await client.passport(slug)).product.completeness).toBe(20);
    expect((await client.product(slug)).completeness).toBe(20);
    expect((await client.list({ limit: 200 })).items.find((item) => item.slug === slug)?.completeness).toBe(20);
    expect(await client.write(slug, [])).toEqual({ updated: 0, completeness: 20 });
  });

  test.each(['active', 'archived'] as const)('PASS-1 the passport of an %s product can be written', async (status) => {
    const slug = await productWith();
    await (status === 'active' ? service.activate(client, slug) : service.archive(client, slug));
    await client.write(slug, [{ field_key: 'a', value: status }]);
    expect(await client.passport(slug)).toMatchObject({ product: { status }, values: [{ value: status }] });
  });

  test('PASS-1 of a field written twice the last value is stored and counted once', async () => {
    const slug = await productWith();
    const { updated } = await client.write(slug, [
      { field_key: 'a', value: 1, unit: 'kg', access_level: 'authority' },
      { field_key: 'b', value: 1 },
      { field_key: 'a', value: 2 },
    ]);
    expect(updated).toBe(2);
    const { values } = await client.passport(slug);
    expect(values).toMatchObject([
      { field_key: 'a', value: 2 },
      { field_key: 'b', value: 1 },
    ]);
  });

  test('PASS-4 of a field written twice the second without access_level keeps the restriction of the first', async () => {
    const slug = await productWith([{ field_key: 'b', value: 1, unit: 'm' }]);
    const twice = (field_key: string) => [
      { field_key, value: 1, unit: 'kg', access_level: 'authority', source: 'manual', is_unknown: true },
      { field_key, value: 2 },
    ];
    await client.write(slug, [...twice('new'), ...twice('b')]);
    const kept = { value: 2, unit: 'kg', access_level: 'authority', source: 'import', is_unknown: false };
    expect((await client.passport(slug)).values).toMatchObject([
      { field_key: 'b', ...kept },
      { field_key: 'new', ...kept },
    ]);
  });

  test('PASS-4 a new field gets the default values', async () => {
    const slug = await productWith([{ field_key: 'a', value: 'x' }]);
    const { updated_at } = await client.product(slug);
    expect((await client.passport(slug)).values).toEqual([
      {
        field_key: 'a',
        value: 'x',
        unit: null,
        source: 'import',
        access_level: 'public',
        is_unknown: false,
        needs_review: false,
        locale: 'de',
        updated_at,
      },
    ]);
  });

  test('PASS-4 the tenant sees every access level, source, flag and unit', async () => {
    const inputs = [
      { field_key: 'a', value: 1, access_level: 'public', source: 'manual', is_unknown: true },
      { field_key: 'b', value: 2, access_level: 'restricted', source: 'supplier', needs_review: true },
      { field_key: 'c', value: 3, access_level: 'authority', source: 'import', unit: '𝓀𝑔'.repeat(25) },
      { field_key: 'd', value: 4, unit: '' },
    ];
    const slug = await productWith(inputs);
    expect((await client.passport(slug)).values).toMatchObject(inputs);
  });

  test('PASS-4 an update keeps access level and unit, and sets the other fields to their defaults', async () => {
    const first = { field_key: 'a', value: 1, access_level: 'restricted', unit: 'kg' };
    const slug = await productWith([{ ...first, source: 'supplier', is_unknown: true, needs_review: true }]);
    await client.write(slug, [{ field_key: 'a', value: 2 }]);
    const defaults = { source: 'import', is_unknown: false, needs_review: false };
    expect((await client.passport(slug)).values).toMatchObject([{ ...first, ...defaults, value: 2 }]);
    await client.write(slug, [{ field_key: 'a', value: 2, unit: null, access_level: 'public' }]);
    expect((await client.passport(slug)).values).toMatchObject([{ unit: null, access_level: 'public' }]);
  });

  const nested = (levels: number): unknown => {
    let value: unknown = 'innen';
    for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { v: value };
    return value;
  };
  const contents: unknown[] = [
    'Text',
    '',
    '  Rand\n',
    0,
    -0.5,
    0.1,
    1e21,
    5e-324,
    1.7976931348623157e308,
    9007199254740991,
    true,
    false,
    null,
    [],
    {},
    [[], {}, [null], { '': '' }],
    { z: 1, a: [1, 'zwei', null, { drei: { vier: [] } }], ä: '日本語 🧑‍🍳 كوب \u2028 "\\/', constructor: 1 },
    '\u0001\u007f\ufeff\ufffd\uffff𝒳',
    nested(32),
  ];
  test('PASS-5 values of every JSON type are returned unchanged', async () => {
    const inputs = contents.map((value, index) => ({ field_key: `f${String(index).padStart(2, '0')}`, value }));
    const slug = await productWith(inputs);
    const passport = await client.passport(slug);
    expect(passport.values.map(({ value }) => value)).toEqual(contents);
    expect(passport.values.map(({ value }) => JSON.stringify(value))).toEqual(contents.map((it) => JSON.stringify(it)));
    expect(passport.latest_version.content_hash).toBe(recomputedHash(passport));
  });

  test.each(['9007199254740993', '1e400', '-1e400', '{"a":[9007199254740993]}', '0.10000000000000000001'])(
    'PASS-5 the number %s is rejected and nothing is stored',
    async (literal) => {
      const slug = await productWith([{ field_key: 'a', value: 1 }]);
      const before = await client.passport(slug);
      const body = `[{"field_key":"a","value":2},{"field_key":"b","value":${literal}}]`;
      expect(await client.writing(slug, body)).toBe('400 invalid_request');
      expect(await client.passport(slug)).toEqual(before);
    },
  );

  test('PASS-6 each change adds a version with a new salt and hash, and the hash can be recomputed', async () => {
    const slug = await productWith([{ field_key: 'a', value: 1 }]);
    const changes = [
      { value: 2 },
      { value: '2' },
      { value: [2] },
      { value: 2, unit: 'kg' },
      { value: 2, unit: 'g' },
      { value: 2, access_level: 'restricted' },
      { value: 2, source: 'manual' },
      { value: 2, is_unknown: true },
      { value: 2, needs_review: true },
    ];
    const versions = [(await client.passport(slug)).latest_version];
    for (const change of changes) {
      await client.write(slug, [{ field_key: 'a', ...change }]);
      const passport = await client.passport(slug);
      expect(passport.latest_version.content_hash).toBe(recomputedHash(passport));
      expect(passport.latest_version.created_at).toBe((await client.product(slug)).updated_at);
      versions.push(passport.latest_version);
    }
    expect(new Set(versions.map(({ content_hash }) => content_hash)).size).toBe(changes.length + 1);
    const salts = versions.map(({ salt }) => salt);
    for (const salt of salts) expect(salt).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(salts).size).toBe(changes.length + 1);
    const times = versions.map(({ created_at }) => created_at);
    expect(times.toSorted()).toEqual(times);
    expect(new Set(times).size).toBe(times.length);
  });

  test('PASS-6 a write without a change adds no version', async () => {
    const values = [
      { field_key: 'a', value: { x: 1, y: [0.1, '1e2'] }, unit: 'kg', access_level: 'restricted' },
      { field_key: 'b', value: null, source: 'manual' },
    ];
    const slug = await productWith(values);
    const before = [await client.passport(slug), await client.product(slug)];
    const same: (readonly object[])[] = [
      values,
      values.toReversed(),
      [{ field_key: 'a', value: { y: [0.1, '1e2'], x: 1 } }],
      [
        { field_key: 'b', value: 5 },
        { field_key: 'b', value: null, source: 'manual', unit: null },
      ],
      [],
      (await client.passport(slug)).values,
    ];
    for (const inputs of same) {
      const { updated } = await client.write(slug, inputs);
      expect(updated).toBe(new Set(inputs.map((input) => 'field_key' in input && input.field_key)).size);
      expect([await client.passport(slug), await client.product(slug)]).toEqual(before);
    }
    const [product] = await service.database('products').where({ id: before[1] && 'id' in before[1] && before[1].id });
    expect(await service.database('passport_versions').where({ product_id: product.id })).toHaveLength(2);
  });

  test('PASS-6 the hashed form does not depend on the order or the number of writes', async () => {
    const values = ['a', 'b', 'c', 'ä', '𝒳'].map((field_key, index) => ({ field_key, value: { x: index, y: null } }));
    const first = await productWith(values);
    const second = await productWith(values.toReversed());
    const third = await productWith([{ field_key: 'a', value: 'anders' }]);
    for (const { field_key, value } of values) {
      await client.write(third, [{ field_key, value: { y: value.y, x: value.x } }]);
    }
    const passports = await Promise.all([first, second, third].map((slug) => client.passport(slug)));
    const [{ latest_version }] = passports as [Passport];
    // With one salt the hashes are equal. With their own salts they differ, so equal contents cannot be recognized.
    const underOne = passports.map((passport) => recomputedHash({ ...passport, latest_version }));
    expect(new Set(underOne)).toEqual(new Set([latest_version.content_hash]));
    expect(new Set(passports.map((passport) => passport.latest_version.content_hash)).size).toBe(3);
  });

  test('a newer template adds no version: writing the stored values changes nothing', async () => {
    const slug = await productWith([{ field_key: 'a', value: 1 }]);
    const { id } = await client.product(slug);
    const versions = () => service.database('passport_versions').where({ product_id: id });
    await versions().update({ template_version: 0 });
    await client.write(slug, [{ field_key: 'a', value: 1 }]);
    expect(await versions()).toHaveLength(2);
    await client.write(slug, [{ field_key: 'a', value: 2 }]);
    expect((await versions()).map(({ template_version }) => template_version)).toEqual([0, 0, 2]);
  });

  test('PASS-6 values can be written back as read; their locale and time are ignored', async () => {
    const slug = await productWith([{ field_key: 'a', value: 1, unit: 'kg', source: 'supplier', is_unknown: true }]);
    const before = await client.passport(slug);
    await client.write(slug, before.values);
    expect(await client.passport(slug)).toEqual(before);
    for (const odd of [{ locale: 'xx' }, { locale: 5, updated_at: 'gestern' }, { locale: null, updated_at: null }]) {
      expect(
        await client.writing(
          slug,
          before.values.map((value) => ({ ...value, ...odd })),
        ),
      ).toBe('200');
      expect(await client.passport(slug)).toEqual(before);
    }
  });

  test('PASS-6 values are sorted by UTF-16 code units', async () => {
    const ordered = ['0', 'A', 'B', '_', 'a', 'a b', 'a.b', 'aa', 'ab', 'z', 'ä', '日', '\ud834\udd1e', '～', '\uffff'];
    const slug = await productWith(ordered.toReversed().map((field_key) => ({ field_key, value: 1 })));
    const passport = await client.passport(slug);
    expect(passport.values.map(({ field_key }) => field_key)).toEqual(ordered);
    expect(ordered.toSorted()).toEqual(ordered);
    expect(passport.latest_version.content_hash).toBe(recomputedHash(passport));
  });

  test.each([
    ['DE', 'de'],
    ['AT', 'de'],
    ['FR', 'fr'],
    ['IT', 'it'],
    ['ES', 'es'],
    ['NL', 'nl'],
    ['PL', 'pl'],
    ['CH', 'en'],
    ['US', 'en'],
  ])('values of a tenant in %s have the locale %s', async (country, locale) => {
    const tenant = await service.newTenant({ country });
    const { slug } = await tenant.create('Ware');
    await tenant.write(slug, [{ field_key: 'a', value: 1 }]);
    expect((await tenant.passport(slug)).values).toMatchObject([{ locale }]);
  });
});
