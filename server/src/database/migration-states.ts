import { connect, snapshot } from './connection.ts';
import { migrationNames, migrationsTable } from './migrations/index.ts';
import { explained, missingMigrations } from './open.ts';

/** A migration of this program. */
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
export async function migrationStates(address: string): Promise<MigrationState[]> {
  const database = connect(address, { unlimited: true });
  try {
    return await snapshot(database, async (transaction) => {
      const missing = await missingMigrations(transaction, address);
      const names = migrationNames();
      const rows = missing.length === names.length ? [] : await transaction(migrationsTable).select('*');
      const times = new Map(rows.map(({ name, migration_time }) => [name, new Date(migration_time).toISOString()]));
      return names.map((name) => ({ name, ran_at: times.get(name) ?? null }));
    });
  } catch (error) {
    throw explained(address, error);
  } finally {
    await database.destroy();
  }
}
