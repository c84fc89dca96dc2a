import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as en from '../../sdk/src/generated/languages/en.ts';
import type { PassportDocument, PassportValue, PassportValueInput, TemplateKey } from '../../sdk/src/index.ts';
import { battery, cable, checkFor, checkValues, missing, readiness, show, templates } from '../../sdk/src/templates.ts';
import { languages } from '../../server/src/languages/languages.ts';
import { pageBudget, presenterOf, type ShownValue } from '../../server/src/site/values.ts';
import { templateOf } from '../../server/src/templates/catalogue.ts';
import { connect, json } from '../support/fake-fetch.ts';
import { rejection } from '../support/thrown.ts';

const _groups = Object.keys(templates) as TemplateKey[];

const { products } = JSON.parse(readFileSync(new URL('../../server/data/demo_products.json', import.meta.url), 'utf8'));

/** A group, and a value that does not fit: its key, value, unit and access level. */
type Planted = [TemplateKey, key: string, value: unknown, unit?: string | undefined, level?: 'restricted'];
const shares = (share: unknown) => ['fibre_composition', [{ fibre: 'cotton', share }]] as [string, unknown];
const planted: Planted[] = [
  ['cable', 'cable_lenght', 2, 'm'],
  ['battery', 'recycled_nickel_share', 12],
  ['textile', 'Fibre_composition', []],
  ['cable', 'battery_category', 'ev'],
  ['other', '', 1],
  ['other', 'x'.repeat(1000), 1],
  ['cable', 'cable_l\u0435ngth', 2],
  ...['two', '2', [2], '2\u202f000', 'x'.repeat(40), 'x'.repeat(41)].map((value): Planted => {
    return ['cable', 'cable_length', value, 'm'];
  }),
  ['cable', 'plug_cycles', 10_000.5, 'cycle'],
  ['cable', 'halogen_free', 'yes'],
  ['cable', 'halogen_free', 1],
  ['cable', 'connector_a', 3],
  ['cable', 'recycling_instructions', { de: 'x' }],
  ...['Portugal', 'pt', 'UK', 'ZZ', 'XX', 'DD', 'EU', 'AN', ''].map((code): Planted => {
    return ['cable', 'country_of_origin', code];
  }),
  ['cable', 'declaration_of_conformity', 'doc.pdf'],
  ['battery', 'manufacturing_date', '31.12.2026'],
  ['battery', 'manufacturing_date', '2026-02-30'],
  ['textile', 'fibre_composition', 'cotton'],
  ['textile', 'fibre_composition', [{ fibre: 'cotton', share: 95 }, 7]],
  ['textile', 'fibre_composition', ['80% wool']],
  ['textile', 'fibre_composition', [{ fiber: 'cotton' }]],
  // Only a range or a number with its unit may be a text.
  ...['95', 'low', ['9 %'], true, 101, '250 %'].map((share): Planted => ['textile', ...shares(share)]),
  ['motor', 'power_losses', { p_25_25: 'low' }, '%'],
  ['motor', 'power_losses', { 'a\n': 'low' }, '%'],
  ['steel', 'chemical_composition', { C: -1 }, '%', 'restricted'],
  ['battery', 'rated_capacity', -17.4, 'Ah'],
  ['battery', 'renewable_content_share', 250, '%'],
  ...['P501', 'p280', 'P301+P310', { code: 'P501' }, { code: 'P501', text: ' ' }].map((item): Planted => {
    return ['chemical', 'precautionary_statements', ['P102', item]];
  }),
  ['chemical', 'precautionary_statements', [{ code: 'P501', words: 'x' }]],
  ['chemical', 'precautionary_statements', [{ code: 'P501', text: 5 }]],
  ...['km', undefined, 'm\u00a0', '\u043c'].map((unit): Planted => ['cable', 'cable_length', 2, unit]),
  ['battery', 'internal_resistance_cell', 2, 'm\u03a9'],
  ['cable', 'connector_a', 'USB-C', 'm'],
  ['cable', 'recycled_content_share', 30, 'percent'],
  ['cable', 'cable_type', 'usb-c'],
  ['battery', 'battery_category', 'EV'],
  ['battery', 'battery_category', 'LMT'],
  ['cable', 'weee_category', 6],
  ['cable', 'substances_of_concern', ['Blei']],
  ['cable', 'test_reports', 'https://a.example', undefined, 'restricted'],
];

