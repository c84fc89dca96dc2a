import { existsSync, readFileSync } from 'node:fs';
import { wordsFor } from '@product-passport/openapi';
import Negotiator from 'negotiator';

/** The official languages of the European Union. */
export type Language =
  | ('bg' | 'cs' | 'da' | 'de' | 'el' | 'en' | 'es' | 'et' | 'fi' | 'fr' | 'ga' | 'hr')
  | ('hu' | 'it' | 'lt' | 'lv' | 'mt' | 'nl' | 'pl' | 'pt' | 'ro' | 'sk' | 'sl' | 'sv');

/** Those that a tenant can write. */
export const europe = 'bg cs da de el en es et fi fr ga hr hu it lt lv mt nl pl pt ro sk sl sv'.split(
  ' ',
) as readonly Language[];

/** The language of readers whose language has no file, and of each word that a file lacks. */
export const fallback: Language = 'en';

/** The file with the words of a language. A translator edits it. */
function fileOf(language: Language): URL {
  return new URL(`../../data/languages/${language}.json`, import.meta.url);
}

/** The languages that have a file. Readers of any other language get the first one. */
export const languages: readonly Language[] = [
  fallback,
  ...europe.filter((language) => language !== fallback && existsSync(fileOf(language))),
];

/** The locale of a language as Open Graph writes it: `en_GB`, `de_DE`. */
export function openGraphLocale(language: Language): string {
  const { language: name, region } = new Intl.Locale(localeOf(language)).maximize();
  return `${name}_${region}`;
}

/** Numbers as they are written in Europe. */
const locales: Partial<Record<Language, string>> = { en: 'en-GB', pt: 'pt-PT' };

/** The locale of Intl for a language. */
export function localeOf(language: Language): string {
  return locales[language] ?? language;
}

/** All words of a language, as its file has them. English has them all, and defines the form of the other files. */
export interface Words {
  /** The texts of the pages. `fill` replaces a name in braces. */
  page: typeof import('../../data/languages/en.json')['page'];
  /** What the terms of the JSON-LD documents mean. */
  terms: Readonly<Record<string, string>>;
  /** Units written as words, by the plural category of the number. `#` stands for the number. */
  units: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Members of lists and objects. */
  members: Readonly<Record<string, string>>;
  /** Product groups. */
  groups: Readonly<Record<string, string>>;
  /** Short labels of key facts. */
  facts: Readonly<Record<string, string>>;
  /** Fields of the templates. `textile.field_key` is the label in one group, `field_key` that in all others. */
  fields: Readonly<Record<string, string>>;
  /** What a field means, in a sentence or two, where its label does not say it. Keys as in `fields`. */
  meanings: Readonly<Record<string, string>>;
  /** The values of enumerations, by field. */
  options: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Vocabularies for texts that many products share, such as fibres, by the text as it is written in a passport. */
  words: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Words of the sources of fields, such as `Annex`. A source is English where the language has no word. */
  sources: Readonly<Record<string, string>>;
  /** Where long words may break, for browsers without hyphenation in the language: `Energie|verbrauch`. */
  hyphens: Readonly<Record<string, string>>;
}

/** A text in some languages, English always among them. */
export type Label = Readonly<Record<string, string>> & { readonly en: string };

type Tree = { readonly [key: string]: string | Tree };

const files = new Map<Language, Tree>(
  languages.map((language) => [language, JSON.parse(readFileSync(fileOf(language), 'utf8'))]),
);
const english = files.get(fallback) ?? {};
const complete = new Map<Language, Tree>([[fallback, english]]);

/** The words of a language, with English in place of each word that its file lacks. They are merged on first use. */
export function wordsOf(language: Language): Words {
  const words = complete.get(language) ?? withFallback(english, files.get(language));
  complete.set(language, words);
  return words as unknown as Words;
}

/** What the files say at a path, in each language that says something there. */
export function labelAt(...path: [keyof Words, ...string[]]): Label {
  const found = languages.flatMap((language) => {
    const text = path.reduce<string | Tree | undefined>(memberOf, files.get(language));
    return typeof text === 'string' ? [[language, text] as const] : [];
  });
  const label = Object.fromEntries(found);
  const { en } = label;
  if (en === undefined) throw new Error(`data/languages/en.json lacks ${path.join(' > ')}.`);
  return { ...label, en };
}

/** A label in a language; in English if the file of the language lacks it. */
export function inLanguage(label: Label, language: string): string {
  return label[language] || label.en;
}

