import type { Knex } from 'knex';

/** The key of the last row that a step looked at. */
export type Place = Readonly<Record<string, string>>;

export interface Step {
  /** How many rows the step looked at. */
  rows: number;
  place: Place;
}

/**
 * A migration that fills many rows. It exports `step` and `count` in place of `up` and `down`. Each step is a
 * transaction of its own with a bounded number of rows. The migration is recorded when no row is left. After a kill the
 * next run starts again with the first row, and several processes may take steps at once: a step skips rows that are
 * already filled.
 */
export interface Fill {
  /** The number of rows that the steps look at, for the progress. */
  count(knex: Knex): Promise<number>;
  /** Takes the rows after `place`, or the first ones. Returns `undefined` if no row was left. */
  step(transaction: Knex.Transaction, after: Place | undefined): Promise<Step | undefined>;
}
