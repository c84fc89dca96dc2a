import type { Knex } from 'knex';
import { listTenants } from '../tenants/store.ts';
import { utcDay } from './rules.ts';
import { deleteScansBefore } from './store.ts';

const day = 86_400_000;

/** Rows in one transaction: a page view never waits long behind them. */
const rowsAtOnce = 1000;

interface Retention {
  database: Knex;
  now: () => Date;
  /** Whole days before today whose scans are kept. */
  keepDays: number;
  /** Told when the deletion failed. The next one tries again. */
  failed: (error: unknown) => void;
}

/** Drops what scans hold beyond their counts once it is old: on start, and then every day. The counts stay. */
export class ScanRetention {
  readonly #retention: Retention;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(retention: Retention) {
    this.#retention = retention;
  }

  start(): void {
    this.#stopped = false;
    this.#run();
    this.#timer = setInterval(() => this.#run(), day).unref();
  }

  /** Settles when the group of rows under way is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  #run(): void {
    this.#running ??= this.#drop()
      .catch(this.#retention.failed)
      .finally(() => {
        this.#running = undefined;
      });
  }

  async #drop(): Promise<void> {
    const { database, now, keepDays } = this.#retention;
    const firstKept = utcDay(new Date(now().getTime() - keepDays * day));
    for (const { id } of await listTenants(database)) {
      let dropped = rowsAtOnce;
      while (dropped === rowsAtOnce && !this.#stopped)
        dropped = await deleteScansBefore(database, id, firstKept, rowsAtOnce);
    }
  }
}
