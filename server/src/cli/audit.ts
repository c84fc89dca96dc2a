import { type Command, Option } from 'commander';
import { type AuditEntry, listEntries } from '../audit/store.ts';
import { commandHint } from '../database/address.ts';
import { type AdministrationOptions, administrationCommand, withDatabase } from './database.ts';
import { id, time, wholeNumber } from './options.ts';
import { print, printJson, printTable } from './output.ts';

type AuditOptions = AdministrationOptions & { since?: string; before?: string; limit: number };

export function addAuditCommand(program: Command): void {
  administrationCommand(program.command('audit'))
    .summary('list what the command line changed, newest first')
    .description(
      'list what the command line changed, newest first: time, user of the machine, and command. Keys, tokens and the ' +
        'address of the database are left out. Changes through the API are not part of it.',
    )
    .addOption(
      new Option(
        '--since <time>',
        'list only changes from this time on, for example 2026-01-31 or 2026-01-31T12:00:00Z',
      ).argParser(time),
    )
    .option('--before <id>', 'list only entries that are older than this one', id)
    .addOption(new Option('--limit <number>', 'number of entries').default(50).argParser(wholeNumber(1000, 1)))
    .action(async (options: AuditOptions) => {
      // One entry more shows whether there is a next page.
      const found = await withDatabase(options, (database) =>
        listEntries(database, { ...options, limit: options.limit + 1 }),
      );
      const items = found.slice(0, options.limit);
      const next = found.length > items.length ? (items.at(-1)?.id ?? null) : null;
      if (options.json) printJson({ items, next });
      else printEntries(items, next, options);
    });
}

function printEntries(items: AuditEntry[], next: string | null, { since, limit, database }: AuditOptions): void {
  const rows = items.map((entry) => [
    entry.time,
    entry.os_user,
    entry.version,
    String(entry.changes),
    [entry.command, ...entry.arguments].join(' '),
  ]);
  printTable(['TIME', 'USER', 'VERSION', 'CHANGES', 'COMMAND'], rows, 'There are no entries.');
  if (next === null) return;
  const start = since === undefined ? '' : ` --since ${since}`;
  print(`Older entries: ${commandHint(`audit${start} --limit ${limit} --before ${next}`, database)}`);
}
