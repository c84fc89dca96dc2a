/** SCAN: page views are counted once, and the statistics agree with themselves. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ScanStatistics } from '@product-passport/sdk';
import { type Ask, type Case, type Context, check, checkEqual, family, refuses } from '../case.ts';
import type { Need } from '../claims.ts';
import { type ActiveProduct, documentPath, pagePath } from '../world.ts';

const statistics = '/paths/~1api~1v1~1analytics~1scans/get';
const page = '/paths/~1p~1{tenant}~1{product}/get';

const viewed = family('SCAN-1', { claim: 'public', clause: page, needs: ['active product', 'counted view'] });
const counted = family('SCAN-1', {
  claim: 'reference',
  clause: page,
  needs: ['active product', 'counted view'],
});
const agreeing = family('SCAN-2', { claim: 'core', clause: statistics });

type Role = 'consumer' | 'recycler' | 'inspector';

const viewers: Readonly<Record<Role, { readonly needs: readonly Need[]; readonly what: string }>> = {
  consumer: { needs: [], what: 'without a token, as a consumer,' },
  recycler: { needs: ['recycler token'], what: 'with the token of a recycler, in that role,' },
  inspector: { needs: ['inspector token'], what: 'with the token of an inspector, in that role,' },
};

/** Statistics may follow a view a little later. */
const settle = 2000;
/** A service may count views in batches. */
const firstBatch = 30_000;
/** Another visitor may view a page of the same tenant at the same time. */
const tries = 3;

/** What the service uses instead of `days`. */
const clamped: Readonly<Record<string, number>> = { '0': 1, '-1': 1, '1': 1, '365': 365, '366': 365 };

/** A search engine, previews of messengers, and a monitor. */
const robots = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'facebookexternalhit/1.1',
  'WhatsApp/2.23',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
];

