/**
 * Divides units among parties: requests in progress among tenants, connections among addresses. A party may hold as many
 * units as are free. So one alone gets half of them, n greedy ones get 1/(n + 1) each, and a new one always finds some.
 */
export class Shares {
  readonly #units: number;
  readonly #held = new Map<string, number>();
  #used = 0;

  /** @param units 0 means no limit */
  constructor(units: number) {
    this.#units = units === 0 ? Number.POSITIVE_INFINITY : units;
  }

  get used(): number {
    return this.#used;
  }

  /** Whether the party's share had room. */
  take(party: string, units = 1): boolean {
    const held = (this.#held.get(party) ?? 0) + units;
    if (held > this.#units - this.#used) return false;
    this.#held.set(party, held);
    this.#used += units;
    return true;
  }

  give(party: string, units = 1): void {
    const held = (this.#held.get(party) ?? 0) - units;
    if (held > 0) this.#held.set(party, held);
    else this.#held.delete(party);
    this.#used -= units;
  }
}
