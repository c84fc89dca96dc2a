import type { Knex } from 'knex';
import { snapshot } from '../database/connection.ts';
import type { PassportValue } from './rules.ts';
import { listValues } from './store.ts';

/**
 * Reads a product again, with the values of its passport, from one snapshot. The first read may be older than the values.
 *
 * @param find reads the product in the snapshot
 */
export function readWithValues<Head extends { tenant_id: string; id: string }>(
  database: Knex,
  find: (transaction: Knex.Transaction) => Promise<Head | undefined>,
): Promise<{ head: Head; values: PassportValue[] } | undefined> {
  return snapshot(database, async (transaction) => {
    const head = await find(transaction);
    return head && { head, values: await listValues(transaction, head.tenant_id, head.id) };
  });
}
