/** Adds items of a model: products with its GTIN, each with a serial number and a passport of its own. */
import { randomBytes } from 'node:crypto';
import {
  type AccessLevel,
  type Confirmed,
  ContractError,
  canonical,
  dayOf,
  gtin14,
  mergeValues,
  type PassportValue,
  type PassportValueInput,
  productUrn,
  serialsOf,
  slugFromName,
  union,
} from '@product-passport/openapi';
import type { Knex } from 'knex';
import { insertRowsOf, textsOf } from '../database/statement.ts';
import { changeStatus, MoveError } from '../lifecycle/lifecycle.ts';
import { OperatorError } from '../operator-error.ts';
import { insertVersions, listConfirmed, walkValues } from '../passports/store.ts';
import { newPassport } from '../passports/write.ts';
import { lockGtin } from '../products/gtins.ts';
import {
  freeSlugs,
  insertProducts,
  lockProduct,
  lockProducts,
  type Product,
  takePositions,
} from '../products/store.ts';
import type { Services } from '../services.ts';
import { belongsTo, blockingIn, type Template, templateOf } from '../templates/catalogue.ts';
import { lockLanguage, type Tenant } from '../tenants/store.ts';
import { refuseUnfinished, requireModel, unfinishedOf } from './model.ts';

/** An item as a file has it. */
export interface ItemRow {
  line: number;
  serial: string;
  /** Of the item, the serial number among them. They replace those of the model. */
  values: readonly { field_key: string; value: unknown }[];
}

/** What became of a row. */
export type Outcome = { line: number } & (
  | { is: 'added' | 'there'; slug: string; status: Product['status']; isActivated?: true; notActivated?: string }
  | { is: 'refused'; field_key?: string; error: string }
);

interface Adding {
  tenant: Pick<Tenant, 'id' | 'slug'>;
  /** The slug of the model. */
  model: string;
  /** Who may see the serial numbers. Default: those whom the template shows them, without one everybody. */
  serialLevel?: AccessLevel | undefined;
  /** Columns of the file that are fields of one's own, also if their keys are close to one of the template. */
  own?: readonly string[] | undefined;
}

/** Whether a link can have a serial number: at most 20 characters that GS1 allows, and no dots alone. */
export function fitsLink(serial: string): boolean {
  const value = { field_key: 'serial_number', value: serial, access_level: 'public' } as PassportValue;
  return serialsOf([value]).public_serial !== null;
}

/** What each new item has of its model. */
interface Beginning {
  model: Product;
  template: Template;
  values: PassportValue[];
  confirmed: Confirmed;
}

/**
 * Adds items, each whole or not at all. One whose serial number is there is left as it is.
 *
 * @param rows each with another serial number
 * @returns an outcome for each row, in their order
 * @throws OperatorError if the model is not there, or cannot have items
 */
