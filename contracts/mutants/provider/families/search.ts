/** Mistakes of the search. */
import type { ProductList } from '@product-passport/sdk';
import { at, type Call, jsonOf } from '../call.ts';
import { type Change, members } from '../change.ts';
import { type Mutant, wrong } from '../row.ts';

type Item = ProductList['items'][number];

/** Searches in the whole list by another rule. */
function searchBy(isFound: (item: Item, text: string) => boolean): Change {
  return members(at.list, async ({ limit, offset }, call) => {
    const text = call.query.get('search');
    if (!text) return {};
    const items = (await wholeList(call)).filter((item) => isFound(item, text));
    return { items: items.slice(offset, offset + limit), total: items.length };
  });
}

/** All products that the status filter of the request leaves. */
export async function wholeList(call: Call): Promise<Item[]> {
  const items: Item[] = [];
  for (;;) {
    const part = call.with({ query: { search: null, limit: '200', offset: `${items.length}` } });
    const { items: more, total } = await part.reply<ProductList>();
    items.push(...more);
    if (items.length >= total) return items;
  }
}

const strange = /['\0\u{10000}-\u{10ffff}\ufffd]/u;
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
    .ignores(at.list, 'search'),
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
    .ignores(at.list, 'status', (_, { query }) => query.has('search')),
  wrong('search-total-of-all', 'total ignores the search.')
    .failsIn('SRCH-1.nothing', 'total must be 0')
    .members(at.list, async (_, call) => ({ total: (await wholeList(call)).length })),
  wrong('search-after-paging', 'The search is applied to the page instead of the list.')
    .failsIn('SRCH-1.with-paging', 'the totals of the pages')
    .members(at.list, async (_, call) => {
      const text = call.query.get('search');
      const whole = await call.with({ query: { search: null } }).reply<ProductList>();
      const items = whole.items.filter((item) => has(item, text ?? ''));
      return text === null ? {} : { ...whole, items, total: items.length };
    }),
  wrong('strange-search-500', 'A search with a quote, a U+0000, an emoji or invalid UTF-8 causes a database error.')
    .failsIn('SRCH-1.hostile-4', 'must cause no server error, gets 500')
    .refuses(at.list, 500, 'internal_error', ({ query }) => strange.test(query.get('search') ?? '')),
  wrong('short-search-ignored', 'A search of fewer than eight characters does nothing.')
    .failsIn('SRCH-1.only', 'which do not contain the text')
    .ignores(at.list, 'search', (text) => text.length < 8),
  wrong('frequent-word-not-found', 'A full-text index leaves out the word that most names have.')
    .failsIn('SRCH-1.only', 'the search must find a product')
    .does(searchBy((item, text) => text !== 'verify' && has(item, text))),
  wrong('search-index-late', 'The index of the search gets new products a minute later.')
    .failsIn('SRCH-1.with-paging', 'the search must also find')
    .does(searchBy((item, text) => Date.parse(item.created_at) < Date.now() - 60_000 && has(item, text))),
  wrong('search-begins-again', 'A search gets its first page again after the last one.')
    .failsIn('SRCH-1.with-paging', 'the items after the last one must be []')
    .responds(at.list, async (response, call) => {
      const { items } = Object(await jsonOf(response));
      if (items?.length !== 0 || !call.query.has('search')) return undefined;
      return call.with({ query: { offset: null } }).send();
    }),
  wrong('search-first-product-twice', 'A search begins with the first product for offset 1, too.')
    .failsIn('SRCH-1.with-paging', 'the products of the pages must be')
    .ignores(at.list, 'offset', (offset, { query }) => offset === '1' && query.has('search')),
  wrong('search-index-empty', 'The index of the search is empty.')
    .failsIn('SRCH-2.folding-greek', 'the search must find the product')
    .parameter(at.list, 'search', (text) => (text === null ? null : 'zz-nothing')),
  wrong('search-off', 'The search is off, and every product is found.')
    .failsIn('SRCH-3.length-1001', 'items must be []')
    .ignores(at.list, 'search'),
];
