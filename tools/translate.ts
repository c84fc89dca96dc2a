/**
 * `npm run translate -- fr` adds each missing word to `server/data/languages/fr.json` as an empty text, and lists what is
 * still to translate. Pages show English in place of an empty text. `hyphens` and `sources` have other words in each language.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { optionsOf, refuse } from './options.ts';

export type Words = { readonly [key: string]: string | Words };

/** Their words differ from language to language. */
const ownWords = new Set(['hyphens', 'sources']);

/**
 * One sentence for each missing, empty or surplus word, and for each placeholder that a text lacks or has in addition.
 *
 * @param language the code of the file's language. It decides which plural forms a unit has.
 */
export function gapsOf(english: Words, file: Words, language: string): string[] {
  return gaps(english, file, language, []);
}

function gaps(words: Words, file: Words, language: string, path: readonly string[]): string[] {
  const english = formsOf(words, language);
  const missing = Object.entries(english).flatMap(([key, word]) => {
    if (path.length === 0 && ownWords.has(key)) return [];
    const here = [...path, key];
    if (typeof word === 'string') return textGaps(word, textAt(file, key), here);
    return gaps(word, wordsAt(file, key), language, here);
  });
  const surplus = Object.keys(file).filter((key) => !Object.hasOwn(english, key));
  return [...missing, ...surplus.map((key) => `${[...path, key].join(' > ')} is not in English. Remove it.`)];
}

function textAt(file: Words, key: string): string {
  const own = Object.hasOwn(file, key) ? file[key] : undefined;
  return typeof own === 'string' ? own.trim() : '';
}

function wordsAt(file: Words, key: string): Words {
  const own = Object.hasOwn(file, key) ? file[key] : undefined;
  return typeof own === 'object' ? own : {};
}

function textGaps(english: string, own: string, path: readonly string[]): string[] {
  if (own === '') return [`${path.join(' > ')} is missing. English: ${english}`];
  const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}|#/g))].sort().join(' ');
  if (placeholders(english) === placeholders(own)) return [];
  return [`${path.join(' > ')} must have the placeholders ${placeholders(english) || '(none)'}.`];
}

/** The English words, or, if they are forms of one text, a form for each plural category of the language. */
function formsOf(words: Words, language: string): Words {
  const { other } = words;
  if (typeof other !== 'string' || typeof words.one !== 'string') return words;
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  return Object.fromEntries(categories.map((category) => [category, words[category] ?? other]));
}

/** The file with an empty text for each missing word, in the order of the English file. */
export function completed(words: Words, file: Words, language: string, path: readonly string[] = []): Words {
  return Object.fromEntries(
    Object.entries(formsOf(words, language)).map(([key, word]) => {
      if (path.length === 0 && ownWords.has(key)) return [key, wordsAt(file, key)];
      if (typeof word === 'string') return [key, textAt(file, key)];
      return [key, completed(word, wordsAt(file, key), language, [...path, key])];
    }),
  );
}

function translate(): void {
  const usage = 'npm run translate -- LANGUAGE    two letters, as in fr\n';
  const [language = '', ...others] = optionsOf(usage, { allowPositionals: true }).positionals;
  if (!/^[a-z]{2}$/.test(language) || others.length > 0) refuse('Name one language by its two letters.', usage);
  const fileOf = (code: string) => new URL(`../server/data/languages/${code}.json`, import.meta.url);
  const read = (code: string): Words => JSON.parse(readFileSync(fileOf(code), 'utf8'));

  const english = read('en');
  const file = existsSync(fileOf(language)) ? read(language) : {};
  writeFileSync(fileOf(language), `${JSON.stringify(completed(english, file, language), null, 2)}\n`);
  const gaps = gapsOf(english, file, language);
  process.stdout.write(`${[...gaps, `${gaps.length} to translate`].join('\n')}\n`);
}

if (import.meta.main) translate();
