import type { PlacedEntry } from './entries.ts';
import type { Texts } from './texts.ts';

/** A company that answers for the product, with what the passport says about it. */
export interface Operator {
  title: string;
  /** Name, postal address and contact. */
  entries: PlacedEntry[];
}

const operators = ['manufacturer', 'importer'] as const satisfies (keyof Texts['operators'])[];
const parts = ['name', 'address', 'contact'];

/** The companies that answer for the product, and the entries that are not about them. */
export function operatorsOf(
  entries: PlacedEntry[],
  titles: Texts['operators'],
): { operators: Operator[]; others: PlacedEntry[] } {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const found = operators.flatMap((operator) => {
    const about = parts.flatMap((part) => byKey.get(`${operator}_${part}`) ?? []);
    return about.length > 0 ? [{ title: titles[operator], entries: about }] : [];
  });
  const shown = new Set(found.flatMap((operator) => operator.entries));
  return { operators: found, others: entries.filter((entry) => !shown.has(entry)) };
}
