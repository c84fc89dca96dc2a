import { Command } from 'commander';
import { commandLine } from '../database/address.ts';
import { addExamples } from './examples.ts';
import { version } from './output.ts';
import { addServeCommand } from './serve.ts';

function examples(): string {
  return `
Examples:
  Try the server with demo data:
    ${commandLine('serve --demo')}
  Start with data of your own:
    ${commandLine("tenant create my-shop --name 'My Shop' --country DE")}
    ${commandLine('key create')}
    ${commandLine('serve')}

Each command has its own help, for example: ${commandLine('product activate --help')}
Exit codes: 0 success, 1 failure, 2 a wrong command, option, argument or value.`;
}

/** The command line `product-passport` with the command `serve` alone. */
export function programWithServe(): Command {
  const program = new Command('product-passport')
    .description('Runs the Product Passport reference server and manages its data.')
    .version(version)
    .showHelpAfterError('Run the command with --help to see its arguments and options.')
    .addHelpText('after', examples)
    .exitOverride();
  addServeCommand(program);
  return program;
}

/** Without the modules of the other commands, which takes a sixth less processor time to start. */
export function createProgram(): Command {
  const program = programWithServe();
  addExamples(program);
  return program;
}
