import { allClose } from '@product-passport/openapi';

/** The suite was called in a wrong way, or cannot begin. The message is one sentence for people. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @throws UsageError for a text with which no id begins. It names up to three ids that are close. */
export function checkIds(option: string, beginnings: readonly string[], what: string, ids: Iterable<string>): void {
  const all = [...ids];
  const given = beginnings.find((beginning) => !all.some((id) => id.startsWith(beginning)));
  if (given === undefined) return;
  const names = [...new Set(all.flatMap((id) => [id, ...(given.includes('.') ? [] : [id.replace(/\..*/s, '')])]))];
  const close = allClose(given, names);
  const words = close.length > 0 ? 'The nearest are' : 'Ids are, for example';
  const shown = (close.length > 0 ? close : names).slice(0, 3).join(', ');
  throw new UsageError(`${option} has ${given}, but no ${what} begins with it. ${words}: ${shown}.`);
}
