/** How pages show values, their pictures, the key facts, and what the template says. The snapshots have a line for each. */
import { describe, expect, test } from '@jest/globals';
import type { PassportValue } from '@product-passport/openapi';
import { type Language, languages, wordsOf } from '../../../server/src/languages/languages.ts';
import { basisOf } from '../../../server/src/site/basis.ts';
import { keyFactsOf } from '../../../server/src/site/key-facts.ts';
import { emblemOf, pictureOf } from '../../../server/src/site/pictures.ts';
import { pageBudget, presenterOf, type ShownValue } from '../../../server/src/site/values.ts';
import {
  type Template,
  type TemplateField,
  templateKeys,
  templateOf,
} from '../../../server/src/templates/catalogue.ts';

function stored(value: unknown, about: Partial<PassportValue> = {}): PassportValue {
  const defaults = { field_key: 'own_key', unit: null, is_unknown: false, locale: 'de', access_level: 'public' };
  return { ...defaults, value, ...about } as PassportValue;
}

function entry(language: 'en' | 'de', value: unknown, about: Partial<PassportValue> = {}, type?: string) {
  const field = type === undefined ? undefined : ({ key: 'own_key', label: { en: 'Label' }, type } as TemplateField);
  return presenterOf(language).entry(stored(value, about), field, { ...pageBudget });
}

/** A value on one line, with visible signs for a protected space and a soft hyphen. */
function written({ kind, ...shown }: ShownValue): string {
  const isText = 'text' in shown && Object.keys(shown).length === 1;
  return `${kind} ${isText ? shown.text : JSON.stringify(shown)}`.replaceAll('\u00a0', '_').replaceAll('\u00ad', '¬');
}

test('a statement with a gap has the sentence of the label; other readers get the official sentence before it', () => {
  const field = templateOf('chemical').fields.find(({ key }) => key === 'precautionary_statements');
  const items = [
    'P102',
    'P501',
    { code: 'P501', text: 'Zum Wertstoffhof.' },
    { code: 'P9', text: 'Neu.' },
    { code: 'P102' },
  ];
  const shown = (language: 'de' | 'it', value: unknown[]) =>
    presenterOf(language).entry(stored(value), field, { ...pageBudget }).value;
  const lines = (['de', 'it'] as const).flatMap((language) => {
    const { kind, ...list } = shown(language, items);
    return [kind, ...('items' in list ? list.items : []).map(written)];
  });
  expect(lines.join('\n')).toMatchSnapshot();
  // What is no statement is shown as it is.
  expect(shown('de', [{ code: 'P501', note: 'x' }]).kind).toBe('list');
});

test('codes of care and disposal are sentences in the language of the page, and any other text stays', () => {
  const shown = (language: Language, key: string, value: string) => {
    const field = templateOf('textile').fields.find((each) => each.key === key);
    return written(presenterOf(language).entry(stored(value), field, { ...pageBudget }).value);
  };
  const lines = languages.flatMap((language) => [
    shown(language, 'care_instructions', 'wash_30_mild+no_bleach+no_tumble_dry+iron_110'),
    shown(language, 'recycling_instructions', 'reuse + textile'),
  ]);
  expect(lines.join('\n')).toMatchSnapshot();
  expect(shown('fr', 'care_instructions', 'wash_30+wasch')).toBe('text wash_30+wasch');
  expect(shown('fr', 'care_instructions', 'Kein H2O2')).toBe('text Kein H2O2');
});

