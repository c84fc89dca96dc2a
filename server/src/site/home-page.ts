import { hasValidCheckDigit } from '@product-passport/openapi';
import type { Language } from '../languages/languages.ts';
import { fill, texts } from '../languages/words.ts';
import { type Page, translations } from './page.ts';

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
  const footer = [
    { text: text.home.create, href: '/docs#first-passport' },
    { text: text.errors.reference, href: '/docs' },
  ].map((link) => ({ ...link, isForeign: false, language: 'en' as const }));
  return { language, text, title: text.home.title, translations: translations(), footer, code, problem };
}

/** What a reader typed or pasted: the path of a Digital Link, or the reason why it is none. */
export type ScannedCode = { path: string } | { problem: 'unread' } | { problem: 'checkDigit'; digit: string };

const forms = [8, 12, 13, 14];

/** The application identifiers that a path may have after the GTIN, in the order of GS1. */
const qualifiers = ['22', '10', '21'];

/** Reads `https://id.example/01/…`, `(01)…` with batch and serial, and a bare GTIN. */
export function readScannedCode(text: string): ScannedCode {
  const code = text.trim();
  const [, linked = ''] =
    /^https?:\/\/[^/?#]+(?:\/[^?#]*)?(\/01\/\d{8,14}(?:\/[^?#\s]*)?)(?:[?#].*)?$/i.exec(code) ?? [];
  if (linked) return { path: linked };
  const elements = new Map(
    [...code.matchAll(/\((\d{2,4})\)([^(]*)/g)].map(([, key = '', value = '']) => [key, value.trim()]),
  );
  const isElements = /^\(\d{2,4}\)/.test(code);
  const gtin = (isElements ? (elements.get('01') ?? '') : code).replaceAll(/[\s-]/g, '');
  if (!/^\d+$/.test(gtin) || !forms.includes(gtin.length)) return { problem: 'unread' };
  if (!hasValidCheckDigit(gtin)) return { problem: 'checkDigit', digit: gtin.slice(-1) };
  const rest = qualifiers.flatMap((key) => {
    const value = elements.get(key);
    return value ? [`/${key}/${encodeURIComponent(value)}`] : [];
  });
  return { path: `/01/${gtin}${rest.join('')}` };
}
