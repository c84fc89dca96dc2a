import { availableParallelism } from 'node:os';
import type { Knex } from 'knex';
import { isPostgres, readerOf } from '../database/connection.ts';
import { TenantQueue } from '../database/tenant-queue.ts';
import type { QueueRequest } from '../http/routes.ts';

/** What a tenant can use at a time, in parts. */
const whole = 1024;

/** A write takes one more place for every 4 KiB of its body, up to a quarter of the whole. */
const bytesOfPlace = 4 * 1024;

/** Reads that are one look-up, which shares its execution with others. A place would cost a tenth of their time. */
const lookups = new Set(['getMe', 'getProduct']);

/** Reads of the rows of one product. Their time does not grow with a tenant's data. */
const shortReads = new Set(['getPassport', 'listCarriers']);

/**
 * The queue of the API's requests. A request takes one place in it before its first statement, and waits nowhere else for
 * requests of its tenant. In a SQLite file a request that is one look-up takes none. A tenant's slow reads take at most half of the connections, and a quarter is left for tenants
 * without running requests.
 *
 * @param tenantWrites small writes of one tenant that run at a time
 */
export function requestQueue(database: Knex, tenantWrites: number): QueueRequest {
  const connections: number = readerOf(database).client.pool.max;
  const reads = Math.max(1, Math.floor(connections / 2));
  const isServer = isPostgres(database);
  const writes = isServer ? Math.min(tenantWrites, reads) : tenantWrites;
  // A search in a file uses one processor until it ends. One stays free for the main thread.
  const searches = isServer ? reads : Math.min(reads, Math.max(1, availableParallelism() - 1));
  // One connection stays free for look-ups of keys.
  const inAll = Math.max(1, connections - 1);
  const queue = new TenantQueue({ atOnce: whole, inAll, reserved: Math.floor(connections / 4) });
  const placesOfWrite = Math.max(1, Math.floor(whole / writes));

  /** Leaves some room: a tenant's own look-ups do not wait for its slow reads. */
  const placesOfRead = (atOnce: number): number => Math.floor(whole / (atOnce + 0.5));

  return ({ tenantId, operationId, method, slug, query, bytes }, work) => {
    if (method !== 'GET') {
      const places = placesOfWrite * (1 + Math.floor(bytes / bytesOfPlace));
      const need = { places: Math.min(places, Math.max(placesOfWrite, whole / 4)), isShort: !isServer };
      // Of the writes to one product, one runs at a time.
      return queue.run(tenantId, work, { ...need, resource: slug });
    }
    const isPage = operationId === 'listProducts' && !query?.search && !query?.status;
    if (!isServer && (isPage || lookups.has(operationId))) return work();
    if (!isServer && shortReads.has(operationId)) {
      return queue.run(tenantId, work, { places: whole / 32, isShort: true });
    }
    return queue.run(tenantId, work, { places: placesOfRead(query?.search ? searches : reads) });
  };
}
