import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createClient, isApiError, type ProductQuery, type RequestOptions } from '../../sdk/src/index.ts';
import { apiKey, baseUrl, fakeFetch, fakeFetchFor, html, json, refusal } from '../support/fake-fetch.ts';
import { rejection } from '../support/thrown.ts';

const row = (id: number | string) => ({ id: String(id), name: `Product ${id}` });
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index));
const ids = (items: { id: string }[]) => items.map(({ id }) => id);
const page = (items: unknown, total: unknown, offset: unknown, limit = 50) => json({ items, total, limit, offset });

/** A service with these rows. `before` runs before each response, with the number of the request, from 1 on. */
function service(
  stored: { id: string }[],
  options: { readonly most?: number; before?: (request: number) => void } = {},
) {
  const asked: string[] = [];
  const { fetch, requests } = fakeFetchFor(2_000, (request) => {
    options.before?.(requests.length);
    const query = new URL(request.url).searchParams;
    asked.push(`${query.get('limit')} from ${query.get('offset')}`);
    const limit = Math.min(Math.max(Number(query.get('limit') ?? 50), 1), options.most ?? 200);
    const offset = Math.max(Number(query.get('offset') ?? 0), 0);
    return page(stored.slice(offset, offset + limit), stored.length, offset, limit);
  });
  return {
    asked,
    requests,
    list: (query?: ProductQuery, options?: RequestOptions) =>
      createClient({ baseUrl, apiKey, maxAttempts: 1, fetch }).products.list(query, options),
  };
}

/** A list whose pages are these responses, in turn. */
const scripted = (...responses: Parameters<typeof fakeFetch>) => {
  const { fetch, requests } = fakeFetch(...responses);
  return { requests, list: createClient({ baseUrl, apiKey, maxAttempts: 1, fetch }).products.list({ limit: 2 }) };
};

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

describe('three ways to read a list', () => {
  test('sends no request before it is awaited or iterated', async () => {
    const { list, requests } = service(rows(3));
    const lazy = list();
    lazy.pages();
    lazy[Symbol.asyncIterator]();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(requests).toHaveLength(0);
  });

  test('await gives the first page as the service sent it, in one request however often', async () => {
    const { list, requests } = service(rows(3));
    const lazy = list({ limit: 2 });
    expect(await lazy).toEqual({ items: rows(2), total: 3, limit: 2, offset: 0 });
    await Promise.all([lazy, lazy, lazy.then((first) => first.total)]);
    expect(requests).toHaveLength(1);
  });

  test('catch and finally are those of the first page', async () => {
    const { list, requests } = service(rows(3));
    let ended = 0;
    const lazy = list();
    expect(await lazy.catch(() => undefined)).toMatchObject({ total: 3 });
    expect(await lazy.finally(() => (ended += 1))).toMatchObject({ total: 3 });
    expect([requests.length, ended]).toEqual([1, 1]);
    const failing = scripted(refusal(404, 'not_found')).list;
    expect(await failing.catch(({ code }) => code)).toBe('not_found');
  });

  test('a loop gives every item', async () => {
    const { list, asked } = service(rows(5));
    expect(ids(await all(list({ limit: 2 })))).toEqual(['0', '1', '2', '3', '4']);
    expect(asked).toEqual(['2 from null', '2 from 2', '2 from 4']);
  });

  test('a loop over pages gives every page', async () => {
    const { list } = service(rows(3));
    expect(await all(list({ limit: 2 }).pages())).toEqual([
      { items: rows(2), total: 3, limit: 2, offset: 0 },
      { items: [row(2)], total: 3, limit: 2, offset: 2 },
    ]);
  });

  test('a loop after await does not request the first page again', async () => {
    const { list, asked } = service(rows(3));
    const lazy = list({ limit: 2 });
    await lazy;
    expect(ids(await all(lazy))).toEqual(['0', '1', '2']);
    expect(asked).toEqual(['2 from null', '2 from 2']);
  });

  test('a second loop gives every item, too', async () => {
    const lazy = service(rows(5)).list({ limit: 2 });
    const [a, b] = await Promise.all([all(lazy), all(lazy)]);
    expect([ids(a).length, ids(b).length]).toEqual([5, 5]);
  });

  test('after a failed first page await and loop try again, and an awaited page is kept for one loop', async () => {
    const { list, requests } = scripted(
      refusal(503, 'service_unavailable'),
      refusal(503, 'service_unavailable'),
      page(rows(1), 1, 0),
      page(rows(2), 2, 0),
    );
    const failures = await Promise.all([rejection(list), rejection(list)]);
    expect(failures.map((error) => isApiError(error) && error.code === 'service_unavailable')).toEqual([true, true]);
    expect(requests).toHaveLength(1);
    expect(await rejection(all(list))).toMatchObject({ code: 'service_unavailable' });
    expect(await list).toMatchObject({ total: 1 });
    expect(ids(await all(list))).toEqual(['0']);
    expect(requests).toHaveLength(3);
    expect(ids(await all(list))).toEqual(['0', '1']);
    expect(requests).toHaveLength(4);
  });

  test('a loop that ends early sends no further request', async () => {
    const { list, requests } = service(rows(100));
    for await (const item of list({ limit: 2 })) if (item.id === '2') break;
    expect(requests).toHaveLength(2);
  });

  test('every page is requested with the query', async () => {
    const { list, requests } = service(rows(3));
    const query: ProductQuery = { search: 'a&b', status: 'draft', limit: 2 };
    const lazy = list(query);
    query.search = 'changed later';
    await all(lazy);
    for (const { url } of requests) {
      expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
        search: 'a&b',
        status: 'draft',
        limit: '2',
      });
    }
  });
});

