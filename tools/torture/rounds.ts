/** Rounds that print their results. A failed one gives the program the exit code 1. */
import { AssertionError } from 'node:assert';

export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs a round, and prints its result. The next rounds run also after a failed one. */
export type RunRound = (name: string, run: () => Promise<string>) => Promise<void>;

export function roundsOn(kind: string): RunRound {
  return async (name, run) => {
    const started = performance.now();
    let outcome = 'ok';
    const result = await run().catch((error: Error) => {
      outcome = 'FAILED';
      process.exitCode = 1;
      return error instanceof AssertionError ? error.message : (error.stack ?? String(error));
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    print(`${outcome} ${name} on ${kind}: ${result} (${seconds} s)`);
  };
}
