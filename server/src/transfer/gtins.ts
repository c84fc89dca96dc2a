import type { Knex } from 'knex';
import { textsOf } from '../database/statement.ts';
import { RefusedLine } from './reader.ts';

/**
 * Refuses products whose GTIN is active under another tenant, because the resolver leads to one of them only.
 *
 * @param lines the numbers of lines by GTIN-14, looked up in one statement: a large tenant has a million
 * @throws RefusedLine
 */
export async function refuseGtins(
  transaction: Knex.Transaction,
  tenantId: string,
  lines: ReadonlyMap<string, number>,
): Promise<void> {
  if (lines.size === 0) return;
  for (const others of ofOthers(transaction, tenantId, [...lines.keys()])) {
    const found = await others.where({ status: 'active' }).first('gtin14', 'gtin');
    if (!found) continue;
    throw new RefusedLine(
      lines.get(found.gtin14) ?? 0,
      `the GTIN ${found.gtin} is already active under another tenant. Import it anyway with --share-gtin.`,
    );
  }
}

/** Of these GTINs, in the form of 14 digits, those that another tenant has activated here, even if it is archived now. */
export async function activatedByOthers(
  transaction: Knex.Transaction,
  tenantId: string,
  gtins: readonly string[],
): Promise<Set<string>> {
  if (gtins.length === 0) return new Set();
  const taken = new Set<string>();
  for (const others of ofOthers(transaction, tenantId, gtins)) {
    const activated = others.whereIn('status', ['active', 'archived']).whereNotNull('activated_at');
    for (const gtin of await activated.distinct().pluck('gtin14')) taken.add(gtin);
  }
  return taken;
}

/** Two ranges of the index, because databases read all products of the tenant for an inequality. */
function ofOthers(transaction: Knex.Transaction, tenantId: string, gtins: readonly string[]): Knex.QueryBuilder[] {
  return ['<', '>'].map((side) =>
    transaction('products')
      .whereRaw(`gtin14 IN (${textsOf(transaction)})`, JSON.stringify(gtins))
      .where('tenant_id', side, tenantId),
  );
}
