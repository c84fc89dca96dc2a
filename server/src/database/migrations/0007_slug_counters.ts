import type { Knex } from 'knex';
import { text } from './columns.ts';

/**
 * The next suffix to try for a slug that is taken. A slug has a row from its first collision on.
 *
 * @public Knex calls it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('slug_counters', (table) => {
    text(knex, table, 'tenant_id').references('tenants.id');
    text(knex, table, 'slug');
    table.bigInteger('next').notNullable();
    table.primary(['tenant_id', 'slug']);
  });
}

/** @public Knex calls it. */
export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('slug_counters');
}
