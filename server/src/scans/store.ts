import { dayOf, type ViewRole } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { v7 as uuid } from 'uuid';
import { insertRowsOf } from '../database/statement.ts';
import { lockCounting, lockSettings, walkTenants } from '../tenants/store.ts';
import { insertion } from './insertion.ts';

export interface Scan {
  tenantId: string;
  productId: string;
  at: Date;
  role: ViewRole;
  visitorHash: string;
}

/** The scans of a product on one day in one role. */
export interface ScanCount {
  date: string;
  product_id: string;
  role: ViewRole;
  count: number;
}

type OfTenant<Row> = Row & { tenant_id: string };

const countKey = ['date', 'product_id', 'role'] as const;
const insertRaw = insertion('scans', ['product_id', 'id', 'scanned_at', 'role', 'visitor_hash']);
const addCounts = insertion('scan_counts', [...countKey, 'count'], countKey);
const addDays = insertion('scan_days', ['date', 'role', 'count'], ['date', 'role']);

/** Stores and counts scans, all or none. Where tables are spread, they are of one tenant. */
export async function insertScans(database: Knex, scans: Scan[]): Promise<void> {
  await database.transaction((transaction) => storeScans(transaction, scans));
}

/** Like `insertScans`, inside an open transaction. Drops the scans of tenants that have switched scans off. */
export async function storeScans(transaction: Knex.Transaction, given: Scan[]): Promise<void> {
  if (given.length === 0) return;
  const counting = await lockCounting(transaction, [...new Set(given.map(({ tenantId }) => tenantId))]);
  const scans = given.filter(({ tenantId }) => counting.has(tenantId));
  if (scans.length === 0) return;
  const rows = scans.map(({ tenantId: tenant_id, productId: product_id, at, role, visitorHash: visitor_hash }) => ({
    tenant_id,
    product_id,
    id: uuid(),
    scanned_at: at.toISOString(),
    role,
    visitor_hash,
  }));
  const counts = rows.map(({ scanned_at, tenant_id, product_id, role }) => {
    return { tenant_id, date: dayOf(scanned_at), product_id, role, count: 1 };
  });
  await insertRaw(transaction, rows);
  await addCounts(transaction, summed(counts));
  await addToDays(transaction, counts);
}

/** Inserts counts of a tenant that are not stored yet. */
export async function insertCounts(
  transaction: Knex.Transaction,
  tenant_id: string,
  counts: ScanCount[],
): Promise<void> {
  await insertRowsOf(transaction, tenant_id, 'scan_counts', counts);
  await addToDays(
    transaction,
    counts.map((row) => ({ ...row, tenant_id })),
  );
}

/** Adds to the sums of days. */
async function addToDays(transaction: Knex.Transaction, counts: OfTenant<ScanCount>[]): Promise<void> {
  const days = counts.map(({ tenant_id, date, role, count }) => ({ tenant_id, date, role, count }));
  await addDays(transaction, summed(days));
}

/** One row for each key, with the sum of its counts. Every transaction uses the same order: no deadlocks. */
function summed<Row extends { count: number }>(rows: Row[]): Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const { count, ...key } = row;
    const name = Object.values(key).join(' ');
    const sum = sums.get(name);
    if (sum) sum.count += count;
    else sums.set(name, { ...row });
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

/** The scans of a tenant, or of one of its products. */
export interface Scanned {
  tenant_id: string;
  product_id?: string;
}

/** Rows of each kind in a group. */
const maxGroup = 1000;

/**
 * Deletes a group of counts and one of single scans.
 *
 * @param after the last single scan of the group before; first ''
 */
export async function deleteGroup(
  transaction: Knex.Transaction,
  scanned: Scanned,
  after: string,
): Promise<{ views: number; after: string; isLast: boolean }> {
  const { tenant_id } = scanned;
  await lockSettings(transaction, tenant_id);
  const group = transaction('scan_counts').where(scanned).orderBy(['product_id', 'date', 'role']).limit(maxGroup);
  const counts: ScanCount[] = await group.clone().select(...countKey, 'count');
  await transaction('scan_counts')
    .where({ tenant_id })
    .whereIn([...countKey], group.select(countKey))
    .delete();
  await addToDays(
    transaction,
    counts.map((row) => ({ ...row, tenant_id, count: -row.count })),
  );
  await transaction('scan_days').where({ tenant_id, count: 0 }).delete();
  const scans = transaction('scans').where(scanned).where('id', '>', after).orderBy('id').limit(maxGroup);
  const ids: string[] = await scans.pluck('id');
  await transaction('scans').where({ tenant_id }).whereIn('id', ids).delete();
  return {
    views: counts.reduce((sum, { count }) => sum + count, 0),
    after: ids.at(-1) ?? after,
    isLast: Math.max(counts.length, ids.length) < maxGroup,
  };
}

/** When the newest scan of all tenants was. Each tenant is one look-up in an index. */
export async function newestScan(database: Knex): Promise<string | undefined> {
  let newest: string | undefined;
  for await (const tenants of walkTenants(database)) {
    for (const { id } of tenants) {
      const { last } = (await database('scans').where('tenant_id', id).max({ last: 'scanned_at' }).first()) ?? {};
      if (last && (newest === undefined || last > newest)) newest = last;
    }
  }
  return newest;
}

/**
 * Deletes the tenant's oldest scans from before a day, up to a limit. Their counts stay.
 *
 * @returns the number of deleted scans
 */
export async function deleteScansBefore(database: Knex, tenantId: string, day: string, limit: number): Promise<number> {
  const old = database('scans')
    .where('tenant_id', tenantId)
    .where('scanned_at', '<', day)
    .orderBy('scanned_at')
    .limit(limit)
    .select('id');
  // Outside of a transaction, a wait for SQLite's write lock would block the connection that others read on.
  return database.transaction((transaction) =>
    transaction('scans').where('tenant_id', tenantId).whereIn('id', old).delete(),
  );
}
