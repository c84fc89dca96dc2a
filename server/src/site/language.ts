import Negotiator from 'negotiator';

/** The languages of the pages. The first is that of readers whose own is not among them. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** The language for a reader: the one that the address asks for, else the best of those the browser accepts. */
export function languageOf(lang: string | null | undefined, acceptLanguage: string | undefined): Language {
  const accepted = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).language([...languages]);
  const [first] = languages;
  return languages.find((known) => known === lang) ?? languages.find((known) => known === accepted) ?? first;
}
