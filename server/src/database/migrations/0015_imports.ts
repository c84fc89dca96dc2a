import type { Knex } from 'knex';
import { text, textOrNull } from './columns.ts';

/**
 * How far the import of a tenant has come. A tenant whose import is not finished has no slug that a path can have.
 *
 * @public Knex calls it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('imports', (table) => {
    text(knex, table, 'tenant_id').references('tenants.id');
    table.integer('lines').notNullable();
    text(knex, table, 'digest');
    text(knex, table, 'started_at');
    textOrNull(knex, table, 'finished_at');
    table.primary(['tenant_id']);
  });
}

/** @public Knex calls it. */
export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('imports');
}
