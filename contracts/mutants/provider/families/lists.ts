/** Mistakes of the product list: paging, the filter by status, and the search. */
import type { ProductList } from '@product-passport/sdk';
import { at, type Call, jsonOf } from '../call.ts';
import { type Change, error, members, refuses } from '../change.ts';
import { type WrongProvider, wrong } from '../row.ts';

const isOutside: Readonly<Record<'limit' | 'offset' | 'status', (text: string) => boolean>> = {
  limit: (text) => !(/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 200),
  offset: (text) => !/^\d{1,6}$/.test(text),
  status: (text) => !/^(draft|active|archived)$/.test(text),
};

/** A value of the parameter outside its range causes an exception. */
function fails(name: keyof typeof isOutside): Change {
  const isFaulty = (text: string | null): boolean => text !== null && isOutside[name](text);
  return refuses(at.list, 500, 'internal_error', ({ query }) => isFaulty(query.get(name)));
}

/** Sends the items of another part of the list, with the limit and offset of the request. */
function itemsAt(queryOf: (call: Call) => Readonly<Record<string, string>>): Change {
  return members(at.list, async (own, call) => {
    const { items = own.items, total = own.total } = await call
      .with({ query: queryOf(call) })
      .reply<Partial<ProductList>>();
    return { items, total };
  });
}

const numberOf = ({ query }: Call, name: 'limit' | 'offset'): number =>
  Number(query.get(name) ?? (name === 'limit' ? 50 : 0));

