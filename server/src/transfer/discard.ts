import type { Knex } from 'knex';
import { isPostgres } from '../database/connection.ts';
import { hiddenSlug } from './imports.ts';

/** Rows in one transaction, so that other writers wait little. */
const rowsAtOnce = 2000;

/** In an order in which no row refers to one that is gone. */
const tables = [
  'imports',
  'access_tokens',
  'api_keys',
  'scan_days',
  'scan_counts',
  'scans',
  'carriers',
  'product_images',
  'slug_counters',
  'passport_values',
  'passport_versions',
  'products',
  'product_counts',
];

/**
 * Removes what the unfinished import of a tenant stored. The names of its products stay in SQLite's search index under a
 * number that no tenant gets again.
 *
 * @param removed runs in the last transaction, which removes the tenant
 * @returns the number of removed products, or `undefined` if no import of this tenant is unfinished
 */
export async function discardImport(
  database: Knex,
  slug: string,
  removed: (transaction: Knex.Transaction) => Promise<void>,
): Promise<number | undefined> {
  const tenant = await database('tenants')
    .where({ slug: hiddenSlug(slug) })
    .first('id');
  if (!tenant) return undefined;
  const row = isPostgres(database) ? 'ctid' : 'rowid';
  let products = 0;
  // The note goes first, so that no import continues with a part.
  for (const table of tables) {
    for (let deleted = rowsAtOnce; deleted === rowsAtOnce; ) {
      deleted = await database.transaction((transaction) =>
        transaction(table)
          .where({ tenant_id: tenant.id })
          .whereRaw(`${row} IN (SELECT ${row} FROM ?? WHERE tenant_id = ? LIMIT ?)`, [table, tenant.id, rowsAtOnce])
          .delete(),
      );
      if (table === 'products') products += deleted;
    }
  }
  await database.transaction(async (transaction) => {
    await transaction('tenants').where({ id: tenant.id }).delete();
    await removed(transaction);
  });
  return products;
}
