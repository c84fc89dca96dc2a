import { existsSync } from 'node:fs';

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
export function fileOf(language: Language): URL {
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
