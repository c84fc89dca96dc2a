import type { Command } from 'commander';
import { type AdministrationOptions, administration, withDatabase } from './database.ts';
import { print, printJson } from './output.ts';

export function addMigrateCommand(program: Command): void {
  administration(program.command('migrate'))
    .description('bring the database of an older version to the form of this one; back it up first')
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
      else if (migrations.length === 0) print('There was nothing to do: the database is up to date.');
      else print(...migrations.map((name) => `Ran ${name}.`), 'The database is up to date.');
    });
}
