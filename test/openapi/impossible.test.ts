import { expect, test } from '@jest/globals';
import { allFindings, blockingFindings, impossibleIn, placeholders } from '@product-passport/openapi';
import type { TemplateKey } from '../../sdk/src/index.ts';
import { battery, checkFor, checkValues, templates } from '../../sdk/src/templates.ts';
import { templateKeys, templateOf } from '../../server/src/templates/catalogue.ts';

const day = '2026-11-28';
type Value = readonly [key: string, value: unknown];

/** Values with the units and levels of a template. */
function valuesOf(group: TemplateKey, pairs: readonly Value[]) {
  const fields = new Map(templates[group].fields.map((field) => [field.key, field]));
  return pairs.map(([field_key, value]) => {
    const { unit = null, access_level = 'public' } = fields.get(field_key) ?? {};
    return { field_key, value, unit, access_level } as const;
  });
}

/** The codes of what breaks a rule, by field. */
function broken(group: TemplateKey, pairs: readonly Value[]): string[] {
  const found = impossibleIn(templates[group], valuesOf(group, pairs), day);
  return found.map(({ code, field_key, at }) => `${code} ${field_key} ${at}`);
}

/** Of each rule: the values that just fit, those that just do not, and what is found in these. */
type Side = readonly [TemplateKey, fits: readonly Value[], breaks: readonly Value[], found: readonly string[]];
const sides: readonly Side[] = [
  ...(['voltage_temperature', 'power_temperature', 'idle_temperature'] as const).map((range) => {
    const [minimum, maximum] = [`${range}_minimum`, `${range}_maximum`];
    const at = (low: number, high: number): Value[] => [
      [minimum, low],
      [maximum, high],
    ];
    const found = [`impossible ${minimum} value`, `impossible ${maximum} value`];
    return ['battery', at(-20, -20), at(-20, -21), found] as const;
  }),
  [
    'battery',
    [
      ['maximum_voltage', 42],
      ['minimum_voltage', 36],
      ['nominal_voltage', 36],
    ],
    [
      ['maximum_voltage', 42],
      ['minimum_voltage', 30],
      ['nominal_voltage', 42.1],
    ],
    ['impossible nominal_voltage value', 'impossible maximum_voltage value'],
  ],
  ...(['battery_weight', 'rated_capacity', 'nominal_voltage', 'maximum_voltage'] as const).map((key) => {
    return ['battery', [[key, 0.001]], [[key, 0]], [`impossible ${key} value`]] as const;
  }),
  ...(['manufacturing_date', 'state_measured_on'] as const).map((key) => {
    return ['battery', [[key, '2026-11-29']], [[key, '2026-11-30']], [`impossible ${key} value`]] as const;
  }),
  [
    'battery',
    [['manufacturing_date', '2026-11']],
    [['manufacturing_date', '2026-12']],
    ['impossible manufacturing_date value'],
  ],
  ...(['negative_events', 'operating_conditions', 'state_of_charge_records'] as const).map((key) => {
    const list = (date: string): Value => [key, [{ date: '2026-01-01' }, { date }]];
    return ['battery', [list(day)], [list('2027-01-01')], [`impossible ${key} value[1].date`]] as const;
  }),
  ...(
    [
      ['remaining_capacity', 'rated_capacity'],
      ['remaining_power_capability', 'original_power_capability'],
    ] as const
  ).map(([now, then]) => {
    const at = (value: number): Value[] => [
      [now, value],
      [then, 10],
    ];
    return ['battery', at(12), at(12.1), [`unlikely ${now} value`, `unlikely ${then} value`]] as const;
  }),
  [
    'battery',
    [['state_of_certified_energy', 119]],
    [['state_of_certified_energy', 120]],
    ['unlikely state_of_certified_energy value'],
  ],
  [
    'battery',
    [['expected_lifetime_years', 99]],
    [['expected_lifetime_years', 100]],
    ['impossible expected_lifetime_years value'],
  ],
  ...(['capacity_fade', 'power_fade', 'round_trip_efficiency_fade'] as const).map((key) => {
    return ['battery', [[key, 99.9]], [[key, 100]], [`unlikely ${key} value`]] as const;
  }),
  ['other', [['expected_lifetime', 99]], [['expected_lifetime', 100]], ['unlikely expected_lifetime value']],
  ['battery', [['warranty_months', 1199]], [['warranty_months', 1200]], ['unlikely warranty_months value']],
  ...(
    ['round_trip_efficiency', 'round_trip_efficiency_at_half_cycle_life', 'capacity_threshold_exhaustion'] as const
  ).flatMap((key) => [
    ['battery', [[key, 92]], [[key, 0.92]], [`impossible ${key} value`]] as const,
    ['battery', [[key, 0]], [[key, 1]], [`impossible ${key} value`]] as const,
  ]),
  [
    'battery',
    [['remaining_round_trip_efficiency', 1.1]],
    [['remaining_round_trip_efficiency', 1]],
    ['unlikely remaining_round_trip_efficiency value'],
  ],
  // Recycled content of half a percent is right.
  [
    'battery',
    [['recycled_content_cobalt', 0.5]],
    [['state_of_certified_energy', 0.9]],
    ['unlikely state_of_certified_energy value'],
  ],
  [
    'battery',
    [['separate_collection_symbol', true]],
    [['separate_collection_symbol', false]],
    ['unlikely separate_collection_symbol value'],
  ],
  [
    'battery',
    [['spare_part_sources', [{ email: 'Spare parts <parts@power.example>' }, { email: null }]]],
    [['spare_part_sources', [{ email: 'parts@power' }]]],
    ['impossible spare_part_sources value[0].email'],
  ],
  [
    'cable',
    [['manufacturer_contact', 'www.power.example']],
    [['manufacturer_contact', 'ask us.']],
    ['unlikely manufacturer_contact value'],
  ],
  [
    'battery',
    [['hazardous_substances', [{ cas: '7439-92-1' }, { cas: '7439-92-1 and 7440-02-0' }, 'Pb', { name: 'x' }]]],
    [['hazardous_substances', [{ cas: '7439-92-2' }, { cas: '7439-92-1, 7440-02-1' }, { cas: 'secret' }]]],
    [0, 1, 2].map((index) => `impossible hazardous_substances value[${index}].cas`),
  ],
  ['chemical', [['cas_number', '64-17-5']], [['cas_number', '64-17-6']], ['impossible cas_number value']],
  [
    'chemical',
    [['ingredients', [{ share: '99-100 %' }, { share: 1.5 }]]],
    [['ingredients', [{ share: 99 }, { share: '3-5 %' }]]],
    ['impossible ingredients value'],
  ],
  [
    'battery',
    [
      [
        'active_material_composition',
        [
          { part: 'anode', share: 100 },
          { part: 'cathode', share: 100 },
        ],
      ],
    ],
    [
      [
        'active_material_composition',
        [
          { part: 'anode', share: 80 },
          { part: 'anode', share: 80 },
        ],
      ],
    ],
    ['unlikely active_material_composition value'],
  ],
  // Each of three shares may be rounded up.
  [
    'textile',
    [['fibre_composition', [33.5, 33.5, 34].map((share) => ({ fibre: 'wool', share }))]],
    [['fibre_composition', [33.5, 33.5, 35].map((share) => ({ fibre: 'wool', share }))]],
    ['unlikely fibre_composition value'],
  ],
  [
    'battery',
    [['hazardous_substances', [{ share: 60 }]]],
    [['hazardous_substances', [{ share: 60 }, { share: 60 }]]],
    ['unlikely hazardous_substances value'],
  ],
  [
    'battery',
    [['model_identifier', 'TBD-100']],
    [['model_identifier', ' TBD ']],
    ['impossible model_identifier value'],
  ],
  [
    'cable',
    [['manufacturer_name', 'Unknown Pleasures Ltd']],
    [['manufacturer_name', 'N / A']],
    ['impossible manufacturer_name value'],
  ],
  // A list and an option are no text fields. Sodium and "all" in Spanish are no stand-ins.
  ['battery', [['battery_chemistry', 'Na']], [['battery_chemistry', '---']], ['impossible battery_chemistry value']],
  ['battery', [['hazardous_substances', ['tbd']]], [['safety_measures', '???']], ['impossible safety_measures value']],
];

