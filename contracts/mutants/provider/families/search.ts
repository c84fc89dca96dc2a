/** Mistakes of the search. */
import type { ProductList } from '@product-passport/sdk';
import {
  type Change,
  ignores,
  jsonOf,
  list,
  onStatus,
  parameter,
  queryOf,
  refuses,
  responds,
  type Service,
  withBody,
  withQuery,
} from '../change.ts';
import { type Mutant, wrong } from '../row.ts';

type Item = ProductList['items'][number];

/** Searches in the whole list by another rule. */
function searchBy(isFound: (item: Item, text: string) => boolean): Change {
  return onStatus(list, 200, async (response, request, service) => {
    const text = queryOf(request, 'search');
    if (!text) return undefined;
    const items = (await wholeList(request, service)).filter((item) => isFound(item, text));
    const { limit, offset }: ProductList = await response.clone().json();
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
    const body: ProductList = await (await service.fetch(part)).json();
    items.push(...body.items);
    if (items.length >= body.total) return items;
  }
}

const has = ({ name }: Item, text: string): boolean => name.toLowerCase().includes(text.toLowerCase());

/** Takes a character of the search for a wildcard. */
function withWildcard(character: string, pattern: string): Change {
  return searchBy(({ name }, text) => {
    const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(character, pattern);
    return new RegExp(escaped, 'i').test(name);
  });
}

export const search: readonly Mutant[] = [
  wrong('search-ignored', 'The parameter search does nothing.')
    .failsIn('SRCH-1.nothing', 'items must be []')
    .does(ignores(list, 'search')),
  wrong('search-case-sensitive', 'The search compares case.')
    .failsIn('SRCH-1.upper-case', 'the search must find the product')
    .does(searchBy(({ name }, text) => name.includes(text))),
  wrong('search-from-beginning', 'The search finds only names that begin with the text.')
    .failsIn('SRCH-1.middle', 'the search must find the product')
    .does(searchBy(({ name }, text) => name.toLowerCase().startsWith(text.toLowerCase()))),
  wrong('search-whole-words', 'A full-text index finds whole words only.')
    .failsIn('SRCH-1.middle', 'the search must find the product')
    .does(
      searchBy(({ name }, text) => {
        const words = name.toLowerCase().split(/\s+/);
        const sought = text.toLowerCase().split(/\s+/);
        return sought.every((word) => words.includes(word));
      }),
    ),
  wrong('search-any-word', 'The search finds names with any of the words.')
    .failsIn('SRCH-1.nothing', 'items must be []')
    .does(searchBy((item, text) => text.split(' ').some((word) => has(item, word)))),
  wrong('search-words-in-any-order', 'A full-text index finds names that contain all of the words, in any order.')
    .failsIn('SRCH-1.word-order', 'must not find the product')
    .does(searchBy((item, text) => text.split(' ').every((word) => has(item, word)))),
  wrong('search-in-slugs', 'The search also looks at the slug.')
    .failsIn('SRCH-1.name-only', 'must not find the product')
    .does(searchBy((item, text) => has(item, text) || item.slug.includes(text))),
  wrong('search-with-wildcards', '% is passed on to LIKE.')
    .failsIn('SRCH-2.literal-percent', 'must not find')
    .does(withWildcard('%', '.*')),
  wrong('search-with-underscores', '_ is passed on to LIKE.')
    .failsIn('SRCH-2.literal-underscore', 'must not find')
    .does(withWildcard('_', '.')),
  wrong('search-without-status', 'With a search the filter by status does nothing.')
    .failsIn('SRCH-1.with-status', 'whether status=active finds the draft product')
    .does(ignores(list, 'status', (_, query) => query.has('search'))),
  wrong('search-total-of-all', 'total ignores the search.')
    .failsIn('SRCH-1.nothing', 'total must be 0')
    .does(
      onStatus(list, 200, async (response, request, service) => {
        const body: ProductList = await response.json();
        return withBody(response, JSON.stringify({ ...body, total: (await wholeList(request, service)).length }));
      }),
    ),
  wrong('search-after-paging', 'The search is applied to the page instead of the list.')
    .failsIn('SRCH-1.with-paging', 'the totals of the pages')
    .does(
      onStatus(list, 200, async (response, request, service) => {
        const text = queryOf(request, 'search');
        if (text === null) return undefined;
        const whole = await service.fetch(withQuery(request, (query) => query.delete('search')));
        const body: ProductList = await whole.json();
        const items = body.items.filter((item) => has(item, text));
        return withBody(response, JSON.stringify({ ...body, items, total: items.length }));
      }),
    ),
  wrong('strange-search-500', 'A search with a quote, a U+0000, an emoji or invalid UTF-8 causes a database error.')
    .failsIn('SRCH-1.hostile-4', 'must cause no server error, gets 500')
    .does(
      refuses(list, 500, 'internal_error', (request) =>
        /['\0\u{10000}-\u{10ffff}\ufffd]/u.test(queryOf(request, 'search') ?? ''),
      ),
    ),
  wrong('short-search-ignored', 'A search of fewer than eight characters does nothing.')
    .failsIn('SRCH-1.only', 'the other names must be []')
    .does(ignores(list, 'search', (text) => text.length < 8)),
  wrong('frequent-word-not-found', 'A full-text index leaves out the word that most names have.')
    .failsIn('SRCH-1.only', 'the search must find a product')
    .does(searchBy((item, text) => text !== 'verify' && has(item, text))),
  wrong('search-index-late', 'The index of the search gets new products a minute later.')
    .failsIn('SRCH-1.with-paging', 'the products that the search must find must be []')
    .does(searchBy((item, text) => Date.parse(item.created_at) < Date.now() - 60_000 && has(item, text))),
  wrong('search-begins-again', 'A search gets its first page again after the last one.')
    .failsIn('SRCH-1.with-paging', 'the items after the last one must be []')
    .does(
      responds(list, async (response, request, service) => {
        const { items } = Object(await jsonOf(response));
        if (items?.length !== 0 || !request.url.includes('search=')) return undefined;
        return service.fetch(withQuery(request, (query) => query.delete('offset')));
      }),
    ),
  wrong('search-first-product-twice', 'A search begins with the first product for offset 1, too.')
    .failsIn('SRCH-1.with-paging', 'the products of the pages must be')
    .does(ignores(list, 'offset', (offset, query) => offset === '1' && query.has('search'))),
  wrong('search-index-empty', 'The index of the search is empty.')
    .failsIn('SRCH-2.folding-greek', 'the search must find the product')
    .does(parameter(list, 'search', (text) => (text === null ? null : 'zz-nothing'))),
  wrong('search-off', 'The search is off, and every product is found.')
    .failsIn('SRCH-3.length-1001', 'items must be []')
    .does(ignores(list, 'search')),
];
