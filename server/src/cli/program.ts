import { type Command, CommanderError } from 'commander';
import { newProgram, printError } from '../command-line/command.ts';
import { explanationOf } from '../command-line/failures.ts';
import { commandLine } from '../database/address.ts';
import { OperatorError } from '../operator-error.ts';
import type { Entry } from './command.ts';
import { name, version } from './output.ts';
import { addCommands } from './runner.ts';

/** The commands about a server. Each loads its own modules alone, so that it starts fast. The other commands are one module. */
const servers: Readonly<Record<string, () => Promise<Entry>>> = {
  serve: async () => (await import('./serve.ts')).commands,
  config: async () => (await import('./config.ts')).commands,
};

const examples = `
Examples:
  Try the server with demo data:
    ${commandLine('serve --demo')}
  Start with data of your own:
    ${commandLine("tenant create my-shop --name 'My Shop' --country DE")}
    ${commandLine('key create')}
    ${commandLine('serve')}

Make your first passport in five minutes: follow docs/tutorials/first-passport.md in the repository.
Each command has its own help, for example: ${commandLine('product activate --help')}
Exit codes: 0 success, 1 failure, 2 a wrong command, option, argument or value.`;

/**
 * Loads the command line `product-passport`.
 *
 * @param first the first word of a command line: the other commands need not be loaded
 * @returns creates the command line, once for each run
 */
export async function loadProgram(first = ''): Promise<() => Command> {
  const entries = first === '--version' ? [] : await entriesFor(first);
  return () => {
    const program = newProgram(name, process.argv.includes('--json'))
      .description('Runs the Product Passport reference server and manages its data.')
      .version(version)
      .addHelpText('after', examples);
    addCommands(program, entries);
    return program;
  };
}

async function entriesFor(first: string): Promise<readonly Entry[]> {
  const load = Object.hasOwn(servers, first) ? servers[first] : undefined;
  if (load) return [await load()];
  const { commands } = await import('./commands.ts');
  const only = commands.find(({ name }) => name.split(' ')[0] === first);
  if (only) return [only];
  return [...(await Promise.all(Object.values(servers).map((each) => each()))), ...commands];
}

/** Runs the command line. Exit codes: 0 for success, 1 for a failed command, 2 for a wrong command, option or argument. */
export async function run(program: Command): Promise<void> {
  const isJson = process.argv.includes('--json');
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed the error already. For --help and --version its exit code is 0.
      process.exitCode = error.exitCode === 0 ? 0 : 2;
    } else {
      printError(name, error instanceof OperatorError ? error.message : explanationOf(error), isJson);
      process.exitCode = error instanceof OperatorError ? error.exitCode : 1;
    }
  }
}
