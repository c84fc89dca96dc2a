import { createHmac } from 'node:crypto';

/** The day of a moment, in UTC: `2026-11-20`. */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** The last `days` days in UTC, oldest first, the one of `now` last. */
export function lastDays(now: Date, days: number): string[] {
  const today = Date.parse(utcDay(now));
  return Array.from({ length: days }, (_, index) => utcDay(new Date(today - (days - 1 - index) * 86_400_000)));
}

/** What is kept of a client's address: a hash with the server's secret, another one every day. */
export function visitorHash(secret: Buffer, moment: Date, address: string): string {
  return createHmac('sha256', secret)
    .update(`${utcDay(moment)} ${address}`)
    .digest('hex');
}
