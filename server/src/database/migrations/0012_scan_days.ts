import type { Knex } from 'knex';
import { text } from './columns.ts';

/**
 * The sums of `scan_counts` by day, so that statistics do not add up every product's counts, and an index by product for
 * those that were scanned most.
 *
 * @public Knex calls it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('scan_days', (table) => {
    text(knex, table, 'tenant_id').references('tenants.id');
    text(knex, table, 'date');
    text(knex, table, 'role');
    table.bigInteger('count').notNullable();
    table.primary(['tenant_id', 'date', 'role']);
  });
  await knex.raw(`
    INSERT INTO scan_days (tenant_id, date, role, count)
    SELECT tenant_id, date, role, SUM(count) FROM scan_counts GROUP BY tenant_id, date, role`);
  await knex.schema.alterTable('scan_counts', (table) => table.index(['tenant_id', 'product_id', 'date', 'count']));
}

/** @public Knex calls it. */
export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('scan_counts', (table) => table.dropIndex(['tenant_id', 'product_id', 'date', 'count']));
  await knex.schema.dropTable('scan_days');
}
