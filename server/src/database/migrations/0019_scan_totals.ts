import type { Knex } from 'knex';
import { text } from './columns.ts';

/**
 * The sums of `scan_counts` by product. Statistics of a long period read the counts of the products with the largest sums
 * only.
 *
 * @public Knex calls it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('scan_totals', (table) => {
    text(knex, table, 'tenant_id');
    text(knex, table, 'product_id');
    table.bigInteger('count').notNullable();
    table.primary(['tenant_id', 'product_id']);
    table.foreign(['tenant_id', 'product_id']).references(['tenant_id', 'id']).inTable('products');
  });
  await knex.raw(`
    INSERT INTO scan_totals (tenant_id, product_id, count)
    SELECT tenant_id, product_id, SUM(count) FROM scan_counts GROUP BY tenant_id, product_id`);
  await knex.schema.alterTable('scan_totals', (table) => table.index(['tenant_id', 'count', 'product_id']));
}

/** @public Knex calls it. */
export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('scan_totals');
}
