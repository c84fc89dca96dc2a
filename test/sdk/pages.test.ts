/** Lists: three ways to read one, where it ends, what changes meanwhile, and services whose list never ends. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createClient, type ProductQuery } from '../../sdk/src/index.ts';
import { apiKey, baseUrl, type FakeResponse, fakeFetch, html, json, refusal } from '../support/fake-fetch.ts';
import { rejection } from '../support/thrown.ts';

const row = (id: number | string) => ({ id: String(id), name: `Product ${id}` });
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index));
const ids = (items: { id: string }[]) => items.map(({ id }) => id);
const page = (items: unknown, total: unknown, offset: unknown, limit = 50) => json({ items, total, limit, offset });
const offsetOf = ({ url }: Request) => Number(new URL(url).searchParams.get('offset'));

/** The lists of a client whose service gives these responses in turn. */
function connect(...responses: FakeResponse[]) {
  const { fetch, requests } = fakeFetch(...responses);
  const { products } = createClient({ baseUrl, apiKey, maxAttempts: 1, fetch });
  const asked = () =>
    requests.map(({ url }) => ['limit', 'offset'].map((name) => new URL(url).searchParams.get(name)).join(' from '));
  return { list: products.list, requests, asked };
}

/** A service with these rows. `before` runs before each response, with the number of the request, counted from 1. */
function service(
  stored: { id: string }[],
  before: (request: number) => void = () => {},
  max = (_request: number) => 200,
) {
  const connected = connect((request) => {
    const nth = connected.requests.length;
    before(nth);
    const asked = Number(new URL(request.url).searchParams.get('limit') ?? 50);
    const limit = Math.min(Math.max(asked, 1), max(nth));
    const offset = Math.max(offsetOf(request), 0);
    return page(stored.slice(offset, offset + limit), stored.length, offset, limit);
  });
  return connected;
}

/** Reads to the end, or to the error. */
async function read<Item>(items: AsyncIterable<Item>) {
  const found: Item[] = [];
  const error = await (async () => {
    for await (const item of items) found.push(item);
  })().catch((thrown) => thrown);
  return { found, error };
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const { found, error } = await read(items);
  if (error) throw error;
  return found;
}

describe('three ways to read a list', () => {
  test('sends no request before it is awaited or iterated', async () => {
    const { list, requests } = service(rows(3));
    list().pages();
    list()[Symbol.asyncIterator]();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(requests).toHaveLength(0);
  });

  test('await gives the first page as the service sent it, in one request however often', async () => {
    const { list, requests } = service(rows(3));
    const lazy = list({ limit: 2 });
    expect(await lazy).toEqual({ items: rows(2), total: 3, limit: 2, offset: 0 });
    let ended = 0;
    await Promise.all([lazy, lazy.then(({ total }) => total), lazy.catch(() => 0), lazy.finally(() => (ended += 1))]);
    expect([requests.length, ended]).toEqual([1, 1]);
    expect(
      await connect(refusal(404, 'not_found'))
        .list()
        .catch(({ code }) => code),
    ).toBe('not_found');
  });

  test('a loop gives every item, and a loop over pages every page, with the query of the beginning', async () => {
    const { list, asked, requests } = service(rows(5));
    const query: ProductQuery = { search: 'a&b', status: 'draft', limit: 2 };
    const lazy = list(query);
    query.search = 'changed later';
    expect(ids(await all(lazy))).toEqual(['0', '1', '2', '3', '4']);
    expect(asked()).toEqual(['2 from ', '2 from 2', '2 from 4']);
    for (const { url } of requests) expect(url).toContain('search=a%26b&status=draft&');
    expect(await all(service(rows(3)).list({ limit: 2 }).pages())).toEqual([
      { items: rows(2), total: 3, limit: 2, offset: 0 },
      { items: [row(2)], total: 3, limit: 2, offset: 2 },
    ]);
  });

  test('a loop begins with the awaited page, and a second one reads the list again', async () => {
    const { list, requests } = service(rows(3));
    const lazy = list({ limit: 2 });
    await lazy;
    expect(ids(await all(lazy))).toEqual(['0', '1', '2']);
    expect(requests).toHaveLength(2);
    expect((await Promise.all([all(lazy), all(lazy)])).map(ids)).toEqual(Array(2).fill(['0', '1', '2']));
  });

  test('after a failed first page await and loop try again, and an awaited page is kept for one loop', async () => {
    const failed = refusal(503, 'service_unavailable');
    const { list, requests } = connect(failed, failed, page(rows(1), 1, 0), page(rows(2), 2, 0));
    const lazy = list();
    const unavailable = { code: 'service_unavailable' };
    expect(await Promise.all([rejection(lazy), rejection(lazy)])).toMatchObject([unavailable, unavailable]);
    expect(requests).toHaveLength(1);
    expect(await rejection(all(lazy))).toMatchObject(unavailable);
    expect(await lazy).toMatchObject({ total: 1 });
    expect(ids(await all(lazy))).toEqual(['0']);
    expect(requests).toHaveLength(3);
    expect(ids(await all(lazy))).toEqual(['0', '1']);
  });
});

