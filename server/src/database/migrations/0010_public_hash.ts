import type { Knex } from 'knex';
import { textOrNull } from './columns.ts';

/**
 * The hash of the public values alone. `null` stays in versions whose values are no longer stored.
 *
 * @public Knex calls it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('passport_versions', (table) => textOrNull(knex, table, 'public_hash'));
}

/** @public Knex calls it. */
export async function down(knex: Knex): Promise<void> {
  // On SQLite Knex would copy the table.
  await knex.raw('ALTER TABLE passport_versions DROP COLUMN public_hash');
}
