import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  byteLength,
  ContractError,
  completeness,
  dayOf,
  formsOf,
  itemSerial,
  maxValues,
  mergeValues,
  type PassportValue,
  type PassportValueInput,
  type ReplacedValue,
  type Schemas,
  sizeProblem,
  timeOfChange,
} from '@product-passport/openapi';
import type { Knex } from 'knex';
import { commitTogether } from '../database/group-commit.ts';
import { lockProduct, type OfPassport, updateOfPassport } from '../products/store.ts';
import type { Services } from '../services.ts';
import { templateOf } from '../templates/catalogue.ts';
import { TenantQueue } from '../tenants/queue.ts';
import { lockLanguage, type Tenant } from '../tenants/store.ts';
import { findWritable, insertVersions, upsertValues, valuesIn, valuesText, type WritableRow } from './store.ts';
import { newVersion, type Version } from './version.ts';

type Result = Schemas['PassportWriteResult'];

/** A passport is large if the JSON text of its values is longer. */
const largeText = 32 * 1024;

/** A few changes of large passports of a tenant are prepared at a time: parsed values take much more memory than text. */
const largeChanges = new TenantQueue({ atOnce: 4 });

export interface WriteOptions {
  /** Makes the salt of the version. Default: random. */
  newSalt?: (() => string) | undefined;
}

/** The changes of a write to a passport. */
interface Change {
  /** The product as it was read. */
  row: WritableRow;
  /** The values to store. */
  changed: PassportValue[];
  /** What they replace. */
  replaced: ReplacedValue[];
  /** The passport had no value. */
  isFirst: boolean;
  /** Absent if the write changes nothing. */
  version?: Version;
  serial_number?: OfPassport['serial_number'];
  result: Result;
}

/**
 * Writes values to a passport: all of them or none, as one version. If nothing changes, no version is made.
 *
 * The change is prepared without a lock, so that writes of other passports do not wait for it.
 *
 * A `PUT` waits for its place in the queue of its tenant (`tenants/queue.ts`), and then only for connections and locks:
 * for a reader, for the transaction that writes (`database/group-commit.ts`), and for another process's lock of the file
 * or of the row. Each wait ends with a 503.
 *
 * @throws ContractError `not_found`; `invalid_request` if the passport would have too many values or bytes
 */
export async function writePassport(
  { database, now, newSalt }: Pick<Services, 'database' | 'now'> & WriteOptions,
  tenant: Pick<Tenant, 'id'>,
  slug: string,
  inputs: PassportValueInput[],
): Promise<Result> {
  const prepare = (on: Knex): Promise<Change> => changeOf(on, tenant, slug, inputs, now, newSalt);
  const change = await prepare(database);
  if (!change.version) return change.result;
  const stored = await commitTogether(database, async (transaction) => {
    if (await store(transaction, tenant, change)) return change;
    // Another instance changed the passport, or the status or the language changed. With the locks nothing changes.
    await lockProduct(transaction, tenant.id, slug);
    await lockLanguage(transaction, tenant.id);
    const again = await prepare(transaction);
    if (again.version && !(await store(transaction, tenant, again))) {
      throw new Error('The product changed although it was locked.');
    }
    return again;
  });
  return stored.result;
}

/** Reads a passport and merges the values. */
async function changeOf(
  database: Knex,
  tenant: Pick<Tenant, 'id'>,
  slug: string,
  inputs: PassportValueInput[],
  now: () => Date,
  newSalt: WriteOptions['newSalt'],
): Promise<Change> {
  // Read before the values: if these are newer, `store` finds that the product has changed.
  const row = await findWritable(database, { tenantId: tenant.id, slug });
  if (!row) throw new ContractError('not_found');
  if (inputs.length === 0) return unchanged(row, 0);

  const updated_at = timeOfChange(now(), row.updated_at);
  const stored = await valuesText(database, tenant.id, row.id);
  const merge = (): Promise<Change> => merged(row, { stored, inputs, locale: row.language, updated_at }, newSalt);
  // A transaction must not wait: others wait for its locks.
  const isQueued = stored.length > largeText && !database.client.transacting;
  return isQueued ? largeChanges.run(tenant.id, merge) : merge();
}

function unchanged(row: WritableRow, updated: number): Change {
  return { row, changed: [], replaced: [], isFirst: false, result: { updated, completeness: row.completeness } };
}

/** Merges the values. Other requests run between its steps: with 5,000 values each step takes up to 20 ms. */
async function merged(
  row: WritableRow,
  given: { stored: string; inputs: PassportValueInput[]; locale: string; updated_at: string },
  newSalt: WriteOptions['newSalt'],
): Promise<Change> {
  const { inputs, locale, updated_at } = given;
  const stored = valuesIn(given.stored);
  await yieldToEventLoop();
  const { values, changed, replaced, named } = mergeValues(stored, inputs, locale, updated_at);
  if (values.length > maxValues) {
    throw new ContractError('invalid_request', `A passport can have at most ${maxValues} values.`);
  }

  if (changed.length === 0) return unchanged(row, named);
  await yieldToEventLoop();
  const forms = formsOf(values);
  const problem = sizeProblem(byteLength(forms, Buffer.byteLength));
  if (problem) throw new ContractError('invalid_request', problem);

  await yieldToEventLoop();
  const template = templateOf(row.product_group);
  const version = newVersion(
    { version: row.version + 1, template_version: template.version, created_at: updated_at, values, forms },
    newSalt,
  );
  const result = { updated: named, completeness: completeness(template, values, dayOf(updated_at)) };
  return { row, changed, replaced, isFirst: stored.length === 0, version, serial_number: itemSerial(values), result };
}

/** Stores a change, unless the product or the tenant's language has changed since. Returns whether it was stored. */
async function store(
  transaction: Knex.Transaction,
  tenant: Pick<Tenant, 'id'>,
  { row, changed, replaced, isFirst, version, serial_number = null, result }: Change,
): Promise<boolean> {
  if (!version) return true;
  const { id } = row;
  // The language cannot change while a passport has a value.
  if (isFirst && (await lockLanguage(transaction, tenant.id)) !== row.language) return false;
  const ofPassport = { completeness: result.completeness, serial_number };
  if (!(await updateOfPassport(transaction, tenant.id, row, ofPassport, version.created_at))) return false;
  await upsertValues(transaction, tenant.id, id, changed);
  const was = { was_active: row.status === 'active', values: replaced };
  await insertVersions(transaction, tenant.id, [{ ...version, product_id: id, replaced: was }]);
  return true;
}
