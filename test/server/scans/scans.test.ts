import { beforeAll, describe, expect, test } from '@jest/globals';
import { lastDays, type ViewRole } from '@product-passport/openapi';
import { insertProducts } from '../../../server/src/products/store.ts';
import { readStatistics } from '../../../server/src/scans/statistics.ts';
import { insertScans, type Scan } from '../../../server/src/scans/store.ts';
import type { Client } from '../../support/client.ts';
import { databaseKinds, useService } from '../../support/service.ts';

const none = { consumer: 0, inspector: 0, recycler: 0 };

describe.each(databaseKinds)('%s', (kind) => {
  let clock = '2026-03-01T00:00:00.000Z';
  const service = useService(kind, { now: () => new Date(clock) });
  let client: Client;
  beforeAll(async () => {
    client = await service.newTenant();
    await client.create('Tasse');
  });

  async function scans(of: Client, slug: string, at: string, count = 1, role: ViewRole = 'consumer'): Promise<Scan[]> {
    const { id } = await of.product(slug);
    const scan = { tenantId: of.tenant.id, productId: id, at: new Date(at), role, visitorHash: 'x' };
    return Array.from({ length: count }, () => scan);
  }

  test('SCAN-2 without scans the statistics have zeros for 30 days', async () => {
    const tenant = await service.newTenant();
    await tenant.create('Tasse');
    const statistics = await tenant.scans();
    expect(statistics).toMatchObject({ days: 30, total: 0, by_view_role: none, top_products: [] });
    expect(statistics.per_day).toHaveLength(30);
    expect(statistics.per_day.every(({ count }) => count === 0)).toBe(true);
  });

  test.each([1, 2, 30, 365])('SCAN-2 a period of %i days has one item for each day, today last', async (days) => {
    const { per_day } = await client.scans({ days });
    const expected = Array.from({ length: days }, (_, index) =>
      new Date(Date.UTC(2026, 2, 1 - (days - 1 - index))).toISOString().slice(0, 10),
    );
    expect(per_day.map(({ date }) => date)).toEqual(expected);
    expect(per_day.at(-1)?.date).toBe('2026-03-01');
  });

  test('SCAN-2 a day ends at midnight in UTC', async () => {
    const tenant = await service.newTenant();
    await tenant.create('Tasse');
    await insertScans(service.database, [
      ...(await scans(tenant, 'tasse', '2026-02-27T23:59:59.999Z')),
      ...(await scans(tenant, 'tasse', '2026-02-28T00:00:00.000Z', 2)),
      ...(await scans(tenant, 'tasse', '2026-02-28T23:59:59.999Z', 3)),
      ...(await scans(tenant, 'tasse', '2026-03-01T00:00:00.000Z', 4)),
    ]);
    const perDay = async (days: number) => (await tenant.scans({ days })).per_day.map(({ count }) => count);
    try {
      clock = '2026-02-28T23:59:59.999Z';
      expect(await perDay(1)).toEqual([5]);
      expect(await perDay(3)).toEqual([0, 1, 5]);
      clock = '2026-03-01T00:00:00.000Z';
      expect(await perDay(1)).toEqual([4]);
      expect(await perDay(4)).toEqual([0, 1, 5, 4]);
      clock = '2026-03-02T00:00:00.000Z';
      expect(await perDay(1)).toEqual([0]);
    } finally {
      clock = '2026-03-01T00:00:00.000Z';
    }
  });

  test('SCAN-2 the counts by day, role and product add up to the total', async () => {
    const tenant = await service.newTenant();
    await tenant.create('Kanne');
    await tenant.create('Teller');
    await insertScans(service.database, [
      ...(await scans(tenant, 'kanne', '2026-03-01T10:00:00.000Z', 3)),
      ...(await scans(tenant, 'kanne', '2026-02-20T10:00:00.000Z', 2, 'recycler')),
      ...(await scans(tenant, 'teller', '2026-02-20T11:00:00.000Z', 4)),
    ]);
    // A second time, so that existing counts are increased.
    await insertScans(service.database, await scans(tenant, 'kanne', '2026-03-01T10:00:00.000Z', 600));
    const statistics = await tenant.scans();
    expect(statistics.total).toBe(609);
    expect(statistics.per_day.filter(({ count }) => count > 0)).toEqual([
      { date: '2026-02-20', count: 6 },
      { date: '2026-03-01', count: 603 },
    ]);
    expect(statistics.by_view_role).toEqual({ consumer: 607, inspector: 0, recycler: 2 });
    expect(statistics.top_products).toEqual([
      { slug: 'kanne', name: 'Kanne', count: 605 },
      { slug: 'teller', name: 'Teller', count: 4 },
    ]);
    expect(await tenant.scans({ days: 1 })).toEqual({
      days: 1,
      total: 603,
      per_day: [{ date: '2026-03-01', count: 603 }],
      by_view_role: { ...none, consumer: 603 },
      top_products: [{ slug: 'kanne', name: 'Kanne', count: 603 }],
    });
  });

  test('SCAN-2 top_products has the ten most scanned products, equal counts sorted by slug', async () => {
    const tenant = await service.newTenant();
    const counts = { z: 5, y: 12, x: 5, 'a-b': 5, ab: 5, a: 5, 'a-2': 5, b: 100, c: 2, d: 5, e: 5, f: 1, g: 5, h: 1 };
    const all: Scan[] = [];
    for (const [slug, count] of Object.entries(counts)) {
      await tenant.create({ name: `Name ${slug}`, slug });
      all.push(...(await scans(tenant, slug, '2026-02-15T00:00:00.000Z', count, 'inspector')));
    }
    await tenant.create('Nie gescannt');
    await insertScans(service.database, all);
    const { top_products, total } = await tenant.scans();
    expect(total).toBe(all.length);
    const order = ['b', 'y', 'a', 'a-2', 'a-b', 'ab', 'd', 'e', 'g', 'x'];
    expect(top_products.map(({ slug }) => slug)).toEqual(order);
    expect(top_products.slice(0, 3)).toEqual([
      { slug: 'b', name: 'Name b', count: 100 },
      { slug: 'y', name: 'Name y', count: 12 },
      { slug: 'a', name: 'Name a', count: 5 },
    ]);
  });

  test('SCAN-2 the scans of another tenant do not count', async () => {
    const [own, other] = [await service.newTenant(), await service.newTenant()];
    for (const tenant of [own, other]) await tenant.create('Tasse');
    await insertScans(service.database, [
      ...(await scans(own, 'tasse', '2026-03-01T00:00:00.000Z')),
      ...(await scans(other, 'tasse', '2026-03-01T00:00:00.000Z', 7, 'recycler')),
    ]);
    expect(await own.scans()).toMatchObject({
      total: 1,
      by_view_role: { ...none, consumer: 1 },
      top_products: [{ slug: 'tasse', count: 1 }],
    });
  });

  test('either all scans of a group are counted or none', async () => {
    const tenant = await service.newTenant();
    await tenant.create('Tasse');
    const [scan] = await scans(tenant, 'tasse', '2026-03-01T00:00:00.000Z');
    const unknown = { ...scan, productId: '019b0a3c-5e10-7b20-9d21-aa0f5d1e0b01' } as Scan;
    await expect(insertScans(service.database, [scan as Scan, unknown])).rejects.toThrow();
    expect(await tenant.scans()).toMatchObject({ total: 0, by_view_role: none, top_products: [] });
  });

  test('concurrent scans are all counted', async () => {
    const tenant = await service.newTenant();
    for (const name of ['A', 'B', 'C']) await tenant.create(name);
    const batch = (
      await Promise.all(['a', 'b', 'c'].map((slug) => scans(tenant, slug, '2026-03-01T00:00:00.000Z')))
    ).flat();
    const batches = Array.from({ length: 20 }, (_, index) => (index % 2 ? batch : batch.toReversed()));
    await Promise.all(batches.map((each) => insertScans(service.database, each)));
    expect((await tenant.scans()).top_products.map(({ count }) => count)).toEqual([20, 20, 20]);
  });
});

