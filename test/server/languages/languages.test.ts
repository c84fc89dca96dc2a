import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { hasGap, type PassportValue } from '@product-passport/openapi';
import {
  fill,
  inLanguage,
  labelAt,
  languageOf,
  languages,
  withFallback,
  wordFor,
  wordsOf,
} from '../../../server/src/languages/languages.ts';
import { pageBudget, presenterOf } from '../../../server/src/site/values.ts';
import { templateKeys, templateOf } from '../../../server/src/templates/catalogue.ts';
import { completed, gapsOf, type Words } from '../../../tools/translate.ts';

const folder = new URL('../../../server/data/languages/', import.meta.url);
const read = (language: string): Words => JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8'));
const english = read('en');

/** Words that are the same in English and in another language. */
const international = new Set(
  `alpaca aluminium angora anode arsenic batteries bed beryllium bismuth body bronze cable cables cadmium cashmere cathode
  citral citronellol client cobalt code composition compostable computers condition contact corrosion cupro cycle cycles danger date display documents
  dosage dysprosium error ethanol eugenol ferrite fibre film formaldehyde frame gallium geraniol germanium graphite hash hybrid
  identification import importer indium ion jute kapok latex limonene linalool lithium lyocell magnesium manganese material
  merino modal model module mohair name neodymium nickel niobium notebook nylon original pack pages palladium pallet per pictogram privacy
  polyamide polyester praseodymium production ramie rubber separator silicone sisal smartphones sofa substances table tablet
  tablets teak terbium textiles text thin tin titanium tube type updates vanadium version versions viscose volume water
  workstation zinc`.split(/\s+/),
);

/** Names, symbols and placeholders are in no language. */
function isInternational(text: string): boolean {
  const words = text.replace(/\{\w+\}|\([^)]*\)/g, '').match(/\p{L}+/gu) ?? [];
  return words.every((word) => !/[a-z]{2}/.test(word) || international.has(word.toLowerCase()));
}

/** The texts of a file with their paths. */
function leavesOf(words: Words, path = ''): [string, string][] {
  return Object.entries(words).flatMap(([key, word]) =>
    typeof word === 'string' ? [[`${path}/${key}`, word] as [string, string]] : leavesOf(word, `${path}/${key}`),
  );
}

describe('the files of the languages', () => {
  test('are those that the pages offer, English first', () => {
    expect(languages[0]).toBe('en');
    expect([...languages].sort()).toEqual(
      readdirSync(folder)
        .map((name) => name.replace('.json', ''))
        .sort(),
    );
  });

  test.each(languages)('%s lacks no word and has none too many', (language) => {
    expect(gapsOf(english, read(language), language)).toEqual([]);
  });

  test.each(languages.filter((language) => language !== 'en'))('%s has no text that is still English', (language) => {
    const originals = new Map(leavesOf(english));
    const same = leavesOf(read(language)).filter(([path, text]) => originals.get(path) === text);
    expect(same.filter(([, text]) => !isInternational(text))).toEqual([]);
  });

  test('have no word that nothing uses', () => {
    const templates = templateKeys.map((key) => templateOf(key));
    const fields = templates.flatMap((template) => template.fields.map((field) => ({ group: template.key, ...field })));
    const keys = new Set(fields.flatMap(({ group, key }) => [key, `${group}.${key}`]));
    const words = wordsOf('en');
    expect(Object.keys(words.meanings).filter((key) => !keys.has(key))).toEqual([]);
    expect(Object.keys(words.page.sections)).toEqual(expect.arrayContaining(fields.map(({ section }) => section)));
    expect(Object.keys(words.fields).filter((key) => !keys.has(key))).toEqual([]);
    expect(Object.keys(words.groups)).toEqual(templateKeys);
    const facts = new Set(templates.flatMap((template) => template.facts.map(({ key }) => key)));
    expect(Object.keys(words.facts).filter((key) => !facts.has(key))).toEqual([]);
    const options = fields.flatMap(({ key, options = [] }) => options.map(({ code }) => `${key} ${code}`));
    const listed = Object.entries(words.options).flatMap(([key, codes]) =>
      Object.keys(codes).map((code) => `${key} ${code}`),
    );
    expect(listed.filter((option) => !options.includes(option))).toEqual([]);
    const vocabularies = fields.flatMap(({ words: own, items, members = [] }) => [
      own,
      items?.words,
      ...members.map((member) => member.words),
    ]);
    expect(new Set(Object.keys(words.words))).toEqual(new Set(vocabularies.filter((name) => name !== undefined)));
  });
});

/** The texts in a tree of words. */
function textsIn(words: object): string[] {
  return Object.values(words).flatMap((word) => (typeof word === 'string' ? [word] : textsIn(word)));
}

describe('long words', () => {
  test.each(languages)('of the labels in %s may break at marked places', (language) => {
    const { page, groups, facts, fields, members, options, words, hyphens } = wordsOf(language);
    const labels = [page.sections, groups, facts, fields, members, options, words];
    const long = labels.flatMap(textsIn).flatMap((text) => text.match(/\p{L}{15,}/gu) ?? []);
    expect([...new Set(long)].filter((word) => !Object.hasOwn(hyphens, word))).toEqual([]);
    for (const [word, marked] of Object.entries(hyphens)) {
      expect(marked.replaceAll('|', '')).toBe(word);
      expect(Math.min(...marked.split('|').map((part) => part.length))).toBeGreaterThanOrEqual(3);
    }
  });

  test('break after a slash between words, and nowhere in 50 °C/122 °F and 0,1 %', () => {
    const statement = (code: string) => wordFor(code, 'statements', 'de') ?? '';
    const parts = presenterOf('de').words(statement('P280')).split('\u200b');
    expect(parts[0]).toBe('Schutz\u00adhandschuhe/');
    expect(parts.slice(1)).toEqual(['Schutzkleidung/', 'Augenschutz/', 'Gesichtsschutz/', 'Gehörschutz/', '… tragen.']);
    expect(presenterOf('de').words(statement('P412'))).toBe(statement('P412').replace('50 °C', '50\u00a0°C'));
    expect(presenterOf('de').label(labelAt('fields', 'svhc_present'))).toContain('0,1\u00a0% (w/w)');
  });

  test('have soft hyphens on the page, and none in JSON-LD', () => {
    const label = labelAt('fields', 'rated_capacity');
    const shown = 'Bemessungs\u00adkapazität';
    expect(presenterOf('de').label(label)).toBe(shown);
    expect(presenterOf('de').words('Constructorconstructor')).toBe('Constructorconstructor');
    expect(label.de).toBe(shown.replaceAll('\u00ad', ''));
  });
});

