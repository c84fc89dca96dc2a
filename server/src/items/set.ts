/** Changes a model together with its items. */
import {
  type BlockingFinding,
  type Confirmed,
  ContractError,
  canonical,
  dayOf,
  gtin14,
  isTooOpen,
  mergeValues,
  type PassportValue,
  type PassportValueInput,
  union,
} from '@product-passport/openapi';
import type { Knex } from 'knex';
import { OperatorError } from '../operator-error.ts';
import { TooOpen, writeForCommand } from '../passports/confirm.ts';
import { confirmedIn, confirmedText, listConfirmed, walkValues } from '../passports/store.ts';
import { newPassport, stillConfirmed } from '../passports/write.ts';
import { countProducts, lockProduct, lockProducts, type Product } from '../products/store.ts';
import type { Services } from '../services.ts';
import { belongsTo, blockingIn, templateOf } from '../templates/catalogue.ts';
import { lockLanguage, type Tenant } from '../tenants/store.ts';
import { changeIn, refuseUnfinished, requireModel, type UnfinishedChange, unfinishedOf } from './model.ts';

/** What a change of a model did to its items. */
export interface Written {
  /** Items that were written. */
  written: number;
  /** Items that had the new values. */
  same: number;
  /** Items that keep a value of their own. */
  own: number;
  /** Items that stay as they are, each with the reason. */
  refused: { item: string; error: string }[];
}

type Writing = { database: Knex.Transaction } & Pick<Services, 'now'>;

/**
 * Stores the change before the first item is written.
 *
 * @returns the change and what does not fit, or `undefined` if the model has these values
 * @throws OperatorError if the model cannot be changed with its items
 * @throws ContractError `invalid_request` if the model would have too many values or bytes
 */
export async function beginChange(
  { database: transaction, now }: Writing,
  tenant: Pick<Tenant, 'id'>,
  slug: string,
  inputs: PassportValueInput[],
  asked: Confirmed,
): Promise<{ change: UnfinishedChange; blocking: BlockingFinding[] } | undefined> {
  const model = await lockProduct(transaction, tenant.id, slug);
  if (!model) throw new OperatorError(`there is no product ${slug}.`);
  const { values, confirmed } = await listConfirmed(transaction, tenant.id, model.id);
  requireModel(model, values);
  refuseUnfinished(model, await unfinishedOf(transaction, tenant.id, model.id));
  const template = templateOf(model.product_group);
  const ofItems = inputs.map(({ field_key }) => field_key).filter((key) => belongsTo(template, key) === 'item');
  if (ofItems.length > 0) {
    throw new OperatorError(`each item has its own ${ofItems.join(', ')}. Write these with \`passport import\`.`);
  }
  const language = (await lockLanguage(transaction, tenant.id)) ?? '';
  const time = now().toISOString();
  const { values: merged, changed, replaced } = mergeValues(values, inputs, language, time);
  if (changed.length === 0) return undefined;
  const named = new Set(changed.map(({ field_key }) => field_key));
  newPassport(model.product_group, merged, time, {});
  // As the write of the model will find it.
  const still = confirmedIn(stillConfirmed(confirmedText(confirmed), merged, replaced));
  const found = blockingIn(template, merged, dayOf(time), union(still, asked), named);
  const open = found.filter(isTooOpen);
  if (open.length > 0) throw new TooOpen(`nothing was written, because the items of ${slug} would be public`, open);
  const old = replaced.flatMap(({ value }) => (value ? [value] : []));
  const change = { old, new: changed, open: asked.open ?? [] };
  await storeUnfinished(transaction, tenant.id, model.id, JSON.stringify(change));
  return { change, blocking: found };
}

/**
 * Goes on with a change.
 *
 * @param open fields that are confirmed, too
 * @throws OperatorError if there is none
 */
export async function resumeChange(
  transaction: Knex.Transaction,
  tenant: Pick<Tenant, 'id'>,
  slug: string,
  open: readonly string[] = [],
): Promise<UnfinishedChange> {
  const { model, change } = await lockUnfinished(transaction, tenant.id, slug);
  const resumed = { ...change, open: [...new Set([...change.open, ...open])] };
  await storeUnfinished(transaction, tenant.id, model.id, JSON.stringify(resumed));
  return resumed;
}

