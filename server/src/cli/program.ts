import type { Command } from 'commander';
import { newProgram } from '../command-line/command.ts';
import { commandLine } from '../database/address.ts';
import { addExamples } from './examples.ts';
import { name, version } from './output.ts';

type Add = (program: Command) => void;

/** The commands in the order of the help. Only those that a command line names are loaded. */
const commands: Readonly<Record<string, () => Promise<Add>>> = {
  serve: async () => (await import('./serve.ts')).addServeCommand,
  config: async () => (await import('./config.ts')).addConfigCommand,
  mock: async () => (await import('./mock.ts')).addMockCommand,
  migrate: async () => (await import('./migrate.ts')).addMigrateCommand,
  tenant: async () => (await import('./tenant.ts')).addTenantCommands,
  key: async () => (await import('./key.ts')).addKeyCommands,
  product: async () => (await import('./product.ts')).addProductCommands,
  passport: async () => (await import('./passport.ts')).addPassportCommands,
  registry: async () => (await import('./registry.ts')).addRegistryCommands,
  template: async () => (await import('./template.ts')).addTemplateCommands,
  token: async () => (await import('./token.ts')).addTokenCommands,
  version: async () => (await import('./withhold.ts')).addVersionCommands,
  carrier: async () => (await import('./carrier.ts')).addCarrierCommands,
  backup: async () => (await import('./backup.ts')).addBackupCommand,
  restore: async () => (await import('./restore.ts')).addRestoreCommand,
  'check-hashes': async () => (await import('./check-hashes.ts')).addCheckHashesCommand,
  export: async () => (await import('./export.ts')).addExportCommand,
  import: async () => (await import('./import.ts')).addImportCommand,
  stats: async () => (await import('./stats.ts')).addStatsCommand,
  scan: async () => (await import('./scan.ts')).addScanCommands,
  audit: async () => (await import('./audit.ts')).addAuditCommand,
  demo: async () => (await import('./demo.ts')).addDemoCommands,
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
  const additions = first === '--version' ? [] : await Promise.all(names.map((name) => commands[name]?.()));
  return () => {
    const program = newProgram(name, process.argv.includes('--json'))
      .description('Runs the Product Passport reference server and manages its data.')
      .version(version)
      .addHelpText('after', examples);
    for (const add of additions) add?.(program);
    addExamples(program);
    return program;
  };
}
