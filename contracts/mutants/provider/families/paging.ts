/** Mistakes of the product list: paging and the filter by status. */
import type { ProductList } from '@product-passport/sdk';
import { at, type Call, jsonOf } from '../call.ts';
import { type Change, error, members, refuses } from '../change.ts';
import { type Mutant, wrong } from '../row.ts';

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

/** Sends the items of another part of the list, in the words of the one that the client asked for. */
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

export const paging: readonly Mutant[] = [
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
    .failsIn('PAGE-3.last', 'the page at total−1')
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
