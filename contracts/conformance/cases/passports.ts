/** PASS-1, 4 and 5: writing values and reading them again, exactly as they were written. */
import type { Passport, PassportValue } from '@product-passport/sdk';
import { passportPath, valuesOf } from '../api.ts';
import { type Case, type Context, checkEqual, checkMembers, family } from '../case.ts';
import { grow } from './products.ts';

const put = '/paths/~1api~1v1~1products~1{slug}~1passport/put';
const value = '/components/schemas/PassportValue/properties';
const needs = ['field key'] as const;
const reference = { claim: 'reference' } as const;

const upsert = family('PASS-1', { claim: 'core', clause: put, needs });
const order = family('PASS-1', {
  claim: 'reference',
  clause: '/components/schemas/Passport/properties/values',
});
const ownKeys = family('PASS-4', {
  claim: 'reference',
  clause: '/components/schemas/PassportValue',
});
const findings = family('PASS-1', { claim: 'reference', clause: '/components/headers/PassportFindings' });
const fields = family('PASS-4', { claim: 'core', clause: '/components/schemas/PassportValue', needs });

const enumerations: Readonly<Record<string, string>> = {
  access_level: '/components/schemas/AccessLevel',
  source: '/components/schemas/ValueSource',
};

/** Members of a value that are read as they were written. */
const kept: readonly (readonly [name: string, member: keyof PassportValue, sent: unknown])[] = [
  ['level-public', 'access_level', 'public'],
  ['level-restricted', 'access_level', 'restricted'],
  ['level-authority', 'access_level', 'authority'],
  ['source-manual', 'source', 'manual'],
  ['source-import', 'source', 'import'],
  ['source-supplier', 'source', 'supplier'],
  ['unit', 'unit', 'kWh/1000 h'],
  ['unknown', 'is_unknown', true],
  ['review', 'needs_review', true],
];

/** Members of a value, what is written first, what is written without them, and what is read then. */
const absentInUpdate: readonly (readonly [keyof PassportValue, unknown, unknown])[] = [
  ['access_level', 'authority', 'authority'],
  ['unit', 'kg', 'kg'],
  ['source', 'supplier', 'import'],
  ['is_unknown', true, false],
  ['needs_review', true, false],
];

/** Writes to a battery, one after the other, and how many of their values block. */
const judged: readonly (readonly [what: string, elements: readonly object[], findings: number])[] = [
  [
    'values that nobody knows',
    ['battery_category', 'rated_capacity', 'test_reports'].map((field_key) => ({
      ...{ field_key, value: null, is_unknown: true, unit: null, access_level: 'authority' },
    })),
    0,
  ],
  ['a misspelt key', [{ field_key: 'battery_catgory', value: 'ev' }], 1],
  ['the same write again', [{ field_key: 'battery_catgory', value: 'ev' }], 1],
  ['a field of your own', [{ field_key: 'verify_own_field', value: 'x' }], 0],
  ['no value', [], 0],
  [
    'a value without its unit, named twice',
    [
      { field_key: 'rated_capacity', value: 60 },
      { field_key: 'rated_capacity', value: 'sixty' },
    ],
    1,
  ],
  ['the unit', [{ field_key: 'rated_capacity', value: 60, unit: 'Ah' }], 0],
  ['the value alone, whose unit stays', [{ field_key: 'rated_capacity', value: 61 }], 0],
  [
    'a level that is too open, and an unknown option',
    [
      { field_key: 'test_reports', value: 'https://example.com/reports', access_level: 'public' },
      { field_key: 'battery_category', value: 'verify-no-such-category' },
    ],
    2,
  ],
  ['the value alone, whose level stays', [{ field_key: 'test_reports', value: 'https://example.com/report' }], 1],
  [
    'the level and the option of the template',
    [
      { field_key: 'test_reports', value: 'https://example.com/report', access_level: 'authority' },
      { field_key: 'battery_category', value: 'ev' },
    ],
    0,
  ],
];