test('a value has the form of the language of the page', () => {
  const byUnit = {
    '': [1234.5, 25_000, 2026, 0.1, -0.00000012, 1e21, 'A -20', true, false, '2026-05-01', {}, [], 'CO2e of H2O, CO25'],
    '%': [-2.5],
    '°C': [30, '-20 to 45', '-20 to 45 °C'],
    month: [1, 24],
    cycle: [1, 800],
    grade: [4.5],
    'kg CO2e': [18.4],
    'g/cm3': [7.8],
    furlong: [3],
    V: [null, ' '],
  };
  const byType = {
    boolean: ['true'],
    string: ['true', 'DE'],
    number: ['12.50', '12,50'],
    integer: ['0012'],
    country_code: ['PT', 'DE', 'XX'],
    date: ['2026-02-30', '2026-05'],
  };
  const lineOf = (value: unknown, about: string, ...more: [Partial<PassportValue>, string?]) => {
    const texts = (['en', 'de'] as const).map((language) => written(entry(language, value, ...more).value));
    return `${JSON.stringify(value)} ${about}: ${texts.join(' | ')}`;
  };
  const lines = [
    ...Object.entries(byUnit).flatMap(([unit, values]) =>
      values.map((value) => lineOf(value, unit, { unit: unit || null })),
    ),
    ...Object.entries(byType).flatMap(([type, values]) =>
      values.map((value) => lineOf(value, type, { unit: type === 'number' ? 'V' : null }, type)),
    ),
    lineOf(5, 'unknown', { is_unknown: true, unit: 'V' }),
  ];
  expect(lines.join('\n')).toMatchSnapshot();
});

test('the label is that of the template, or the key in words, with the unit of a list', () => {
  const labels = [
    entry('de', 1, {}, 'number'),
    entry('en', 1, { field_key: 'drum_diameter' }),
    entry('en', 1, { field_key: 'X_y-Z' }),
    entry('en', [1, 2], { unit: 'mm2' }),
  ];
  expect(labels.map(({ label }) => label)).toEqual(['Label', 'Drum diameter', 'X_y-Z', 'Own key (mm²)']);
});

const link = { url: 'https://example.de/a', title: 'Anleitung' };

test('a list or an object is a table, a list, members or a link', () => {
  const text = 'x'.repeat(41);
  const unsafe = ['javascript:alert(1)', 'JavaScript://example.com/%0aalert(1)', 'data:text/html,<b>', 'vbscript:x'];
  const values = [
    // Objects with up to four plain members are a table.
    [{ fibre: 'wool', share: 85.5 }, { fibre: 'silk' }],
    [{ a: 1, b: 2, c: 3, d: 4 }],
    [{ a: 1, b: 2, c: 3, d: 4, e: 5 }],
    [{ a: 1, b: 2 }, { c: 3 }],
    [
      { a: 1, b: 2 },
      { c: 3, d: 4, e: 5 },
    ],
    ...[[{ a: [1] }], [{ a: 1 }, 2], [{}], ['RWS', 4], [text], [[text.slice(1)]]],
    JSON.parse('{"constructor": 1, "__proto": 2}'),
    ...[link, [link, link], { ...link, url: 'javascript:alert(1)' }, { ...link, size: 1 }],
    // Only a plain web address is a link.
    [
      ...unsafe,
      'https://trusted.example@evil.example/',
      'https://example.com/ onclick=alert(1)',
      ' https://example.com/',
    ],
    ['https://docs.example.com/a?b=c&d="e"', 'http://example.com', 'HTTPS://EXAMPLE.COM/x'],
  ];
  const lines = values.map((value) => `${JSON.stringify(value)}: ${written(entry('de', value).value)}`);
  expect(lines.join('\n')).toMatchSnapshot();
});

test('a value that a template describes has its types, units, words and links', () => {
  const byField: Record<string, unknown[]> = {
    'textile fibre_composition': [
      [
        { fibre: 'wool (merino)', share: 85 },
        { fibre: 'Silk (organic)', share: '15' },
        { fibre: 'Brennnessel', share: 'Rest' },
      ],
    ],
    'textile supply_chain_actors': [[{ tier: 1, name: 'LI', country: 'PT' }]],
    'battery critical_raw_materials': [['lithium', 'cobalt', 'Xy']],
    'motor power_losses': [{ '25/25': 1.4 }],
    // A unit that the label or the text has is not repeated.
    'chemical ph_value': [8.2],
    'battery charge_cycles': [800],
    'textile abrasion_cycles': [800],
    'chemical ingredients': [[{ name: 'IPBC', share: '0.3-0.6 %' }]],
    // Formulae have subscripts where materials stand, part numbers nowhere.
    'toy primary_materials': [['LiNi0.8Mn0.1Co0.1O2', 'Al2O3/TiO2', 'PA66', 'PP5', 'CR2032', 'NMC-811', 'PC2-H2O']],
    'textile carbon_footprint': [3],
    'chemical manufacturer_contact': [
      ...['a.b@ex-ample.de', 'www.example.de/a', 'https://example.de', 'a@b.de?bcc=c@d.de', 'a@b.de,c@d.de'],
      ...['javascript:alert(1)', 'a@b', 'x\na@b.de', 'Service <a@b.de>', 'A <a@b.de> <c@d.de>'],
    ],
    'chemical emergency_phone': ['+49 (0)30 123-4', '112;ext=1'],
    'cable weee_category': [6, 'constructor'],
  };
  const lines = Object.entries(byField).flatMap(([name, values]) => {
    const [group = '', field_key = ''] = name.split(' ');
    const field = templateOf(group).fields.find(({ key }) => key === field_key);
    return values.map((value) => {
      const about = stored(value, { field_key, unit: field?.unit ?? null });
      const { label, value: shown } = presenterOf('de').entry(about, field, { ...pageBudget });
      return `${name} ${JSON.stringify(value)}: ${label.replaceAll('\u00ad', '¬')}: ${written(shown)}`;
    });
  });
  expect(lines.join('\n')).toMatchSnapshot();
});

