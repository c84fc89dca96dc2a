import type { Knex } from 'knex';
import { v7 as uuid } from 'uuid';
import type { ViewRole } from '../access/rules.ts';
import type { components } from '../contract/generated/openapi.ts';
import { readSnapshot } from '../database/connection.ts';
import { utcDay } from './rules.ts';

export type ScanStatistics = components['schemas']['ScanStatistics'];

export interface Scan {
  tenantId: string;
  productId: string;
  at: Date;
  role: ViewRole;
  visitorHash: string;
}

/** Rows in one statement. SQLite and PostgreSQL limit the number of parameters. */
const rowsAtOnce = 500;

/** Stores and counts scans, all or none. */
export async function insertScans(database: Knex, scans: Scan[]): Promise<void> {
  await database.transaction((transaction) => storeScans(transaction, scans));
}

/** Like `insertScans`, inside an open transaction. */
export async function storeScans(transaction: Knex.Transaction, scans: Scan[]): Promise<void> {
  const counts = new Map<
    string,
    { tenant_id: string; date: string; product_id: string; role: ViewRole; count: number }
  >();
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
  for (let start = 0; start < sorted.length; start += rowsAtOnce) {
    await transaction('scan_counts')
      .insert(sorted.slice(start, start + rowsAtOnce))
      .onConflict(['tenant_id', 'date', 'product_id', 'role'])
      .merge({ count: transaction.raw('scan_counts.count + excluded.count') });
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

/** The statistics of some days, from one snapshot, so that the sums agree. */
export async function scanStatistics(database: Knex, tenantId: string, days: string[]): Promise<ScanStatistics> {
  return readSnapshot(database, tenantId, (transaction) => readStatistics(transaction, tenantId, days));
}

async function readStatistics(transaction: Knex, tenantId: string, days: string[]): Promise<ScanStatistics> {
  const [first, last] = [days[0] ?? '', days.at(-1) ?? ''];
  const period = (): Knex.QueryBuilder =>
    transaction('scan_counts').where('scan_counts.tenant_id', tenantId).whereBetween('scan_counts.date', [first, last]);

  const counts: (Count & { date: string; role: ViewRole })[] = await period()
    .groupBy('date', 'role')
    .select('date', 'role')
    .sum({ count: 'count' });
  const top: (Count & { slug: string; name: string })[] = await period()
    .join('products', (join) =>
      join.on('products.tenant_id', 'scan_counts.tenant_id').andOn('products.id', 'scan_counts.product_id'),
    )
    .groupBy('products.slug', 'products.name')
    .select('products.slug', 'products.name')
    .sum({ count: 'scan_counts.count' })
    .orderBy([{ column: 'count', order: 'desc' }, { column: 'products.slug' }])
    .limit(10);

  const perDay = new Map(days.map((date) => [date, 0]));
  const by_view_role = { consumer: 0, inspector: 0, recycler: 0 };
  let total = 0;
  for (const { date, role, count } of counts) {
    perDay.set(date, (perDay.get(date) ?? 0) + Number(count));
    by_view_role[role] += Number(count);
    total += Number(count);
  }
  return {
    days: days.length,
    total,
    per_day: Array.from(perDay, ([date, count]) => ({ date, count })),
    by_view_role,
    top_products: top.map(({ slug, name, count }) => ({ slug, name, count: Number(count) })),
  };
}

/** PostgreSQL returns sums as text. */
interface Count {
  count: number | string;
}
