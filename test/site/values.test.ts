import { describe, expect, test } from '@jest/globals';
import type { PassportValue } from '../../server/src/passports/rules.ts';
import { texts } from '../../server/src/site/texts.ts';
import { presenterOf, type ShownValue } from '../../server/src/site/values.ts';
import { type TemplateField, templateKeys, templateOf } from '../../server/src/templates/catalogue.ts';

function entry(language: 'en' | 'de', value: unknown, about: Partial<PassportValue> = {}, type?: string) {
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
  return presenterOf(language).entry(stored, field);
}

/** The text of a value in English and in German, without what is not a plain space. */
function both(value: unknown, unit: string | null = null, type?: string): string[] {
  return (['en', 'de'] as const).map((language) => {
    const shown: ShownValue = entry(language, value, { unit }, type).value;
    if (!('text' in shown)) throw new Error(`${shown.kind} has no text`);
    return shown.text.replaceAll('\u00a0', ' ');
  });
}

describe('in the language of the reader', () => {
  test.each<[unknown, string | null, string | undefined, string, string]>([
    [1234.5, null, undefined, '1234.5', '1234,5'],
    [25000, null, undefined, '25,000', '25.000'],
    [2026, null, undefined, '2026', '2026'],
    [0.1, null, undefined, '0.1', '0,1'],
    [-2.5, '%', undefined, '-2.5%', '-2,5 %'],
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
    ['-20 to 45', '°C', undefined, '-20 to 45 °C', '-20 to 45 °C'],
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

  test('an unknown value is said to be unknown, whatever it holds', () => {
    for (const [language, text] of [['en', 'Not known'] as const, ['de', 'Nicht bekannt'] as const])
      expect(entry(language, 5, { is_unknown: true, unit: 'V' }).value).toEqual({ kind: 'absent', text });
  });

  test('a date keeps its exact form beside the words', () => {
    expect(entry('de', '2026-05-01').value).toEqual({ kind: 'time', text: '1. Mai 2026', datetime: '2026-05-01' });
  });

  test('labels: the template’s, or the key in words', () => {
    expect(entry('de', 1, {}, 'number').label).toBe('Label');
    expect(entry('en', 1, { field_key: 'drum_diameter' }).label).toBe('Drum diameter');
    expect(entry('en', 1, { field_key: 'X_y-Z' }).label).toBe('X_y-Z');
    expect(entry('en', [1, 2], { unit: 'mm2' }).label).toBe('Own key (mm²)');
  });
});

describe('lists and objects', () => {
  const said = (text: string): ShownValue => ({ kind: 'said', text });
  const words = (text: string): ShownValue => ({ kind: 'text', text });

  test('objects of one kind are a table, with a gap where one misses a member', () => {
    expect(entry('de', [{ fibre: 'wool', share: 85.5 }, { fibre: 'silk' }]).value).toEqual({
      kind: 'table',
      columns: ['Faser', 'Anteil'],
      rows: [
        [words('wool'), said('85,5')],
        [words('silk'), { kind: 'absent', text: 'Keine Angabe' }],
      ],
    });
  });

  test('with too many members, or others inside, they are a list', () => {
    expect(entry('en', [{ a: 1, b: 2, c: 3, d: 4, e: 5 }]).value).toMatchObject({ kind: 'list' });
    expect(entry('en', [{ a: [1] }]).value).toMatchObject({ kind: 'list' });
    expect(entry('en', [{ a: 1 }, 2]).value).toMatchObject({ kind: 'list' });
    expect(entry('en', [{}]).value).toMatchObject({ kind: 'list' });
  });

  test('only short texts stand side by side', () => {
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

test('every section of the templates has a title in both languages, and every field a label', () => {
  for (const { fields } of templateKeys.map((key) => templateOf(key))) {
    for (const { section, label } of fields) {
      expect(Object.keys(texts.en.sections)).toContain(section);
      expect([label.en, label.de]).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/\S/)]);
    }
  }
});
