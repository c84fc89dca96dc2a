import { dayOf } from './completeness.ts';

/** The last `days` dates in UTC, oldest first, including the date of `now`. */
export function lastDays(now: Date, days: number): string[] {
  const today = Date.parse(dayOf(now));
  return Array.from({ length: days }, (_, index) => dayOf(new Date(today - (days - 1 - index) * 86_400_000)));
}
