/** A command is a row: its words, what it takes, what it does and what it prints. `runner.ts` does the rest. */

import { dayOf, fieldTypes } from '@product-passport/openapi';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { Knex } from 'knex';
import type { AuditedRun } from '../audit/store.ts';
import { type Format, readText } from '../config/formats.ts';
import { optionOf, type Setting, type SettingName, settings, variableOf } from '../config/settings.ts';
import { addressFault } from '../database/address.ts';
import type { OpenOptions } from '../database/open.ts';
import { OperatorError } from '../operator-error.ts';
import type { Product } from '../products/store.ts';
import { slugForm, type Tenant } from '../tenants/store.ts';
import type { Progress } from './output.ts';

/** An option or an argument, with the type of its value. */
export type OptionOf<Value> = Option & { readonly type?: Value };
export type ArgumentOf<Value> = Argument & { readonly type?: Value };

/** How a text becomes a value: one of a list, or by a parser that throws an `InvalidArgumentError`. */
type ValueFormat<Value> = readonly Value[] | ((text: string) => Value);

export function option<const Value = string, const Default = undefined>(
  flags: string,
  meaning: string,
  format?: ValueFormat<Value>,
  otherwise?: Default,
): OptionOf<Value | Default> {
  return withFormat(new Option(flags, meaning), format).default(otherwise);
}

export function requiredOption<const Value = string>(
  flags: string,
  meaning: string,
  format?: ValueFormat<Value>,
): OptionOf<Value> {
  return withFormat(new Option(flags, meaning), format).makeOptionMandatory();
}

/** An option without a value. It is `undefined` if it is not given. */
export function flag(flags: string, meaning: string): OptionOf<true | undefined> {
  return new Option(flags, meaning);
}

/** The option that `confirm` reads. @param verb what the command does without a question */
export function withoutQuestion(verb: string): OptionOf<true | undefined> {
  return flag('--yes', `${verb} without a question`);
}

/** The options of commands that confirm what keeps a passport from being published. */
export const confirmations = {
  open: option(
    '--open <field>',
    "confirm a field whose access level is more open than the template's; you can repeat it",
    texts,
  ),
  own: option(
    '--own <field>',
    'confirm a field of your own whose key is close to one of the template; you can repeat it',
    texts,
  ),
};

/** The option that `change` reads. */
export const dryRun = flag('--dry-run', 'print what would happen, and change nothing');

/** Of commands that open no database. The others have it from the runner. */
export const jsonFlag = flag('--json', 'print one line of JSON instead of text');

/** @param name `<needed>`, `[optional]`, `<several...>` or `[several...]` */
export function argument<const Name extends string, const Value = string>(
  name: Name,
  meaning: string,
  format?: ValueFormat<Value>,
): ArgumentOf<Name extends `[${string}...]` ? Value : Name extends `[${string}` ? Value | undefined : Value> {
  return withFormat(new Argument(name, meaning), format);
}

function withFormat<Part extends Argument | Option>(part: Part, format: ValueFormat<unknown> | undefined): Part {
  if (typeof format === 'function') part.argParser(format);
  else if (format) part.choices(format as readonly string[]);
  return part;
}

type Arguments = readonly Argument[];
type Options = Readonly<Record<string, Option>>;
type Values<Row extends Arguments> = {
  [Index in keyof Row]: Row[Index] extends ArgumentOf<infer Value> ? Value : never;
};

/** What a command is about. It decides which options and arguments the command shares with others, and what it receives. */
export interface Subjects<Database> {
  /** No option. */
  nothing: object;
  /** `--database`. The command itself opens it. */
  address: object;
  /** `--database`. */
  database: Opened<Database>;
  /** `--tenant`, which need not be named if there is only one. */
  tenant: Opened<Database> & { tenant: Tenant };
  /** The first argument is the tenant. */
  '<tenant>': Opened<Database> & { tenant: Tenant };
  /** `--tenant`. The first argument is the product. */
  '<product>': Opened<Database> & { tenant: Tenant; product: Product };
}
export type About = keyof Subjects<Knex>;

