import type { Knex } from 'knex';
import { text } from './columns.ts';

/**
 * How many requests of each tenant the instances have taken in its window. Only PostgreSQL has several instances. The
 * table is unlogged: a crash may forget a minute, and no request waits for the disk.
 *
 * @public Knex calls it.
 */
export async function up(knex: Knex): Promise<void> {
  if (knex.client.driverName !== 'pg') return;
  await knex.schema.createTable('rate_windows', (table) => {
    text(knex, table, 'tenant_id').primary().references('tenants.id');
    table.bigInteger('ends_at').notNullable();
    table.integer('used').notNullable();
    table.integer('granted').notNullable();
  });
  await knex.raw('ALTER TABLE rate_windows SET UNLOGGED');
}

/** @public Knex calls it. */
export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTableIfExists('rate_windows');
}
