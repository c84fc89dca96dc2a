import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addCarrierCommands } from './carrier.ts';
import { addKeyCommands } from './key.ts';
import { addMigrateCommand } from './migrate.ts';
import { addProductCommands } from './product.ts';
import { addServeCommand } from './serve.ts';
import { addTenantCommands } from './tenant.ts';
import { addTokenCommands } from './token.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** The command line `product-passport`. */
export function createProgram(): Command {
  const program = new Command('product-passport')
    .description('Reference server of the Product Passport Service API, and what its operator needs.')
    .version(version)
    .showHelpAfterError('Add --help to see how it is used.')
    .exitOverride();
  addServeCommand(program, version);
  addMigrateCommand(program);
  addTenantCommands(program);
  addKeyCommands(program);
  addProductCommands(program);
  addTokenCommands(program);
  addCarrierCommands(program);
  return program;
}
