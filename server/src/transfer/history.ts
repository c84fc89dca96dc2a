import type { Knex } from 'knex';
import { isPostgres } from '../database/connection.ts';
import { statement } from '../database/statement.ts';
import type { HistoryLine } from './format.ts';
import { RefusedLine } from './lines.ts';

/** Versions in one line, and in one statement. */
const versionsAtOnce = 500;

/** A line ends with the version that reaches this size, in bytes of JSON. One version has at most 2 MiB of values. */
const bytesAtOnce = 4 * 1024 * 1024;

interface Place {
  product_id: string;
  version: number;
}

/** The next versions, as many as fit into a line. */
const page = statement<Place & { replaced: string }, Place & { tenantId: string; limit: number; bytes: number }>(
  (database, { tenantId, product_id, version, limit, bytes }) => {
    const next = database('passport_versions')
      .where({ tenant_id: tenantId })
      .whereNotNull('replaced')
      .whereRaw('(product_id, version) > (?, ?)', [product_id, version])
      .orderBy(['product_id', 'version'])
      .limit(limit)
      .select('product_id', 'version', 'replaced');
    const sized = database(next.as('next')).select(
      'product_id',
      'version',
      'replaced',
      database.raw(
        'SUM(octet_length(replaced)) OVER (ORDER BY product_id, version) - octet_length(replaced) AS bytes_before',
      ),
    );
    return database(sized.as('sized'))
      .where('bytes_before', '<', bytes)
      .orderBy(['product_id', 'version'])
      .select('product_id', 'version', 'replaced');
  },
);

/** What the versions of a tenant's passports replaced. */
export async function* historyLines(transaction: Knex.Transaction, tenantId: string): AsyncGenerator<HistoryLine> {
  let after: Place = { product_id: '', version: 0 };
  for (;;) {
    const { product_id, version } = after;
    const rows = await page.all(transaction, {
      ...{ tenantId, product_id, version },
      ...{ limit: versionsAtOnce, bytes: bytesAtOnce },
    });
    const last = rows.at(-1);
    if (!last) return;
    yield { type: 'history', items: rows.map((row) => ({ ...row, replaced: JSON.parse(row.replaced) })) };
    after = last;
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
