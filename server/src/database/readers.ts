import type { SqliteConnection } from './prepared.ts';

/** How long a statement may wait for a reader, in milliseconds. */
const longestWait = 10_000;
const checkInterval = 250;

/** What a pool needs to open and to close a connection. */
export interface ReaderSource {
  open(): Promise<SqliteConnection>;
  close(connection: SqliteConnection): Promise<void>;
}

interface Waiting {
  since: number;
  resolve(connection: SqliteConnection): void;
  reject(error: Error): void;
}

/**
 * The connections that read a SQLite file beside its one writer: in WAL mode nobody waits for the other. Each connection
 * runs one statement at a time and is opened on first use. A statement that runs too long is interrupted, so that it
 * does not keep its reader.
 */
export class Readers {
  readonly size: number;
  readonly #source: ReaderSource;
  readonly #longestRun: number;
  readonly #free: SqliteConnection[] = [];
  /** The connections in use, with the time at which they were taken. */
  readonly #busy = new Map<SqliteConnection, number>();
  readonly #waiting: Waiting[] = [];
  readonly #watch: NodeJS.Timeout;
  /** The connections that are open or being opened. */
  #opened = 0;
  #isClosed = false;

  /** @param longestRun how long a statement may run, in milliseconds */
  constructor(source: ReaderSource, { size, longestRun }: { size: number; longestRun: number }) {
    this.#source = source;
    this.size = size;
    this.#longestRun = longestRun;
    // One timer for all statements: a timer for each would cost more than a short statement.
    this.#watch = setInterval(() => this.#endLateOnes(), checkInterval).unref();
  }

  /** The connections that are open, and the statements that wait for one. */
  get use(): { used: number; free: number; waiting: number } {
    return { used: this.#busy.size, free: this.#free.length, waiting: this.#waiting.length };
  }

  /** Takes a connection for one statement, or for one short transaction. */
  async acquireConnection(): Promise<SqliteConnection> {
    if (this.#isClosed) throw new Error('The database is closed.');
    const free = this.#free.pop() ?? (this.#opened < this.size ? await this.#open() : await this.#wait());
    this.#busy.set(free, performance.now());
    return free;
  }

  releaseConnection(connection: SqliteConnection): void {
    this.#busy.delete(connection);
    const next = this.#waiting.shift();
    if (next) next.resolve(connection);
    else this.#free.push(connection);
  }

  /** Interrupts running statements, and closes every connection once it is released. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#watch);
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('The database is closed.'));
    for (const connection of this.#busy.keys()) connection.interrupt();
    while (this.#opened > 0) {
      // A connection that could not be opened does not count any more.
      const connection = this.#free.pop() ?? (await this.#wait().catch(() => undefined));
      if (!connection) continue;
      this.#opened -= 1;
      await this.#source.close(connection);
    }
  }

  async #open(): Promise<SqliteConnection> {
    this.#opened += 1;
    try {
      return await this.#source.open();
    } catch (error) {
      this.#opened -= 1;
      this.#openForNext();
      throw error;
    }
  }

  /** A request that waits takes the place of a connection that could not be opened. */
  #openForNext(): void {
    const next = this.#waiting.shift();
    if (this.#isClosed) next?.reject(new Error('The database is closed.'));
    else if (next) this.#open().then(next.resolve, next.reject);
  }

  #wait(): Promise<SqliteConnection> {
    return new Promise((resolve, reject) => this.#waiting.push({ since: performance.now(), resolve, reject }));
  }

  #endLateOnes(): void {
    const now = performance.now();
    for (const [connection, since] of this.#busy) if (now - since > this.#longestRun) connection.interrupt();
    const late = this.#waiting.filter(({ since }) => now - since > longestWait).length;
    for (const { reject } of this.#waiting.splice(0, late)) {
      reject(Object.assign(new Error('No connection became free in time.'), { code: 'SQLITE_BUSY' }));
    }
  }
}
