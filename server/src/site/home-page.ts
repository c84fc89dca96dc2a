import type { Language } from '../languages/languages.ts';
import { fill } from '../languages/words.ts';
import { type Page, translations } from './page.ts';
import type { ScannedCode } from './scanned-code.ts';
import { texts } from './texts.ts';

/** The content of the page at `/`. */
export interface HomePage extends Page {
  /** What the reader entered. */
  code: string;
  problem: string | undefined;
}

export function homePage(
  language: Language,
  code: string,
  read: Exclude<ScannedCode, { path: string }> | undefined,
): HomePage {
  const text = texts[language];
  const problem =
    read && (read.problem === 'unread' ? text.home.unread : fill(text.home.checkDigit, { digit: read.digit }));
  return { language, text, title: text.home.title, translations: translations(), code, problem };
}
