import { CommanderError } from 'commander';
import { isUnavailable } from '../database/connection.ts';
import { UnusableDatabase } from '../database/open.ts';
import { CommandFailure } from './output.ts';
import { createProgram } from './program.ts';

/** Runs the command line. Exit codes: 0 for success, 1 for a failed command, 2 for a wrong command, option or argument. */
export async function run(): Promise<void> {
  try {
    await createProgram().parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed the error already. For --help and --version its exit code is 0.
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
    // The message is empty when a host name has several addresses and all of them fail.
    const { message, code } = error as NodeJS.ErrnoException;
    return `the database is not available: ${message || code}. Check that it is running, reachable and writable.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
