import type { Knex } from 'knex';
import { v7 as uuid } from 'uuid';
import { isPostgres, statement } from '../database/statement.ts';
import type { StoredCarrier } from './rules.ts';

const columns = ['id', 'type', 'nfc_tag_uid', 'status', 'created_at'] as const;

const carriersOf = statement<StoredCarrier, { tenantId: string; productId: string }>(
  (database, { tenantId, productId }) =>
    database('carriers').where({ tenant_id: tenantId, product_id: productId }).orderBy('id').select(columns),
);

export function listCarriers(database: Knex, tenantId: string, productId: string): Promise<StoredCarrier[]> {
  return carriersOf.all(database, { tenantId, productId });
}

export async function insertCarrier(
  database: Knex,
  tenantId: string,
  productId: string,
  carrier: Omit<StoredCarrier, 'id' | 'created_at'>,
  now: Date,
): Promise<StoredCarrier> {
  const row: StoredCarrier = { id: uuid(), ...carrier, created_at: now.toISOString() };
  await database('carriers').insert({ tenant_id: tenantId, product_id: productId, ...row });
  return row;
}

/** Finds a carrier by its id, with the GTIN of its product, and locks it until the transaction ends. */
export async function lockCarrier(
  transaction: Knex.Transaction,
  tenantId: string,
  id: string,
): Promise<{ carrier: StoredCarrier; gtin: string } | undefined> {
  const query = transaction('carriers')
    .join('products', { 'products.tenant_id': 'carriers.tenant_id', 'products.id': 'carriers.product_id' })
    .where({ 'carriers.tenant_id': tenantId, 'carriers.id': id })
    .whereNotNull('products.gtin');
  // SQLite's transactions hold the only write lock from their beginning.
  const row = await (isPostgres(transaction) ? query.forUpdate('carriers') : query).first(
    ...columns.map((column) => `carriers.${column}`),
    'products.gtin',
  );
  if (!row) return undefined;
  const { gtin, ...carrier } = row;
  return { carrier, gtin };
}

export async function setCarrierStatus(
  transaction: Knex.Transaction,
  tenantId: string,
  id: string,
  status: StoredCarrier['status'],
): Promise<void> {
  await transaction('carriers').where({ tenant_id: tenantId, id }).update({ status });
}