describe('where a list begins and ends', () => {
  test.each([
    [0, 1],
    [1, 1],
    [49, 1],
    [50, 1],
    [51, 2],
    [100, 2],
    [101, 3],
  ])('%i products take %i requests', async (count, expected) => {
    const { list, requests } = service(rows(count));
    expect(ids(await all(list()))).toEqual(ids(rows(count)));
    expect(requests).toHaveLength(expected);
  });

  test('a limit that the service changes skips no product', async () => {
    expect(ids(await all(service(rows(450)).list({ limit: 1000 })))).toEqual(ids(rows(450)));
    expect(ids(await all(service(rows(7)).list({ limit: -3 })))).toEqual(ids(rows(7)));
    let most = 5;
    const shrinking = service(rows(12), {
      get most() {
        most -= 1;
        return Math.max(most, 1);
      },
    });
    expect(ids(await all(shrinking.list({ limit: 5 })))).toEqual(ids(rows(12)));
  });

  test('continues from the offset in the response if the service changes it', async () => {
    const { list, asked } = service(rows(5));
    expect(ids(await all(list({ offset: -7, limit: 2 })))).toEqual(['0', '1', '2', '3', '4']);
    expect(asked).toEqual(['2 from -7', '2 from 2', '2 from 4']);
    expect(ids(await all(list({ offset: 3 })))).toEqual(['3', '4']);
    expect(ids(await all(list({ offset: 9 })))).toEqual([]);
  });

  test('ends at an empty page whose offset the service moved to the end', async () => {
    const { list, requests } = scripted(page(rows(2), 4, 0), page([], 1, 1));
    expect(ids(await all(list))).toEqual(['0', '1']);
    expect(requests).toHaveLength(2);
  });

  test('ends at an empty page after products were removed meanwhile', async () => {
    const stored = rows(4);
    const { list, requests } = service(stored, { before: (request) => request === 2 && stored.splice(2, 2) });
    expect(ids(await all(list({ limit: 2 })))).toEqual(['0', '1']);
    expect(requests).toHaveLength(2);
  });

  test.each([
    ['an empty page', [page([row(1)], 9, 0), page([], 9, 1), page([], 9, 1)], ['1']],
    ['an empty first page', [page([], 9, 0), page([], 9, 0)], []],
    ['an empty page from elsewhere', [page(rows(5), 10, 0), page([], 10, 10), page([], 10, 0)], ids(rows(5))],
    ['the same page twice', [page(rows(5), 6, 0), page(rows(5), 6, 5)], ids(rows(5))],
    ['the same page to the end', Array.from({ length: 5 }, (_, index) => page(rows(5), 23, index * 5)), ids(rows(5))],
    [
      'the same page again and again',
      Array.from({ length: 3 }, (_, index) => page(rows(3), 9, index * 3)),
      ['0', '1', '2'],
    ],
  ])('%s does not end the list before its total', async (_what, responses, came) => {
    const { list, requests } = scripted(...responses);
    const read: string[] = [];
    const walk = async () => {
      for await (const { id } of list) read.push(id);
    };
    expect(await rejection(walk())).toMatchObject({ name: 'UnexpectedResponseError', code: 'pages_stalled' });
    expect(read).toEqual(came);
    expect(requests).toHaveLength(responses.length);
  });

  test('a single empty page is requested again', async () => {
    const { list, requests } = scripted(page([row(1)], 2, 0), page([], 2, 1), page([row(2)], 2, 1));
    expect(ids(await all(list))).toEqual(['1', '2']);
    expect(requests).toHaveLength(3);
  });

  test('the list ends with more rows than the total, if rows were added after the count', async () => {
    const { list } = scripted(page([row(1), row(2)], 3, 0), page([row(3), row(4)], 3, 2));
    expect(ids(await all(list))).toEqual(['1', '2', '3', '4']);
  });

  test('a loop stops between two items when its signal fires', async () => {
    const controller = new AbortController();
    const { list } = service(rows(5));
    const read: string[] = [];
    const walk = async () => {
      for await (const { id } of list({}, { signal: controller.signal })) {
        read.push(id);
        if (read.length === 2) controller.abort('enough');
      }
    };
    expect(await rejection(walk())).toMatchObject({ name: 'AbortError', cause: 'enough', operation: 'listProducts' });
    expect(read).toEqual(['0', '1']);
  });
});

