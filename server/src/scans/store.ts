import type { Knex } from 'knex';
import { v7 as uuid } from 'uuid';
import type { ViewRole } from '../access/rules.ts';
import { insertRows } from '../database/bulk.ts';
import { utcDay } from './rules.ts';

export interface Scan {
  tenantId: string;
  productId: string;
  at: Date;
  role: ViewRole;
  visitorHash: string;
}

/** The scans of a product on one day in one role. */
export interface ScanCount {
  tenant_id: string;
  date: string;
  product_id: string;
  role: ViewRole;
  count: number;
}

/** Rows in one statement. SQLite and PostgreSQL limit the number of parameters. */
const rowsAtOnce = 500;

/** Stores and counts scans, all or none. */
export async function insertScans(database: Knex, scans: Scan[]): Promise<void> {
  await database.transaction((transaction) => storeScans(transaction, scans));
}

/** Like `insertScans`, inside an open transaction. */
export async function storeScans(transaction: Knex.Transaction, scans: Scan[]): Promise<void> {
  const counts = new Map<string, ScanCount>();
  const rows = scans.map(({ tenantId: tenant_id, productId: product_id, at, role, visitorHash: visitor_hash }) => {
    const key = [tenant_id, utcDay(at), product_id, role].join(' ');
    const count = counts.get(key) ?? { tenant_id, date: utcDay(at), product_id, role, count: 0 };
    count.count += 1;
    counts.set(key, count);
    return { tenant_id, product_id, id: uuid(), scanned_at: at.toISOString(), role, visitor_hash };
  });
  // Every transaction uses the same order, so that none of them deadlock.
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    await transaction('scans').insert(rows.slice(start, start + rowsAtOnce));
  }
  await addCounts(transaction, sorted);
}

/** Adds to the counts of products, and to the sums of their days. `counts` are in the order of their keys. */
async function addCounts(transaction: Knex.Transaction, counts: ScanCount[]): Promise<void> {
  for (let start = 0; start < counts.length; start += rowsAtOnce) {
    await transaction('scan_counts')
      .insert(counts.slice(start, start + rowsAtOnce))
      .onConflict(['tenant_id', 'date', 'product_id', 'role'])
      .merge({ count: transaction.raw('scan_counts.count + excluded.count') });
  }
  await addToDays(transaction, counts);
}

/** Inserts the counts of products that were not scanned before. */
export async function insertCounts(transaction: Knex.Transaction, counts: ScanCount[]): Promise<void> {
  await insertRows(transaction, 'scan_counts', counts);
  await addToDays(transaction, counts);
}

async function addToDays(transaction: Knex.Transaction, counts: ScanCount[]): Promise<void> {
  const days = new Map<string, Omit<ScanCount, 'product_id'>>();
  for (const { product_id: _, ...count } of counts) {
    const key = [count.tenant_id, count.date, count.role].join(' ');
    const day = days.get(key);
    if (day) day.count += count.count;
    else days.set(key, count);
  }
  // Every transaction uses the same order, as with the counts.
  const rows = [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, day]) => day);
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    await transaction('scan_days')
      .insert(rows.slice(start, start + rowsAtOnce))
      .onConflict(['tenant_id', 'date', 'role'])
      .merge({ count: transaction.raw('scan_days.count + excluded.count') });
  }
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
