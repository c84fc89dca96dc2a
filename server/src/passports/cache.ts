import { LRUCache } from 'lru-cache';
import type { Encoded } from '../http/encoded.ts';

/** Approximate memory of an entry without its bytes: its key and its places in the maps. */
const overhead = 500;

/**
 * Caches rendered passports. A key has everything that the rendering shows, as it is in the database, so an entry is never out
 * of date. The memory is bounded, and so is the share of each tenant: one with many large passports evicts its own
 * renderings.
 */
export class PassportCache {
  readonly #share: number;
  readonly #entries: LRUCache<string, { tenantId: string; encoded: Encoded<unknown> }>;
  /** The sizes of each tenant's renderings by key, the oldest use first. */
  readonly #byTenant = new Map<string, { size: number; sizes: Map<string, number> }>();
  readonly #pending = new Map<string, Promise<Encoded<unknown>>>();

  /** @param bytes the bound of the memory. A tenant may use a quarter of it. */
  constructor(bytes = 64 * 1024 * 1024) {
    this.#share = bytes / 4;
    this.#entries = new LRUCache({
      maxSize: bytes,
      maxEntrySize: this.#share,
      sizeCalculation: ({ encoded }) => encoded.bytes.length + overhead,
      dispose: ({ tenantId }, key) => this.#removed(tenantId, key),
    });
  }

  /** The memory in use, in bytes. */
  get size(): number {
    return this.#entries.calculatedSize;
  }

  /** The rendering with this key. Concurrent requests share one that is being made. A failure is not cached. */
  async get<Body>(tenantId: string, key: string, make: () => Promise<Encoded<Body>>): Promise<Encoded<Body>> {
    const entry = this.#entries.get(key);
    if (entry) {
      this.#use(tenantId, key);
      return entry.encoded as Encoded<Body>;
    }
    const pending = this.#pending.get(key) ?? this.#make(tenantId, key, make);
    return pending as Promise<Encoded<Body>>;
  }

  #make<Body>(tenantId: string, key: string, make: () => Promise<Encoded<Body>>): Promise<Encoded<Body>> {
    const made = make()
      .then((encoded) => {
        this.#add(tenantId, key, encoded);
        return encoded;
      })
      .finally(() => this.#pending.delete(key));
    this.#pending.set(key, made);
    return made;
  }

  #add(tenantId: string, key: string, encoded: Encoded<unknown>): void {
    const size = encoded.bytes.length + overhead;
    if (size > this.#share) return;
    const own = this.#byTenant.get(tenantId) ?? { size: 0, sizes: new Map<string, number>() };
    for (const oldest of own.sizes.keys()) {
      if (own.size + size <= this.#share) break;
      this.#entries.delete(oldest);
    }
    // After the deletions, which remove a tenant without renderings.
    this.#byTenant.set(tenantId, own);
    own.sizes.set(key, size);
    own.size += size;
    this.#entries.set(key, { tenantId, encoded });
  }

  #use(tenantId: string, key: string): void {
    const sizes = this.#byTenant.get(tenantId)?.sizes;
    const size = sizes?.get(key);
    if (!sizes || size === undefined) return;
    sizes.delete(key);
    sizes.set(key, size);
  }

  #removed(tenantId: string, key: string): void {
    const own = this.#byTenant.get(tenantId);
    if (!own) return;
    own.size -= own.sizes.get(key) ?? 0;
    own.sizes.delete(key);
    if (own.sizes.size === 0) this.#byTenant.delete(tenantId);
  }
}
