/** Mistakes of the search. */
import type { ProductList } from '@product-passport/sdk';
import {
  changeQuery,
  changeResponse,
  error,
  jsonOf,
  list,
  type Mutant,
  respondWith,
  type Service,
  withBody,
  withQuery,
} from '../alter.ts';

type Item = ProductList['items'][number];

/** Searches in the whole list by another rule. */
function searchBy(isFound: (item: Item, text: string) => boolean) {
  return changeResponse(list, async (response, request, service) => {
    const { searchParams } = new URL(request.url);
    const text = searchParams.get('search');
    if (response.status !== 200 || !text) return response;
    const items = (await wholeList(request, service)).filter((item) => isFound(item, text));
    const { limit, offset } = (await jsonOf(response)) as ProductList;
    const found = { items: items.slice(offset, offset + limit), total: items.length, limit, offset };
    return withBody(response, JSON.stringify(found));
  });
}

/** All products that the status filter of the request leaves. */
async function wholeList(request: Request, service: Service): Promise<Item[]> {
  const items: Item[] = [];
  for (;;) {
    const part = withQuery(request, (query) => {
      query.delete('search');
      query.set('limit', '200');
      query.set('offset', String(items.length));
    });
    const body = (await jsonOf(await service.fetch(part))) as ProductList;
    items.push(...body.items);
    if (items.length >= body.total) return items;
  }
}

const has = (item: Item, text: string): boolean => item.name.toLowerCase().includes(text.toLowerCase());

