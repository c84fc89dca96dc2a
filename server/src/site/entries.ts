import { type PassportValue, typeset, typesetUnit } from '@product-passport/openapi';
import { type Language, localeOf } from '../languages/languages.ts';
import { fill, inLanguage, texts, wordsOf } from '../languages/words.ts';
import type { Template, TemplateField } from '../templates/catalogue.ts';
import type { Findings, Origin } from './inspection.ts';
import { type Picture, pictureOf } from './pictures.ts';
import type { PublicPassport } from './public-passport.ts';
import { pageBudget, presenterOf, type ShownValue } from './values.ts';

/** A value with its label, as a page shows it. */
export interface Entry {
  /** The `field_key` of the value. */
  key: string;
  label: string;
  value: ShownValue;
  /** Drawn above the value. The text of the value says the same. */
  picture: Picture | undefined;
  /** The language of the value's texts if it differs from the page's. */
  language: string | undefined;
  /** The audience of a value that is not public. */
  level: string | undefined;
  /** The page shows only a part of the value. */
  isShortened: boolean;
  /** What the field means, where its label does not say it. */
  meaning: string | undefined;
  /** Only for inspectors: what differs from the other values. */
  origin: Origin | undefined;
  /** Whether the inspector's first screen names the value. */
  hasFinding: boolean;
  /** The `id` of the value on an inspector's page. */
  anchor: string | undefined;
}

/** An entry and the section of the template that it belongs to. */
export interface PlacedEntry extends Entry {
  section: string | undefined;
}

/** The values in the order of the template. Values that the template does not have come last. */
export function entriesOf(
  { values }: PublicPassport,
  { fields }: Template,
  language: Language,
  findings: Findings | undefined,
): PlacedEntry[] {
  const text = texts[language];
  const presenter = presenterOf(language);
  const places = new Map(fields.map((field, index) => [field.key, { field, index }]));
  const budget = { ...pageBudget };
  return values
    .map((value) => ({ value, ...(places.get(value.field_key) ?? { field: undefined, index: fields.length }) }))
    .sort((a, b) => a.index - b.index)
    .map(({ value, field }) => {
      const shown = presenter.entry(value, field, budget);
      return {
        key: value.field_key,
        section: field?.section,
        ...shown,
        picture: value.is_unknown ? undefined : pictureOf(value, field, shown.value),
        language: foreign(value, language),
        level: value.access_level === 'public' ? undefined : text.levels[value.access_level],
        meaning: field?.meaning && typeset(inLanguage(field.meaning, language)),
        ...(findings?.of(value) ?? { origin: undefined, hasFinding: false, anchor: undefined }),
      };
    });
}

/** The language of a value, unless it is the page's. */
export function foreign({ locale }: PassportValue, language: Language): string | undefined {
  return locale === language ? undefined : locale;
}

/** What the template says of a field beside its meaning. */
export interface Basis {
  label: string;
  source: string;
  /** Whether the template requires it, its unit and its possible values, in sentences. */
  rules: string;
}

/** The hints of the sources of all fields of the page, which stand together at its end. */
export function basesOf(entries: readonly { key: string }[], { fields }: Template, language: Language): Basis[] {
  const shown = new Set(entries.map(({ key }) => key));
  return fields.filter(({ key }) => shown.has(key)).map((field) => basisOf(field, language));
}

/** Units that browsers and Node have words for. */
const calendarUnits = ['year', 'month', 'day'];

/** A unit in the language, if it is a word. */
function unitIn(unit: string, language: Language): string {
  if (calendarUnits.includes(unit)) {
    return new Intl.DisplayNames(localeOf(language), { type: 'dateTimeField' }).of(unit) ?? unit;
  }
  const word = wordsOf(language).units[unit]?.other?.replace('#', '').trim();
  return word || typesetUnit(unit);
}

/** What finds the words of sources in a language. Made once, because a page has many sources. */
const sourceWords = new Map<Language, RegExp>();

/** A source in the words of a language: `Batterieverordnung (EU) 2023/1542 Anhang VI`. */
function sourceIn(source: string, language: Language): string {
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

/** The hint of a field's source, and its rules, in one language. */
export function basisOf({ label, source, options, scale, unit, required }: TemplateField, language: Language): Basis {
  const text = texts[language].explained;
  const sentences = [
    required ? text.required : text.optional,
    unit === null ? '' : fill(text.unit, { unit: unitIn(unit, language) }),
    options && !scale
      ? fill(text.options, { options: options.map((option) => inLanguage(option.label, language)).join(', ') })
      : '',
  ];
  return {
    label: presenterOf(language).label(label),
    source: sourceIn(source, language),
    rules: typeset(sentences.filter((sentence) => sentence !== '').join(' ')),
  };
}

/**
 * Computes the hash of the public values from a document, and compares it with the one in the document. The form of
 * RFC 8785 for what JSON.parse returns: members in the order of UTF-16 code units, everything else as JSON.stringify has it.
 */
const check = [
  'const j=v=>v&&typeof v=="object"?Array.isArray(v)?"["+v.map(j)+"]":"{"+Object.keys(v).sort().map(k=>JSON.stringify(k)+":"+j(v[k]))+"}":JSON.stringify(v)',
  'fetch(process.argv[1]).then(r=>r.json()).then(d=>{const h=require("crypto").createHash("sha256").update(j(d.additionalProperty.filter(p=>p["dpp:accessLevel"]=="public").map(p=>({field_key:p.propertyID,is_unknown:p["dpp:isUnknown"]??false,locale:p["dpp:locale"],unit:p.unitText??null,value:p.value?.["@type"]=="@json"?p.value["@value"]:p.value??null})))).digest("hex")',
  'console.log(h==d.hasDigitalProductPassport["dpp:publicContentHash"]?"OK":"DIFFERENT",h)})',
].join(';');

/** A command in one line for any POSIX shell that checks the public hash of a document. It needs only Node.js. */
export function checkCommand(document: string): string {
  return `node -e '${check}' '${document.replaceAll("'", '%27')}'`;
}
