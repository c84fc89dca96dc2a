import { ContractError, type PassportValue, type Schemas } from '@product-passport/openapi';
import { snapshot } from '../database/connection.ts';
import { Encoded } from '../http/encoded.ts';
import type { Handlers } from '../http/handlers.ts';
import type { Services } from '../services.ts';
import type { PassportCache } from './cache.ts';
import { findPassport, listValues, type PassportRow } from './store.ts';
import { writePassport } from './write.ts';

export function passportHandlers(
  services: Services,
  cache: PassportCache,
): Pick<Handlers, 'getPassport' | 'putPassport'> {
  const { database } = services;
  return {
    async getPassport({ tenant, path: { slug } }) {
      const named = { tenantId: tenant.id, slug };
      const row = await findPassport(database, named);
      if (!row) throw new ContractError('not_found');
      return cache.get(JSON.stringify(row), async () => {
        // The first read may be older than the values.
        const found = await snapshot(database, async (transaction) => {
          const latest = await findPassport(transaction, named);
          return latest && { row: latest, values: await listValues(transaction, tenant.id, latest.id) };
        });
        if (!found) throw new ContractError('not_found');
        // Cached under the first row. The status may have changed in between, which makes no version.
        const isSame = found.row.version === row.version;
        return Encoded.of(passportOf(isSame ? row : found.row, found.values));
      });
    },

    async putPassport({ tenant, path, body }) {
      return writePassport(services, tenant, path.slug, body);
    },
  };
}

function passportOf(row: PassportRow, values: PassportValue[]): Schemas['Passport'] {
  const { id, name, slug, status, completeness, template_version, content_hash, salt, versioned_at } = row;
  return {
    product: { id, name, slug, status, completeness },
    template_version,
    values,
    latest_version: { content_hash, salt, created_at: versioned_at },
  };
}
