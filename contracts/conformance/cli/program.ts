/** The command line of the suite. */
import { Command, CommanderError } from 'commander';
import { UsageError } from '../usage-error.ts';
import { exitCodes } from '../verdict.ts';
import { suiteVersion } from '../verify.ts';
import { addInitCommand } from './init.ts';
import { addPlanCommand } from './plan.ts';
import { addVerifyCommand } from './verify.ts';

/** Returns the exit code. A failure of the suite itself proves nothing, so it counts as incomplete. */
export async function runProgram(parameters: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = new Command('product-passport-contracts')
    .description('Checks that a service keeps the contract of the Product Passport Service API.')
    .version(suiteVersion())
    .enablePositionalOptions()
    .exitOverride();
  addVerifyCommand(program, parameters, (code) => {
    exitCode = code;
  });
  addInitCommand(program);
  addPlanCommand(program);
  try {
    await program.parseAsync(parameters, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    process.stderr.write(`product-passport-contracts: ${explain(error)}\n`);
    return error instanceof UsageError ? exitCodes.usage : exitCodes.incomplete;
  }
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
