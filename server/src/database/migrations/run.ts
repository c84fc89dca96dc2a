import type { Knex } from 'knex';
import type { Place } from './fill.ts';
import { fillOf } from './index.ts';

/** A fill that has rows left. */
export interface Unfinished {
  name: string;
  place: Place;
  /** How many rows its steps have looked at so far, and how many there are. */
  rows: number;
  total: number;
}

/**
 * Runs migrations in their order: all that are left, or up to and with the next step of a fill.
 *
 * @param missing the names of those that were not run yet
 * @param unfinished what the transaction before this one returned
 * @returns where to go on in the next transaction; `undefined`: all of them were run
 */
export async function runMigrations(
  transaction: Knex.Transaction,
  missing: readonly string[],
  unfinished: Unfinished | undefined,
): Promise<Unfinished | undefined> {
  // Under our own lock nobody holds Knex's, but a process that was killed may have left it.
  await transaction.migrate.forceFreeMigrationsLock();
  for (const name of missing) {
    const next = await nextStep(transaction, name, unfinished?.name === name ? unfinished : undefined);
    if (next) return next;
    await transaction.migrate.up({ name });
  }
  return undefined;
}

async function nextStep(
  transaction: Knex.Transaction,
  name: string,
  before: Unfinished | undefined,
): Promise<Unfinished | undefined> {
  const fill = fillOf(name);
  if (!fill) return undefined;
  const total = before?.total ?? (await fill.count(transaction));
  const step = await fill.step(transaction, before?.place);
  if (!step) return undefined;
  return { name, place: step.place, rows: (before?.rows ?? 0) + step.rows, total };
}
