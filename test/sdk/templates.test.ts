import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { completeness, requirementsOn } from '@product-passport/openapi';
import fc from 'fast-check';
import * as en from '../../sdk/src/generated/languages/en.ts';
import type { PassportDocument, PassportValue, PassportValueInput, TemplateKey } from '../../sdk/src/index.ts';
import { createClient } from '../../sdk/src/index.ts';
import * as sdk from '../../sdk/src/templates.ts';
import { cable, checkFor, checkValues, missing, show, type TemplateField, templates } from '../../sdk/src/templates.ts';
import { createFakeClient } from '../../sdk/src/testing.ts';
import { languages } from '../../server/src/languages/languages.ts';
import { pageBudget, presenterOf, type ShownValue } from '../../server/src/site/values.ts';
import { templateKeys, templateOf } from '../../server/src/templates/catalogue.ts';
import { databaseKinds } from '../support/database.ts';
import { useService } from '../support/service.ts';

const groups = Object.keys(templates) as TemplateKey[];

test('the templates are those of the server', () => {
  expect(groups).toEqual(templateKeys);
  for (const group of groups) {
    const { key, version, scans, fields, data_points } = templateOf(group);
    expect(Object.entries(sdk)).toContainEqual([group, templates[group]]);
    type Part = Pick<TemplateField, 'type' | 'unit' | 'minimum' | 'maximum'>;
    const part = ({ type, unit, minimum, maximum }: Omit<Part, 'unit'> & Partial<Pick<Part, 'unit'>>) => ({
      ...{ type, unit, minimum, maximum },
    });
    const expected = fields.map(({ options, items, members, ...field }) => ({
      ...{ key: field.key, ...part(field), access_level: field.access_level },
      ...{ required: field.required, section: field.section },
      ...(field.points && { points: field.points }),
      ...(options && { options: options.map(({ code }) => code) }),
      ...(items && { items: part(items) }),
      ...(members && { members: members.map((member) => ({ key: member.key, ...part(member) })) }),
    }));
    const more = { ...(!scans && { scans }), ...(data_points && { data_points }) };
    expect({ ...templates[group] }).toEqual({ key, version, fields: expected, ...more });
  }
});

const { products } = JSON.parse(readFileSync(new URL('../../server/data/demo_products.json', import.meta.url), 'utf8'));

