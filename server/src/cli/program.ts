import { Command } from 'commander';
import { commandLine } from '../database/address.ts';
import { addAuditCommand } from './audit.ts';
import { addBackupCommand } from './backup.ts';
import { addCarrierCommands } from './carrier.ts';
import { addCheckHashesCommand } from './check-hashes.ts';
import { addCompletionCommand } from './completion.ts';
import { addConfigCommand } from './config.ts';
import { addDemoCommands } from './demo.ts';
import { addExamples } from './examples.ts';
import { addExportCommand } from './export.ts';
import { addImportCommand } from './import.ts';
import { addKeyCommands } from './key.ts';
import { addMigrateCommand } from './migrate.ts';
import { addMockCommand } from './mock.ts';
import { addProductCommands } from './product.ts';
import { addRegistryCommands } from './registry.ts';
import { addRestoreCommand } from './restore.ts';
import { addServeCommand } from './serve.ts';
import { addStatsCommand } from './stats.ts';
import { addTemplateCommands } from './templates.ts';
import { addTenantCommands } from './tenant.ts';
import { addTokenCommands } from './token.ts';
import { version } from './version.ts';
import { addVersionCommands } from './withhold.ts';

function examples(): string {
  return `
Examples:
  Try the server with demo data:
    ${commandLine('serve --demo')}
  Start with data of your own:
    ${commandLine("tenant create my-shop --name 'My Shop' --country DE")}
    ${commandLine('key create --tenant my-shop')}
    ${commandLine('serve')}

Each command has its own help, for example: ${commandLine('product activate --help')}`;
}

/** The command line `product-passport`. */
export function createProgram(): Command {
  const program = new Command('product-passport')
    .description('Runs the Product Passport reference server and manages its data.')
    .version(version)
    .showHelpAfterError('Run the command with --help to see its arguments and options.')
    .addHelpText('after', examples)
    .exitOverride();
  addServeCommand(program, version);
  addConfigCommand(program);
  addMockCommand(program, version);
  addMigrateCommand(program);
  addTenantCommands(program);
  addKeyCommands(program);
  addProductCommands(program);
  addRegistryCommands(program);
  addTemplateCommands(program);
  addTokenCommands(program);
  addVersionCommands(program);
  addCarrierCommands(program);
  addBackupCommand(program, version);
  addRestoreCommand(program, version);
  addCheckHashesCommand(program);
  addExportCommand(program, version);
  addImportCommand(program);
  addStatsCommand(program);
  addAuditCommand(program);
  addDemoCommands(program);
  addCompletionCommand(program);
  addExamples(program);
  return program;
}
