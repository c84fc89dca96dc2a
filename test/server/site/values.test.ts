import { describe, expect, test } from '@jest/globals';
import { Measures, type PassportValue } from '@product-passport/openapi';
import { languages } from '../../../server/src/languages/languages.ts';
import { texts } from '../../../server/src/languages/words.ts';
import { keyFactsOf } from '../../../server/src/site/key-facts.ts';
import { pictureOf } from '../../../server/src/site/pictures.ts';
import { pageBudget, presenterOf, type ShownValue } from '../../../server/src/site/values.ts';
import {
  type Template,
  type TemplateField,
  templateKeys,
  templateOf,
} from '../../../server/src/templates/catalogue.ts';

function entry(
  language: 'en' | 'de',
  value: unknown,
  about: Partial<PassportValue> = {},
  type?: string,
  page = { ...pageBudget },
) {
  const stored: PassportValue = {
    field_key: 'own_key',
    value: value as PassportValue['value'],
    unit: null,
    source: 'import',
    access_level: 'public',
    is_unknown: false,
    needs_review: false,
    locale: 'de',
    updated_at: '2026-01-01T00:00:00.000Z',
    ...about,
  };
  const field = type === undefined ? undefined : ({ key: 'own_key', label: { en: 'Label' }, type } as TemplateField);
  return presenterOf(language).entry(stored, field, page);
}

/** The text of a value in English and in German, with plain spaces only. */
function both(value: unknown, unit: string | null = null, type?: string): string[] {
  return (['en', 'de'] as const).map((language) => {
    const shown: ShownValue = entry(language, value, { unit }, type).value;
    if (!('text' in shown)) throw new Error(`${shown.kind} has no text`);
    return shown.text.replaceAll('\u00a0', ' ');
  });
}

describe('values in the language of the reader', () => {
  test('have the degree sign in every language', () => {
    const degrees = languages.map((language) => new Measures(language, {}).measure(-4.5, '°C', ''));
    expect(degrees.filter((text) => !/^−4[.,]5\s?°C$/.test(text))).toEqual([]);
  });

  test.each<[unknown, string | null, string | undefined, string, string]>([
    [1234.5, null, undefined, '1234.5', '1234,5'],
    [25000, null, undefined, '25,000', '25.000'],
    [2026, null, undefined, '2026', '2026'],
    [0.1, null, undefined, '0.1', '0,1'],
    [-2.5, '%', undefined, '−2.5%', '−2,5 %'],
    [-0.00000012, null, undefined, '−1.2E−7', '−1,2E−7'],
    [30, '°C', undefined, '30°C', '30 °C'],
    [1e21, null, undefined, '1E21', '1E21'],
    [1, 'month', undefined, '1 month', '1 Monat'],
    [24, 'month', undefined, '24 months', '24 Monate'],
    [1, 'cycle', undefined, '1 cycle', '1 Zyklus'],
    [800, 'cycle', undefined, '800 cycles', '800 Zyklen'],
    [4.5, 'grade', undefined, 'grade 4.5', 'Stufe 4,5'],
    [18.4, 'kg CO2e', undefined, '18.4 kg CO₂e', '18,4 kg CO₂e'],
    [7.8, 'g/cm3', undefined, '7.8 g/cm³', '7,8 g/cm³'],
    [3, 'furlong', undefined, '3 furlong', '3 furlong'],
    ['-20 to 45', '°C', undefined, '−20 to 45 °C', '−20 to 45 °C'],
    ['-20 to 45 °C', '°C', undefined, '−20 to 45 °C', '−20 to 45 °C'],
    ['A -20', null, undefined, 'A -20', 'A -20'],
    [true, null, undefined, 'Yes', 'Ja'],
    [false, null, undefined, 'No', 'Nein'],
    ['true', null, 'boolean', 'Yes', 'Ja'],
    ['true', null, 'string', 'true', 'true'],
    ['12.50', 'V', 'number', '12.5 V', '12,5 V'],
    ['12,50', 'V', 'number', '12,50 V', '12,50 V'],
    ['0012', null, 'integer', '0012', '0012'],
    ['PT', null, 'country_code', 'Portugal', 'Portugal'],
    ['DE', null, 'country_code', 'Germany', 'Deutschland'],
    ['XX', null, 'country_code', 'XX', 'XX'],
    ['DE', null, 'string', 'DE', 'DE'],
    ['2026-05-01', null, undefined, '1 May 2026', '1. Mai 2026'],
    ['2026-02-30', null, 'date', '2026-02-30', '2026-02-30'],
    [null, 'V', undefined, 'Not stated', 'Keine Angabe'],
    [' ', 'V', undefined, 'Not stated', 'Keine Angabe'],
    [{}, null, undefined, 'Not stated', 'Keine Angabe'],
    [[], null, undefined, 'None', 'Keine'],
  ])('%j %s as %s', (value, unit, type, en, de) => {
    expect(both(value, unit, type)).toEqual([en, de]);
  });

  test('an unknown value is shown as unknown, whatever it holds', () => {
    for (const [language, text] of [['en', 'Not known'] as const, ['de', 'Nicht bekannt'] as const])
      expect(entry(language, 5, { is_unknown: true, unit: 'V' }).value).toEqual({ kind: 'absent', text });
  });

  test('a date is shown in words and keeps its exact form', () => {
    expect(entry('de', '2026-05-01').value).toEqual({ kind: 'time', text: '1. Mai 2026', datetime: '2026-05-01' });
  });

  test('the label is that of the template, or the key in words', () => {
    expect(entry('de', 1, {}, 'number').label).toBe('Label');
    expect(entry('en', 1, { field_key: 'drum_diameter' }).label).toBe('Drum diameter');
    expect(entry('en', 1, { field_key: 'X_y-Z' }).label).toBe('X_y-Z');
    expect(entry('en', [1, 2], { unit: 'mm2' }).label).toBe('Own key (mm²)');
  });
});

