import type { Knex } from 'knex';
import { isPostgres } from '../database/connection.ts';
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
  const elements = isPostgres(transaction) ? 'json_array_elements_text(?)' : 'value FROM json_each(?)';
  const found = await transaction('products')
    .whereRaw(`gtin14 IN (SELECT ${elements})`, JSON.stringify([...lines.keys()]))
    .where({ status: 'active' })
    .whereNot({ tenant_id: tenantId })
    .first('gtin14', 'gtin');
  if (!found) return;
  throw new RefusedLine(
    lines.get(found.gtin14) ?? 0,
    `the GTIN ${found.gtin} is already active under another tenant. Import it anyway with --share-gtin.`,
  );
}
