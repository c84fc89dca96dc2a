/** Two tenants with products that the writers change and view. */

import { openDatabase } from '../../server/src/index.ts';
import { createProduct } from '../../server/src/products/create.ts';
import { moveProduct } from '../../server/src/products/lifecycle.ts';
import { createKey } from '../../server/src/tenants/keys.ts';
import { insertTenant } from '../../server/src/tenants/store.ts';

export interface Tenant {
  id: string;
  slug: string;
  key: string;
}

export interface Shop {
  address: string;
  tenants: readonly Tenant[];
}

/** The slugs of the products of each tenant. All are active. */
export const productSlugs = ['tasse-a', 'tasse-b', 'tasse-c', 'tasse-d'] as const;

/** Fills an empty database. */
export async function openShop(address: string): Promise<Shop> {
  const database = await openDatabase(address);
  try {
    const services = { database, now: () => new Date(), urnNamespace: 'dpp' };
    const tenants: Tenant[] = [];
    for (const slug of ['nord', 'sued']) {
      const tenant = await insertTenant(database, { slug, name: slug, country: 'DE', plan: 'business' }, new Date());
      if (!tenant) throw new Error(`The tenant ${slug} already exists.`);
      for (const name of productSlugs) {
        const wish = { name, slug: null, gtin: null, product_group: 'battery' as const, model: null };
        await createProduct(services, tenant, wish);
        await moveProduct(services, tenant.id, name, 'active');
      }
      const { key } = await createKey(database, tenant.id, 'torture', new Date());
      tenants.push({ id: tenant.id, slug, key });
    }
    return { address, tenants };
  } finally {
    await database.destroy();
  }
}