const now = new Date('2026-03-01T12:00:00.000Z');
const dayBefore = (days: number): Date => new Date(now.getTime() - days * 86_400_000);

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);

  /** A tenant with products, and a way to scan them and to compare the statistics with the counts. */
  async function newShop(count: number) {
    const { tenant } = await service.newTenant();
    const products = Array.from({ length: count }, (_, index) => ({
      ...{ name: `Name ${index}`, slug: `p-${String(index).padStart(4, '0')}` },
      status: 'active' as const,
    }));
    const made = await service.database.transaction((transaction) =>
      insertProducts(transaction, tenant.id, products, (slug) => `urn:${slug}`, now),
    );
    const scan = (at: Date, ...indexes: number[]): Promise<void> => {
      const scans = indexes.map((index) => ({ at, productId: made[index]?.id ?? '', tenantId: tenant.id }));
      return insertScans(
        service.database,
        scans.map((each) => ({ ...each, role: 'consumer', visitorHash: 'x' })),
      );
    };
    /** The list of the most scanned products, compared with a sum over all rows. */
    const top = async (days: number): Promise<[string, number][]> => {
      const period = lastDays(now, days);
      const { top_products, total } = await readStatistics(service.database, tenant.id, period);
      const rows: { slug: string; count: number }[] = await service
        .database('scan_counts')
        .join('products', 'products.id', 'scan_counts.product_id')
        .where('scan_counts.tenant_id', tenant.id)
        .whereBetween('date', [period[0] ?? '', period.at(-1) ?? ''])
        .select('slug', 'count');
      const sums = new Map<string, number>();
      for (const { slug, count } of rows) sums.set(slug, (sums.get(slug) ?? 0) + count);
      const sorted = [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
      const shown = top_products.map(({ slug, count }): [string, number] => [slug, count]);
      expect(shown).toEqual(sorted.slice(0, 10));
      expect(total).toBe(rows.reduce((sum, { count }) => sum + count, 0));
      return shown;
    };
    return { scan, top };
  }

  test.each([7, 90])(
    'a period of %i days has the scans of today, and of a past day that are stored later',
    async (days) => {
      const { scan, top } = await newShop(15);
      expect(await top(days)).toEqual([]);
      await scan(dayBefore(2), ...Array.from({ length: 12 }, (_, index) => index));
      expect((await top(days)).at(-1)).toEqual(['p-0009', 1]);
      await scan(now, 14, 11);
      expect((await top(days)).slice(0, 2)).toEqual([
        ['p-0011', 2],
        ['p-0000', 1],
      ]);
      await scan(dayBefore(1), 13, 13, 13);
      expect((await top(days))[0]).toEqual(['p-0013', 3]);
      await scan(dayBefore(days - 1), 12, 12, 12, 12);
      await scan(dayBefore(days), 10, 10, 10, 10, 10);
      expect((await top(days))[0]).toEqual(['p-0012', 4]);
      expect((await top(1)).length).toBe(2);
    },
  );

  test('many products have the same count', async () => {
    const { scan, top } = await newShop(1200);
    const all = Array.from({ length: 1200 }, (_, index) => 1199 - index);
    await scan(dayBefore(3), ...all);
    expect((await top(90)).at(-1)).toEqual(['p-0009', 1]);
    await scan(now, 1100, 1150, 1199, 1199);
    expect((await top(90)).slice(0, 4)).toEqual([
      ['p-1199', 3],
      ['p-1100', 2],
      ['p-1150', 2],
      ['p-0000', 1],
    ]);
    await scan(dayBefore(2), ...all.slice(0, 1100));
    await scan(now, 0, 1, 2, 50, 51, 52, 99, 100, 101, 102);
    await top(90);
    await top(7);
  });
});
