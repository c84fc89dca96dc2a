import { ContractError } from '../contract/errors.ts';

/** Renderings at a time. They take turns on one processor, but read the database beside each other. */
const atOnce = 4;

/** Renderings of one tenant that may wait. */
const mostWaiting = 50;

type Start = () => void;

/**
 * Limits the renderings that requests without a key cause. Those beyond the limit wait, and tenants take turns, so that
 * requests for one tenant's passports do not hold up those for others.
 */
export class RenderingGate {
  #running = 0;
  /** The waiting renderings by tenant. The first tenant is next. */
  readonly #waiting = new Map<string, Start[]>();

  /** @throws ContractError `service_unavailable` if too many renderings of the tenant are waiting */
  async run<Result>(tenantId: string, render: () => Promise<Result>): Promise<Result> {
    if (this.#running < atOnce) this.#running += 1;
    else await this.#turn(tenantId);
    try {
      return await render();
    } finally {
      this.#startNext();
    }
  }

  #turn(tenantId: string): Promise<void> {
    const queue = this.#waiting.get(tenantId) ?? [];
    if (queue.length === mostWaiting) throw new ContractError('service_unavailable');
    this.#waiting.set(tenantId, queue);
    return new Promise((resolve) => queue.push(resolve));
  }

  /** The rendering that ended gives its place to the next one. */
  #startNext(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#running -= 1;
      return;
    }
    const [tenantId, queue] = next;
    const start = queue.shift();
    this.#waiting.delete(tenantId);
    if (queue.length > 0) this.#waiting.set(tenantId, queue);
    start?.();
  }
}
