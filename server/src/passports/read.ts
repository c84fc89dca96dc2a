import type { Knex } from 'knex';
import { readSnapshot } from '../database/connection.ts';
import { findProduct, type Product, type ProductStatus } from '../products/store.ts';
import type { PassportValue } from './rules.ts';
import { latestVersion, listValues } from './store.ts';
import type { Version } from './version.ts';

export interface PassportReading {
  product: Product;
  values: PassportValue[];
  version: Version;
}

/**
 * A product with its values and latest version, all of one moment: a write in between is not seen by half.
 *
 * @param status where given, a product of another status is not found. Its values are not read: the time of a 404 would
 *   give away that it exists.
 */
export async function readPassport(
  database: Knex,
  tenantId: string,
  slug: string,
  status?: ProductStatus,
): Promise<PassportReading | undefined> {
  return readSnapshot(database, async (transaction) => {
    const product = await findProduct(transaction, tenantId, slug);
    if (!product || (status && product.status !== status)) return undefined;
    const values = await listValues(transaction, tenantId, product.id);
    return { product, values, version: await latestVersion(transaction, tenantId, product.id) };
  });
}