describe('a long value', () => {
  const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
    Array.from({ length: count }, (_, index) => item(index));
  const isShortened = (value: unknown): boolean => entry('en', value).isShortened;

  test.each([
    ['letters', 'x', 'x'],
    ['letters outside the basic plane', '𝒳', '𝒳'],
    ['an address', 'https://example.com/', 'x'],
  ])('has up to 10,000 characters: %s', (_, start, filling) => {
    const text = start + filling.repeat(10_000 - Array.from(start).length);
    expect(entry('en', text)).toMatchObject({ value: { text }, isShortened: false });
    expect(entry('en', `${text}x`)).toMatchObject({ value: { kind: 'text', text: `${text}…` }, isShortened: true });
  });

  test.each([
    ['items', (count: number) => many(count, (index) => index)],
    ['rows', (count: number) => many(count, (index) => ({ index }))],
    ['members', (count: number) => Object.fromEntries(many(count, (index) => [`m${index}`, index]))],
  ])('has up to 500 %s', (name, make) => {
    expect(isShortened(make(500))).toBe(false);
    expect(entry('en', make(501))).toMatchObject({ value: { [name]: { length: 500 } }, isShortened: true });
  });

  test('has up to 500 rows, nested ones too', () => {
    const nested = many(45, () => many(10, () => 0));
    expect(isShortened([...nested, ...many(5, () => 0)])).toBe(false);
    expect(isShortened([...nested, ...many(6, () => 0)])).toBe(true);
  });

  test('shares the limit of the page with the others', () => {
    const page = { characters: 10, rows: 3 };
    const lines = ['123456', '123456', 'a', 5, [1, 2], [1, 2], [1], { a: 1 }, [{ a: 1 }]].map((value) => {
      const shown = presenterOf('en').entry(stored(value), undefined, page);
      return `${JSON.stringify(value)}: ${written(shown.value)}${shown.isShortened ? ' shortened' : ''}`;
    });
    expect(lines.join('\n')).toMatchSnapshot();
    expect(pageBudget).toEqual({ characters: 500_000, rows: 20_000 });
  });
});

