import { ContractError } from '../contract/errors.ts';
import type { Handlers } from '../http/handlers.ts';
import type { Services } from '../services.ts';
import { readPassport } from './read.ts';
import { writePassport } from './write.ts';

export function passportHandlers(services: Services): Pick<Handlers, 'getPassport' | 'putPassport'> {
  return {
    async getPassport({ tenant, path }) {
      const passport = await readPassport(services.database, tenant.id, path.slug);
      if (!passport) throw new ContractError('not_found');
      const { product, values, version } = passport;
      const { id, name, slug, status, completeness } = product;
      const { template_version, content_hash, salt, created_at } = version;
      return {
        product: { id, name, slug, status, completeness },
        template_version,
        values,
        latest_version: { content_hash, salt, created_at },
      };
    },

    async putPassport({ tenant, path, body }) {
      return writePassport(services, tenant, path.slug, body);
    },
  };
}