const said = (text: string): ShownValue => ({ kind: 'said', text });
const words = (text: string): ShownValue => ({ kind: 'text', text });

describe('lists and objects', () => {
  test('objects with the same members are a table, with an empty cell for a missing member', () => {
    expect(entry('de', [{ fibre: 'wool', share: 85.5 }, { fibre: 'silk' }]).value).toEqual({
      kind: 'table',
      columns: ['Faser', 'Anteil'],
      rows: [
        [words('wool'), said('85,5')],
        [words('silk'), { kind: 'absent', text: 'Keine Angabe' }],
      ],
    });
  });

  test('objects with four members are a table, with five a list', () => {
    expect(entry('en', [{ a: 1, b: 2, c: 3, d: 4 }]).value).toEqual({
      kind: 'table',
      columns: ['A', 'B', 'C', 'D'],
      rows: [[said('1'), said('2'), said('3'), said('4')]],
    });
    expect(
      entry('en', [
        { a: 1, b: 2 },
        { c: 3, d: 4 },
      ]).value,
    ).toMatchObject({ kind: 'table' });
    expect(
      entry('en', [
        { a: 1, b: 2 },
        { c: 3, d: 4, e: 5 },
      ]).value,
    ).toMatchObject({ kind: 'list' });
  });

  test('objects with too many or nested members are a list', () => {
    expect(entry('en', [{ a: 1, b: 2, c: 3, d: 4, e: 5 }]).value).toMatchObject({ kind: 'list' });
    expect(entry('en', [{ a: [1] }]).value).toMatchObject({ kind: 'list' });
    expect(entry('en', [{ a: 1 }, 2]).value).toMatchObject({ kind: 'list' });
    expect(entry('en', [{}]).value).toMatchObject({ kind: 'list' });
  });

  test('only short texts share a row', () => {
    expect(entry('en', ['RWS', 4]).value).toEqual({ kind: 'list', items: [words('RWS'), said('4')], isShort: true });
    expect(entry('en', ['x'.repeat(41)]).value).toMatchObject({ isShort: false });
    expect(entry('en', [['x']]).value).toMatchObject({ isShort: false });
  });

  test('a member may have any name', () => {
    expect(entry('en', JSON.parse('{"constructor": 1, "__proto": 2}')).value).toMatchObject({
      members: [{ name: 'Constructor' }, { name: '__proto' }],
    });
  });
});

