import type { Knex } from 'knex';
import type { Product } from '../products/store.ts';
import { templateOf } from '../templates/catalogue.ts';
import { insertVersion } from './store.ts';
import { newVersion } from './version.ts';

/** Gives a new product the first version of its passport, which has no values. */
export async function createPassport(
  transaction: Knex.Transaction,
  tenantId: string,
  { id, product_group, created_at }: Product,
): Promise<void> {
  const { version: template_version } = templateOf(product_group);
  const first = newVersion({ version: 1, template_version, created_at, values: [] });
  await insertVersion(transaction, tenantId, id, first);
}
