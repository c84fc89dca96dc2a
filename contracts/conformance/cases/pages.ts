/** Reads a list of products page by page. */
import type { ProductListItem } from '@product-passport/sdk';
import type { Api } from '../api.ts';

interface ListQuery {
  readonly limit: number;
  readonly status?: string;
  readonly search?: string;
}

/** A walk ends after this many pages, because a provider may have many products. */
export const maxPages = 20;

/** The products of the first pages. */
export async function walk(api: Api, query: ListQuery): Promise<ProductListItem[]> {
  const items: ProductListItem[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const { items: more, total } = await api.list({ ...query, offset: page * query.limit });
    items.push(...more);
    if ((page + 1) * query.limit >= total || more.length === 0) break;
  }
  return items;
}

export const slugsOf = (items: readonly ProductListItem[]): string[] => items.map(({ slug }) => slug);
