import type { Knex } from 'knex';
import { isPostgres } from '../statement.ts';

/**
 * The nodes of a Citus cluster that have a table's rows: that of the row's tenant, that of its GTIN-14, or every node. A row of
 * a tenant can only refer to rows on its own node.
 */
type Spread = 'tenant_id' | 'gtin14' | 'everywhere';

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
  const isKey = (sql: string): boolean => sql.includes(' foreign key ');
  const ordered = [...statements.filter((sql) => !isKey(sql)), spreading(name, spread), ...statements.filter(isKey)];
  for (const sql of ordered) await knex.raw(sql);
}

/** The statement that spreads a table. */
function spreading(name: string, spread: Spread): string {
  if (spread === 'everywhere') return `SELECT create_reference_table('${name}')`;
  const leader = leaders[spread];
  const shards = name === leader ? 'none' : leader;
  return `SELECT create_distributed_table('${name}', '${spread}', colocate_with => '${shards}')`;
}

/** Whether the tables are spread over the nodes of a Citus cluster. */
async function isSpread(knex: Knex): Promise<boolean> {
  if (!isPostgres(knex)) return false;
  const has = async (condition: string): Promise<boolean> => {
    const { rows } = await knex.raw(`SELECT ${condition} AS is_true`);
    return rows[0].is_true;
  };
  if (!(await has("to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL"))) return false;
  return has("EXISTS (SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = to_regclass('tenants'))");
}
