/** Builds a tenant with many products and scan counts, beside a tenant with one product. */
import type { Knex } from 'knex';
import { type Account, addTenant, newProduct, tenantOf, withDatabase } from './data.ts';

export interface Catalogue {
  /** The tenant with many products. */
  large: Account;
  /** Another tenant, with the product `small-product`. */
  neighbour: Account;
}

const day = 86_400_000;

/** Fills an empty database. */
export function buildCatalogue(
  address: string,
  { products, countRows }: { products: number; countRows: number },
): Promise<Catalogue> {
  return withDatabase(address, async (database) => {
    const large = await addTenant(database, 'large');
    const neighbour = await addTenant(database, 'neighbour');
    await newProduct(database, await tenantOf(database, 'neighbour'), 'Small product');
    const { id } = await tenantOf(database, 'large');
    await insertProducts(database, id, products);
    await insertCounts(database, id, countRows);
    return { large, neighbour };
  });
}

/** Every other product is active. Names share their words, except for the number. */
async function insertProducts(database: Knex, tenantId: string, products: number): Promise<void> {
  await database.raw(
    `INSERT INTO products (tenant_id, id, slug, name, name_folded, status, completeness, registry_status,
       unique_product_identifier, created_at, updated_at)
     WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
     SELECT ?, '01900000-0000-7000-8000-' || CAST(100000000000 + n AS TEXT), 'kabel-' || n, 'Kabel blau ' || n,
       'kabel blau ' || n, CASE n % 2 WHEN 0 THEN 'active' ELSE 'draft' END, 0, 'none', 'urn:dpp:large:kabel-' || n,
       '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'
     FROM numbers`,
    [products, tenantId],
  );
}

/** Counts of scans in the last 365 days, as many rows for each day. */
async function insertCounts(database: Knex, tenantId: string, countRows: number): Promise<void> {
  const days = 365;
  const ids: string[] = await database('products')
    .where({ tenant_id: tenantId })
    .limit(Math.ceil(countRows / days))
    .pluck('id');
  await database.transaction(async (transaction) => {
    for (let back = 0; back < days; back += 1) {
      const date = new Date(Date.now() - back * day).toISOString().slice(0, 10);
      await transaction.raw(
        `INSERT INTO scan_counts (tenant_id, date, product_id, role, count)
         SELECT tenant_id, ?, id, 'consumer', 3 FROM products WHERE tenant_id = ? AND id <= ?`,
        [date, tenantId, ids.at(-1) ?? ''],
      );
    }
  });
}
