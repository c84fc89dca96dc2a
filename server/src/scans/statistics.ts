import type { Knex } from 'knex';
import type { ViewRole } from '../access/rules.ts';
import type { components } from '../contract/generated/openapi.ts';
import { readSnapshot } from '../database/connection.ts';
import { rowsAsJson } from '../database/json-rows.ts';
import { statement } from '../database/statement.ts';
import { type Period, TopProducts } from './top-products.ts';

export type ScanStatistics = components['schemas']['ScanStatistics'];

/** A JSON array of `DaySum`. */
const sumsByDay = statement<{ sums: string }, Period>((database, { tenantId, first, today }) =>
  database('scan_days')
    .where('tenant_id', tenantId)
    .where('date', '>=', first)
    .where('date', '<=', today)
    .select({ sums: rowsAsJson(database, ['date', 'role', 'count']) }),
);

interface DaySum {
  date: string;
  role: ViewRole;
  count: number;
}

/** The statistics of a tenant's scans. They keep the sums of past days in memory. */
export class Statistics {
  readonly #database: Knex;
  readonly #topProducts: TopProducts;

  /** @param keptPeriods number of periods whose past days stay in memory */
  constructor(database: Knex, keptPeriods: number) {
    this.#database = database;
    this.#topProducts = new TopProducts(keptPeriods);
  }

  /** The statistics of some days, oldest first, from one snapshot, so that the sums agree. */
  read(tenantId: string, days: string[]): Promise<ScanStatistics> {
    return readSnapshot(this.#database, tenantId, (transaction) => this.#read(transaction, tenantId, days));
  }

  async #read(transaction: Knex.Transaction, tenantId: string, days: string[]): Promise<ScanStatistics> {
    const today = days.at(-1) ?? '';
    const period: Period = { tenantId, first: days[0] ?? '', today };
    const { sums = '[]' } = (await sumsByDay.first(transaction, period)) ?? {};
    const counts: DaySum[] = JSON.parse(sums);

    const perDay = new Map(days.map((date) => [date, 0]));
    const by_view_role = { consumer: 0, inspector: 0, recycler: 0 };
    for (const { date, role, count } of counts) {
      perDay.set(date, (perDay.get(date) ?? 0) + count);
      by_view_role[role] += count;
    }
    const total = perDay.values().reduce((sum, count) => sum + count, 0);
    const ofToday = perDay.get(today) ?? 0;
    return {
      days: days.length,
      total,
      per_day: Array.from(perDay, ([date, count]) => ({ date, count })),
      by_view_role,
      top_products: await this.#topProducts.read(transaction, period, { past: total - ofToday, today: ofToday }),
    };
  }
}
