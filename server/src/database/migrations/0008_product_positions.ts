import type { Knex } from 'knex';
import { text } from './columns.ts';

const statuses = ['draft', 'active', 'archived'];

/**
 * Each product gets a position in its tenant's list: 1, 2, 3, … without gaps. `product_counts` has the number of the
 * tenant's products by status. On SQLite `product_names` indexes the folded names by their trigrams.
 *
 * @public Knex calls it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('products', (table) => {
    table.integer('position');
    table.unique(['tenant_id', 'position']);
    table.dropIndex(['tenant_id', 'status', 'id']);
    table.index(['tenant_id', 'status', 'position']);
  });
  await knex.schema.createTable('product_counts', (table) => {
    // Part of the key of `product_names`. AUTOINCREMENT never gives a number twice.
    if (!isPostgres(knex)) table.increments('number');
    text(knex, table, 'tenant_id').references('tenants.id').unique();
    for (const status of statuses) table.integer(status).notNullable().defaultTo(0);
  });
  await knex.raw('INSERT INTO product_counts (tenant_id) SELECT id FROM tenants ORDER BY id');
  if (!isPostgres(knex)) await indexNames(knex);
}

async function indexNames(knex: Knex): Promise<void> {
  // The names are folded already. They never change and products are never deleted, so the index stores no copy of them.
  await knex.raw(`
    CREATE VIRTUAL TABLE product_names
    USING fts5(name, content = '', columnsize = 0, tokenize = 'trigram case_sensitive 1')`);
  // The rows of one tenant have one range of keys, which FTS5 finds without reading those of other tenants.
  await knex.raw(`
    CREATE TRIGGER products_index_name AFTER INSERT ON products BEGIN
      INSERT INTO product_names (rowid, name)
      SELECT number * 4294967296 + NEW.position, NEW.name_folded FROM product_counts WHERE tenant_id = NEW.tenant_id;
    END`);
  // SQLite cannot add NOT NULL to a column.
  await knex.raw(`
    CREATE TRIGGER products_need_position BEFORE INSERT ON products WHEN NEW.position IS NULL BEGIN
      SELECT RAISE(ABORT, 'products.position is missing: an older server writes to this database');
    END`);
}

/** @public Knex calls it. */
export async function down(knex: Knex): Promise<void> {
  if (isPostgres(knex)) await knex.raw('DROP INDEX IF EXISTS products_name_trigrams');
  else {
    await knex.raw('DROP TRIGGER products_index_name');
    await knex.raw('DROP TRIGGER products_need_position');
    await knex.schema.dropTable('product_names');
  }
  await knex.schema.dropTable('product_counts');
  await knex.schema.alterTable('products', (table) => {
    table.dropIndex(['tenant_id', 'status', 'position']);
    table.dropUnique(['tenant_id', 'position']);
    table.index(['tenant_id', 'status', 'id']);
  });
  // On SQLite Knex would copy the table.
  await knex.raw('ALTER TABLE products DROP COLUMN position');
}

function isPostgres(knex: Knex): boolean {
  return knex.client.driverName === 'pg';
}
