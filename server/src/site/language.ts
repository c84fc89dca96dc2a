import Negotiator from 'negotiator';

/** The languages of the pages. Readers of any other language get the first one. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** The language for a reader: `lang` if it is known, otherwise the best match for `Accept-Language`. */
export function languageOf(lang: string | undefined, acceptLanguage: string | undefined): Language {
  const accepted = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).language([...languages]);
  const [first] = languages;
  return languages.find((known) => known === lang) ?? languages.find((known) => known === accepted) ?? first;
}
