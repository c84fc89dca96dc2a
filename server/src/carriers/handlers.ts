import { ContractError } from '../contract/errors.ts';
import type { Services } from '../http/app.ts';
import type { Handlers } from '../http/handlers.ts';
import { gtin14 } from '../products/rules.ts';
import { findProduct } from '../products/store.ts';
import { listCarriers } from './store.ts';

export function carrierHandlers({ database, siteUrl }: Services): Pick<Handlers, 'listCarriers'> {
  return {
    async listCarriers({ tenant, path }) {
      const product = await findProduct(database, tenant.id, path.slug);
      if (!product) throw new ContractError('not_found');
      if (product.gtin === null) return { items: [] };
      const gs1_digital_link = `${siteUrl()}/01/${gtin14(product.gtin)}`;
      const carriers = await listCarriers(database, tenant.id, product.id);
      return { items: carriers.map((carrier) => ({ ...carrier, gs1_digital_link })) };
    },
  };
}
