import type { Knex } from 'knex';
import { walkTenants } from '../tenants/store.ts';
import { utcDay } from './rules.ts';
import { deleteScansBefore } from './store.ts';

const day = 86_400_000;

/** Rows in one transaction. A small number keeps the wait of page views short. */
const rowsAtOnce = 1000;

interface Retention {
  database: Knex;
  now: () => Date;
  /** Days before today whose scans are kept. */
  keepDays: number;
  /** Called if a deletion fails. The next one tries again. */
  failed: (error: unknown) => void;
}

/** Deletes old scans on start and then every day. Their counts stay. */
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

  /** Resolves when the current group of rows is deleted. */
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
    for await (const tenants of walkTenants(database)) {
      for (const { id } of tenants) {
        let dropped = rowsAtOnce;
        while (dropped === rowsAtOnce && !this.#stopped)
          dropped = await deleteScansBefore(database, id, firstKept, rowsAtOnce);
      }
      if (this.#stopped) return;
    }
  }
}
