import { destination } from 'pino';

/** Maximum backlog in bytes while nobody reads standard error. Further lines are dropped and counted. */
const maxBacklog = 1024 * 1024;

/** Lines are written together when they have this many bytes, or after this time in milliseconds. A write costs as much as a line. */
const batchBytes = 8192;
const batchTime = 100;

/** How long the process waits for a reader of its last lines, in milliseconds. */
const finalTimeout = 1000;

/**
 * Standard error as the destination of a log. If nobody reads the pipe, lines wait in a backlog, and the newest are dropped
 * when it is full. The process never waits.
 *
 * It writes from the main thread to a non-blocking pipe. A write to a blocking pipe in libuv's thread pool would hold a
 * thread, and the end of the process, until somebody reads.
 */
export class StandardError {
  readonly #sink = destination({
    dest: 2,
    sync: true,
    minLength: batchBytes,
    maxLength: maxBacklog,
    periodicFlush: batchTime,
    retryEAGAIN: () => Date.now() < this.#finalUntil,
  });
  #dropped = 0;
  #finalUntil = 0;

  constructor() {
    // Reading `process.stderr` makes the pipe non-blocking: writing to a full pipe then fails with EAGAIN.
    process.stderr.on('error', () => undefined);
    // The sink keeps the lines, and tries again at its next flush.
    this.#sink.on('error', () => undefined);
    this.#sink.on('drop', () => {
      if (this.#dropped === 0) this.#sink.once('drain', () => this.#reportDropped());
      this.#dropped += 1;
    });
  }

  write(line: string): void {
    this.#sink.write(line);
  }

  /** Writes the backlog before the process ends. Takes a second at most. */
  finish(): void {
    this.#finalUntil = Date.now() + finalTimeout;
    this.#sink.flush();
  }

  #reportDropped(): void {
    const lines = this.#dropped;
    this.#dropped = 0;
    const msg = 'log lines were dropped, because nobody read standard error';
    this.write(`${JSON.stringify({ level: 40, time: new Date().toISOString(), lines, msg })}\n`);
  }
}
