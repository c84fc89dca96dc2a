import type { Services } from '../http/app.ts';
import type { Handlers } from '../http/handlers.ts';
import { countProducts } from '../products/store.ts';

export function tenantHandlers({ database }: Services): Pick<Handlers, 'getMe'> {
  return {
    async getMe({ tenant }) {
      return { tenant, products_total: await countProducts(database, tenant.id) };
    },
  };
}
