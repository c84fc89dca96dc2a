import type { Knex } from 'knex';
import { textOrNull } from './columns.ts';

/**
 * What each version of a passport replaced, and the versions that are withheld from its public history. `null` stays in
 * versions of earlier servers: what they replaced is not stored.
 *
 * @public Knex calls it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('passport_versions', (table) => textOrNull(knex, table, 'replaced'));
  await knex.schema.alterTable('products', (table) => textOrNull(knex, table, 'withheld_versions'));
}

/** @public Knex calls it. */
export async function down(knex: Knex): Promise<void> {
  // On SQLite Knex would copy the tables.
  await knex.raw('ALTER TABLE passport_versions DROP COLUMN replaced');
  await knex.raw('ALTER TABLE products DROP COLUMN withheld_versions');
}
