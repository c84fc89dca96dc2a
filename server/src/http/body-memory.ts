import type { ServerResponse } from 'node:http';
import { ContractError } from '../contract/errors.ts';

/** Counts the bytes of bodies in memory. */
export class BodyMemory {
  readonly #limit: number;
  readonly #refused: () => void;
  readonly #held = new Map<ServerResponse, number>();
  #total = 0;

  constructor(limit: number, refused: () => void) {
    this.#limit = limit;
    this.#refused = refused;
  }

  /** Takes room until the end of the response. @throws ContractError `service_unavailable` if there is none */
  take(bytes: number, response: ServerResponse): void {
    if (this.#total + bytes > this.#limit) {
      this.#refused();
      throw new ContractError('service_unavailable');
    }
    const held = this.#held.get(response);
    if (held === undefined) {
      const give = (): void => {
        this.#total -= this.#held.get(response) ?? 0;
        this.#held.delete(response);
      };
      // An injected request has no connection that closes.
      response.once('close', give).once('finish', give);
    }
    this.#total += bytes;
    this.#held.set(response, (held ?? 0) + bytes);
  }
}