export const paging: readonly WrongProvider[] = [
  wrong('limit-not-echoed', 'The list repeats the default limit instead of the limit of the request.')
    .failsIn('PAGE-1.echo', 'limit must be 3, is 50')
    .members(at.list, { limit: 50 }),
  wrong('default-limit-20', 'The default of limit is 20.')
    .failsIn('PAGE-1.defaults', 'limit must be 50, is 20')
    .parameter(at.list, 'limit', (limit) => limit ?? '20'),
  wrong('limit-ignored', 'Every page has up to 50 products.')
    .failsIn('PAGE-1.echo', 'the number of items must be 3')
    .does(itemsAt(() => ({ limit: '50' }))),
  wrong('maximum-100', 'The maximum of limit is 100.')
    .failsIn('PAGE-1.maximum', 'limit must be 200, is 100')
    .parameter(at.list, 'limit', (limit) => (Number(limit) > 100 ? '100' : limit)),
  wrong('no-maximum', 'limit has no maximum.')
    .failsIn('PAGE-1.above-maximum', 'limit must be at most 200, is 201')
    .members(at.list, ({ limit }, { query }) => ({ limit: Number(query.get('limit') ?? limit) })),
  wrong('invalid-limit-500', 'A value of limit outside its range reaches the database and causes a 500.')
    .failsIn('PAGE-1.open-limit-word', 'must cause no server error, gets 500')
    .does(fails('limit')),
  wrong('invalid-offset-500', 'A value of offset outside its range reaches the database and causes a 500.')
    .failsIn('PAGE-1.open-offset-word', 'must cause no server error, gets 500')
    .does(fails('offset')),
  wrong('invalid-status-500', 'A value of status outside its range reaches the database and causes a 500.')
    .failsIn('PAGE-1.open-status-unknown', 'must cause no server error, gets 500')
    .does(fails('status')),
  wrong('offset-ignored', 'Every page begins at the first product.')
    .failsIn('PAGE-4.limit-2', 'the joined pages')
    .ignores(at.list, 'offset'),
  wrong('offset-is-page', 'offset counts pages.')
    .failsIn('PAGE-4.limit-2', 'the joined pages')
    .does(itemsAt((call) => ({ offset: `${numberOf(call, 'offset') * numberOf(call, 'limit')}` }))),
  wrong('offset-one-too-far', 'Every page but the first leaves out one product.')
    .failsIn('PAGE-3.last', 'items must be')
    .does(itemsAt((call) => ({ offset: `${numberOf(call, 'offset') && numberOf(call, 'offset') + 1}` }))),
  wrong('total-of-page', 'total is the number of products on the page.')
    .failsIn('PAGE-3.last', 'total must be')
    .members(at.list, ({ items }) => ({ total: items.length })),
  wrong('total-from-rows', 'total comes from a window count in the rows, so that it is 0 after the last page.')
    .failsIn('PAGE-3.past-0', 'total must be')
    .members(at.list, ({ items, total }) => ({ total: items.length === 0 ? 0 : total })),
  wrong('past-end-404', 'A page after the last one gets 404.')
    .failsIn('PAGE-3.past-1000', 'must respond with 200, responds with 404')
    .responds(at.list, async (response) => {
      const { items, offset } = Object(await jsonOf(response));
      return items?.length === 0 && offset > 0 ? error(404, 'not_found') : undefined;
    }),
  wrong('order-by-nothing', 'The query has no ORDER BY, so that the order changes from page to page.')
    .failsIn('PAGE-4.limit-7', 'the joined pages')
    .counts((lists) =>
      members(at.list, async ({ limit, offset, total }, call) => {
        if (lists.next() % 2 === 0) return {};
        const from = String(Math.max(0, total - offset - limit));
        const mirrored = call.with({
          query: { offset: from, limit: String(Math.max(1, Math.min(limit, total - offset))) },
        });
        const { items } = await mirrored.reply<ProductList>();
        return { items: offset >= total ? [] : items.toReversed() };
      }),
    ),
  wrong('last-page-lost', 'A last page that is not full is left out.')
    .failsIn('PAGE-4.all', 'the number of products on all pages')
    .members(at.list, ({ items, limit }) => (items.length < limit && items.length > 1 ? { items: [] } : {})),
  wrong('status-filter-ignored', 'The filter by status does nothing.')
    .failsIn('PAGE-5.active', 'also lists products with the statuses')
    .ignores(at.list, 'status'),
  wrong('status-filter-after-paging', 'The filter by status is applied to the page instead of the list.')
    .failsIn('PAGE-5.totals', 'the sum of the totals')
    .members(at.list, async (_, call) => {
      const status = call.query.get('status');
      const whole = await call.with({ query: { status: null } }).reply<ProductList>();
      return { ...whole, items: whole.items.filter((item) => status === null || item.status === status) };
    }),
  wrong('drafts-hidden', 'The list without a filter leaves out drafts.')
    .failsIn('PAGE-5.totals', 'the sum of the totals')
    .parameter(at.list, 'status', (status) => status ?? 'active'),
  wrong('products-total-of-active', 'products_total counts active products only.')
    .failsIn('PROD-1.total-of-list', 'products_total must be')
    .members(at.me, ({ products_total }) => ({ products_total: Math.min(1, products_total) })),
  wrong('totals-as-text', 'The database driver returns counts as text.')
    .failsIn('HTTP-6.listProducts', '/total')
    .members(at.list, ({ total }) => ({ total: String(total) })),
  wrong('offset-from-one', 'The list says the number of its first product, counted from one, as offset.')
    .failsIn('PAGE-1.defaults', 'offset must be 0, is 1')
    .members(at.list, ({ offset }) => ({ offset: offset + 1 })),
  wrong('offset-not-echoed', 'The list repeats the default offset instead of the offset of the request.')
    .failsIn('PAGE-1.echo', 'offset must be 1, is 0')
    .members(at.list, { offset: 0 }),
  wrong('limit-0-is-default', 'The limit 0 counts as no limit, so that the default is used.')
    .failsIn('PAGE-2.limit-0', 'limit must be 1, is 50')
    .ignores(at.list, 'limit', (limit) => limit === '0'),
  wrong('page-not-echoed', 'The response repeats limit and offset of another page.')
    .failsIn('PAGE-2.limit-201', 'limit must be 200, is 7')
    .members(at.list, { limit: 7, offset: 3 }),
];

// The search.

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

const lower = (text: string, form: 'NFC' | 'NFKC'): string => text.normalize(form).toLowerCase();
const visible = (text: string): string => text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');

/** Takes a character of the search for a wildcard. */
function withWildcard(character: string, pattern: string): Change {
  return searchBy(({ name }, text) => {
    const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(character, pattern);
    return new RegExp(escaped, 'i').test(name);
  });
}

