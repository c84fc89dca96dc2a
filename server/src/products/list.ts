import type { Knex } from 'knex';
import { readSnapshot } from '../database/connection.ts';
import { statement } from '../database/statement.ts';
import { type ProductStatus, readCounts } from './counts.ts';
import { searchProducts } from './search.ts';
import { itemColumns, type Page, type ProductListItem, type ProductPage } from './store.ts';

export interface ProductFilter {
  status?: ProductStatus | undefined;
  search?: string | undefined;
}

/** PostgreSQL's largest integer. */
const lastPosition = 2 ** 31 - 1;

/** One page of the tenant's products in the order of their positions, oldest first. */
export async function listProducts(
  database: Knex,
  tenantId: string,
  { status, search }: ProductFilter,
  page: Page,
): Promise<ProductPage> {
  if (search) return searchProducts(database, tenantId, { status, search }, page);
  return status ? listStatus(database, tenantId, status, page) : listAll(database, tenantId, page);
}

const allOnPage = statement<ProductListItem & { total: number }, { tenantId: string; before: number; last: number }>(
  (database, { tenantId, before, last }) =>
    database('product_counts as counts')
      .leftJoin('products', (join) =>
        join
          .on('products.tenant_id', 'counts.tenant_id')
          .onVal('products.position', '>', before)
          .onVal('products.position', '<=', last),
      )
      .where('counts.tenant_id', tenantId)
      .orderBy('products.position')
      .select(
        ...itemColumns.map((column) => `products.${column}`),
        database.raw('counts.draft + counts.active + counts.archived AS total'),
      ),
);

/** Positions have no gaps, so an offset is a position. */
async function listAll(database: Knex, tenantId: string, { limit, offset }: Page): Promise<ProductPage> {
  const before = Math.min(offset, lastPosition);
  const last = Math.min(offset + limit, lastPosition);
  const rows = await allOnPage.all(database, { tenantId, before, last });
  const total = rows[0]?.total ?? 0;
  return { items: before < total ? rows.map(({ total: _, ...item }) => item) : [], total };
}

/** Products of one status, in the order of their positions or against it. */
function inStatus(order: 'asc' | 'desc') {
  return statement<ProductListItem, { tenantId: string; status: ProductStatus } & Page>(
    (database, { tenantId, status, limit, offset }) =>
      database('products')
        .where({ tenant_id: tenantId, status })
        .orderBy('position', order)
        .limit(limit)
        .offset(offset)
        .select(itemColumns),
  );
}
const fromStart = inStatus('asc');
const fromEnd = inStatus('desc');

async function listStatus(database: Knex, tenantId: string, status: ProductStatus, page: Page): Promise<ProductPage> {
  const { [status]: total } = await readCounts(database, tenantId);
  if (page.offset < total / 2) {
    return { items: await fromStart.all(database, { tenantId, status, ...page }), total };
  }
  // The count and the rows must agree, because the page is counted from the end.
  return readSnapshot(database, tenantId, (transaction) => listEnd(transaction, tenantId, status, page));
}

/** A page in the second half, read from the end: databases read every row before an offset. */
async function listEnd(
  transaction: Knex.Transaction,
  tenantId: string,
  status: ProductStatus,
  { limit, offset }: Page,
): Promise<ProductPage> {
  const { [status]: total } = await readCounts(transaction, tenantId);
  const size = Math.min(limit, total - offset);
  if (size <= 0) return { items: [], total };
  const items = await fromEnd.all(transaction, { tenantId, status, limit: size, offset: total - offset - size });
  return { items: items.reverse(), total };
}