/** @throws OperatorError if the model has no unfinished change */
async function lockUnfinished(
  transaction: Knex.Transaction,
  tenantId: string,
  slug: string,
): Promise<{ model: Product; change: UnfinishedChange }> {
  const model = await lockProduct(transaction, tenantId, slug);
  const unfinished = model ? await unfinishedOf(transaction, tenantId, model.id) : null;
  if (!model || unfinished === null) throw new OperatorError(`${slug} has no unfinished change.`);
  return { model, change: changeIn(unfinished) };
}

async function storeUnfinished(
  transaction: Knex.Transaction,
  tenantId: string,
  id: string,
  unfinished: string | null,
): Promise<void> {
  await transaction('products').where({ tenant_id: tenantId, id }).update({ unfinished });
}

/** Products of a tenant that are looked at in one transaction. */
const itemsAtOnce = 100;

/**
 * The items of a model, in the order of their creation.
 *
 * @returns slugs and ids, page by page
 */
export async function* walkItems(
  database: Knex,
  tenantId: string,
  { gtin }: Pick<Product, 'gtin'>,
): AsyncGenerator<Pick<Product, 'id' | 'slug'>[]> {
  const total = await countProducts(database, tenantId);
  for (let after = 0; after < total; after += itemsAtOnce) {
    const page = database('products')
      .where({ tenant_id: tenantId })
      .where('position', '>', after)
      .where('position', '<=', after + itemsAtOnce)
      .where({ gtin14: gtin14(gtin ?? '') })
      .whereNotNull('serial_number')
      .orderBy('position')
      .select('id', 'slug');
    yield await page;
  }
}

/** What a change does to the values of an item. */
function itemChange(
  values: readonly PassportValue[],
  { old, new: wanted }: UnfinishedChange,
): { inputs: PassportValueInput[]; own: number } {
  const stored = new Map(values.map((value) => [keyOf(value), value]));
  const before = new Map(old.map((value) => [keyOf(value), value]));
  const inputs: PassportValueInput[] = [];
  let own = 0;
  for (const value of wanted) {
    const has = stored.get(keyOf(value));
    if (contentOf(has) === contentOf(value)) continue;
    if (contentOf(has) === contentOf(before.get(keyOf(value)))) inputs.push(inputOf(value, has));
    else own += 1;
  }
  return { inputs, own };
}

function keyOf({ field_key, locale }: Pick<PassportValue, 'field_key' | 'locale'>): string {
  return JSON.stringify([field_key, locale]);
}

/** What is compared of a value: not its level, which is the item's own. */
function contentOf(value: Pick<PassportValue, 'value' | 'unit' | 'is_unknown'> | undefined): string | undefined {
  return value && canonical([value.value, value.unit, value.is_unknown]);
}

function inputOf({ field_key, value, unit, is_unknown, access_level }: PassportValue, has: PassportValue | undefined) {
  return { field_key, value, unit, is_unknown, ...(!has && { access_level }) };
}

/**
 * Locks the model of a change.
 *
 * @throws OperatorError if another process has finished the change, or given it up
 */
async function lockChanging(
  transaction: Knex.Transaction,
  tenantId: string,
  slug: string,
  change: UnfinishedChange,
): Promise<Product> {
  const model = await lockProduct(transaction, tenantId, slug);
  const unfinished = model ? await unfinishedOf(transaction, tenantId, model.id) : null;
  // Not what is confirmed: `--continue` of another process may have added to it.
  const contentOf = (one: UnfinishedChange) => canonical([one.old, one.new]);
  if (model && unfinished !== null && contentOf(changeIn(unfinished)) === contentOf(change)) return model;
  throw new OperatorError(`another process has finished this change of ${slug}, or given it up.`);
}

/**
 * Writes some items, each locked, whole or not at all.
 *
 * @param slug of the model
 * @param isStored whether the change is stored with the model: a dry run stores none
 * @throws OperatorError if another process has finished the change, or given it up
 */
