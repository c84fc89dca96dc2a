import { setImmediate } from 'node:timers/promises';
import {
  byteLength,
  ContractError,
  completeness,
  defaultLocale,
  formsOf,
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
import { commitInBatches, commitTogether } from '../database/group-commit.ts';
import { lockProduct, updateCompleteness } from '../products/store.ts';
import type { Services } from '../services.ts';
import { templateOf } from '../templates/catalogue.ts';
import type { Tenant } from '../tenants/store.ts';
import { findWritable, insertVersions, listValues, upsertValues, type WritableRow } from './store.ts';
import { newVersion, type Version } from './version.ts';

type Result = Schemas['PassportWriteResult'];

/** From this number of values on, other work runs between the steps of a write. Below it each takes less than 1 ms. */
const largePassport = 200;

export interface WriteOptions {
  /** Makes the salt of the version. Default: random. */
  newSalt?: (() => string) | undefined;
  /** Lets other work run, between the steps of a large passport. Default: a turn of the event loop. */
  pause?: ((tenantId: string) => Promise<unknown>) | undefined;
}

/** What a write does to a passport. */
interface Change {
  /** The product as it was read. */
  row: WritableRow;
  /** The values to store. */
  changed: PassportValue[];
  /** What they replace. */
  replaced: ReplacedValue[];
  /** Absent if the write changes nothing. */
  version?: Version;
  result: Result;
}

/**
 * Writes values to a passport: all of them or none, as one version. If nothing changes, no version is made.
 *
 * The change is prepared without a lock: only then do writes of other passports, and of other tenants, not wait for it.
 *
 * A `PUT` waits in these places, in this order. Beyond a bound the response is 503. Before them, `admission/admission.ts`
 * bounds the requests of a connection and the look-ups of unknown keys, and refuses a body for which there is no memory.
 *
 * 1. `http/routes.ts`, the queue of the tenant's writes (`database/tenant-queue.ts`): by default 32 small ones at a time,
 *    on PostgreSQL at most half of the connections, and one for each product. 256 wait, each for 10 seconds. A large body is
 *    checked in this place, and a large passport is prepared, with pauses for other requests.
 * 2. `database/readers.ts`, a connection that reads the key, before the queue of writes, and the product: 10 seconds.
 *    Look-ups wait for it together (`database/lookup.ts`). On PostgreSQL this is Knex's pool, also for the write: 5 seconds.
 *    There the look-up of the product first waits in the queue of the tenant's reads (`queueRead`): 256 wait, each for 10
 *    seconds. Servers that share a limit of requests also lock its row (`tenants/limit.ts`).
 * 3. `database/group-commit.ts`, the one connection that writes: 10 seconds. Writes that wait share a transaction, and
 *    those of one tenant their statements. A write that waits for the transaction before it has no bound of its own.
 * 4. `database/sqlite.ts`, the lock of the file while another process writes: 5 seconds, less at a stop. On PostgreSQL this
 *    is the lock of the product's row: 3 seconds.
 *
 * @throws ContractError `not_found`; `invalid_request` if the passport would have too many values or bytes
 */
export async function writePassport(
  { database, now, newSalt, pause }: Pick<Services, 'database' | 'now'> & WriteOptions,
  tenant: Tenant,
  slug: string,
  inputs: PassportValueInput[],
): Promise<Result> {
  const prepare = (on: Knex, options: WriteOptions): Promise<Change> =>
    changeOf(on, tenant, slug, inputs, now, options);
  const change = await prepare(database, { newSalt, pause });
  if (!hasVersion(change) || (await storeChange(database, tenant.id, change))) return change.result;
  return commitTogether(database, async (transaction) => {
    // Another instance, or a change of status, changed the product in between. Under the lock nobody does.
    await lockProduct(transaction, tenant.id, slug);
    const again = await prepare(transaction, { newSalt });
    if (hasVersion(again) && !(await storeChanges(transaction, tenant.id, [again]))[0]) {
      throw new Error('The product changed although it was locked.');
    }
    return again.result;
  });
}

/** Reads a passport and merges the values. */
async function changeOf(
  database: Knex,
  tenant: Tenant,
  slug: string,
  inputs: PassportValueInput[],
  now: () => Date,
  { newSalt, pause = () => setImmediate() }: WriteOptions,
): Promise<Change> {
  // Read before the values: if these are newer, `store` finds that the product has changed.
  const row = await findWritable(database, { tenantId: tenant.id, slug });
  if (!row) throw new ContractError('not_found');
  const unchanged = { row, changed: [], replaced: [] };
  if (inputs.length === 0) return { ...unchanged, result: { updated: 0, completeness: row.completeness } };

  const updated_at = timeOfChange(now(), row.updated_at);
  const stored = await listValues(database, tenant.id, row.id);
  // With 5,000 values each of these steps takes up to 20 ms. Other requests get their turn in between.
  const isLarge = stored.length + inputs.length > largePassport;
  if (isLarge) await pause(tenant.id);
  const { values, changed, replaced, named } = mergeValues(stored, inputs, defaultLocale(tenant.country), updated_at);
  if (values.length > maxValues) {
    throw new ContractError('invalid_request', `A passport can have at most ${maxValues} values.`);
  }

  if (changed.length === 0) return { ...unchanged, result: { updated: named, completeness: row.completeness } };
  if (isLarge) await pause(tenant.id);
  const forms = formsOf(values);
  const problem = sizeProblem(byteLength(forms, Buffer.byteLength));
  if (problem) throw new ContractError('invalid_request', problem);

  if (isLarge) await pause(tenant.id);
  const template = templateOf(row.product_group);
  const version = newVersion(
    { version: row.version + 1, template_version: template.version, created_at: updated_at, values, forms },
    newSalt,
  );
  const result = { updated: named, completeness: completeness(template, values) };
  return { row, changed, replaced, version, result };
}

type StorableChange = Change & { version: Version };

function hasVersion(change: Change): change is StorableChange {
  return change.version !== undefined;
}

/** Stores a change, unless the product has changed since. Returns whether it was stored. */
const storeChange = commitInBatches({
  store: storeChanges,
  resourceOf: ({ row }: StorableChange) => row.id,
  sizeOf: ({ changed, replaced }: StorableChange) => changed.length + replaced.length,
  mostSize: 1000,
});

/** Stores changes of different products of a tenant, except of those that have changed since. Returns which were stored. */
async function storeChanges(
  transaction: Knex.Transaction,
  tenantId: string,
  changes: readonly StorableChange[],
): Promise<boolean[]> {
  const times = changes.map(({ row, result, version }) => {
    return { row, completeness: result.completeness, updated_at: version.created_at };
  });
  const stored = await updateCompleteness(transaction, tenantId, times);
  const isStored = ({ row }: StorableChange): boolean => stored.has(row.id);
  const storing = changes.filter(isStored);
  if (storing.length > 0) {
    const values = storing.map(({ row, changed }) => ({ productId: row.id, values: changed }));
    await upsertValues(transaction, tenantId, values);
    const versions = storing.map(({ row, version, replaced }) => {
      return { productId: row.id, version, replaced: { was_active: row.status === 'active', values: replaced } };
    });
    await insertVersions(transaction, tenantId, versions);
  }
  return changes.map(isStored);
}
