import { type Language, languages } from '../languages/languages.ts';
import { type Texts, texts } from '../languages/words.ts';
import type { Color } from '../tenants/rules.ts';
import { cutText } from './allowance.ts';
import { palette } from './palette.ts';

/** The content that every page has. */
export interface Page {
  language: Language;
  text: Texts;
  title: string;
  /** The look of the tenant's pages, if it has chosen one. */
  brand?: Brand | undefined;
  /** Links to the same page in each language. */
  translations: { language: Language; name: string; href: string }[];
}

/** A tenant's name above its pages, and their colour. */
interface Brand {
  name: string;
  /** The class of the page's body. */
  tone: string;
  /** For the browser's own frame. */
  themeColor: string;
}

/** In code points. */
const longestBrand = 60;

/** The look of a tenant's pages; `undefined` if it has chosen no colour. */
export function brandOf(name: string, color: string | null): Brand | undefined {
  const known = color !== null && Object.hasOwn(palette, color) ? palette[color as Color] : undefined;
  return known && { name: cutText(name, longestBrand), tone: `tone ${color}`, themeColor: known.shade };
}

/** Links to the same address in each language. They keep a part of the query, such as the token of the view. */
export function translations(kept: Readonly<Record<string, string>> = {}): Page['translations'] {
  return languages.map((language) => ({
    language,
    name: texts[language].languageName,
    href: `?${new URLSearchParams({ lang: language, ...kept })}`,
  }));
}