export const scans: readonly Case[] = [
  ...Object.entries(viewers).map(([role, { needs, what }]) =>
    viewed.with({ needs })(`view-${role}`, `A view of the page ${what} counts at most once.`, async (context) => {
      checkAtMostOnce(await viewOnce(context, role as Role), role as Role);
    }),
  ),
  viewed('top-products', 'The count of a product in top_products grows with total.', async (context) => {
    const product = await context.world.activeProduct();
    const isRight = (growth: Growth) => {
      const [before, after] = countsIn(growth, product);
      // The list may leave out the product. A count of 1 would not show that the next view counts.
      return growth.total === 0 || after === undefined || (after > 1 && after - (before ?? 0) === growth.total);
    };
    const first = await viewOnce(context, 'consumer');
    const growth = isRight(first) ? first : await growthWith(context, product, { path: pagePath(product) }, isRight);
    const counts = countsIn(growth, product).map((count) => count ?? 'none');
    const what = `after one view total grows by ${growth.total}, and the count of ${product.slug} in top_products`;
    check(isRight(growth), `${what} from ${counts.join(' to ')}`);
  }),
  ...Object.entries(viewers).map(([role, { needs, what }]) =>
    counted.with({ needs })(role, `A view of the page ${what} counts once.`, (context) =>
      countsOnce(context, role as Role),
    ),
  ),
  counted.with({ needs: ['GTIN'] })(
    'not-a-view',
    'HEAD, the JSON-LD document, the resolver, 304 and a prefetch do not count.',
    async (context) => {
      const product = await context.world.activeProduct();
      const link = await context.world.link();
      const etag = (await context.send({ path: pagePath(product) })).headers.etag ?? '';
      await countsNothing(context, product, [
        { path: pagePath(product), method: 'HEAD' },
        { path: documentPath(product) },
        { path: link },
        { path: pagePath(product), headers: { 'if-none-match': etag } },
        { path: pagePath(product), headers: { 'sec-purpose': 'prefetch' } },
      ]);
    },
  ),
  counted('robots', 'Robots that name themselves and a request with Range do not count.', async (context) => {
    const product = await context.world.activeProduct();
    const views = [...robots.map((robot) => ({ 'user-agent': robot })), { range: 'bytes=0-99' }];
    await countsNothing(
      context,
      product,
      views.map((headers) => ({ path: pagePath(product), headers })),
    );
  }),
  agreeing('default', 'The period is 30 days by default.', async ({ api }) => {
    checkEqual((await api.scans()).days, 30, 'days');
  }),
  agreeing('echo', 'The response repeats the period.', async ({ api }) => {
    checkEqual((await api.scans({ days: 7 })).days, 7, 'days');
  }),
  ...[1, 30, 365].map((days) =>
    agreeing(`sums-${days}`, `The sums of ${days} days by day and by role are the total.`, async ({ api }) => {
      const { total, per_day, by_view_role } = await api.scans({ days });
      checkEqual(sum(per_day.map(({ count }) => count)), total, 'the sum of per_day');
      checkEqual(sum(Object.values(by_view_role)), total, 'the sum of by_view_role');
    }),
  ),
  agreeing('roles', 'by_view_role has consumer, inspector and recycler.', async ({ api }) => {
    const { by_view_role } = await api.scans();
    for (const role of ['consumer', 'inspector', 'recycler'])
      check(role in by_view_role, `by_view_role must have ${role}`);
  }),
  agreeing('dates', 'per_day has dates, each once.', async ({ api }) => {
    const dates = (await api.scans({ days: 7 })).per_day.map(({ date }) => date);
    const areDates = dates.every((date) => /^\d{4}-\d{2}-\d{2}$/.test(date));
    check(areDates, 'each date must be YYYY-MM-DD');
    // The description leaves open how many items per_day has.
    checkEqual(new Set(dates).size, dates.length, 'the number of different dates');
  }),
  ...[1, 7, 365].map((days) =>
    agreeing.reference(
      `every-day-${days}`,
      `per_day has every one of ${days} days, oldest first, today last.`,
      async ({ api }) => {
        const before = utcDate();
        const { per_day } = await api.scans({ days });
        checkEqual(per_day.length, days, 'the number of days');
        const last = per_day.at(-1)?.date;
        check(last === before || last === utcDate(), `the last date must be today, is ${last}`);
        const dates = per_day.map(({ date }) => date);
        checkEqual(dates, [...dates].sort(), 'the order of the dates');
      },
    ),
  ),
  ...Object.entries(clamped).map(([sent, used]) =>
    agreeing.reference(`days-${sent}`, `days=${sent} is used as ${used}.`, async ({ api }) => {
      checkEqual((await api.scans({ days: sent })).days, used, 'days');
    }),
  ),
  ...Object.entries({ fraction: '1.5', word: 'abc', empty: '', twice: ['1', '2'] }).map(([name, days]) =>
    agreeing.reference(
      `days-${name}`,
      `days=${JSON.stringify(days)} gets 400 invalid_request.`,
      refuses({ path: '/api/v1/analytics/scans', query: { days: 1 } }, { query: { days } }),
    ),
  ),
  agreeing.reference(
    'top-products',
    'top_products has at most 10 products, the most scanned first.',
    async ({ api }) => {
      const { top_products } = await api.scans({ days: 365 });
      check(top_products.length <= 10, `top_products must have at most 10 items, has ${top_products.length}`);
      const sorted = [...top_products].sort(
        (one, other) => other.count - one.count || (one.slug < other.slug ? -1 : 1),
      );
      checkEqual(top_products, sorted, 'top_products');
    },
  ),
];

/** The statistics before and after one view. */
interface Growth {
  readonly before: ScanStatistics;
  readonly after: ScanStatistics;
  /** The growth of `total`. */
  readonly total: number;
}

const growthOf = ({ before, after }: Growth, role: Role): number =>
  after.by_view_role[role] - before.by_view_role[role];

/** The counts of the product in `top_products`, before and after the view. */
function countsIn({ before, after }: Growth, { slug }: ActiveProduct): (number | undefined)[] {
  return [before, after].map(({ top_products }) => top_products.find((one) => one.slug === slug)?.count);
}

