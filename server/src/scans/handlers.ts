import { lastDays, type Schemas, type ViewRole } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { snapshot } from '../database/connection.ts';
import { isPostgres, rowsAsJson, statement } from '../database/statement.ts';
import type { Handlers } from '../http/handlers.ts';
import type { Services } from '../services.ts';

export type ScanStatistics = Schemas['ScanStatistics'];

/** The days from `first` to `today`. */
interface Period {
  tenantId: string;
  first: string;
  today: string;
}

/** Products in the statistics. */
const maxProducts = 10;

/** Days in a period whose counts are read by product, and not by day. */
const longPeriod = 31;

/** A JSON array. */
const sumsByDay = statement<{ sums: string }, Period>((database, { tenantId, first, today }) =>
  database('scan_days')
    .where('tenant_id', tenantId)
    .where('date', '>=', first)
    .where('date', '<=', today)
    .select({ sums: rowsAsJson(database, ['date', 'role', 'count']) }),
);

export function scanHandlers({ database, now }: Services): Pick<Handlers, 'getScanStatistics'> {
  return {
    async getScanStatistics({ tenant, query }) {
      return readStatistics(database, tenant.id, lastDays(now(), query.days));
    },
  };
}

/** The statistics of some days, oldest first, from one snapshot, so that the sums agree. */
async function readStatistics(database: Knex, tenantId: string, days: string[]): Promise<ScanStatistics> {
  const period: Period = { tenantId, first: days[0] ?? '', today: days.at(-1) ?? '' };
  const top = days.length > longPeriod ? topOfLongPeriod : topOfPeriod;
  const [row, products] = await snapshot(database, async (transaction) => [
    await sumsByDay.first(transaction, period),
    await top.all(transaction, period),
  ]);
  const counts: { date: string; role: ViewRole; count: number }[] = JSON.parse(row?.sums ?? '[]');
  const perDay = new Map(days.map((date) => [date, 0]));
  const by_view_role = { consumer: 0, inspector: 0, recycler: 0 };
  for (const { date, role, count } of counts) {
    perDay.set(date, (perDay.get(date) ?? 0) + count);
    by_view_role[role] += count;
  }
  return {
    days: days.length,
    total: perDay.values().reduce((sum, count) => sum + count, 0),
    per_day: Array.from(perDay, ([date, count]) => ({ date, count })),
    by_view_role,
    // PostgreSQL's driver gives a sum as text.
    top_products: products.map(({ count, ...product }) => ({ ...product, count: Number(count) })),
  };
}

const topOfPeriod = topProducts('date');

/**
 * The plus keeps SQLite from the index by date, whose rows it would have to look up and sort. A year of a million counts
 * takes 180 ms of a reader's processor time, and 550 without it; the default of 30 days takes 40.
 */
const topOfLongPeriod = topProducts('+date');

/** The products that were scanned most, by count, then slug. */
function topProducts(dateInSqlite: string) {
  return statement<{ slug: string; name: string; serial_number: string | null; count: number | string }, Period>(
    (database, { tenantId, first, today }) => {
      const date = isPostgres(database) ? 'date' : dateInSqlite;
      const sums = database('scan_counts')
        .where('tenant_id', tenantId)
        .whereRaw(`${date} >= ?`, first)
        .whereRaw(`${date} <= ?`, today)
        .groupBy('product_id')
        .select('product_id')
        .sum({ count: 'count' });
      const lowest = database
        .from('sums')
        .orderBy('count', 'desc')
        .limit(1)
        .offset(maxProducts - 1)
        .select('count');
      return database
        .withMaterialized('sums', sums)
        .from('sums')
        .joinRaw('CROSS JOIN products')
        .where('products.tenant_id', tenantId)
        .whereRaw('products.id = sums.product_id')
        .whereRaw('count >= COALESCE((?), 0)', lowest)
        .orderBy([{ column: 'count', order: 'desc' }, { column: 'slug' }])
        .limit(maxProducts)
        .select('slug', 'name', 'serial_number', 'count');
    },
  );
}