test('a loop over the pages of an awaited list ends at once after its signal fired', async () => {
  const controller = new AbortController();
  const { list, requests } = service(rows(5));
  const lazy = list({ limit: 2 }, { signal: controller.signal });
  await lazy;
  controller.abort('enough');
  const given: unknown[] = [];
  const walk = async () => {
    for await (const one of lazy.pages()) given.push(one);
  };
  expect(await rejection(walk())).toMatchObject({ name: 'AbortError', code: 'aborted', cause: 'enough' });
  expect(given).toEqual([]);
  expect(requests).toHaveLength(1);
});

describe('while products are added', () => {
  test('at the end: products added before the loop reaches the end are read too', async () => {
    const stored = rows(4);
    const { list } = service(stored, { before: (request) => request <= 3 && stored.push(row(`new ${request}`)) });
    expect(ids(await all(list({ limit: 2 })))).toEqual(['0', '1', '2', '3', 'new 1', 'new 2', 'new 3']);
  });

  test('before the current place: repeats are dropped, also from pages', async () => {
    const stored = rows(4);
    const { list } = service(stored, { before: (request) => request === 2 && stored.unshift(row('new')) });
    const pages = await all(list({ limit: 2 }).pages());
    expect(pages.map(({ items, offset, total }) => [ids(items), offset, total])).toEqual([
      [['0', '1'], 0, 4],
      [['2'], 2, 5],
      [['3'], 4, 5],
    ]);
  });

  test('a page of repeats only does not end the list', async () => {
    const stored = rows(3);
    const added = [row('a'), row('b'), row('c')];
    const { list } = service(stored, { before: (request) => request === 3 && stored.unshift(...added) });
    const pages = await all(list({ limit: 1 }).pages());
    expect(pages.map(({ items }) => ids(items))).toEqual([['0'], ['1'], ['c'], [], [], ['2']]);
  });

  test('all the time: only consecutive repeats count, so a long list is read to its end', async () => {
    const stored = rows(2_300);
    const { list, requests } = service(stored, {
      before: (request) => request > 1 && stored.unshift(row(`new ${request}`)),
    });
    expect(ids(await all(list({ limit: 3 })))).toEqual(ids(rows(2_300)));
    expect(requests.length).toBeGreaterThan(1_100); // each but the first begins with a repeat
  });

  test('anywhere, at any time, with any limit: every earlier product is read exactly once', async () => {
    const insertion = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      count: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 60 }),
        fc.option(fc.integer({ min: -3, max: 250 }), { nil: undefined }),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }), // the most that each page gives, in turn
        fc.array(fc.array(insertion, { maxLength: 3 }), { maxLength: 30 }), // before each page but the first
        async (count, limit, mosts, insertions) => {
          const stored = rows(count);
          const beginning = ids(stored);
          let most = mosts[0] ?? 1;
          const { list, requests } = service(stored, {
            get most() {
              return most;
            },
            before: (request) => {
              most = mosts[request % mosts.length] ?? 1;
              for (const { at, count: added } of request > 1 ? (insertions[request - 2] ?? []) : []) {
                const fresh = Array.from({ length: added }, (_, index) =>
                  row(`${request}-${at}-${index}-${stored.length}`),
                );
                stored.splice(Math.floor(at * stored.length), 0, ...fresh);
              }
            },
          });
          const pages = await all(list(limit === undefined ? {} : { limit }).pages());
          const read = pages.flatMap(({ items }) => ids(items));
          expect(read).toEqual(expect.arrayContaining(beginning));
          expect(new Set(read).size).toBe(read.length);
          expect(requests.length).toBeLessThanOrEqual(stored.length + 2);
        },
      ),
      { numRuns: 300 },
    );
  });
});

