import { fillDemo } from '../../server/src/demo/fill.ts';
import type { Service } from './service.ts';

/** Fills a database with the demo. Returns the access tokens for all products, and the products that are public. */
export async function fillPublicDemo({ database }: Pick<Service, 'database'>) {
  const keys = await fillDemo({ database, urnNamespace: 'dpp', now: () => new Date() });
  if (!keys) throw new Error('The database was not empty.');
  const products: { tenant: string; slug: string }[] = await database('products')
    .join('tenants', 'tenants.id', 'products.tenant_id')
    .where({ status: 'active' })
    .select({ tenant: 'tenants.slug', slug: 'products.slug' });
  return { tokens: keys.access_tokens.filter(({ product }) => product === null), products };
}
