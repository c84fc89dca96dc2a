import { createHmac, randomBytes } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ContractError } from '../contract/errors.ts';

/** Counts a request. @throws ContractError `rate_limited` */
export type Limit = (of: string) => Promise<void>;

/** Length of a window, in seconds. */
const duration = 60;

/** @param perMinute 0 means no limit */
export function rateLimit(perMinute: number): Limit {
  if (perMinute === 0) return async () => {};
  const limiter = new RateLimiterMemory({ points: perMinute, duration });
  return async (of) => {
    try {
      await limiter.consume(of);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
      throw new ContractError('rate_limited', undefined, { 'retry-after': String(seconds) });
    }
  };
}

/**
 * Limits the requests from each address. Memory has only a hash of the address, until the end of its window, under a
 * secret that no disk has.
 */
export function addressLimit(perMinute: number): Limit {
  const limit = rateLimit(perMinute);
  if (perMinute === 0) return limit;
  const secret = randomBytes(32);
  return (address) => limit(createHmac('sha256', secret).update(networkOf(address)).digest('base64url'));
}

/** An IPv4 address, or the first half of an IPv6 address: one household or server usually has all of its second half. */
function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [start = '', end] = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1).split('::');
  const groups = start === '' ? [] : start.split(':');
  const missing = 8 - groups.length - (end ? end.split(':').length : 0);
  const filled = end === undefined ? groups : [...groups, ...Array<string>(missing).fill('0')];
  return filled.slice(0, 4).join(':');
}
