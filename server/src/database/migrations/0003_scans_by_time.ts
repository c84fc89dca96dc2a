import type { Knex } from 'knex';

/**
 * For dropping old scans.
 *
 * @public Knex calls it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('scans', (table) => table.index(['tenant_id', 'scanned_at']));
}

/** @public Knex calls it. */
export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('scans', (table) => table.dropIndex(['tenant_id', 'scanned_at']));
}
