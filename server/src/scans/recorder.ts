import type { Knex } from 'knex';
import { secret } from '../database/secrets.ts';
import { visitorHash } from './rules.ts';
import { type Scan, storeScans } from './store.ts';

/** A page view that counts, with the address of the client, which is hashed and goes no further. */
type SeenScan = Omit<Scan, 'visitorHash'> & { address: string };

interface Waiting {
  scan: SeenScan;
  resolve(): void;
  reject(error: unknown): void;
}

/** Scans in one transaction. More than that wait for the next one. */
const largestGroup = 500;

/**
 * Writes scans in groups: one write at a time, and whatever comes meanwhile shares the next. Readers that come at once
 * pay for one write between them, and one that comes alone waits for nobody.
 */
export class ScanRecorder {
  readonly #database: Knex;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #salt: Buffer | undefined;

  constructor(database: Knex) {
    this.#database = database;
  }

  /** Settles when the scan is committed. It fails where the write of its group failed, and then none of it counts. */
  record(scan: SeenScan): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ scan, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Settles when nothing is being written any more. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#writeGroup();
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
        group = this.#waiting.splice(0, largestGroup);
        const scans = group.map(({ scan: { address, ...scan } }) => ({
          ...scan,
          visitorHash: visitorHash(salt, scan.at, address),
        }));
        await storeScans(transaction, scans);
      });
    } catch (error) {
      // A write that could not even begin fails all who wait for it.
      const failed = group.length > 0 ? group : this.#waiting.splice(0);
      for (const { reject } of failed) reject(error);
      return;
    }
    for (const { resolve } of group) resolve();
  }
}