describe('where a list begins and ends', () => {
  test.each<[ProductQuery, number, string[]]>([
    [{ offset: -7, limit: 2 }, 5, ids(rows(5))],
    [{ offset: 3 }, 5, ['3', '4']],
    [{ offset: 9 }, 5, []],
  ])('%j of %i products, as the service moves it into its bounds', async (query, count, given) => {
    expect(ids(await all(service(rows(count)).list(query)))).toEqual(given);
  });

  const sameAgain = (size: number, total: number, count: number) =>
    Array.from({ length: count }, (_, index) => page(rows(size), total, index * size));
  test.each<[string, FakeResponse[], string[]]>([
    ['an empty page whose offset was moved to the end', [page(rows(2), 4, 0), page([], 1, 1)], ['0', '1']],
    ['a single empty page before the end', [page([row(1)], 2, 0), page([], 2, 1), page([row(2)], 2, 1)], ['1', '2']],
    [
      'a page that begins before it should',
      [page(rows(2), 4, 0), page([row(1), row(2)], 4, 1), page([row(3)], 4, 3)],
      ['0', '1', '2', '3'],
    ],
    ['more rows than the total', [page(rows(2), 3, 0), page([row(3), row(4)], 3, 2)], ['0', '1', '3', '4']],
  ])('a list may have %s', async (_what, responses, given) => {
    const { list, requests } = connect(...responses);
    expect(ids(await all(list()))).toEqual(given);
    expect(requests).toHaveLength(responses.length);
  });

  test.each<[string, FakeResponse[], string[]]>([
    ['has two empty pages', [page([row(1)], 9, 0), page([], 9, 1), page([], 9, 1)], ['1']],
    ['begins with two empty pages', [page([], 9, 0), page([], 9, 0)], []],
    ['has an empty page of elsewhere', [page(rows(5), 10, 0), page([], 10, 10), page([], 10, 0)], ids(rows(5))],
    ['has the same page twice', [page(rows(5), 6, 0), page(rows(5), 6, 5)], ids(rows(5))],
    ['has the same page to the end', sameAgain(5, 23, 5), ids(rows(5))],
    ['has the same page again and again', sameAgain(3, 9, 3), ids(rows(3))],
    ['always sends the first page', [page(rows(2), 9, 0), page(rows(2), 9, 0)], ids(rows(2))],
    ['goes back', [page(rows(2), 9, 4), page([row(3)], 9, 1)], ids(rows(2))],
    ['skips rows', [page(rows(2), 9, 0), page([row(5)], 5, 4)], ids(rows(2))],
  ])('a list that %s is an error', async (_what, responses, given) => {
    const { list, requests } = connect(...responses);
    const { found, error } = await read(list({ limit: 2 }));
    const stalled = { code: 'pages_stalled', operation: 'listProducts', path: '/api/v1/products' };
    expect(error).toMatchObject({ name: 'UnexpectedResponseError', ...stalled });
    expect(ids(found)).toEqual(given);
    expect(requests).toHaveLength(responses.length);
  });

  test('a list without end that has nothing new is an error', async () => {
    const full = connect((request) => page(rows(200), offsetOf(request) + 100_000, offsetOf(request)));
    expect(await rejection(all(full.list()))).toMatchObject({ code: 'pages_stalled' });
    expect(full.requests.length).toBeLessThan(60);
  });

  test.each([10_000, 10_001])('%i repeats of a row in a row: after 10,000 the list has no end', async (repeats) => {
    const { list, requests } = connect((request) => {
      const offset = offsetOf(request);
      return page([row(offset > repeats ? 'last' : 1)], repeats + 2, offset, 1);
    });
    const { found, error } = await read(list({ limit: 1 }));
    expect(ids(found)).toEqual(repeats > 10_000 ? ['1'] : ['1', 'last']);
    expect(error?.code).toBe(repeats > 10_000 ? 'pages_stalled' : undefined);
    expect(requests).toHaveLength(repeats + 2);
  });
});

