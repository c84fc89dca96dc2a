import type { Knex } from 'knex';
import { readSnapshot } from '../database/connection.ts';
import type { ProductStatus } from '../products/counts.ts';
import { findProduct, type Product } from '../products/store.ts';
import type { PassportValue } from './rules.ts';
import { latestVersion, listValues } from './store.ts';
import type { Version } from './version.ts';

export interface PassportReading {
  product: Product;
  values: PassportValue[];
  version: Version;
}

/**
 * Reads a product with its values and latest version from one snapshot.
 *
 * @param status if given, a product with another status is not found. Its values are not read, because the time of the
 *   404 would reveal that it exists.
 */
export async function readPassport(
  database: Knex,
  tenantId: string,
  slug: string,
  status?: ProductStatus,
): Promise<PassportReading | undefined> {
  return readSnapshot(database, tenantId, async (transaction) => {
    const product = await findProduct(transaction, tenantId, slug);
    if (!product || (status && product.status !== status)) return undefined;
    const values = await listValues(transaction, tenantId, product.id);
    return { product, values, version: await latestVersion(transaction, tenantId, product.id) };
  });
}
