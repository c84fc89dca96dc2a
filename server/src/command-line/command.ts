/** Command lines whose messages say what is wrong, where, and what to do. */

import { styleText } from 'node:util';
import { didYouMean } from '@product-passport/openapi';
import { type Argument, Command, InvalidArgumentError, type Option, type ParseOptionsResult } from 'commander';
import { explanationOf } from './failures.ts';

/** A program. What is wrong with its command line is printed, then thrown as a `CommanderError`. */
export function newProgram(name: string, isJson: boolean): Command {
  return new CheckedCommand(name)
    .showHelpAfterError(!isJson && 'Run the command with --help to see its arguments and options.')
    .configureOutput({ outputError: (text) => printError(name, text.trimEnd(), isJson) })
    .exitOverride();
}

/** Prints an error to standard error: a line with the name of the program, or one JSON document. */
export function printError(program: string, message: string, isJson: boolean): void {
  const { stderr } = process;
  const name = stderr.isTTY ? styleText('red', `${program}:`, { stream: stderr }) : `${program}:`;
  stderr.write(`${isJson ? JSON.stringify({ error: { message } }) : `${name} ${message}`}\n`);
}

/** Prints an error that nothing caught, such as one in a listener of a library. A server logs it itself. */
export function explainCrash(program: string, exitCodeOf: (error: unknown) => number): void {
  process.on('uncaughtException', (error) => {
    if (process.listenerCount('uncaughtException') > 1) return;
    printError(program, explanationOf(error), process.argv.includes('--json'));
    process.exit(exitCodeOf(error));
  });
}

/** The parser of an argument or an option with a closed list of values. */
export function choice(values: readonly string[]): (text: string) => string {
  return (text) => {
    if (values.includes(text)) return text;
    throw new InvalidArgumentError(`Use one of: ${values.join(', ')}.${didYouMean(text, values)}`);
  };
}

/** The parser of an option that names what a command writes. A shell would call standard output by this name. */
export function writtenName(name: string): string {
  if (name !== '-') return name;
  throw new InvalidArgumentError('Use the name of a file or a directory: this is not written to standard output.');
}

/** Replaces the messages of Commander, which calls the methods without a caller here. */
class CheckedCommand extends Command {
  #unknown: string | undefined;

  override createCommand(name?: string): Command {
    return new CheckedCommand(name);
  }

  override addOption(option: Option): this {
    const { envVar, long, flags } = option;
    const isVariable = (text: string): boolean => envVar !== undefined && process.env[envVar] === text;
    return super.addOption(this.#explained(option, (text) => (isVariable(text) ? envVar : long) ?? flags));
  }

  override addArgument(argument: Argument): this {
    return super.addArgument(this.#explained(argument, () => placeholder(argument)));
  }

  /** @param nameOf where the text that the parser refuses was given */
  #explained<Part extends Argument | Option>(part: Part, nameOf: (text: string) => string): Part {
    // A copy: several programs of one process have the same rows.
    const copy: Part = Object.assign(Object.create(Object.getPrototypeOf(part)), part);
    if (part.argChoices) copy.argParser(choice(part.argChoices));
    const { parseArg } = copy;
    if (parseArg === undefined) return copy;
    copy.argParser((text: string, before: unknown) => {
      try {
        return parseArg(text, before);
      } catch (error) {
        if (!(error instanceof InvalidArgumentError)) throw error;
        return this.error(`${nameOf(text)} is ${JSON.stringify(text)}. ${error.message}`);
      }
    });
    return copy;
  }

  override parseOptions(given: string[]): ParseOptionsResult {
    const parsed = super.parseOptions(given);
    [this.#unknown] = parsed.unknown;
    return parsed;
  }

  /** `help NOUN VERB`. Commander's own reads one word, and does not say that there is no such command. */
  _dispatchHelpCommand(): void {
    let shown: CheckedCommand = this;
    for (const name of this.args.slice(1).filter((word) => word !== 'help' && !word.startsWith('-'))) {
      const found = shown.commands.find((command) => command.name() === name);
      if (found === undefined) shown.unknownCommand([name]);
      shown = found as CheckedCommand;
    }
    shown.help();
  }

  unknownCommand([given = ''] = this.args): void {
    const names = this.commands.map((command) => command.name());
    this.error(`there is no command ${[...this.#path(), given].join(' ')}.${didYouMean(given, names)}`);
  }

  unknownOption(text: string): void {
    // The value may be a secret.
    const given = text.replace(/=.*/s, '');
    const known = this.createHelp()
      .visibleOptions(this)
      .flatMap(({ long }) => long ?? []);
    // `--group` for `--product-group`.
    const longer = given.startsWith('--') ? known.find((long) => long.endsWith(given.slice(1))) : undefined;
    this.error(`${this.#named()} has no option ${given}.${didYouMean(longer ?? given, known)}`);
  }

  optionMissingArgument({ long, flags }: Option): void {
    this.error(`${long ?? flags} needs a value: ${flags}.`);
  }

  /** Called with the first missing argument. The message names everything that is missing. */
  missingArgument(): void {
    this.#refuseMissing();
  }

  /** Called with the first missing option, before Commander looks for missing arguments. */
  missingMandatoryOptionValue(): void {
    this.#refuseMissing();
  }

  #refuseMissing(): void {
    // A mistyped option is why another one is missing.
    if (this.#unknown !== undefined) this.unknownOption(this.#unknown);
    const missing = [
      ...this.registeredArguments
        .slice(this.args.length)
        .filter(({ required }) => required)
        .map(placeholder),
      ...this.options
        .filter((option) => option.mandatory && this.getOptionValue(option.attributeName()) === undefined)
        .map(({ flags }) => flags),
    ];
    this.error(`${this.#named()} needs ${missing.join(', ')}.`);
  }

  _excessArguments(given: readonly string[]): void {
    // The first is a mistyped command where others are, such as those of verify.
    if (this.commands.length > 0) this.unknownCommand();
    const taken = this.registeredArguments.map(placeholder).join(' ');
    const quoted = given.map((each) => JSON.stringify(each)).join(' ');
    this.error(
      `${this.#named()} takes ${taken === '' ? 'no argument' : `only ${taken}`}, and got ${quoted}. If a value has spaces, quote it.`,
    );
  }

  /** The names with which the user called this command, without that of the program. */
  #path(): string[] {
    const names: string[] = [];
    for (let command: Command = this; command.parent; command = command.parent) names.unshift(command.name());
    return names;
  }

  #named(): string {
    return this.#path().join(' ') || 'the program';
  }
}

/** An argument as the help shows it. */
function placeholder(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

/** At the start. Another one later means that it has ended. On Windows it stays. */
const parent = process.ppid;

/** How often the parent is compared, in milliseconds. */
const interval = 1000;

/**
 * Calls back once npm has ended, if npm started this program. A signal to npm ends npm and its shell alone (npm/cli 6547,
 * 6684), and this program would run on.
 *
 * @returns ends the watch
 */
export function onNpmEnd(ended: () => void): () => void {
  if (process.env.npm_command === undefined) return () => undefined;
  const watch = setInterval(() => {
    if (process.ppid !== parent) ended();
  }, interval).unref();
  return () => clearInterval(watch);
}
