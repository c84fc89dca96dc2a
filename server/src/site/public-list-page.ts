/** The page at `/p/{tenant}`: the active products of a tenant that opened its public list. */

import type { Language } from '../languages/languages.ts';
import { fill, inLanguage, texts } from '../languages/words.ts';
import { templateOf } from '../templates/catalogue.ts';
import type { ListedTenant } from '../tenants/store.ts';
import { type Pictured, shownPicture } from './image.ts';
import { brandOf, footerOf, translations } from './page.ts';
import { emblemOf } from './pictures.ts';
import { presenterOf } from './values.ts';

/** Products on one page. */
export const pageSize = 30;

/** What a reader asks for: the pages are numbered from 1, and an empty search finds all products. */
export interface ListRequest {
  search: string;
  number: number;
}

/** What was found for it. */
export interface FoundProducts {
  items: (Pictured & { slug: string; name: string; gtin: string | null; product_group: string | null })[];
  total: number;
  /** The search is the GTIN of each. */
  isGtin: boolean;
  /** Number of the last page. */
  last: number;
}

export function publicListPage(
  tenant: ListedTenant,
  { search, number }: ListRequest,
  { items, total, last, isGtin }: FoundProducts,
  { language, siteUrl }: { language: Language; siteUrl: string },
) {
  const text = texts[language];
  const presenter = presenterOf(language);
  const path = `/p/${tenant.slug}`;
  const title = fill(text.list.title, { name: tenant.name });
  const queryOf = (page: number): Record<string, string> => ({
    ...(search === '' ? {} : { search }),
    ...(page === 1 ? {} : { page: String(page) }),
  });
  const own = new URLSearchParams(queryOf(number)).toString();
  const hrefOf = (query: Record<string, string>): string =>
    `${path}?${new URLSearchParams({ lang: language, ...query })}`;
  const way = (shown: boolean, words: string, page: number, relation?: 'next' | 'prev') =>
    shown ? [{ text: words, href: hrefOf(queryOf(page)), relation }] : [];
  const count = presenter.counted(search === '' || isGtin ? text.list.count : text.list.found, total, { search });
  const place = fill(text.list.page, { page: presenter.number(number), pages: presenter.number(last) });
  return {
    language,
    text,
    title,
    name: tenant.name,
    brand: brandOf(tenant.slug, tenant),
    footer: footerOf(tenant, language),
    translations: translations(queryOf(number)),
    description: fill(text.list.description, { name: tenant.name }),
    canonical: `${siteUrl}${path}${own === '' ? '' : `?${own}`}`,
    // Search engines index the list, not its searches.
    isPrivate: search !== '',
    // The address of the list without a query.
    path,
    search,
    summary: last === 1 ? count : `${count} · ${place}`,
    products: items.map((item) => ({
      name: item.name,
      href: `${path}/${item.slug}?lang=${language}`,
      group: inLanguage(templateOf(item.product_group).title, language),
      gtin: item.gtin,
      image: shownPicture({ tenant: tenant.slug, product: item.slug }, item),
      // In place of an image.
      emblem: emblemOf(item.product_group),
    })),
    nameLanguage: tenant.language,
    // Links to the other pages and to the whole list.
    ways: [
      ...way(number > 2, text.list.first, 1),
      ...way(number > 1, text.list.previous, number - 1, 'prev'),
      ...way(number < last, text.list.next, number + 1, 'next'),
      ...way(number < last - 1, text.list.last, last),
      ...(search === '' ? [] : [{ text: text.list.all, href: hrefOf({}), relation: undefined }]),
    ],
  };
}
