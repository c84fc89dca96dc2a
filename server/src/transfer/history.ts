import type { Knex } from 'knex';
import { isPostgres, pagesByKey } from '../database/statement.ts';
import type { HistoryLine } from './format.ts';
import { RefusedLine } from './lines.ts';

/** Versions in one line. What one of them replaced has at most 2 MiB of values, and a line at most 32 MiB. */
const versionsAtOnce = 10;

/** What the versions of a tenant's passports replaced. */
export async function* historyLines(transaction: Knex.Transaction, tenantId: string): AsyncGenerator<HistoryLine> {
  const versions = () =>
    transaction('passport_versions')
      .where({ tenant_id: tenantId })
      .whereNotNull('replaced')
      .select('product_id', 'version', 'replaced');
  type VersionRow = { product_id: string; version: number; replaced: string };
  for await (const rows of pagesByKey<VersionRow>(versions, ['product_id', 'version'], versionsAtOnce)) {
    yield { type: 'history', items: rows.map((row) => ({ ...row, replaced: JSON.parse(row.replaced) })) };
  }
}

/** @throws RefusedLine if a version does not stand before the line */
export async function writeHistory(
  transaction: Knex.Transaction,
  number: number,
  { items }: HistoryLine,
  tenantId: string,
): Promise<void> {
  const json = JSON.stringify(items.map((item) => ({ ...item, replaced: JSON.stringify(item.replaced) })));
  const rows = isPostgres(transaction)
    ? 'SELECT * FROM json_to_recordset(?) AS item (product_id text, version integer, replaced text)'
    : "SELECT value ->> 'product_id' AS product_id, value ->> 'version' AS version, value ->> 'replaced' AS replaced FROM json_each(?)";
  const stored = await transaction('passport_versions')
    .where({ tenant_id: tenantId })
    .whereRaw(`(product_id, version) IN (SELECT product_id, version FROM (${rows}) AS item)`, json)
    .count({ count: '*' })
    .first();
  if (Number(stored?.count) !== items.length) {
    throw new RefusedLine(number, 'it has a version twice, or one that does not stand before this line.');
  }
  await transaction.raw(
    `UPDATE passport_versions SET replaced = item.replaced FROM (${rows}) AS item
     WHERE passport_versions.tenant_id = ? AND passport_versions.product_id = item.product_id
     AND passport_versions.version = item.version`,
    [json, tenantId],
  );
}
