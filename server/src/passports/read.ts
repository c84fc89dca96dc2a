import type { Knex } from 'knex';
import { readOneMoment } from '../database/connection.ts';
import { findProduct, type Product } from '../products/store.ts';
import type { PassportValue } from './rules.ts';
import { latestVersion, listValues, type Version } from './store.ts';

export interface PassportReading {
  product: Product;
  values: PassportValue[];
  version: Version;
}

/** A product with its values and latest version, all of one moment: a write in between is not seen by half. */
export async function readPassport(
  database: Knex,
  tenantId: string,
  slug: string,
): Promise<PassportReading | undefined> {
  return readOneMoment(database, async (transaction) => {
    const product = await findProduct(transaction, tenantId, slug);
    if (!product) return undefined;
    const values = await listValues(transaction, tenantId, product.id);
    return { product, values, version: await latestVersion(transaction, tenantId, product.id) };
  });
}
