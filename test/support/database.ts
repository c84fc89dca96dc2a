/** Databases of the tests: new and copied ones, their statements, and their content. */

import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { connect } from '../../server/src/database/connection.ts';
import { textColumns } from '../../server/src/database/migrations/0001_tables.ts';
import { migrations } from '../../server/src/database/migrations/index.ts';
import { isPostgres, readerOf } from '../../server/src/database/statement.ts';
import type { openDatabase } from '../../server/src/index.ts';
import { Cluster } from './cluster.ts';
import { ending, newFolder } from './files.ts';
import { askRun } from './program.ts';

export const databaseKinds = ['SQLite', 'PostgreSQL'] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

export type Database = Awaited<ReturnType<typeof openDatabase>>;

/** The address of a new, empty database. It is deleted when the test file ends. */
export async function newDatabase(kind: DatabaseKind): Promise<string> {
  return kind === 'PostgreSQL' ? newPostgresDatabase('empty') : sqliteFile();
}

/** The address of a new database with all tables, for tests that do not test the migrations: a copy is quicker. */
export async function newMigratedDatabase(kind: DatabaseKind): Promise<string> {
  return kind === 'PostgreSQL'
    ? newPostgresDatabase('migrated')
    : copyDatabase(kind, await askRun('POST', 'sqlite-template'));
}

/** The address of a copy of a database that nobody has open. */
export async function copyDatabase(kind: DatabaseKind, address: string): Promise<string> {
  if (kind === 'PostgreSQL') return newPostgresDatabase({ copyOf: address });
  const file = sqliteFile();
  await copyFile(address, file);
  return file;
}

const sqliteFile = (): string => join(newFolder(), 'passports.sqlite');

/**
 * The address of a new database of the shared cluster: an empty one, one with all tables, or a copy of one that nobody has
 * open. It goes when the test file ends.
 */
export async function newPostgresDatabase(form: 'empty' | 'migrated' | { copyOf: string } = 'empty'): Promise<string> {
  const address = await (typeof form === 'string' ? askRun('POST', form) : askRun('POST', 'copy', form.copyOf));
  ending.defer(async () => void (await askRun('DELETE', '', address)));
  return address;
}

/** Starts a cluster that the test file may stop or make hang. */
export function startCluster(): Promise<Cluster> {
  return Cluster.start((undo) => ending.defer(undo));
}

interface Statement {
  readonly sql: string;
  readonly bindings?: unknown[];
}

/**
 * Listens to the statements of a database, also to those of its readers.
 *
 * @returns a function that stops it
 */
export function onStatement(database: Database, listen: (statement: Statement) => void): () => void {
  const instances = [...new Set([database, readerOf(database)])];
  for (const one of instances) one.on('query', listen);
  return () => {
    for (const one of instances) one.removeListener('query', listen);
  };
}

/** Waits until a call waits for a lock that a transaction has, or ends. On SQLite it begins after the transaction. */
export async function untilBlocked(call: Promise<unknown>, transaction: Database): Promise<void> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  call.then(end, end);
  const waits = () => !isPostgres(transaction) || transaction('pg_locks').where({ granted: false }).first('pid');
  while (!hasEnded && !(await waits())) await setTimeout(20);
}

/** The migration that the next version of this program has in addition. */
export const nextMigration = '0002_made_up';

/** A made-up change of the tables. */
export async function addColours(database: Database): Promise<void> {
  await database.schema.alterTable('products', (table) => textColumns(database).textOrNull(table, 'made_up'));
}

/** Runs work as the next version of the program. */
export async function asNextVersion<Result>(work: () => Promise<Result>, up = addColours): Promise<Result> {
  migrations[nextMigration] = { up };
  try {
    return await work();
  } finally {
    delete migrations[nextMigration];
  }
}

export type Row = Record<string, unknown>;

