import type { TokenRole, ViewRole } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { v7 as uuid } from 'uuid';
import { columnsOf, lookup, pagesByKey } from '../database/statement.ts';
import { acceptedSecret, signingSecret } from './secrets.ts';

/** Distinguishes access tokens from any other JWT under the same secret (RFC 8725, section 3.11). */
const typ = 'passport-access+jwt';
const alg = 'HS256';

/** Imported at its first use: most servers start without one, and it takes 30 ms. */
const jose = () => import('jose');

/** The longest `zugang` that is verified. Our tokens have about 350 characters. */
const maxTokenLength = 2048;

/** Ids are UUIDs. PostgreSQL fails on some other text, such as NUL. */
const idForm = /^[0-9a-f-]{36}$/;

/** The grant of an access token. The token itself is not stored. */
interface AccessToken {
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

const tokenById = lookup<AccessToken, { tenantId: string; id: string }>(
  columnsOf('access_tokens', columns),
  (database, { tenantId, id }) => database('access_tokens').where({ tenant_id: tenantId, id }),
);

/**
 * Makes a token (a JWT, RFC 7519) that opens the extended view of one product, or of all products of the tenant. Only its
 * grant is stored, not the token.
 */
export async function createToken(
  database: Knex,
  tenantId: string,
  { product_id, role, expiresAt }: Pick<AccessToken, 'product_id' | 'role'> & { expiresAt: Date },
  now: Date,
): Promise<AccessToken & { token: string }> {
  const { SignJWT } = await jose();
  return database.transaction(async (transaction) => {
    const { kid, key } = await signingSecret(transaction, now);
    const times = { expires_at: expiresAt.toISOString(), created_at: now.toISOString(), revoked_at: null };
    const stored: AccessToken = { id: uuid(), product_id, role, kid, ...times };
    await transaction('access_tokens').insert({ tenant_id: tenantId, ...stored });
    // The server trusts only the ids of the tenant and of the token. The others are for people who decode it.
    const claims = { ten: tenantId, jti: stored.id, role, ...(product_id !== null && { prd: product_id }) };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg, typ, kid })
      .setIssuedAt(now)
      .setExpirationTime(expiresAt)
      .sign(key);
    return { ...stored, token };
  });
}

/** The view of a passport that a request gets. */
export interface View {
  role: ViewRole;
  /** The request has a token, but it is not valid for this product. */
  refused: boolean;
}

/**
 * The view that a `zugang` opens on a product. An invalid, expired or revoked token, or a token for another product,
 * gives the public view, so that an old sticker still works. The token's row is read on each request, so that a
 * revocation takes effect at once.
 */
export async function viewOf(
  { database, now }: { database: Knex; now: () => Date },
  { tenantId, productId }: { tenantId: string; productId: string },
  zugang: string | undefined,
): Promise<View> {
  if (zugang === undefined) return { role: 'consumer', refused: false };
  const refused: View = { role: 'consumer', refused: true };
  const moment = now();
  const proven = await readToken(database, zugang, moment);
  if (proven?.tenantId !== tenantId) return refused;
  const stored = await tokenById(database, { tenantId, id: proven.id });
  if (!stored || stored.kid !== proven.kid) return refused;
  if (stored.revoked_at !== null || stored.expires_at <= moment.toISOString()) return refused;
  if (stored.product_id !== null && stored.product_id !== productId) return refused;
  return { role: stored.role, refused: false };
}

/** Whether a token is written as it was issued. Decoders also accept blanks, padding and unused bits. */
function isCompact(token: string): boolean {
  const parts = token.split('.');
  return parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

/** What the signature of a token proves. Role, product and expiry come from its row. */
async function readToken(database: Knex, token: string, now: Date) {
  if (token.length > maxTokenLength || !isCompact(token)) return undefined;
  const { compactVerify, decodeJwt, errors } = await jose();
  try {
    const findKey = async (header: { kid?: unknown; typ?: unknown }): Promise<Buffer> => {
      const key = header.typ === typ ? await acceptedSecret(database, header.kid, now) : undefined;
      if (!key) throw new errors.JWKSNoMatchingKey();
      return key;
    };
    // Not jwtVerify, which would also check the token's own expiry.
    const { protectedHeader } = await compactVerify(token, findKey, { algorithms: [alg] });
    const { ten, jti } = decodeJwt<{ ten?: unknown }>(token);
    if (typeof ten !== 'string' || typeof jti !== 'string' || !idForm.test(jti)) return undefined;
    return { tenantId: ten, id: jti, kid: protectedHeader.kid };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
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
  return tokenById(database, { tenantId, id });
}
