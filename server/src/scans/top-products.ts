import type { Knex } from 'knex';
import { isPostgres } from '../database/connection.ts';
import { rowsAsJson } from '../database/json-rows.ts';
import { statement } from '../database/statement.ts';

/** The days from `first` to `today`. */
export interface Period {
  tenantId: string;
  first: string;
  today: string;
}

export interface TopProduct {
  slug: string;
  name: string;
  count: number;
}

/** The number of products in the statistics. */
const listed = 10;
/** Products whose sum of past days is kept for each period: those scanned most, then those scanned today. */
const firstKept = 1000;
const mostKept = 5000;
/** Products that are tried first: those with the most scans of all time. */
const leaders = 500;
/** Periods in memory. With all their products they take about 40 MB. */
export const periodsKept = 64;
/** A period is read by product instead of by day if it is longer, in milliseconds. */
const longPeriod = 31 * 86_400_000;
/** Ids in one statement. */
const idsAtOnce = 500;

/** What the past days of a period add to the list. */
interface Past {
  /** The scans of the past days. A scan of a past day that is stored later changes it. */
  total: number;
  /** The ids of the products that were scanned most, by count, then slug. */
  top: string[];
  /** Sums by product id. */
  sums: Map<string, number>;
  /** The largest sum that a product outside `sums` can have. */
  rest: number;
  /** The list, and the scans of today that it counts. Counts only grow and names do not change, so it holds until then. */
  latest?: { total: number; products: TopProduct[] };
}

/** The scans of all products in a period. */
export interface PeriodTotals {
  past: number;
  today: number;
}

/**
 * The products that were scanned most. The sums of past days are kept by tenant and period, and today's counts are added.
 * A product in the list is in the list of the past days, or was scanned today.
 */
export class TopProducts {
  readonly #kept = new Map<string, Past>();
  readonly #periodsKept: number;

  constructor(most: number) {
    this.#periodsKept = most;
  }

  /** @param totals from the snapshot of the transaction */
  async read(transaction: Knex.Transaction, period: Period, totals: PeriodTotals): Promise<TopProduct[]> {
    const past = await this.#past(transaction, period, totals.past);
    if (past.latest?.total !== totals.today) {
      past.latest = { total: totals.today, products: await this.#list(transaction, period, past) };
    }
    return past.latest.products;
  }

  async #list(transaction: Knex.Transaction, period: Period, past: Past): Promise<TopProduct[]> {
    const today = await countsOf(transaction, period.tenantId, period.today);
    const totals = new Map(past.top.map((id) => [id, past.sums.get(id) ?? 0]));
    for (const [id, count] of today) totals.set(id, (past.sums.get(id) ?? 0) + count);
    if (past.rest > 0) {
      const bar = lowestListed(totals);
      const missing = [...today].filter(([id, count]) => !past.sums.has(id) && count + past.rest >= bar);
      const found = await pastSumsOf(
        transaction,
        period,
        missing.map(([id]) => id),
      );
      for (const [id, count] of missing) {
        const sum = found.get(id) ?? 0;
        totals.set(id, sum + count);
        if (past.sums.size < mostKept) past.sums.set(id, sum);
      }
    }
    const top = await ranked(transaction, period.tenantId, totals);
    return top.map(({ slug, name, count }) => ({ slug, name, count }));
  }

  async #past(transaction: Knex.Transaction, period: Period, total: number): Promise<Past> {
    const key = [period.tenantId, period.first, period.today].join(' ');
    const kept = this.#kept.get(key);
    const past = kept?.total === total ? kept : await readPast(transaction, period, total);
    // A Map keeps the order of insertion, so its first period is the one that was not requested for the longest time.
    this.#kept.delete(key);
    this.#kept.set(key, past);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#periodsKept && oldest !== undefined) this.#kept.delete(oldest);
    return past;
  }
}

/** Reads the sums of past days. */
async function readPast(transaction: Knex.Transaction, period: Period, total: number): Promise<Past> {
  return (isLong(period) && (await readLeaders(transaction, period, total))) || readAll(transaction, period, total);
}

/** The counts of 500 products instead of all: with a million counts of 2,800 products a request takes 87 ms instead of 232. */
const leaderSums = statement<
  { product_id: string; total: number | string; count: number | string | null },
  Period & { most: number }
>((database, { tenantId, first, today, most }) => {
  const count = database('scan_counts')
    .where('tenant_id', tenantId)
    .whereRaw('product_id = scan_totals.product_id')
    .where('date', '>=', first)
    .where('date', '<', today)
    .sum('count')
    .as('count');
  return database('scan_totals')
    .where('tenant_id', tenantId)
    .orderBy('scan_totals.count', 'desc')
    .limit(most)
    .select('product_id', 'scan_totals.count as total', count);
});

/**
 * The sums of the products with the most scans of all time. `undefined` if another product can be in the list: no period
 * has more scans of it than all time.
 */
async function readLeaders(transaction: Knex.Transaction, period: Period, total: number): Promise<Past | undefined> {
  const rows = await leaderSums.all(transaction, { ...period, most: leaders });
  const sums = new Map(rows.map(({ product_id, count }) => [product_id, Number(count)]));
  const rest = rows.length < leaders ? 0 : Number(rows.at(-1)?.total);
  if (rest > 0 && lowestListed(sums) <= rest) return undefined;
  const top = await ranked(transaction, period.tenantId, new Map([...sums].filter(([, count]) => count > 0)));
  return { total, top: top.map(({ id }) => id), sums, rest };
}

