import type { Knex } from 'knex';
import { addFirstCarrier } from '../carriers/lifecycle.ts';
import type { ProductStatus } from '../products/counts.ts';
import {
  findForeignActiveByGtin,
  type GtinOwner,
  lockGtin,
  lockProduct,
  type Product,
  updateProduct,
} from '../products/store.ts';
import type { Services } from '../services.ts';
import { LifecycleError } from './registry.ts';

const moves: Record<ProductStatus, ProductStatus[]> = {
  draft: ['active', 'archived'],
  active: ['archived'],
  archived: ['active'],
};

/** Another tenant has an active product with this GTIN. */
export class GtinInUse extends LifecycleError {
  override readonly name = 'GtinInUse';

  constructor(slug: string, gtin: string, owner: GtinOwner) {
    const other = `${owner.tenant_slug}/${owner.slug}`;
    super(`${slug} was not activated: its GTIN ${gtin} is already active as ${other}, another tenant's product.`);
  }
}

/**
 * Changes the status of a product. An activated product with a GTIN has at least one data carrier.
 *
 * @param options.shareGtin activates the product even if its GTIN is active under another tenant
 * @returns the product, or `undefined` if the tenant has no product with this slug
 * @throws LifecycleError if the status cannot follow the present one
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
      throw new LifecycleError(`${slug} is already ${status}.`);
    }
    if (status === 'archived') return updateProduct(transaction, tenantId, product, { status }, now());
    await lockGtinOf(transaction, tenantId, product, shareGtin);
    // Read under the lock, so that the product that is activated first has the earlier time.
    const time = now();
    if (product.gtin !== null) await addFirstCarrier(transaction, tenantId, product, time);
    return updateProduct(transaction, tenantId, product, { status, activated_at: time.toISOString() }, time);
  });
}

/** @throws GtinInUse unless it may be shared */
async function lockGtinOf(
  transaction: Knex.Transaction,
  tenantId: string,
  { slug, gtin }: Product,
  mayBeShared: boolean,
): Promise<void> {
  if (gtin === null) return;
  await lockGtin(transaction, gtin);
  const owner = mayBeShared ? undefined : await findForeignActiveByGtin(transaction, tenantId, gtin);
  if (owner) throw new GtinInUse(slug, gtin, owner);
}