interface Opened<Database> {
  database: Database;
  /**
   * Makes one of several changes, in a transaction with the entry in the audit trail.
   *
   * @param isDry undoes the change. Default: `--dry-run`.
   */
  change<Result>(work: (transaction: Knex.Transaction) => Promise<Result>, isDry?: boolean): Promise<Result>;
}

/** The options that the runner adds. */
export interface SharedOptions {
  json?: true | undefined;
  database?: string | undefined;
  tenant?: string | undefined;
  dryRun?: true | undefined;
}

export type Given<Named extends Options = Options> = SharedOptions & {
  readonly [Name in keyof Named]: Named[Name] extends OptionOf<infer Value> ? Value : never;
};

export interface Context<Named extends Options = Record<never, Option>, Prepared = unknown> {
  options: Given<Named>;
  prepared: Prepared;
  /** The entry in the audit trail. The runner records it for a row with `changes`. */
  audit: AuditedRun;
  progress: Progress;
  /** A command of this program for the same database, as a sentence names it. */
  hint(words: string): string;
  command: Command;
}

type Item<Result> = Result extends AsyncIterable<readonly (infer One)[]> | readonly (infer One)[] ? One : never;

export interface CommandRow<
  Subject extends About,
  Changes extends true | undefined,
  Taken extends Arguments,
  Named extends Options,
  Prepared,
  Result,
  Received = Context<Named, Prepared> & Subjects<Changes extends true ? Knex.Transaction : Knex>[Subject],
> {
  /** One word, or with an argument as Commander writes it. */
  name: string;
  about: Subject;
  /** The command runs in one transaction, and has an entry in the audit trail. */
  changes?: Changes;
  /** Shown in the list of commands in place of the description. */
  summary?: string;
  description: string;
  /** The command line that the help shows. The tests run it. ID stands for an id that `list` prints. */
  example: string;
  arguments?: readonly [...Taken];
  options?: Named;
  open?: OpenOptions & { create?: boolean };
  /** What the progress counts, as in `products`. */
  progress?: string;
  /** Finds what is wrong with the command line, and reads files, before the database is opened. */
  prepare?(
    options: Given<Named>,
    ...values: [...ArgumentOfSubject<Subject>, ...Values<Taken>]
  ): Prepared | Promise<Prepared>;
  run(context: Received, ...values: Values<Taken>): Result | Promise<Result>;
  /** Warns on standard error, with and without `--json`. */
  warn?(result: Result, context: Received, ...values: Values<Taken>): void;
  /** The result as JSON, if it is another. */
  json?(result: Result, context: Received, ...values: Values<Taken>): unknown;
  /** The lines for people. */
  text?(result: Exclude<Result, undefined>, context: Received, ...values: Values<Taken>): string | readonly string[];
  /** What the result shows once. The runner revokes it if nobody can have seen it. */
  secret?(result: Result, context: Received): Secret;
  /** A list, which is printed as a table. */
  table?: {
    header: readonly string[];
    row(item: Item<Result>): string[];
    empty(context: Received): string;
  };
}

/** A secret that the command shows once. */
export interface Secret {
  /** In messages: its kind and its id. */
  name: string;
  /** Lines for people, on standard error: a script takes the secret from standard output. */
  note: readonly string[];
  revoke(transaction: Knex.Transaction): Promise<unknown>;
}

/** The argument that the runner adds. */
type ArgumentOfSubject<Subject extends About> = Subject extends '<tenant>' | '<product>' ? [slug: string] : [];

/** A word with commands below it. */
export interface Noun {
  name: string;
  description: string;
  commands: readonly Entry[];
}

// biome-ignore lint/suspicious/noExplicitAny: each row has types of its own.
export type AnyRow = CommandRow<any, any, any, any, any, any, any>;
export type Entry = Noun | AnyRow;

export function command<
  Subject extends About,
  Taken extends Arguments = [],
  // biome-ignore lint/complexity/noBannedTypes: no options.
  Named extends Options = {},
  Prepared = undefined,
  Result = void,
  Changes extends true | undefined = undefined,