test.each(sides)('%s: %j fits, %j does not', (group, fits, breaks, found) => {
  expect(broken(group, fits)).toEqual([]);
  expect(broken(group, breaks)).toEqual(found);
});

test('each rule of the battery has values on both sides', () => {
  const tried = sides.flatMap(([group, , breaks]) => impossibleIn(templates[group], valuesOf(group, breaks), day));
  const keys = new Set(tried.map(({ field_key }) => field_key));
  const untried = (battery.rules ?? []).filter(({ fields }) => {
    return !fields.some((name) => name === '*' || keys.has(name.split('.')[0] ?? ''));
  });
  // Like those of hazardous substances.
  expect(untried.map(({ fields }) => fields.join())).toEqual(['critical_raw_materials.share']);
});

test('a value with another unit or type, and one that is unknown, is not compared', () => {
  const [low, high] = valuesOf('battery', [
    ['minimum_voltage', 48],
    ['maximum_voltage', 36],
  ]);
  const found = (...values: object[]) => impossibleIn(battery, values as never, day).length;
  expect(found({ ...low }, { ...high })).toBe(2);
  expect(found({ ...low, unit: 'mV' }, { ...high })).toBe(0);
  expect(found({ ...low, value: '48' }, { ...high })).toBe(0);
  expect(found({ ...low, is_unknown: true }, { ...high })).toBe(0);
});

