import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { wasSpread } from '../database/migrations/table.ts';
import { findTenant } from './store.ts';

/** The ids of tenants by their slugs in memory, a few megabytes. */
const max = 10_000;

/** By Knex's client. */
const memory = new WeakMap<object, LRUCache<string, string>>();

/** The id of no tenant. */
const nobody = '';

/**
 * Where tables are spread, the node that nobody's rows would be on may be down, while that of the tenant is not. The coordinator
 * then responds with an error of class 08. One of the driver has no severity: no node was reached.
 */
async function ignoreLostNode(database: Knex, error: { severity?: string; code?: string }): Promise<undefined> {
  const isOfNode = error.severity !== undefined && error.code?.startsWith('08');
  if (!isOfNode || !(await wasSpread(database))) throw error;
}

/**
 * Finds something of the tenant with a slug. The id of the tenant comes from memory, so that what is found costs one statement.
 *
 * What is not found always costs the same three, whether the tenant is unknown or in memory: nobody learns from the time which.
 * A tenant that was removed and imported again has another id, and is found by the second.
 *
 * @param find must not find anything with the id of another tenant
 */
export async function findInTenant<Found>(
  database: Knex,
  slug: string,
  find: (tenantId: string) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const ids = memory.get(database.client) ?? new LRUCache<string, string>({ max });
  memory.set(database.client, ids);
  const known = ids.get(slug);
  const found = await (known === undefined
    ? find(nobody).catch((error) => ignoreLostNode(database, error))
    : find(known));
  if (found) return found;
  const { id } = (await findTenant(database, slug)) ?? {};
  if (id === undefined) ids.delete(slug);
  else ids.set(slug, id);
  return find(id ?? nobody);
}