export const passports: readonly Case[] = [
  upsert('update', 'A write updates the field that it names and leaves the others as they are.', async (context) => {
    const { slug, keys } = await subject(context, 'upsert');
    const { api, world } = context;
    await api.put(slug, [
      { field_key: keys[0], value: `before ${world.runId}` },
      { field_key: keys[1], value: `kept ${world.runId}`, unit: 'kg', access_level: 'restricted' },
    ]);
    const other = stored(await api.passport(slug), keys[1]);
    await api.put(slug, [{ field_key: keys[0], value: `after ${world.runId}` }]);
    const passport = await api.passport(slug);
    checkEqual(stored(passport, keys[0]).value, `after ${world.runId}`, `the value of ${keys[0]}`);
    checkEqual(untimed(stored(passport, keys[1])), untimed(other), `the untouched field ${keys[1]}`);
    checkEqual(other.value, `kept ${world.runId}`, `the value of ${keys[1]}`);
  }),
  upsert('create', 'A write creates a field that the passport does not have.', async (context) => {
    const [{ slug }] = (await grow(context)).products;
    const keys = [await context.world.fieldKey(0), await context.world.fieldKey(1)];
    for (const [index, field_key] of keys.entries()) {
      await context.api.put(slug, [{ field_key, value: `${index}` }]);
      const passport = await context.api.passport(slug);
      const written = keys.slice(0, index + 1).map((key, nth) => [key, `${nth}`]);
      const read = passport.values.map((one) => [one.field_key, one.value]);
      checkEqual(read.sort(), written.sort(), 'the values of the passport');
    }
  }),
  upsert('own-product', 'A write changes no other product.', async (context) => {
    const { slug, keys } = await subject(context, 'own-product');
    const other = await subject(context, 'other-product');
    const field_key = keys[0];
    await context.api.put(other.slug, [{ field_key, value: 'other' }]);
    await context.api.put(slug, [{ field_key, value: context.world.runId }]);
    const { value } = stored(await context.api.passport(other.slug), field_key);
    checkEqual(value, 'other', 'the value of the other product');
  }),
  upsert('updated', 'updated counts the fields that a write changes.', async (context) => {
    const { slug, keys } = await subject(context, 'updated');
    const { api, world } = context;
    checkEqual((await api.put(slug, valuesOf(keys, `before ${world.runId}`))).updated, 2, 'updated');
    // The passport has two values.
    checkEqual(
      (await api.put(slug, valuesOf(keys.slice(0, 1), world.runId))).updated,
      1,
      'updated for one of two values',
    );
  }),
  upsert('completeness', 'A write returns the completeness that is read afterwards.', async (context) => {
    const { slug, keys } = await subject(context, 'write-completeness');
    for (const text of [context.world.runId, 'again']) {
      const { completeness } = await context.api.put(slug, [{ field_key: keys[0], value: text }]);
      checkEqual((await context.api.passport(slug)).product.completeness, completeness, 'completeness of the passport');
      checkEqual((await context.api.product(slug)).completeness, completeness, 'completeness of the product');
    }
  }),
  upsert('completeness-listed', 'A list shows the completeness that the product has.', async (context) => {
    const { slug, keys } = await subject(context, 'write-completeness');
    await context.api.put(slug, [{ field_key: keys[0], value: context.world.runId }]);
    const { items } = await context.api.list({ search: 'Verify write-completeness', limit: 200 });
    // The field may not count for the completeness. Passports of active products are seldom empty.
    const { items: active } = await context.api.list({ status: 'active', limit: 3 });
    for (const listed of [...items.filter((item) => item.slug === slug), ...active]) {
      const { completeness } = await context.api.product(listed.slug);
      checkEqual(listed.completeness, completeness, `completeness of ${listed.slug} in the list`);
    }
  }),
  upsert('product', 'A passport names its product.', async (context) => {
    const { slug } = await subject(context, 'upsert');
    const { id, name, status } = await context.api.product(slug);
    checkMembers((await context.api.passport(slug)).product, { id, name, slug, status }, 'product');
  }),
  upsert.reference('twice', 'A field that is named twice counts once, and the last element wins.', async (context) => {
    const { slug, keys } = await subject(context, 'twice');
    const field_key = keys[0];
    const result = await context.api.put(slug, [
      { field_key, value: 'first', unit: 'kg', access_level: 'authority' },
      { field_key, value: context.world.runId },
    ]);
    checkEqual(result.updated, 1, 'updated');
    const last = stored(await context.api.passport(slug), field_key);
    const expected = { value: context.world.runId, unit: 'kg', access_level: 'authority' };
    checkMembers(last, expected, 'the value, with unit and level of the first element');
  }),
  upsert.reference('nothing', 'An empty array changes nothing.', async (context) => {
    const { slug, keys } = await subject(context, 'nothing');
    await context.api.put(slug, [{ field_key: keys[0], value: 'stays' }]);
    const before = await context.api.passport(slug);
    const { completeness } = before.product;
    checkEqual(await context.api.put(slug, []), { updated: 0, completeness }, 'the result');
    checkEqual(await context.api.passport(slug), before, 'the passport');
  }),
  upsert.reference(
    'named-fields',
    'updated counts the fields that a write names, also when nothing changes.',
    async (context) => {
      const { slug, keys } = await subject(context, 'updated');
      const values = valuesOf(keys, 'the same');
      await context.api.put(slug, values);
      checkEqual((await context.api.put(slug, values)).updated, 2, 'updated');
    },
  ),
  findings('findings', 'Passport-Findings counts the values of a write that block.', async ({ world, send }) => {
    const { slug } = await world.product('findings', { product_group: 'battery' });
    for (const [what, json, expected] of judged) {
      const { headers } = await send({ method: 'PUT', path: passportPath(slug), json });
      checkEqual(headers['passport-findings'], `${expected}`, `Passport-Findings after the write of ${what}`);
    }
  }),
  upsert.reference(
    'write-back',
    'Values can be written back as they were read, and nothing changes.',
    async (context) => {
      const { slug, keys } = await subject(context, 'write-back');
      await context.api.put(slug, [
        { field_key: keys[0], value: { deep: [1, null] }, unit: 'kg', access_level: 'restricted', source: 'manual' },
        { field_key: keys[1], value: null, is_unknown: true, needs_review: true },
      ]);
      const before = await context.api.passport(slug);
      const altered = before.values.map((one) => ({ ...one, locale: 'xx', updated_at: '2020-01-01T00:00:00.000Z' }));
      for (const json of [before.values, altered]) {
        const { status } = await context.sendFaulty({ method: 'PUT', path: passportPath(slug), json });
        checkEqual(status, 200, 'the status of the write');
        checkEqual(await context.api.passport(slug), before, 'the passport');
      }
    },
  ),
  order('order', 'Values have the order of their keys in UTF-16 code units.', async (context) => {
    const { slug } = await context.world.product('value-order');
    const keys = ['b', 'B', 'a', '_', '10', '9', 'é', 'z', '\u{1f9e6}', '\uffe6'];
    await context.api.put(slug, valuesOf(keys, 1));
    const read = (await context.api.passport(slug)).values.map(({ field_key }) => field_key);
    checkEqual(read, [...keys].sort(), 'the keys');
  }),
  fields('defaults', 'The source of a new field is import, and its level is public.', async (context) => {
    const { slug } = (await grow(context)).products[1];
    const field_key = await context.world.fieldKey();
    await context.api.put(slug, [{ field_key, value: 'new' }]);
    const field = stored(await context.api.passport(slug), field_key);
    checkMembers(field, { source: 'import', access_level: 'public' }, 'the new field');
  }),
  ownKeys('other-defaults', 'A new field has no unit, is not unknown, and needs no review.', async (context) => {
    const { slug } = (await grow(context)).products[2];
    await context.api.put(slug, [{ field_key: 'verify_new', value: 'new' }]);
    const field = stored(await context.api.passport(slug), 'verify_new');
    checkMembers(field, { unit: null, is_unknown: false, needs_review: false }, 'the new field');
  }),
  ...kept.map(([name, member, sent]) =>
    fields.with({ clause: enumerations[member] ?? `${value}/${member}` })(
      name,
      `The owner reads the ${member} that was written: ${sent}.`,
      async (context) => {
        const { slug, keys } = await subject(context, name);
        await context.api.put(slug, [{ field_key: keys[0], value: context.world.runId, [member]: sent }]);
        checkEqual(stored(await context.api.passport(slug), keys[0])[member], sent, member);
      },
    ),
  ),
  fields('level-changes', 'An update changes the level of a value.', async (context) => {
    const { slug, keys } = await subject(context, 'level-changes');
    for (const access_level of ['public', 'authority', 'restricted', 'public']) {
      await context.api.put(slug, [{ field_key: keys[0], value: 'same', access_level }]);
      checkEqual(stored(await context.api.passport(slug), keys[0]).access_level, access_level, 'access_level');
    }
  }),
  ...absentInUpdate.map(([member, first, then]) =>
    fields.with({ ...reference, clause: put })(
      `absent-${member.replaceAll('_', '-')}`,
      `After an update without ${member}, it is ${JSON.stringify(then)} instead of ${JSON.stringify(first)}.`,
      async (context) => {
        const { slug, keys } = await subject(context, `absent-${member.replaceAll('_', '-')}`);
        await context.api.put(slug, [{ field_key: keys[0], value: 'before', [member]: first }]);
        checkEqual(stored(await context.api.passport(slug), keys[0])[member], first, `${member} before`);
        await context.api.put(slug, [{ field_key: keys[0], value: context.world.runId }]);
        checkEqual(stored(await context.api.passport(slug), keys[0])[member], then, `${member} after`);
      },
    ),
  ),
  fields.with({ ...reference, clause: '/components/schemas/PassportValueInput/properties/unit' })(
    'no-unit',
    'unit: null removes the unit.',
    async (context) => {
      const { slug, keys } = await subject(context, 'no-unit');
      await context.api.put(slug, [{ field_key: keys[0], value: 1, unit: 'kg' }]);
      await context.api.put(slug, [{ field_key: keys[0], value: 1, unit: null }]);
      checkEqual(stored(await context.api.passport(slug), keys[0]).unit, null, 'unit');
    },
  ),
];

