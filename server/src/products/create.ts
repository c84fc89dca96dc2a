import type { components } from '../contract/generated/openapi.ts';
import { insertVersion } from '../passports/store.ts';
import { newVersion } from '../passports/version.ts';
import type { Services } from '../services.ts';
import { templateOf } from '../templates/catalogue.ts';
import type { Tenant } from '../tenants/store.ts';
import { productUrn, slugFromName } from './rules.ts';
import { insertProduct, type Product } from './store.ts';

export type CreateProduct = components['schemas']['CreateProduct'];

/** Creates a draft, with the first version of its passport, which has no values. */
export async function createProduct(
  { database, urnNamespace, now }: Pick<Services, 'database' | 'urnNamespace' | 'now'>,
  tenant: Tenant,
  { name, slug, gtin = null, product_group = null, model = null }: CreateProduct,
): Promise<Product> {
  const wanted = { name, slug: slug ?? slugFromName(name), gtin, product_group, model };
  const template_version = templateOf(product_group).version;
  return database.transaction(async (transaction) => {
    const urnOf = (taken: string): string => productUrn(urnNamespace, tenant.slug, taken);
    const product = await insertProduct(transaction, tenant.id, wanted, urnOf, now());
    const first = newVersion({ version: 1, template_version, created_at: product.created_at, values: [] });
    await insertVersion(transaction, tenant.id, product.id, first);
    return product;
  });
}