export async function addItems(
  { database: transaction, urnNamespace, now }: { database: Knex.Transaction } & Pick<Services, 'urnNamespace' | 'now'>,
  rows: readonly ItemRow[],
  { tenant, model: slug, serialLevel, own }: Adding,
): Promise<Outcome[]> {
  const time = now();
  const model = await lockProduct(transaction, tenant.id, slug);
  if (!model) throw new OperatorError(`the tenant ${tenant.slug} has no product ${slug}.`);
  refuseUnfinished(model, await unfinishedOf(transaction, tenant.id, model.id));
  const language = (await lockLanguage(transaction, tenant.id)) ?? '';
  const beginning = await beginningOf(transaction, tenant.id, model);
  // Locks the numbers of new products, so that no other process takes a slug or a serial number of these rows.
  await takePositions(transaction, tenant.id, 0);

  const there = await itemsThere(transaction, tenant.id, model, rows);
  const outcomes: Outcome[] = [];
  const made: (Made & { outcome: { slug: string } })[] = [];
  for (const row of rows) {
    const { line, serial } = row;
    const known = there.get(serial);
    if (known) {
      const other = differing(beginning.template, row, known.values, language);
      outcomes.push(
        other === undefined
          ? { line, is: 'there', slug: known.slug, status: known.status }
          : { line, is: 'refused', field_key: other, error: `is another in ${known.slug}, which is this item` },
      );
      continue;
    }
    const item = itemOf(row, beginning, { language, serialLevel, own, time });
    if ('error' in item) {
      outcomes.push({ line, is: 'refused', ...item });
      continue;
    }
    const outcome: Outcome & { is: 'added' | 'there' } = { line, is: 'added', slug: item.slug, status: 'draft' };
    made.push({ ...item, outcome });
    outcomes.push(outcome);
  }
  const slugs = await freeSlugs(
    transaction,
    tenant.id,
    made.map((item) => item.slug),
  );
  made.forEach((item, index) => {
    item.slug = slugs[index] ?? item.slug;
    item.outcome.slug = item.slug;
  });
  const urnOf = (taken: string) => productUrn(urnNamespace, tenant.slug, taken);
  await store(transaction, tenant.id, model, made, { urnOf, time });
  return outcomes;
}

async function beginningOf(transaction: Knex.Transaction, tenantId: string, model: Product): Promise<Beginning> {
  const { values: all, confirmed } = await listConfirmed(transaction, tenantId, model.id);
  requireModel(model, all);
  const template = templateOf(model.product_group);
  const values = all.filter(({ field_key }) => belongsTo(template, field_key) === 'model');
  const keys = new Set(values.map(({ field_key }) => field_key));
  const kept = (fields: readonly string[] = []) => fields.filter((field) => keys.has(field));
  return { model, template, values, confirmed: { open: kept(confirmed.open), own: kept(confirmed.own) } };
}

type There = Pick<Product, 'slug' | 'status'> & { values: PassportValue[] };

/** The products of the tenant with this GTIN and one of the serial numbers, whatever their slug and status. */
async function itemsThere(
  transaction: Knex.Transaction,
  tenantId: string,
  { gtin }: Product,
  rows: readonly ItemRow[],
): Promise<Map<string, There>> {
  const serials = JSON.stringify(rows.map(({ serial }) => serial));
  const found: (Pick<Product, 'id' | 'slug' | 'status'> & { serial_number: string })[] = await transaction('products')
    .where({ tenant_id: tenantId, gtin14: gtin14(gtin ?? '') })
    .whereRaw(`serial_number IN (${textsOf(transaction)})`, serials)
    .select('id', 'slug', 'status', 'serial_number');
  const there = new Map<string, There>();
  for await (const { row, values } of walkValues(transaction, tenantId, found)) {
    there.set(row.serial_number, { ...row, values });
  }
  return there;
}

/** The first field of a row that an item has with another value. */
function differing(
  template: Template,
  row: ItemRow,
  values: readonly PassportValue[],
  language: string,
): string | undefined {
  const stored = new Map(values.filter(({ locale }) => locale === language).map((value) => [value.field_key, value]));
  return row.values.find(({ field_key, value }) => {
    const one = stored.get(field_key);
    const field = template.fields.find(({ key }) => key === field_key);
    const isSame = one && !one.is_unknown && canonical(one.value) === canonical(value);
    return !isSame || (field && one.unit !== field.unit);
  })?.field_key;
}

interface Made {
  slug: string;
  values: PassportValue[];
  passport: ReturnType<typeof newPassport>;
}

/**
 * A value of a row as it is written. One that the passport has keeps its level. A new one has that of the template.
 *
 * @param known the keys of the fields that the passport has
 */
export function inputOf(
  { field_key, value }: ItemRow['values'][number],
  { fields }: Template,
  known: ReadonlySet<string>,
  serialLevel?: AccessLevel,
): PassportValueInput {
  const field = fields.find(({ key }) => key === field_key);
  const access_level = (field_key === 'serial_number' && serialLevel) || field?.access_level;
  return {
    field_key,
    value,
    ...(field && { unit: field.unit }),
    ...(access_level !== undefined && !known.has(field_key) && { access_level }),
  };
}

