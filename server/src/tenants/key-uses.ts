import type { Knex } from 'knex';

/** How often the use of one key is stored at most, and how long a use waits for others, in milliseconds. */
const usualTimes = { interval: 60_000, wait: 10_000 };

/** Keys in one transaction. A small number keeps the wait of other writes short. */
const keysAtOnce = 200;

interface Use {
  tenantId: string;
  keyId: string;
  at: string;
}

interface Environment {
  database: Knex;
  now: () => Date;
  /** Called if storing fails, once until it succeeds again. The next attempt has the same uses. */
  failed: (error: unknown) => void;
  times?: typeof usualTimes;
}

/**
 * Stores when each API key was last used. A request costs a look into a map: uses are stored together, at most once a
 * minute for each key. A server that is killed loses the uses that are not stored yet.
 */
export class KeyUses {
  readonly #environment: Environment;
  readonly #times: typeof usualTimes;
  /** When each use was last recorded. It has the keys of the last minute. */
  readonly #recorded = new Map<string, number>();
  readonly #waiting = new Map<string, Use>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #isRunning = false;
  #hasFailed = false;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#times = environment.times ?? usualTimes;
  }

  start(): void {
    this.#isRunning = true;
  }

  /** Records that a request had this key. */
  record(tenantId: string, keyId: string): void {
    const moment = performance.now();
    const before = this.#recorded.get(keyId);
    if (!this.#isRunning || (before !== undefined && moment - before < this.#times.interval)) return;
    this.#recorded.set(keyId, moment);
    this.#waiting.set(keyId, { tenantId, keyId, at: this.#environment.now().toISOString() });
    this.#wait();
  }

  /** Stores what waits. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    await this.#writing;
    await this.#storeAll();
  }

  #wait(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#storeAll().finally(() => {
        if (this.#waiting.size > 0 && this.#isRunning) this.#wait();
      });
    }, this.#times.wait).unref();
  }

  async #storeAll(): Promise<void> {
    const old = performance.now() - this.#times.interval;
    for (const [keyId, moment] of this.#recorded) if (moment < old) this.#recorded.delete(keyId);
    // Every server uses the same order, so that their transactions do not deadlock.
    const uses = [...this.#waiting.values()].sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
    try {
      for (let start = 0; start < uses.length; start += keysAtOnce) {
        await this.#store(uses.slice(start, start + keysAtOnce));
      }
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.#environment.failed(error);
      this.#hasFailed = true;
    }
  }

  async #store(uses: Use[]): Promise<void> {
    await this.#environment.database.transaction(async (transaction) => {
      for (const { tenantId, keyId, at } of uses) {
        const isNewer = (query: Knex.QueryBuilder): void =>
          void query.whereNull('last_used_at').orWhere('last_used_at', '<', at);
        await transaction('api_keys')
          .where({ tenant_id: tenantId, id: keyId })
          .where(isNewer)
          .update({ last_used_at: at });
      }
    });
    for (const use of uses) if (this.#waiting.get(use.keyId) === use) this.#waiting.delete(use.keyId);
  }
}