/** Planted mistakes: the group, the value, the code of the finding, and its message. */
const planted: [TemplateKey, PassportValueInput, string, string][] = [
  [
    'cable',
    { field_key: 'cable_lenght', value: 2, unit: 'm' },
    'unknown_key',
    '[0].field_key "cable_lenght" is not a field of cable. The closest is "cable_length".',
  ],
  ['battery', { field_key: 'recycled_nickel_share', value: 12 }, 'unknown_key', 'is not a field of battery.'],
  ['textile', { field_key: 'Fibre_composition', value: [] }, 'unknown_key', 'The closest is "fibre_composition"'],
  ['cable', { field_key: 'battery_category', value: 'ev' }, 'unknown_key', 'is not a field of cable'],
  ['other', { field_key: '', value: 1 }, 'unknown_key', 'is not a field of other'],
  [
    'cable',
    { field_key: 'cable_length', value: 'two', unit: 'm' },
    'wrong_type',
    '[0].value of "cable_length" must be a number (got "two")',
  ],
  ['cable', { field_key: 'cable_length', value: '2', unit: 'm' }, 'wrong_type', 'must be a number'],
  ['cable', { field_key: 'cable_length', value: [2], unit: 'm' }, 'wrong_type', '(got a list)'],
  ['cable', { field_key: 'plug_cycles', value: 10_000.5, unit: 'cycle' }, 'wrong_type', 'must be a whole number'],
  ['cable', { field_key: 'halogen_free', value: 'yes' }, 'wrong_type', 'must be true or false'],
  ['cable', { field_key: 'halogen_free', value: 1 }, 'wrong_type', 'must be true or false (got 1)'],
  ['cable', { field_key: 'connector_a', value: 3 }, 'wrong_type', 'must be a text'],
  ['cable', { field_key: 'recycling_instructions', value: { de: 'x' } }, 'wrong_type', '(got an object)'],
  ...['Portugal', 'pt', 'UK', 'ZZ', 'XX', 'DD', 'EU', 'AN', ''].map((value): (typeof planted)[number] => [
    'cable',
    { field_key: 'country_of_origin', value },
    'wrong_type',
    `must be an ISO 3166-1 country code, such as "DE", "GB" or "GR" (got "${value}")`,
  ]),
  ['cable', { field_key: 'declaration_of_conformity', value: 'doc.pdf' }, 'wrong_type', 'must be a web address'],
  ['battery', { field_key: 'manufacturing_date', value: '31.12.2026' }, 'wrong_type', 'must be a date'],
  ['battery', { field_key: 'manufacturing_date', value: '2026-02-30' }, 'wrong_type', 'must be a date'],
  ['textile', { field_key: 'fibre_composition', value: 'cotton' }, 'wrong_type', 'must be a list'],
  [
    'textile',
    { field_key: 'fibre_composition', value: [{ fibre: 'cotton', share: '95' }] },
    'wrong_type',
    '[0].value[0].share',
  ],
  [
    'textile',
    { field_key: 'fibre_composition', value: [{ fibre: 'cotton', share: 95 }, 7] },
    'wrong_type',
    '[0].value[1]',
  ],
  [
    'textile',
    { field_key: 'fibre_composition', value: ['80% wool'] },
    'wrong_type',
    'must be an object with fibre, share',
  ],
  [
    'textile',
    { field_key: 'fibre_composition', value: [{ fiber: 'cotton', share: 95 }] },
    'unknown_key',
    '[0].value[0] of "fibre_composition" must have only fibre, share (got "fiber"). The closest is "fibre".',
  ],
  ['motor', { field_key: 'power_losses', value: { p_25_25: 'low' }, unit: '%' }, 'wrong_type', '[0].value.p_25_25'],
  [
    'cable',
    { field_key: 'cable_length', value: 200, unit: 'km' },
    'wrong_unit',
    '[0].unit of "cable_length" must be "m" (got "km")',
  ],
  ['cable', { field_key: 'cable_length', value: 2 }, 'wrong_unit', 'must be "m" (got none)'],
  ['cable', { field_key: 'cable_length', value: 2, unit: 'm\u00a0' }, 'wrong_unit', '(got "m<U+00A0>")'],
  ['cable', { field_key: 'cable_length', value: 2, unit: '\u043c' }, 'wrong_unit', '(got "<U+043C>")'],
  ['battery', { field_key: 'internal_resistance_cell', value: 2, unit: 'm\u03a9' }, 'wrong_unit', '(got "mΩ")'],
  ['cable', { field_key: 'cable_length', value: '2\u202f000', unit: 'm' }, 'wrong_type', '(got "2<U+202F>000")'],
  [
    'cable',
    { field_key: 'cable_l\u0435ngth', value: 2 },
    'unknown_key',
    '"cable_l<U+0435>ngth" is not a field of cable',
  ],
  [
    'battery',
    { field_key: 'rated_capacity', value: -17.4, unit: 'Ah' },
    'out_of_range',
    '[0].value of "rated_capacity" must be at least 0 (got -17.4)',
  ],
  [
    'battery',
    { field_key: 'renewable_content_share', value: 250, unit: '%' },
    'out_of_range',
    'must be 0 to 100 (got 250)',
  ],
  ['textile', { field_key: 'fibre_composition', value: [{ share: 101 }] }, 'out_of_range', '[0].value[0].share'],
  ['textile', { field_key: 'fibre_composition', value: [{ share: '250 %' }] }, 'out_of_range', '(got 250)'],
  ['motor', { field_key: 'power_losses', value: { 'a\n': 'low' }, unit: '%' }, 'wrong_type', '[0].value.a<U+000A> of'],
  [
    'steel',
    { field_key: 'chemical_composition', value: { C: -1 }, unit: '%', access_level: 'restricted' },
    'out_of_range',
    '[0].value.C of',
  ],
  ['cable', { field_key: 'connector_a', value: 'USB-C', unit: 'm' }, 'wrong_unit', 'must be absent (got "m")'],
  ['cable', { field_key: 'recycled_content_share', value: 30, unit: 'percent' }, 'wrong_unit', 'must be "%"'],
  ['cable', { field_key: 'cable_type', value: 'usb-c' }, 'unknown_option', 'The closest is "usb_c"'],
  [
    'battery',
    { field_key: 'battery_category', value: 'EV' },
    'unknown_option',
    'must be one of portable, sli, lmt, ev, industrial',
  ],
  ['battery', { field_key: 'battery_category', value: 'LMT' }, 'unknown_option', '(got "LMT"). The closest is "lmt".'],
  ['cable', { field_key: 'weee_category', value: 6 }, 'unknown_option', '(got 6)'],
  [
    'cable',
    { field_key: 'substances_of_concern', value: ['Blei'] },
    'weak_access_level',
    '[0].access_level of "substances_of_concern" must be "restricted" (got none, which means public)',
  ],
  [
    'cable',
    { field_key: 'test_reports', value: 'https://example.com', access_level: 'restricted' },
    'weak_access_level',
    'must be "authority" (got "restricted"',
  ],
];

