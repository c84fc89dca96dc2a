import { stat } from 'node:fs/promises';
import type { Knex } from 'knex';
import { isPostgres } from './connection.ts';

export interface DatabaseSize {
  database_bytes: number;
  /** The write-ahead log beside a SQLite file. `null` on PostgreSQL, whose databases share one log. */
  wal_bytes: number | null;
}

/** @param address of the open database */
export async function sizeOf(database: Knex, address: string): Promise<DatabaseSize> {
  if (isPostgres(database)) {
    const { rows } = await database.raw('SELECT pg_database_size(current_database()) AS bytes');
    return { database_bytes: Number(rows[0].bytes), wal_bytes: null };
  }
  const bytes = async (path: string): Promise<number> => (await stat(path).catch(() => ({ size: 0 }))).size;
  return { database_bytes: await bytes(address), wal_bytes: await bytes(`${address}-wal`) };
}
