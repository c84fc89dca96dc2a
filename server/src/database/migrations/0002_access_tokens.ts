import type { Knex } from 'knex';
import { text, textOrNull } from './columns.ts';

/** @public Knex calls it. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('access_tokens', (table) => {
    text(knex, table, 'tenant_id').references('tenants.id');
    text(knex, table, 'id');
    textOrNull(knex, table, 'product_id');
    text(knex, table, 'role');
    text(knex, table, 'created_at');
    text(knex, table, 'expires_at');
    textOrNull(knex, table, 'revoked_at');
    table.primary(['tenant_id', 'id']);
    table.foreign(['tenant_id', 'product_id']).references(['tenant_id', 'id']).inTable('products');
  });
}

/** @public Knex calls it. */
export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('access_tokens');
}
