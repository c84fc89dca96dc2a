import type { Schemas } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { columnsOf, lookup, statement } from '../database/statement.ts';

export type ProductStatus = Schemas['ProductStatus'];

/** The number of a tenant's products. Every transaction that creates a product or changes its status changes it too. */
export type ProductCounts = Record<ProductStatus, number>;

const countsOf = lookup<ProductCounts, { tenantId: string }>(
  columnsOf('product_counts', ['draft', 'active', 'archived']),
  (database, { tenantId }) => database('product_counts').where({ tenant_id: tenantId }),
);

export async function readCounts(database: Knex, tenantId: string): Promise<ProductCounts> {
  const row = await countsOf(database, { tenantId });
  // A tenant has a row from its first product on.
  return row ?? { draft: 0, active: 0, archived: 0 };
}

/** The number of the tenant's products, of every status. */
export async function countProducts(database: Knex, tenantId: string): Promise<number> {
  const { draft, active, archived } = await readCounts(database, tenantId);
  return draft + active + archived;
}

const addDrafts = statement<ProductCounts, { tenantId: string; drafts: number }>((database, { tenantId, drafts }) =>
  database('product_counts')
    .insert({ tenant_id: tenantId, draft: drafts })
    .onConflict('tenant_id')
    .merge({ draft: database.raw('product_counts.draft + excluded.draft') })
    .returning(['draft', 'active', 'archived']),
);

/**
 * Counts new drafts and takes their positions, the last of which it returns. Positions are numbers without gaps: products
 * are never deleted, and a transaction that fails gives its position back. On PostgreSQL the tenant's row is locked until
 * the transaction ends.
 */
export async function takePositions(transaction: Knex.Transaction, tenantId: string, drafts: number): Promise<number> {
  const row = await addDrafts.first(transaction, { tenantId, drafts });
  if (!row) throw new Error('The counts of the tenant could not be stored.');
  return row.draft + row.active + row.archived;
}

/** Counts products under their new status. */
export async function moveCount(
  transaction: Knex.Transaction,
  tenantId: string,
  from: ProductStatus,
  to: ProductStatus,
  products = 1,
): Promise<void> {
  if (from === to) return;
  await transaction('product_counts')
    .where({ tenant_id: tenantId })
    .update({ [from]: transaction.raw('?? - ?', [from, products]), [to]: transaction.raw('?? + ?', [to, products]) });
}
