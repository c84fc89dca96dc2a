import type { Knex } from 'knex';
import { insertFrom, insertOf, statement } from '../database/statement.ts';

/**
 * Makes a function that inserts rows in one statement. The rows are one parameter, a JSON array: the statement is prepared once
 * for any number of rows. Where tables are spread, they are of one tenant.
 *
 * @param key of the rows of a tenant whose `count` it adds to. Default: every row is new
 */
export function insertion(table: string, columns: readonly string[], key?: readonly string[]) {
  function adding(database: Knex, insert: Knex.Raw): Knex.Raw {
    if (!key) return insert;
    const update = `DO UPDATE SET count = ${table}.count + excluded.count`;
    return database.raw(`? ON CONFLICT (tenant_id, ${key.join()}) ${update}`, [insert]);
  }
  const ofTenant = statement<object, { tenantId: string; rows: string }>((database, { tenantId, rows }) =>
    adding(database, insertOf(database, tenantId, table, columns, rows)),
  );
  const ofTenants = statement<object, { rows: string }>((database, { rows }) =>
    adding(database, insertFrom(database, table, ['tenant_id', ...columns], rows)),
  );
  return async (transaction: Knex.Transaction, rows: readonly { tenant_id: string }[]): Promise<void> => {
    const [first] = rows;
    if (!first) return;
    const tenantId = first.tenant_id;
    const json = { rows: JSON.stringify(rows) };
    if (rows.every(({ tenant_id }) => tenant_id === tenantId)) await ofTenant.all(transaction, { tenantId, ...json });
    else await ofTenants.all(transaction, json);
  };
}