interface Subject {
  readonly slug: string;
  /** Two keys that the provider accepts. */
  readonly keys: readonly [string, string];
}

/** The product of one case, with two keys that the provider accepts. */
export async function subject({ world }: Context, purpose: string): Promise<Subject> {
  const keys = [await world.fieldKey(0), await world.fieldKey(1)] as const;
  const { slug } = await world.product(purpose);
  return { slug, keys };
}

/** The only value with this key. */
export function stored({ values }: Passport, key: string): PassportValue {
  const found = values.filter((one) => one.field_key === key);
  checkEqual(found.length, 1, `the number of values with the key ${key}`);
  return found[0] as PassportValue;
}

const untimed = ({ updated_at: _, ...rest }: PassportValue): object => rest;

// PASS-5: exact values.

const clause = '/components/schemas/PassportValueInput/properties/value';
const exact = family('PASS-5', { claim: 'core', clause, needs: ['field key'] });
const written = family('PASS-5', { claim: 'reference', clause });

const values: Readonly<Record<string, unknown>> = {
  text: 'Merino wool',
  'empty-text': '',
  'blank-text': '  two blanks  ',
  'text-of-digits': '007',
  'text-of-true': 'true',
  'text-of-null': 'null',
  'text-of-json': '{"a":[1,"2"]}',
  'text-of-a-time': '2026-02-30T25:00:00Z',
  unicode: 'Größe 護照 🧦 👩‍👩‍👧‍👦 שלום e\u0301',
  escapes: 'quote " backslash \\ slash / newline \n tab \t return \r \u2028 \u2029 \u0001 \u007f',
  markup: '<script>alert("x")</script> &amp; %41 +',
  'long-text': 'Lorem ipsum '.repeat(1000),
  zero: 0,
  negative: -42,
  fraction: 0.1,
  'fraction-sum': 0.30000000000000004,
  large: 1e21,
  largest: 1.7976931348623157e308,
  smallest: 5e-324,
  'safe-integer': 9_007_199_254_740_991,
  true: true,
  false: false,
  null: null,
  'empty-array': [],
  'empty-object': {},
  array: [1, 'two', null, true, [], {}, [[3]]],
  'sorted-array': [3, 1, 2, 3],
  object: { b: 1, a: { c: [null, { d: '' }] }, '': 'empty name', 'ä 🧦': 2, constructor: 3, 10: 1, 9: 2 },
  deep: nested(20),
};

