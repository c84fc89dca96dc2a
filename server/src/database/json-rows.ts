import type { Knex } from 'knex';
import { isPostgres } from './connection.ts';

/**
 * SQL for all rows of a query as the text of one JSON array of objects, `[]` without rows. The driver takes much longer for
 * the values of many rows than for their text: 340 µs instead of 140 µs for 50 products, with the query.
 *
 * @param columns plain names; they become the members
 * @param order a column that sorts the rows
 */
export function rowsAsJson(database: Knex, columns: readonly string[], order?: string): Knex.Raw {
  const members = columns.map((column) => `'${column}', ${column}`).join();
  const sorted = order === undefined ? '' : ` ORDER BY ${order}`;
  if (!isPostgres(database)) return database.raw(`json_group_array(json_object(${members})${sorted})`);
  return database.raw(`COALESCE(json_agg(json_build_object(${members})${sorted}), '[]')::text`);
}
