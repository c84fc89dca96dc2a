import { type DestinationStream, type Logger, pino } from 'pino';
import { failureOf } from '../command-line/failures.ts';
import { StandardError } from './standard-error.ts';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

/** Writes one JSON object a line to standard error. Standard output belongs to the results of commands. */
export function createLog(level = 'info', to: DestinationStream = new StandardError()): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: errorInLog } }, to);
}

/** The parts of an error that are logged. Libraries attach more: client input, connection options. */
function errorInLog(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name: type, message, stack, code } = error as NodeJS.ErrnoException;
  // A failure outside of the program has its reason in the message, and a stack of a library.
  return { type, message, ...(failureOf(error) === undefined && { stack }), code };
}

/** Masks API keys, control tokens of a sandbox, tokens (JWT), `zugang`, and the user and password of an address anywhere in a text. */
export function masked(text: string): string {
  return text
    .replace(/(ppk|sandbox)_[\w-]+/g, '$1_***')
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '***')
    .replace(/(zugang=)[^&\s"']+/gi, '$1***')
    .replace(/(\w:\/\/)[^\s/?#]*@/g, '$1***@');
}

/** A warning about events that may be many. The first event is logged at once, later ones together after each interval. */
export class SummedWarning<About> {
  readonly #interval: number;
  readonly #warn: (count: number, last: About) => void;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #last: About | undefined;

  /**
   * @param interval time between two lines, in milliseconds
   * @param warn logs a number of events, and the last of them
   */
  constructor(interval: number, warn: (count: number, last: About) => void) {
    this.#interval = interval;
    this.#warn = warn;
  }

  add(count: number, last: About): void {
    this.#count += count;
    this.#last = last;
    if (!this.#timer) this.#logAndWait();
  }

  /** Logs the events that are not logged yet. The next event is logged at once. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#count > 0) this.#warn(this.#count, this.#last as About);
    this.#count = 0;
  }

  #logAndWait(): void {
    this.flush();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#count > 0) this.#logAndWait();
    }, this.#interval).unref();
  }
}
