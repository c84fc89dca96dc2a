/** Mistakes of the scan statistics. */
import { at } from '../call.ts';
import { asks, type Change, counts, responds, withStatus } from '../change.ts';
import { type WrongProvider, wrong } from '../row.ts';

/** One view of the page counts, but gets 500. */
const failsAtView = (number: number): Change =>
  counts((views) => responds(at.page, (response) => (views.next() === number ? withStatus(response, 500) : undefined)));

/** Only the first views of the page count. */
export const countsFirst = (count: number): Change =>
  counts((views) => asks(at.page, (call) => (views.next() > count ? call.uncounted : undefined)));

export const scanStatistics: readonly WrongProvider[] = [
  wrong('scan-counted-twice', 'A view of the page counts twice: once in the handler and once in the middleware.')
    .failsIn('SCAN-1.view-consumer', 'total grows by 2, and')
    .also(at.page, 200, (call) => call),
  wrong('scan-not-counted', 'Only the first two views of the page count.')
    .failsIn('SCAN-1.consumer', 'must be [1,1], is [0,0]', 'SCAN-1.consumer')
    .does(countsFirst(2)),
  wrong('robots-counted', 'Views of robots count.')
    .failsIn('SCAN-1.robots', 'the growth of total must be 0, is 5', 'SCAN-1.robots')
    .asks(at.page, (call) => call.with({ headers: { 'user-agent': null } })),
  wrong('all-scans-of-consumers', 'Every view counts as that of a consumer.')
    .failsIn('SCAN-1.view-recycler', 'by_view_role.recycler by 0')
    .instead({ ...at.page, query: 'zugang=' }, async (call) => {
      await call.with({ query: { zugang: null } }).send();
      return call.uncounted.send();
    }),
  wrong('default-of-7-days', 'The default of days is 7.')
    .failsIn('SCAN-2.default', 'days must be 30, is 7')
    .parameter(at.scans, 'days', (days) => days ?? '7'),
  wrong('days-not-echoed', 'The statistics repeat the default in place of the days of the request.')
    .failsIn('SCAN-2.echo', 'days must be 7, is 30')
    .members(at.scans, { days: 30 }),
  wrong('total-of-all-time', 'total counts the scans of all time, and per_day those of the period.')
    .failsIn('SCAN-2.sums-30', 'per_day')
    .members(at.scans, ({ total }) => ({ total: total + 3 })),
  wrong('today-missing', 'per_day ends yesterday.')
    .failsIn('SCAN-2.sums-30', 'per_day')
    .elements(at.scans, 'per_day', (days) => days.slice(0, -1)),
  wrong('role-missing', 'by_view_role leaves out consumers.')
    .failsIn('SCAN-2.sums-30', 'by_view_role')
    .members(at.scans, ({ by_view_role: roles }) => ({ by_view_role: { ...roles, consumer: 0 } })),
  wrong('days-as-times', 'The dates of per_day are times.')
    .failsIn('HTTP-6.getScanStatistics', '/per_day')
    .each(at.scans, 'per_day', ({ date }) => ({ date: `${date}T00:00:00.000Z` })),
  wrong('per-day-as-object', 'per_day is an object of counts by date.')
    .failsIn('HTTP-6.getScanStatistics', '/per_day')
    .members(at.scans, ({ per_day }) => ({
      per_day: Object.fromEntries(per_day.map(({ date, count }) => [date, count])),
    })),
  wrong('top-products-once', 'Each product in top_products has the count 1, because the rows are grouped twice.')
    .failsIn('SCAN-1.top-products', 'in top_products from')
    .each(at.scans, 'top_products', () => ({ count: 1 })),
  wrong('top-products-without-slug', 'top_products has no slugs.')
    .failsIn('HTTP-6.getScanStatistics', '/top_products')
    .each(at.scans, 'top_products', () => ({ slug: undefined })),
  wrong('today-twice', 'per_day has a second row for today.')
    .failsIn('SCAN-2.dates', 'the number of different dates must be')
    .elements(at.scans, 'per_day', (days) => [...days, ...days.slice(-1).map(({ date }) => ({ date, count: 0 }))]),
  wrong('first-view-500', 'The first view of the page causes an exception, because its counter does not exist yet.')
    .failsIn('SCAN-1.view-consumer', 'the status of the page must be 200, is 500', 'SCAN-1.view-consumer')
    .does(failsAtView(1)),
  wrong('second-view-500', 'The second view of a visitor causes an exception, because the first was counted.')
    .failsIn('SCAN-1.view-consumer', 'the status of the page must be 200, is 500', 'SCAN-1.view-consumer')
    .does(failsAtView(2)),
  wrong('statistics-of-month', 'The statistics are always those of one month, without today.')
    .failsIn('SCAN-2.days-365', 'days must be 365, is 31')
    .members(at.scans, ({ per_day }) => ({ days: 31, per_day: per_day.slice(0, -1) })),
  wrong('role-of-view-lost', 'A view with a token counts, but in no role.', 'reference')
    .failsIn('SCAN-1.recycler', 'must be [1,1], is [1,0]', 'SCAN-1.recycler', 'SCAN-1.inspector')
    .members(at.scans, ({ by_view_role: roles }) => ({ by_view_role: { ...roles, recycler: 0, inspector: 0 } })),
];
