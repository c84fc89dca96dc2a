import { destination } from 'pino';

/** The largest backlog in bytes while nobody reads standard error. Further lines are dropped and counted. */
const longestBacklog = 1024 * 1024;

/** Time between two attempts to write to a full pipe, in milliseconds. */
const retryInterval = 100;

/** How long a line waits for others, in milliseconds, and how many characters go out at once. A write costs as much as a line. */
const gatherTime = 20;
const gatherLength = 8192;

/** How long the process waits for a reader of its last lines, in milliseconds. */
const finalTimeout = 1000;

/**
 * Standard error as the destination of a log. Lines of the same moment go out in one write. If nobody reads the pipe, lines
 * wait in a backlog, and the newest are dropped when it is full. The process never waits.
 *
 * It writes from the main thread to a non-blocking pipe. A write to a blocking pipe in libuv's thread pool would hold a
 * thread, and the end of the process, until somebody reads.
 */
export class StandardError {
  readonly #sink = destination({
    dest: 2,
    sync: true,
    // Without a minimum, `flush` does nothing.
    minLength: 1,
    maxLength: longestBacklog,
    retryEAGAIN: () => Date.now() < this.#finalUntil,
  });
  #gathered = '';
  #gathering: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #dropped = 0;
  #isClosed = false;
  #finalUntil = 0;

  constructor() {
    // Reading `process.stderr` makes the pipe non-blocking: writing to a full pipe then fails with EAGAIN.
    process.stderr.on('error', () => undefined);
    this.#sink.on('error', (error: NodeJS.ErrnoException) => this.#failed(error));
    this.#sink.on('drop', (lines: string) => {
      this.#dropped += lines.split('\n').length - 1;
    });
    this.#sink.on('drain', () => this.#drained());
  }

  write(line: string): void {
    if (this.#isClosed) return;
    this.#gathered += line;
    if (this.#gathered.length >= gatherLength) this.#send();
    else this.#gathering ??= setTimeout(() => this.#send(), gatherTime);
  }

  /** Writes the backlog before the process ends. Takes a second at most. */
  finish(): void {
    this.#send();
    if (!this.#retry || this.#isClosed) return;
    this.#finalUntil = Date.now() + finalTimeout;
    this.#sink.flush();
  }

  #send(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    const lines = this.#gathered;
    this.#gathered = '';
    if (lines !== '' && !this.#isClosed) this.#sink.write(lines);
  }

  /** The sink keeps the lines that it could not write. */
  #failed({ code }: NodeJS.ErrnoException): void {
    this.#isClosed ||= code === 'EPIPE';
    if (this.#isClosed || this.#retry) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#sink.flush();
    }, retryInterval).unref();
  }

  #drained(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    if (this.#dropped === 0) return;
    const lines = this.#dropped;
    this.#dropped = 0;
    const msg = 'log lines were dropped, because nobody read standard error';
    this.write(`${JSON.stringify({ level: 40, time: new Date().toISOString(), lines, msg })}\n`);
  }
}
