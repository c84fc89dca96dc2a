/** Time between two reports, in milliseconds. */
const reportInterval = 500;

/**
 * Shows on a terminal how far a long command has come, and how fast, in one line of standard error. Writes nothing to a
 * file or a pipe.
 */
export class Progress {
  readonly #unit: string;
  readonly #began = performance.now();
  #nextReport = 0;
  #isShown = false;

  /** @param unit as in `products` */
  constructor(unit: string) {
    this.#unit = unit;
  }

  report(done: number, total?: number): void {
    const now = performance.now();
    if (!process.stderr.isTTY || now < this.#nextReport) return;
    this.#nextReport = now + reportInterval;
    this.#isShown = true;
    const rate = Math.round((done * 1000) / Math.max(now - this.#began, 1));
    const of = total === undefined ? '' : ` of ${total}`;
    // Returns to the start of the line, and clears it.
    process.stderr.write(`\r\x1b[K${done}${of} ${this.#unit}, ${rate} a second`);
  }

  /** Clears the line. */
  end(): void {
    if (this.#isShown) process.stderr.write('\r\x1b[K');
    this.#isShown = false;
  }

  /** Seconds since the start. */
  get seconds(): number {
    return Math.round((performance.now() - this.#began) / 100) / 10;
  }
}
