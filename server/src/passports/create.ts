import type { Knex } from 'knex';
import type { Product } from '../products/store.ts';
import { templateOf } from '../templates/catalogue.ts';
import { insertVersion, insertVersions } from './store.ts';
import { newVersion, type Version } from './version.ts';

/** Gives a new product the first version of its passport, which has no values. */
export async function createPassport(transaction: Knex.Transaction, tenantId: string, product: Product): Promise<void> {
  await insertVersion(transaction, tenantId, product.id, firstVersion(product));
}

/** Gives many new products the first version of their passports. */
export async function createPassports(
  transaction: Knex.Transaction,
  tenantId: string,
  products: Product[],
): Promise<void> {
  await insertVersions(
    transaction,
    tenantId,
    products.map((product) => ({ product_id: product.id, ...firstVersion(product) })),
  );
}

function firstVersion({ product_group, created_at }: Product): Version {
  const { version: template_version } = templateOf(product_group);
  return newVersion({ version: 1, template_version, created_at, values: [] });
}
