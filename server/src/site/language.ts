import Negotiator from 'negotiator';
import { fallback, type Language, languages } from '../languages/languages.ts';

/** The language for a reader: `lang` if it is known, otherwise the best match for `Accept-Language`. */
export function languageOf(lang: string | undefined, acceptLanguage: string | undefined): Language {
  const accepted = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).language([...languages]);
  return languages.find((known) => known === lang) ?? languages.find((known) => known === accepted) ?? fallback;
}
