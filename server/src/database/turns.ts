/** A tenant has too much work waiting, or waited too long. The request may be repeated later. */
export class Overload extends Error {
  override readonly name = 'Overload';
}

interface Limits {
  /** Pieces of work of one tenant that run at a time. */
  atOnce: number;
  /** Pieces of work of one tenant that wait. */
  waiting?: number;
  /** How long one waits, in milliseconds. */
  patience?: number;
}

interface Waiting {
  begin(): void;
  timer: NodeJS.Timeout;
}

/** Lets each tenant run a few pieces of work at a time, in their order, so that no tenant takes every connection. */
export class Turns {
  readonly #limits: Required<Limits>;
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, Set<Waiting>>();

  constructor({ atOnce, waiting = 1000, patience = 10_000 }: Limits) {
    this.#limits = { atOnce, waiting, patience };
  }

  /** @throws Overload before the work begins */
  async take<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
    const running = this.#running.get(tenantId) ?? 0;
    if (running < this.#limits.atOnce) this.#running.set(tenantId, running + 1);
    else await this.#wait(tenantId);
    try {
      return await work();
    } finally {
      this.#pass(tenantId);
    }
  }

  #wait(tenantId: string): Promise<void> {
    const queue = this.#waiting.get(tenantId) ?? new Set();
    if (queue.size >= this.#limits.waiting) throw new Overload('The tenant has too many requests waiting.');
    this.#waiting.set(tenantId, queue);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.delete(waiting);
        reject(new Overload('The request waited too long for other requests of its tenant.'));
      }, this.#limits.patience);
      const waiting: Waiting = { begin: resolve, timer };
      queue.add(waiting);
    });
  }

  /** Passes the turn to the tenant's next piece of work. */
  #pass(tenantId: string): void {
    const queue = this.#waiting.get(tenantId);
    const [next] = queue ?? [];
    if (queue && next) {
      queue.delete(next);
      clearTimeout(next.timer);
      next.begin();
      return;
    }
    this.#waiting.delete(tenantId);
    const others = (this.#running.get(tenantId) ?? 1) - 1;
    if (others === 0) this.#running.delete(tenantId);
    else this.#running.set(tenantId, others);
  }
}
