/** Mistakes of the product list: paging and the filter by status. */
import type { Me, ProductList } from '@product-passport/sdk';
import {
  changeJson,
  changeQuery,
  changeResponse,
  error,
  jsonOf,
  list,
  type Mutant,
  me,
  respondWith,
  withBody,
  withQuery,
} from '../alter.ts';

function parameterOf(request: Request, name: string): string | null {
  return new URL(request.url).searchParams.get(name);
}

const inRange: Readonly<Record<string, (text: string) => boolean>> = {
  limit: (text) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 200,
  offset: (text) => /^\d{1,6}$/.test(text),
  status: (text) => /^(draft|active|archived)$/.test(text),
};

export const paging: readonly Mutant[] = [
  {
    id: 'limit-not-echoed',
    mistake: 'The list repeats the default limit instead of the limit of the request.',
    killedBy: 'PAGE-1.echo',
    because: 'limit must be 3, is 50',
    wrap: changeJson(list, (body: ProductList) => ({ ...body, limit: 50 })),
  },
  {
    id: 'default-limit-20',
    mistake: 'The default of limit is 20.',
    killedBy: 'PAGE-1.defaults',
    because: 'limit must be 50, is 20',
    wrap: changeQuery(list, (query) => {
      if (!query.has('limit')) query.set('limit', '20');
    }),
  },
  {
    id: 'limit-ignored',
    mistake: 'Every page has up to 50 products.',
    killedBy: 'PAGE-1.echo',
    because: 'the number of items must be 3',
    wrap: changeResponse(list, async (response, request, service) => {
      const limit = Number(parameterOf(request, 'limit') ?? 50);
      if (response.status !== 200) return response;
      const all = await service.fetch(withQuery(request, (query) => query.set('limit', '50')));
      const body = (await jsonOf(all)) as ProductList;
      return withBody(all, JSON.stringify({ ...body, limit: Math.min(limit, 200) }));
    }),
  },
  {
    id: 'maximum-100',
    mistake: 'The maximum of limit is 100.',
    killedBy: 'PAGE-1.maximum',
    because: 'limit must be 200, is 100',
    wrap: changeQuery(list, (query) => {
      if (Number(query.get('limit')) > 100) query.set('limit', '100');
    }),
  },
  {
    id: 'no-maximum',
    mistake: 'limit has no maximum.',
    killedBy: 'PAGE-1.above-maximum',
    because: 'limit must be at most 200, is 201',
    wrap: changeJson(list, (body: ProductList, request) => ({
      ...body,
      limit: Number(parameterOf(request, 'limit') ?? body.limit),
    })),
  },
  ...Object.entries(inRange).map(
    ([name, isInRange]): Mutant => ({
      id: `invalid-${name}-500`,
      mistake: `A value of ${name} outside its range reaches the database and causes a 500.`,
      killedBy: `PAGE-1.open-${name}-${name === 'status' ? 'unknown' : 'word'}`,
      because: 'must cause no server error, gets 500',
      wrap: respondWith(list, (request) => {
        const text = parameterOf(request, name);
        return text === null || isInRange(text) ? undefined : error(500, 'internal_error');
      }),
    }),
  ),
  {
    id: 'offset-ignored',
    mistake: 'Every page begins at the first product.',
    killedBy: 'PAGE-4.limit-2',
    because: 'the joined pages',
    wrap: changeQuery(list, (query) => query.delete('offset')),
  },
  {
    id: 'offset-is-page',
    mistake: 'offset counts pages.',
    killedBy: 'PAGE-4.limit-2',
    because: 'the joined pages',
    wrap: changeResponse(list, async (response, request, service) => {
      const offset = Number(parameterOf(request, 'offset') ?? 0);
      const limit = Number(parameterOf(request, 'limit') ?? 50);
      if (response.status !== 200 || !(offset > 0)) return response;
      const paged = await service.fetch(withQuery(request, (query) => query.set('offset', String(offset * limit))));
      return withBody(paged, JSON.stringify({ ...((await jsonOf(paged)) as ProductList), offset }));
    }),
  },
  {
    id: 'offset-one-too-far',
    mistake: 'Every page but the first leaves out one product.',
    killedBy: 'PAGE-3.last',
    because: 'the page at total−1',
    wrap: changeResponse(list, async (response, request, service) => {
      const offset = Number(parameterOf(request, 'offset') ?? 0);
      if (response.status !== 200 || !(offset > 0)) return response;
      const later = await service.fetch(withQuery(request, (query) => query.set('offset', String(offset + 1))));
      return withBody(later, JSON.stringify({ ...((await jsonOf(later)) as ProductList), offset }));
    }),
  },
  {
    id: 'total-of-page',
    mistake: 'total is the number of products on the page.',
    killedBy: 'PAGE-3.last',
    because: 'total must be',
    wrap: changeJson(list, (body: ProductList) => ({ ...body, total: body.items.length })),
  },
  {
    id: 'total-from-rows',
    mistake: 'total comes from a window count in the rows, so that it is 0 after the last page.',
    killedBy: 'PAGE-3.past-0',
    because: 'total must be',
    wrap: changeJson(list, (body: ProductList) => ({ ...body, total: body.items.length === 0 ? 0 : body.total })),
  },
  {
    id: 'past-end-404',
    mistake: 'A page after the last one gets 404.',
    killedBy: 'PAGE-3.past-1000',
    because: 'must respond with 200, responds with 404',
    wrap: changeResponse(list, async (response) => {
      if (response.status !== 200) return response;
      const { items, offset } = (await jsonOf(response)) as ProductList;
      return items.length === 0 && offset > 0 ? error(404, 'not_found') : response;
    }),
  },
  {
    id: 'order-by-nothing',
    mistake: 'The query has no ORDER BY, so that the order changes from page to page.',
    killedBy: 'PAGE-4.limit-7',
    because: 'the joined pages',
    wrap: (service) => {
      let count = 0;
      return changeResponse(list, async (response, request) => {
        const total = ((await jsonOf(response)) as Partial<ProductList>)?.total;
        count += 1;
        if (response.status !== 200 || total === undefined || count % 2 === 0) return response;
        const limit = Number(parameterOf(request, 'limit') ?? 50);
        const offset = Number(parameterOf(request, 'offset') ?? 0);
        const first = Math.max(0, total - offset - limit);
        const mirrored = await service.fetch(
          withQuery(request, (query) => {
            query.set('offset', String(first));
            query.set('limit', String(Math.max(1, Math.min(limit, total - offset))));
          }),
        );
        const body = (await jsonOf(mirrored)) as ProductList;
        const items = offset >= total ? [] : [...body.items].reverse();
        return withBody(mirrored, JSON.stringify({ ...body, items, limit, offset }));
      })(service);
    },
  },
  {
    id: 'last-page-lost',
    mistake: 'A last page that is not full is left out.',
    killedBy: 'PAGE-4.all',
    because: 'the number of products on all pages',
    wrap: changeJson(list, (body: ProductList) =>
      body.items.length < body.limit && body.items.length > 1 ? { ...body, items: [] } : body,
    ),
  },
  {
    id: 'status-filter-ignored',
    mistake: 'The filter by status does nothing.',
    killedBy: 'PAGE-5.active',
    because: 'the other statuses in the list',
    wrap: changeQuery(list, (query) => query.delete('status')),
  },
  {
    id: 'status-filter-after-paging',
    mistake: 'The filter by status is applied to the page instead of the list.',
    killedBy: 'PAGE-5.totals',
    because: 'the sum of the totals',
    wrap: changeResponse(list, async (response, request, service) => {
      const status = parameterOf(request, 'status');
      if (response.status !== 200 || status === null) return response;
      const page = await service.fetch(withQuery(request, (query) => query.delete('status')));
      const body = (await jsonOf(page)) as ProductList;
      return withBody(page, JSON.stringify({ ...body, items: body.items.filter((item) => item.status === status) }));
    }),
  },
  {
    id: 'drafts-hidden',
    mistake: 'The list without a filter leaves out drafts.',
    killedBy: 'PAGE-5.totals',
    because: 'the sum of the totals',
    wrap: changeQuery(list, (query) => {
      if (!query.has('status')) query.set('status', 'active');
    }),
  },
  {
    id: 'products-total-of-active',
    mistake: 'products_total counts active products only.',
    claims: ['reference'],
    killedBy: 'PROD-1.total-of-list',
    because: 'products_total must be',
    wrap: changeJson(me, (body: Me) => ({ ...body, products_total: Math.min(1, body.products_total) })),
  },
  {
    id: 'totals-as-text',
    mistake: 'The database driver returns counts as text.',
    killedBy: 'HTTP-6.listProducts',
    because: '/total',
    wrap: changeJson(list, (body: ProductList) => ({ ...body, total: String(body.total) })),
  },
  {
    id: 'offset-from-one',
    mistake: 'The list says the number of its first product, counted from one, as offset.',
    killedBy: 'PAGE-1.defaults',
    because: 'offset must be 0, is 1',
    wrap: changeJson(list, (body: ProductList) => ({ ...body, offset: body.offset + 1 })),
  },
  {
    id: 'offset-not-echoed',
    mistake: 'The list repeats the default offset instead of the offset of the request.',
    killedBy: 'PAGE-1.echo',
    because: 'offset must be 1, is 0',
    wrap: changeJson(list, (body: ProductList) => ({ ...body, offset: 0 })),
  },
  {
    id: 'limit-0-is-default',
    mistake: 'The limit 0 counts as no limit, so that the default is used.',
    claims: ['reference'],
    killedBy: 'PAGE-2.limit-0',
    because: 'limit must be 1, is 50',
    wrap: changeQuery(list, (query) => {
      if (query.get('limit') === '0') query.delete('limit');
    }),
  },
  {
    id: 'page-not-echoed',
    mistake: 'The response repeats limit and offset of another page.',
    claims: ['reference'],
    killedBy: 'PAGE-2.limit-201',
    because: 'limit must be 200, is 7',
    wrap: changeJson(list, (body: ProductList) => ({ ...body, limit: 7, offset: 3 })),
  },
];
