/** The values that were used last, by key. They are values and not promises, so that a failure is never kept. */
export class Recent<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  /** @param most how many values are kept */
  constructor(most: number) {
    this.#most = most;
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
    if (this.#values.size > this.#most && oldest !== undefined) this.#values.delete(oldest);
  }
}
