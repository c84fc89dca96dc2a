import { ContractError } from '../contract/errors.ts';
import type { Schemas } from '../contract/types.ts';
import { queueRead } from '../database/connection.ts';
import { Encoded } from '../http/encoded.ts';
import type { Handlers } from '../http/handlers.ts';
import type { Services } from '../services.ts';
import { readWithValues } from './read.ts';
import type { Renderings } from './renderings.ts';
import type { PassportValue } from './rules.ts';
import { findPassport, type PassportHead } from './store.ts';
import { writePassport } from './write.ts';

export function passportHandlers(
  services: Services,
  renderings: Renderings,
): Pick<Handlers, 'getPassport' | 'putPassport'> {
  const { database } = services;
  return {
    async getPassport({ tenant, path: { slug } }) {
      const named = { tenantId: tenant.id, slug };
      const head = await findPassport(database, named);
      if (!head) throw new ContractError('not_found');
      return renderings.get(tenant.id, JSON.stringify(head), async () => {
        const found = await queueRead(database, tenant.id, () =>
          readWithValues(database, (transaction) => findPassport(transaction, named)),
        );
        if (!found) throw new ContractError('not_found');
        // Kept under the first head. Another status may have come in between, which makes no version.
        const isSame = found.head.version === head.version;
        return Encoded.of(passportOf(isSame ? head : found.head, found.values));
      });
    },

    async putPassport({ tenant, path, body }) {
      return writePassport(services, tenant, path.slug, body);
    },
  };
}

function passportOf(head: PassportHead, values: PassportValue[]): Schemas['Passport'] {
  const { id, name, slug, status, completeness, template_version, content_hash, salt, versioned_at } = head;
  return {
    product: { id, name, slug, status, completeness },
    template_version,
    values,
    latest_version: { content_hash, salt, created_at: versioned_at },
  };
}
