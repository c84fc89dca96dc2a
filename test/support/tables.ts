import { expect } from '@jest/globals';
import { connect } from '../../server/src/database/connection.ts';
import type { Database } from './service.ts';

type Row = Record<string, unknown>;

/** Tables whose rows the program makes from those of other tables, or keeps for itself. */
export const derivedTables = ['rate_windows', 'migrations', 'migrations_lock', 'product_names'];

/** The names of all columns by table, without the shadow tables of SQLite's full-text index. */
export async function columnsOf(address: string): Promise<Map<string, string[]>> {
  const database = connect(address);
  try {
    const isFile = database.client.driverName !== 'pg';
    const { rows } = isFile
      ? {
          rows: await database.raw(
            `SELECT list.name AS table_name, columns.name AS column_name FROM pragma_table_list AS list
             JOIN pragma_table_info(list.name) AS columns
             WHERE list.schema = 'main' AND list.type IN ('table', 'virtual') AND list.name NOT LIKE 'sqlite%'`,
          ),
        }
      : await database.raw(
          "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'",
        );
    const groups = Map.groupBy(rows as { table_name: string; column_name: string }[], (row) => row.table_name);
    return new Map([...groups].map(([table, columns]) => [table, columns.map((row) => row.column_name).sort()]));
  } finally {
    await database.destroy();
  }
}

/**
 * Every row of every table, in one form for both kinds of database and in one order.
 *
 * @param leaveOut tables, and columns as `table.column`
 */
export async function contentOf(address: string, leaveOut: readonly string[] = []): Promise<Record<string, Row[]>> {
  const tables = [...(await columnsOf(address)).keys()].filter(
    (name) => ![...derivedTables, ...leaveOut].includes(name),
  );
  const database = connect(address);
  try {
    const content: Record<string, Row[]> = {};
    for (const table of tables.sort()) {
      const rows: Row[] = await database(table).select('*');
      content[table] = rows
        .map((row) =>
          inOneForm(Object.fromEntries(Object.entries(row).filter(([name]) => !leaveOut.includes(`${table}.${name}`)))),
        )
        .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    }
    return content;
  } finally {
    await database.destroy();
  }
}

/** PostgreSQL has booleans, and its driver gives a bigint as text. `number` exists on SQLite only. */
function inOneForm({ number: _, ...row }: Row): Row {
  const entries = Object.entries(row).map(([name, value]) => {
    if (typeof value === 'boolean') return [name, Number(value)];
    return [name, ['count', 'next'].includes(name) ? Number(value) : value];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

/** Compares the stored counts and positions of every tenant with its products. Returns the number of products. */
export async function expectRightCounts(database: Database): Promise<number> {
  const products: { tenant_id: string; status: string; position: number }[] = await database('products')
    .orderBy(['tenant_id', 'position'])
    .select('tenant_id', 'status', 'position');
  const tenants = Map.groupBy(products, ({ tenant_id }) => tenant_id);
  const stored = await database('product_counts').select('tenant_id', 'draft', 'active', 'archived');
  const recounted = [...tenants].map(([tenant_id, rows]) => {
    const of = (status: string): number => rows.filter((row) => row.status === status).length;
    return { tenant_id, draft: of('draft'), active: of('active'), archived: of('archived') };
  });
  const withProducts = stored.filter(({ draft, active, archived }) => draft + active + archived > 0);
  const byTenant = (a: { tenant_id: string }, b: { tenant_id: string }): number => (a.tenant_id < b.tenant_id ? -1 : 1);
  expect(withProducts.sort(byTenant)).toEqual(recounted.sort(byTenant));
  for (const rows of tenants.values()) {
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index + 1));
  }
  return products.length;
}
