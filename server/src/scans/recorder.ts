import { createHmac, type KeyObject } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ContractError, dayOf } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { isBusy } from '../database/connection.ts';
import { secret } from '../database/installation.ts';
import { wasSpread } from '../database/migrations/table.ts';
import { recorded } from '../database/state.ts';
import { type Log, SummedWarning } from '../log/log.ts';
import { templateOf } from '../templates/catalogue.ts';
import { type Scan, storeScans } from './store.ts';

/** Whether a view of a passport page counts: the installation, the tenant and the product group must all allow it. */
export function isCounted(
  { countScans }: { countScans: boolean },
  { scans_off_at, product_group }: { scans_off_at: string | null; product_group: string | null },
): boolean {
  return countScans && scans_off_at === null && templateOf(product_group).scans;
}

/**
 * The hash of a client's address that is stored. It differs every day, and depends on the server's secret.
 *
 * @param secret a key object: with the bytes, Node would make one for each hash, for 9 µs
 */
export function visitorHash(secret: KeyObject, moment: Date, address: string): string {
  return createHmac('sha256', secret)
    .update(`${dayOf(moment)} ${address}`)
    .digest('hex');
}

function isOfForeignKey(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === '23503' || String(message).includes('FOREIGN KEY');
}

/** A scan with the address of the client, which is hashed and not stored. */
type SeenScan = Omit<Scan, 'visitorHash'> & { address: string };

interface Waiting {
  scan: SeenScan;
  /** Lets the page be sent. */
  done(): void;
}

/** Maximum number of scans in one transaction. */
const maxGroup = 500;

/** Pause before the next try while the database is locked, in milliseconds. While the server stops, a lock is reported at once. */
const lockedPause = 20;

/** How long a page waits for its scan, in milliseconds. */
const timeout = 1000;

/** Time between two lines about lost scans, in milliseconds. */
const logInterval = 60_000;

/**
 * Writes scans in groups. One write runs at a time, and scans that arrive during it share the next one, or where tables are
 * spread over nodes the next one of their tenant. A single scan is written at once. Each scan is either stored once or counted as lost once.
 */
export class ScanRecorder {
  readonly #database: Knex;
  readonly #losses: SummedWarning<unknown>;
  readonly #waiting = new Set<Waiting>();
  #writing: Promise<void> | undefined;
  #salt: KeyObject | undefined;
  #lost = 0;

  constructor(database: Knex, log: Pick<Log, 'warn'>) {
    this.#database = database;
    this.#losses = new SummedWarning(logInterval, (lost, err) => log.warn({ err, lost }, 'scans were lost'));
  }

  /** The number of scans that were lost since the start. */
  get lost(): number {
    return this.#lost;
  }

  /** The number of scans that wait for a write. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Resolves when the scan is committed or lost, or after a second. A scan whose write has not begun by then is lost. If
   * it is being written, the commit decides. It never rejects: a page is more important than its statistics.
   */
  record(scan: SeenScan): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        if (this.#waiting.delete(waiting)) this.#lose(1, new Error(`No write began within ${timeout} ms.`));
        resolve();
      }, timeout);
      const waiting: Waiting = {
        scan,
        done() {
          clearTimeout(timer);
          resolve();
        },
      };
      this.#waiting.add(waiting);
      this.#writing ??= this.#writeAll();
    });
  }

  /** Resolves when no write is pending. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  /** Logs the losses that are not logged yet. */
  logLosses(): void {
    this.#losses.flush();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.size > 0) await this.#writeGroup();
    this.#writing = undefined;
  }

  /** @param given default: scans that wait */
  async #writeGroup(given: Waiting[] = []): Promise<void> {
    let group = given;
    try {
      await recorded(this.#database, async () => {
        // Read before the transaction, because SQLite has one connection.
        this.#salt ??= await secret(this.#database, 'scan_secret');
        const isSpread = await wasSpread(this.#database);
        const salt = this.#salt;
        await this.#database.transaction(async (transaction) => {
          // Not before: scans that arrive while the write waits for its connection belong to the group.
          if (group.length === 0) group = this.#take(maxGroup, isSpread);
          const scans = group.map(({ scan: { address, ...scan } }) => ({
            ...scan,
            visitorHash: visitorHash(salt, scan.at, address),
          }));
          await storeScans(transaction, scans);
        });
      });
    } catch (error) {
      // Nothing was written. The waiting scans have their own time limit.
      if (group.length === 0 && (isBusy(error) || error instanceof ContractError)) {
        await wait(lockedPause);
        return;
      }
      // The product of one is gone. The others are stored.
      if (group.length > 1 && isOfForeignKey(error)) {
        const middle = group.length >> 1;
        for (const half of [group.slice(0, middle), group.slice(middle)]) await this.#writeGroup(half);
        return;
      }
      // The write could not begin, so all waiting scans are lost.
      if (group.length === 0) group = this.#take(this.#waiting.size);
      this.#lose(group.length, error);
    }
    for (const { done } of group) done();
  }

  #lose(count: number, error: unknown): void {
    this.#lost += count;
    this.#losses.add(count, error);
  }

  /** @param ofOneTenant a transaction of several tenants would be committed on several nodes */
  #take(count: number, ofOneTenant = false): Waiting[] {
    const [first] = this.#waiting;
    const all = Iterator.from(this.#waiting);
    const some = ofOneTenant ? all.filter(({ scan }) => scan.tenantId === first?.scan.tenantId) : all;
    const group = some.take(count).toArray();
    for (const waiting of group) this.#waiting.delete(waiting);
    return group;
  }
}
