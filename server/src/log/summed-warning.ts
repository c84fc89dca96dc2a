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