describe('checkValues', () => {
  test.each(planted)('finds a mistake: %s %j', (group, value, code, message) => {
    expect(checkValues(templates[group], [value])).toEqual([
      { code, place: expect.stringMatching(/^\[0\]\./), message: expect.stringContaining(message) },
    ]);
  });

  test('accepts each way to write a unit, a change below zero, and Kosovo', () => {
    const values = [
      { field_key: 'internal_resistance_cell', value: 0.02, unit: '\u2126' },
      { field_key: 'idle_temperature_minimum', value: -20, unit: '°C' },
    ];
    const levels = new Map(templates.battery.fields.map((field) => [field.key, field.access_level]));
    const sent = values.map((value) => ({ ...value, access_level: levels.get(value.field_key) ?? 'public' }));
    expect(checkValues(templates.battery, sent)).toEqual([]);
    const shrinks = [{ field_key: 'dimensional_stability', value: -2, unit: '%' }];
    expect(checkValues(templates.textile, [...shrinks, { field_key: 'country_of_origin', value: 'XK' }])).toEqual([]);
  });

  test('finds nothing in the demo', () => {
    for (const { slug, product_group, values } of products) {
      const template = templates[(product_group ?? 'other') as TemplateKey];
      expect([slug, checkValues(template, values)]).toEqual([slug, []]);
    }
  });

  test('accepts a stricter level, fields of your own, unknown values and fields that are left out', () => {
    const values = [
      { field_key: 'substances_of_concern', value: ['Blei'], access_level: 'authority' },
      { field_key: 'cable_length', value: null, is_unknown: true },
      { field_key: 'our_colour', value: { ral: 9005 } },
    ] as const;
    expect(checkValues(cable, values, { own: ['our_colour'] })).toEqual([]);
    expect(checkFor(cable, { own: ['our_colour'] })(values)).toEqual([]);
    expect(checkValues(cable, [])).toEqual([]);
  });

  test('names each mistake of each value in order', () => {
    const values = [
      { field_key: 'cable_type', value: 'usb_c' },
      { field_key: 'test_reports', value: 5, unit: 'm' },
    ];
    const places = checkValues(cable, values).map(({ code, place }) => `${code} ${place}`);
    expect(places).toEqual(['weak_access_level [1].access_level', 'wrong_type [1].value', 'wrong_unit [1].unit']);
  });

  test('never throws', () => {
    const key = fc.constantFrom(...cable.fields.map((field) => field.key), 'no_such_key', '__proto__', 'toString');
    const value = fc.record({ field_key: key, value: fc.anything(), unit: fc.anything(), access_level: fc.anything() });
    const values = fc.array(fc.oneof(value, fc.anything()));
    fc.assert(fc.property(fc.oneof(values, fc.anything()), (given) => Array.isArray(checkValues(cable, given as []))));
  });
});

