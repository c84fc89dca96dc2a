import type { Knex } from 'knex';
import { textOrNull } from './columns.ts';

/**
 * When a tenant opened the public list of its passports. `null`: there is no list.
 *
 * @public Knex calls it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('tenants', (table) => textOrNull(knex, table, 'listed_at'));
}

/** @public Knex calls it. */
export async function down(knex: Knex): Promise<void> {
  // On SQLite Knex would copy the table.
  await knex.raw('ALTER TABLE tenants DROP COLUMN listed_at');
}
