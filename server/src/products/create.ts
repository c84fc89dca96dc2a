import type { Knex } from 'knex';
import type { components } from '../contract/generated/openapi.ts';
import { commitTogether } from '../database/group-commit.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/store.ts';
import { productUrn, slugFromName } from './rules.ts';
import { insertProduct, type Product } from './store.ts';

export type CreateProduct = components['schemas']['CreateProduct'];

/** What `createProduct` needs. */
export interface ProductCreation extends Pick<Services, 'database' | 'urnNamespace' | 'now'> {
  /** Gives the new product its passport, in the same transaction. */
  createPassport: (transaction: Knex.Transaction, tenantId: string, product: Product) => Promise<void>;
}

/** Creates a draft and its passport. */
export async function createProduct(
  { database, urnNamespace, now, createPassport }: ProductCreation,
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
