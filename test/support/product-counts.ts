import { expect } from '@jest/globals';
import type { Database } from './service.ts';

/** Compares the stored counts and positions of every tenant with its products. Returns the number of products. */
export async function expectRightCounts(database: Database): Promise<number> {
  const products: { tenant_id: string; status: string; position: number }[] = await database('products')
    .orderBy(['tenant_id', 'position'])
    .select('tenant_id', 'status', 'position');
  const tenants = Map.groupBy(products, ({ tenant_id }) => tenant_id);
  const stored = await database('product_counts').select('tenant_id', 'draft', 'active', 'archived');
  const recounted = [...tenants].map(([tenant_id, rows]) => {
    const of = (status: string): number => rows.filter((row) => row.status === status).length;
    return { tenant_id, draft: of('draft'), active: of('active'), archived: of('archived') };
  });
  const withProducts = stored.filter(({ draft, active, archived }) => draft + active + archived > 0);
  const byTenant = (a: { tenant_id: string }, b: { tenant_id: string }): number => (a.tenant_id < b.tenant_id ? -1 : 1);
  expect(withProducts.sort(byTenant)).toEqual(recounted.sort(byTenant));
  for (const rows of tenants.values()) {
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index + 1));
  }
  return products.length;
}
