import type { Knex } from 'knex';
import { isBusy } from '../database/connection.ts';
import { secret } from '../database/secrets.ts';
import type { Log } from '../log/log.ts';
import { ScanLosses } from './losses.ts';
import { visitorHash } from './rules.ts';
import { type Scan, storeScans } from './store.ts';

/** A page view that counts, with the address of the client, which is hashed and goes no further. */
type SeenScan = Omit<Scan, 'visitorHash'> & { address: string };

interface Waiting {
  scan: SeenScan;
  /** Lets the page go. */
  done(): void;
}

/** Scans in one transaction. More than that wait for the next one. */
const largestGroup = 500;

/** How long a page waits for its scan, in milliseconds. */
const patience = 1000;

/**
 * Writes scans in groups: one write at a time, and whatever comes meanwhile shares the next. Readers that come at once
 * pay for one write between them, and one that comes alone waits for nobody. Each scan is stored once or counted as
 * lost once.
 */
export class ScanRecorder {
  readonly #database: Knex;
  readonly #losses: ScanLosses;
  readonly #waiting = new Set<Waiting>();
  #writing: Promise<void> | undefined;
  #salt: Buffer | undefined;

  constructor(database: Knex, log: Pick<Log, 'warn'>) {
    this.#database = database;
    this.#losses = new ScanLosses(log);
  }

  /** How many scans were lost since the start. */
  get lost(): number {
    return this.#losses.total;
  }

  /**
   * Resolves when the scan is committed, when it is lost, or after a second. A scan that waits for its group until then
   * is lost; if its group is being written, the commit decides. It never rejects: the page outranks its statistics.
   */
  record(scan: SeenScan): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        if (this.#waiting.delete(waiting)) this.#losses.add(1, new Error(`No write began within ${patience} ms.`));
        resolve();
      }, patience);
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

  /** Settles when nothing is being written any more. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  /** Logs the losses that wait for their minute. */
  logLosses(): void {
    this.#losses.logNow();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.size > 0) await this.#writeGroup();
    this.#writing = undefined;
  }

  async #writeGroup(): Promise<void> {
    let group: Waiting[] = [];
    try {
      // Before the transaction: SQLite has one connection.
      this.#salt ??= await secret(this.#database, 'scans');
      const salt = this.#salt;
      await this.#database.transaction(async (transaction) => {
        // Taken only now, so that those are in it who came while the write waited for its connection.
        group = this.#take(largestGroup);
        const scans = group.map(({ scan: { address, ...scan } }) => ({
          ...scan,
          visitorHash: visitorHash(salt, scan.at, address),
        }));
        await storeScans(transaction, scans);
      });
    } catch (error) {
      // Nothing was tried: those who wait have their own time limit.
      if (group.length === 0 && isBusy(error)) return;
      // A write that could not even begin fails all who wait for it.
      if (group.length === 0) group = this.#take(this.#waiting.size);
      this.#losses.add(group.length, error);
    }
    for (const { done } of group) done();
  }

  #take(count: number): Waiting[] {
    const group = Iterator.from(this.#waiting).take(count).toArray();
    for (const waiting of group) this.#waiting.delete(waiting);
    return group;
  }
}
