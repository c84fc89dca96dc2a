import Negotiator from 'negotiator';
import { fallback, type Language, languages } from '../languages/languages.ts';
import { type Words, wordsOf } from '../languages/words.ts';

/** The texts of the pages in a language. Each is in the file of the language, under `page`. */
export type Texts = Words['page'];

export const texts = Object.fromEntries(languages.map((language) => [language, wordsOf(language).page])) as Record<
  Language,
  Texts
>;

/** The language for a reader: `lang` if it is known, otherwise the best match for `Accept-Language`. */
export function languageOf(lang: string | undefined, acceptLanguage: string | undefined): Language {
  const accepted = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).language([...languages]);
  return languages.find((known) => known === lang) ?? languages.find((known) => known === accepted) ?? fallback;
}
