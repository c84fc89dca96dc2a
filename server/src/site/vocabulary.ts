import type { Language } from '../languages/languages.ts';
import { wordsOf } from '../languages/words.ts';

/** Vocabularies of a language, by the texts in lower case. */
const vocabularies = new Map<string, ReadonlyMap<string, string>>();

/**
 * The words for a text that many passports share, such as a fibre, in a language. `wool (merino)` and `H302+H312` are found
 * by their parts if they have no words of their own.
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
  const find = (part: string) => known.get(part.trim().toLowerCase());
  const word = find(text) ?? find(text.replaceAll(/\s*\+\s*/g, '+'));
  if (word !== undefined) return word;
  const [, whole = '', detail = ''] = /^([^()]+)\(([^()]+)\)$/.exec(text) ?? [];
  const [wholeWord, detailWord] = [find(whole), find(detail)];
  if (wholeWord !== undefined && detailWord !== undefined) return `${wholeWord} (${detailWord})`;
  const parts = text.split('+').map(find);
  return parts.every((part) => part !== undefined) ? parts.join(' ') : undefined;
}

function vocabularyOf(vocabulary: string, language: Language): ReadonlyMap<string, string> {
  const key = `${language} ${vocabulary}`;
  const words = wordsOf(language).words[vocabulary] ?? {};
  const known =
    vocabularies.get(key) ?? new Map(Object.entries(words).map(([text, word]) => [text.toLowerCase(), word]));
  vocabularies.set(key, known);
  return known;
}
