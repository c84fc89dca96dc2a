import { expect, test } from '@jest/globals';
import { blockingFindings, type JudgedValue } from '@product-passport/openapi';
import type { TemplateKey } from '../../sdk/src/index.ts';
import { templates } from '../../sdk/src/templates.ts';

const allKeys = new Set(Object.values(templates).flatMap((each) => each?.fields.map(({ key }) => key) ?? []));
const reports = { field_key: 'test_reports', value: 'https://a.example', unit: null };
const length = { field_key: 'cable_length', value: 2, unit: 'm', access_level: 'public' };

/** The keys and codes of the findings of a passport. */
function blocked(group: TemplateKey, values: JudgedValue[], confirmed = {}, judged?: Set<string>): string[] {
  const findings = blockingFindings(templates[group], values, allKeys, '2026-11-28', confirmed, judged);
  return findings.map(({ field_key, code }) => `${field_key} ${code}`);
}

test.each<[string, JudgedValue, string | undefined]>([
  ['too open', { ...reports, access_level: 'public' }, 'weak_access_level'],
  ['as open as the template', { ...reports, access_level: 'authority' }, undefined],
  ['without a level', reports, undefined],
  ['a wrong type', { ...length, value: 'Stuhl' }, 'wrong_type'],
  ['no unit', { ...length, unit: null }, 'wrong_unit'],
  ['an unknown option', { field_key: 'weee_category', value: 'Stuhl' }, 'unknown_option'],
  ['a wrong country', { field_key: 'country_of_origin', value: 'Deutschland' }, 'wrong_type'],
  ['out of range', { ...length, value: -1 }, 'out_of_range'],
  ['an unknown member', { field_key: 'substances_of_concern', value: [{ nam: 'Pb' }] }, 'unknown_key'],
  ['a misspelt key', { ...length, field_key: 'cable_lenght' }, 'unknown_key'],
  ['a field of one’s own', { field_key: 'our_colour', value: 'red' }, undefined],
])('a value of a cable: %s', (_name, value, code) => {
  expect(blocked('cable', [value])).toEqual(code === undefined ? [] : [`${value.field_key} ${code}`]);
});

test('a key of another template is not misspelt, although it is close', () => {
  const value = { field_key: 'epr_registration_number', value: 'DE 1' };
  expect(blockingFindings(templates.tyre, [value], new Set(), '2026-11-28')).toHaveLength(1);
  expect(blockingFindings(templates.tyre, [value], allKeys, '2026-11-28')).toEqual([]);
});

test('a statement without its sentence does not block, and a value that is not asked for yet neither', () => {
  expect(blocked('chemical', [{ field_key: 'precautionary_statements', value: ['P501'] }])).toEqual([]);
  expect(blocked('battery', [{ field_key: 'state_of_charge', value: 50, unit: '%' }])).toEqual([]);
});

test('a key that is close to a field with a value is a field of one’s own', () => {
  expect(blocked('cable', [length, { ...length, field_key: 'cable_lenght' }])).toEqual([]);
  expect(
    blocked('cable', [
      { ...length, value: null },
      { ...length, field_key: 'cable_lenght' },
    ]),
  ).toHaveLength(1);
});

test('levels that are too open come first; a confirmation takes one field out, and only of its kind', () => {
  const values = [
    { ...length, field_key: 'cable_lenght' },
    { ...length, value: 'x' },
    { ...reports, access_level: 'public' },
  ];
  const weak = 'test_reports weak_access_level';
  const wrong = 'cable_length wrong_type';
  expect(blocked('cable', values)).toEqual([weak, wrong]);
  expect(blocked('cable', values, { open: ['cable_length', 'test_reports'] })).toEqual([wrong]);
  expect(blocked('cable', values, { own: ['test_reports'] })).toEqual([weak, wrong]);
  expect(blocked('cable', values, {}, new Set(['cable_length']))).toEqual([wrong]);
  const [misspelt] = values;
  expect(blocked('cable', misspelt ? [misspelt] : [], { own: ['cable_lenght'] })).toEqual([]);
});
