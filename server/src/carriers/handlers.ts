import { ContractError } from '@product-passport/openapi';
import type { Handlers } from '../http/handlers.ts';
import { findProduct } from '../products/store.ts';
import type { Services } from '../services.ts';
import { shownCarrier } from './rules.ts';
import { listCarriers } from './store.ts';

export function carrierHandlers({ database, siteUrl }: Services): Pick<Handlers, 'listCarriers'> {
  return {
    async listCarriers({ tenant, path }) {
      const product = await findProduct(database, tenant.id, path.slug);
      if (!product) throw new ContractError('not_found');
      const { gtin } = product;
      if (gtin === null) return { items: [] };
      const carriers = await listCarriers(database, tenant.id, product.id);
      return { items: carriers.map((carrier) => shownCarrier(carrier, siteUrl(), gtin)) };
    },
  };
}
