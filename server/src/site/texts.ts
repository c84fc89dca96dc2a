import { type Language, languages } from '../languages/languages.ts';
import { type Words, wordsOf } from '../languages/words.ts';

/** The texts of the pages in a language. Each is in the file of the language, under `page`. */
export type Texts = Words['page'];

export const texts = Object.fromEntries(languages.map((language) => [language, wordsOf(language).page])) as Record<
  Language,
  Texts
>;
