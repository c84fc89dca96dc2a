import { Command } from 'commander';
import { commandLine } from '../database/address.ts';
import { version } from './version.ts';

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

/** The command line `product-passport` without its commands. */
export function bareProgram(): Command {
  return new Command('product-passport')
    .description('Runs the Product Passport reference server and manages its data.')
    .version(version)
    .showHelpAfterError('Run the command with --help to see its arguments and options.')
    .addHelpText('after', examples)
    .exitOverride();
}
