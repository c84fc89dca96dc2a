import { hash, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { v7 as uuid } from 'uuid';
import { columnsOf, lookup, pagesByKey } from '../database/statement.ts';
import type { Log } from '../log/log.ts';
import { type ApiTenant, apiColumns } from './store.ts';

/** An API key without the key itself, which is shown once and not stored. */
export interface ApiKey {
  id: string;
  label: string;
  created_at: string;
  /** The first use is stored at once. A later one is at most a minute old, and lost if the server is killed before that. */
  last_used_at: string | null;
  revoked_at: string | null;
  scope: KeyScope;
}

/** `edit`: reads and writes products and passports. `publish`: also changes the status of products. */
export type KeyScope = 'edit' | 'publish';

const columns = ['id', 'label', 'created_at', 'last_used_at', 'revoked_at', 'scope'] as const;

const form = /^ppk_[A-Za-z0-9_-]{43}$/;

/** Makes a key of 256 random bits. Only its SHA-256 is stored, so it cannot be shown again. */
export async function createKey(
  database: Knex,
  tenantId: string,
  label: string,
  now: Date,
  scope: KeyScope = 'edit',
): Promise<ApiKey & { key: string }> {
  const key = `ppk_${randomBytes(32).toString('base64url')}`;
  const row = { id: uuid(), label, created_at: now.toISOString(), last_used_at: null, revoked_at: null, scope };
  await database('api_keys').insert({ tenant_id: tenantId, hash: hash('sha256', key), ...row });
  return { ...row, key };
}

/** The tenant's keys, oldest first, page by page. */
export function walkKeys(database: Knex, tenantId: string): AsyncGenerator<ApiKey[], void> {
  return pagesByKey(() => database('api_keys').where({ tenant_id: tenantId }).select(columns), ['id']);
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

type KeyRow = ApiTenant & { key_id: string } & Pick<ApiKey, 'label' | 'last_used_at' | 'scope'>;

const tenantByHash = lookup<KeyRow, { hash: string }>(
  {
    ...{ key_id: 'api_keys.id', ...columnsOf('api_keys', ['label', 'last_used_at', 'scope']) },
    ...columnsOf('tenants', apiColumns),
  },
  (database, { hash }) =>
    database('api_keys')
      .join('tenants', 'tenants.id', 'api_keys.tenant_id')
      .where('api_keys.hash', hash)
      .whereNull('api_keys.revoked_at'),
);

/** A valid key of a request. */
interface FoundKey extends Pick<ApiKey, 'id' | 'label' | 'scope'> {
  /** No use is stored. */
  isNew: boolean;
  tenant: ApiTenant;
}

/** A valid key and its tenant. Runs on every request. One of the look-ups across tenants. */
export async function findKey(database: Knex, key: string): Promise<FoundKey | undefined> {
  if (!form.test(key)) return undefined;
  const found = await tenantByHash(database, { hash: hash('sha256', key) });
  if (!found) return undefined;
  // Each member by name: V8 makes the rest of an object more slowly, and its JSON, too.
  const { key_id, label, scope, last_used_at, id, name, slug, country, plan } = found;
  return { id: key_id, label, scope, isNew: last_used_at === null, tenant: { id, name, slug, country, plan } };
}

/** Time between two transactions that store uses, in milliseconds. A stored use is at most twice as old. */
const storeInterval = 30_000;

/** Keys in one transaction. Other writes wait for it. */
const keysOfTransaction = 200;

interface Use {
  tenantId: string;
  keyId: string;
  at: Date;
}

interface Environment {
  database: Knex;
  now: () => Date;
  log: Pick<Log, 'warn'>;
  interval?: number;
}

/**
 * Stores when API keys were last used: the first use of a key at once, because it shows that a program has the key, and later
 * ones every half minute. A server that is killed loses the uses that are not stored yet.
 */
export class KeyUses {
  readonly #environment: Environment;
  /** The first use of each key since uses were stored. */
  readonly #uses = new Map<string, Use>();
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> | undefined;
  #storingFirst: Promise<void> | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  start(): void {
    const { interval = storeInterval } = this.#environment;
    this.#timer = setInterval(() => {
      // Not while a slow database still stores the last ones.
      this.#storing ??= this.#storeAll().finally(() => {
        this.#storing = undefined;
      });
    }, interval).unref();
  }

  /**
   * Records that a request had this key. The request does not wait.
   *
   * @param isNew stores the use at once
   */
  record(tenantId: string, keyId: string, isNew = false): void {
    if (this.#uses.has(keyId)) return;
    const use = { tenantId, keyId, at: this.#environment.now() };
    this.#uses.set(keyId, use);
    if (!isNew) return;
    const before = this.#storingFirst;
    this.#storingFirst = this.#storeAll([use]).then(() => before);
  }

  /** Stores what is not stored yet. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([this.#storing, this.#storingFirst]);
    await this.#storeAll();
  }

  async #storeAll(found: Iterable<Use> = this.#uses.values()): Promise<void> {
    // Every server uses the same order: their transactions do not deadlock.
    const uses = [...found].sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
    try {
      for (let start = 0; start < uses.length; start += keysOfTransaction) {
        await this.#store(uses.slice(start, start + keysOfTransaction));
      }
    } catch (err) {
      this.#environment.log.warn({ err }, 'storing the last use of API keys failed');
    }
  }

  async #store(uses: Use[]): Promise<void> {
    await this.#environment.database.transaction(async (transaction) => {
      for (const { tenantId, keyId, at } of uses) {
        const last_used_at = at.toISOString();
        const isNewer = (query: Knex.QueryBuilder): void =>
          void query.whereNull('last_used_at').orWhere('last_used_at', '<', last_used_at);
        await transaction('api_keys').where({ tenant_id: tenantId, id: keyId }).where(isNewer).update({ last_used_at });
      }
    });
    for (const { keyId } of uses) this.#uses.delete(keyId);
  }
}