test('while products are added and removed anywhere, a loop ends without an error or a repeat', async () => {
  const change = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), isNew: fc.boolean() });
  const changes = fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 30 }),
      fc.integer({ min: 1, max: 8 }),
      changes,
      async (count, limit, all) => {
        const stored = rows(count);
        const { list } = service(stored, {
          before: (request) => {
            for (const { at, isNew } of request > 1 ? (all[request - 2] ?? []) : []) {
              const place = Math.floor(at * stored.length);
              if (isNew) stored.splice(place, 0, row(`${request} ${stored.length} ${at}`));
              else stored.splice(place, 1);
            }
          },
        });
        const read: string[] = [];
        for await (const { id } of list({ limit })) read.push(id);
        expect(new Set(read).size).toBe(read.length);
      },
    ),
    { numRuns: 1_000 },
  );
});

describe('a service whose list never ends', () => {
  const stalled = {
    name: 'UnexpectedResponseError',
    code: 'pages_stalled',
    operation: 'listProducts',
    path: '/api/v1/products',
  };

  test('because it always sends the first page', async () => {
    const { list, requests } = scripted(page([row(1), row(2)], 9, 0));
    expect(await rejection(all(list))).toMatchObject(stalled);
    expect(requests).toHaveLength(2);
  });

  test('because its offset goes back', async () => {
    const { list, requests } = scripted(page([row(1), row(2)], 9, 4), page([row(3)], 9, 1));
    expect(await rejection(all(list))).toMatchObject(stalled);
    expect(requests).toHaveLength(2);
  });

  test('because full pages contain nothing new', async () => {
    const { fetch, requests } = fakeFetch((request) => {
      const offset = Number(new URL(request.url).searchParams.get('offset'));
      return page(rows(200), offset + 100_000, offset);
    });
    expect(
      await rejection(all(createClient({ baseUrl, apiKey, maxAttempts: 1, fetch }).products.list())),
    ).toMatchObject(stalled);
    expect(requests.length).toBeLessThan(60);
  });

  test('because pages of one item contain nothing new', async () => {
    const { fetch, requests } = fakeFetchFor(11_000, (request) => {
      const offset = Number(new URL(request.url).searchParams.get('offset'));
      return page([row(1)], Number.MAX_SAFE_INTEGER, offset);
    });
    expect(
      await rejection(all(createClient({ baseUrl, apiKey, maxAttempts: 1, fetch }).products.list())),
    ).toMatchObject(stalled);
    expect(requests.length).toBeLessThan(10_100);
  });

  /** A list of pages of one: a row, the same row again so many times, and another one at the end. */
  const repeating = (repeats: number) => {
    const { fetch, requests } = fakeFetchFor(11_000, (request) => {
      const offset = Number(new URL(request.url).searchParams.get('offset'));
      return page([row(offset > repeats ? 'last' : 1)], repeats + 2, offset, 1);
    });
    return { requests, list: createClient({ baseUrl, apiKey, maxAttempts: 1, fetch }).products.list({ limit: 1 }) };
  };

  test.each([9_999, 10_000])(
    'or with %i repeats in a row, which is not: the row after them is read',
    async (repeats) => {
      const { list, requests } = repeating(repeats);
      expect(ids(await all(list))).toEqual(['1', 'last']);
      expect(requests).toHaveLength(repeats + 2);
    },
  );

  test('because of 10,001 consecutive repeats', async () => {
    const { list, requests } = repeating(10_001);
    expect(await rejection(all(list))).toMatchObject(stalled);
    expect(requests).toHaveLength(10_003);
  });

  test('or that skips rows between two pages', async () => {
    const { list } = scripted(page([row(1), row(2)], 9, 0), page([row(5)], 5, 4));
    expect(await rejection(all(list))).toMatchObject(stalled);
  });
});

