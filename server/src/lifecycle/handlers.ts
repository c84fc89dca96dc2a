import type { Handlers } from '../http/handlers.ts';
import type { Services } from '../services.ts';
import { createProduct } from './lifecycle.ts';

export function lifecycleHandlers(services: Services): Pick<Handlers, 'createProduct'> {
  return { createProduct: ({ tenant, body }) => createProduct(services, tenant, body) };
}
