import { createHmac, type KeyObject } from 'node:crypto';

/** The date in UTC, such as `2026-11-20`. */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** The last `days` dates in UTC, oldest first, including the date of `now`. */
export function lastDays(now: Date, days: number): string[] {
  const today = Date.parse(utcDay(now));
  return Array.from({ length: days }, (_, index) => utcDay(new Date(today - (days - 1 - index) * 86_400_000)));
}

/**
 * The hash of a client's address that is stored. It differs every day, and depends on the server's secret.
 *
 * @param secret a key object: with the bytes, Node would make one for each hash, for 9 µs
 */
export function visitorHash(secret: KeyObject, moment: Date, address: string): string {
  return createHmac('sha256', secret)
    .update(`${utcDay(moment)} ${address}`)
    .digest('hex');
}
