/** The UTC day of a moment, as in `2027-02-18`. */
export function dayOf(moment: string | Date): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** The last `days` dates in UTC, oldest first, including the date of `now`. */
export function lastDays(now: Date, days: number): string[] {
  const today = Date.parse(dayOf(now));
  return Array.from({ length: days }, (_, index) => dayOf(new Date(today - (days - 1 - index) * 86_400_000)));
}

/** The time of a change. It is later than the last change, even if the clock went back. */
export function timeOfChange(now: Date, before: string): string {
  return new Date(Math.max(now.getTime(), Date.parse(before) + 1)).toISOString();
}
