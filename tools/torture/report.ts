/** Progress lines, and the table at the end. */

/** Something that the product did wrong. It ends the round that found it. */
export class Finding extends Error {
  override readonly name = 'Finding';
}

export function expectThat(isTrue: boolean, message: () => string): void {
  if (!isTrue) throw new Finding(message());
}

export interface Row {
  part: string;
  database: string;
  round: number;
  result: string;
  seconds: number;
}

export class Report {
  readonly rows: Row[] = [];
  readonly #print: (line: string) => void;
  readonly #seed: number;

  constructor(seed: number, print: (line: string) => void) {
    this.#seed = seed;
    this.#print = print;
  }

  /** Runs a round, and prints its result. A failed round does not keep the next ones back. */
  async round(part: string, database: string, round: number, run: () => Promise<string>): Promise<void> {
    const started = performance.now();
    const seconds = (): number => (performance.now() - started) / 1000;
    try {
      const result = await run();
      this.#add({ part, database, round, result, seconds: seconds() }, 'ok');
    } catch (error) {
      const text = error instanceof Finding ? error.message : ((error as Error).stack ?? String(error));
      this.#add({ part, database, round, result: `FAILED ${text}`, seconds: seconds() }, 'failed');
    }
  }

  #add(row: Row, how: string): void {
    this.rows.push(row);
    this.#print(
      `${how} ${row.part} on ${row.database}, round ${row.round}: ${row.result} (${row.seconds.toFixed(1)} s)`,
    );
  }

  get failed(): Row[] {
    return this.rows.filter(({ result }) => result.startsWith('FAILED'));
  }

  /** The table, and for each failure the command that repeats it. */
  finish(): void {
    const groups = Map.groupBy(this.rows, ({ part, database }) => `${part.padEnd(34)} ${database.padEnd(10)}`);
    this.#print(`\n${'part'.padEnd(34)} ${'database'.padEnd(10)} rounds failed seconds`);
    for (const [name, rows] of groups) {
      const failed = rows.filter(({ result }) => result.startsWith('FAILED')).length;
      const seconds = rows.reduce((sum, row) => sum + row.seconds, 0);
      this.#print(
        `${name} ${String(rows.length).padStart(6)} ${String(failed).padStart(6)} ${seconds.toFixed(0).padStart(7)}`,
      );
    }
    for (const { part, database, round } of this.failed) {
      this.#print(
        `failed: ${part} on ${database}, round ${round}. To repeat it: npm run torture -- --seed ${this.#seed}`,
      );
    }
  }
}