/** Other ways to write a number that a double carries. */
const numbers: Readonly<Record<string, readonly [string, number]>> = {
  'trailing-zero': ['1.0', 1],
  'negative-trailing-zero': ['-0.10', -0.1],
  exponent: ['1e2', 100],
  'exponent-with-sign': ['1E+2', 100],
  'long-integer': ['100000000000000000000000', 1e23],
};

export const passportValues: readonly Case[] = [
  ...Object.entries(values).map(([which, value]) =>
    exact(which, `The value is read as it was written: ${which.replaceAll('-', ' ')}.`, async (context) => {
      const { slug, keys } = await subject(context, 'values');
      await context.api.put(slug, [{ field_key: keys[0], value: [context.world.runId, which] }]);
      await context.api.put(slug, [{ field_key: keys[0], value }]);
      checkEqual(stored(await context.api.passport(slug), keys[0]).value, value, 'the value');
    }),
  ),
  ...Object.entries(numbers).map(([which, [text, value]]) =>
    written(`number-${which}`, `The number ${text} is read as ${value}.`, async ({ world, send, api }) => {
      const { slug } = await world.product('numbers');
      await api.put(slug, [{ field_key: 'verify_number', value: [world.runId, text] }]);
      const raw = `[{"field_key":"verify_number","value":${text}}]`;
      checkEqual((await send({ method: 'PUT', path: passportPath(slug), raw })).status, 200, 'the status');
      checkEqual(stored(await api.passport(slug), 'verify_number').value, value, 'the value');
    }),
  ),
];

function nested(levels: number): unknown {
  return levels === 0 ? 'bottom' : levels % 2 === 0 ? [nested(levels - 1)] : { in: nested(levels - 1) };
}
