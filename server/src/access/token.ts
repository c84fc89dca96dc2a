import { errors, jwtVerify, SignJWT } from 'jose';
import type { Knex } from 'knex';
import { secret } from '../database/secrets.ts';
import type { ViewRole } from '../scans/store.ts';
import { type TokenRole, tokenRoles } from './rules.ts';
import { type AccessToken, findToken, insertToken } from './store.ts';

/** Of this kind alone, so that no other JWT under the same secret is ever taken for an access token (RFC 8725, 3.11). */
const typ = 'passport-access+jwt';
const alg = 'HS256';

/** The longest `zugang` that is looked at. Ours have about 350 characters. */
const longestToken = 2048;

/** What a token says: `ten` and `prd` are ids, `jti` is the token's own. */
interface Claims {
  ten: string;
  prd?: string;
  role: TokenRole;
  jti: string;
}

/**
 * Makes a token (a JWT, RFC 7519) that opens the extended view of one product, or of all products of the tenant. It is
 * not stored, only what it grants.
 */
export async function createToken(
  database: Knex,
  tenantId: string,
  grant: Pick<AccessToken, 'product_id' | 'role'> & { expiresAt: Date },
  now: Date,
): Promise<AccessToken & { token: string }> {
  const { product_id, role, expiresAt } = grant;
  const stored = await insertToken(database, tenantId, { product_id, role, expires_at: expiresAt.toISOString() }, now);
  const claims: Claims = { ten: tenantId, role, jti: stored.id, ...(product_id === null ? {} : { prd: product_id }) };
  const token = await new SignJWT({ ...claims })
    .setProtectedHeader({ alg, typ })
    .setIssuedAt(now)
    .setExpirationTime(expiresAt)
    .sign(await secret(database, 'tokens'));
  return { ...stored, token };
}

/** How a passport is seen. */
export interface View {
  role: ViewRole;
  /** A token was given, and it opens nothing here. */
  refused: boolean;
}

/**
 * The view that a `zugang` opens on a product. One that is invalid, expired, revoked, or for another product opens
 * nothing: an old sticker still shows the public passport. Asked anew each time, so that a revocation holds at once.
 */
export async function viewOf(
  { database, now }: { database: Knex; now: () => Date },
  { tenantId, productId }: { tenantId: string; productId: string },
  zugang: string | undefined,
): Promise<View> {
  if (zugang === undefined) return { role: 'consumer', refused: false };
  const refused: View = { role: 'consumer', refused: true };
  const claims = await readToken(database, zugang, now());
  if (claims?.ten !== tenantId || (claims.prd !== undefined && claims.prd !== productId)) return refused;
  const stored = await findToken(database, tenantId, claims.jti);
  if (!stored || stored.revoked_at !== null) return refused;
  return { role: claims.role, refused: false };
}

/** The claims of a token that is ours and has not expired. */
async function readToken(database: Knex, token: string, now: Date): Promise<Claims | undefined> {
  if (token.length > longestToken) return undefined;
  try {
    const options = { algorithms: [alg], typ, currentDate: now, requiredClaims: ['exp', 'jti', 'ten', 'role'] };
    const { payload } = await jwtVerify<Claims>(token, await secret(database, 'tokens'), options);
    return tokenRoles.includes(payload.role) ? payload : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