>(row: CommandRow<Subject, Changes, Taken, Named, Prepared, Result>): AnyRow {
  return row;
}

/**
 * One setting as an option of a command that needs no other.
 *
 * @param meaning replaces that of the table. The option then has no default.
 */
export function settingOption<Name extends SettingName>(
  name: Name,
  meaning?: string,
): OptionOf<(typeof settings)[Name]['default']> {
  const row: Setting<unknown> = settings[name];
  const option = uncheckedOption(name, meaning).argParser(name === 'database' ? databaseAddress : parser(row.format));
  return row.default === undefined || meaning !== undefined ? option : option.default(row.default);
}

/** A setting as an option that takes any text. */
export function uncheckedOption(name: SettingName, meaning?: string): Option {
  const row: Setting<unknown> = settings[name];
  const otherwise = row.otherwise === undefined ? '' : ` (default: ${row.otherwise})`;
  const description = meaning ?? row.meaning + otherwise;
  const option = new Option(`${optionOf(name)} ${row.format.placeholder}`, description).env(variableOf(name));
  return row.format.alone === undefined ? option : option.preset(row.format.alone);
}

function parser<Value>(format: Format<Value>): (text: string) => Value {
  return (text) => {
    const { value, error } = readText(format, text);
    if (error) throw new InvalidArgumentError(format.hint(text));
    return value;
  };
}

/** Commander's own error would print the address, which may hold a password. */
function databaseAddress(address: string): string {
  const fault = addressFault(address);
  if (fault !== undefined) throw new OperatorError(fault, 2);
  return address;
}

export function wholeNumber(maximum: number, minimum = 0): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^[0-9]+$/.test(text) && number >= minimum && number <= maximum) return number;
    throw new InvalidArgumentError(`Use a whole number from ${minimum} to ${maximum}.`);
  };
}

/** The slug of a tenant or a product. */
export function slug(text: string): string {
  if (text.length <= 100 && slugForm.test(text)) return text;
  throw new InvalidArgumentError('Use a to z, 0 to 9 and single hyphens between them, at most 100 characters.');
}

/** Several slugs. */
export function slugs(text: string, before: readonly string[] = []): string[] {
  return [...before, slug(text)];
}

/** Several texts, such as keys of fields. */
export function texts(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

/** The id of a key, a token, a carrier or an entry. */
export function id(text: string): string {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return text;
  throw new InvalidArgumentError('Use an id that the command list prints.');
}

/** A text for people, without blanks around it. Its length is counted in code points, like that of a product's name. */
export function text(maxLength: number): (given: string) => string {
  return (given) => {
    const trimmed = given.trim();
    if (trimmed !== '' && Array.from(trimmed).length <= maxLength) return trimmed;
    throw new InvalidArgumentError(`Use 1 to ${maxLength} characters.`);
  };
}

export function country(code: string): string {
  const upper = code.toUpperCase();
  if (fieldTypes.country_code.test(upper)) return upper;
  throw new InvalidArgumentError('Use the two letters of an ISO 3166-1 country code, for example DE.');
}

export function time(moment: string): string {
  const parsed = new Date(moment);
  if (/^\d{4}-\d\d-\d\d/.test(moment) && !Number.isNaN(parsed.getTime())) return parsed.toISOString();
  throw new InvalidArgumentError('Use a date or a time in UTC, for example 2026-01-31 or 2026-01-31T12:00:00Z.');
}

/** A day, as in `2027-02-18`. */
function day(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(text) === text) return text;
  throw new InvalidArgumentError('Use a day, for example 2027-02-18.');
}

/** The option of commands that say what is missing. */
export const dayOption = option(
  '--on <day>',
  'day in UTC whose requirements count, for example 2027-02-18 (default: today)',
  day,
);

export function millimetres(size: string): number {
  const number = Number(size);
  if (/^[0-9]+(?:\.[0-9]+)?$/.test(size) && number >= 1 && number <= 300) return number;
  throw new InvalidArgumentError('Use a number from 1 to 300, for example 25 or 12.5.');
}
