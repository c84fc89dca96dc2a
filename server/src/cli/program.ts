import type { Command } from 'commander';
import { newProgram } from '../command-line/command.ts';
import { commandLine } from '../database/address.ts';
import type { Entry } from './command.ts';
import { name, version } from './output.ts';
import { addCommands } from './runner.ts';

/** The commands in the order of the help. Only those that a command line names are loaded. */
const commands: Readonly<Record<string, () => Promise<Entry>>> = {
  serve: async () => (await import('./serve.ts')).commands,
  config: async () => (await import('./config.ts')).commands,
  mock: async () => (await import('./mock.ts')).commands,
  migrate: async () => (await import('./migrate.ts')).commands,
  tenant: async () => (await import('./tenant.ts')).commands,
  key: async () => (await import('./key.ts')).commands,
  product: async () => (await import('./product.ts')).commands,
  passport: async () => (await import('./passport.ts')).commands,
  registry: async () => (await import('./registry.ts')).commands,
  template: async () => (await import('./template.ts')).commands,
  token: async () => (await import('./token.ts')).commands,
  version: async () => (await import('./withhold.ts')).commands,
  carrier: async () => (await import('./carrier.ts')).commands,
  backup: async () => (await import('./backup.ts')).commands,
  restore: async () => (await import('./restore.ts')).commands,
  'check-hashes': async () => (await import('./check-hashes.ts')).commands,
  export: async () => (await import('./export.ts')).commands,
  import: async () => (await import('./import.ts')).commands,
  stats: async () => (await import('./stats.ts')).commands,
  scan: async () => (await import('./scan.ts')).commands,
  audit: async () => (await import('./audit.ts')).commands,
  demo: async () => (await import('./demo.ts')).commands,
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
 * @param first the first word of a command line. A command's name loads its modules alone, which halves the time of a start.
 * @returns creates the command line, once for each run
 */
export async function loadProgram(first?: string): Promise<() => Command> {
  const names = first !== undefined && Object.hasOwn(commands, first) ? [first] : Object.keys(commands);
  const entries = first === '--version' ? [] : await Promise.all(names.map((name) => commands[name]?.()));
  return () => {
    const program = newProgram(name, process.argv.includes('--json'))
      .description('Runs the Product Passport reference server and manages its data.')
      .version(version)
      .addHelpText('after', examples);
    addCommands(
      program,
      entries.filter((entry) => entry !== undefined),
    );
    return program;
  };
}
