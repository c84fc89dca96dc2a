/** The page of an item that is asked for with the serial number of another one. */
import { type Language, texts } from '../languages/languages.ts';
import { brandOf, footerOf, translations } from './page.ts';
import type { Published } from './public-passport.ts';
import { gapOf } from './request-parts.ts';

/** It shows no value of the passport, in any role. */
export function otherItemPage(
  { path, row, view }: Published,
  { language, hasToken }: { language: Language; hasToken: boolean },
) {
  const text = texts[language];
  const token = hasToken ? `&zugang=${gapOf('token')}` : '';
  return {
    language,
    text,
    title: `${row.name} · ${text.passport}`,
    brand: brandOf(path.tenant, { ...row, name: row.tenant_name }),
    footer: footerOf(row, language, row.listed_at === null ? undefined : `/p/${path.tenant}`),
    translations: translations({ [gapOf('query')]: '' }),
    isPrivate: true,
    refused: view.refused ? text.refused : undefined,
    scanned: gapOf('scanned'),
    name: row.name,
    nameLanguage: row.language,
    issuer: row.tenant_name,
    way: { href: `/p/${path.tenant}/${path.product}?lang=${language}${token}`, text: text.scanned.other },
  };
}
