import { createHmac, randomBytes } from 'node:crypto';
import { ContractError } from '@product-passport/openapi';

/** Counts a request. @throws ContractError `rate_limited` */
export type Limit = (of: string) => Promise<void>;

/** Length of a window, in seconds. A window begins with its first request. */
export const duration = 60;

/** A limit of this process alone. @param perMinute requests in a window */
export function rateLimit(perMinute: number): Limit {
  // Imported only for a limit: the library loads all its stores, which takes 20 ms.
  const loaded = import('rate-limiter-flexible').then(({ RateLimiterMemory, RateLimiterRes }) => ({
    limiter: new RateLimiterMemory({ points: perMinute, duration }),
    RateLimiterRes,
  }));
  return async (of) => {
    const { limiter, RateLimiterRes } = await loaded;
    try {
      await limiter.consume(of);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw tooMany(refused.msBeforeNext);
    }
  };
}

/**
 * A limit that several instances share. Each takes shares of a window and counts its requests against them: few
 * requests cost a statement. Shares are never given back: an instance that receives no more requests of a tenant may
 * keep a sixteenth of the limit until the end of the window.
 *
 * @param take takes some of the requests that a window has left, 0 if it has none, and the time until its end
 */
export function sharedRateLimit(take: (of: string) => Promise<{ granted: number; milliseconds: number }>): Limit {
  const shares = new Map<string, { left: number; isSpent: boolean; until: number }>();
  const taking = new Map<string, Promise<void>>();

  const takeShare = async (of: string): Promise<void> => {
    try {
      const { granted, milliseconds } = await take(of);
      const share = { left: granted, isSpent: granted === 0, until: performance.now() + milliseconds };
      shares.set(of, share);
      setTimeout(() => {
        if (shares.get(of) === share) shares.delete(of);
      }, milliseconds).unref();
    } finally {
      taking.delete(of);
    }
  };

  /** Whether the request counted against a share that was there. */
  const countOne = (of: string): boolean => {
    const share = shares.get(of);
    const milliseconds = share ? share.until - performance.now() : 0;
    if (!share || milliseconds <= 0) return false;
    if (share.isSpent) throw tooMany(milliseconds);
    share.left -= 1;
    return share.left >= 0;
  };

  return async (of) => {
    while (!countOne(of)) {
      // Requests that arrive in this time wait for the same share.
      const pending = taking.get(of) ?? takeShare(of);
      taking.set(of, pending);
      await pending;
    }
  };
}

function tooMany(milliseconds: number): ContractError {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return new ContractError('rate_limited', undefined, { 'retry-after': String(seconds) });
}

/**
 * Limits the requests from each network (`networkOf`). Memory holds only a hash of the network, until the end of its window.
 * The secret of the hash is on no disk.
 */
export function addressLimit(perMinute: number): Limit {
  const limit = rateLimit(perMinute);
  const secret = randomBytes(32);
  return (network) => limit(createHmac('sha256', secret).update(network).digest('base64url'));
}
