import type { Knex } from 'knex';
import { OperatorError } from '../operator-error.ts';
import type { Product } from '../products/store.ts';
import { type CarrierStatus, checkMove, type StoredCarrier } from './rules.ts';
import { insertCarrier, listCarriers, lockCarrier, setCarrierStatus } from './store.ts';

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
 * @returns the carrier, or `undefined` if the tenant has no carrier with this id
 * @throws OperatorError if the status cannot follow the present one
 */
export async function moveCarrier(
  transaction: Knex.Transaction,
  tenantId: string,
  id: string,
  status: Exclude<CarrierStatus, 'active'>,
) {
  const found = await lockCarrier(transaction, tenantId, id);
  if (!found) return undefined;
  checkMove(found.carrier, status);
  await setCarrierStatus(transaction, tenantId, id, status);
  return { ...found, carrier: { ...found.carrier, status } };
}
