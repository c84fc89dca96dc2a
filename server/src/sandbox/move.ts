import Joi from 'joi';
import { LifecycleError } from '../lifecycle/registry.ts';
import { GtinInUse, moveProduct } from '../lifecycle/status.ts';
import { findProduct, type Product } from '../products/store.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/store.ts';
import { conflict, notFound } from './input.ts';

export const activateForm = Joi.object<{ share_gtin: boolean }>({ share_gtin: Joi.boolean().default(false) });

/**
 * Activates or archives a product, as the command line does.
 *
 * @throws ControlError `not_found` or `conflict`
 */
export async function moveTo(
  services: Pick<Services, 'database' | 'now'>,
  tenant: Tenant,
  slug: string,
  status: 'active' | 'archived',
  shareGtin = false,
): Promise<Product> {
  try {
    const moved = await moveProduct(services, tenant.id, slug, status, { shareGtin });
    return moved ?? noProduct();
  } catch (error) {
    if (!(error instanceof LifecycleError)) throw error;
    const hint = error instanceof GtinInUse ? ' Activate it with share_gtin, or seed it without keep_gtins.' : '';
    throw conflict(error.message + hint);
  }
}

/** @throws ControlError `not_found` */
export async function requireProduct(
  { database }: Pick<Services, 'database'>,
  tenant: Tenant,
  slug: string,
): Promise<Product> {
  return (await findProduct(database, tenant.id, slug)) ?? noProduct();
}

function noProduct(): never {
  throw notFound('The tenant has no product with this slug. Create it with POST …/products.');
}
