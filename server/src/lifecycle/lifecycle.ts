/** The life of a product: its creation, its status, and its status with the product registry. */
import { productUrn, slugFromName } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { addFirstCarrier } from '../carriers/store.ts';
import { commitTogether } from '../database/group-commit.ts';
import { OperatorError } from '../operator-error.ts';
import { createPassports } from '../passports/write.ts';
import {
  type CreateProduct,
  findForeignActiveByGtin,
  type GtinOwner,
  insertProduct,
  lockGtin,
  lockProduct,
  type Product,
  type ProductStatus,
  updateProduct,
} from '../products/store.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/store.ts';

/** Creates a draft and its passport, in one transaction. */
export async function createProduct(
  { database, urnNamespace, now }: Pick<Services, 'database' | 'urnNamespace' | 'now'>,
  tenant: Pick<Tenant, 'id' | 'slug'>,
  product: CreateProduct,
): Promise<Product> {
  const wanted = { ...product, slug: product.slug ?? slugFromName(product.name) };
  return commitTogether(database, async (transaction) => {
    const urnOf = (taken: string): string => productUrn(urnNamespace, tenant.slug, taken);
    const created = await insertProduct(transaction, tenant.id, wanted, urnOf, now());
    await createPassports(transaction, tenant.id, [created]);
    return created;
  });
}

/** The product cannot change to this status. */
export class LifecycleError extends OperatorError {
  override readonly name: string = 'LifecycleError';
}

/** The statuses that may follow each. */
const moves: Record<ProductStatus, ProductStatus[]> = {
  draft: ['active', 'archived'],
  active: ['archived'],
  archived: ['active'],
};

/** Another tenant has an active product with this GTIN. */
export class GtinInUse extends LifecycleError {
  override readonly name = 'GtinInUse';

  constructor(slug: string, gtin: string, owner: GtinOwner) {
    const other = `${owner.tenant_slug}/${owner.slug}`;
    super(`${slug} was not activated: its GTIN ${gtin} is already active as ${other}, another tenant's product.`);
  }
}

/**
 * Changes the status of a product. An activated product with a GTIN has at least one data carrier.
 *
 * @param options.shareGtin activates the product even if its GTIN is active under another tenant
 * @returns the product, or `undefined` if the tenant has no product with this slug
 * @throws LifecycleError if the status cannot follow the present one
 * @throws GtinInUse
 */
export async function moveProduct(
  { database, now }: Pick<Services, 'database' | 'now'>,
  tenantId: string,
  slug: string,
  status: 'active' | 'archived',
  { shareGtin = false } = {},
): Promise<Product | undefined> {
  return database.transaction(async (transaction) => {
    const product = await lockProduct(transaction, tenantId, slug);
    if (!product) return undefined;
    if (!moves[product.status].includes(status)) {
      throw new LifecycleError(`${slug} is already ${status}.`);
    }
    if (status === 'archived') return updateProduct(transaction, tenantId, product, { status }, now());
    await lockGtinOf(transaction, tenantId, product, shareGtin);
    // Read under the lock, so that the product that is activated first has the earlier time.
    const time = now();
    if (product.gtin !== null) await addFirstCarrier(transaction, tenantId, product, time);
    return updateProduct(transaction, tenantId, product, { status, activated_at: time.toISOString() }, time);
  });
}

/** @throws GtinInUse unless it may be shared */
async function lockGtinOf(
  transaction: Knex.Transaction,
  tenantId: string,
  { slug, gtin }: Product,
  mayBeShared: boolean,
): Promise<void> {
  if (gtin === null) return;
  await lockGtin(transaction, gtin);
  const owner = mayBeShared ? undefined : await findForeignActiveByGtin(transaction, tenantId, gtin);
  if (owner) throw new GtinInUse(slug, gtin, owner);
}

export type RegistryStatus = Product['registry_status'];

/** The registry statuses that may follow each. */
const registryMoves: Record<RegistryStatus, RegistryStatus[]> = {
  none: ['ready'],
  ready: ['submitted'],
  submitted: ['registered', 'rejected'],
  registered: ['deactivated'],
  rejected: ['ready'],
  deactivated: [],
};

export const registryStatuses = Object.keys(registryMoves) as RegistryStatus[];

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
  const next = registryMoves[from];
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
