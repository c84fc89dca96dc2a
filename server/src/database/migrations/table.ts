import type { Knex } from 'knex';
import { isPostgres } from '../statement.ts';

/**
 * The nodes of a Citus cluster that have a table's rows: that of the row's tenant, that of its GTIN-14, or every node. A row of
 * a tenant can only refer to rows on its own node.
 */
export type Spread = 'tenant_id' | 'gtin14' | 'everywhere';

/** The table whose shards the others of the same kind follow. A migration creates it first. */
const leaders = { tenant_id: 'products', gtin14: 'gtins' };

/** Creates a table. In a database that is spread already, the table is spread too. */
export async function createTable(
  knex: Knex,
  name: string,
  spread: Spread,
  columns: (table: Knex.CreateTableBuilder) => void,
): Promise<void> {
  const table = knex.schema.createTable(name, columns);
  if (!(await isSpread(knex))) return table;
  const statements = table.toSQL().map(({ sql }) => sql);
  // Citus accepts a foreign key once both tables are spread.
  const others = statements.filter((sql) => !isForeignKey(sql));
  for (const sql of [...others, spreading(name, spread), ...statements.filter(isForeignKey)]) await knex.raw(sql);
}

/**
 * Citus changes the shards of a node one after the other, in this transaction. Otherwise it refuses statements on different
 * tables in one transaction. A PostgreSQL without Citus ignores it.
 */
export const shardByShard = "SET LOCAL citus.multi_shard_modify_mode = 'sequential'";

/** Whether a statement adds a foreign key. */
export function isForeignKey(sql: string): boolean {
  return sql.includes(' foreign key ');
}

/** The statement that spreads a table. */
export function spreading(name: string, spread: Spread): string {
  if (spread === 'everywhere') return `SELECT create_reference_table('${name}')`;
  const leader = leaders[spread];
  const shards = name === leader ? 'none' : leader;
  return `SELECT create_distributed_table('${name}', '${spread}', colocate_with => '${shards}')`;
}

/** Whether the tables are spread over the nodes of a Citus cluster. */
export async function isSpread(knex: Knex): Promise<boolean> {
  if (!isPostgres(knex) || knex.client.isSpread) return isPostgres(knex);
  if (!(await isTrue(knex, "to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL"))) return false;
  return isTrue(knex, "EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('tenants'))");
}

/** Milliseconds. Tables are spread while no server has a connection: a pool keeps idle ones for longer. */
const remembered = 10_000;
/** By Knex's client. */
const memory = new WeakMap<object, { isSpread: boolean; until: number }>();

/** Like `isSpread`, but outside of transactions, and at most ten seconds old. */
export async function wasSpread(knex: Knex): Promise<boolean> {
  let known = memory.get(knex.client);
  if (!known || performance.now() > known.until) {
    known = { isSpread: await isSpread(knex), until: performance.now() + remembered };
    memory.set(knex.client, known);
  }
  return known.isSpread;
}

async function isTrue(knex: Knex, condition: string): Promise<boolean> {
  const { rows } = await knex.raw(`SELECT ${condition} AS is_true`);
  return rows[0].is_true;
}
