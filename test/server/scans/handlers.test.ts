/** The statistics of scans: days, sums, and the list of the most scanned products. */
import { describe, expect, test } from '@jest/globals';
import type { ViewRole } from '@product-passport/openapi';
import { insertScans, type Scan } from '../../../server/src/scans/store.ts';
import { databaseKinds } from '../../support/database.ts';
import { type Client, useService } from '../../support/service.ts';

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

  test('SCAN-2 top_products has the ten most scanned products of the period, equal counts sorted by slug', async () => {
    const tenant = await service.newTenant();
    const counts = { z: 5, y: 12, x: 5, 'a-b': 5, ab: 5, a: 5, 'a-2': 5, b: 100, c: 2, d: 5, e: 5, f: 1, g: 5, h: 1 };
    for (const [slug, count] of Object.entries(counts)) {
      await tenant.create({ name: `Name ${slug}`, slug });
      await insertScans(service.database, await scans(tenant, slug, '2026-02-15T00:00:00.000Z', count, 'inspector'));
    }
    await tenant.write('b', [{ field_key: 'serial_number', value: 'SN b', access_level: 'authority' }]);
    await insertScans(service.database, await scans(tenant, 'h', '2026-01-01T23:59:59.999Z', 19));
    const top = async (days: number) => (await tenant.scans({ days })).top_products;
    const order = ['b', 'y', 'a', 'a-2', 'a-b', 'ab', 'd', 'e', 'g', 'x'] as const;
    const serialOf = (slug: string) => (slug === 'b' ? 'SN b' : null);
    const expected = order.map((slug) => {
      return { slug, name: `Name ${slug}`, serial_number: serialOf(slug), count: counts[slug] };
    });
    expect([await top(14), await top(15)]).toEqual([[], expected]);
    // A period of more than a month has a statement of its own.
    const withH = expected
      .toSpliced(1, 0, { slug: 'h', name: 'Name h', serial_number: null, count: 20 } as never)
      .slice(0, 10);
    expect([await top(59), await top(60)]).toEqual([expected, withH]);
  });

  test('either all scans of a group are counted or none', async () => {
    const tenant = await tenantWith('Tasse');
    const [scan] = await scans(tenant, 'tasse', '2026-03-01T00:00:00.000Z');
    const unknown = { ...scan, productId: '019b0a3c-5e10-7b20-9d21-aa0f5d1e0b01' } as Scan;
    await expect(insertScans(service.database, [scan as Scan, unknown])).rejects.toThrow();
    expect(await tenant.scans()).toMatchObject({ total: 0, top_products: [] });
  });

  test('the statistics are consistent while scans arrive', async () => {
    const shop = await service.newTenant();
    const path = await shop.publish('Tasse');
    const times = 120;
    let viewed = 0;
    const views = Promise.all(
      Array.from({ length: 6 }, async () => {
        for (let index = 0; index < times / 6; index += 1) {
          await shop.call({ path, key: null });
          viewed += 1;
        }
      }),
    );
    let last = 0;
    while (last < times) {
      const before = viewed;
      const { total, per_day, by_view_role, top_products } = await shop.scans();
      expect(total).toBeGreaterThanOrEqual(Math.max(before, last));
      expect(per_day.reduce((sum, { count }) => sum + count, 0)).toBe(total);
      expect(by_view_role).toEqual({ consumer: total, inspector: 0, recycler: 0 });
      expect(top_products.reduce((sum, { count }) => sum + count, 0)).toBe(total);
      last = total;
    }
    await views;
  });
});
