import type { Knex } from 'knex';
import { type Counts, sectionNames, sections } from './format.ts';

/** How many rows of each kind a tenant has in the database. */
async function storedCounts(transaction: Knex.Transaction, tenantId: string): Promise<Counts> {
  const tables = Object.fromEntries(sectionNames.map((name) => [name, sections[name].table]));
  const all = { products: 'products', values: 'passport_values', images: 'product_images', ...tables };
  const counts: Partial<Counts> = {};
  for (const [name, table] of Object.entries(all)) {
    const row = await transaction(table).where({ tenant_id: tenantId }).count({ count: '*' }).first();
    counts[name as keyof Counts] = Number(row?.count ?? 0);
  }
  return counts as Counts;
}

/** @returns how the tenant's stored data differs from the file; `undefined` if it does not */
export async function countProblem(
  transaction: Knex.Transaction,
  tenantId: string,
  expected: Counts,
): Promise<string | undefined> {
  const stored = await storedCounts(transaction, tenantId);
  for (const [name, count] of Object.entries(expected)) {
    const found = stored[name as keyof Counts];
    if (found !== undefined && found !== count)
      return `the tenant should have ${count} ${name}, but the file has ${found}.`;
  }
  const gap = await transaction('passport_versions')
    .where({ tenant_id: tenantId })
    .groupBy('product_id')
    .havingRaw('COUNT(*) <> MAX(version)')
    .first('product_id');
  return gap && `a version of the product ${gap.product_id} is missing.`;
}
