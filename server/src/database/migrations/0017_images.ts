import type { Knex } from 'knex';
import { text, textOrNull } from './columns.ts';

/**
 * The image of a product, at most one, and the colour of a tenant's pages. The bytes stand in the last column: SQLite
 * reads the others without them.
 *
 * @public Knex calls it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('tenants', (table) => textOrNull(knex, table, 'color'));
  await knex.schema.createTable('product_images', (table) => {
    text(knex, table, 'tenant_id');
    text(knex, table, 'product_id');
    text(knex, table, 'sha256');
    text(knex, table, 'media_type');
    table.integer('width').notNullable();
    table.integer('height').notNullable();
    textOrNull(knex, table, 'alt');
    text(knex, table, 'created_at');
    table.binary('bytes').notNullable();
    table.primary(['tenant_id', 'product_id']);
    table.foreign(['tenant_id', 'product_id']).references(['tenant_id', 'id']).inTable('products');
  });
}

/** @public Knex calls it. */
export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('product_images');
  // On SQLite Knex would copy the table.
  await knex.raw('ALTER TABLE tenants DROP COLUMN color');
}