describe('the picture of a value', () => {
  const fields = templateKeys.flatMap((group) => templateOf(group).fields);

  /** The picture of a field's value; without a field, that of a field that no template has. */
  function picture(field_key: string, value: unknown, unit: string | null = null) {
    const field = fields.find((one) => one.key === field_key);
    const about = stored(value, { field_key, unit });
    return pictureOf(about, field, presenterOf('en').entry(about, field, { ...pageBudget }).value);
  }
  const composition = (shares: unknown[]) =>
    picture(
      'fibre_composition',
      shares.map((share, index) => ({ fibre: `fibre ${index}`, share })),
    );

  test('of shares is a bar that they fill, with six colours in turn, if there are up to eight that add up to 100', () => {
    const shares = [
      ...[[98], [102], [60, 40], [100, 0], Array(8).fill(12.5), [49, 24.5, 24.5]],
      ...[[97.9], [102.1], [-1, 101], ['60', 40], [60, 40, null], Array(9).fill(11.1), []],
    ];
    const lines = shares.map((each) => `${JSON.stringify(each)}: ${JSON.stringify(composition(each))}`);
    expect(lines.join('\n')).toMatchSnapshot();
    // A share is not the name of a part.
    const shell = picture('fibre_composition', [{ share: 100, component: 'Shell' }]);
    expect(shell).toMatchObject({ parts: [{ name: { text: 'Shell' } }] });
  });

  test('of a share is a meter, and of anything else none', () => {
    const lines = [
      ...[0, 100, 33.3, -0.1, 100.1, '30'].map((value) => ['recycled_content_share', value, '%'] as const),
      ['recycled_content_share', 30, null] as const,
      ['dimensional_stability', 3, '%'] as const,
      ['own_field', 30, '%'] as const,
      ['own_field', [{ fibre: 'cotton', share: 100 }], null] as const,
      // Each hazard must have a drawing.
      ['hazard_pictograms', ['GHS02', 'GHS99'], null] as const,
    ].map(
      ([key, value, unit]) => `${key} ${JSON.stringify(value)} ${unit}: ${JSON.stringify(picture(key, value, unit))}`,
    );
    expect(lines.join('\n')).toMatchSnapshot();
  });

  test('of the law is the symbol that the value asks for', () => {
    const lines = [
      ...[true, false, 'true', null].map((value) => ['separate_collection_symbol', value] as const),
      ...['6', null].map((value) => ['weee_category', value] as const),
      ...[true, false].map((value) => ['snow_grip', value] as const),
    ].map(([key, value]) => `${key} ${JSON.stringify(value)}: ${JSON.stringify(picture(key, value))}`);
    expect(lines.join('\n')).toMatchSnapshot();
  });

  test('of a product without an image is the sign of its group', () => {
    expect(templateKeys.filter((group) => emblemOf(group) === '')).toEqual([]);
    expect(emblemOf(null)).toBe(emblemOf('other'));
  });

  test('of a class is its step on the scale', () => {
    const field = fields.find(({ scale, options = [] }) => scale && options.length > 2);
    const codes = field?.options?.map(({ code }) => code) ?? [];
    expect(picture(field?.key ?? '', codes[1])).toMatchSnapshot();
    expect(picture(field?.key ?? '', 'no such class')).toBeUndefined();
  });
});

test('disposal is said for every product: by coded values, the group, its own words, or whom to ask', () => {
  const given: [group: string, values: Record<string, unknown>][] = [
    ...templateKeys.map((key): [string, Record<string, unknown>] => [key, {}]),
    ...(['textile', 'packaging', 'other'].map((key): [string, object] => [
      key,
      { recycling_instructions: 'OWN', sorting_instruction: 'OWN' },
    ]) as [string, Record<string, unknown>][]),
    ['packaging', { deposit_return: true, sorting_instruction: 'OWN' }],
    ['packaging', { deposit_return: false }],
    ['cable', { weee_category: '6' }],
    ['battery', { separate_collection_symbol: false }],
    ['battery', { waste_battery_information: 'x'.repeat(200) }],
    ['chemical', { hazard_pictograms: ['GHS07'] }],
    ['chemical', { hazard_pictograms: [] }],
  ];
  const lines = given.map(([group, values]) => {
    const all = Object.entries(values).map(([field_key, value]) => stored(value, { field_key, locale: 'en' }));
    const options = { role: 'consumer', language: 'en', day: '2026-12-01' } as const;
    const { parts, picture, note, whole } = keyFactsOf(all, templateOf(group), options).at(-1) ?? { parts: [] };
    const sign = picture?.kind === 'symbol' ? ` (${picture.code})` : '';
    return `${group} ${JSON.stringify(values)}: ${parts.map(({ value }) => written(value))}${sign} ${note ? written(note.value) : ''} ${whole ?? ''}`;
  });
  expect(lines.join('\n')).toMatchSnapshot();
});

