import type { Knex } from 'knex';
import * as tables from './0001_tables.ts';
import * as accessTokens from './0002_access_tokens.ts';
import * as scansByTime from './0003_scans_by_time.ts';
import * as tokenSecrets from './0006_token_secrets.ts';
import * as slugCounters from './0007_slug_counters.ts';

/** The migrations in their order. Named here, so that they are found whether the package runs built or unbuilt. */
const migrations: Record<string, Knex.Migration> = {
  '0001_tables': tables,
  '0002_access_tokens': accessTokens,
  '0003_scans_by_time': scansByTime,
  '0006_token_secrets': tokenSecrets,
  '0007_slug_counters': slugCounters,
};

export const migrationNames = Object.keys(migrations);

/** Where Knex notes which were run. */
export const migrationsTable = 'migrations';

export const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => migrationNames,
  getMigrationName: (name) => name,
  getMigration: async (name) => {
    const migration = migrations[name];
    if (!migration) throw new Error(`There is no migration ${name}.`);
    return migration;
  },
};
