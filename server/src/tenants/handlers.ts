import type { Handlers } from '../http/handlers.ts';

interface TenantServices {
  /** How many products the tenant has, of every status. */
  countProducts: (tenantId: string) => Promise<number>;
}

export function tenantHandlers({ countProducts }: TenantServices): Pick<Handlers, 'getMe'> {
  return {
    async getMe({ tenant }) {
      return { tenant, products_total: await countProducts(tenant.id) };
    },
  };
}