async function countsOnce(context: Context, role: Role): Promise<void> {
  await viewCounted(context);
  const product = await context.world.activeProduct();
  const isRight = (growth: Growth) => growth.total === 1 && growthOf(growth, role) === 1;
  const growth = await growthWith(context, product, await viewOf(context, role), isRight);
  const grown = [growth.total, growthOf(growth, role)];
  checkEqual(grown, [1, 1], `the growth of total and of by_view_role.${role} after one view`);
}

/** The description leaves open whether another view of the same visitor counts, and when a view counts. */
function isAtMostOnce(growth: Growth, role: Role): boolean {
  return growth.total === growthOf(growth, role) && growth.total <= 1;
}

function checkAtMostOnce(growth: Growth, role: Role): void {
  const what = `after one view total grows by ${growth.total}, and by_view_role.${role} by ${growthOf(growth, role)}`;
  check(isAtMostOnce(growth, role), `${what}: both must grow by 1, or by 0 if the visitor was counted before`);
}

async function viewOf({ world }: Context, role: Role): Promise<Ask> {
  const path = pagePath(await world.activeProduct());
  return role === 'consumer' ? { path } : { path, query: { zugang: await world.token(role) } };
}

/** The growth by the view of a role, once in a run. */
function viewOnce({ once }: Context, role: Role): Promise<Growth> {
  return once(`view of the ${role}`, async (context) => {
    const product = await context.world.activeProduct();
    await someViewCounted(context, product);
    return growthWith(context, product, await viewOf(context, role), (growth) => isAtMostOnce(growth, role));
  });
}

/** @throws NotTested if the statistics have counted no view of these days yet. The wait is once in a run. */
async function someViewCounted({ once, world }: Context, { api, ...product }: ActiveProduct): Promise<void> {
  const isCounted = await once('counted view', async ({ send }) => {
    if ((await api.scans({ days: 2 })).total > 0) return true;
    checkEqual((await send({ path: pagePath(product) })).status, 200, 'the status of the page');
    const read = () => api.scans({ days: 2 });
    return (await settled(read, ({ total }) => total > 0, firstBatch)).total > 0;
  });
  world.require('counted view', isCounted);
}

/**
 * @throws NotTested if the first view of the product does not count: the law forbids it for some groups, and a tenant or
 *   an operator can switch scans off
 */
async function viewCounted(context: Context): Promise<void> {
  context.world.require('counted view', (await viewOnce(context, 'consumer')).total > 0);
}

/** Views the page until the growth is right, but only a few times: another visitor may view a page at the same time. */
async function growthWith(
  context: Context,
  { api }: ActiveProduct,
  view: Ask,
  isRight: (growth: Growth) => boolean,
): Promise<Growth> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await api.scans({ days: 2 });
    checkEqual((await context.send(view)).status, 200, 'the status of the page');
    const after = await settled(
      () => api.scans({ days: 2 }),
      ({ total }) => total > before.total,
    );
    const growth = { before, after, total: after.total - before.total };
    if (isRight(growth) || attempt === tries) return growth;
    // The views of earlier cases may be counted now.
    await delay(attempt === 1 ? 100 : settle);
  }
}

async function countsNothing(context: Context, product: ActiveProduct, views: readonly Ask[]): Promise<void> {
  await viewCounted(context);
  const { send } = context;
  const { api } = product;
  let grown = 0;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const before = await api.scans({ days: 2 });
    for (const view of views) await send(view);
    grown = (await api.scans({ days: 2 })).total - before.total;
    if (grown === 0) return;
  }
  checkEqual(grown, 0, 'the growth of total');
}

const maxReads = 20;

/** Reads until the condition holds, for about `limit` milliseconds. A busy machine does not reduce the number of reads. */
async function settled<Value>(
  read: () => Promise<Value>,
  isDone: (value: Value) => boolean,
  limit = settle,
): Promise<Value> {
  for (let reads = 1; ; reads += 1) {
    const value = await read();
    if (isDone(value) || reads > maxReads) return value;
    await delay(limit / maxReads);
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function utcDate(): string {
  return new Date().toISOString().slice(0, 10);
}
