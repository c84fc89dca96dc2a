/** PAGE: limit, offset, totals and the order of pages. */
import type { ProductListItem } from '@product-passport/sdk';
import type { Api } from '../api.ts';
import { type Case, check, checkEqual, family } from '../case.ts';

const list = '/paths/~1api~1v1~1products/get';

const defaults = family('PAGE-1', { claim: 'core', clause: list });
const bounds = family('PAGE-2', { claim: 'reference', clause: list });
const joined = family('PAGE-4', { claim: 'core', clause: list });

/** Values that do not write a whole number. */
const notWhole = { fraction: '1.5', exponent: '1e1', blank: ' 5', word: 'abc', empty: '' };

/** What the service uses instead of a `limit`. */
const clamped: Readonly<Record<string, number>> = {
  '1': 1,
  '200': 200,
  '201': 200,
  '0': 1,
  '-1': 1,
  '1000000000': 200,
};

export const paging: readonly Case[] = [
  defaults('defaults', 'A list without parameters has limit 50 and offset 0.', async ({ api }) => {
    const page = await api.list();
    checkEqual(page.limit, 50, 'limit');
    checkEqual(page.offset, 0, 'offset');
    checkEqual(page.items.length, Math.min(50, page.total), 'the number of items');
  }),
  defaults('echo', 'The response repeats limit and offset of the request.', async ({ api }) => {
    const page = await api.list({ limit: 3, offset: 1 });
    checkEqual(page.limit, 3, 'limit');
    checkEqual(page.offset, 1, 'offset');
    check(page.items.length <= 3, `a page of limit 3 must have at most 3 items, has ${page.items.length}`);
  }),
  ...Object.entries(clamped).map(([sent, used]) =>
    bounds(`limit-${sent}`, `limit=${sent} is used as ${used}.`, async ({ api }) => {
      checkEqual((await api.list({ limit: sent })).limit, used, 'limit');
    }),
  ),
  ...Object.entries(notWhole).map(([name, text]) =>
    bounds(`limit-${name}`, `limit=${JSON.stringify(text)} gets 400 invalid_request.`, async ({ refused }) => {
      const good = { path: '/api/v1/products', query: { limit: 1 } };
      await refused(good, { query: { limit: text } }, { status: 400, code: 'invalid_request' });
    }),
  ),
  ...[1, 2, 7, 50, 200].map((limit) =>
    joined(`limit-${limit}`, `Pages of limit ${limit} joined give every product once.`, async ({ api }) => {
      const whole = await walk(api, 200);
      const slugs = (await walk(api, limit, limit === 1 ? 20 : undefined)).map(({ slug }) => slug);
      checkEqual(
        slugs,
        whole.slice(0, slugs.length).map(({ slug }) => slug),
        'the joined pages',
      );
      checkEqual(new Set(slugs).size, slugs.length, 'the number of different slugs');
    }),
  ),
];

/** The products of all pages, or of the first `pages` pages. */
async function walk(api: Api, limit: number, pages = Number.POSITIVE_INFINITY): Promise<ProductListItem[]> {
  const items: ProductListItem[] = [];
  for (let page = 0; page < pages; page += 1) {
    const { items: more, total } = await api.list({ limit, offset: page * limit });
    items.push(...more);
    if ((page + 1) * limit >= total || more.length === 0) break;
  }
  return items;
}
