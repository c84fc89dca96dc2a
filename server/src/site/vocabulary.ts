/** The words of a language for the texts of a passport, and where long words may break. */
import { wordsFor } from '@product-passport/openapi';
import type { Language } from '../languages/languages.ts';
import { wordsOf } from '../languages/words.ts';

/** Vocabularies of a language, by the texts in lower case. */
const vocabularies = new Map<string, ReadonlyMap<string, string>>();

/**
 * The words for a text of a vocabulary in a language.
 *
 * The vocabulary `statements` has the texts of Regulation (EC) No 1272/2008, Annexes III and IV, Part 2, compared with the
 * consolidated version of 1 September 2025 in English and German. Slips of that version are corrected (`/…/anrufen`,
 * `Do no expose`). P103 and P280 have the newer text of Annex IV, Part 1 (Regulation (EU) 2019/521). What the supplier has to
 * add is `…`, or left out where the regulation allows it. German P103 and P280 were compared with lists of third parties only.
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

/**
 * Soft hyphens in the long words of a label, and a place to break after a slash between words. The style sheet asks for
 * automatic hyphenation too, but Chrome on Linux and Windows may lack the patterns of a language, and no package with the
 * patterns of all languages is below 9 MB.
 */
export function hyphenated(text: string, language: Language): string {
  const { hyphens } = wordsOf(language);
  return text
    .replaceAll(/\p{L}{10,}/gu, (word) =>
      Object.hasOwn(hyphens, word) ? (hyphens[word] ?? word).replaceAll('|', '\u00ad') : word,
    )
    .replaceAll(/(?<=\p{L}{3})\/(?=\p{L}{3}|…)/gu, '/\u200b');
}
