import type { Command } from 'commander';
import { migrationStates } from '../database/migration-states.ts';
import { auditedRun } from './change.ts';
import { type AdministrationOptions, administrationCommand, requireFile, withDatabase } from './database.ts';
import { print, printJson, printTable } from './output.ts';

type MigrateOptions = AdministrationOptions & { status?: boolean };

export function addMigrateCommand(program: Command): void {
  administrationCommand(program.command('migrate'))
    .description('run the missing migrations of the database of an older version; back the database up first')
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
