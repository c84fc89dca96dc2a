/** Spreads the tables over the nodes of a Citus cluster. docs/explanation/scale.md has the reasons. */

import type { Knex } from 'knex';
import { isPostgresAddress } from './address.ts';
import { connect } from './connection.ts';
import { statementsOf } from './knex-clients.ts';
import { migrations, migrationsTable } from './migrations/index.ts';
import { isForeignKey, isSpread, shardByShard, spreading } from './migrations/table.ts';
import { explained, UnusableDatabase } from './open.ts';

/** The nodes that have products, and the shards that the tenants are spread over. */
export interface Spreading {
  nodes: number;
  shards: number;
}

/** `undefined`: the tables are not spread. */
export async function spreadingOf(database: Knex): Promise<Spreading | undefined> {
  if (!(await isSpread(database))) return undefined;
  const placements = database('pg_dist_shard').join(
    'pg_dist_placement',
    'pg_dist_placement.shardid',
    'pg_dist_shard.shardid',
  );
  const counts = await placements
    .whereRaw("logicalrelid = 'products'::regclass")
    .countDistinct({ nodes: 'groupid', shards: 'pg_dist_shard.shardid' })
    .first();
  return { nodes: Number(counts?.nodes), shards: Number(counts?.shards) };
}

export function textOfSpreading({ nodes, shards }: Spreading): string {
  return `${shards} shards on ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`;
}

/**
 * The statements that spread the tables, in their order, from the migrations: they know every foreign key, also after a run
 * that ended in the middle. Meanwhile the keys are away, because Citus allows none between a table that is spread and one that
 * is not.
 */
export async function spreadingPlan(): Promise<string[]> {
  const statements = await statementsOf(async (knex) => {
    for (const { up } of Object.values(migrations)) await up(knex);
  });
  const keys = statements.filter(isForeignKey);
  const tables = [
    ...[migrationsTable, `${migrationsTable}_lock`].map((name) => spreading(name, 'everywhere')),
    ...statements.filter((sql) => sql.startsWith('SELECT create_')),
  ];
  return [
    ...keys.map((sql) => sql.replace(/ add constraint ("\w+") .*/, ' drop constraint if exists $1')),
    // Citus cannot move a shard without a log while it is written.
    ...statements.filter((sql) => sql.endsWith(' SET UNLOGGED')).map((sql) => sql.replace('UNLOGGED', 'LOGGED')),
    ...tables,
    // Citus copies the rows, and keeps the old ones hidden on the disk of the coordinator.
    ...tables.map((sql) => sql.replace(/create_\w+\(('\w+').*/, 'truncate_local_data_after_distributing_table($1)')),
    ...keys,
  ];
}

/**
 * Spreads the tables in one transaction, so that a run that is killed changes nothing. Does nothing if they are spread.
 *
 * @param database has no time limits
 * @param shards of each table. Default: `citus.shard_count`
 * @throws UnusableDatabase if other programs are connected, and PostgreSQL's 55P03 if one has just read the migrations
 */
export async function spreadTables(database: Knex, address: string, shards: number | undefined): Promise<boolean> {
  if (await isSpread(database)) return false;
  const plan = await spreadingPlan();
  // Before the transaction, which would see the connections of its first look again.
  await refuseOthers(database, address);
  return database.transaction(async (transaction) => {
    // A program that starts now reads this table first, and waits.
    await transaction.raw(`LOCK TABLE ${migrationsTable} NOWAIT`);
    await refuseOthers(transaction, address);
    if (await isSpread(transaction)) return false;
    await transaction.raw(shardByShard);
    if (shards !== undefined) await transaction.raw(`SET LOCAL citus.shard_count = ${shards}`);
    for (const sql of plan) await transaction.raw(sql);
    return true;
  });
}

async function refuseOthers(database: Knex, address: string): Promise<void> {
  const others = await database('pg_stat_activity')
    // PostgreSQL hides the type of the sessions of other roles, but not their names. Autovacuum has no role.
    .whereRaw("datname = current_database() AND COALESCE(backend_type, 'client backend') = 'client backend'")
    .whereRaw('pid <> pg_backend_pid() AND usesysid IS NOT NULL')
    // Citus's connections between nodes and its background workers.
    .whereRaw("COALESCE(application_name, '') NOT ILIKE 'citus%'")
    .count({ count: '*' })
    .first();
  if (Number(others?.count) === 0) return;
  const fault = `is in use by other connections (${others?.count}). Stop the servers and all other programs that use it, then run this again.`;
  throw new UnusableDatabase(address, fault);
}

/** @throws UnusableDatabase if the database is not one of a coordinator of Citus */
export async function requireCoordinator(address: string): Promise<void> {
  const page = 'docs/explanation/scale.md';
  if (!isPostgresAddress(address))
    throw new UnusableDatabase(address, `cannot be spread: only PostgreSQL can. See ${page}.`);
  const database = connect(address);
  try {
    if (!(await database('pg_extension').where({ extname: 'citus' }).first())) {
      const fault = `cannot be spread: it has no extension citus. Install it on each node as ${page} describes.`;
      throw new UnusableDatabase(address, fault);
    }
    const { groupid } = await database('pg_dist_local_group').first('groupid');
    if (groupid === 0) return;
    const coordinator = await database('pg_dist_node').where({ groupid: 0 }).first('nodename', 'nodeport');
    const at = coordinator ? `, ${coordinator.nodename}:${coordinator.nodeport}` : '';
    throw new UnusableDatabase(address, `is on a worker of a Citus cluster. Name the coordinator${at}.`);
  } catch (error) {
    throw explained(address, error);
  } finally {
    await database.destroy();
  }
}
