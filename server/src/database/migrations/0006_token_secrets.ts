import type { Knex } from 'knex';
import { text, textOrNull } from './columns.ts';

/** The `kid` of the secret that was there before secrets had one. Tokens without a `kid` were signed with it. */
const firstKid = 'first';

/**
 * Access tokens get several secrets, each with a `kid`: `accepted_until` is null for the one that signs new tokens.
 *
 * @public Knex calls it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('token_secrets', (table) => {
    text(knex, table, 'kid');
    text(knex, table, 'value');
    text(knex, table, 'created_at');
    textOrNull(knex, table, 'accepted_until');
    table.primary(['kid']);
  });
  await knex.schema.alterTable('access_tokens', (table) => {
    text(knex, table, 'kid').defaultTo(firstKid);
  });
  const stored = await knex('secrets').where({ name: 'tokens' }).first('value');
  if (!stored) return;
  // The secret was made no later than the first token.
  const first = await knex('access_tokens').min({ created_at: 'created_at' }).first();
  const created_at = first?.created_at ?? new Date().toISOString();
  await knex('token_secrets').insert({ kid: firstKid, value: stored.value, created_at });
  await knex('secrets').where({ name: 'tokens' }).delete();
}

/**
 * Tokens of old secrets end: there is room for one secret.
 *
 * @public Knex calls it.
 */
export async function down(knex: Knex): Promise<void> {
  const current = await knex('token_secrets').whereNull('accepted_until').first('value');
  if (current) await knex('secrets').insert({ name: 'tokens', value: current.value });
  // Knex would copy the table; SQLite can drop a column itself.
  await knex.raw('ALTER TABLE access_tokens DROP COLUMN kid');
  await knex.schema.dropTable('token_secrets');
}