/** A value as German and English pages show it, when the textile template describes it. */
function described(group: string, field_key: string, value: unknown, language: 'en' | 'de' = 'de') {
  const field = templateOf(group).fields.find(({ key }) => key === field_key);
  const about = { field_key, value, unit: field?.unit ?? null, is_unknown: false, locale: 'de' } as PassportValue;
  return presenterOf(language).entry(about, field, { ...pageBudget });
}

describe('values that a template describes', () => {
  test('members of lists have their type, unit and words; the others are shown as written', () => {
    const fibres = [
      { fibre: 'wool (merino)', share: 85 },
      { fibre: 'Silk (organic)', share: '15' },
      { fibre: 'Brennnessel', share: 'Rest' },
    ];
    expect(described('textile', 'fibre_composition', fibres).value).toEqual({
      kind: 'table',
      columns: ['Faser', 'Anteil'],
      rows: [
        [said('Merinowolle'), said('85\u00a0%')],
        [said('Seide (Bio)'), said('15\u00a0%')],
        [words('Brennnessel'), words('Rest')],
      ],
    });
    const actors = [{ tier: 1, name: 'LI', country: 'PT' }];
    expect(described('textile', 'supply_chain_actors', actors, 'en').value).toMatchObject({
      rows: [[said('1'), words('LI'), said('Portugal')]],
    });
  });

  test('items of lists and members of objects too', () => {
    expect(described('battery', 'critical_raw_materials', ['lithium', 'cobalt', 'Xy']).value).toEqual({
      kind: 'list',
      items: [said('Lithium'), said('Kobalt'), words('Xy')],
      isShort: true,
    });
    expect(described('motor', 'power_losses', { '25/25': 1.4 })).toMatchObject({
      label: 'Verluste an sieben Betriebs\u00adpunkten',
      value: { members: [{ name: '25/25', value: said('1,4\u00a0%') }] },
    });
  });

  test('a unit that the label or the text has is not repeated', () => {
    expect(described('chemical', 'ph_value', 8.2)).toMatchObject({ label: 'pH-Wert', value: said('8,2') });
    expect(described('battery', 'charge_cycles', 800).value).toEqual(said('800'));
    expect(described('textile', 'abrasion_cycles', 800).value).toEqual(said('800 Zyklen'));
    expect(described('chemical', 'ingredients', [{ name: 'IPBC', share: '0.3-0.6 %' }]).value).toMatchObject({
      rows: [[words('IPBC'), words('0.3-0.6 %')]],
    });
    expect(entry('en', [1, 2], { unit: 'kg' }, 'list')).toMatchObject({
      label: 'Label (kg)',
      value: { items: [said('1'), said('2')] },
    });
  });

  test('formulae have subscripts where materials stand, CO₂ everywhere, part numbers nowhere', () => {
    const materials = ['LiNi0.8Mn0.1Co0.1O2', 'Al2O3/TiO2', 'PA66', 'PP5', 'CR2032', 'NMC-811', 'PC2-H2O'];
    const shown = described('toy', 'primary_materials', materials).value;
    expect(shown).toMatchObject({
      items: ['LiNi₀.₈Mn₀.₁Co₀.₁O₂', 'Al₂O₃/TiO₂', ...materials.slice(2)].map(words),
    });
    expect(described('textile', 'carbon_footprint', 3).label).toBe('CO₂-Fußabdruck');
    expect(entry('en', 'CO2e of H2O, CO25').value).toEqual(words('CO₂e of H2O, CO25'));
  });

  test('contacts are links, without anything that an address could add to a message', () => {
    const href = (key: string, value: string) => described('chemical', key, value).value;
    expect(href('manufacturer_contact', 'a.b@ex-ample.de')).toMatchObject({ href: 'mailto:a.b@ex-ample.de' });
    expect(href('manufacturer_contact', 'www.example.de/a')).toMatchObject({ href: 'https://www.example.de/a' });
    expect(href('manufacturer_contact', 'https://example.de')).toMatchObject({ href: 'https://example.de/' });
    expect(href('emergency_phone', '+49 (0)30 123-4')).toMatchObject({ href: 'tel:+490301234' });
    for (const text of ['a@b.de?bcc=c@d.de', 'a@b.de,c@d.de', 'javascript:alert(1)', 'a@b', 'x\na@b.de'])
      expect(href('manufacturer_contact', text)).toEqual(words(text));
    expect(href('emergency_phone', '112;ext=1')).toEqual(words('112;ext=1'));
  });

  test('an address with a title is a link with words, alone and in a list', () => {
    const link = { url: 'https://example.de/a', title: 'Anleitung' };
    const shown = { kind: 'link', text: 'Anleitung', href: 'https://example.de/a', isTitled: true };
    expect(entry('de', link).value).toEqual(shown);
    expect(entry('de', [link, link]).value).toMatchObject({ kind: 'list', items: [shown, shown] });
    expect(entry('de', { ...link, url: 'javascript:alert(1)' }).value).toMatchObject({ kind: 'members' });
    expect(entry('de', { ...link, size: 1 }).value).toMatchObject({ kind: 'members' });
  });

  test('a code of an enumeration may be a number, and an unknown one is shown as it is', () => {
    expect(described('cable', 'weee_category', 6).value).toMatchObject({ text: expect.stringMatching(/^Kleine IT/) });
    expect(described('cable', 'weee_category', 'constructor').value).toEqual(words('constructor'));
  });
});

