import { ArgumentError } from './errors.ts';

/** How long a call may take, and how often it is tried. `Infinity` means unlimited. */
export interface Limits {
  /** How long one attempt may take, its body included, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** How long the call may take, with all its attempts and the pauses between them, in milliseconds. Default: 120,000. */
  readonly deadlineMs?: number | undefined;
  /** How many times the request may be sent; 1 means no retry. Default: 3. */
  readonly maxAttempts?: number | undefined;
}

export type AllLimits = { readonly [Name in keyof Limits]-?: number };

const defaults: AllLimits = { timeoutMs: 30_000, deadlineMs: 120_000, maxAttempts: 3 };

// What a timer can hold; one that is set for longer fires at once.
const most = 2_147_483_647;

/** The limits of `given`, and of `base` where it says nothing. Throws an `ArgumentError` for one that is no limit. */
export function limits(given: Limits = {}, base: AllLimits = defaults): AllLimits {
  const all = { ...base };
  for (const name of Object.keys(base) as (keyof Limits)[]) {
    const limit = given[name] ?? base[name];
    if (limit !== Infinity && !(Number.isInteger(limit) && limit > 0 && limit <= most)) {
      throw new ArgumentError(name, `must be a whole number from 1 to ${most}, or Infinity`);
    }
    all[name] = limit;
  }
  return all;
}

/**
 * Settles as `work` does, or rejects when `ms` have passed or, with its reason, when the signal fires. The work is told
 * by a signal of its own; a custom `fetch` need not listen to it.
 */
export async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal?: AbortSignal) => Promise<T>,
): Promise<T> {
  if (ms === Infinity && !signal) return work();
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  const stopped = new Promise<never>((_, reject) => {
    controller.signal.onabort = () => reject(controller.signal.reason);
  });
  signal?.addEventListener('abort', stop);
  if (signal?.aborted || ms <= 0) stop();
  const timer = ms === Infinity || ms <= 0 ? undefined : setTimeout(stop, ms);
  try {
    return await Promise.race([work(controller.signal), stopped]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
