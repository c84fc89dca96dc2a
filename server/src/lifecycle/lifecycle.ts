/** The life of a product: its creation, its status, and its status with the product registry. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  type BlockingFinding,
  type Confirmed,
  dayOf,
  type ErrorCode,
  isTooOpen,
  notReadyMessage,
  productUrn,
  requirementsOn,
  slugFromName,
  type UniqueValue,
  uniqueValues,
  valueInUseMessage,
} from '@product-passport/openapi';
import type { Knex } from 'knex';
import { addFirstCarrier } from '../carriers/store.ts';
import { commitTogether } from '../database/group-commit.ts';
import { recorded } from '../database/state.ts';
import type { WaitAsLarge } from '../http/handlers.ts';
import { OperatorError } from '../operator-error.ts';
import { type Judgement, judge, storeConfirmed } from '../passports/confirm.ts';
import { confirmedIn, findPassport, type PassportRow, valuesIn } from '../passports/store.ts';
import { findInUse, type ValueInUse } from '../passports/unique.ts';
import { createPassports, readWhole } from '../passports/write.ts';
import { findForeignActive, lockWithGtin, storeStatusOfGtin } from '../products/gtins.ts';
import { type CreateProduct, findProduct, insertProduct, type Product, updateProduct } from '../products/store.ts';
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

  /** @param other `tenant/product` */
  constructor(slug: string, gtin: string, other: string) {
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

/** Another active product of the tenant has a value that must be unique. */
export class ValueIsInUse extends MoveError {
  override readonly name = 'ValueIsInUse';

  constructor({ field_key, slug }: ValueInUse) {
    super('value_in_use', valueInUseMessage(field_key, slug));
  }
}

/** Fields that are more open than their template, as somebody saw them. */
export interface Shown extends Pick<Product, 'updated_at'> {
  open: string[];
}

interface Move {
  status: 'active' | 'archived';
  /** Activates the product even if its GTIN is active under another tenant. Default: false. */
  shareGtin?: boolean;
  /** Default: a command. */
  by?: Author;
}

interface StatusChange extends Move, Confirmed {
  /** Fields that are confirmed like those of `open`, if the product has not changed since. */
  shown?: Shown | undefined;
  /** Publishes a passport that is not ready, but no value that is too open. */
  acceptFindings: boolean;
}

type Moving = Pick<Services, 'database' | 'now'>;

/** A passport as it is judged before it is published. */
interface Judged extends Judgement {
  row: PassportRow;
  unique: UniqueValue[];
  /** The keys of the required fields without a value. */
  missing: string[];
}

/** Judges a passport. Other requests run between the steps. */
async function judgePassport(
  { database, now }: Moving,
  named: { tenantId: string; slug: string },
  asked: Confirmed,
  waitAsLarge?: WaitAsLarge,
): Promise<Judged> {
  const { row, text } = await readWhole(database, named, waitAsLarge);
  const values = valuesIn(text);
  const template = templateOf(row.product_group);
  await yieldToEventLoop();
  const today = dayOf(now());
  const judgement = judge(template, { values, confirmed: confirmedIn(row.confirmed) }, asked, today);
  await yieldToEventLoop();
  const { missing } = requirementsOn(template, values, today);
  return { row, ...judgement, unique: uniqueValues(template, values), missing: missing.map(({ key }) => key) };
}

/** What a change of the status did. */
export interface Changed {
  product: Product;
  /** The fields that it confirmed. */
  used: string[];
  /** Whether the product had another status. */
  isMoved: boolean;
  /** The values that no other active product may have. */
  unique: UniqueValue[];
}

/**
 * Changes the status of a product for the API and for commands. A product that has the status stays as it is.
 *
 * The passport is judged without a lock, so that other writes do not wait for it.
 *
 * @returns `undefined` if the tenant has no product with this slug
 * @throws MoveError
 */
export async function changeStatus(
  { database, now }: Moving,
  tenant: Pick<Tenant, 'id'>,
  slug: string,
  { acceptFindings, open = [], own, shown, ...move }: StatusChange,
  waitAsLarge?: WaitAsLarge,
): Promise<Changed | undefined> {
  const named = { tenantId: tenant.id, slug };
  const isPublication = move.status === 'active';
  // A command has begun a transaction, and what it has shown is compared under the lock.
  const isInTransaction = database.isTransaction;
  const before = isInTransaction || !isPublication || shown ? undefined : await findProduct(database, tenant.id, slug);
  const judged =
    before && before.status !== 'active'
      ? await judgePassport({ database, now }, named, { open, own }, waitAsLarge)
      : undefined;

  /** Unless the passport has changed since it was judged. */
  async function judgedNow(transaction: Knex.Transaction, { updated_at }: Product): Promise<Judged> {
    const row = judged && (await findPassport(transaction, named));
    const isSame = judged && row?.version === judged.row.version && row.confirmed === judged.row.confirmed;
    if (isSame) return judged;
    const asked = { open: shown?.updated_at === updated_at ? [...open, ...shown.open] : open, own };
    return judgePassport({ database: transaction, now }, named, asked);
  }

  const change = async (transaction: Knex.Transaction): Promise<Changed | undefined> => {
    const locked = await lockWithGtin(transaction, tenant.id, slug);
    if (!locked) return undefined;
    if (locked.status === move.status) return { product: locked, used: [], isMoved: false, unique: [] };
    const product = await moveLocked({ database: transaction, now }, tenant.id, locked, move);
    if (!isPublication) return { product, used: [], isMoved: true, unique: [] };
    const { unique, blocking, missing, ...judgement } = await judgedNow(transaction, locked);
    // The move has locked the tenant's counts, so that no other activation is between this look-up and its commit.
    const [inUse] = await findInUse(transaction, tenant.id, product, unique);
    if (inUse) throw new ValueIsInUse(inUse);
    const faults = acceptFindings ? blocking.filter(isTooOpen) : blocking;
    const lacks = acceptFindings ? [] : missing;
    if (faults.length + lacks.length > 0) throw new NotReady(faults, lacks);
    await storeConfirmed(transaction, tenant, product, judgement);
    return { product, used: judgement.used, isMoved: true, unique };
  };
  if (isInTransaction) return database.transaction(change);
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
    const product = await lockWithGtin(transaction, tenantId, slug);
    return product && moveLocked({ database: transaction, now }, tenantId, product, { status, shareGtin });
  });
}