test.each([
  ['between two items', 2],
  ['before the loop over the pages of an awaited list', 0],
])('a signal that fires %s ends the loop', async (_when, count) => {
  const controller = new AbortController();
  const { list, requests } = service(rows(5));
  const lazy = list({ limit: 2 }, { signal: controller.signal });
  if (count === 0) await lazy.then(() => controller.abort('enough'));
  const seen: unknown[] = [];
  const walk = async () => {
    for await (const one of count === 0 ? lazy.pages() : lazy) if (seen.push(one) === count) controller.abort('enough');
  };
  expect(await rejection(walk())).toMatchObject({ name: 'AbortError', cause: 'enough', operation: 'listProducts' });
  expect(seen).toHaveLength(count);
  expect(requests).toHaveLength(1);
});

describe('while products change', () => {
  test('only consecutive repeats count, so a long list is read to its end', async () => {
    const stored = rows(2_300);
    const { list, requests } = service(stored, (request) => request > 1 && stored.unshift(row(`new ${request}`)));
    expect(ids(await all(list({ limit: 3 })))).toEqual(ids(rows(2_300)));
    expect(requests.length).toBeGreaterThan(1_100); // each but the first begins with a repeat
  });

  test('repeats are dropped also when the oldest of 10,000 ids are forgotten', async () => {
    const stored = rows(10_100);
    const added = Array.from({ length: 300 }, (_, index) => row(`new ${index}`));
    const { list } = service(stored, (request) => request === 51 && stored.unshift(...added));
    expect(ids(await all(list({ limit: 200 })))).toEqual(ids(rows(10_100)));
    expect(await all(service([...rows(10_050), ...rows(1)]).list({ limit: 200 }))).toHaveLength(10_051);
  });

  const change = (count: fc.Arbitrary<number>) => fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), count);
  const changes = (count: fc.Arbitrary<number>) =>
    fc.array(fc.array(change(count), { maxLength: 3 }), { maxLength: 30 });
  /** Adds products anywhere before each request but the first, or removes one. */
  const changing = (stored: { id: string }[], all: [number, number][][]) => (request: number) => {
    for (const [at, count] of all[request - 2] ?? []) {
      const added = rows(Math.max(count, 0)).map(({ id }) => row(`${request}-${at}-${id}-${stored.length}`));
      stored.splice(Math.floor(at * stored.length), added.length === 0 ? 1 : 0, ...added);
    }
  };

  test('added anywhere, at any time, with any limit: every earlier product is read exactly once', async () => {
    const limits = fc.option(fc.integer({ min: -3, max: 250 }), { nil: undefined });
    const maxima = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }); // of the pages, in turn
    const property = fc.asyncProperty(
      ...([fc.integer({ min: 0, max: 60 }), limits, maxima, changes(fc.integer({ min: 1, max: 4 }))] as const),
      async (count, limit, max, added) => {
        const stored = rows(count);
        const { list, requests } = service(
          stored,
          changing(stored, added),
          (request) => max[request % max.length] ?? 1,
        );
        const pages = await all(list({ limit }).pages());
        const given = pages.flatMap(({ items }) => ids(items));
        expect(given).toEqual(expect.arrayContaining(ids(rows(count))));
        expect(new Set(given).size).toBe(given.length);
        expect(requests.length).toBeLessThanOrEqual(stored.length + 2);
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });

  test('added and removed anywhere: a loop ends without an error or a repeat', async () => {
    const property = fc.asyncProperty(
      ...([fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 8 }), changes(fc.constantFrom(-1, 1))] as const),
      async (count, limit, both) => {
        const stored = rows(count);
        const given = ids(await all(service(stored, changing(stored, both)).list({ limit })));
        expect(new Set(given).size).toBe(given.length);
      },
    );
    await fc.assert(property, { numRuns: 1_000 });
  });
});

describe('a page is read like every other response', () => {
  test('a second page that fails ends the loop with its error, after the first page', async () => {
    const { found, error } = await read(connect(page(rows(2), 9, 0), html(502, 'no')).list());
    expect(error).toMatchObject({ name: 'UnexpectedResponseError', path: '/api/v1/products?offset=2' });
    expect(ids(found)).toEqual(['0', '1']);
  });

  test.each([
    ['no items', { items: undefined }],
    ['items that are not a list', { items: {} }],
    ['an item that is null', { items: [null] }],
    ['an item without id', { items: [{}] }],
    ['no total', { total: undefined }],
    ['no offset', { offset: undefined }],
    ['a total that is text', { total: '1' }],
    ['an offset beyond all numbers', { offset: 1e300 }],
  ])('%s: not a page of the contract', async (_name, wrong) => {
    const { list } = connect(json({ items: [], total: 1, limit: 50, offset: 0, ...wrong }));
    expect(await rejection(list())).toMatchObject({ name: 'UnexpectedResponseError' });
    expect(await rejection(all(list()))).toMatchObject({ name: 'UnexpectedResponseError' });
  });
});
