import type { Knex } from 'knex';

/**
 * Every table leads with `tenant_id`, and times are text, RFC 3339 in UTC. Text compares by its bytes on every
 * database, so that lists have the same order everywhere.
 *
 * @public Knex calls it.
 */
export async function up(knex: Knex): Promise<void> {
  const type = knex.client.config.client === 'pg' ? 'text COLLATE "C"' : 'text';
  const text = (table: Knex.CreateTableBuilder, name: string): Knex.ColumnBuilder =>
    table.specificType(name, type).notNullable();
  const textOrNull = (table: Knex.CreateTableBuilder, name: string): Knex.ColumnBuilder =>
    table.specificType(name, type).nullable();

  await knex.schema.createTable('tenants', (table) => {
    text(table, 'id');
    text(table, 'slug');
    text(table, 'name');
    text(table, 'country');
    text(table, 'plan');
    text(table, 'created_at');
    table.primary(['id']);
    table.unique(['slug']);
  });
  await knex.schema.createTable('api_keys', (table) => {
    text(table, 'tenant_id').references('tenants.id');
    text(table, 'id');
    text(table, 'label');
    text(table, 'hash');
    text(table, 'created_at');
    textOrNull(table, 'revoked_at');
    table.primary(['tenant_id', 'id']);
    table.unique(['hash']);
  });
  await knex.schema.createTable('products', (table) => {
    text(table, 'tenant_id').references('tenants.id');
    text(table, 'id');
    text(table, 'slug');
    text(table, 'name');
    text(table, 'name_folded');
    text(table, 'status');
    textOrNull(table, 'gtin');
    textOrNull(table, 'gtin14');
    textOrNull(table, 'product_group');
    textOrNull(table, 'model');
    table.integer('completeness').notNullable();
    text(table, 'registry_status');
    textOrNull(table, 'registry_id');
    text(table, 'unique_product_identifier');
    textOrNull(table, 'activated_at');
    text(table, 'created_at');
    text(table, 'updated_at');
    table.primary(['tenant_id', 'id']);
    table.unique(['tenant_id', 'slug']);
    table.index(['tenant_id', 'status', 'id']);
    table.index(['gtin14', 'status', 'activated_at']);
  });
  await knex.schema.createTable('passport_values', (table) => {
    text(table, 'tenant_id');
    text(table, 'product_id');
    text(table, 'field_key');
    text(table, 'locale');
    text(table, 'value');
    textOrNull(table, 'unit');
    text(table, 'source');
    text(table, 'access_level');
    table.boolean('is_unknown').notNullable();
    table.boolean('needs_review').notNullable();
    text(table, 'updated_at');
    table.primary(['tenant_id', 'product_id', 'field_key', 'locale']);
    table.foreign(['tenant_id', 'product_id']).references(['tenant_id', 'id']).inTable('products');
  });
  await knex.schema.createTable('passport_versions', (table) => {
    text(table, 'tenant_id');
    text(table, 'product_id');
    table.integer('version').notNullable();
    table.integer('template_version').notNullable();
    text(table, 'content_hash');
    text(table, 'created_at');
    table.primary(['tenant_id', 'product_id', 'version']);
    table.foreign(['tenant_id', 'product_id']).references(['tenant_id', 'id']).inTable('products');
  });
  await knex.schema.createTable('carriers', (table) => {
    text(table, 'tenant_id');
    text(table, 'product_id');
    text(table, 'id');
    text(table, 'type');
    textOrNull(table, 'nfc_tag_uid');
    text(table, 'status');
    text(table, 'created_at');
    table.primary(['tenant_id', 'product_id', 'id']);
    table.foreign(['tenant_id', 'product_id']).references(['tenant_id', 'id']).inTable('products');
  });
  // The raw scans may be dropped after a time; the counts stay.
  await knex.schema.createTable('scans', (table) => {
    text(table, 'tenant_id');
    text(table, 'product_id');
    text(table, 'id');
    text(table, 'scanned_at');
    text(table, 'role');
    text(table, 'visitor_hash');
    table.primary(['tenant_id', 'id']);
    table.foreign(['tenant_id', 'product_id']).references(['tenant_id', 'id']).inTable('products');
  });
  await knex.schema.createTable('scan_counts', (table) => {
    text(table, 'tenant_id');
    text(table, 'date');
    text(table, 'product_id');
    text(table, 'role');
    table.integer('count').notNullable();
    table.primary(['tenant_id', 'date', 'product_id', 'role']);
    table.foreign(['tenant_id', 'product_id']).references(['tenant_id', 'id']).inTable('products');
  });
  await knex.schema.createTable('secrets', (table) => {
    text(table, 'name');
    text(table, 'value');
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
