import type { Schemas } from '../contract/types.ts';
import { commitTogether } from '../database/group-commit.ts';
import { createPassport } from '../passports/create.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/store.ts';
import { productUrn, slugFromName } from './rules.ts';
import { insertProduct, type Product } from './store.ts';

export type CreateProduct = Schemas['CreateProduct'];

/** Creates a draft and its passport, in one transaction. */
export async function createProduct(
  { database, urnNamespace, now }: Pick<Services, 'database' | 'urnNamespace' | 'now'>,
  tenant: Tenant,
  { name, slug, gtin = null, product_group = null, model = null }: CreateProduct,
): Promise<Product> {
  const wanted = { name, slug: slug ?? slugFromName(name), gtin, product_group, model };
  return commitTogether(database, async (transaction) => {
    const urnOf = (taken: string): string => productUrn(urnNamespace, tenant.slug, taken);
    const product = await insertProduct(transaction, tenant.id, wanted, urnOf, now());
    await createPassport(transaction, tenant.id, product);
    return product;
  });
}
