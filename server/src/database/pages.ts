import type { Knex } from 'knex';

/** Rows of one query. */
const rowsAtOnce = 500;

/**
 * The rows of a query, page by page in the order of their ids. Memory stays the same for any number of rows.
 *
 * @param query makes the query of a page, without order and limit
 * @param id the column of the id, if the query has several tables
 */
export async function* pagesById<Row extends { id: string }>(
  query: () => Knex.QueryBuilder,
  id = 'id',
): AsyncGenerator<Row[], void> {
  for (let after = ''; ; ) {
    const rows: Row[] = await query().where(id, '>', after).orderBy(id).limit(rowsAtOnce);
    const last = rows.at(-1);
    if (last) yield rows;
    if (!last || rows.length < rowsAtOnce) return;
    after = last.id;
  }
}
