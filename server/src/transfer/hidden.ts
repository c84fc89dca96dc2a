import type { Knex } from 'knex';
import { isPostgres } from '../database/statement.ts';

/**
 * The beginning of a tenant's slug while it is imported. No path and no command can name such a slug, so nobody sees the
 * tenant before it is complete.
 */
const prefix = 'importing:';

/** The slug of a tenant until its import has ended. */
export function hiddenSlug(slug: string): string {
  return `${prefix}${slug}`;
}

export function isHidden(slug: string): boolean {
  return slug.startsWith(prefix);
}

/** Rows in one transaction, so that other writers wait little. */
const rowsAtOnce = 2000;

/** In an order in which no row refers to one that is gone. */
const tables = [
  'access_tokens',
  'api_keys',
  'scan_days',
  'scan_counts',
  'scans',
  'carriers',
  'product_images',
  'passport_values',
  'passport_versions',
  'products',
  'product_counts',
];

/**
 * Removes what an import stored that did not end. The names of its products stay in SQLite's search index under a number
 * that no tenant gets again.
 *
 * @param removed runs in the last transaction, which removes the tenant
 * @returns the number of removed products, or `undefined` if no import of this tenant is there
 */
export async function removeHidden(
  database: Knex,
  slug: string,
  removed: (transaction: Knex.Transaction) => Promise<void> = async () => {},
): Promise<number | undefined> {
  const tenant = await database('tenants')
    .where({ slug: hiddenSlug(slug) })
    .first('id');
  if (!tenant) return undefined;
  const row = isPostgres(database) ? 'ctid' : 'rowid';
  let products = 0;
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
