import type { Log } from '../log/log.ts';

/** Time between two log lines, in milliseconds. */
const interval = 60_000;

/** Counts lost scans. Logs the first loss at once, later ones at most once a minute. */
export class ScanLosses {
  readonly #log: Pick<Log, 'warn'>;
  #total = 0;
  #unlogged = 0;
  #lastError: unknown;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log;
  }

  get total(): number {
    return this.#total;
  }

  add(count: number, error: unknown): void {
    this.#total += count;
    this.#unlogged += count;
    this.#lastError = error;
    if (!this.#timer) this.#logAndPause();
  }

  /** Logs the losses that are not logged yet. The next loss is logged at once. */
  logNow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unlogged === 0) return;
    this.#log.warn({ err: this.#lastError, lost: this.#unlogged }, 'scans were lost');
    this.#unlogged = 0;
  }

  #logAndPause(): void {
    this.logNow();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#unlogged > 0) this.#logAndPause();
    }, interval).unref();
  }
}
