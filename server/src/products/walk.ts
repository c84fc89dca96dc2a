import type { Knex } from 'knex';
import type { ProductStatus } from './counts.ts';
import { itemColumns, type ProductListItem } from './store.ts';

/** Rows of one query. */
const rowsAtOnce = 500;

/**
 * All products of a tenant, or those of one status, page by page in the order of their positions. Memory stays the same
 * for any number of products. Products may change meanwhile: the place is a position, which never changes.
 */
export async function* walkProducts(
  database: Knex,
  tenantId: string,
  status?: ProductStatus,
): AsyncGenerator<ProductListItem[]> {
  for (let after = 0; ; ) {
    const query = database('products')
      .where({ tenant_id: tenantId, ...(status && { status }) })
      .where('position', '>', after)
      .orderBy('position')
      .limit(rowsAtOnce);
    const rows: (ProductListItem & { position: number })[] = await query.select(...itemColumns, 'position');
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(({ position: _, ...item }) => item);
    after = last.position;
  }
}
