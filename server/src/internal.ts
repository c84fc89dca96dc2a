/**
 * Brings the server's database into a state from within the process, for the provider verifications and tests of this
 * repository. The package does not export it: other programs use `testing.ts`.
 */
import { addFirstCarrier } from './carriers/lifecycle.ts';
import { createPassport } from './passports/create.ts';
import { type CreateProduct, createProduct as create, type ProductCreation } from './products/create.ts';
import { moveProduct as move, type ProductMove } from './products/lifecycle.ts';
import type { Product } from './products/store.ts';
import type { Tenant } from './tenants/store.ts';

export { createLog } from './log/log.ts';
export { writePassport } from './passports/write.ts';
export type { Product } from './products/store.ts';
export { type PactSession, pactStates } from './sandbox/pact-states.ts';
export { createKey } from './tenants/keys.ts';
export { insertTenant, type Tenant } from './tenants/store.ts';

/** Creates a draft with its passport, as `POST /products` does. */
export function createProduct(
  services: Omit<ProductCreation, 'createPassport'>,
  tenant: Tenant,
  product: CreateProduct,
): Promise<Product> {
  return create({ ...services, createPassport }, tenant, product);
}

/** Activates or archives a product, as the command line does. */
export function moveProduct(
  services: Omit<ProductMove, 'addFirstCarrier'>,
  tenantId: string,
  slug: string,
  status: 'active' | 'archived',
  options: { shareGtin?: boolean } = {},
): Promise<Product | undefined> {
  return move({ ...services, addFirstCarrier }, tenantId, slug, status, options);
}
