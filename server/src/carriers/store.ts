import type { Knex } from 'knex';
import { v7 as uuid } from 'uuid';
import type { components } from '../contract/generated/openapi.ts';

type Carrier = components['schemas']['Carrier'];
/** A carrier as it is stored. Its link is made when it is read. */
export type StoredCarrier = Omit<Carrier, 'gs1_digital_link'>;

export async function listCarriers(database: Knex, tenantId: string, productId: string): Promise<StoredCarrier[]> {
  return database('carriers')
    .where({ tenant_id: tenantId, product_id: productId })
    .orderBy('id')
    .select('id', 'type', 'nfc_tag_uid', 'status', 'created_at');
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
