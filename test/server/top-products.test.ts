/** The most scanned products of short and long periods, compared with a sum over all counts. */
import { describe, expect, test } from '@jest/globals';
import { insertProducts } from '../../server/src/products/store.ts';
import { lastDays } from '../../server/src/scans/rules.ts';
import { readStatistics } from '../../server/src/scans/statistics.ts';
import { insertScans } from '../../server/src/scans/store.ts';
import { databaseKinds, useService } from '../support/service.ts';

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
