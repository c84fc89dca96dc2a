import type { Knex } from 'knex';
import { text, textOrNull } from './columns.ts';

/**
 * When each API key was last used, and the audit trail: one entry for each run of a command that changed something. The
 * trail belongs to the operator, so it has no tenant.
 *
 * @public Knex calls it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('api_keys', (table) => {
    textOrNull(knex, table, 'last_used_at');
  });
  await knex.schema.createTable('audit_entries', (table) => {
    text(knex, table, 'id');
    text(knex, table, 'time');
    text(knex, table, 'command');
    text(knex, table, 'arguments');
    text(knex, table, 'os_user');
    text(knex, table, 'version');
    table.integer('changes').notNullable();
    table.primary(['id']);
    table.index(['time']);
  });
}

/** @public Knex calls it. */
export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('audit_entries');
  // On SQLite Knex would copy the table.
  await knex.raw('ALTER TABLE api_keys DROP COLUMN last_used_at');
}
