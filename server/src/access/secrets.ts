import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { v7 as uuid } from 'uuid';
import { columnsOf, isPostgres, lookup } from '../database/statement.ts';

const kidForm = /^[0-9a-z-]{1,36}$/;

/** A secret of 256 bits that signs access tokens, without its value. */
interface TokenSecret {
  kid: string;
  created_at: string;
}

/** The result of `rotateSecret`. */
export interface Rotation extends TokenSecret {
  /** The older secrets that are still accepted, each until its last token expires. */
  old_secrets: (TokenSecret & { accepted_until: string })[];
  revoked_tokens: number;
}

/** The secret for new tokens, made on first use. No rotation happens until the transaction ends. */
export async function signingSecret(transaction: Knex.Transaction, now: Date): Promise<{ kid: string; key: Buffer }> {
  await lockSecrets(transaction);
  const current = transaction('token_secrets').whereNull('accepted_until').first('kid', 'value');
  const { kid, value } = (await current) ?? (await insertSecret(transaction, now));
  return { kid, key: Buffer.from(value, 'base64url') };
}

const secretByKid = lookup<{ value: string; accepted_until: string | null }, { kid: string }>(
  columnsOf('token_secrets', ['value', 'accepted_until']),
  (database, { kid }) => database('token_secrets').where({ kid }),
);

/**
 * The secret with this `kid`. It is read for every token, so that a rotation takes effect at once on every server.
 *
 * @param kid from the token's header: any value
 * @returns `undefined` if the secret does not exist or is no longer accepted
 */
export async function acceptedSecret(database: Knex, kid: unknown, now: Date): Promise<Buffer | undefined> {
  if (typeof kid !== 'string' || !kidForm.test(kid)) return undefined;
  const row = await secretByKid(database, { kid });
  if (!row || (row.accepted_until !== null && row.accepted_until <= now.toISOString())) return undefined;
  return Buffer.from(row.value, 'base64url');
}

/**
 * Makes a new secret for new tokens. An older secret is accepted until its last token expires. Secrets without a valid
 * token are deleted.
 *
 * @param options.revokeOld revokes all tokens first, so that no older secret remains
 */
export async function rotateSecret(
  database: Knex,
  { revokeOld }: { revokeOld: boolean },
  now: Date,
): Promise<Rotation> {
  return database.transaction(async (transaction) => {
    await lockSecrets(transaction);
    const revoked_at = now.toISOString();
    const valid = transaction('access_tokens').whereNull('revoked_at').where('expires_at', '>', revoked_at);
    const revoked_tokens = revokeOld ? await valid.update({ revoked_at }) : 0;
    const lastExpiries = await lastExpiryByKid(transaction, now);
    const old_secrets: Rotation['old_secrets'] = [];
    const before = await transaction('token_secrets').select('kid', 'created_at').orderBy(['created_at', 'kid']);
    for (const { kid, created_at } of before) {
      const accepted_until = lastExpiries.get(kid);
      const row = transaction('token_secrets').where({ kid });
      if (accepted_until === undefined) await row.delete();
      else {
        await row.update({ accepted_until });
        old_secrets.push({ kid, created_at, accepted_until });
      }
    }
    const { kid, created_at } = await insertSecret(transaction, now);
    return { kid, created_at, old_secrets, revoked_tokens };
  });
}

/**
 * Accepts the tokens of another installation's secret until a time. It signs no new ones.
 *
 * @returns whether it was adopted: `false` if another secret has the same `kid`
 */
export async function adoptSecret(
  transaction: Knex.Transaction,
  secret: TokenSecret & { value: string; accepted_until: string },
): Promise<boolean> {
  await lockSecrets(transaction);
  const { kid, value, accepted_until } = secret;
  const stored = await transaction('token_secrets').where({ kid }).first('value', 'accepted_until');
  if (!stored) {
    await transaction('token_secrets').insert(secret);
    return true;
  }
  if (stored.value !== value) return false;
  if (stored.accepted_until !== null && stored.accepted_until < accepted_until) {
    await transaction('token_secrets').where({ kid }).update({ accepted_until });
  }
  return true;
}

/** When the last valid token of each secret expires. */
async function lastExpiryByKid(transaction: Knex.Transaction, now: Date): Promise<Map<string, string>> {
  const rows: { kid: string; last: string }[] = await transaction('access_tokens')
    .whereNull('revoked_at')
    .where('expires_at', '>', now.toISOString())
    .groupBy('kid')
    .select('kid')
    .max({ last: 'expires_at' });
  return new Map(rows.map(({ kid, last }) => [kid, last]));
}

async function insertSecret(transaction: Knex.Transaction, now: Date): Promise<TokenSecret & { value: string }> {
  const row = { kid: uuid(), value: randomBytes(32).toString('base64url'), created_at: now.toISOString() };
  await transaction('token_secrets').insert(row);
  return row;
}

/** Lets one transaction at a time sign a token or rotate the secret. Readers do not wait. */
async function lockSecrets(transaction: Knex.Transaction): Promise<void> {
  // SQLite's transactions hold the one write lock from their beginning.
  if (isPostgres(transaction)) await transaction.raw('LOCK TABLE token_secrets IN SHARE ROW EXCLUSIVE MODE');
}
