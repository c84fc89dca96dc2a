import type { Handlers } from '../http/handlers.ts';
import type { Services } from '../services.ts';
import { lastDays } from './rules.ts';
import { scanStatistics } from './store.ts';

export function scanHandlers({ database, now }: Services): Pick<Handlers, 'getScanStatistics'> {
  return {
    async getScanStatistics({ tenant, query }) {
      return scanStatistics(database, tenant.id, lastDays(now(), query.days));
    },
  };
}
