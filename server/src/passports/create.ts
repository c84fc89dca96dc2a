import type { Knex } from 'knex';
import type { Product } from '../products/store.ts';
import { templateOf } from '../templates/catalogue.ts';
import { insertVersions } from './store.ts';
import { newVersion } from './version.ts';

/** Gives new products the first version of their passports, which has no values. */
export async function createPassports(
  transaction: Knex.Transaction,
  tenantId: string,
  products: Product[],
): Promise<void> {
  const versions = products.map(({ id, product_group, created_at }) => {
    const { version: template_version } = templateOf(product_group);
    return { product_id: id, ...newVersion({ version: 1, template_version, created_at, values: [] }) };
  });
  await insertVersions(transaction, tenantId, versions);
}