export const search: readonly Mutant[] = [
  {
    id: 'search-ignored',
    mistake: 'The parameter search does nothing.',
    killedBy: 'SRCH-1.nothing',
    because: 'items must be []',
    wrap: changeQuery(list, (query) => query.delete('search')),
  },
  {
    id: 'search-case-sensitive',
    mistake: 'The search compares case.',
    killedBy: 'SRCH-1.upper-case',
    because: 'the search must find the product',
    wrap: searchBy(({ name }, text) => name.includes(text)),
  },
  {
    id: 'search-from-beginning',
    mistake: 'The search finds only names that begin with the text.',
    killedBy: 'SRCH-1.middle',
    because: 'the search must find the product',
    wrap: searchBy(({ name }, text) => name.toLowerCase().startsWith(text.toLowerCase())),
  },
  {
    id: 'search-whole-words',
    mistake: 'A full-text index finds whole words only.',
    killedBy: 'SRCH-1.middle',
    because: 'the search must find the product',
    wrap: searchBy(({ name }, text) => {
      const words = name.toLowerCase().split(/\s+/);
      return text
        .toLowerCase()
        .split(/\s+/)
        .every((word) => words.includes(word));
    }),
  },
  {
    id: 'search-any-word',
    mistake: 'The search finds names with any of the words.',
    killedBy: 'SRCH-1.nothing',
    because: 'items must be []',
    wrap: searchBy((item, text) => text.split(' ').some((word) => has(item, word))),
  },
  {
    id: 'search-words-in-any-order',
    mistake: 'A full-text index finds names that contain all of the words, in any order.',
    killedBy: 'SRCH-1.word-order',
    because: 'must not find the product',
    wrap: searchBy((item, text) => text.split(' ').every((word) => has(item, word))),
  },
  {
    id: 'search-in-slugs',
    mistake: 'The search also looks at the slug.',
    killedBy: 'SRCH-1.name-only',
    because: 'must not find the product',
    wrap: searchBy((item, text) => has(item, text) || item.slug.includes(text)),
  },
  {
    id: 'search-with-wildcards',
    mistake: '% is passed on to LIKE.',
    killedBy: 'SRCH-2.literal-percent',
    because: 'must not find',
    wrap: searchBy((item, text) => {
      const pattern = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('%', '.*');
      return new RegExp(pattern, 'i').test(item.name);
    }),
  },
  {
    id: 'search-with-underscores',
    mistake: '_ is passed on to LIKE.',
    killedBy: 'SRCH-2.literal-underscore',
    because: 'must not find',
    wrap: searchBy((item, text) => {
      const pattern = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('_', '.');
      return new RegExp(pattern, 'i').test(item.name);
    }),
  },
  {
    id: 'search-without-status',
    mistake: 'With a search the filter by status does nothing.',
    killedBy: 'SRCH-1.with-status',
    because: 'whether status=active finds the draft product',
    wrap: changeQuery(list, (query) => {
      if (query.has('search')) query.delete('status');
    }),
  },
  {
    id: 'search-total-of-all',
    mistake: 'total ignores the search.',
    killedBy: 'SRCH-1.nothing',
    because: 'total must be 0',
    wrap: changeResponse(list, async (response, request, service) => {
      if (response.status !== 200) return response;
      const body = (await jsonOf(response)) as ProductList;
      return withBody(response, JSON.stringify({ ...body, total: (await wholeList(request, service)).length }));
    }),
  },
  {
    id: 'search-after-paging',
    mistake: 'The search is applied to the page instead of the list.',
    killedBy: 'SRCH-1.with-paging',
    because: 'the totals of the pages',
    wrap: changeResponse(list, async (response, request, service) => {
      const text = new URL(request.url).searchParams.get('search');
      if (response.status !== 200 || text === null) return response;
      const page = await service.fetch(withQuery(request, (query) => query.delete('search')));
      const body = (await jsonOf(page)) as ProductList;
      const items = body.items.filter((item) => has(item, text));
      return withBody(page, JSON.stringify({ ...body, items, total: items.length }));
    }),
  },
  {
    id: 'strange-search-500',
    mistake: 'A search with a quote, a U+0000, an emoji or invalid UTF-8 causes a database error.',
    killedBy: 'SRCH-1.hostile-4',
    because: 'must cause no server error, gets 500',
    wrap: respondWith(list, (request) =>
      /['\0\u{10000}-\u{10ffff}\ufffd]/u.test(new URL(request.url).searchParams.get('search') ?? '')
        ? error(500, 'internal_error')
        : undefined,
    ),
  },
  {
    id: 'short-search-ignored',
    mistake: 'A search of fewer than eight characters does nothing.',
    killedBy: 'SRCH-1.only',
    because: 'the other names must be []',
    wrap: changeQuery(list, (query) => {
      if ((query.get('search') ?? '').length < 8) query.delete('search');
    }),
  },
  {
    id: 'frequent-word-not-found',
    mistake: 'A full-text index leaves out the word that most names have.',
    killedBy: 'SRCH-1.only',
    because: 'the search must find a product',
    wrap: searchBy((item, text) => text !== 'verify' && has(item, text)),
  },
  {
    id: 'search-index-late',
    mistake: 'The index of the search gets new products a minute later.',
    killedBy: 'SRCH-1.with-paging',
    because: 'the products that the search must find must be []',
    wrap: searchBy((item, text) => Date.parse(item.created_at) < Date.now() - 60_000 && has(item, text)),
  },
  {
    id: 'search-begins-again',
    mistake: 'A search gets its first page again after the last one.',
    killedBy: 'SRCH-1.with-paging',
    because: 'the items after the last one must be []',
    wrap: changeResponse(list, async (response, request, service) => {
      const { items } = (await jsonOf(response)) as Partial<ProductList>;
      if (items?.length !== 0 || !request.url.includes('search=')) return response;
      return service.fetch(withQuery(request, (query) => query.delete('offset')));
    }),
  },
  {
    id: 'search-first-product-twice',
    mistake: 'A search begins with the first product for offset 1, too.',
    killedBy: 'SRCH-1.with-paging',
    because: 'the products of the pages must be',
    wrap: changeQuery(list, (query) => {
      if (query.has('search') && query.get('offset') === '1') query.delete('offset');
    }),
  },
  {
    id: 'search-index-empty',
    mistake: 'The index of the search is empty.',
    claims: ['reference'],
    killedBy: 'SRCH-2.folding-greek',
    because: 'the search must find the product',
    wrap: changeQuery(list, (query) => {
      if (query.has('search')) query.set('search', 'zz-nothing');
    }),
  },
  {
    id: 'search-off',
    mistake: 'The search is off, and every product is found.',
    claims: ['reference'],
    killedBy: 'SRCH-3.length-1001',
    because: 'items must be []',
    wrap: changeQuery(list, (query) => query.delete('search')),
  },
];
