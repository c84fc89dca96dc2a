import type { Knex } from 'knex';
import { insertCarrier, listCarriers } from '../carriers/store.ts';
import type { Services } from '../services.ts';
import {
  findForeignActiveByGtin,
  type GtinOwner,
  lockGtin,
  lockProduct,
  type Product,
  type ProductStatus,
  updateProduct,
} from './store.ts';

const moves: Record<ProductStatus, ProductStatus[]> = {
  draft: ['active', 'archived'],
  active: ['archived'],
  archived: ['active'],
};

/** A move that a product cannot make, in words for an operator. */
export class LifecycleError extends Error {
  override readonly name: string = 'LifecycleError';
}

/** An activation with a GTIN that is active under another tenant. */
export class GtinInUse extends LifecycleError {
  override readonly name = 'GtinInUse';

  constructor(slug: string, gtin: string, owner: GtinOwner) {
    const other = `${owner.tenant_slug}/${owner.slug}`;
    super(`${slug} stays as it is: its GTIN ${gtin} is active as ${other}, a product of another tenant.`);
  }
}

/**
 * Moves a product to another status. One that is activated with a GTIN and has no data carrier yet gets a QR code.
 *
 * @param options.shareGtin activates a product although its GTIN is active under another tenant
 * @returns the product, or `undefined` where the tenant has none of this slug
 * @throws LifecycleError for a move that does not exist
 * @throws GtinInUse
 */
export async function moveProduct(
  { database, now }: Pick<Services, 'database' | 'now'>,
  tenantId: string,
  slug: string,
  status: 'active' | 'archived',
  { shareGtin = false } = {},
): Promise<Product | undefined> {
  return database.transaction(async (transaction) => {
    const product = await lockProduct(transaction, tenantId, slug);
    if (!product) return undefined;
    if (!moves[product.status].includes(status)) {
      throw new LifecycleError(`${slug} is ${product.status} and cannot become ${status}.`);
    }
    const gtin = status === 'active' ? product.gtin : null;
    if (gtin !== null) {
      await lockGtin(transaction, gtin);
      const owner = shareGtin ? undefined : await findForeignActiveByGtin(transaction, tenantId, gtin);
      if (owner) throw new GtinInUse(slug, gtin, owner);
    }
    // Read under the lock, so that the product that is activated first has the earlier time.
    const time = now();
    if (gtin !== null) await addFirstCarrier(transaction, tenantId, product.id, time);
    const activated = status === 'active' ? { activated_at: time.toISOString() } : {};
    return updateProduct(transaction, tenantId, product, { status, ...activated }, time);
  });
}

async function addFirstCarrier(
  transaction: Knex.Transaction,
  tenantId: string,
  productId: string,
  now: Date,
): Promise<void> {
  const carriers = await listCarriers(transaction, tenantId, productId);
  if (carriers.length > 0) return;
  await insertCarrier(transaction, tenantId, productId, { type: 'qr', nfc_tag_uid: null, status: 'active' }, now);
}
