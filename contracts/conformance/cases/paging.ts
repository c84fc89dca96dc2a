/** PAGE: limit, offset, totals, the order of pages, and the filter by status. */
import type { ProductList } from '@product-passport/sdk';
import { shown } from '../../judge/finding.ts';
import { type Api, maxPages, slugsOf, walk } from '../api.ts';
import { type Ask, type Case, check, checkEqual, family, refuses } from '../case.ts';
import { grow } from './products.ts';

const list = '/paths/~1api~1v1~1products/get';
const path = '/api/v1/products';

const defaults = family('PAGE-1', { claim: 'core', clause: list });
const bounds = family('PAGE-2', { claim: 'reference', clause: list });
const ends = family('PAGE-3', { claim: 'core', clause: list });
const joined = family('PAGE-4', { claim: 'core', clause: list });
const statuses = family('PAGE-5', { claim: 'core', clause: '/components/schemas/ProductStatus' });

/** Values that do not write a whole number. */
const notWhole = { fraction: '1.5', exponent: '1e1', blank: ' 5', word: 'abc', empty: '' };

/** What the service uses instead of a `limit` or an `offset`. */
const clamped = {
  limit: { '1': 1, '200': 200, '201': 200, '0': 1, '-1': 1, '1000000000': 200 },
  offset: { '0': 0, '-1': 0, '1000000000': 1_000_000_000, '9007199254740992': Number.MAX_SAFE_INTEGER },
};

/** Values that a provider may refuse or adjust. */
const open = {
  limit: { zero: '0', negative: '-1', above: '201', large: '1000000000', huge: '9'.repeat(20), ...notWhole },
  offset: { negative: '-1', large: '1000000000', huge: '9'.repeat(20), ...notWhole },
  status: { unknown: 'deleted', empty: '' },
};

/** Products that are created at the same time may have any order. In milliseconds. */
const concurrency = 1000;

