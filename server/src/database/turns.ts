/** A tenant has too much work waiting, or waited too long. The request may be repeated later. */
export class Overload extends Error {
  override readonly name = 'Overload';
}

interface Limits {
  /** Pieces of work of one tenant that run at a time. */
  atOnce: number;
  /** Pieces of work of all tenants that run at a time. Default: no limit. */
  inAll?: number;
  /** Of these, those that only tenants without running work may take. Default 0. */
  reserved?: number;
  /** Pieces of work of one tenant that wait. Default 256, a quarter of the requests in flight. */
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
  /** The tenant that is next comes first. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  #runningInAll = 0;

  constructor({ atOnce, inAll = Number.POSITIVE_INFINITY, reserved = 0, waiting = 256, patience = 10_000 }: Limits) {
    this.#limits = { atOnce, inAll, reserved, waiting, patience };
  }

  /** @throws Overload before the work begins */
  async take<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#hasRoom(tenantId)) this.#begin(tenantId);
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

  #hasRoom(tenantId: string): boolean {
    const { atOnce, inAll, reserved } = this.#limits;
    const own = this.#running.get(tenantId) ?? 0;
    const free = inAll - this.#runningInAll;
    return own === 0 ? free > 0 : own < atOnce && free > reserved;
  }

  #begin(tenantId: string): void {
    this.#runningInAll += 1;
    this.#running.set(tenantId, (this.#running.get(tenantId) ?? 0) + 1);
  }

  /** Ends a piece of work, and begins what has room now: tenants alternate. */
  #pass(tenantId: string): void {
    this.#runningInAll -= 1;
    const others = (this.#running.get(tenantId) ?? 1) - 1;
    if (others === 0) this.#running.delete(tenantId);
    else this.#running.set(tenantId, others);
    while (this.#beginNext());
  }

  #beginNext(): boolean {
    for (const [tenant, queue] of this.#waiting) {
      const [next] = queue;
      if (!next) this.#waiting.delete(tenant);
      else if (this.#hasRoom(tenant)) {
        queue.delete(next);
        this.#waiting.delete(tenant);
        if (queue.size > 0) this.#waiting.set(tenant, queue);
        clearTimeout(next.timer);
        this.#begin(tenant);
        next.begin();
        return true;
      }
    }
    return false;
  }
}