describe('a long value', () => {
  const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
    Array.from({ length: count }, (_, index) => item(index));

  test.each([
    ['letters', 'x', ' '],
    ['letters outside the basic plane', '𝒳', ' '],
    ['an address', 'https://example.com/', 'x'],
  ])('10,000 characters are shown in full, and 10,001 are cut to 10,000: %s', (_, start, filling) => {
    const text = start + (filling === ' ' ? start : filling).repeat(10_000 - Array.from(start).length);
    expect(Array.from(text)).toHaveLength(10_000);
    expect(entry('en', text)).toMatchObject({ value: { text }, isShortened: false });
    expect(entry('en', `${text}x`)).toMatchObject({ value: { kind: 'text', text: `${text}…` }, isShortened: true });
  });

  test('the limit covers all texts and names in the value together', () => {
    const name = 'n'.repeat(4000);
    const whole = { [name]: ['x'.repeat(3000), 'y'.repeat(3000)] };
    expect(entry('en', whole)).toMatchObject({ isShortened: false });
    const more = { [name]: ['x'.repeat(3000), 'y'.repeat(3001), 'z'], b: 'after' };
    const { value, isShortened } = entry('en', more);
    expect(isShortened).toBe(true);
    const items = [
      { kind: 'text', text: 'x'.repeat(3000) },
      { kind: 'text', text: `${'y'.repeat(3000)}…` },
    ];
    expect(value).toEqual({
      kind: 'members',
      members: [{ name: `N${name.slice(1)}`, value: { kind: 'list', items, isShort: false } }],
    });
    expect(entry('en', [{ [`${name}${name}${name}`]: 1 }]).isShortened).toBe(true);
  });

  test('at most 500 rows are shown', () => {
    for (const count of [500, 501]) {
      const isShortened = count > 500;
      expect(
        entry(
          'en',
          many(count, (index) => index),
        ),
      ).toMatchObject({ value: { kind: 'list' }, isShortened });
      expect(
        entry(
          'en',
          many(count, (index) => ({ index })),
        ),
      ).toMatchObject({ value: { kind: 'table' }, isShortened });
      const object = Object.fromEntries(many(count, (index) => [`m${index}`, index]));
      expect(entry('en', object)).toMatchObject({ value: { kind: 'members' }, isShortened });
    }
    expect(
      entry(
        'en',
        many(501, (index) => index),
      ).value,
    ).toMatchObject({ items: { length: 500 } });
    expect(
      entry(
        'en',
        many(501, (index) => ({ index })),
      ).value,
    ).toMatchObject({ rows: { length: 500 } });
    const members = Object.fromEntries(many(501, (index) => [`m${index}`, index]));
    expect(entry('en', members).value).toMatchObject({ members: { length: 500 } });
  });

  test('nested rows count towards the limit', () => {
    const ofTen = many(10, () => 0);
    expect(entry('en', [...many(45, () => ofTen), ...many(5, () => 0)]).isShortened).toBe(false);
    expect(entry('en', [...many(45, () => ofTen), ...many(6, () => 0)]).isShortened).toBe(true);
  });

  test('all values share the limit of the page', () => {
    const page = { characters: 10, rows: 3 };
    const shown = (value: unknown) => {
      const { value: part, isShortened } = entry('en', value, {}, undefined, page);
      return { part, isShortened };
    };
    expect(shown('123456')).toEqual({ part: words('123456'), isShortened: false });
    expect(shown('123456')).toEqual({ part: words('1234…'), isShortened: true });
    expect(shown('a')).toEqual({ part: words('…'), isShortened: true });
    expect(shown(5)).toEqual({ part: said('5'), isShortened: false });
    expect(shown([1, 2])).toMatchObject({ part: { items: { length: 2 } }, isShortened: false });
    expect(shown([1, 2])).toMatchObject({ part: { items: { length: 1 } }, isShortened: true });
    for (const value of [[1], { a: 1 }, [{ a: 1 }]])
      expect(shown(value)).toEqual({ part: words('…'), isShortened: true });
    expect(pageBudget).toEqual({ characters: 500_000, rows: 20_000 });
  });
});

