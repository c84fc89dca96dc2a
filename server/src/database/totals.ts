/** How large a database is, and what it holds of all tenants. */

import { stat } from 'node:fs/promises';
import type { Knex } from 'knex';
import { isSpread } from './migrations/table.ts';
import { isPostgres } from './statement.ts';

/**
 * The size of a database and of the write-ahead log of a SQLite file. PostgreSQL's databases share one log,
 * and the parts of one on several nodes are added up.
 *
 * @param address of the open database
 */
export async function sizeOf(database: Knex, address: string) {
  if (isPostgres(database)) {
    const { rows } = await database.raw(
      (await isSpread(database))
        ? "SELECT sum(result::bigint) AS bytes FROM run_command_on_all_nodes('SELECT pg_database_size(current_database())')"
        : 'SELECT pg_database_size(current_database()) AS bytes',
    );
    return { database_bytes: Number(rows[0].bytes), wal_bytes: null };
  }
  const bytes = async (path: string): Promise<number> => (await stat(path).catch(() => ({ size: 0 }))).size;
  return { database_bytes: await bytes(address), wal_bytes: await bytes(`${address}-wal`) };
}

/** Rows of a table that is counted and not estimated. */
const maxCounted = 200_000;

export interface RowCount {
  count: number;
  is_estimate: boolean;
}

/** Counts a small table, and estimates a large one, because both databases read a whole table to count it. */
export async function countRows(database: Knex, table: string, exact: boolean): Promise<RowCount> {
  if (exact) return { count: await countOf(database(table)), is_estimate: false };
  const some = database(table)
    .select(database.raw('1'))
    .limit(maxCounted + 1)
    .as('some');
  const count = await countOf(database.from(some));
  if (count <= maxCounted) return { count, is_estimate: false };
  return { count: Math.max(await estimate(database, table), count), is_estimate: true };
}

async function countOf(rows: Knex.QueryBuilder): Promise<number> {
  return Number((await rows.count({ count: '*' }).first())?.count);
}

async function estimate(database: Knex, table: string): Promise<number> {
  if (!isPostgres(database)) {
    // Rows are numbered. Only a sandbox and old scans leave gaps, at most at the beginning.
    const [row] = await database(table).select(database.raw('MAX(rowid) - MIN(rowid) + 1 AS count'));
    return Number(row.count);
  }
  // What PostgreSQL's last ANALYZE or VACUUM has seen; -1 if there was none.
  const { rows } = await database.raw(
    (await isSpread(database))
      ? "SELECT sum(GREATEST(result::real, 0)) AS count FROM run_command_on_shards(?, 'SELECT reltuples FROM pg_class WHERE oid = ''%s''::regclass')"
      : 'SELECT reltuples AS count FROM pg_class WHERE oid = ?::regclass',
    [table],
  );
  return Number(rows[0].count);
}

/** The products of all tenants, and when the first and the last were created. */
export async function productTotals(database: Knex) {
  const sum = database('product_counts').sum({ draft: 'draft', active: 'active', archived: 'archived' });
  const counts = (await sum.first()) ?? {};
  // Positions are 1, 2, 3, … in the order of creation, so that two rows of each tenant are enough.
  const ends = await database('product_counts as counts')
    .join('products', 'products.tenant_id', 'counts.tenant_id')
    .where((query) =>
      query
        .where('products.position', 1)
        .orWhereRaw('products.position = counts.draft + counts.active + counts.archived'),
    )
    .min({ first: 'products.created_at' })
    .max({ last: 'products.created_at' })
    .first();
  return {
    draft: Number(counts.draft ?? 0),
    active: Number(counts.active ?? 0),
    archived: Number(counts.archived ?? 0),
    created: { first: ends?.first ?? null, last: ends?.last ?? null },
  };
}

/** All page views ever, and the days of the first and the last. */
export async function viewTotals(database: Knex) {
  const days = await database('scan_days').sum({ total: 'count' }).min({ first: 'date' }).max({ last: 'date' }).first();
  return { total: Number(days?.total ?? 0), days: { first: days?.first ?? null, last: days?.last ?? null } };
}

/** Keys that are listed. */
const maxKeys = 100;

/** The API keys, and the valid ones that were used last. */
export async function keyTotals(database: Knex) {
  const valid = database('api_keys').whereNull('revoked_at');
  const items = await valid
    .clone()
    .join('tenants', 'tenants.id', 'api_keys.tenant_id')
    .orderByRaw('api_keys.last_used_at IS NULL, api_keys.last_used_at DESC, api_keys.id')
    .limit(maxKeys)
    .select('tenants.slug as tenant', 'api_keys.id', 'label', 'api_keys.created_at', 'last_used_at');
  return {
    valid: await countOf(valid.clone()),
    revoked: await countOf(database('api_keys').whereNotNull('revoked_at')),
    never_used: await countOf(valid.whereNull('last_used_at')),
    /** The last used first. */
    items,
  };
}

/** Access tokens that are neither revoked nor expired. */
export function countValidTokens(database: Knex, now: Date): Promise<number> {
  return countOf(database('access_tokens').whereNull('revoked_at').where('expires_at', '>', now.toISOString()));
}
