import type { Knex } from 'knex';
import { suffixedSlug } from './rules.ts';

/**
 * Takes the next number from the counter of a slug. The counter's row is locked until the transaction ends. A
 * transaction locks only one counter, before it inserts the slug, so deadlocks cannot occur.
 */
export async function takeNumber(transaction: Knex.Transaction, tenantId: string, slug: string): Promise<number> {
  const [row] = await transaction('slug_counters')
    .insert({ tenant_id: tenantId, slug, next: 3 })
    .onConflict(['tenant_id', 'slug'])
    .merge({ next: transaction.raw('slug_counters.next + 1') })
    .returning('next');
  // PostgreSQL's driver gives a bigint as text.
  return Number(row.next) - 1;
}

/** Moves the counter of a slug past a number that `searchNumber` found. */
export async function moveCounter(
  transaction: Knex.Transaction,
  tenantId: string,
  slug: string,
  number: number,
): Promise<void> {
  await transaction('slug_counters')
    .where({ tenant_id: tenantId, slug })
    .update({ next: number + 1 });
}

/**
 * Finds the free number at the end of a run of taken ones. It doubles its step until a number is free, then halves the
 * gap. The steps are random, so that nobody can take exactly the numbers that it tries.
 */
export async function searchNumber(
  transaction: Knex.Transaction,
  tenantId: string,
  slug: string,
  taken: number,
): Promise<number> {
  const isTaken = async (number: number): Promise<boolean> => {
    const product = { tenant_id: tenantId, slug: suffixedSlug(slug, number) };
    return (await transaction('products').where(product).first('id')) !== undefined;
  };
  let step = 1;
  let [last, free] = [taken, taken + 1];
  while (await isTaken(free)) {
    step *= 2;
    [last, free] = [free, taken + step + Math.floor(Math.random() * step)];
  }
  while (free - last > 1) {
    const middle = Math.floor((last + free) / 2);
    if (await isTaken(middle)) last = middle;
    else free = middle;
  }
  return free;
}