/** Tables and columns that no backup carries, and why. Two databases with the same content may differ in them. */
const notCarried: Record<string, string> = {
  migrations: 'says when the tables were made',
  migrations_lock: 'says whether tables are being made',
  product_names: "SQLite's index of names: a trigger makes it from the products",
  'product_counts.number': "SQLite's key of a tenant in that index",
  rate_windows: 'counts the requests of the last minute, on PostgreSQL alone',
  gtins: 'the rows that lock a GTIN, on PostgreSQL alone',
};

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
  const leftOut = [...Object.keys(notCarried), ...leaveOut];
  const tables = [...(await columnsOf(address)).keys()].filter((name) => !leftOut.includes(name));
  const database = connect(address);
  try {
    const content: Record<string, Row[]> = {};
    for (const table of tables.sort()) {
      const rows: Row[] = await database(table).select('*');
      content[table] = rows
        .map((row) =>
          inOneForm(Object.fromEntries(Object.entries(row).filter(([name]) => !leftOut.includes(`${table}.${name}`)))),
        )
        .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    }
    return content;
  } finally {
    await database.destroy();
  }
}

/** The rows of one tenant, and those that belong to none. */
export function ofTenant(content: Record<string, Row[]>, slug: string): Record<string, Row[]> {
  const id = content.tenants?.find((tenant) => tenant.slug === slug)?.id;
  const isOfTenant = (table: string, row: Row) =>
    [undefined, id].includes(table === 'tenants' ? row.id : row.tenant_id);
  return Object.fromEntries(
    Object.entries(content).map(([table, rows]) => [table, rows.filter((row) => isOfTenant(table, row))]),
  );
}

/** PostgreSQL has booleans, and its driver gives a bigint as text. */
function inOneForm(row: Row): Row {
  const entries = Object.entries(row).map(([name, value]) => {
    if (typeof value === 'boolean') return [name, Number(value)];
    return [name, name === 'count' ? Number(value) : value];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

/** Compares the stored GTINs of every tenant with its products. */
export async function expectRightGtins(database: Database): Promise<void> {
  const products: { tenant_id: string; gtin14: string; status: string; activated_at: string }[] = await database(
    'products',
  )
    .whereNotNull('gtin14')
    .whereNotNull('activated_at')
    .select('tenant_id', 'gtin14', 'status', 'activated_at');
  const keyOf = ({ gtin14, tenant_id }: { gtin14: string; tenant_id: string }) => `${gtin14} ${tenant_id}`;
  const made = [...Map.groupBy(products, keyOf)].map(([key, same]) => {
    const [first] = same.map(({ activated_at }) => activated_at).sort();
    return `${key} ${first} ${same.some(({ status }) => status === 'active')}`;
  });
  const rows: { tenant_id: string; gtin14: string; activated_at: string; is_active: unknown }[] =
    await database('gtin_tenants');
  const stored = rows.map((row) => `${keyOf(row)} ${row.activated_at} ${Boolean(row.is_active)}`);
  expect(stored.sort()).toEqual(made.sort());
}

/** Compares what is stored of every tenant's products with them: counts, positions and GTINs. Returns the number of products. */
export async function expectRightCounts(database: Database): Promise<number> {
  const columns = ['tenant_id', 'status', 'position', 'serial_number'] as const;
  const products: { tenant_id: string; status: string; position: number; serial_number: string | null }[] =
    await database('products').orderBy(['tenant_id', 'position']).select(columns);
  const tenants = Map.groupBy(products, ({ tenant_id }) => tenant_id);
  const stored = await database('product_counts').select('tenant_id', 'draft', 'active', 'archived', 'active_items');
  const recounted = [...tenants].map(([tenant_id, rows]) => {
    const of = (status: string): number => rows.filter((row) => row.status === status).length;
    const active_items = rows.filter((row) => row.status === 'active' && row.serial_number !== null).length;
    return { tenant_id, draft: of('draft'), active: of('active'), archived: of('archived'), active_items };
  });
  const withProducts = stored.filter(({ draft, active, archived }) => draft + active + archived > 0);
  const byTenant = (a: { tenant_id: string }, b: { tenant_id: string }): number => (a.tenant_id < b.tenant_id ? -1 : 1);
  expect(withProducts.sort(byTenant)).toEqual(recounted.sort(byTenant));
  await expectRightGtins(database);
  for (const rows of tenants.values()) {
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index + 1));
  }
  return products.length;
}
