import { ContractError } from '../contract/errors.ts';
import { Encoded } from '../http/encoded.ts';
import type { Handlers } from '../http/handlers.ts';
import { createProduct, type ProductCreation } from './create.ts';
import { listProducts } from './list.ts';
import { findProduct } from './store.ts';

export function productHandlers(
  creation: ProductCreation,
): Pick<Handlers, 'listProducts' | 'createProduct' | 'getProduct'> {
  const { database } = creation;
  return {
    async listProducts({ tenant, query }) {
      const { status, search, limit, offset } = query;
      const { items, total } = await listProducts(database, tenant.id, { status, search }, { limit, offset });
      return Encoded.ofJson('{"items":', items, `,"total":${total},"limit":${limit},"offset":${offset}}`);
    },

    async createProduct({ tenant, body }) {
      return createProduct(creation, tenant, body);
    },

    async getProduct({ tenant, path }) {
      const product = await findProduct(database, tenant.id, path.slug);
      if (!product) throw new ContractError('not_found');
      return product;
    },
  };
}
