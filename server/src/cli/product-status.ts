import type { Knex } from 'knex';
import { addFirstCarrier } from '../carriers/lifecycle.ts';
import type { ProductStatus } from '../products/counts.ts';
import { GtinInUse, LifecycleError, moveProduct } from '../products/lifecycle.ts';
import { listProducts } from '../products/list.ts';
import type { Product, ProductListItem } from '../products/store.ts';
import { noProduct, requireTenant, type TenantOptions } from './database.ts';
import { CommandFailure, print, printJson } from './output.ts';

/** Rows of one query. */
const pageSize = 200;

/** Every product of a tenant, oldest first. */
export async function allProducts(
  database: Knex,
  { status, ...options }: TenantOptions & { status?: ProductStatus },
): Promise<ProductListItem[]> {
  const tenant = await requireTenant(database, options);
  const items: ProductListItem[] = [];
  for (let total = 1; items.length < total; ) {
    const page = await listProducts(database, tenant.id, { status }, { limit: pageSize, offset: items.length });
    const found: ProductListItem[] = JSON.parse(page.items);
    if (found.length === 0) break;
    items.push(...found);
    total = page.total;
  }
  return items;
}

/** Changes the status of a product. */
export async function move(
  database: Knex,
  slug: string,
  status: 'active' | 'archived',
  { shareGtin = false, ...options }: TenantOptions & { shareGtin?: boolean },
): Promise<Product> {
  const tenant = await requireTenant(database, options);
  try {
    const services = { database, now: () => new Date(), addFirstCarrier };
    const moved = await moveProduct(services, tenant.id, slug, status, { shareGtin });
    if (moved) return moved;
  } catch (error) {
    if (error instanceof GtinInUse) {
      throw new CommandFailure(`${error.message} To activate it anyway, add --share-gtin.`);
    }
    if (error instanceof LifecycleError) throw new CommandFailure(error.message);
    throw error;
  }
  throw noProduct(slug, options);
}

export function printMoved(moved: Product, { json }: TenantOptions): void {
  if (json) printJson(moved);
  else print(`${moved.slug} is now ${moved.status}.`);
}