test('every section of the templates has a title in both languages, and every field a label', () => {
  for (const { fields } of templateKeys.map((key) => templateOf(key))) {
    for (const { section, label } of fields) {
      expect(Object.keys(texts.en.sections)).toContain(section);
      expect([label.en, label.de]).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/\S/)]);
    }
  }
});

describe('the picture of a value', () => {
  const fields = templateKeys.flatMap((group) => templateOf(group).fields);

  /** The picture of a field's value; without a field, that of a field that no template has. */
  function picture(key: string, value: unknown, unit: string | null = null) {
    const field = fields.find((one) => one.key === key);
    const about = { field_key: key, value, unit, is_unknown: false } as PassportValue;
    return pictureOf(about, field, presenterOf('en').entry(about, field, { ...pageBudget }).value);
  }
  const composition = (...shares: unknown[]) =>
    picture(
      'fibre_composition',
      shares.map((share, index) => ({ fibre: `fibre ${index}`, share })),
    );

  test.each([[[98]], [[102]], [[60, 40]], [[100, 0]], [Array(8).fill(12.5)]])('of the shares %j is a bar', (shares) => {
    expect(composition(...shares)?.kind).toBe('bar');
  });

  test.each([[[97.9]], [[102.1]], [[-1, 101]], [['60', 40]], [[60, 40, null]], [Array(9).fill(11.1)], [[]]])(
    'of the shares %j is none',
    (shares) => {
      expect(composition(...shares)).toBeUndefined();
    },
  );

  test('has parts that fill it, from left to right, with six colours in turn', () => {
    expect(composition(49, 24.5, 24.5)).toEqual({
      kind: 'bar',
      parts: [
        { start: 0, width: 50, colour: 0, share: '49%', name: 'fibre 0' },
        { start: 50, width: 25, colour: 1, share: '24.5%', name: 'fibre 1' },
        { start: 75, width: 25, colour: 2, share: '24.5%', name: 'fibre 2' },
      ],
    });
    const many = composition(10, 10, 10, 10, 10, 10, 20, 20);
    expect(many?.kind === 'bar' && many.parts.map(({ colour }) => colour)).toEqual([0, 1, 2, 3, 4, 5, 0, 1]);
  });

  test.each([0, 100, 33.3])('of the share %d is a meter', (share) => {
    expect(picture('recycled_content_share', share, '%')).toEqual({ kind: 'meter', percent: share });
  });

  test.each<[string, unknown, string | null]>([
    ['recycled_content_share', -0.1, '%'],
    ['recycled_content_share', 100.1, '%'],
    ['recycled_content_share', '30', '%'],
    ['recycled_content_share', 30, null],
    ['dimensional_stability', 3, '%'],
    ['own_field', 30, '%'],
    ['own_field', [{ fibre: 'cotton', share: 100 }], null],
  ])('of %s = %j %s is none', (key, value, unit) => {
    expect(picture(key, value, unit)).toBeUndefined();
  });

  test('of hazards is drawn only if each of them has a drawing', () => {
    const drawn = picture('hazard_pictograms', ['GHS02', 'GHS07']);
    expect(drawn?.kind === 'pictograms' && drawn.pictograms.map(({ code }) => code)).toEqual(['GHS02', 'GHS07']);
    expect(picture('hazard_pictograms', ['GHS02', 'GHS99'])).toBeUndefined();
  });

  test('of a class is its step on the scale', () => {
    const field = fields.find(({ scale, options = [] }) => scale && options.length > 2);
    const codes = field?.options?.map(({ code }) => code) ?? [];
    const shown = picture(field?.key ?? '', codes[1]);
    expect(shown).toMatchObject({ kind: 'scale', range: `${codes[0]}–${codes.at(-1)}` });
    const steps = shown?.kind === 'scale' ? shown.steps : [];
    expect(steps.map(({ isValue }) => isValue)).toEqual(codes.map((_, index) => index === 1));
    expect([steps[0]?.hue, steps.at(-1)?.hue]).toEqual([0, 6]);
    expect(picture(field?.key ?? '', 'no such class')).toBeUndefined();
  });
});

