import { ContractError, type PassportValue, type Schemas } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { snapshot } from '../database/connection.ts';
import { Encoded } from '../http/encoded.ts';
import { findPassport, listValues, type PassportRow } from './store.ts';

/** Approximate memory of an entry without its bytes: its key and its places in the maps. */
const overhead = 500;

/** What can be cached. */
export interface Cached {
  /** In bytes. */
  size: number;
  /** `undefined` if too much other content waits for it. */
  gzipped(): Promise<Cached> | undefined;
}

type Make = () => Promise<Cached | undefined>;

/**
 * Caches rendered passports. A key has everything that the rendering shows, as it is in the database, so an entry is never out
 * of date. The memory is bounded.
 */
export class PassportCache {
  readonly #entries: LRUCache<string, Cached, Make>;

  /** @param bytes the bound of the memory. One entry may use a quarter of it. */
  constructor(bytes = 64 * 1024 * 1024) {
    this.#entries = new LRUCache({
      maxSize: bytes,
      maxEntrySize: bytes / 4,
      sizeCalculation: ({ size }) => size + overhead,
      fetchMethod: (_key, _stale, { context: make }) => make(),
      // A rendering whose place is taken before it is made still reaches those who wait for it.
      ignoreFetchAbort: true,
    });
  }

  /** The rendering with this key. Concurrent requests share one that is being made. A failure is not cached. */
  get<Made extends Cached>(key: string, make: () => Promise<Made>): Promise<Made> {
    return this.#entries.forceFetch(key, { context: make }) as Promise<Made>;
  }

  /** The same compressed, in an entry of its own. As it is, if too much other content waits for it. */
  async gzipped<Made extends Cached>(key: string, get: () => Promise<Made>): Promise<Made> {
    const compressed = this.#entries.fetch(`gzip ${key}`, {
      context: async () => (await get()).gzipped()?.catch(() => undefined),
    });
    return ((await compressed) as Made | undefined) ?? get();
  }
}

/**
 * A passport as the API shows it.
 *
 * @throws ContractError `not_found`
 */
export async function readPassport(
  database: Knex,
  cache: PassportCache,
  named: { tenantId: string; slug: string },
): Promise<Encoded<Schemas['Passport']>> {
  const row = await findPassport(database, named);
  if (!row) throw new ContractError('not_found');
  return cache.get(JSON.stringify(row), async () => {
    // The first read may be older than the values.
    const found = await snapshot(database, async (transaction) => {
      const latest = await findPassport(transaction, named);
      return latest && { row: latest, values: await listValues(transaction, named.tenantId, latest.id) };
    });
    if (!found) throw new ContractError('not_found');
    // Cached under the first row. The status may have changed in between, which makes no version.
    const isSame = found.row.version === row.version;
    return Encoded.of(passportOf(isSame ? row : found.row, found.values));
  });
}

function passportOf(row: PassportRow, values: PassportValue[]): Schemas['Passport'] {
  const { id, name, slug, status, completeness, template_version, content_hash, salt, versioned_at } = row;
  return {
    product: { id, name, slug, status, completeness },
    template_version,
    values,
    latest_version: { content_hash, salt, created_at: versioned_at },
  };
}
