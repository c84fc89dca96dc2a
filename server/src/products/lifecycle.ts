import { insertCarrier, listCarriers } from '../carriers/store.ts';
import type { Services } from '../http/app.ts';
import { lockProduct, type Product, type ProductStatus, updateProduct } from './store.ts';

const moves: Record<ProductStatus, ProductStatus[]> = {
  draft: ['active', 'archived'],
  active: ['archived'],
  archived: ['active'],
};

/** A move that a product cannot make, in words for an operator. */
export class LifecycleError extends Error {
  override readonly name = 'LifecycleError';
}

/**
 * Moves a product to another status. One that is activated with a GTIN and has no data carrier yet gets a QR code.
 *
 * @returns the product, or `undefined` where the tenant has none of this slug
 * @throws LifecycleError for a move that does not exist
 */
export async function moveProduct(
  { database, now }: Pick<Services, 'database' | 'now'>,
  tenantId: string,
  slug: string,
  status: 'active' | 'archived',
): Promise<Product | undefined> {
  return database.transaction(async (transaction) => {
    const product = await lockProduct(transaction, tenantId, slug);
    if (!product) return undefined;
    if (!moves[product.status].includes(status)) {
      throw new LifecycleError(`${slug} is ${product.status} and cannot become ${status}.`);
    }
    const time = now();
    const activated = status === 'active' ? { activated_at: time.toISOString() } : {};
    if (status === 'active' && product.gtin !== null) {
      const carriers = await listCarriers(transaction, tenantId, product.id);
      if (carriers.length === 0) {
        await insertCarrier(
          transaction,
          tenantId,
          product.id,
          { type: 'qr', nfc_tag_uid: null, status: 'active' },
          time,
        );
      }
    }
    return updateProduct(transaction, tenantId, product, { status, ...activated }, time);
  });
}
