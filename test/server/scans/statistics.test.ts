/** The statistics of scans: days, sums, and the list of the most scanned products against a sum over all rows. */
import { describe, expect, test } from '@jest/globals';
import { lastDays, type ViewRole } from '@product-passport/openapi';
import { readStatistics } from '../../../server/src/scans/statistics.ts';
import { insertScans, type Scan } from '../../../server/src/scans/store.ts';
import type { Client } from '../../support/client.ts';
import { databaseKinds } from '../../support/database.ts';
import { useService } from '../../support/service.ts';
import { storeProducts } from '../../support/tenant.ts';
import { day, Shop } from './shop.ts';

const noon = new Date('2026-03-01T12:00:00.000Z');
const dayBefore = (days: number): Date => new Date(noon.getTime() - days * day);

describe.each(databaseKinds)('%s', (kind) => {
  let clock = '2026-03-01T00:00:00.000Z';
  const service = useService(kind, { now: () => new Date(clock) });

  async function scans(of: Client, slug: string, at: string, count = 1, role: ViewRole = 'consumer'): Promise<Scan[]> {
    const { id: productId } = await of.product(slug);
    const scan = { tenantId: of.tenant.id, productId, at: new Date(at), role, visitorHash: 'x' };
    return Array.from({ length: count }, () => scan);
  }

  async function tenantWith(...names: string[]): Promise<Client> {
    const tenant = await service.newTenant();
    for (const name of names) await tenant.create(name);
    return tenant;
  }

  test('SCAN-2 a day ends at midnight in UTC', async () => {
    const tenant = await tenantWith('Tasse');
    await insertScans(service.database, [
      ...(await scans(tenant, 'tasse', '2026-02-27T23:59:59.999Z')),
      ...(await scans(tenant, 'tasse', '2026-02-28T00:00:00.000Z', 2)),
      ...(await scans(tenant, 'tasse', '2026-02-28T23:59:59.999Z', 3)),
      ...(await scans(tenant, 'tasse', '2026-03-01T00:00:00.000Z', 4)),
    ]);
    for (const [now, days, expected] of [
      ['2026-02-28T23:59:59.999Z', 1, [5]],
      ['2026-02-28T23:59:59.999Z', 3, [0, 1, 5]],
      ['2026-03-01T00:00:00.000Z', 1, [4]],
      ['2026-03-01T00:00:00.000Z', 4, [0, 1, 5, 4]],
      ['2026-03-02T00:00:00.000Z', 1, [0]],
    ] as const) {
      clock = now;
      const { per_day, total } = await tenant.scans({ days });
      expect([now, days, per_day.map(({ count }) => count)]).toEqual([now, days, expected]);
      expect(total).toBe(expected.reduce((sum: number, count) => sum + count, 0));
    }
    clock = '2026-03-01T00:00:00.000Z';
  });

  test('SCAN-2 top_products has the ten most scanned products, equal counts sorted by slug', async () => {
    const tenant = await service.newTenant();
    const counts = { z: 5, y: 12, x: 5, 'a-b': 5, ab: 5, a: 5, 'a-2': 5, b: 100, c: 2, d: 5, e: 5, f: 1, g: 5, h: 1 };
    for (const [slug, count] of Object.entries(counts)) {
      await tenant.create({ name: `Name ${slug}`, slug });
      await insertScans(service.database, await scans(tenant, slug, '2026-02-15T00:00:00.000Z', count, 'inspector'));
    }
    const { top_products } = await tenant.scans();
    const order = ['b', 'y', 'a', 'a-2', 'a-b', 'ab', 'd', 'e', 'g', 'x'] as const;
    expect(top_products).toEqual(order.map((slug) => ({ slug, name: `Name ${slug}`, count: counts[slug] })));
  });

  test('either all scans of a group are counted or none', async () => {
    const tenant = await tenantWith('Tasse');
    const [scan] = await scans(tenant, 'tasse', '2026-03-01T00:00:00.000Z');
    const unknown = { ...scan, productId: '019b0a3c-5e10-7b20-9d21-aa0f5d1e0b01' } as Scan;
    await expect(insertScans(service.database, [scan as Scan, unknown])).rejects.toThrow();
    expect(await tenant.scans()).toMatchObject({ total: 0, top_products: [] });
  });

  test('the statistics are consistent while scans arrive', async () => {
    const shop = await Shop.open(service);
    const times = 120;
    let viewed = 0;
    const views = Promise.all(
      Array.from({ length: 6 }, async () => {
        for (let index = 0; index < times / 6; index += 1) {
          await shop.view();
          viewed += 1;
        }
      }),
    );
    let last = 0;
    while (last < times) {
      const before = viewed;
      const { total, per_day, by_view_role, top_products } = await shop.client.scans();
      expect(total).toBeGreaterThanOrEqual(Math.max(before, last));
      expect(per_day.reduce((sum, { count }) => sum + count, 0)).toBe(total);
      expect(by_view_role).toEqual({ consumer: total, inspector: 0, recycler: 0 });
      expect(top_products.reduce((sum, { count }) => sum + count, 0)).toBe(total);
      last = total;
    }
    await views;
  });

  /** A tenant with products, and a way to scan them and to compare the statistics with the counts. */
  async function newShop(count: number) {
    const { tenant } = await service.newTenant();
    const products = Array.from({ length: count }, (_, index) => ({
      ...{ name: `Name ${index}`, slug: `p-${String(index).padStart(4, '0')}` },
      status: 'active' as const,
    }));
    const made = await storeProducts(service.database, tenant, products, noon);
    const scan = (at: Date, ...indexes: number[]): Promise<void> => {
      const same = { at, tenantId: tenant.id, role: 'consumer', visitorHash: 'x' } as const;
      return insertScans(
        service.database,
        indexes.map((index) => ({ ...same, productId: made[index]?.id ?? '' })),
      );
    };
    /** The list of the most scanned products, compared with a sum over all rows. */
    const top = async (days: number): Promise<[string, number][]> => {
      const period = lastDays(noon, days);
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
      await scan(noon, 14, 11);
      await top(days);
      await scan(dayBefore(1), 13, 13, 13);
      expect((await top(days))[0]).toEqual(['p-0013', 3]);
      await scan(dayBefore(days - 1), 12, 12, 12, 12);
      await scan(dayBefore(days), 10, 10, 10, 10, 10);
      expect((await top(days))[0]).toEqual(['p-0012', 4]);
      expect((await top(1)).length).toBe(2);
    },
  );
});
