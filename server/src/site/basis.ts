/** What the template says about the fields of a page: where each comes from, and whether the passport must have it. */
import { dayOf, type FieldRule, requirementsOn, typeset, typesetUnit } from '@product-passport/openapi';
import { fallback, fill, inLanguage, type Language, texts, wordsOf } from '../languages/languages.ts';
import type { Template, TemplateField } from '../templates/catalogue.ts';
import type { PublicPassport } from './public-passport.ts';
import { presenterOf } from './values.ts';

/**
 * The hints of the sources of all fields of the page, which stand together at its end.
 *
 * @param meanings of the values that only the first screen shows, which has no room for them
 */
export function basesOf(
  { values, row }: PublicPassport,
  template: Template,
  language: Language,
  meanings: Map<string, string>,
) {
  const shown = new Set(values.map(({ field_key }) => field_key));
  const { rules } = requirementsOn(template, values, dayOf(row.versioned_at));
  return template.fields
    .filter(({ key }) => shown.has(key))
    .map((field) => {
      const basis = basisOf(field, language, rules.get(field.key));
      return { ...basis, rules: `${meanings.get(field.key) ?? ''} ${basis.rules}`.trim() };
    });
}

/** Whether a passport must have a field, as a sentence. */
export function ruleIn({ rule, points: [point] }: FieldRule, language: Language): string {
  const { required, optional, conditional, later, before, notShown } = texts[language].explained;
  if (rule === 'later' && point?.from !== undefined) {
    return fill(before, { date: presenterOf(language).day(point.from) });
  }
  return { mandatory: required, optional, conditional, later, 'not shown': notShown }[rule];
}

/** A unit in the language, in the plural if it is a word. */
export function unitIn(unit: string, language: Language): string {
  const words: Readonly<Record<string, string>> = texts[language].explained.units;
  return words[unit] ?? typesetUnit(unit);
}

/** What finds the words of sources in a language. Made once, because a page has many sources. */
const sourceWords = new Map<Language, RegExp>();

/** A source in the words of a language: `Batterieverordnung (EU) 2023/1542 Anhang VI`. */
export function sourceIn(source: string, language: Language): string {
  const { sources } = wordsOf(language);
  const pattern = sourceWords.get(language) ?? patternOf(Object.keys(sources));
  sourceWords.set(language, pattern);
  return source.replace(pattern, (word) => sources[word] ?? word);
}

/** Finds whole words, the longest first: `RED delegated Reg.` before `RED`. Without words it finds nothing. */
function patternOf(words: readonly string[]): RegExp {
  if (words.length === 0) return /(?!)/g;
  const longestFirst = words.toSorted((one, other) => other.length - one.length);
  return new RegExp(`(?<!\\w)(?:${longestFirst.map((word) => word.replaceAll('.', '\\.')).join('|')})(?!\\w)`, 'g');
}

/** The hint of a field's source, and its rules, its unit and its possible values in sentences, in one language. */
export function basisOf(
  { label, source, options, scale, unit, required }: TemplateField,
  language: Language,
  rule: FieldRule = { rule: required ? 'mandatory' : 'optional', points: [] },
) {
  const text = texts[language].explained;
  const words = sourceIn(source, language);
  // A source for which the language has no words stays English.
  const isEnglish = words === source && language !== fallback && /\p{Ll}{2}/u.test(source);
  const sentences = [
    ruleIn(rule, language),
    unit === null ? '' : fill(text.unit, { unit: unitIn(unit, language) }),
    options && !scale
      ? fill(text.options, { options: options.map((option) => inLanguage(option.label, language)).join(', ') })
      : '',
  ];
  return {
    label: presenterOf(language).label(label),
    source: words,
    // The language of the source if it differs from the page's.
    sourceLanguage: isEnglish ? fallback : undefined,
    rules: typeset(sentences.filter((sentence) => sentence !== '').join(' ')),
  };
}
