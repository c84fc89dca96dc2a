import type { TokenRole } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { v7 as uuid } from 'uuid';
import { columnsOf, lookup, pagesByKey } from '../database/statement.ts';

/** The grant of an access token. The token itself is not stored. */
export interface AccessToken {
  id: string;
  /** `null` means every product of the tenant. */
  product_id: string | null;
  role: TokenRole;
  /** The secret that signed it. */
  kid: string;
  created_at: string;
  expires_at: string;
  revoked_at: string | null;
}

const columns = ['id', 'product_id', 'role', 'kid', 'created_at', 'expires_at', 'revoked_at'] as const;

export async function insertToken(
  database: Knex,
  tenantId: string,
  grant: Pick<AccessToken, 'product_id' | 'role' | 'kid' | 'expires_at'>,
  now: Date,
): Promise<AccessToken> {
  const row: AccessToken = { id: uuid(), ...grant, created_at: now.toISOString(), revoked_at: null };
  await database('access_tokens').insert({ tenant_id: tenantId, ...row });
  return row;
}

const tokenById = lookup<AccessToken, { tenantId: string; id: string }>(
  columnsOf('access_tokens', columns),
  (database, { tenantId, id }) => database('access_tokens').where({ tenant_id: tenantId, id }),
);

export function findToken(database: Knex, tenantId: string, id: string): Promise<AccessToken | undefined> {
  return tokenById(database, { tenantId, id });
}

/** The tenant's tokens, oldest first, page by page, each with the slug of its product. */
export function walkTokens(
  database: Knex,
  tenantId: string,
): AsyncGenerator<(AccessToken & { product: string | null })[], void> {
  const query = () =>
    database('access_tokens')
      .leftJoin('products', (join) =>
        join.on('products.tenant_id', 'access_tokens.tenant_id').andOn('products.id', 'access_tokens.product_id'),
      )
      .where('access_tokens.tenant_id', tenantId)
      .select(...columns.map((column) => `access_tokens.${column}`), { product: 'products.slug' });
  return pagesByKey(query, ['access_tokens.id']);
}

/**
 * Revokes a token permanently. Revoking it again changes nothing.
 *
 * @returns the token, or `undefined` if the tenant has no token with this id
 */
export async function revokeToken(
  database: Knex,
  tenantId: string,
  id: string,
  now: Date,
): Promise<AccessToken | undefined> {
  await database('access_tokens')
    .where({ tenant_id: tenantId, id })
    .whereNull('revoked_at')
    .update({ revoked_at: now.toISOString() });
  return findToken(database, tenantId, id);
}
