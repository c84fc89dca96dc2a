import { CommanderError } from 'commander';
import { isUnavailable } from '../database/connection.ts';
import { UnusableDatabase } from '../database/open.ts';
import { CommandFailure } from './output.ts';
import { createProgram } from './program.ts';

/** Runs the command line. Exit codes: 0 done, 1 failed, 2 the command was not understood. */
export async function run(): Promise<void> {
  try {
    await createProgram().parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has said what is wrong already. Help and version are no failures.
      process.exitCode = error.exitCode === 0 ? 0 : 2;
    } else {
      process.stderr.write(`product-passport: ${explain(error)}\n`);
      process.exitCode = error instanceof CommandFailure ? error.exitCode : 1;
    }
  }
}

function explain(error: unknown): string {
  if (error instanceof CommandFailure || error instanceof UnusableDatabase) return error.message;
  if (isUnavailable(error)) {
    // Where a name has several addresses, and all fail, the message is empty.
    const { message, code } = error as NodeJS.ErrnoException;
    return `the database cannot be reached: ${message || code}`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