test('the key facts are the first four that have a value; one is wide that stands alone in its row, or needs it', () => {
  const keys = ['a', 'b', 'c', 'd', 'e'];
  const template = {
    facts: keys.map((key) => ({ label: { en: key.toUpperCase() }, fields: [key, `${key}2`], show: 'value' })),
    fields: [...keys, ...keys.map((key) => `${key}2`)].map((key) => ({ key, label: { en: key }, type: 'string' })),
  } as unknown as Template;
  const half = 'aaaa bbbb ccc';
  const long = [
    ...['aaaa bbbb cccc dddd eeee f', 'aaaa bbbb cccc dddd eeee ff', 'abcdefghij', 'abcdefghijk'],
    'abcdefgh-abcdefgh/abcdefg',
  ];
  const lines = [
    ...[
      { a: 'x', b: 'x', c: 'x', d: 'x', e: 'x' },
      { b: null, c: '', d: 'x', e: 'x', own: 'x' },
    ],
    ...[{ a: 'x', a2: 'y', b2: 'x' }, {}, { a: 'x' }, { a: 'x', b: 'x', c: 'x' }],
    ...long.map((text) => ({ a: text, b: 'x', c: 'x' })),
    ...[
      { a: half, a2: half, b: 'x', c: 'x' },
      { a: half, a2: `${half}c`, b: 'x', c: 'x' },
    ],
  ].map((values) => {
    const given = Object.entries(values).map(([field_key, value]) => stored(value, { field_key, locale: 'en' }));
    const unknown = stored('x', { field_key: 'a2', locale: 'en', is_unknown: true });
    const facts = keyFactsOf([...given, ...('a2' in values ? [] : [unknown])], template, {
      ...{ role: 'consumer', language: 'en', day: '2026-12-01' },
    });
    const shown = facts.map(({ label, parts, isWide }) => `${label} ${parts.length}${isWide ? ' wide' : ''}`);
    return `${JSON.stringify(values)}: ${shown.join(', ')}`;
  });
  expect(lines.join('\n')).toMatchSnapshot();
});

describe('what the template says about a field', () => {
  const fields = templateKeys.flatMap((key) => templateOf(key).fields);

  test.each([
    ['tyre', 'wet_grip_class'],
    ['textile', 'carbon_footprint'],
    ['packaging', 'recycled_content_post_consumer'],
    ['aluminium', 'recycled_content_post_consumer'],
    ['battery', 'charge_cycles'],
    ['battery', 'remaining_capacity'],
    ['furniture', 'spare_parts_years'],
  ])('%s %s has its meaning, rules and source in each language', (group, key) => {
    const field = templateOf(group).fields.find((each) => each.key === key);
    if (!field) throw new Error(`${group} has no field ${key}.`);
    const lines = languages.map((language) => {
      const { label, source, rules } = basisOf(field, language);
      return [label, field.meaning?.[language], rules, source].join(' | ');
    });
    expect(lines.join('\n')).toMatchSnapshot();
  });

  test('no page has a source with an English word, unless it is marked', () => {
    const english =
      /\b(?:Annex|Arts?|Part|Reg|Dir|Dec|Table|label|labelling|delegated|EC|EEC|UN|and|entry|years|least|anticipated|from|of|by|specification|pending)\b/;
    for (const language of languages.filter((each) => each !== 'en')) {
      const shown = fields.map((field) => basisOf(field, language)).filter(({ sourceLanguage }) => !sourceLanguage);
      // The German abbreviations of an article and of the United Nations are the English ones.
      const sources = shown.map(({ source }) =>
        language === 'de' ? source.replaceAll(/\b(?:Art|UN)\b/g, '') : source,
      );
      expect([language, sources.filter((source) => english.test(source))]).toEqual([language, []]);
    }
    expect(fields.every((field) => basisOf(field, 'en').source === field.source)).toBe(true);
  });

  test('a source without words in the language is marked as English', () => {
    const marked = fields.filter((field) => basisOf(field, 'pl').sourceLanguage === 'en');
    expect([...new Set(marked.map(({ source }) => source))]).toEqual(['CIBJO Blue Books', 'Catena-X DPP 6.x']);
  });

  test('no word for sources is unused', () => {
    const all = [...fields.map(({ source }) => source), templateOf('battery').data_points?.author].join('\n');
    for (const language of languages) {
      const unused = Object.keys(wordsOf(language).sources).filter((word) => !all.includes(word));
      expect([language, unused]).toEqual([language, []]);
    }
  });
});
