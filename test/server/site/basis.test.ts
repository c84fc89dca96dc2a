/** What pages say about the fields of templates: rules, units, possible values and sources. */
import { expect, test } from '@jest/globals';
import { languages, wordsOf } from '../../../server/src/languages/languages.ts';
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

test('no page has a source with an English word, unless it is marked', () => {
  const english =
    /\b(?:Annex|Arts?|Part|Reg|Dir|Dec|Table|label|labelling|delegated|EC|EEC|UN|and|entry|years|least|anticipated|from|of|by|specification|pending)\b/;
  for (const language of languages.filter((each) => each !== 'en')) {
    const shown = fields.map((field) => basisOf(field, language)).filter(({ sourceLanguage }) => !sourceLanguage);
    // The German abbreviations of an article and of the United Nations are the English ones.
    const sources = shown.map(({ source }) => (language === 'de' ? source.replaceAll(/\b(?:Art|UN)\b/g, '') : source));
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
