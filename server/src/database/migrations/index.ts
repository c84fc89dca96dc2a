import type { Knex } from 'knex';
import * as tables from './0001_tables.ts';
import * as accessTokens from './0002_access_tokens.ts';
import * as scansByTime from './0003_scans_by_time.ts';
import * as versionSalts from './0004_version_salts.ts';
import * as saltedVersions from './0005_salted_versions.ts';
import * as tokenSecrets from './0006_token_secrets.ts';
import * as slugCounters from './0007_slug_counters.ts';
import * as productPositions from './0008_product_positions.ts';
import * as filledPositions from './0009_filled_positions.ts';
import * as publicHash from './0010_public_hash.ts';
import * as publicHashes from './0011_public_hashes.ts';
import * as scanDays from './0012_scan_days.ts';
import * as keyUseAndAudit from './0013_key_use_and_audit.ts';
import * as rateWindows from './0014_rate_windows.ts';
import * as imports from './0015_imports.ts';
import * as versionHistory from './0016_version_history.ts';
import * as images from './0017_images.ts';
import * as publicLists from './0018_public_lists.ts';
import * as scanTotals from './0019_scan_totals.ts';
import type { Fill } from './fill.ts';

/** The migrations in their order. Listed here, so that source and build both find them. */
const migrations: Record<string, Knex.Migration | Fill> = {
  '0001_tables': tables,
  '0002_access_tokens': accessTokens,
  '0003_scans_by_time': scansByTime,
  '0004_version_salts': versionSalts,
  '0005_salted_versions': saltedVersions,
  '0006_token_secrets': tokenSecrets,
  '0007_slug_counters': slugCounters,
  '0008_product_positions': productPositions,
  '0009_filled_positions': filledPositions,
  '0010_public_hash': publicHash,
  '0011_public_hashes': publicHashes,
  '0012_scan_days': scanDays,
  '0013_key_use_and_audit': keyUseAndAudit,
  '0014_rate_windows': rateWindows,
  '0015_imports': imports,
  '0016_version_history': versionHistory,
  '0017_images': images,
  '0018_public_lists': publicLists,
  '0019_scan_totals': scanTotals,
};

export const migrationNames = Object.keys(migrations);

/** The table in which Knex records the migrations that ran. */
export const migrationsTable = 'migrations';

/** The migration with this name, if it is a fill. */
export function fillOf(name: string): Fill | undefined {
  const migration = migrations[name];
  return migration && 'step' in migration ? migration : undefined;
}

/** `run.ts` takes the steps of a fill, and Knex only records it. A rollback leaves the filled rows. */
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