test('a placeholder of each language is a whole text, in any case and with any spaces', () => {
  for (const text of Object.values(placeholders).flatMap((texts) => texts.split(', '))) {
    const form = ` ${text.toUpperCase().replaceAll(' ', '  ')} `;
    expect([text, broken('cable', [['manufacturer_name', form]])]).toEqual([
      text,
      ['impossible manufacturer_name value'],
    ]);
    expect(broken('cable', [['manufacturer_name', `${text} 2`]])).toEqual([]);
  }
});

test('a rule that blocks keeps a passport from being ready, a note does not, and a put with a check is sent', () => {
  const values = valuesOf('battery', [
    ['round_trip_efficiency', 0.92],
    ['warranty_months', 1200],
  ]);
  const keys = new Set(battery.fields.map(({ key }) => key));
  expect(blockingFindings(battery, values, keys, day).map(({ code }) => code)).toEqual(['impossible']);
  expect(allFindings(battery, values, keys, day).map(({ code }) => code)).toEqual(['impossible', 'unlikely']);
  expect(checkValues(battery, values, { on: day }).map(({ message }) => message)).toEqual([
    '[0].value of "round_trip_efficiency" must be a percentage, not a fraction (got 0.92)',
    '[1].value of "warranty_months" should be below 1200 (got 1200)',
  ]);
  expect(checkFor(battery, { on: day })(values).map(({ code }) => code)).toEqual(['impossible']);
});

test('the rules of each template are about its fields, and those of the SDK are those of the server', () => {
  for (const group of templateKeys) {
    const { rules, fields } = templateOf(group);
    const names = fields.flatMap(({ key, members = [] }) => [key, ...members.map((member) => `${key}.${member.key}`)]);
    for (const { fields: own, why } of rules) {
      expect([group, own.filter((name) => name !== '*' && !names.includes(name))]).toEqual([group, []]);
      expect(why).toMatch(/^[A-Z].+\.$/);
    }
    expect(templates[group]?.rules).toEqual(rules.map(({ why: _, ...rule }) => rule));
  }
});
