/** Mistakes of the scan statistics. */
import type { ScanStatistics } from '@product-passport/sdk';
import {
  changeJson,
  changeQuery,
  changeRequest,
  changeResponse,
  type Mutant,
  page,
  scans,
  type Wrap,
  withQuery,
  withStatus,
} from '../alter.ts';

function changeStatistics(change: (body: ScanStatistics) => object) {
  return changeJson(scans, change);
}

/** One view of the page counts, but gets 500. */
function failsAtView(number: number): Wrap {
  return (service) => {
    let views = 0;
    return changeResponse(page, (response) => {
      views += 1;
      return views === number ? withStatus(response, 500) : response;
    })(service);
  };
}

export const scanStatistics: readonly Mutant[] = [
  {
    id: 'scan-counted-twice',
    mistake: 'A view of the page counts twice: once in the handler and once in the middleware.',
    killedBy: 'SCAN-1.view-consumer',
    because: 'total grows by 2, and',
    wrap: changeResponse(page, async (response, request, service) => {
      if (response.status === 200) await service.fetch(request.clone());
      return response;
    }),
  },
  {
    id: 'scan-not-counted',
    mistake: 'Only the first two views of the page count.',
    claims: ['reference'],
    killedBy: 'SCAN-1.consumer',
    because: 'must be [1,1], is [0,0]',
    only: ['SCAN-1.consumer'],
    wrap: (service) => {
      let views = 0;
      return changeRequest(page, (request) => {
        views += 1;
        if (views <= 2) return request;
        const headers = new Headers(request.headers);
        headers.set('sec-purpose', 'prefetch');
        return new Request(request.clone(), { headers });
      })(service);
    },
  },
  {
    id: 'all-scans-of-consumers',
    mistake: 'Every view counts as that of a consumer.',
    killedBy: 'SCAN-1.view-recycler',
    because: 'by_view_role.recycler by 0',
    wrap: (service) => async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (!page.path.test(pathname) || !searchParams.has('zugang') || request.method !== 'GET') {
        return service.fetch(request);
      }
      await service.fetch(withQuery(request, (query) => query.delete('zugang')));
      const headers = new Headers(request.headers);
      headers.set('sec-purpose', 'prefetch');
      return service.fetch(new Request(request, { headers }));
    },
  },
  {
    id: 'default-of-7-days',
    mistake: 'The default of days is 7.',
    killedBy: 'SCAN-2.default',
    because: 'days must be 30, is 7',
    wrap: changeQuery(scans, (query) => {
      if (!query.has('days')) query.set('days', '7');
    }),
  },
  {
    id: 'days-not-echoed',
    mistake: 'The statistics repeat the default in place of the days of the request.',
    killedBy: 'SCAN-2.echo',
    because: 'days must be 7, is 30',
    wrap: changeStatistics((body) => ({ ...body, days: 30 })),
  },
  {
    id: 'total-of-all-time',
    mistake: 'total counts the scans of all time, and per_day those of the period.',
    killedBy: 'SCAN-2.sums-30',
    because: 'per_day',
    wrap: changeStatistics((body) => ({ ...body, total: body.total + 3 })),
  },
  {
    id: 'today-missing',
    mistake: 'per_day ends yesterday.',
    killedBy: 'SCAN-2.sums-30',
    because: 'per_day',
    wrap: changeStatistics((body) => ({ ...body, per_day: body.per_day.slice(0, -1) })),
  },
  {
    id: 'role-missing',
    mistake: 'by_view_role leaves out consumers.',
    killedBy: 'SCAN-2.sums-30',
    because: 'by_view_role',
    wrap: changeStatistics((body) => ({ ...body, by_view_role: { ...body.by_view_role, consumer: 0 } })),
  },
  {
    id: 'days-as-times',
    mistake: 'The dates of per_day are times.',
    killedBy: 'HTTP-6.getScanStatistics',
    because: '/per_day',
    wrap: changeStatistics((body) => ({
      ...body,
      per_day: body.per_day.map((day) => ({ ...day, date: `${day.date}T00:00:00.000Z` })),
    })),
  },
  {
    id: 'per-day-as-object',
    mistake: 'per_day is an object of counts by date.',
    killedBy: 'HTTP-6.getScanStatistics',
    because: '/per_day',
    wrap: changeStatistics((body) => ({
      ...body,
      per_day: Object.fromEntries(body.per_day.map(({ date, count }) => [date, count])),
    })),
  },
  {
    id: 'top-products-once',
    mistake: 'Each product in top_products has the count 1, because the rows are grouped twice.',
    killedBy: 'SCAN-1.top-products',
    because: 'in top_products from',
    wrap: changeStatistics((body) => ({
      ...body,
      top_products: body.top_products.map((one) => ({ ...one, count: 1 })),
    })),
  },
  {
    id: 'top-products-without-slug',
    mistake: 'top_products has no slugs.',
    killedBy: 'HTTP-6.getScanStatistics',
    because: '/top_products',
    wrap: changeStatistics((body) => ({
      ...body,
      top_products: body.top_products.map(({ slug: _, ...rest }) => rest),
    })),
  },
  {
    id: 'today-twice',
    mistake: 'per_day has a second row for today.',
    killedBy: 'SCAN-2.dates',
    because: 'the number of different dates must be',
    wrap: changeStatistics((body) => ({
      ...body,
      per_day: [...body.per_day, ...body.per_day.slice(-1).map(({ date }) => ({ date, count: 0 }))],
    })),
  },
  {
    id: 'first-view-500',
    mistake: 'The first view of the page causes an exception, because its counter does not exist yet.',
    killedBy: 'SCAN-1.view-consumer',
    because: 'the status of the page must be 200, is 500',
    only: ['SCAN-1.view-consumer'],
    wrap: failsAtView(1),
  },
  {
    id: 'second-view-500',
    mistake: 'A second view of the same visitor causes an exception, because the first is counted already.',
    killedBy: 'SCAN-1.view-consumer',
    because: 'the status of the page must be 200, is 500',
    only: ['SCAN-1.view-consumer'],
    wrap: failsAtView(2),
  },
  {
    id: 'statistics-of-month',
    mistake: 'The statistics are always those of one month, without today.',
    claims: ['reference'],
    killedBy: 'SCAN-2.days-365',
    because: 'days must be 365, is 31',
    wrap: changeStatistics((body) => ({ ...body, days: 31, per_day: body.per_day.slice(0, -1) })),
  },
  {
    id: 'role-of-view-lost',
    mistake: 'A view with a token counts, but in no role.',
    of: 'reference',
    only: ['SCAN-1.recycler', 'SCAN-1.inspector'],
    killedBy: 'SCAN-1.recycler',
    because: 'must be [1,1], is [1,0]',
    wrap: changeStatistics((body) => ({ ...body, by_view_role: { ...body.by_view_role, recycler: 0, inspector: 0 } })),
  },
];
