import { type Handlers, WithHeaders } from '../http/handlers.ts';
import type { Services } from '../services.ts';
import { type PassportCache, readPassport } from './read.ts';
import { writePassport } from './write.ts';

export function passportHandlers(
  services: Services,
  cache: PassportCache,
): Pick<Handlers, 'getPassport' | 'putPassport'> {
  return {
    getPassport: ({ tenant, path }) => readPassport(services.database, cache, { tenantId: tenant.id, slug: path.slug }),

    async putPassport({ tenant, path, body, waitAsLarge }) {
      const {
        findings,
        values_in_use: _,
        ...result
      } = await writePassport(services, tenant, path.slug, body, waitAsLarge);
      return new WithHeaders(result, { 'passport-findings': `${findings}` });
    },
  };
}
