/** The life of a product: its creation, its status, and its status with the product registry. */
import {
  type BlockingFinding,
  type Confirmed,
  canMove,
  dayOf,
  type ErrorCode,
  isTooOpen,
  notReadyMessage,
  productUrn,
  requirementsOn,
  slugFromName,
} from '@product-passport/openapi';
import type { Knex } from 'knex';
import { addFirstCarrier } from '../carriers/store.ts';
import { commitTogether } from '../database/group-commit.ts';
import { recorded } from '../database/state.ts';
import { OperatorError } from '../operator-error.ts';
import { confirmFields } from '../passports/confirm.ts';
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
import { templateOf } from '../templates/catalogue.ts';
import type { Tenant } from '../tenants/store.ts';
import { type Author, insertStatusChange } from './status-changes.ts';

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

/** The product cannot have this status now. The message is for the operator, and the code for the API. */
export class MoveError extends LifecycleError {
  override readonly name: string = 'MoveError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Another tenant has an active product with this GTIN. */
export class GtinInUse extends MoveError {
  override readonly name = 'GtinInUse';

  constructor(slug: string, gtin: string, owner: GtinOwner) {
    const other = `${owner.tenant_slug}/${owner.slug}`;
    const message = `${slug} was not activated: its GTIN ${gtin} is already active as ${other}, another tenant's product.`;
    super('gtin_in_use', message);
  }
}

/** The passport is not ready, and nobody accepted what is wrong with it. */
export class NotReady extends MoveError {
  override readonly name = 'NotReady';
  /** What blocks. */
  readonly blocking: readonly BlockingFinding[];

  /** @param missing the keys of the required fields without a value */
  constructor(blocking: readonly BlockingFinding[], missing: readonly string[]) {
    super('not_ready', notReadyMessage(blocking, missing));
    this.blocking = blocking;
  }
}

interface Move {
  status: ProductStatus;
  /** Activates the product even if its GTIN is active under another tenant. Default: false. */
  shareGtin?: boolean;
  /** Default: a command. */
  by?: Author;
}

interface StatusChange extends Move, Confirmed {
  /** Publishes a passport that is not ready, but no value that is too open. */
  acceptFindings: boolean;
}

type Moving = Pick<Services, 'database' | 'now'>;

/**
 * Changes the status of a product for the API and for commands. A product that has the status stays as it is.
 *
 * @returns the product, the fields that were confirmed, and whether the product had another status; `undefined` if the
 *   tenant has no product with this slug
 * @throws MoveError
 */
export function changeStatus(
  { database, now }: Moving,
  tenant: Pick<Tenant, 'id'>,
  slug: string,
  { acceptFindings, open, own, ...move }: StatusChange,
): Promise<{ product: Product; used: string[]; isMoved: boolean } | undefined> {
  const change = async (transaction: Knex.Transaction) => {
    const before = await lockProduct(transaction, tenant.id, slug);
    if (!before) return undefined;
    if (before.status === move.status) return { product: before, used: [], isMoved: false };
    const product = await moveLocked({ database: transaction, now }, tenant.id, before, move);
    if (move.status !== 'active') return { product, used: [], isMoved: true };
    const today = dayOf(now());
    const { values, blocking, used } = await confirmFields(transaction, tenant, product, { open, own }, today);
    const { missing } = requirementsOn(templateOf(product.product_group), values, today);
    const faults = acceptFindings ? blocking.filter(isTooOpen) : blocking;
    const lacks = acceptFindings ? [] : missing.map(({ key }) => key);
    if (faults.length + lacks.length > 0) throw new NotReady(faults, lacks);
    return { product, used, isMoved: true };
  };
  // A command has begun a transaction.
  if (database.isTransaction) return database.transaction(change);
  return recorded(database, () => database.transaction(change));
}

/**
 * Changes the status of a product, whatever is wrong with its passport: for demos and tests.
 *
 * @returns the product, or `undefined` if the tenant has no product with this slug
 * @throws MoveError
 */
export async function moveProduct(
  { database, now }: Moving,
  tenantId: string,
  slug: string,
  status: 'active' | 'archived',
  { shareGtin = false } = {},
): Promise<Product | undefined> {
  return database.transaction(async (transaction) => {
    const product = await lockProduct(transaction, tenantId, slug);
    return product && moveLocked({ database: transaction, now }, tenantId, product, { status, shareGtin });
  });
}

/**
 * An activated product with a GTIN has at least one data carrier.
 *
 * @param product locked until the transaction ends
 * @throws MoveError
 */
async function moveLocked(
  { database: transaction, now }: { database: Knex.Transaction } & Pick<Services, 'now'>,
  tenantId: string,
  product: Product,
  { status, shareGtin = false, by = 'command' }: Move,
): Promise<Product> {
  if (!canMove(product.status, status))
    throw new MoveError('invalid_transition', `${product.slug} is already ${status}.`);
  const isActivated = status === 'active';
  if (isActivated) await lockGtinOf(transaction, tenantId, product, shareGtin);
  // Read under the lock, so that the product that is activated first has the earlier time.
  const time = now();
  if (isActivated && product.gtin !== null) await addFirstCarrier(transaction, tenantId, product, time);
  const change = { status, ...(isActivated && { activated_at: time.toISOString() }) };
  const moved = await updateProduct(transaction, tenantId, product, change, time);
  await insertStatusChange(transaction, tenantId, { product: moved, from: product.status, by });
  return moved;
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
