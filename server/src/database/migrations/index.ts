import type { Knex } from 'knex';
import * as tables from './0001_tables.ts';
import * as accessTokens from './0002_access_tokens.ts';
import * as scansByTime from './0003_scans_by_time.ts';
import * as versionSalts from './0004_version_salts.ts';
import * as saltedVersions from './0005_salted_versions.ts';
import * as tokenSecrets from './0006_token_secrets.ts';
import * as slugCounters from './0007_slug_counters.ts';

/** Where a step stopped: the key of the last row that it looked at. */
export type Place = Readonly<Record<string, string>>;

export interface Step {
  /** How many rows it looked at. */
  rows: number;
  place: Place;
}

/**
 * A migration that fills many rows. It exports `step` and `count` in place of `up` and `down`. Each step is a
 * transaction of its own with a bounded number of rows. The migration is recorded when no row is left. After a kill the
 * next run starts again with the first row, and several processes may take steps at once: a step skips rows that are
 * filled already.
 */
export interface Fill {
  /** How many rows the steps look at in all, for the progress. */
  count(knex: Knex): Promise<number>;
  /** Takes the rows after `place`, or the first ones. `undefined`: there was none left. */
  step(transaction: Knex.Transaction, after: Place | undefined): Promise<Step | undefined>;
}

/** The migrations in their order. Named here, so that they are found whether the package runs built or unbuilt. */
const migrations: Record<string, Knex.Migration | Fill> = {
  '0001_tables': tables,
  '0002_access_tokens': accessTokens,
  '0003_scans_by_time': scansByTime,
  '0004_version_salts': versionSalts,
  '0005_salted_versions': saltedVersions,
  '0006_token_secrets': tokenSecrets,
  '0007_slug_counters': slugCounters,
};

export const migrationNames = Object.keys(migrations);

/** Where Knex notes which were run. */
export const migrationsTable = 'migrations';

/** The migration of this name, if it goes in steps. */
export function fillOf(name: string): Fill | undefined {
  const migration = migrations[name];
  return migration && 'step' in migration ? migration : undefined;
}

/** `run.ts` takes the steps of a fill; Knex only records it. What was filled stays when the migration is taken back. */
const recordOnly: Knex.Migration = { up: async () => {}, down: async () => {} };

export const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => migrationNames,
  getMigrationName: (name) => name,
  getMigration: async (name) => {
    const migration = migrations[name];
    if (!migration) throw new Error(`There is no migration ${name}.`);
    return 'step' in migration ? recordOnly : migration;
  },
};