describe('a put with a check', () => {
  const wrong = [
    { field_key: 'substances_of_concern', value: ['Blei'] },
    { field_key: 'cable_lenght', value: 2, unit: 'm' },
  ];

  test('is refused with all findings before a request is sent', async () => {
    let sent = 0;
    const fetch = async () => {
      sent += 1;
      return new Response('{"updated":0,"completeness":0}', { headers: { 'content-type': 'application/json' } });
    };
    const { passports } = createClient({ baseUrl: 'https://passport.example.com/api/v1', apiKey: 'x', fetch });
    await expect(passports.put('x', wrong, { check: checkFor(cable) })).rejects.toMatchObject({
      ...{ name: 'ArgumentError', argument: 'values', applied: 0 },
      message: expect.stringMatching(
        /^values \[0\].*substances_of_concern.*restricted.*; \[1\].*cable_lenght.*cable_length/,
      ),
    });
    expect(sent).toBe(0);
    await passports.put('x', [{ field_key: 'cable_length', value: 2, unit: 'm' }], { check: checkFor(cable) });
    expect(sent).toBe(1);
  });

  test('is an outcome of its item in bulk work', async () => {
    const { passports } = createFakeClient({ putPassport: { updated: 1, completeness: 1 } });
    const rows = [wrong, [{ field_key: 'cable_length', value: 2, unit: 'm' }], wrong];
    const work = (values: PassportValueInput[]) => passports.put('x', values, { check: checkFor(cable) });
    const { eachInOrder, toArray } = await import('../../sdk/src/bulk.ts');
    const outcomes = await toArray(eachInOrder(rows, work));
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, true, false]);
  });

  test('checks keys and values at compile time if a group is given', async () => {
    const { passports } = createFakeClient({ putPassport: { updated: 1, completeness: 1 } });
    await passports.put<'cable'>('x', [{ field_key: 'cable_length', value: 2 }]);
    await passports.put<'cable', 'our_colour'>('x', [{ field_key: 'our_colour', value: 'red', unit: 'RAL' }]);
    await passports.put('x', [{ field_key: 'any', value: 2 }]);
    await passports.put<'cable'>('x', [{ field_key: 'substances_of_concern', value: [], access_level: 'authority' }]);
    // @ts-expect-error: the key is misspelled.
    await passports.put<'cable'>('x', [{ field_key: 'cable_lenght', value: 2 }]);
    // @ts-expect-error: the value must be a number.
    await passports.put<'cable'>('x', [{ field_key: 'cable_length', value: 'two' }]);
    // @ts-expect-error: the unit is m.
    await passports.put<'cable'>('x', [{ field_key: 'cable_length', value: 200, unit: 'km' }]);
    // @ts-expect-error: an item of this list has members.
    await passports.put<'textile'>('x', [{ field_key: 'fibre_composition', value: ['80% wool'] }]);
    // @ts-expect-error: the member is misspelled.
    await passports.put<'textile'>('x', [{ field_key: 'fibre_composition', value: [{ fiber: 'wool' }] }]);
    // @ts-expect-error: a share is a number, or a text with its unit.
    await passports.put<'textile'>('x', [{ field_key: 'fibre_composition', value: [{ fibre: 'wool', share: '80' }] }]);
    const fibres = [{ fibre: 'wool', share: 80 }, { fibre: 'silk', share: '15-20 %' as const }, {}];
    await passports.put<'textile'>('x', [{ field_key: 'fibre_composition', value: fibres }]);
    await passports.put<'motor'>('x', [{ field_key: 'power_losses', value: { '25/25': 1.4 }, unit: '%' }]);
    const lead = ['lead', { name: 'lead', cas: '7439-92-1', share: null }];
    const access_level = 'restricted';
    await passports.put<'cable'>('x', [{ field_key: 'substances_of_concern', value: lead, access_level }]);
    // @ts-expect-error: without an access level the value would be public.
    await passports.put<'cable'>('x', [{ field_key: 'substances_of_concern', value: ['Blei'] }]);
    // @ts-expect-error: and so it would be with this one.
    await passports.put<'cable'>('x', [{ field_key: 'test_reports', value: 'https://x', access_level: 'restricted' }]);
  });
});

/** Values of some fields of a group: answers, and all that is no answer. */
function answers(group: TemplateKey) {
  const keys = [...templates[group].fields.map(({ key }) => key), 'our_own'];
  const value = fc.oneof(
    fc.constantFrom(null, '', ' ', '\u00a0', {}, [], 0, false, 'x', [null], { a: 1 }, 'ev', 'lmt', 'sli'),
    fc.jsonValue({ maxDepth: 1 }),
  );
  const one = fc.record({ field_key: fc.constantFrom(...keys), value, is_unknown: fc.boolean() });
  return fc.uniqueArray(one, { selector: ({ field_key }) => field_key, maxLength: keys.length });
}

