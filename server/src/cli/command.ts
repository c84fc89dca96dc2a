/** A command is a row: its words, what it takes, what it does and what it prints. `runner.ts` does the rest. */
import { Argument, type Command, Option } from 'commander';
import type { Knex } from 'knex';
import type { AuditedRun } from '../audit/store.ts';
import type { OpenOptions } from '../database/open.ts';
import type { Product } from '../products/store.ts';
import type { Tenant } from '../tenants/store.ts';
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
  /** A list, which is printed as a table. */
  table?: {
    header: readonly string[];
    row(item: Item<Result>): string[];
    empty(context: Received): string;
  };
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
