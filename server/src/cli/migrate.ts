import { type Command, InvalidArgumentError } from 'commander';
import { commandLine, isPostgresAddress } from '../database/address.ts';
import { migrationNames } from '../database/migrations/index.ts';
import { migrationStates, rollBack, type Undoing, undoings } from '../database/rollback.ts';
import { auditedRun } from './change.ts';
import { type AdministrationOptions, administrationCommand, requireFile, withDatabase } from './database.ts';
import { CommandFailure, print, printJson, printTable } from './output.ts';

type DownOptions = AdministrationOptions & { yes?: boolean };

export function addMigrateCommand(program: Command): void {
  const migrate = program
    .command('migrate')
    .description('update the database of an older version of this program, show its migrations, or undo them');

  administrationCommand(migrate.command('up', { isDefault: true }))
    .description('run the missing migrations; back the database up first')
    .action(up);

  administrationCommand(migrate.command('status'))
    .description('list the migrations, and when each has run')
    .action(async (options: AdministrationOptions) => {
      const items = await migrationStates(requireFile(options));
      if (options.json) printJson({ items });
      else {
        const rows = items.map(({ name, ran_at }) => [name, ran_at ?? 'missing']);
        printTable(['MIGRATION', 'RAN'], rows, 'There are no migrations.');
      }
    });

  administrationCommand(migrate.command('down'))
    .argument('<migration>', 'last migration that stays: its name or number', migration)
    .summary('undo the migrations after one of them, for an older version of this program')
    .description(
      'undo the migrations after one of them, for an older version of this program. Stop every server first, and back ' +
        'the database up: what the migrations added is lost. Without --yes the command only lists what would be lost.',
    )
    .option('--yes', 'undo the migrations')
    .action(down);
}

async function up(options: AdministrationOptions, command: Command): Promise<void> {
  let migrations: string[] = [];
  const run = auditedRun(command);
  await withDatabase(
    options,
    async (database) => {
      // The migrations had transactions of their own.
      if (migrations.length > 0) await database.transaction((transaction) => run.record(transaction));
    },
    {
      migrate: 'every',
      progress: (line) => process.stderr.write(`${line}\n`),
      migrated(names) {
        migrations = names;
      },
    },
  );
  if (options.json) printJson({ migrations });
  else if (migrations.length === 0) print('The database is already up to date.');
  else print(...migrations.map((name) => `Ran ${name}.`), 'The database is up to date.');
}

async function down(target: string, options: DownOptions, command: Command): Promise<void> {
  const address = requireFile(options);
  const states = await migrationStates(address);
  const undone = undoings(states, target);
  if (undone.length > 0 && !options.yes) throw new CommandFailure(warning(target, undone, options));
  const names = undone.map(({ name }) => name);
  if (names.length > 0) {
    const run = auditedRun(command);
    await rollBack(address, names, async (transaction) => {
      // The rollback may have removed the trail itself.
      if (await transaction.schema.hasTable('audit_entries')) await run.record(transaction);
    });
  }
  if (options.json) printJson({ undone });
  else if (names.length === 0) print(`The database has no migration after ${target}.`);
  else print(...undone.map(({ name, loses }) => `Undid ${name}. Lost: ${loses}.`), `The database is at ${target}.`);
}

function warning(target: string, undone: Undoing[], { database }: DownOptions): string {
  const lines = undone.map(({ name, loses }) => `  ${name}: ${loses}`);
  const where = database !== undefined && isPostgresAddress(database) ? ' with the same database address' : '';
  return [
    'this rollback loses data. Nothing was changed.',
    '',
    'It would lose:',
    '',
    ...lines,
    '',
    `Stop every server, back the database up, then run${where}:`,
    '',
    `  ${commandLine(`migrate down ${target} --yes`, database)}`,
  ].join('\n');
}

/** Finds a migration by its name or number. */
function migration(text: string): string {
  const found = migrationNames.find(
    (name) => name === text || (/^[0-9]+$/.test(text) && Number.parseInt(name, 10) === Number(text)),
  );
  if (found !== undefined) return found;
  throw new InvalidArgumentError('Use a name or number that `migrate status` lists.');
}
