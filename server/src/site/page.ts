import { type Language, languages } from '../languages/languages.ts';
import { type Texts, texts } from './texts.ts';

/** The content that every page has. */
export interface Page {
  language: Language;
  text: Texts;
  title: string;
  /** Links to the same page in each language. */
  translations: { language: Language; name: string; href: string }[];
}

/** Links to the same address in each language. They keep the token, so that the reader keeps the view. */
export function translations(zugang: string | undefined): Page['translations'] {
  const rest = zugang === undefined ? '' : `&zugang=${encodeURIComponent(zugang)}`;
  return languages.map((language) => ({
    language,
    name: texts[language].languageName,
    href: `?lang=${language}${rest}`,
  }));
}
