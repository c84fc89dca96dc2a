import { ContractError } from '@product-passport/openapi';
import { Encoded } from '../http/encoded.ts';
import type { Handlers } from '../http/handlers.ts';
import type { Services } from '../services.ts';
import { listProducts } from './list.ts';
import { countProducts, findProduct } from './store.ts';

export function productHandlers({ database }: Services): Pick<Handlers, 'getMe' | 'listProducts' | 'getProduct'> {
  return {
    getMe: async ({ tenant }) => ({ tenant, products_total: await countProducts(database, tenant.id) }),

    async listProducts({ tenant, query }) {
      const { limit, offset, ...filter } = query;
      const { items, total } = await listProducts(database, tenant.id, filter, { limit, offset });
      return Encoded.ofJson('{"items":', items, `,"total":${total},"limit":${limit},"offset":${offset}}`);
    },

    async getProduct({ tenant, path }) {
      const product = await findProduct(database, tenant.id, path.slug);
      if (!product) throw new ContractError('not_found');
      return product;
    },
  };
}
