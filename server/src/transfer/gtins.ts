import type { Knex } from 'knex';
import { textsOf } from '../database/rows.ts';
import { RefusedLine } from './lines.ts';

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
  const others = ofOthers(transaction, tenantId, [...lines.keys()]);
  const found = await others.where({ status: 'active' }).first('gtin14', 'gtin');
  if (!found) return;
  throw new RefusedLine(
    lines.get(found.gtin14) ?? 0,
    `the GTIN ${found.gtin} is already active under another tenant. Import it anyway with --share-gtin.`,
  );
}

/** Of these GTINs, in the form of 14 digits, those that another tenant has activated here, even if it is archived now. */
export async function activatedByOthers(
  transaction: Knex.Transaction,
  tenantId: string,
  gtins: readonly string[],
): Promise<Set<string>> {
  if (gtins.length === 0) return new Set();
  return new Set(await ofOthers(transaction, tenantId, gtins).whereNotNull('activated_at').pluck('gtin14'));
}

function ofOthers(transaction: Knex.Transaction, tenantId: string, gtins: readonly string[]): Knex.QueryBuilder {
  return transaction('products')
    .whereRaw(`gtin14 IN (${textsOf(transaction)})`, JSON.stringify(gtins))
    .whereNot({ tenant_id: tenantId });
}
