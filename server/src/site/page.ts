import { type Language, languages, type Texts, texts } from '../languages/languages.ts';
import { type Legal, type Logo, legalColumns, type PageSettings } from '../tenants/store.ts';
import { shownLogo } from './image.ts';
import { toneOf, toneStyleOf } from './palette.ts';
import { cutText } from './values.ts';

/** The content that every page has. */
export interface Page {
  language: Language;
  text: Texts;
  title: string;
  /** The `id` of the place that the skip link leads to. Default: the main part. */
  contentId?: string;
  /** It loads nothing. */
  isAlone?: boolean;
  /** The look of the tenant's pages, if it has chosen one. */
  brand?: ReturnType<typeof brandOf>;
  /** The links at the end of a tenant's pages. */
  footer?: FooterLink[];
  /** Links to the same page in each language. */
  translations: { language: Language; name: string; href: string }[];
}

interface FooterLink {
  text: string;
  href: string;
  /** It leads to a page of the tenant, not of this program. */
  isForeign: boolean;
  /** The language of the page that it leads to, if there is no other. */
  language?: Language;
}

/** In code points. */
const maxBrandLength = 60;

/** The logo, the name and the colour of a tenant's pages; `undefined` if it has chosen neither a logo nor a colour. */
export function brandOf(tenant: string, { name, color, ...logo }: Brandable) {
  if (color === null && logo.logo_sha256 === null) return undefined;
  return {
    name: cutText(name, maxBrandLength),
    logo: shownLogo(tenant, logo),
    tone: color === null ? undefined : { style: toneStyleOf(color), themeColor: toneOf(color).shade },
  };
}

type Brandable = Pick<PageSettings, 'name' | 'color' | keyof Logo>;

/**
 * The links at the end of a tenant's pages.
 *
 * @param list the path of the tenant's open list, unless the page is the list
 */
export function footerOf(settings: Legal, language: Language, list?: string): FooterLink[] {
  const text = texts[language].footer;
  const own = list === undefined ? [] : [{ text: text.list, href: `${list}?lang=${language}`, isForeign: false }];
  const foreign = legalColumns.flatMap((column) => {
    const href = settings[column];
    return href === null ? [] : [{ text: text[column], href, isForeign: true }];
  });
  return [...own, ...foreign];
}

/** Links to the same address in each language. They keep a part of the query, such as the token of the view. */
export function translations(kept: Readonly<Record<string, string>> = {}): Page['translations'] {
  return languages.map((language) => ({
    language,
    name: texts[language].languageName,
    href: `?${new URLSearchParams({ lang: language, ...kept })}`,
  }));
}
