import { destination } from 'pino';

/** How many bytes of lines wait while nobody reads standard error. More lines are dropped, and counted. */
const longestBacklog = 1024 * 1024;

/** How often a full pipe is tried again, in milliseconds. */
const retryInterval = 100;

/** How long the last lines of a process may wait for a reader, in milliseconds. */
const finalTimeout = 1000;

/**
 * Standard error as the destination of a log. Files and terminals get each line at once. A pipe that nobody reads does
 * not stop the process: its lines wait here, and the newest are dropped when there are too many.
 *
 * It writes from the main thread to a pipe that does not block. In libuv's thread pool, one write to a blocking pipe
 * would hold a thread, and the end of the process, until somebody reads.
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
  #retry: NodeJS.Timeout | undefined;
  #dropped = 0;
  #isClosed = false;
  #finalUntil = 0;

  constructor() {
    // Node makes a pipe non-blocking when it opens its stream: writing to a full one fails at once, with EAGAIN.
    process.stderr.on('error', () => undefined);
    this.#sink.on('error', (error: NodeJS.ErrnoException) => this.#failed(error));
    this.#sink.on('drop', () => {
      this.#dropped += 1;
    });
    this.#sink.on('drain', () => this.#drained());
  }

  write(line: string): void {
    if (!this.#isClosed) this.#sink.write(line);
  }

  /** Writes what still waits, for a second at most. For the end of the process. */
  finish(): void {
    if (!this.#retry || this.#isClosed) return;
    this.#finalUntil = Date.now() + finalTimeout;
    this.#sink.flush();
  }

  /** The lines that could not be written stay with the sink. */
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
