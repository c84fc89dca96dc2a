import type { Handlers } from '../http/handlers.ts';
import { countProducts } from '../products/store.ts';
import type { Services } from '../services.ts';

export function tenantHandlers({ database }: Services): Pick<Handlers, 'getMe'> {
  return {
    async getMe({ tenant }) {
      return { tenant, products_total: await countProducts(database, tenant.id) };
    },
  };
}
