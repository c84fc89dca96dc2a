import type { Knex } from 'knex';
import { textOrNull } from './columns.ts';

/**
 * `null` stays in the versions that were made before.
 *
 * @public Knex calls it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('passport_versions', (table) => textOrNull(knex, table, 'salt'));
}

/** @public Knex calls it. */
export async function down(knex: Knex): Promise<void> {
  // On SQLite Knex would copy the table.
  await knex.raw('ALTER TABLE passport_versions DROP COLUMN salt');
}
