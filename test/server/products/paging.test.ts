import { describe, expect, test } from '@jest/globals';
import { databaseKinds, expectRightCounts, newMigratedDatabase } from '../../support/database.ts';
import { startService, useService } from '../../support/service.ts';

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