/** The share of the required fields that `missing` does not name. */
function percent(group: TemplateKey, values: PassportValue[], on: string): number {
  const { required } = requirementsOn(templates[group], values, on);
  const left = missing(templates[group], { values }, undefined, { on }).length;
  return required.length === 0 ? 100 : Math.floor((100 * (required.length - left)) / required.length);
}

describe('missing', () => {
  test('agrees with the completeness of the server on 1,000 random passports', () => {
    const group = fc.oneof(fc.constantFrom(...groups), fc.constant('battery' as const));
    const day = fc.constantFrom('2026-12-01', '2027-08-17', '2027-08-18');
    const passport = group.chain((one) => fc.tuple(fc.constant(one), answers(one), day));
    const agree = fc.property(passport, ([one, values, on]) => {
      expect(percent(one, values as PassportValue[], on)).toBe(completeness(templateOf(one), values, on));
    });
    fc.assert(agree, { numRuns: 1_000 });
  });

  describe.each(databaseKinds)('on %s', (kind) => {
    const service = useService(kind);
    test('agrees with the completeness of a passport of each group', async () => {
      const client = await service.newTenant();
      for (const [seed, group] of groups.entries()) {
        const [values = []] = fc.sample(answers(group), { seed, numRuns: 1 });
        const { slug } = await client.create({ name: group, product_group: group });
        await client.write(slug, values);
        const passport = await client.passport(slug);
        const day = passport.latest_version.created_at.slice(0, 10);
        expect([group, percent(group, passport.values, day)]).toEqual([group, passport.product.completeness]);
      }
    });
  });

  test('has the label in the language of the words, of the group where the group has its own', async () => {
    const de = await import('../../sdk/src/generated/languages/de.ts');
    expect(missing(cable, { values: [] }, de).map(({ label }) => label)).toContain('Kabellänge');
    expect(missing(cable, { values: [] }).map(({ label }) => label)).toContain('cable_length');
  });
});

describe('show', () => {
  /** The texts of a value on the page: one, or one for each item of a list. */
  const textsOf = (shown: ShownValue): string[] => {
    if ('text' in shown) return [shown.text];
    if (shown.kind === 'list') return shown.items.flatMap(textsOf);
    if (shown.kind === 'members')
      return [shown.members.map(({ name, value }) => `${name}: ${textsOf(value)}`).join(', ')];
    return shown.rows.map((row) => row.map((cell, index) => `${shown.columns[index]}: ${textsOf(cell)}`).join(', '));
  };
  /** A page also says where a text may break. */
  const withoutBreaks = (text: string) => text.replaceAll(/[\u00ad\u200b]/g, '').replaceAll('\u00a0', ' ');

  test.each(languages)('has the labels and the texts of the page, in %s', async (language) => {
    const words = await import(`../../sdk/src/generated/languages/${language}.ts`);
    const presenter = presenterOf(language);
    let compared = 0;
    for (const { name, product_group, values } of products) {
      const { fields } = templateOf(product_group);
      const stored = values.map((value: PassportValueInput) => ({ unit: null, is_unknown: false, ...value }));
      const additionalProperty = stored.map(({ field_key, value, unit, is_unknown }: PassportValue) => ({
        propertyID: field_key,
        ...(value !== null && { value: typeof value === 'object' ? { '@type': '@json', '@value': value } : value }),
        ...(unit !== null && { unitText: unit }),
        ...(is_unknown && { 'dpp:isUnknown': true }),
      }));
      const document = { name, category: product_group, additionalProperty } as unknown as PassportDocument;
      const shown = show(document, words).flatMap((section) => section.fields);
      for (const value of stored) {
        const field = fields.find(({ key }) => key === value.field_key);
        const { label, value: expected } = presenter.entry(value, field, { ...pageBudget });
        const found = shown.find(({ key }) => key === value.field_key);
        const unitInLabel = ` (${value.unit})`;
        compared += 1;
        expect([withoutBreaks(found?.label ?? ''), found?.texts.map(withoutBreaks)]).toEqual([
          withoutBreaks(label).replace(unitInLabel, ''),
          textsOf(expected).map(withoutBreaks),
        ]);
      }
    }
    expect(compared).toBeGreaterThan(200);
  });
});