describe('a page is read like every other response', () => {
  test.each([
    [
      'refused',
      refusal(500, 'internal_error'),
      { name: 'ApiError', code: 'internal_error', operation: 'listProducts' },
    ],
    [
      'a gateway’s page',
      html(502, 'Bad Gateway'),
      { name: 'UnexpectedResponseError', status: 502, path: '/api/v1/products?offset=2' },
    ],
    ['lost', new TypeError('fetch failed'), { name: 'NetworkError', operation: 'listProducts' }],
  ])('a second page %s ends the loop with its error, after the first page', async (_name, response, expected) => {
    const { list, requests } = scripted(page([row(1), row(2)], 9, 0), response);
    const given: string[] = [];
    const error = await rejection(
      (async () => {
        for await (const { id } of list) given.push(id);
      })(),
    );
    expect(error).toMatchObject(expected);
    expect(given).toEqual(['1', '2']);
    expect(requests.map((request) => request.headers.get('authorization'))).toEqual(Array(2).fill(`Bearer ${apiKey}`));
  });

  test.each([
    ['no items', { total: 1, limit: 50, offset: 0 }],
    ['items that are not a list', { items: {}, total: 1, limit: 50, offset: 0 }],
    ['an item that is null', { items: [null], total: 1, limit: 50, offset: 0 }],
    ['an item without id', { items: [{}], total: 1, limit: 50, offset: 0 }],
    ['no total', { items: [], limit: 50, offset: 0 }],
    ['no offset', { items: [], total: 1, limit: 50 }],
    ['a total that is text', { items: [], total: '1', limit: 50, offset: 0 }],
    ['an offset beyond all numbers', { items: [], total: 1, limit: 50, offset: 1e300 }],
  ])('%s: not a page of the contract', async (_name, body) => {
    expect(await rejection(scripted(json(body)).list)).toMatchObject({ name: 'UnexpectedResponseError' });
    expect(await rejection(all(scripted(json(body)).list))).toMatchObject({ name: 'UnexpectedResponseError' });
  });

  test('the signal ends the loop between two pages', async () => {
    const controller = new AbortController();
    const { fetch, requests } = fakeFetch(page([row(1), row(2)], 9, 0), page([row(3)], 9, 2));
    const list = createClient({ baseUrl, apiKey, maxAttempts: 1, fetch }).products.list(
      {},
      { signal: controller.signal },
    );
    const given: string[] = [];
    const error = await rejection(
      (async () => {
        for await (const { id } of list) if (given.push(id) === 2) controller.abort('enough');
      })(),
    );
    expect(error).toMatchObject({ name: 'AbortError', cause: 'enough', operation: 'listProducts' });
    expect(given).toEqual(['1', '2']);
    expect(requests).toHaveLength(1);
  });
});

describe('the list remembers only the last ids', () => {
  test('and still drops repeats when it begins to forget', async () => {
    const stored = rows(10_100);
    const added = Array.from({ length: 300 }, (_, index) => row(`new ${index}`));
    const { list } = service(stored, { before: (request) => request === 51 && stored.unshift(...added) });
    expect(ids(await all(list({ limit: 200 })))).toEqual(ids(rows(10_100)));
  });

  test('so a product that repeats after 10,000 others is read twice', async () => {
    const { list } = service([...rows(10_050), ...rows(1)]);
    expect(await all(list({ limit: 200 }))).toHaveLength(10_051);
  });

  test('and reads a hundred thousand products completely', async () => {
    const { list, requests } = service(rows(100_000));
    expect(ids(await all(list({ limit: 200 })))).toEqual(ids(rows(100_000)));
    expect(requests).toHaveLength(500);
  });
});