describe.each(languages)('the templates in %s', (language) => {
  const fields = templateKeys.flatMap((group) => templateOf(group).fields);

  test('have words for each value of an enumeration', () => {
    for (const field of fields) {
      for (const { code, label } of field.options ?? []) {
        const value = { field_key: field.key, value: code, unit: field.unit, is_unknown: false, locale: 'de' };
        const shown = presenterOf(language).entry(value as PassportValue, field, { ...pageBudget }).value;
        const text = inLanguage(label, language);
        expect(shown).toEqual({ kind: 'said', text: presenterOf(language).words(text) });
        // A class is its own word.
        if (!field.scale) expect(text).not.toBe(code);
      }
    }
  });

  test('have a label for each member, and say what a field means in sentences short enough for a phone', () => {
    for (const { type, items, members } of fields) {
      if (['list', 'object'].includes(type)) expect(items ?? members).toBeDefined();
      for (const { key, label } of members ?? []) expect([key, label[language]]).toEqual([key, expect.any(String)]);
    }
    for (const meaning of Object.values(wordsOf(language).meanings)) expect(meaning).toMatch(/^.{20,110}[.]$/);
  });
});

describe('a file with gaps', () => {
  const whole: Words = {
    page: { title: 'Passport', count: '{count} of {total}' },
    units: { cycle: { one: '# cycle', other: '# cycles' } },
  };

  test('is named word by word', () => {
    const file = { page: { count: '{count}', other: 'x' }, units: { cycle: { one: '# cykl', few: 'cykle' } } };
    expect(gapsOf(whole, file, 'pl')).toEqual([
      'page > title is missing. English: Passport',
      'page > count must have the placeholders {count} {total}.',
      'page > other is not in English. Remove it.',
      'units > cycle > few must have the placeholders #.',
      'units > cycle > many is missing. English: # cycles',
      'units > cycle > other is missing. English: # cycles',
    ]);
    expect(gapsOf(whole, whole, 'en')).toEqual([]);
  });

  test('gets an empty text for each missing word, and keeps what it has', () => {
    const file = completed(whole, { page: { title: 'Paszport' } }, 'pl');
    expect(file).toEqual({
      page: { title: 'Paszport', count: '' },
      units: { cycle: { one: '', few: '', many: '', other: '' } },
    });
    expect(gapsOf(whole, file, 'pl')).toHaveLength(5);
  });

  test('has English in place of each gap', () => {
    const file = { page: { title: 'Paszport', count: ' ' }, units: { cycle: { few: '# cykle' } } };
    expect(withFallback(whole, file)).toEqual({
      page: { title: 'Paszport', count: '{count} of {total}' },
      units: { cycle: { one: '# cycle', few: '# cykle', other: '# cycles' } },
    });
    expect(withFallback(whole)).toEqual(whole);
  });
});

test('a reader whose language has no file gets English', () => {
  // No official language of the EU, so it never has a file.
  expect(languageOf('ja', 'ja,de;q=0.5')).toBe('de');
  expect(languageOf('ja', 'ja')).toBe('en');
  expect(languageOf(undefined, undefined)).toBe('en');
  // Otherwise the language is that of the tenant.
  const asked = [undefined, 'ja, de-AT;q=0.8, en;q=0.5', 'de;q=0, ja', ';;;=', 'en'];
  expect(asked.map((accepted) => languageOf('', accepted, 'de'))).toEqual(['de', 'de', 'de', 'de', 'en']);
  expect([languageOf('en', 'de', 'de'), languageOf('de', 'en', 'en')]).toEqual(['en', 'de']);
  expect(inLanguage({ en: 'Share', de: 'Anteil' }, 'fr')).toBe('Share');
  expect(inLanguage({ en: 'Share', fr: '' }, 'fr')).toBe('Share');
  expect(() => labelAt('fields', 'constructor')).toThrow('data/languages/en.json lacks fields > constructor.');
});

test('a placeholder without a value stays', () => {
  expect(fill('{a} and {b}, {a}', { a: 1 })).toBe('1 and {b}, 1');
});

test('a hazard or precautionary statement has the text of the regulation, without what only the supplier can say', () => {
  const lines = ['H302+H312', 'P361 + P364', 'P403+P233', 'P412', 'P501'].flatMap((code) =>
    (['en', 'de'] as const).map((language) => `${code}: ${wordFor(code, 'statements', language)}`),
  );
  expect(lines.join('\n')).toMatchSnapshot();
});

test.each(languages)('the statements with a gap are those of the table, in %s', (language) => {
  const { statements = {} } = wordsOf(language).words;
  const withGap = Object.entries(statements).filter(([, text]) => text.includes('…'));
  expect(withGap.map(([code]) => code)).toEqual(Object.keys(statements).filter(hasGap));
});
