import type { Knex } from 'knex';
import { snapshot } from '../database/connection.ts';
import type { PassportValue } from './rules.ts';
import { listValues } from './store.ts';

/**
 * Reads a product again, with the values of its passport, from one snapshot. The first read may be older than the values.
 *
 * @param find reads the product in the snapshot
 */
export function readWithValues<Row extends { tenant_id: string; id: string }>(
  database: Knex,
  find: (transaction: Knex.Transaction) => Promise<Row | undefined>,
): Promise<{ row: Row; values: PassportValue[] } | undefined> {
  return snapshot(database, async (transaction) => {
    const row = await find(transaction);
    return row && { row, values: await listValues(transaction, row.tenant_id, row.id) };
  });
}
