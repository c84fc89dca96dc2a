import { LRUCache } from 'lru-cache';
import type { Encoded } from '../http/encoded.ts';

/** Approximate memory of an entry without its bytes: its key and its places in the maps. */
const overhead = 500;

type Make = () => Promise<Encoded<unknown>>;

/**
 * Caches rendered passports. A key has everything that the rendering shows, as it is in the database, so an entry is never out
 * of date. The memory is bounded.
 */
export class PassportCache {
  readonly #entries: LRUCache<string, Encoded<unknown>, Make>;

  /** @param bytes the bound of the memory. One entry may use a quarter of it. */
  constructor(bytes = 64 * 1024 * 1024) {
    this.#entries = new LRUCache({
      maxSize: bytes,
      maxEntrySize: bytes / 4,
      sizeCalculation: (encoded) => encoded.bytes.length + overhead,
      fetchMethod: (_key, _stale, { context: make }) => make(),
      // A rendering whose place is taken before it is made still reaches those who wait for it.
      ignoreFetchAbort: true,
    });
  }

  /** The memory in use, in bytes. */
  get size(): number {
    return this.#entries.calculatedSize;
  }

  /** The rendering with this key. Concurrent requests share one that is being made. A failure is not cached. */
  get<Body>(key: string, make: () => Promise<Encoded<Body>>): Promise<Encoded<Body>> {
    return this.#entries.forceFetch(key, { context: make }) as Promise<Encoded<Body>>;
  }
}
