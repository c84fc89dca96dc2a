/** The rows of one tenant, across the tables of all nouns. */
import type { Knex } from 'knex';

/** The tables of a tenant's data, each before the tables that it refers to. */
const dataTables = [
  'scan_counts',
  'scan_days',
  'scans',
  'carriers',
  'product_images',
  'passport_versions',
  'passport_values',
  'access_tokens',
  'products',
  'product_counts',
] as const;

/** The columns with a time, by table. */
const times = {
  api_keys: ['created_at', 'revoked_at', 'last_used_at'],
  products: ['activated_at', 'created_at', 'updated_at'],
  passport_values: ['updated_at'],
  passport_versions: ['created_at'],
  carriers: ['created_at'],
  product_images: ['created_at'],
  access_tokens: ['created_at', 'expires_at', 'revoked_at'],
  scans: ['scanned_at'],
} as const;

/** Deletes everything of a tenant except itself and its keys. */
export async function deleteData(transaction: Knex.Transaction, tenantId: string): Promise<void> {
  for (const table of dataTables) await transaction(table).where({ tenant_id: tenantId }).delete();
}

export async function deleteTenant(transaction: Knex.Transaction, tenantId: string): Promise<void> {
  await deleteData(transaction, tenantId);
  await transaction('api_keys').where({ tenant_id: tenantId }).delete();
  await transaction('tenants').where({ id: tenantId }).delete();
}

/** Makes every time of a tenant older by some days. */
export async function moveTimes(transaction: Knex.Transaction, tenantId: string, days: number): Promise<void> {
  const past = `-${days} days`;
  const moved = (column: string) => transaction.raw("strftime('%Y-%m-%dT%H:%M:%fZ', ??, ?)", [column, past]);
  const movedAll = (columns: readonly string[]) => Object.fromEntries(columns.map((column) => [column, moved(column)]));
  await transaction('tenants')
    .where({ id: tenantId })
    .update(movedAll(['created_at', 'listed_at']));
  for (const [table, columns] of Object.entries(times)) {
    await transaction(table).where({ tenant_id: tenantId }).update(movedAll(columns));
  }
  // In two steps, because the date is part of the primary key, and another row may still have the new date.
  for (const table of ['scan_counts', 'scan_days']) {
    const counts = () => transaction(table).where({ tenant_id: tenantId });
    await counts().update({ date: transaction.raw("'moving ' || date") });
    await counts().update({ date: transaction.raw('date(substr(date, 8), ?)', [past]) });
  }
}
