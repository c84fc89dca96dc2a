import type { Command } from 'commander';
import { type AdministrationOptions, administrationCommand, withDatabase } from './database.ts';
import { print, printJson } from './output.ts';

export function addMigrateCommand(program: Command): void {
  administrationCommand(program.command('migrate'))
    .description('update the database of an older version of this program; back it up first')
    .action(async (options: AdministrationOptions) => {
      let migrations: string[] = [];
      await withDatabase(options, async () => {}, {
        migrate: 'every',
        progress: (line) => process.stderr.write(`${line}\n`),
        migrated(names) {
          migrations = names;
        },
      });
      if (options.json) printJson({ migrations });
      else if (migrations.length === 0) print('The database is already up to date.');
      else print(...migrations.map((name) => `Ran ${name}.`), 'The database is up to date.');
    });
}