export async function changeItems(
  services: Writing,
  tenant: Pick<Tenant, 'id'>,
  slug: string,
  items: readonly Pick<Product, 'slug'>[],
  change: UnfinishedChange,
  isStored: boolean,
): Promise<Written> {
  const { database } = services;
  await lockProducts(database, tenant.id, [slug, ...items.map((item) => item.slug)]);
  if (isStored) await lockChanging(database, tenant.id, slug, change);
  const locked: Product[] = [];
  for (const item of items) {
    const product = await lockProduct(database, tenant.id, item.slug);
    if (product) locked.push(product);
  }
  const done: Written = { written: 0, same: 0, own: 0, refused: [] };
  for await (const { row, values } of walkValues(database, tenant.id, locked)) {
    const { inputs, own } = itemChange(values, change);
    const error = inputs.length > 0 ? await refusalOf(services, tenant, row, inputs, change) : undefined;
    if (error !== undefined) done.refused.push({ item: row.slug, error });
    else if (inputs.length > 0) done.written += 1;
    else if (own === 0) done.same += 1;
    if (own > 0) done.own += 1;
  }
  return done;
}

/** Writes an item. @returns why it cannot be */
async function refusalOf(
  { database, now }: Writing,
  tenant: Pick<Tenant, 'id'>,
  item: Product,
  inputs: PassportValueInput[],
  { open }: UnfinishedChange,
): Promise<string | undefined> {
  try {
    await database.transaction((savepoint) =>
      writeForCommand({ database: savepoint, now }, tenant, item, inputs, { open }),
    );
    return undefined;
  } catch (error) {
    if (error instanceof TooOpen) return error.message;
    if (error instanceof ContractError) return error.detail ?? error.code;
    throw error;
  }
}

/**
 * Writes the model and removes the note of its change.
 *
 * @returns the fields that the model keeps, because somebody wrote them since the change was stored
 * @throws OperatorError if another process has finished the change, or given it up
 */
export async function endChange(
  services: Writing,
  tenant: Pick<Tenant, 'id'>,
  slug: string,
  change: UnfinishedChange,
): Promise<string[]> {
  const { database } = services;
  const model = await lockChanging(database, tenant.id, slug, change);
  const { values } = await listConfirmed(database, tenant.id, model.id);
  const stored = new Map(values.map((value) => [keyOf(value), value]));
  const before = new Map(change.old.map((value) => [keyOf(value), value]));
  const kept: string[] = [];
  const inputs = change.new.flatMap(({ locale, updated_at: _time, access_level, ...input }) => {
    const [has, old] = [stored, before].map((one) => one.get(keyOf({ field_key: input.field_key, locale })));
    const content = contentOf(has);
    if (content !== contentOf(old) && content !== contentOf(input)) {
      kept.push(input.field_key);
      return [];
    }
    return [{ ...input, ...(has?.access_level === old?.access_level && { access_level }) }];
  });
  if (inputs.length > 0) await writeForCommand(services, tenant, model, inputs, { open: change.open });
  await storeUnfinished(database, tenant.id, model.id, null);
  return kept;
}

/**
 * Gives a change up: items that were written keep their new values.
 *
 * @throws OperatorError if there is none
 */
export async function abandonChange(
  transaction: Knex.Transaction,
  tenantId: string,
  slug: string,
): Promise<UnfinishedChange> {
  const { model, change } = await lockUnfinished(transaction, tenantId, slug);
  await storeUnfinished(transaction, tenantId, model.id, null);
  return change;
}

/** The slugs of items that have a new value of a change, page by page. */
export async function* writtenItems(
  database: Knex,
  tenantId: string,
  model: Pick<Product, 'gtin'>,
  { old, new: wanted }: UnfinishedChange,
): AsyncGenerator<string[]> {
  const before = new Map(old.map((value) => [keyOf(value), value]));
  // A new level is none of the items.
  const changed = wanted.filter((value) => contentOf(value) !== contentOf(before.get(keyOf(value))));
  for await (const items of walkItems(database, tenantId, model)) {
    const slugs: string[] = [];
    for await (const { row, values } of walkValues(database, tenantId, items)) {
      const stored = new Map(values.map((value) => [keyOf(value), value]));
      if (changed.some((value) => contentOf(stored.get(keyOf(value))) === contentOf(value))) slugs.push(row.slug);
    }
    yield slugs;
  }
}
