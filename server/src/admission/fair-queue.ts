/**
 * Starts few jobs in each turn of the event loop, so that other work runs in between. Parties alternate: the jobs of one
 * do not wait for all jobs of another.
 */
export class FairQueue {
  readonly #perTurn: () => number;
  /** Jobs that may start before the next turn. */
  #left = 1;
  /** The party that is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** @param perTurn jobs that start in one turn at most */
  constructor(perTurn: () => number) {
    this.#perTurn = perTurn;
  }

  add(party: string, start: () => void): void {
    if (this.#left > 0) {
      this.#start(start);
      return;
    }
    const own = this.#waiting.get(party);
    if (own) own.push(start);
    else this.#waiting.set(party, [start]);
  }

  /** Waits for the next turn, and for the jobs before it. */
  async pause(party: string): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise<void>((resolve) => this.add(party, resolve));
  }

  /** Starts all waiting jobs. */
  drain(): void {
    for (let next = this.#next(); next; next = this.#next()) next();
  }

  #start(start: () => void): void {
    this.#left -= 1;
    // Few turns need it: each keeps the event loop from waiting for more work at a time.
    if (this.#left === 0) setImmediate(() => this.#beginTurn());
    start();
  }

  #beginTurn(): void {
    this.#left = this.#perTurn();
    while (this.#left > 0) {
      const next = this.#next();
      if (!next) return;
      this.#start(next);
    }
  }

  #next(): (() => void) | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    const [party, own] = first;
    const next = own.shift();
    this.#waiting.delete(party);
    if (own.length > 0) this.#waiting.set(party, own);
    return next;
  }
}
