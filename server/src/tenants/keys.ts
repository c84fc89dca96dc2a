import { hash as digest, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { v7 as uuid } from 'uuid';
import { lookup } from '../database/lookup.ts';
import { pagesById } from '../database/pages.ts';
import type { Tenant } from './store.ts';

/** An API key without the key itself, which is shown once and not stored. */
export interface ApiKey {
  id: string;
  label: string;
  created_at: string;
  /** At most a minute old, and lost if the server is killed before it is stored. */
  last_used_at: string | null;
  revoked_at: string | null;
}

const columns = ['id', 'label', 'created_at', 'last_used_at', 'revoked_at'] as const;

const form = /^ppk_[A-Za-z0-9_-]{43}$/;

function hash(key: string): string {
  return digest('sha256', key);
}

/** Makes a key of 256 random bits. Only its SHA-256 is stored, so it cannot be shown again. */
export async function createKey(
  database: Knex,
  tenantId: string,
  label: string,
  now: Date,
): Promise<ApiKey & { key: string }> {
  const key = `ppk_${randomBytes(32).toString('base64url')}`;
  const row = { id: uuid(), label, created_at: now.toISOString(), last_used_at: null, revoked_at: null };
  await database('api_keys').insert({ tenant_id: tenantId, hash: hash(key), ...row });
  return { ...row, key };
}

/** The tenant's keys, oldest first, page by page. */
export function walkKeys(database: Knex, tenantId: string): AsyncGenerator<ApiKey[], void> {
  return pagesById(() => database('api_keys').where({ tenant_id: tenantId }).select(columns));
}

/**
 * Revokes a key permanently. Revoking it again changes nothing.
 *
 * @returns the key, or `undefined` if the tenant has no key with this id
 */
export async function revokeKey(database: Knex, tenantId: string, id: string, now: Date): Promise<ApiKey | undefined> {
  await database('api_keys')
    .where({ tenant_id: tenantId, id })
    .whereNull('revoked_at')
    .update({ revoked_at: now.toISOString() });
  return database('api_keys').where({ tenant_id: tenantId, id }).first(columns);
}

const tenantByHash = lookup<Tenant & { key_id: string }, { hash: string }>(
  ['api_keys.id as key_id', 'tenants.id', 'tenants.name', 'tenants.slug', 'tenants.country', 'tenants.plan'],
  (database, { hash }) =>
    database('api_keys')
      .join('tenants', 'tenants.id', 'api_keys.tenant_id')
      .where('api_keys.hash', hash)
      .whereNull('api_keys.revoked_at'),
);

/** A valid key and its tenant. Runs on every request. One of the three look-ups across tenants. */
export async function findKey(database: Knex, key: string): Promise<{ id: string; tenant: Tenant } | undefined> {
  if (!form.test(key)) return undefined;
  const found = await tenantByHash(database, { hash: hash(key) });
  if (!found) return undefined;
  const { key_id, ...tenant } = found;
  return { id: key_id, tenant };
}