/** Replaces each `{name}` in a text by the value of that name. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (name, key: string) => String(values[key] ?? name));
}

/** The words with those of the file in their place. Words that only the file has stay: a language may need more plurals. */
export function withFallback(words: Tree, file: Tree = {}): Tree {
  const merged = Object.entries(words).map(([key, word]) => {
    const own = memberOf(file, key);
    if (typeof word === 'string') return [key, typeof own === 'string' && own.trim() !== '' ? own : word] as const;
    return [key, withFallback(word, typeof own === 'object' ? own : {})] as const;
  });
  return { ...file, ...Object.fromEntries(merged) };
}

function memberOf(tree: string | Tree | undefined, key: string): string | Tree | undefined {
  return typeof tree === 'object' && Object.hasOwn(tree, key) ? tree[key] : undefined;
}

/** The texts of the pages in a language. Each is in the file of the language, under `page`. */
export type Texts = Words['page'];

export const texts = Object.defineProperties(
  {},
  Object.fromEntries(languages.map((language) => [language, { enumerable: true, get: () => wordsOf(language).page }])),
) as Readonly<Record<Language, Texts>>;

/**
 * The language for a reader: `lang` if it is known, otherwise the best match for `Accept-Language`.
 *
 * @param preferred the language of readers who ask for none, or for none that is known, if it has a file
 */
export function languageOf(
  lang: string | undefined,
  acceptLanguage: string | undefined,
  preferred: string = fallback,
): Language {
  const known = languages.find((language) => language === lang);
  const usual = languages.find((language) => language === preferred) ?? fallback;
  if (known || acceptLanguage === undefined) return known ?? usual;
  const offered = [...new Set([usual, ...languages])];
  const accepted = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).language(offered);
  return offered.find((language) => language === accepted) ?? usual;
}

/** Vocabularies of a language, by the texts in lower case. */
const vocabularies = new Map<string, ReadonlyMap<string, string>>();

/**
 * The words for a text of a vocabulary in a language.
 *
 * The vocabulary `statements` has the texts of Regulation (EC) No 1272/2008, Annexes III and IV, Part 2, compared with the
 * consolidated version of 1 September 2025 in English and German. Slips of that version are corrected (`/…/anrufen`,
 * `Do no expose`). P103 and P280 have the newer text of Annex IV, Part 1 (Regulation (EU) 2019/521): Part 2 of that version
 * still has the older one. What the supplier has to add is `…`, or left out where the regulation allows it. English, German
 * and French P103 and P280 were compared with lists of third parties only; those in Italian, Spanish, Dutch and Polish were
 * not compared.
 *
 * @returns `undefined` if the vocabulary does not have the text
 */
export function wordFor(text: string, vocabulary: string, language: Language): string | undefined {
  const known = vocabularyOf(vocabulary, language);
  return wordsFor(text, (part) => known.get(part));
}

function vocabularyOf(vocabulary: string, language: Language): ReadonlyMap<string, string> {
  const key = `${language} ${vocabulary}`;
  const words = wordsOf(language).words[vocabulary] ?? {};
  const known =
    vocabularies.get(key) ?? new Map(Object.entries(words).map(([text, word]) => [text.toLowerCase(), word]));
  vocabularies.set(key, known);
  return known;
}

/** Where the name of a substance may break, in every language: hexa|fluoro|phosphate. */
const chemicalPart =
  /(?<=\p{L}{2})(?=(?:acryl|benz|brom|but[yi]l|carbon|chlor|cyan|eth[yi]l|fluor|hydro|lyt|meth[yi]l|nitr|o[xk]y?[di]|phen[yi]l|phosph|prop[yi]l|silic|sul(?:ph|f)|vin[yi]l)\p{L})(?=\p{L}{4})/giu;

/**
 * Soft hyphens in the long words of a label, and a place to break after a slash between words. The style sheet asks for
 * automatic hyphenation too, but Chrome on Linux and Windows may lack the patterns of a language, and no package with the
 * patterns of all languages is below 9 MB.
 */
export function hyphenated(text: string, language: Language): string {
  const { hyphens } = wordsOf(language);
  return text
    .replaceAll(/\p{L}{10,}/gu, (word) =>
      Object.hasOwn(hyphens, word)
        ? (hyphens[word] ?? word).replaceAll('|', '\u00ad')
        : word.replaceAll(chemicalPart, '\u00ad'),
    )
    .replaceAll(/(?<=\p{L}{3})\/(?=\p{L}{3}|…)/gu, '/\u200b');
}
