import type { Command } from 'commander';
import { connect, snapshot } from '../database/connection.ts';
import { migrationNames, migrationsTable } from '../database/migrations/index.ts';
import { explained, missingMigrations } from '../database/open.ts';
import { auditedRun } from './change.ts';
import { type AdministrationOptions, administrationCommand, requireFile, withDatabase } from './database.ts';
import { print, printJson, printTable } from './output.ts';

type MigrateOptions = AdministrationOptions & { status?: boolean };

export function addMigrateCommand(program: Command): void {
  administrationCommand(program.command('migrate'))
    .description('run the missing migrations of an older database; back it up first')
    .option('--status', 'change nothing: list the migrations, and when each has run')
    .action((options: MigrateOptions, command: Command) =>
      options.status ? status(options) : migrate(options, command),
    );
}

async function status(options: AdministrationOptions): Promise<void> {
  const items = await migrationStates(requireFile(options));
  if (options.json) printJson({ items });
  else {
    const rows = items.map(({ name, ran_at }) => [name, ran_at ?? 'missing']);
    printTable(['MIGRATION', 'RAN'], rows, 'There are no migrations.');
  }
}

async function migrate(options: AdministrationOptions, command: Command): Promise<void> {
  let migrations: string[] = [];
  const run = auditedRun(command);
  await withDatabase(
    options,
    async (database) => {
      // The migrations had a transaction of their own.
      if (migrations.length > 0) await database.transaction((transaction) => run.record(transaction));
    },
    {
      migrate: 'every',
      migrated(names) {
        migrations = names;
      },
    },
  );
  if (options.json) printJson({ migrations });
  else if (migrations.length === 0) print('The database is already up to date.');
  else print(...migrations.map((name) => `Ran ${name}.`), 'The database is up to date.');
}

/** A migration of this program. */
interface MigrationState {
  name: string;
  /** `null` if it has not run. */
  ran_at: string | null;
}

/**
 * All migrations of this program, in their order.
 *
 * @throws UnusableDatabase if the database belongs to another program, or is newer than this one
 */
async function migrationStates(address: string): Promise<MigrationState[]> {
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
