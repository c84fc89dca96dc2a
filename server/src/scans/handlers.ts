import { lastDays } from '@product-passport/openapi';
import type { Handlers } from '../http/handlers.ts';
import type { Services } from '../services.ts';
import { readStatistics } from './statistics.ts';

export function scanHandlers({ database, now }: Services): Pick<Handlers, 'getScanStatistics'> {
  return {
    async getScanStatistics({ tenant, query }) {
      return readStatistics(database, tenant.id, lastDays(now(), query.days));
    },
  };
}