export const paging: readonly Case[] = [
  defaults('defaults', 'A list without parameters has limit 50 and offset 0.', async ({ api }) => {
    const page = await api.list();
    checkEqual(page.limit, 50, 'limit');
    checkEqual(page.offset, 0, 'offset');
    checkLength(page, 50);
  }),
  defaults('echo', 'The response repeats limit and offset of the request.', async ({ api }) => {
    const page = await api.list({ limit: 3, offset: 1 });
    checkEqual(page.limit, 3, 'limit');
    checkEqual(page.offset, 1, 'offset');
    // PAGE-3 checks the total. A wrong one says nothing about the items.
    const { items } = await api.list({ limit: 200 });
    checkEqual(page.items.length, items.slice(1, 4).length, 'the number of items');
  }),
  defaults('maximum', 'limit=200 gives pages of 200 products.', async ({ api }) => {
    const page = await api.list({ limit: 200 });
    checkEqual(page.limit, 200, 'limit');
    checkLength(page, 200);
  }),
  defaults('above-maximum', 'A page never has more than 200 products.', async ({ sendFaulty }) => {
    const { status, json } = await sendFaulty({ path, query: { limit: 201 } });
    if (status !== 200) return;
    const { limit, items } = json as { limit: number; items: unknown[] };
    check(limit <= 200, `limit must be at most 200, is ${limit}`);
    check(items.length <= 200, `a page must have at most 200 items, has ${items.length}`);
  }),
  ...Object.entries(open).flatMap(([parameter, texts]) =>
    Object.entries(texts).map(([which, text]) =>
      defaults(`open-${parameter}-${which}`, `${parameter}=${text} causes no server error.`, async ({ sendFaulty }) => {
        const { status } = await sendFaulty({ path, query: { [parameter]: text } });
        check(status < 500, `a value outside the documented range must cause no server error, gets ${status}`);
      }),
    ),
  ),
  ...Object.entries(clamped).flatMap(([name, texts]) =>
    Object.entries(texts).map(([sent, used]) =>
      bounds(`${name}-${sent}`, `${name}=${sent} is used as ${used}.`, async ({ api }) => {
        const { limit, offset } = await api.list({ [name]: sent });
        checkEqual({ limit, offset }[name], used, name);
      }),
    ),
  ),
  ...['limit', 'offset'].flatMap((parameter) =>
    Object.entries(notWhole).map(([name, text]) =>
      bounds(
        `${parameter}-${name}`,
        `${parameter}=${JSON.stringify(text)} gets 400 invalid_request.`,
        refusesQuery({ [parameter]: 1 }, { [parameter]: text }),
      ),
    ),
  ),
  ...Object.entries({ limit: '1', offset: '1', status: 'draft', search: 'a' }).map(([name, value]) =>
    bounds(
      `${name}-twice`,
      `${name} given twice gets 400 invalid_request.`,
      refusesQuery({ [name]: value }, { [name]: [value, value] }),
    ),
  ),
  ends('last', 'The page at total−1 has the last product.', async ({ api }) => {
    const { total } = await api.list({ offset: 0 });
    const { items } = await listWithTotal(api, { limit: 2, offset: Math.max(0, total - 2) }, total);
    const page = await listWithTotal(api, { offset: Math.max(0, total - 1) }, total);
    checkEqual(slugsOf(page.items), slugsOf(items).slice(-1), 'items');
  }),
  ...[0, 1, 1000].map((beyond) =>
    ends(`past-${beyond}`, `The page at total+${beyond} is empty and has the same total.`, async ({ api }) => {
      const { total } = await api.list({ offset: 0 });
      const page = await listWithTotal(api, { limit: 1, offset: total + beyond }, total);
      checkEqual(page.items, [], 'items');
    }),
  ),
  ...[1, 2, 7, 50, 200].map((limit) =>
    joined(`limit-${limit}`, `Pages of limit ${limit} joined give every product once.`, async ({ api }) => {
      const whole = slugsOf(await walk(api, { limit: 200 }));
      const slugs = slugsOf(await walk(api, { limit }));
      checkEqual(slugs, whole.slice(0, limit * maxPages), 'the joined pages');
      checkEqual(new Set(slugs).size, slugs.length, 'the number of different slugs');
    }),
  ),
  joined('all', 'The pages have as many products as total says.', async ({ api }) => {
    const { total } = await api.list({ limit: 1 });
    const items = await walk(api, { limit: 50 });
    checkEqual(items.length, Math.min(total, 50 * maxPages), 'the number of products on all pages');
  }),
  joined.reference('oldest-first', 'The list begins with the oldest product.', async ({ api }) => {
    const products = await walk(api, { limit: 200 });
    const times = products.map(({ created_at }) => Date.parse(created_at));
    const wrong = products.find((_, index) => (times[index] ?? 0) < (times[index - 1] ?? 0) - concurrency);
    check(wrong === undefined, `${wrong?.slug} is older than the product before it in the list`);
  }),
  joined.reference('while-growing', 'Paging misses no product while others are added.', async (context) => {
    const { before, during } = await grow(context);
    const missed = before.filter((slug) => !during.includes(slug));
    check(missed.length === 0, `the pages miss ${shown(missed)}`);
  }),
  ...(['draft', 'active', 'archived'] as const).flatMap((status) => [
    statuses(status, `status=${status} lists only products with this status.`, async ({ api }) => {
      const { items } = await api.list({ status, limit: 200 });
      const others = items.filter((item) => item.status !== status).map((item) => item.status);
      check(others.length === 0, `status=${status} also lists products with the statuses ${shown(others)}`);
    }),
    statuses(`${status}-pages`, `Pages with status=${status} give each such product once.`, async ({ api }) => {
      const expected = (await walk(api, { limit: 200 })).filter((item) => item.status === status);
      const pages = slugsOf(await walk(api, { limit: 7, status }));
      checkEqual(pages, slugsOf(expected).slice(0, 7 * maxPages), 'the joined pages');
    }),
  ]),
  statuses('totals', 'The totals of the three statuses add up to the total without a filter.', async ({ api }) => {
    const totals = await Promise.all(
      ['draft', 'active', 'archived'].map(async (status) => (await api.list({ status, limit: 1 })).total),
    );
    const { total } = await api.list({ limit: 1 });
    checkEqual(
      totals.reduce((sum, count) => sum + count, 0),
      total,
      'the sum of the totals',
    );
  }),
  ...['deleted', 'ACTIVE', ''].map((status) =>
    statuses.reference(
      `refused-${status.toLowerCase() || 'empty'}`,
      `status=${status} gets 400 invalid_request.`,
      refusesQuery({ status: 'active' }, { status }),
    ),
  ),
];

/** Either may be wrong: the items of the first page, or the total. */
function checkLength({ items, total }: ProductList, limit: number): void {
  const isWhole = items.length === Math.min(limit, total);
  check(isWhole, `the first page has ${items.length} items, although total is ${total}`);
}

/** @throws CaseFailure unless the page has the total of the first page: its items are not to blame for a wrong total. */
async function listWithTotal(
  api: Api,
  query: { readonly limit?: number; readonly offset: number },
  total: number,
): Promise<ProductList> {
  const page = await api.list(query);
  const pages = `it is ${total} with offset=0 and ${page.total} with offset=${query.offset}`;
  check(page.total === total, `total must be the same on every page: ${pages}`);
  return page;
}

function refusesQuery(good: NonNullable<Ask['query']>, bad: NonNullable<Ask['query']>): Case['run'] {
  return refuses({ path, query: good }, { query: bad });
}
