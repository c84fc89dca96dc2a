/** The date in UTC, such as `2026-11-20`. */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** The last `days` dates in UTC, oldest first, including the date of `now`. */
export function lastDays(now: Date, days: number): string[] {
  const today = Date.parse(utcDay(now));
  return Array.from({ length: days }, (_, index) => utcDay(new Date(today - (days - 1 - index) * 86_400_000)));
}
