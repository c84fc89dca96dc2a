/** What pages say about the fields of templates: rules, units, possible values and sources. */
import { expect, test } from '@jest/globals';
import { languages } from '../../../server/src/languages/languages.ts';
import { wordsOf } from '../../../server/src/languages/words.ts';
import { basisOf } from '../../../server/src/site/basis.ts';
import { templateKeys, templateOf } from '../../../server/src/templates/catalogue.ts';

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

test('the sources of German pages have no English word, those of batteries in no language', () => {
  const english =
    /\b(?:Annex|Arts|Part|Reg|Dir|Dec|delegated|EC|and|section|point|entry|label|years|anticipated|from|of)\b/;
  for (const language of languages.filter((each) => each !== 'en')) {
    const shown = language === 'de' ? fields : templateOf('battery').fields;
    const sources = shown.map((field) => basisOf(field, language).source);
    expect([language, sources.filter((source) => english.test(source))]).toEqual([language, []]);
  }
  expect(fields.every((field) => basisOf(field, 'en').source === field.source)).toBe(true);
});

test('no word for sources is unused', () => {
  const all = fields.map(({ source }) => source).join('\n');
  expect(Object.keys(wordsOf('de').sources).filter((word) => !all.includes(word))).toEqual([]);
});