describe('the key facts', () => {
  const keys = ['a', 'b', 'c', 'd', 'e'];
  const template = {
    facts: keys.map((key) => ({ label: { en: key.toUpperCase() }, fields: [key, `${key}2`], show: 'value' })),
    fields: [...keys, ...keys.map((key) => `${key}2`)].map((key) => ({ key, label: { en: key }, type: 'string' })),
  } as unknown as Template;

  /** The label of each fact, with a star if it is wide. */
  function facts(values: Record<string, unknown>): string[] {
    const given = Object.entries(values).map(([field_key, value]) => ({
      ...{ field_key, value, unit: null, locale: 'en', is_unknown: value === 'unknown' },
    }));
    const found = keyFactsOf(given as unknown as PassportValue[], template, {
      ...{ role: 'consumer', language: 'en', day: '2026-12-01' },
    });
    return found.map(({ label, parts, isWide }) => `${label}${parts.length}${isWide ? '*' : ''}`);
  }

  test('are the first four that have a value', () => {
    expect(facts({ a: 'x', b: 'x', c: 'x', d: 'x', e: 'x' })).toEqual(['A1', 'B1', 'C1', 'D1']);
    expect(facts({ a: 'unknown', b: null, c: '', d: 'x', e: 'x', own: 'x' })).toEqual(['D1', 'E1']);
    expect(facts({ a: 'x', a2: 'y', b2: 'x' })).toEqual(['A2', 'B1']);
    expect(facts({})).toEqual([]);
  });

  test('are wide if they are alone in their row', () => {
    expect(facts({ a: 'x' })).toEqual(['A1*']);
    expect(facts({ a: 'x', b: 'x', c: 'x' })).toEqual(['A1', 'B1', 'C1*']);
  });

  test.each([
    ['aaaa bbbb cccc dddd eeee f', false],
    ['aaaa bbbb cccc dddd eeee ff', true],
    ['abcdefghij', false],
    ['abcdefghijk', true],
    ['abcdefgh-abcdefgh/abcdefg', false],
  ])('are wide if the text "%s" needs it: %j', (text, isWide) => {
    expect(facts({ a: text, b: 'x', c: 'x' })).toEqual(isWide ? ['A1*', 'B1', 'C1'] : ['A1', 'B1', 'C1*']);
  });

  test('are wide if their texts together need it', () => {
    const half = 'aaaa bbbb ccc';
    expect(facts({ a: half, a2: half, b: 'x', c: 'x' })).toEqual(['A2', 'B1', 'C1*']);
    expect(facts({ a: half, a2: `${half}c`, b: 'x', c: 'x' })).toEqual(['A2*', 'B1', 'C1']);
  });
});
