/** Runs the rows of the command line. */
import { type Command, Option } from 'commander';
import type { Knex } from 'knex';
import type { AuditedRun } from '../audit/store.ts';
import { settings } from '../config/settings.ts';
import { commandHint, commandLine } from '../database/address.ts';
import { auditedRun } from './audited-run.ts';
import type { About, AnyRow, Entry, SharedOptions } from './command.ts';
import { settingOption, slug } from './options.ts';
import { print, printJson, printPages } from './output.ts';
import { Progress } from './progress.ts';

/** Adds commands to the program or to a noun. */
export function addCommands(parent: Command, entries: readonly Entry[]): void {
  for (const entry of entries) {
    const added = parent.command(entry.name).description(entry.description);
    if ('commands' in entry) addCommands(added, entry.commands);
    else addRow(added, entry);
  }
}

/** The name and the meaning of the argument that a command is about. */
const subjects: Partial<Record<About, string>> = {
  '<tenant>': 'slug of the tenant',
  '<product>': 'slug of the product',
};

function addRow(command: Command, row: AnyRow): void {
  const { about, summary } = row;
  if (summary !== undefined) command.summary(summary);
  const subject = subjects[about as About];
  if (subject !== undefined) command.argument(about, subject, slug);
  for (const argument of row.arguments ?? []) command.addArgument(argument);
  for (const option of sharedOptions(about)) command.addOption(option);
  for (const [name, option] of Object.entries<Option>(row.options ?? {})) {
    if (option.attributeName() !== name) throw new Error(`${option.flags} of ${row.name} has the name ${name}.`);
    command.addOption(option);
  }
  command.addHelpText('after', `\nExample:\n  ${commandLine(row.example)}`);
  command.action((...given) => perform(row, command, given.slice(0, -2)));
}

function sharedOptions(about: About): Option[] {
  const tenant = new Option('--tenant <tenant>', 'slug of the tenant; not needed if there is only one')
    .env('PRODUCT_PASSPORT_TENANT')
    .argParser(slug);
  const { meaning, default: file } = settings.database;
  return [
    ...(about === 'tenant' || about === '<product>' ? [tenant] : []),
    ...(about === 'nothing' ? [] : [settingOption('database', `${meaning} (default: ${file})`)]),
    ...(about === 'nothing' ? [] : [new Option('--json', 'print one line of JSON instead of text')]),
  ];
}

async function perform(row: AnyRow, command: Command, given: readonly unknown[]): Promise<void> {
  const options = command.opts();
  const progress = new Progress(row.progress ?? '');
  const prepared = row.prepare && (await row.prepare(options, ...given));
  const context = {
    options,
    prepared,
    progress,
    command,
    hint: (words: string) => commandHint(words, options.database),
  };
  const values = subjects[row.about as About] === undefined ? given : given.slice(1);
  const finish = (result: unknown, received: object) => {
    progress.end();
    return printResult(row, result, { ...context, ...received }, values);
  };
  try {
    if (row.about === 'nothing' || row.about === 'address') {
      const received = { ...context, audit: auditedRun(command) };
      await finish(await row.run(received, ...values), received);
      return;
    }
    // Imported only here: the start of a command without a database is quicker.
    const { subjectOf, withDatabase } = await import('./database.ts');
    const receive = async (database: Knex) => {
      const subject = await subjectOf(database, row.about, options, String(given[0]));
      const audit = auditedRun(command, subject.tenant);
      return { ...context, ...subject, database, audit, change: changeIn(database, audit, options) };
    };
    await withDatabase(
      options,
      async (database) => {
        if (!row.changes) {
          const received = await receive(database);
          return finish(await row.run(received, ...values), received);
        }
        const { result, received } = await database.transaction(async (transaction) => {
          const received = await receive(transaction);
          const result = await row.run(received, ...values);
          await received.audit.record(transaction);
          return { result, received };
        });
        return finish(result, received);
      },
      row.open,
    );
  } finally {
    progress.end();
  }
}

/** Ends the transaction of a dry run. */
class Undone<Result> extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super();
    this.result = result;
  }
}

function changeIn(database: Knex, audit: AuditedRun, options: SharedOptions) {
  return async <Result>(
    work: (transaction: Knex.Transaction) => Promise<Result>,
    isDry = options.dryRun === true,
  ): Promise<Result> => {
    try {
      return await database.transaction(async (transaction) => {
        const result = await work(transaction);
        if (isDry) throw new Undone(result);
        await audit.record(transaction);
        return result;
      });
    } catch (error) {
      if (error instanceof Undone) return error.result;
      throw error;
    }
  };
}

async function printResult(row: AnyRow, result: unknown, context: object, values: readonly unknown[]): Promise<void> {
  const { table, text } = row;
  const { json } = (context as { options: SharedOptions }).options;
  row.warn?.(result, context, ...values);
  if (table) {
    const pages = Array.isArray(result)
      ? [result].filter(({ length }) => length > 0)
      : (result as AsyncIterable<unknown[]>);
    await printPages(pages, { json, ...table, whenEmpty: table.empty(context) });
  } else if (!text || result === undefined) return;
  else if (json) printJson(row.json ? row.json(result, context, ...values) : result);
  else print(...[text(result, context, ...values)].flat());
}
