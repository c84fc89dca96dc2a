import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../support/client.ts';
import { databaseKinds, expectRightCounts, newMigratedDatabase } from '../../support/database.ts';
import { startService, useService } from '../../support/service.ts';

const path = '/api/v1/products';
const count = 23;

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);
  let client: Client;
  beforeAll(async () => {
    client = await service.newTenant();
    // The names are in reverse order of creation, so that sorting by name would be visible.
    for (let number = count; number > 0; number -= 1) await client.create(`Artikel ${number}`);
    for (const number of [3, 5, 8]) await service.activate(client, `artikel-${number}`);
    for (const number of [8, 13]) await service.archive(client, `artikel-${number}`);
  });

  test('PAGE-1 the default limit is 50 and the default offset 0', async () => {
    expect(await client.list()).toMatchObject({ limit: 50, offset: 0, total: count });
  });

  test.each([
    [1, 1],
    [200, 200],
    [201, 200],
    [0, 1],
    [-1, 1],
    [1e9, 200],
    ['99999999999999999999999999', 200],
    ['-99999999999999999999999999', 1],
    ['007', 7],
    ['-0', 1],
  ])('PAGE-2 limit %s becomes %i', async (limit, used) => {
    const page = await client.list({ limit });
    expect(page.limit).toBe(used);
    expect(page.items).toHaveLength(Math.min(used, count));
  });

  test('concurrent requests of two tenants each get their own page', async () => {
    const other = await service.newTenant();
    await other.create('Fremd');
    const stranger = await service.newTenant();
    const asked = Array.from({ length: 100 }, (_, index) => ({ limit: 1 + (index % 7), offset: index % (count + 2) }));
    const alone = [];
    for (const page of asked) alone.push(await client.list(page));
    const pages = await Promise.all(
      asked.map(async (page) => [await client.list(page), (await other.list()).total, (await stranger.list()).items]),
    );
    expect(pages).toEqual(alone.map((page) => [page, 1, []]));
  });

  test.each([
    [-1, 0],
    ['-0', 0],
    ['0', 0],
    [2 ** 53 - 1, 2 ** 53 - 1],
    ['9007199254740992', 2 ** 53 - 1],
    ['9'.repeat(400), 2 ** 53 - 1],
  ])('PAGE-2 offset %s becomes %i', async (offset, used) => {
    const page = await client.list({ offset });
    expect(Object.is(page.offset, used)).toBe(true);
    expect(page).toMatchObject({ total: count });
    expect(page.items).toHaveLength(used === 0 ? count : 0);
  });

  test.each([
    [0, 1],
    [-5, 1],
    [366, 365],
    [1, 1],
    [365, 365],
  ])('PAGE-2 days %i becomes %i', async (days, used) => {
    const scans = await client.scans({ days });
    expect(scans.days).toBe(used);
    expect(scans.per_day).toHaveLength(used);
  });

  const noWholeNumbers = ['1.5', '1e1', ' 5', '5 ', 'abc', '', '+5', '0x10', '٣', '5,0', 'NaN', 'null', '--1'];
  const numbers = [
    { parameter: 'limit', path },
    { parameter: 'offset', path },
    { parameter: 'days', path: '/api/v1/analytics/scans' },
  ];
  test.each(numbers.flatMap((at) => noWholeNumbers.map((text) => ({ ...at, text }))))(
    'PAGE-2 $parameter=$text is rejected',
    async ({ parameter, path, text }) => {
      const { outcome, text: body } = await client.call({ path, query: { [parameter]: text } });
      expect(outcome).toBe('400 invalid_request');
      expect(body).toContain(parameter);
    },
  );

  test.each([
    'limit=5&limit=5',
    'offset=0&limit=1&offset=0',
    'status=active&status=active',
    'search=a&search=b',
    'l%69mit=5&limit=5',
  ])('PAGE-2 %s repeats a parameter and is rejected', async (query) => {
    expect((await client.call({ path, query })).outcome).toBe('400 invalid_request');
  });

  test('PAGE-2 unknown parameters are ignored, even when repeated', async () => {
    const { outcome } = await client.call({ path, query: 'page=2&page=3&Limit=x&limit[]=1&__proto__=1&constructor=1' });
    expect(outcome).toBe('200');
  });

  test.each([
    [count - 1, 1],
    [count, 0],
    [count + 1, 0],
    [1_000_000, 0],
  ])('PAGE-3 offset %i gives %i items and the correct total', async (offset, items) => {
    const page = await client.list({ offset });
    expect(page.total).toBe(count);
    expect(page.items).toHaveLength(items);
  });

  test.each([1, 2, 7, 50, 200])(
    'PAGE-4 pages of %i products together give the whole list, oldest first',
    async (limit) => {
      const expected = Array.from({ length: count }, (_, index) => `Artikel ${count - index}`);
      for (let round = 0; round < 2; round += 1) {
        const names: string[] = [];
        for (let offset = 0; offset < count; offset += limit) {
          names.push(...(await client.list({ limit, offset })).items.map(({ name }) => name));
        }
        expect(names).toEqual(expected);
      }
    },
  );

  test('PAGE-4 products that exist when paging begins are all listed while others are added', async () => {
    const grower = await service.newTenant();
    const first = await Promise.all(Array.from({ length: 12 }, (_, index) => grower.create(`Bestand ${index}`)));
    const seen: string[] = [];
    for (let offset = 0, total = 1; offset < total; offset += 5) {
      const [page] = await Promise.all([grower.list({ limit: 5, offset }), grower.create('Neu'), grower.create('Neu')]);
      total = Math.min(page.total, 40);
      seen.push(...page.items.map(({ id }) => id));
    }
    expect(seen).toEqual(expect.arrayContaining(first.map(({ id }) => id)));
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('PAGE-5 each status filter lists products of that status only, and the totals add up', async () => {
    const lists = await Promise.all(
      ['draft', 'active', 'archived'].map(async (status) => {
        const page = await client.list({ status });
        expect(new Set(page.items.map((item) => item.status))).toEqual(new Set([status]));
        expect(page.items).toHaveLength(page.total);
        return page.total;
      }),
    );
    expect(lists).toEqual([count - 4, 2, 2]);
    expect((await client.me()).products_total).toBe(count);
  });

  test.each(['', 'Active', 'deleted', 'draft,active', 'active ', 'toString'])(
    'PAGE-5 the status %j is rejected',
    async (status) => {
      expect((await client.call({ path, query: { status } })).outcome).toBe('400 invalid_request');
    },
  );
});

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);

  test('products created on two servers at the same time have positions without gaps, and lists follow them', async () => {
    const address = await newMigratedDatabase(kind);
    const one = await startService(kind, { on: address });
    const other = await startService(kind, { on: address });
    const client = await one.newTenant();
    const clients = [client, other.clientOf(client)];
    const many = Array.from({ length: 6 }, (_, index) =>
      clients.map((each, at) => each.create(index % 3 === 0 ? 'Tasse' : `Tasse ${index} ${at}`)),
    );
    const created = await Promise.all(many.flat());
    expect(await expectRightCounts(one.database)).toBe(12);
    const { items, total } = await client.list({ limit: 200 });
    const rows = await one.database('products').orderBy('position').pluck('id');
    expect(items.map(({ id }) => id)).toEqual(rows);
    expect([total, new Set(items.map(({ id }) => id))]).toEqual([12, new Set(created.map(({ id }) => id))]);
    expect((await client.me()).products_total).toBe(12);
  });

  test('counts follow the status while products are created and moved at the same time', async () => {
    const client = await service.newTenant();
    const slugs = Array.from({ length: 12 }, (_, index) => `tasse-${index}`);
    for (const slug of slugs) await client.create({ name: 'Tasse', slug });
    await Promise.all([
      ...slugs.slice(0, 8).map((slug) => service.activate(client, slug)),
      ...slugs.slice(8).map((slug) => service.archive(client, slug)),
      ...slugs.map(() => client.create('Kanne')),
    ]);
    await Promise.all(slugs.slice(0, 3).map((slug) => service.archive(client, slug)));
    await service.activate(client, 'tasse-0');
    await expectRightCounts(service.database);
    const totals = ['draft', 'active', 'archived'].map(async (status) => (await client.list({ status })).total);
    expect(await Promise.all(totals)).toEqual([12, 6, 6]);
  });

  test('a product that is not stored leaves its position to the next one', async () => {
    const client = await service.newTenant();
    await client.create('Tasse');
    const outcome = await client.call({
      method: 'POST',
      path: '/api/v1/products',
      body: { name: 'Kanne', product_group: 'none' },
    });
    expect(outcome.outcome).toBe('400 unknown_product_group');
    await service.database.schema.renameTable('passport_versions', 'away');
    try {
      expect((await client.call({ method: 'POST', path: '/api/v1/products', body: { name: 'Kanne' } })).status).toBe(
        500,
      );
    } finally {
      await service.database.schema.renameTable('away', 'passport_versions');
    }
    await client.create('Kanne');
    await expectRightCounts(service.database);
    expect((await client.list()).items.map(({ slug }) => slug)).toEqual(['tasse', 'kanne']);
  });

  test('each page of a status is the same part of the whole list, also in the second half', async () => {
    const client = await service.newTenant();
    for (let index = 0; index < 15; index += 1) {
      const { slug } = await client.create(`Tasse ${index}`);
      if (index % 3 > 0) await service.activate(client, slug);
    }
    const { items: all } = await client.list({ status: 'active' });
    expect(all.map(({ name }) => name)).toEqual([1, 2, 4, 5, 7, 8, 10, 11, 13, 14].map((index) => `Tasse ${index}`));
    const pages = [1, 3, 4, 10, 11].flatMap((limit) => Array.from({ length: 13 }, (_, offset) => ({ limit, offset })));
    for (const { limit, offset } of pages) {
      const items = all.slice(offset, offset + limit);
      expect(await client.list({ status: 'active', limit, offset })).toEqual({ items, total: 10, limit, offset });
    }
  });

  test.each([
    [{}, 3],
    [{ status: 'draft' }, 3],
    [{ search: 'tasse' }, 3],
    [{ search: 'ta' }, 3],
  ])('a page of %j far past the end has no items and the true total', async (filter, total) => {
    const client = await service.newTenant();
    for (const _ of Array(3)) await client.create('Tasse');
    for (const offset of [2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1])
      expect(await client.list({ ...filter, offset })).toMatchObject({ items: [], total });
  });
});
