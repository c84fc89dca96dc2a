import type { Handlers } from '../http/handlers.ts';
import type { Services } from '../services.ts';
import { lastDays } from './rules.ts';
import { Statistics } from './statistics.ts';
import { periodsKept } from './top-products.ts';

/** @param keptPeriods number of periods whose past days stay in memory. Only for a past that can change, 0. */
export function scanHandlers(
  { database, now }: Services,
  keptPeriods: number = periodsKept,
): Pick<Handlers, 'getScanStatistics'> {
  const statistics = new Statistics(database, keptPeriods);
  return {
    async getScanStatistics({ tenant, query }) {
      return statistics.read(tenant.id, lastDays(now(), query.days));
    },
  };
}
