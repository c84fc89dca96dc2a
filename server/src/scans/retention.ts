import { dayOf } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { setValue, storedValue } from '../database/installation.ts';
import type { Log } from '../log/log.ts';
import { walkTenants } from '../tenants/store.ts';
import { deleteScansBefore, newestScan } from './store.ts';

const day = 86_400_000;

/** Rows in one transaction. A small number keeps the wait of page views short. */
const rowsAtOnce = 1000;

/** After a longer time without a deletion, in milliseconds, the clock may be wrong, and new scans would be deleted. */
const maxPause = 31 * day;

interface Retention {
  database: Knex;
  now: () => Date;
  /** Days before today whose scans are kept. */
  keepDays: number;
  log: Pick<Log, 'warn'>;
}

/**
 * Deletes old scans on start and then every day. Their counts stay. If the clock has jumped since the last deletion, of
 * any server, nothing is deleted until an operator confirms the clock.
 */
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
      .catch((err) => this.#retention.log.warn({ err }, 'deleting old scans failed'))
      .finally(() => {
        this.#running = undefined;
      });
  }

  async #drop(): Promise<void> {
    const { database, keepDays, log } = this.#retention;
    const now = this.#retention.now();
    // Stored at the first start. Later, a scan with the date of a wrong clock must not confirm that clock.
    const last_deletion = await storedValue(
      database,
      'scans_deleted_at',
      async () => (await newestScan(database)) ?? now.toISOString(),
    );
    if (now.getTime() - Date.parse(last_deletion) > maxPause) {
      log.warn(
        { now: now.toISOString(), last_deletion },
        'old scans were not deleted, because the clock has jumped since the last deletion. If it is right, run `product-passport scan confirm-clock`',
      );
      return;
    }
    await this.#dropBefore(dayOf(new Date(now.getTime() - keepDays * day)));
    // Also if there was nothing to delete: an installation without visitors is not one whose clock has jumped.
    if (!this.#stopped) await confirmClock(database, now);
  }

  async #dropBefore(firstKept: string): Promise<void> {
    const { database } = this.#retention;
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

/** Confirms that the clock is right. Servers then delete old scans again. */
export async function confirmClock(database: Knex, now: Date): Promise<void> {
  await database.transaction((transaction) => setValue(transaction, 'scans_deleted_at', now.toISOString()));
}
