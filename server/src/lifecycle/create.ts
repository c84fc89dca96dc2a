import { productUrn, slugFromName } from '@product-passport/openapi';
import { commitTogether } from '../database/group-commit.ts';
import { createPassports } from '../passports/write.ts';
import { type CreateProduct, insertProduct, type Product } from '../products/store.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/store.ts';

/** Creates a draft and its passport, in one transaction. */
export async function createProduct(
  { database, urnNamespace, now }: Pick<Services, 'database' | 'urnNamespace' | 'now'>,
  tenant: Pick<Tenant, 'id' | 'slug'>,
  product: CreateProduct,
): Promise<Product> {
  const wanted = { ...product, slug: product.slug ?? slugFromName(product.name) };
  return commitTogether(database, async (transaction) => {
    const urnOf = (taken: string): string => productUrn(urnNamespace, tenant.slug, taken);
    const created = await insertProduct(transaction, tenant.id, wanted, urnOf, now());
    await createPassports(transaction, tenant.id, [created]);
    return created;
  });
}