/** The fields of a document with one property, as words shows them. */
function shownField(property: object, words = en, category = 'textile') {
  const document = { category, additionalProperty: [{ propertyID: 'own_field', ...property }] };
  const [section] = show(document as unknown as PassportDocument, words);
  return { section: section?.title, ...section?.fields[0] };
}

test.each<[string, object, string[]]>([
  ['no value', {}, ['Not stated']],
  ['an empty text', { value: '' }, ['Not stated']],
  ['an unknown value', { value: 5, 'dpp:isUnknown': true }, ['Not known']],
  ['an empty list', { value: { '@type': '@json', '@value': [] } }, ['None']],
  ['an empty object', { value: { '@type': '@json', '@value': {} } }, ['Not stated']],
  [
    'a list in a list',
    {
      value: {
        '@value': [
          [1, 'a'],
          [true, null],
        ],
      },
    },
    ['1, a', 'Yes, Not stated'],
  ],
  ['an object', { value: { '@value': { name: 'A', own: 2 } } }, ['Name: A, own: 2']],
  ['a number with a unit', { value: 5, unitText: 'kg' }, ['5\u00a0kg']],
  ['a range with a unit', { value: '5-6', unitText: 'kg' }, ['5-6\u00a0kg']],
  ['a text without a number', { value: 'light', unitText: 'kg' }, ['light']],
  ['a date', { value: '2026-02-28' }, ['28 February 2026']],
  ['a day that does not exist', { value: '2026-02-30' }, ['2026-02-30']],
  ['a month that does not exist', { value: '2026-13-01' }, ['2026-13-01']],
  ['a country', { propertyID: 'country_of_origin', value: 'DE' }, ['Germany']],
  ['a country that does not exist', { propertyID: 'country_of_origin', value: 'XX' }, ['XX']],
  ['a country in words', { propertyID: 'country_of_origin', value: 'Somewhere' }, ['Somewhere']],
  [
    'a fibre',
    { propertyID: 'fibre_composition', value: { '@value': [{ fibre: 'Alpaca', share: 5 }] } },
    ['Fibre: alpaca, Share: 5%'],
  ],
  [
    'a code with a sentence',
    { propertyID: 'hazard_statements', value: { '@value': ['H302'] } },
    ['H302: Harmful if swallowed.'],
  ],
  ['a code without a sentence', { propertyID: 'hazard_statements', value: { '@value': ['H999'] } }, ['H999']],
])('show writes %s', (_name, property, texts) => {
  expect(shownField(property).texts).toEqual(texts);
});

test('show takes the label of the group, then the label of the field, then the key', () => {
  const fields = { own_field: 'Of all', 'textile.own_field': 'Of textiles' };
  expect(shownField({}, { ...en, fields } as typeof en).label).toBe('Of textiles');
  expect(shownField({}, { ...en, fields } as typeof en, 'cable').label).toBe('Of all');
  expect(shownField({})).toMatchObject({ label: 'own_field', section: 'Other information' });
  expect(shownField({}, { ...en, sections: {} } as typeof en).section).toBe('own');
});

test.each<[unknown, number]>([
  ['0.3-0.6 %', 0],
  ['9 %', 0],
  ['95', 1],
  ['low', 1],
  [['9 %'], 1],
  [true, 1],
  [null, 0],
])('a share of %j in a list has %d findings: only a range or a number with its unit may be a text', (share, count) => {
  const value = [{ fibre: 'cotton', share }];
  expect(checkValues(templates.textile, [{ field_key: 'fibre_composition', value }])).toHaveLength(count);
});

test.each([
  ['x'.repeat(40), `(got "${'x'.repeat(40)}")`],
  ['x'.repeat(41), `(got "${'x'.repeat(40)}…")`],
])('a text of more than 40 characters is shortened in a message: %s', (value, message) => {
  const [finding] = checkValues(cable, [{ field_key: 'cable_length', value, unit: 'm' }]);
  expect(finding?.message).toContain(message);
});

test('a key of a million characters is not repeated whole', () => {
  const [finding] = checkValues(cable, [{ field_key: 'x'.repeat(1_000_000), value: 1 }]);
  expect(finding?.message.length).toBeLessThan(700);
});

test.each([[null], [{}], [{ additionalProperty: 7 }], ['x']])(
  'show refuses %j, which is no passport document',
  (given) => {
    expect(() => show(given as never, en)).toThrow('document must be a passport document');
  },
);
