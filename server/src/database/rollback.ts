/** Which migrations a database has, and the way back to an earlier one. */
import type { Knex } from 'knex';
import { connect, snapshot } from './connection.ts';
import { migrationNames, migrationsTable } from './migrations/index.ts';
import { lossOf } from './migrations/losses.ts';
import { explained, missingMigrations, withMigrationLock } from './open.ts';

export interface MigrationState {
  name: string;
  /** `null` if it has not run. */
  ran_at: string | null;
}

/**
 * All migrations of this program, in their order.
 *
 * @throws UnusableDatabase if the database belongs to another program, or is newer than this one
 */
export function migrationStates(address: string): Promise<MigrationState[]> {
  return withConnection(address, (database) =>
    snapshot(database, async (transaction) => {
      const missing = new Set(await missingMigrations(transaction, address));
      const rows = missing.size === migrationNames.length ? [] : await transaction(migrationsTable).select('*');
      const times = new Map(rows.map(({ name, migration_time }) => [name, new Date(migration_time).toISOString()]));
      return migrationNames.map((name) => ({ name, ran_at: times.get(name) ?? null }));
    }),
  );
}

/** A migration that a rollback undoes, and what is lost with it. */
export interface Undoing {
  name: string;
  loses: string;
}

/** The migrations after one of them that have run, newest first: those that a rollback to it undoes. */
export function undoings(states: readonly MigrationState[], target: string): Undoing[] {
  const after = states.slice(states.findIndex(({ name }) => name === target) + 1);
  return after
    .filter(({ ran_at }) => ran_at !== null)
    .map(({ name }) => ({ name, loses: lossOf(name) }))
    .reverse();
}

/**
 * Undoes migrations in one transaction.
 *
 * @param names newest first
 * @param done runs in the same transaction, at its end
 */
export function rollBack(
  address: string,
  names: readonly string[],
  done: (transaction: Knex.Transaction) => Promise<void>,
): Promise<void> {
  return withConnection(address, (database) =>
    withMigrationLock(database, async (transaction) => {
      // Under our own lock nobody holds Knex's, but a process that was killed may have left it.
      await transaction.migrate.forceFreeMigrationsLock();
      for (const name of names) await transaction.migrate.down({ name });
      await done(transaction);
    }),
  );
}

async function withConnection<Result>(address: string, work: (database: Knex) => Promise<Result>): Promise<Result> {
  const database = connect(address, { unlimited: true });
  try {
    return await work(database);
  } catch (error) {
    throw explained(address, error);
  } finally {
    await database.destroy();
  }
}
