/** A cache of the most recently used values. Store values, not promises, so that a failure is not cached. */
export class Recent<Value> {
  readonly #size: number;
  readonly #values = new Map<string, Value>();

  /** @param size the largest number of values */
  constructor(size: number) {
    this.#size = size;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#size && oldest !== undefined) this.#values.delete(oldest);
  }
}
