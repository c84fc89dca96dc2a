import type { Knex } from 'knex';
import * as tables from './0001_tables.ts';

/** The migrations in their order. Listed here, so that source and build both find them. Tests add a later one. */
export const migrations: Record<string, Pick<Knex.Migration, 'up'>> = {
  '0001_tables': tables,
};

export function migrationNames(): string[] {
  return Object.keys(migrations);
}

/** The table in which Knex records the migrations that ran. */
export const migrationsTable = 'migrations';

/** Knex requires one. */
async function down(): Promise<void> {
  throw new Error('A migration is not undone: restore the backup.');
}

export const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => migrationNames(),
  getMigrationName: (name) => name,
  getMigration: async (name) => {
    const migration = migrations[name];
    if (!migration) throw new Error(`There is no migration ${name}.`);
    return { up: migration.up, down };
  },
};
