import type { Knex } from 'knex';
import { isPostgres } from './statement.ts';

/** Inserts many rows with the same columns. One statement with one parameter is faster than Knex's insert. */
export async function insertRows(transaction: Knex.Transaction, table: string, rows: object[]): Promise<void> {
  const [first] = rows;
  if (first) await insertFrom(transaction, table, Object.keys(first), JSON.stringify(rows));
}

/** SQL that inserts the objects of a JSON array. The array is one parameter: the SQL is the same for any number of rows. */
export function insertFrom(database: Knex, table: string, columns: readonly string[], rows: string | number): Knex.Raw {
  // Quoted, because an import has the names from a file.
  const names = columns.map(() => '??').join();
  if (isPostgres(database)) {
    const sql = `INSERT INTO ?? (${names}) SELECT ${names} FROM json_populate_recordset(NULL::??, ?::json)`;
    return database.raw(sql, [table, ...columns, ...columns, table, rows]);
  }
  const values = columns.map(() => 'value ->> ?').join();
  // Without the condition SQLite would read ON CONFLICT as part of the SELECT.
  const sql = `INSERT INTO ?? (${names}) SELECT ${values} FROM json_each(?) WHERE true`;
  return database.raw(sql, [table, ...columns, ...columns, rows]);
}

/**
 * SQL for all rows of a query as the text of one JSON array of objects, `[]` without rows. The driver reads one
 * text faster than the values of many rows.
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

/** SQL for the texts of a JSON array that is a parameter, as in `id IN (…)`. */
export function textsOf(database: Knex): string {
  return isPostgres(database) ? 'SELECT json_array_elements_text(?)' : 'SELECT value FROM json_each(?)';
}

/** Rows of one query. */
const rowsAtOnce = 500;

/**
 * The rows of a query, page by page in the order of a key. Memory stays the same for any number of rows.
 *
 * @param query makes the query of a page with the columns of the key, without order and limit
 */
export async function* pagesByKey<Row extends object>(
  query: () => Knex.QueryBuilder,
  key: readonly string[],
  limit = rowsAtOnce,
): AsyncGenerator<Row[], void> {
  const next = `(${key.join(', ')}) > (${key.map(() => '?').join(', ')})`;
  const members = key.map((column) => column.slice(column.indexOf('.') + 1));
  for (let after: Knex.Value[] | undefined; ; ) {
    const page = query()
      .orderBy([...key])
      .limit(limit);
    if (after) void page.whereRaw(next, after);
    const rows: Row[] = await page;
    const last = rows.at(-1);
    if (last) yield rows;
    if (!last || rows.length < limit) return;
    after = members.map((member) => last[member as keyof Row] as Knex.Value);
  }
}
