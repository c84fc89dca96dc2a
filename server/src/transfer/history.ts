/** What an import takes from the history of passports: a version is public only if its hashes prove it. */
import type { Knex } from 'knex';
import { PastValues } from '../passports/published-versions.ts';
import { type Replaced, walkValues } from '../passports/store.ts';
import { hashProblems, textsBefore, versionRows } from './hashes.ts';

/** Products whose versions are checked between two transactions. */
const productsAtOnce = 50;

/** A version that must not be public: what the next one replaced, as it is to be stored. */
interface Hidden {
  product_id: string;
  version: number;
  replaced: string;
}

/**
 * Makes each older version of an imported tenant not public whose hashes do not fit its values, or that does not say whether
 * the product was active. What is not known was never public.
 *
 * @returns how many versions are not public for these reasons
 */
export async function hideUnproven(database: Knex, tenantId: string): Promise<number> {
  let count = 0;
  for (let after = 0; ; ) {
    const products: { id: string; position: number }[] = await database('products')
      .where({ tenant_id: tenantId })
      .where('position', '>', after)
      .whereExists(
        database('passport_versions')
          .whereRaw('tenant_id = products.tenant_id AND product_id = products.id')
          .where('version', 2),
      )
      .orderBy('position')
      .limit(productsAtOnce)
      .select('id', 'position');
    const hidden: Hidden[] = [];
    for await (const { row, values } of walkValues(database, tenantId, products)) {
      const found = await unproven(database, tenantId, row.id, new PastValues(values));
      count += found.count;
      hidden.push(...found.hidden);
    }
    // Reading takes long, and nobody changes a tenant that is not complete.
    await database.transaction(async (transaction) => {
      for (const { replaced, ...key } of hidden) {
        await transaction('passport_versions')
          .where({ tenant_id: tenantId, ...key })
          .update({ replaced });
      }
    });
    const last = products.at(-1);
    if (!last || products.length < productsAtOnce) return count;
    after = last.position;
  }
}

/** @param state the values of the latest version */
async function unproven(
  database: Knex,
  tenantId: string,
  product_id: string,
  state: PastValues,
): Promise<{ count: number; hidden: Hidden[] }> {
  const hidden: Hidden[] = [];
  let newer: { version: number; replaced: string | null } | undefined;
  for await (const row of versionRows(database, tenantId, product_id)) {
    const { version = 0, replaced } = newer ?? {};
    newer = row;
    if (version === 0) continue;
    const texts = textsBefore(state, replaced);
    // Without what this version replaced, no older one has values.
    if (!texts) return { count: hidden.length + row.version, hidden };
    const next: Partial<Replaced> = JSON.parse(replaced ?? '');
    if (hashProblems(row, texts).length === 0 && next.was_active !== undefined) continue;
    hidden.push({ product_id, version, replaced: JSON.stringify({ ...next, was_active: false }) });
  }
  return { count: hidden.length, hidden };
}
