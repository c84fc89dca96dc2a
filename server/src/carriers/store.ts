import type { Knex } from 'knex';
import { v7 as uuid } from 'uuid';
import { isPostgres, statement } from '../database/statement.ts';
import { OperatorError } from '../operator-error.ts';
import type { Product } from '../products/store.ts';
import { type CarrierStatus, checkMove, type StoredCarrier } from './rules.ts';

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

/**
 * Records a carrier of a product. The product may have any status, because labels are printed before it is activated.
 *
 * @param product locked until the transaction ends
 * @throws OperatorError if the product has no GTIN, or another of its carriers has the UID
 */
export async function addCarrier(
  transaction: Knex.Transaction,
  tenantId: string,
  product: Product,
  { type, nfc_tag_uid }: Pick<StoredCarrier, 'type' | 'nfc_tag_uid'>,
  now: Date,
) {
  const { id, slug, gtin } = product;
  if (gtin === null) {
    throw new OperatorError(
      `${slug} has no GTIN, and a recorded carrier holds a link made of the GTIN. Draw a code with the address of the ` +
        'passport with `carrier image PRODUCT`, or create the product with a GTIN.',
    );
  }
  const carriers = nfc_tag_uid === null ? [] : await listCarriers(transaction, tenantId, id);
  // A withdrawn tag may have been rewritten.
  const same = carriers.find((carrier) => carrier.nfc_tag_uid === nfc_tag_uid && carrier.status !== 'withdrawn');
  if (same) throw new OperatorError(`${slug} already has a carrier with the tag UID ${nfc_tag_uid}: ${same.id}.`);
  const entry = { type, nfc_tag_uid, status: 'active' } as const;
  return { carrier: await insertCarrier(transaction, tenantId, id, entry, now), gtin };
}

/** Gives a product a QR code if it has no carrier of any type. */
export async function addFirstCarrier(
  transaction: Knex.Transaction,
  tenantId: string,
  { id }: Product,
  now: Date,
): Promise<void> {
  const carriers = await listCarriers(transaction, tenantId, id);
  if (carriers.length > 0) return;
  await insertCarrier(transaction, tenantId, id, { type: 'qr', nfc_tag_uid: null, status: 'active' }, now);
}

/**
 * Changes the status of a carrier. Its link works in every status.
 *
 * @returns the carrier with the GTIN of its product, or `undefined` if the tenant has no carrier with this id
 * @throws OperatorError if the status cannot follow the present one
 */
export async function moveCarrier(
  transaction: Knex.Transaction,
  tenantId: string,
  id: string,
  status: Exclude<CarrierStatus, 'active'>,
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
  checkMove(carrier, status);
  await transaction('carriers').where({ tenant_id: tenantId, id }).update({ status });
  return { carrier: { ...carrier, status }, gtin };
}
