import { ArgumentError } from './errors.ts';

/** How long a call may take, and how many attempts it may make. `Infinity` means unlimited. */
export interface Limits {
  /** How long one attempt may take, its body included, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * How long the call may take, with all its attempts and the pauses between them, in milliseconds. The time that it
   * waits for other calls or after a 429 does not count. Default: 120,000.
   */
  readonly deadlineMs?: number | undefined;
  /**
   * How long a request may wait because the service limits requests (429), in milliseconds. It starts with the first pause.
   * If a pause would end later, the call fails at once. Default: 300,000.
   */
  readonly maxWaitMs?: number | undefined;
  /** How many times the request may be sent; 1 means no retry. A refusal with 429 does not count. Default: 3. */
  readonly maxAttempts?: number | undefined;
}

/** The limits of a client: those of its calls, and one for all of them together. */
export interface ClientLimits extends Limits {
  /**
   * How many requests may be in flight at a time. Further calls wait in a queue. `Infinity` means
   * unlimited. Default: 16.
   */
  readonly maxInFlight?: number | undefined;
}

export type AllLimits = { readonly [Name in keyof ClientLimits]-?: number };

const defaults: AllLimits = {
  timeoutMs: 30_000,
  deadlineMs: 120_000,
  maxWaitMs: 300_000,
  maxAttempts: 3,
  maxInFlight: 16,
};

// In milliseconds. A timer with a longer delay fires at once.
const maxDelay = 2_147_483_647;

/** Completes the given limits with those of `base`. Throws an `ArgumentError` if one is invalid. */
export function limits(given: ClientLimits = {}, base: AllLimits = defaults): AllLimits {
  const all = { ...base };
  for (const name of Object.keys(base) as (keyof ClientLimits)[]) {
    const limit = given[name] ?? base[name];
    if (limit !== Infinity && !(Number.isInteger(limit) && limit > 0 && limit <= maxDelay)) {
      throw new ArgumentError(name, `must be a whole number from 1 to ${maxDelay}, or Infinity`);
    }
    all[name] = limit;
  }
  return all;
}

/**
 * Settles as `work` does, or rejects when the signal fires or after `ms` milliseconds; `onTimeout` then runs first. In both
 * cases the signal that `work` received fires too. `work` may ignore it: the rejection does not wait. If the signal has
 * fired already, `work` does not start.
 */
export async function withTimeout<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (own: AbortSignal) => Promise<T>,
  onTimeout?: () => void,
): Promise<T> {
  if (signal?.aborted) throw signal.reason;
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  const stopped = new Promise<never>((_, reject) => {
    controller.signal.onabort = () => reject(controller.signal.reason);
  });
  const end = () => {
    onTimeout?.();
    stop();
  };
  const timer = ms === Infinity ? undefined : setTimeout(end, ms);
  signal?.addEventListener('abort', stop);
  try {
    return await Promise.race([work(controller.signal), stopped]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** Resolves after `ms` milliseconds, or as soon as the signal fires. */
export function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return withTimeout(ms, signal, () => new Promise<void>(() => {})).catch(() => {});
}
