import { setTimeout as wait } from 'node:timers/promises';
import { isPassportError } from '@product-passport/sdk';

/** How long to wait before each further attempt, in milliseconds. A rate limit is by the minute. */
const pauses = { trouble: [500, 1000, 2000, 4000], rateLimit: [5_000, 10_000, 20_000, 40_000] };

/** Does the work again where the network or the service is in trouble. The work must be such that it may be repeated. */
export async function patiently<T>(work: () => Promise<T>, stop: AbortSignal): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const pause = pauseAfter(error)?.[attempt];
      if (pause === undefined || stop.aborted) throw error;
      // Not all at the same moment: several articles are under way.
      await wait(pause * (0.75 + Math.random() / 2), undefined, { signal: stop }).catch(() => {
        throw error;
      });
    }
  }
}

function pauseAfter(error: unknown): readonly number[] | undefined {
  if (!isPassportError(error)) return undefined;
  if (error.name === 'NetworkError' || error.name === 'TimeoutError') return pauses.trouble;
  if (!('status' in error)) return undefined;
  if (error.status === 429) return pauses.rateLimit;
  return error.status >= 500 ? pauses.trouble : undefined;
}