/** Reads the sums of all products: those that were scanned most, and the first of them by slug. */
async function readAll(transaction: Knex.Transaction, period: Period, total: number): Promise<Past> {
  const rows: (Sum & { place: number })[] = await transaction
    .with('sums', pastSums(transaction, period))
    .select('product_id', 'count', transaction.raw('0 AS place'))
    .from(transaction.from('sums').orderBy('count', 'desc').limit(firstKept).as('most'))
    .unionAll(transaction.select('*').from(firstBySlug(transaction, period.tenantId).as('first')));
  const sums = new Map(rows.map(({ product_id, count }) => [product_id, Number(count)]));
  const most = rows.filter(({ place }) => Number(place) === 0);
  const top = rows.filter(({ place }) => Number(place) > 0).sort((a, b) => Number(a.place) - Number(b.place));
  const rest = most.length < firstKept ? 0 : Math.min(...most.map(({ count }) => Number(count)));
  return { total, top: top.map(({ product_id }) => product_id), sums, rest };
}

/** The first of `sums` by count and slug. Only those that reach the count of the last one are looked up by slug. */
function firstBySlug(transaction: Knex.Transaction, tenantId: string): Knex.QueryBuilder {
  const last = transaction
    .from('sums')
    .orderBy('count', 'desc')
    .limit(1)
    .offset(listed - 1)
    .select('count');
  // Not a join: SQLite would read all products of the tenant.
  const slug = transaction('products').where('tenant_id', tenantId).whereRaw('id = sums.product_id').select('slug');
  return transaction
    .from('sums')
    .whereRaw('count >= COALESCE((?), 0)', last)
    .select('product_id', 'count', transaction.raw('ROW_NUMBER() OVER (ORDER BY count DESC, (?)) AS place', slug))
    .orderBy('place')
    .limit(listed);
}

/** PostgreSQL returns sums as text. */
interface Sum {
  product_id: string;
  count: number | string;
}

const countsOfDay = statement<{ counts: string }, { tenantId: string; date: string }>(
  // With GROUP BY or without the role, SQLite would read the counts of all days from the index by product.
  (database, { tenantId, date }) =>
    database('scan_counts')
      .where({ tenant_id: tenantId, date })
      .select({ counts: rowsAsJson(database, ['product_id', 'role', 'count']) }),
);

/** Today's counts of products by their id. */
async function countsOf(transaction: Knex.Transaction, tenantId: string, date: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const row = await countsOfDay.first(transaction, { tenantId, date });
  const rows: { product_id: string; count: number }[] = JSON.parse(row?.counts ?? '[]');
  for (const { product_id, count } of rows) {
    counts.set(product_id, (counts.get(product_id) ?? 0) + count);
  }
  return counts;
}

/** The sums of the past days by product. */
function pastSums(transaction: Knex.Transaction, period: Period): Knex.QueryBuilder {
  const { tenantId, first, today } = period;
  // A long period is read in the order of the products. The plus keeps SQLite from the index by date, which would need a
  // look-up and a sort of every row: 2,500 ms instead of 155 for a million.
  const date = isLong(period) && !isPostgres(transaction) ? '+date' : 'date';
  return transaction('scan_counts')
    .where('tenant_id', tenantId)
    .whereRaw(`${date} >= ? AND ${date} < ?`, [first, today])
    .groupBy('product_id')
    .select('product_id')
    .sum({ count: 'count' });
}

function isLong({ first, today }: Period): boolean {
  return Date.parse(today) - Date.parse(first) > longPeriod;
}

async function pastSumsOf(transaction: Knex.Transaction, period: Period, ids: string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let start = 0; start < ids.length; start += idsAtOnce) {
    const some = pastSums(transaction, period).whereIn('product_id', ids.slice(start, start + idsAtOnce));
    const rows: Sum[] = await some;
    for (const { product_id, count } of rows) found.set(product_id, Number(count));
  }
  return found;
}

/** The count of the last product in the list; 0 if fewer have one. */
function lowestListed(totals: ReadonlyMap<string, number>): number {
  return [...totals.values()].sort((a, b) => b - a)[listed - 1] ?? 0;
}

const named = statement<{ id: string; slug: string; name: string }, { tenantId: string; ids: string }>(
  (database, { tenantId, ids }) =>
    database('products')
      .where('tenant_id', tenantId)
      .whereRaw(
        `id IN (SELECT ${isPostgres(database) ? 'json_array_elements_text(?)' : 'value FROM json_each(?)'})`,
        ids,
      )
      .select('id', 'slug', 'name'),
);

/** The first products by count, then slug. */
async function ranked(
  transaction: Knex.Transaction,
  tenantId: string,
  totals: ReadonlyMap<string, number>,
): Promise<(TopProduct & { id: string })[]> {
  const bar = lowestListed(totals);
  const ids = [...totals].filter(([, count]) => count >= bar).map(([id]) => id);
  const rows = await named.all(transaction, { tenantId, ids: JSON.stringify(ids) });
  const products = rows.map((row) => ({ ...row, count: totals.get(row.id) ?? 0 }));
  products.sort((a, b) => b.count - a.count || (a.slug < b.slug ? -1 : 1));
  return products.slice(0, listed);
}
