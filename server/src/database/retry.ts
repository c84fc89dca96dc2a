import { setTimeout } from 'node:timers/promises';
import { isPostgresAddress } from './address.ts';
import { isUnavailable } from './connection.ts';
import { UnusableDatabase } from './open.ts';

/** Pauses between two attempts, in milliseconds. */
const firstPause = 250;
const maxPause = 5000;

interface RetryOptions {
  /** How long to retry, in milliseconds. */
  wait: number;
  /** Called before each retry. */
  retrying(about: { err: unknown; retry_in_ms: number; seconds_left: number }): void;
}

/**
 * Opens a database, and retries while PostgreSQL is not reachable: it may start at the same time as this program. Other
 * faults, such as a wrong password, are thrown at once.
 *
 * @throws UnusableDatabase if the database is not reachable in time
 */
export async function whenReachable<Result>(
  address: string,
  open: () => Promise<Result>,
  { wait, retrying }: RetryOptions,
): Promise<Result> {
  const end = performance.now() + wait;
  for (let pause = firstPause; ; pause = Math.min(pause * 2, maxPause)) {
    try {
      return await open();
    } catch (error) {
      if (!isPostgresAddress(address) || !isUnavailable(error)) throw error;
      const left = end - performance.now();
      if (left <= 0) throw unreachable(address, wait, error);
      const retryIn = Math.min(pause, left);
      retrying({ err: error, retry_in_ms: Math.round(retryIn), seconds_left: Math.round(left / 1000) });
      await setTimeout(retryIn);
    }
  }
}

function unreachable(address: string, wait: number, error: unknown): UnusableDatabase {
  // The message is empty when a host name has several addresses and all of them fail.
  const { message, code } = error as NodeJS.ErrnoException;
  const waited = wait === 0 ? '' : ` after ${wait / 1000} seconds`;
  const fault = `is not available${waited}: ${message || code}. Check that it is running and reachable, or wait longer with --database-wait.`;
  return new UnusableDatabase(address, fault, { cause: error });
}
