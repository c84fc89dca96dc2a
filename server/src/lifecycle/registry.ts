import type { Knex } from 'knex';
import { OperatorError } from '../operator-error.ts';
import { type Product, updateProduct } from '../products/store.ts';

/** The product cannot change to this status. */
export class LifecycleError extends OperatorError {
  override readonly name: string = 'LifecycleError';
}

export type RegistryStatus = Product['registry_status'];

/** The registry statuses, and those that may follow each. */
const moves = {
  none: ['ready'],
  ready: ['submitted'],
  submitted: ['registered', 'rejected'],
  registered: ['deactivated'],
  rejected: ['ready'],
  deactivated: [],
} as const satisfies Record<string, readonly string[]>;

export const registryStatuses = Object.keys(moves) as (keyof typeof moves)[];

/**
 * Changes a product's status with the product registry.
 *
 * @param product locked until the transaction ends
 * @param change.registryId the identifier that the registry gave; only for `registered`, which needs one
 * @throws LifecycleError if the status cannot follow the present one, or the identifier is missing or not allowed
 */
export async function moveRegistry(
  transaction: Knex.Transaction,
  tenantId: string,
  product: Product,
  { status, registryId, now }: { status: RegistryStatus; registryId: string | undefined; now: Date },
): Promise<Product> {
  checkRegistryId(status, registryId);
  const from = product.registry_status;
  const next = (moves as Record<string, readonly string[]>)[from] ?? [];
  if (!next.includes(status)) throw new LifecycleError(refusal(product.slug, from, status, next));
  const change = { registry_status: status, ...(registryId !== undefined && { registry_id: registryId }) };
  return updateProduct(transaction, tenantId, product, change, now);
}

function refusal(slug: string, from: RegistryStatus, to: RegistryStatus, next: readonly string[]): string {
  const advice = next.length === 0 ? 'It keeps this status.' : `It can become ${next.join(' or ')}.`;
  return from === to
    ? `the registry status of ${slug} is already ${to}. ${advice}`
    : `the registry status of ${slug} is ${from} and cannot become ${to}. ${advice}`;
}

/** @throws LifecycleError if the identifier is missing or not allowed */
export function checkRegistryId(status: RegistryStatus, registryId: string | undefined): void {
  if (status === 'registered' && (registryId === undefined || registryId.trim() === '')) {
    throw new LifecycleError('a registered product needs the identifier that the registry gave: add --registry-id.', 2);
  }
  if (status !== 'registered' && registryId !== undefined) {
    throw new LifecycleError('only a product that becomes registered gets an identifier: leave out --registry-id.', 2);
  }
}