describe('checkValues', () => {
  test('names the mistake of each value, and what to do', () => {
    const found = planted.map(([group, field_key, value, unit, access_level]) => {
      const [finding, ...more] = checkValues(templates[group], [
        { field_key, value, unit, ...(access_level && { access_level }) },
      ]);
      expect([field_key, value, finding?.place.slice(0, 4), more]).toEqual([field_key, value, '[0].', []]);
      return `${finding?.code}: ${finding?.message}`;
    });
    expect(`${found.join('\n')}\n`).toMatchSnapshot();
  });

  test.each<[TemplateKey, string, unknown, string?]>([
    ['battery', 'internal_resistance_cell', 0.02, '\u2126'],
    ['battery', 'idle_temperature_minimum', -20, '°C'],
    ['textile', 'dimensional_stability', -2, '%'],
    ['textile', 'country_of_origin', 'XK'],
    ['textile', ...shares('0.3-0.6 %')],
    ['textile', ...shares('9 %')],
    ['textile', ...shares(null)],
  ])('accepts in %s: %s %j %s', (...[group, field_key, value, unit]) => {
    const level = templates[group].fields.find(({ key }) => key === field_key)?.access_level ?? 'public';
    expect(checkValues(templates[group], [{ field_key, value, unit, access_level: level }])).toEqual([]);
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

  test('finds a statement without its sentence, for which a put is not refused', () => {
    const values = [{ field_key: 'precautionary_statements', value: ['P501', 7] }];
    expect(checkValues(templates.chemical, values).map(({ code }) => code)).toEqual(['missing_text', 'wrong_type']);
    expect(checkFor(templates.chemical)(values).map(({ code }) => code)).toEqual(['wrong_type']);
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

test('a put with a check is refused with all findings, before a request is sent', async () => {
  const { client, requests } = connect(json({ updated: 1, completeness: 1 }));
  const check = checkFor(cable);
  const wrong = [
    { field_key: 'substances_of_concern', value: ['Blei'] },
    { field_key: 'cable_lenght', value: 2, unit: 'm' },
  ];
  expect(await rejection(client.passports.put('x', wrong, { check }))).toMatchObject({
    ...{ name: 'ArgumentError', argument: 'values', applied: 0 },
    message: expect.stringMatching(/^values \[0\].*of_concern.*restricted.*; \[1\].*cable_lenght.*cable_length/),
  });
  expect(requests).toEqual([]);
  await client.passports.put('x', [{ field_key: 'cable_length', value: 2, unit: 'm' }], { check });
  expect(requests).toHaveLength(1);
});

describe('missing', () => {
  test('has the label in the language of the words, of the group where the group has its own', async () => {
    const de = await import('../../sdk/src/generated/languages/de.ts');
    expect(missing(cable, { values: [] }, de).map(({ label }) => label)).toContain('Kabellänge');
    expect(missing(cable, { values: [] }).map(({ label }) => label)).toContain('cable_length');
    const on = (day: string) => missing(battery, { values: [] }, { on: day }).map(({ key }) => key);
    expect(on('2027-08-17')).not.toContain('due_diligence_report');
    expect(on('2027-08-18')).toContain('due_diligence_report');
  });
});

describe('show', () => {
  /** The texts of a value on the page: one, or one for each item of a list. */
  const textsOf = (shown: ShownValue): string[] => {
    if (shown.kind === 'said' && shown.own) return [`${shown.text} ${shown.own}`];
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
      expect(shown).toHaveLength(stored.length);
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

test('show writes values in words', () => {
  const json = (value: unknown) => ({ value: { '@type': '@json', '@value': value } });
  const statements = [{ code: 'P501', text: 'Take it back.' }, { code: 'P102' }, { code: 'P999', text: 'Own.' }];
  const given: object[] = [
    {},
    { value: '' },
    { value: 5, 'dpp:isUnknown': true },
    ...[
      [],
      {},
      [
        [1, 'a'],
        [true, null],
      ],
      { name: 'A', own: 2 },
    ].map(json),
    ...[5, '5-6', 'light'].map((value) => ({ value, unitText: 'kg' })),
    ...['2026-02-28', '2026-02-30', '2026-13-01'].map((value) => ({ value })),
    ...['DE', 'XX', 'Somewhere'].map((value) => ({ propertyID: 'country_of_origin', value })),
    { propertyID: 'fibre_composition', ...json([{ fibre: 'Alpaca', share: 5 }]) },
    ...['H302', 'H999'].map((code) => ({ propertyID: 'hazard_statements', ...json([code]) })),
    // Completed by the supplier, in another language and in the language of the words.
    { propertyID: 'precautionary_statements', ...json([{ code: 'P501', text: 'Abgeben.' }]) },
    { propertyID: 'precautionary_statements', 'dpp:locale': 'en', ...json(statements) },
  ];
  const texts = given.map((property) => `${JSON.stringify(property)}: ${shownField(property).texts?.join(' | ')}`);
  expect(`${texts.join('\n')}\n`).toMatchSnapshot();
});

test('show takes the label of the group, then the label of the field, then the key', () => {
  const fields = { own_field: 'Of all', 'textile.own_field': 'Of textiles' };
  expect(shownField({}, { ...en, fields } as typeof en).label).toBe('Of textiles');
  expect(shownField({}, { ...en, fields } as typeof en, 'cable').label).toBe('Of all');
  expect(shownField({})).toMatchObject({ label: 'own_field', section: 'Other information' });
  expect(shownField({}, { ...en, sections: {} } as typeof en).section).toBe('own');
});

test.each([[null], [{}], [{ additionalProperty: 7 }], ['x']])(
  'show refuses %j, which is no passport document',
  (given) => {
    expect(() => show(given as never, en)).toThrow('document must be a passport document');
  },
);

const [february, august] = ['2027-02-18', '2027-08-18'];

const fitting: Readonly<Record<string, unknown>> = {
  ...{
    url: 'https://a.example',
    date: '2026-12',
    country_code: 'DE',
    boolean: true,
    list: [],
    object: { scheme: 'x' },
  },
  ...{ number: 2, integer: 2 },
};

/** A battery with a fitting value in every field, but for those named. Without an access level. */
function passportOf(slug: string, category: string | undefined, without: readonly string[] = []) {
  const fields = battery.fields.filter(({ key }) => ![...without, 'battery_category'].includes(key));
  const values: (Partial<PassportValue> & { field_key: string })[] = fields.map(({ key, type, unit, options }) => {
    return { field_key: key, value: options?.[0] ?? fitting[type] ?? 'x', unit, is_unknown: false };
  });
  if (category !== undefined) values.push({ field_key: 'battery_category', value: category, is_unknown: false });
  return { product: { slug }, values };
}

const batteries = [
  passportOf('whole', 'lmt'),
  passportOf('open', 'lmt', ['battery_weight', 'serial_number']),
  passportOf('nameless', undefined),
  passportOf('car', 'car', ['battery_weight']),
  passportOf('scooter', 'ev', ['manufacturer_name']),
  passportOf('phone', 'portable', ['battery_weight']),
];

test('readiness counts a complete passport that does not fit apart; without access levels it judges none', async () => {
  const [whole, heavy, misspelt, open] = ['whole', 'heavy', 'misspelt', 'open'].map((slug) => passportOf(slug, 'lmt'));
  for (const value of heavy?.values ?? []) if (value.field_key === 'battery_weight') value.unit = 'g';
  for (const value of misspelt?.values ?? []) if (value.field_key === 'importer_name') value.field_key += 's';
  for (const value of open?.values ?? []) value.access_level = 'public';
  const passports = [whole, heavy, misspelt, open, passportOf('car', 'car')].filter((each) => each !== undefined);
  const weak = battery.fields.filter(({ access_level }) => access_level !== 'public').map(({ key }) => key);
  const count = async (options?: object) => {
    const { products, ready, with_findings, incomplete } = await readiness(battery, passports, {
      on: february,
      ...options,
    });
    return [products, ready, with_findings, incomplete];
  };
  expect(await count()).toEqual([5, 1, 3, 1]);
  expect(await count({ open: weak })).toEqual([5, 2, 2, 1]);
  expect(await count({ open: weak, own: ['importer_names'] })).toEqual([5, 3, 1, 1]);
});

test('readiness counts batteries by category and by data point', async () => {
  const counted = await readiness(battery, batteries, { on: february });
  const { requirements, ...rest } = counted;
  const none = { products: 0, ready: 0, with_findings: 0, incomplete: 0 };
  expect(rest).toEqual({
    ...{ on: february, products: 5, ready: 1, with_findings: 0, incomplete: 4, share: 20 },
    categories: [
      { category: 'ev', exempt: false, ...none, products: 1, incomplete: 1 },
      { category: 'lmt', exempt: false, ...none, products: 2, ready: 1, incomplete: 1 },
      { category: 'industrial', exempt: false, ...none },
      // None, and one that the list does not have.
      { category: null, exempt: false, ...none, products: 2, incomplete: 2 },
      { category: 'portable', exempt: true, ...none, products: 1 },
      { category: 'sli', exempt: true, ...none },
    ],
    most_missing: [
      { slug: 'open', missing: 2 },
      { slug: 'car', missing: 2 },
      { slug: 'nameless', missing: 1 },
      { slug: 'scooter', missing: 1 },
    ],
  });
  const missing = requirements.filter((each) => each.missing > 0);
  expect(missing.map(({ point, products, missing }) => [point, products, missing])).toEqual([
    [3, 5, 1],
    [6, 5, 2],
    [7, 5, 1],
    [10, 5, 2],
  ]);
  expect(missing.map(({ fields }) => fields)).toContainEqual(['model_identifier', 'serial_number']);

  async function* oneByOne() {
    yield* batteries;
  }
  expect(await readiness(battery, oneByOne(), { on: new Date(`${february}T23:59:59Z`) })).toEqual(counted);
  // A later day needs more of some categories.
  const later = await readiness(battery, batteries, { on: august });
  expect(later.requirements.length).toBeGreaterThan(requirements.length);
  await expect(readiness(battery, [], { on: 'soon' })).rejects.toThrow('on must be a day');
});
