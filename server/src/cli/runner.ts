/** Runs the rows of the command line. */
import { userInfo } from 'node:os';
import { type Command, Option } from 'commander';
import type { Knex } from 'knex';
import { AuditedRun } from '../audit/store.ts';
import { isPrinted, loseOutput } from '../command-line/streams.ts';
import { settings, unknownVariables } from '../config/settings.ts';
import { commandHint, commandLine } from '../database/address.ts';
import { masked } from '../log/log.ts';
import type { Tenant } from '../tenants/store.ts';
import {
  type About,
  type AnyRow,
  type Entry,
  type Secret,
  type SharedOptions,
  settingOption,
  slug,
} from './command.ts';
import { note, Progress, printed, printPages, version, warn } from './output.ts';

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
    for (const sentence of unknownVariables(process.env, true)) warn(sentence);
    // Imported only here: the start of a command without a database is quicker.
    const { subjectOf, withDatabase } = await import('./database.ts');
    const run = async (database: Knex) => {
      const subject = await subjectOf(database, row.about, options, String(given[0]));
      const audit = auditedRun(command, subject.tenant);
      const received = { ...context, ...subject, database, audit, change: changeIn(database, audit, options) };
      const result = await row.run(received, ...values);
      if (row.changes) await audit.record(database as Knex.Transaction);
      return { result, received };
    };
    await withDatabase(
      options,
      async (database) => {
        const { result, received } = await (row.changes ? database.transaction(run) : run(database));
        if ((await finish(result, received)) || !row.secret) return;
        const revoke = changeIn(database, received.audit, options);
        loseOutput(await takeBack(row.secret(result, received), revoke));
      },
      row.open,
    );
  } finally {
    progress.end();
  }
}

/** Undoes the transaction of a dry run. */
const undo = new Error('A dry run changes nothing.');

function changeIn(database: Knex, audit: AuditedRun, { dryRun }: SharedOptions) {
  return async <Result>(
    work: (transaction: Knex.Transaction) => Promise<Result>,
    isDry = Boolean(dryRun),
  ): Promise<Result> => {
    let result: Result | undefined;
    const done = database.transaction(async (transaction) => {
      result = await work(transaction);
      if (isDry) throw undo;
      await audit.record(transaction);
    });
    await done.catch((error: unknown) => {
      if (error !== undo) throw error;
    });
    return result as Result;
  };
}

async function takeBack({ name, revoke }: Secret, change: ReturnType<typeof changeIn>): Promise<string> {
  try {
    await change(revoke);
    return `The ${name} was revoked, because nobody has seen it. Create another one.`;
  } catch {
    return `The ${name} could not be revoked, although nobody has seen it. Revoke it.`;
  }
}

/** @returns whether all of it is written */
async function printResult(
  row: AnyRow,
  result: unknown,
  context: object,
  values: readonly unknown[],
): Promise<boolean> {
  const { table, text } = row;
  const { json } = (context as { options: SharedOptions }).options;
  row.warn?.(result, context, ...values);
  if (table) {
    const pages = Array.isArray(result)
      ? [result].filter(({ length }) => length > 0)
      : (result as AsyncIterable<unknown[]>);
    await printPages(pages, { json, ...table, whenEmpty: table.empty(context) });
    return isPrinted();
  }
  if (!text || result === undefined) return true;
  if (json) return printed(JSON.stringify(row.json ? row.json(result, context, ...values) : result));
  const isWritten = await printed(...[text(result, context, ...values)].flat());
  if (isWritten && row.secret) note(...row.secret(result, context).note);
  return isWritten;
}

/** Options that say nothing about the change. The address of a database may hold a password. */
const leftOut = new Set(['database', 'json']);

/** Words in an entry, and characters in a word. */
const max = { words: 40, characters: 500 };

/** @param tenant the tenant of a command that need not name it */
function auditedRun(command: Command, tenant?: Tenant): AuditedRun {
  const names: string[] = [];
  for (let each: Command | null = command; each?.parent; each = each.parent) names.unshift(each.name());
  return new AuditedRun(
    { command: names.join(' '), arguments: words(command, tenant), os_user: osUser(), version },
    new Date(),
  );
}

function words(command: Command, tenant: Tenant | undefined): string[] {
  const isGiven = (name: string): boolean => ['cli', 'env'].includes(command.getOptionValueSource(name) ?? '');
  const options = command.options.flatMap((option) => {
    const name = option.attributeName();
    const isTenant = name === 'tenant' && tenant !== undefined;
    if (!isTenant && (!isGiven(name) || leftOut.has(name))) return [];
    const value = isTenant ? tenant.slug : command.getOptionValue(name);
    return value === true ? [`${option.long}`] : [`${option.long}`, String(value)];
  });
  const room = Math.max(max.words - options.length, 1);
  const rest = command.args.length - room;
  const given = rest > 0 ? [...command.args.slice(0, room), `(and ${rest} more)`] : command.args;
  return [...given, ...options].map((word) => masked(word).slice(0, max.characters).toWellFormed());
}

function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user without a name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