/** An item with the values of its model and its row, or why it cannot be. */
function itemOf(
  { values: given }: ItemRow,
  { model, template, values: ofModel, confirmed: confirmedOfModel }: Beginning,
  { language, serialLevel, own = [], time }: Pick<Adding, 'serialLevel' | 'own'> & { language: string; time: Date },
): Made | { field_key?: string; error: string } {
  const now = time.toISOString();
  const copied = ofModel.map((value) => ({
    ...value,
    source: 'import' as const,
    needs_review: false,
    updated_at: now,
  }));
  const known = new Set(copied.map(({ field_key }) => field_key));
  const inputs = given.map((value) => inputOf(value, template, known, serialLevel));
  const { values } = mergeValues(copied, inputs, language, now);
  const named = new Set(given.map(({ field_key }) => field_key));
  const confirmed = union(confirmedOfModel, { own: own.filter((key) => named.has(key)) });
  const [fault] = blockingIn(template, values, dayOf(time), confirmed, named);
  if (fault)
    return {
      field_key: fault.field_key,
      error: `${fault.at.replace(/^value|^field_key/, '')} ${fault.why}`.trimStart(),
    };
  try {
    const passport = newPassport(model.product_group, values, now, confirmed);
    const { public_serial } = passport.ofPassport;
    // The slug must not give a serial number away that is not public.
    const ending = public_serial ?? Array.from(randomBytes(8), (byte) => (byte % 36).toString(36)).join('');
    return { slug: slugFromName(`${model.slug.slice(0, 79)}-${ending}`), values, passport };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return { error: error.detail ?? error.code };
  }
}

async function store(
  transaction: Knex.Transaction,
  tenantId: string,
  { name, product_group, gtin, model }: Product,
  made: readonly Made[],
  { urnOf, time }: { urnOf: (slug: string) => string; time: Date },
): Promise<void> {
  if (made.length === 0) return;
  const products = await insertProducts(
    transaction,
    tenantId,
    made.map(({ slug, passport: { ofPassport } }) => {
      return { ...{ name, product_group, gtin, model, slug }, status: 'draft' as const, ofPassport };
    }),
    urnOf,
    time,
  );
  const versions = made.map(({ passport }, index) => ({ ...passport.version, product_id: products[index]?.id ?? '' }));
  await insertVersions(transaction, tenantId, versions);
  const rows = made.flatMap(({ values }, index) =>
    values.map((value) => ({
      product_id: products[index]?.id,
      ...value,
      value: JSON.stringify(value.value),
    })),
  );
  await insertRowsOf(transaction, tenantId, 'passport_values', rows);
}

/**
 * Publishes what is ready, also of the drafts that were there. A transaction of its own has no locks that other changes of
 * a status take after that of a product.
 *
 * @param model of the items
 */
export async function activateItems(
  services: { database: Knex.Transaction } & Pick<Services, 'now'>,
  tenant: Pick<Tenant, 'id'>,
  model: Pick<Product, 'gtin'>,
  outcomes: readonly Outcome[],
): Promise<void> {
  const drafts = outcomes.filter((outcome) => outcome.is !== 'refused').filter(({ status }) => status === 'draft');
  await lockGtin(services.database, model.gtin);
  await lockProducts(
    services.database,
    tenant.id,
    drafts.map(({ slug }) => slug),
  );
  for (const outcome of drafts) {
    try {
      const done = await changeStatus(services, tenant, outcome.slug, { status: 'active', acceptFindings: false });
      if (!done) continue;
      outcome.status = done.product.status;
      if (done.isMoved) outcome.isActivated = true;
    } catch (error) {
      if (!(error instanceof MoveError)) throw error;
      outcome.notActivated = error.message;
    }
  }
}
