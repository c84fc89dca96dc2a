import { gtin14 } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { snapshot } from '../database/connection.ts';
import { pagesByKey, rowsAsJson } from '../database/rows.ts';
import { lookupValue, statement } from '../database/statement.ts';
import { type ProductStatus, readCounts } from './counts.ts';
import { searchProducts } from './search.ts';
import { type FoundPage, inBytes, itemColumns, itemsAsJson, type Page, type ProductListItem } from './store.ts';

export interface ProductFilter {
  status?: ProductStatus | undefined;
  search?: string | undefined;
}

/** PostgreSQL's largest integer. */
const lastPosition = 2 ** 31 - 1;

/** The page of a tenant that never had a product. */
const noProducts: FoundPage = { items: '[]', total: 0 };

/** One page of the tenant's products in the order of their positions, oldest first. */
export function listProducts(
  database: Knex,
  tenantId: string,
  { status, search }: ProductFilter,
  page: Page,
): Promise<FoundPage> {
  if (search) return searchProducts(database, tenantId, { status, search }, page);
  return status ? listStatus(database, tenantId, status, page) : listAll(database, tenantId, page);
}

/** The number of all products, a space, and the products of a page. One query sees one snapshot. */
const allOnPage = lookupValue<FoundPage['items'], { tenantId: string; before: number; last: number }>(
  (database, { tenantId, before, last }) => {
    const items = database('products')
      .whereRaw('products.tenant_id = counts.tenant_id')
      .where('position', '>', before)
      .where('position', '<=', last)
      .select(rowsAsJson(database, itemColumns, 'position'));
    const found = database.raw("(counts.draft + counts.active + counts.archived) || ' ' || (?)", [items]);
    return database('product_counts as counts')
      .where('counts.tenant_id', tenantId)
      .select({ found: inBytes(database, found) });
  },
);

/** Positions have no gaps, so an offset is a position. */
async function listAll(database: Knex, tenantId: string, { limit, offset }: Page): Promise<FoundPage> {
  const before = Math.min(offset, lastPosition);
  const last = Math.min(offset + limit, lastPosition);
  const found = await allOnPage(database, { tenantId, before, last });
  if (found === undefined) return noProducts;
  const bytes = typeof found === 'string' ? Buffer.from(found) : found;
  const end = bytes.indexOf(' ');
  return { total: Number(bytes.toString('latin1', 0, end)), items: bytes.subarray(end + 1) };
}

/** Products of one status, nearest to the first or to the last position. */
function inStatus(order: 'asc' | 'desc') {
  return statement<Pick<FoundPage, 'items'>, { tenantId: string; status: ProductStatus } & Page>(
    (database, { tenantId, status, limit, offset }) => {
      const page = database('products')
        .where({ tenant_id: tenantId, status })
        .orderBy('position', order)
        .limit(limit)
        .offset(offset);
      return database.from(page.select(...itemColumns, 'position').as('page')).select({ items: itemsAsJson(database) });
    },
  );
}
const fromStart = inStatus('asc');
const fromEnd = inStatus('desc');

async function listStatus(database: Knex, tenantId: string, status: ProductStatus, page: Page): Promise<FoundPage> {
  const { [status]: total } = await readCounts(database, tenantId);
  if (page.offset < total / 2) {
    return { ...noProducts, ...(await fromStart.first(database, { tenantId, status, ...page })), total };
  }
  // The count and the rows must agree, because the page is counted from the end.
  return snapshot(database, (transaction) => listEnd(transaction, tenantId, status, page));
}

/** A page in the second half, read from the end: databases read every row before an offset. */
async function listEnd(
  transaction: Knex.Transaction,
  tenantId: string,
  status: ProductStatus,
  { limit, offset }: Page,
): Promise<FoundPage> {
  const { [status]: total } = await readCounts(transaction, tenantId);
  const size = Math.min(limit, total - offset);
  if (size <= 0) return { ...noProducts, total };
  const found = await fromEnd.first(transaction, { tenantId, status, limit: size, offset: total - offset - size });
  return { ...noProducts, ...found, total };
}

const withGtin = statement<Pick<FoundPage, 'items'>, { tenantId: string; gtin: string; limit: number }>(
  (database, { tenantId, gtin, limit }) => {
    const found = database('products').where({ tenant_id: tenantId, gtin14: gtin, status: 'active' });
    const page = found
      .orderBy('position')
      .limit(limit)
      .select(...itemColumns, 'position');
    return database.from(page.as('page')).select({ items: itemsAsJson(database) });
  },
);

/** The tenant's first active products with a GTIN, in any of its lengths. */
export async function activeWithGtin(
  database: Knex,
  tenantId: string,
  gtin: string,
  limit: number,
): Promise<ProductListItem[]> {
  const found = await withGtin.first(database, { tenantId, gtin: gtin14(gtin), limit });
  return JSON.parse(String(found?.items ?? '[]'));
}

interface WalkFilter {
  status?: ProductStatus | undefined;
  registry_status?: ProductListItem['registry_status'] | undefined;
  /** A product group. `other` includes the products without one. */
  group?: string;
}

/**
 * The products of a tenant, page by page in the order of their positions. Memory stays the same for any number of products.
 * Products may change meanwhile: the place is a position, which never changes.
 */
export async function* walkProducts(
  database: Knex,
  tenantId: string,
  { status, registry_status, group }: WalkFilter = {},
): AsyncGenerator<ProductListItem[]> {
  const query = () => {
    const rows = database('products')
      .where({ tenant_id: tenantId, ...(status && { status }), ...(registry_status && { registry_status }) })
      .select(...itemColumns, 'position');
    return group === undefined ? rows : rows.whereRaw("COALESCE(product_group, 'other') = ?", group);
  };
  const pages = pagesByKey<ProductListItem & { position: number }>(query, ['position']);
  for await (const rows of pages) yield rows.map(({ position: _, ...item }) => item);
}