export const search: readonly WrongProvider[] = [
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
  wrong('search-escaped-before-folding', 'The search escapes wildcards before it folds ％ to %.')
    .failsIn('SRCH-2.literal-full-width', 'must not find')
    .does(withWildcard('％', '.*')),
  wrong('search-in-nfc', 'The search folds to NFC: a no-break space is another character than a space.')
    .failsIn('SRCH-2.typed-no-break-space', 'the search must find the product')
    .does(searchBy(({ name }, text) => lower(name, 'NFC').includes(lower(text, 'NFC')))),
  wrong('search-with-invisible-characters', 'The search compares characters that nobody sees.')
    .failsIn('SRCH-2.typed-soft-hyphen', 'the search must find the product')
    .does(searchBy(({ name }, text) => lower(name, 'NFKC').includes(lower(text, 'NFKC')))),
  wrong('search-with-dot', 'The search folds İ to an i with another dot.')
    .failsIn('SRCH-2.typed-dotted-i', 'the search must find the product')
    .does(searchBy(({ name }, text) => visible(lower(name, 'NFKC')).includes(visible(lower(text, 'NFKC'))))),
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
    .failsIn('SRCH-1.with-paging', 'items must be []')
    .responds(at.list, async (response, call) => {
      const { items } = Object(await jsonOf(response));
      if (items?.length !== 0 || !call.query.has('search')) return undefined;
      return call.with({ query: { offset: null } }).send();
    }),
  wrong('search-first-product-twice', 'A search begins with the first product for offset 1, too.')
    .failsIn('SRCH-1.with-paging', 'the joined pages must be')
    .ignores(at.list, 'offset', (offset, { query }) => offset === '1' && query.has('search')),
  wrong('search-index-empty', 'The index of the search is empty.')
    .failsIn('SRCH-2.folding-greek', 'the search must find the product')
    .parameter(at.list, 'search', (text) => (text === null ? null : 'zz-nothing')),
  wrong('search-for-nothing-finds-nothing', 'A search that folds to nothing finds nothing.')
    .failsIn('SRCH-3.nothing-visible', 'total must be')
    .does(searchBy((item, text) => visible(text) !== '' && has(item, text))),
  wrong('search-off', 'The search is off, and every product is found.')
    .failsIn('SRCH-3.length-1001', 'items must be []')
    .ignores(at.list, 'search'),
];

// The GTIN and the serial number.

/** Finds the products in the whole list by another rule. */
function findBy(name: 'gtin' | 'serial', isFound: (item: Item, text: string) => boolean): Change {
  return members(at.list, async (_, call) => {
    const text = call.query.get(name);
    if (text === null) return {};
    const items = (await wholeList(call.with({ query: { [name]: null } }))).filter((item) => isFound(item, text));
    return { items, total: items.length };
  });
}

export const finding: readonly WrongProvider[] = [
  wrong('gtin-parameter-ignored', 'The parameter gtin does nothing.')
    .failsIn('FIND-1.as-sent', 'the GTIN also finds')
    .ignores(at.list, 'gtin'),
  wrong('gtin-compared-as-text', 'The parameter gtin finds only GTINs of the same length.')
    .failsIn('FIND-1.length', 'which products the GTIN finds')
    .does(findBy('gtin', ({ gtin }, text) => gtin === text)),
  wrong('gtin-form-ignored', 'A gtin in another form finds nothing.')
    .failsIn('FIND-1.form', 'must get 400')
    .parameter(at.list, 'gtin', (text) => (text?.length === 9 ? '00000000' : text)),
  wrong('gtin-of-all-tenants', 'The parameter gtin also finds the products of other tenants.')
    .failsIn('FIND-1.foreign', 'must not contain verify-find-foreign')
    .members(at.list, async ({ items, total }, call) => {
      if (!call.query.has('gtin')) return {};
      const other = await call.with({ key: call.keys[1] }).reply<ProductList>();
      return { items: [...items, ...other.items], total: total + other.total };
    }),
  wrong('serial-parameter-ignored', 'The parameter serial does nothing.')
    .failsIn('FIND-2.item', 'which products the serial number finds')
    .ignores(at.list, 'serial'),
  wrong('empty-serial-ignored', 'An empty serial does not filter.')
    .failsIn('FIND-2.no-item', 'which products an empty serial number finds')
    .ignores(at.list, 'serial', (text) => text === ''),
  wrong('serial-in-any-case', 'The parameter serial does not compare case.')
    .failsIn('FIND-2.exact', 'the serial number verify-1 finds')
    .does(findBy('serial', (item, text) => (item.serial_number ?? '').toLowerCase() === text.toLowerCase())),
  wrong('serial-of-public-level-listed', 'Lists have a serial number only if everybody may read it.')
    .failsIn('FIND-2.listed', 'the serial numbers of the model and the item')
    .each(at.list, 'items', () => ({ serial_number: null })),
];
