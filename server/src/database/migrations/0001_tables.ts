import type { Knex } from 'knex';
import { text, textOrNull } from './columns.ts';

/**
 * Every table leads with `tenant_id`, and times are text, RFC 3339 in UTC.
 *
 * @public Knex calls it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('tenants', (table) => {
    text(knex, table, 'id');
    text(knex, table, 'slug');
    text(knex, table, 'name');
    text(knex, table, 'country');
    text(knex, table, 'plan');
    text(knex, table, 'created_at');
    table.primary(['id']);
    table.unique(['slug']);
  });
  await knex.schema.createTable('api_keys', (table) => {
    text(knex, table, 'tenant_id').references('tenants.id');
    text(knex, table, 'id');
    text(knex, table, 'label');
    text(knex, table, 'hash');
    text(knex, table, 'created_at');
    textOrNull(knex, table, 'revoked_at');
    table.primary(['tenant_id', 'id']);
    table.unique(['hash']);
  });
  await knex.schema.createTable('products', (table) => {
    text(knex, table, 'tenant_id').references('tenants.id');
    text(knex, table, 'id');
    text(knex, table, 'slug');
    text(knex, table, 'name');
    text(knex, table, 'name_folded');
    text(knex, table, 'status');
    textOrNull(knex, table, 'gtin');
    textOrNull(knex, table, 'gtin14');
    textOrNull(knex, table, 'product_group');
    textOrNull(knex, table, 'model');
    table.integer('completeness').notNullable();
    text(knex, table, 'registry_status');
    textOrNull(knex, table, 'registry_id');
    text(knex, table, 'unique_product_identifier');
    textOrNull(knex, table, 'activated_at');
    text(knex, table, 'created_at');
    text(knex, table, 'updated_at');
    table.primary(['tenant_id', 'id']);
    table.unique(['tenant_id', 'slug']);
    table.index(['tenant_id', 'status', 'id']);
    table.index(['gtin14', 'status', 'activated_at']);
  });
  await knex.schema.createTable('passport_values', (table) => {
    text(knex, table, 'tenant_id');
    text(knex, table, 'product_id');
    text(knex, table, 'field_key');
    text(knex, table, 'locale');
    text(knex, table, 'value');
    textOrNull(knex, table, 'unit');
    text(knex, table, 'source');
    text(knex, table, 'access_level');
    table.boolean('is_unknown').notNullable();
    table.boolean('needs_review').notNullable();
    text(knex, table, 'updated_at');
    table.primary(['tenant_id', 'product_id', 'field_key', 'locale']);
    table.foreign(['tenant_id', 'product_id']).references(['tenant_id', 'id']).inTable('products');
  });
  await knex.schema.createTable('passport_versions', (table) => {
    text(knex, table, 'tenant_id');
    text(knex, table, 'product_id');
    table.integer('version').notNullable();
    table.integer('template_version').notNullable();
    text(knex, table, 'content_hash');
    text(knex, table, 'created_at');
    table.primary(['tenant_id', 'product_id', 'version']);
    table.foreign(['tenant_id', 'product_id']).references(['tenant_id', 'id']).inTable('products');
  });
  await knex.schema.createTable('carriers', (table) => {
    text(knex, table, 'tenant_id');
    text(knex, table, 'product_id');
    text(knex, table, 'id');
    text(knex, table, 'type');
    textOrNull(knex, table, 'nfc_tag_uid');
    text(knex, table, 'status');
    text(knex, table, 'created_at');
    table.primary(['tenant_id', 'product_id', 'id']);
    table.foreign(['tenant_id', 'product_id']).references(['tenant_id', 'id']).inTable('products');
  });
  // The raw scans may be dropped after a time; the counts stay.
  await knex.schema.createTable('scans', (table) => {
    text(knex, table, 'tenant_id');
    text(knex, table, 'product_id');
    text(knex, table, 'id');
    text(knex, table, 'scanned_at');
    text(knex, table, 'role');
    text(knex, table, 'visitor_hash');
    table.primary(['tenant_id', 'id']);
    table.foreign(['tenant_id', 'product_id']).references(['tenant_id', 'id']).inTable('products');
  });
  await knex.schema.createTable('scan_counts', (table) => {
    text(knex, table, 'tenant_id');
    text(knex, table, 'date');
    text(knex, table, 'product_id');
    text(knex, table, 'role');
    table.integer('count').notNullable();
    table.primary(['tenant_id', 'date', 'product_id', 'role']);
    table.foreign(['tenant_id', 'product_id']).references(['tenant_id', 'id']).inTable('products');
  });
  await knex.schema.createTable('secrets', (table) => {
    text(knex, table, 'name');
    text(knex, table, 'value');
    table.primary(['name']);
  });
}

/** @public Knex calls it. */
export async function down(knex: Knex): Promise<void> {
  const tables = [
    'secrets',
    'scan_counts',
    'scans',
    'carriers',
    'passport_versions',
    'passport_values',
    'products',
    'api_keys',
    'tenants',
  ];
  for (const table of tables) await knex.schema.dropTable(table);
}
