/** How long the database may take to respond to a check, and how long its response counts, in milliseconds. */
const checkTimeout = 2000;
const checkAge = 1000;

/** Why a server should receive no requests. */
export type Unready = 'starting' | 'stopping' | 'database';

/** Whether a server should receive requests: after its start, before its stop, and while its database responds. */
export class Readiness {
  #state: 'starting' | 'serving' | 'stopping' = 'starting';
  #checkDatabase: () => Promise<unknown> = () => Promise.resolve();
  #lastCheck: { at: number; responds: Promise<boolean> } | undefined;

  /** @param checkDatabase rejects if the database does not respond */
  serving(checkDatabase: () => Promise<unknown>): void {
    this.#checkDatabase = checkDatabase;
    this.#state = 'serving';
  }

  stopping(): void {
    this.#state = 'stopping';
  }

  get isStopping(): boolean {
    return this.#state === 'stopping';
  }

  /** The reason why the server is not ready, or undefined if it is. */
  async unready(): Promise<Unready | undefined> {
    if (this.#state !== 'serving') return this.#state;
    const responds = await this.#databaseResponds();
    // It may have begun to stop meanwhile.
    if (this.#state !== 'serving') return this.#state;
    return responds ? undefined : 'database';
  }

  /** Many probes cause one check a second. */
  #databaseResponds(): Promise<boolean> {
    const now = performance.now();
    if (!this.#lastCheck || now - this.#lastCheck.at > checkAge) {
      this.#lastCheck = { at: now, responds: respondsInTime(this.#checkDatabase) };
    }
    return this.#lastCheck.responds;
  }
}

async function respondsInTime(check: () => Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), checkTimeout);
  const inTime = check().then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([inTime, late]);
  } finally {
    clearTimeout(timer);
  }
}