/**
 * An activated product with a GTIN has at least one data carrier.
 *
 * @param product locked with its GTIN until the transaction ends
 * @throws LifecycleError if the product has the status already, or its GTIN is in use
 */
async function moveLocked(
  { database: transaction, now }: { database: Knex.Transaction } & Pick<Services, 'now'>,
  tenantId: string,
  product: Product,
  { status, shareGtin = false, by = 'command' }: Move,
): Promise<Product> {
  if (product.status === status) throw new LifecycleError(`${product.slug} is already ${status}.`);
  const isActivated = status === 'active';
  if (isActivated && !shareGtin) await refuseForeign(transaction, tenantId, product);
  // Read under the lock, so that the product that is activated first has the earlier time.
  const time = now();
  if (isActivated && product.gtin !== null) await addFirstCarrier(transaction, tenantId, product, time);
  const change = { status, ...(isActivated && { activated_at: time.toISOString() }) };
  const moved = await updateProduct(transaction, tenantId, product, change, time);
  await storeStatusOfGtin(transaction, tenantId, moved);
  await insertStatusChange(transaction, tenantId, { product: moved, from: product.status, by });
  return moved;
}

/** @throws GtinInUse if the GTIN is active under another tenant */
async function refuseForeign(transaction: Knex.Transaction, tenantId: string, { slug, gtin }: Product): Promise<void> {
  const other = gtin === null ? undefined : await findForeignActive(transaction, tenantId, gtin);
  if (gtin !== null && other !== undefined) throw new GtinInUse(slug, gtin, other);
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
