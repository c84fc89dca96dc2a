/** Progress lines, and the table at the end. */
import { AssertionError } from 'node:assert';

interface Row {
  part: string;
  database: string;
  round: number;
  seconds: number;
  isOk: boolean;
}

export class Report {
  readonly #rows: Row[] = [];
  readonly #print: (line: string) => void;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** Runs a round, and prints its result. The next rounds run also after a failed one. */
  async round(part: string, database: string, round: number, run: () => Promise<string>): Promise<void> {
    const started = performance.now();
    let isOk = true;
    const result = await run().catch((error: Error) => {
      isOk = false;
      return error instanceof AssertionError ? error.message : (error.stack ?? String(error));
    });
    const seconds = (performance.now() - started) / 1000;
    this.#rows.push({ part, database, round, seconds, isOk });
    this.#print(
      `${isOk ? 'ok' : 'FAILED'} ${part} on ${database}, round ${round}: ${result} (${seconds.toFixed(1)} s)`,
    );
  }

  /** Prints the table, and each failed round with the command that repeats it. Returns whether there is none. */
  finish(seed: number): boolean {
    const groups = Map.groupBy(this.#rows, ({ part, database }) => `${part} on ${database}`);
    this.#print(`\n${'part'.padEnd(70)} rounds failed seconds`);
    for (const [name, rows] of groups) {
      const failed = rows.filter(({ isOk }) => !isOk).length;
      const seconds = Math.round(rows.reduce((sum, row) => sum + row.seconds, 0));
      const numbers = [rows.length, failed, seconds].map((number) => String(number).padStart(6));
      this.#print(`${name.padEnd(70)} ${numbers.join(' ')}`);
    }
    const failed = this.#rows.filter(({ isOk }) => !isOk);
    for (const { part, database, round } of failed) {
      this.#print(`failed: ${part} on ${database}, round ${round}. To repeat it: npm run torture -- --seed ${seed}`);
    }
    return failed.length === 0;
  }
}
