import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  byteLength,
  type Confirmed,
  ContractError,
  completeness,
  countFields,
  dayOf,
  didYouMean,
  type HashedTexts,
  hashedContent,
  hashedPublicContent,
  hashedTextsOf,
  maxValues,
  mergeValues,
  type PassportValue,
  type PassportValueInput,
  type ReplacedValue,
  type Schemas,
  serialsOf,
  sizeProblem,
  timeOfChange,
  uniqueValues,
} from '@product-passport/openapi';
import type { Knex } from 'knex';
import { commitTogether } from '../database/group-commit.ts';
import type { WaitAsLarge } from '../http/handlers.ts';
import { OperatorError } from '../operator-error.ts';
import { addActiveItems, lockProduct, type Product } from '../products/store.ts';
import type { Services } from '../services.ts';
import { blockingIn, templateOf } from '../templates/catalogue.ts';
import { lockLanguage, type Tenant } from '../tenants/store.ts';
import {
  confirmedIn,
  confirmedText,
  deleteValues,
  findPassport,
  insertVersions,
  listValues,
  type OfPassport,
  type PassportRow,
  updateOfPassport,
  upsertValues,
  type Version,
  valuesIn,
  valuesText,
} from './store.ts';
import { findInUse, type ValueInUse } from './unique.ts';

/** The body of the response, and what is wrong with the written values. */
type Result = Schemas['PassportWriteResult'] & {
  /** The number of fields whose values block: the header `Passport-Findings`. */
  findings: number;
  /** Those that must be unique, and that another active product has. */
  values_in_use: ValueInUse[];
};

/** A passport is large if the JSON text of its values is longer. Parsed values take much more memory than text. */
const largeText = 32 * 1024;

/** The clock, and the salt of a new version. Default: random. */
type VersionOptions = Pick<Services, 'now'> & { newSalt?: () => string };

/** The next version of a passport. */
interface NextVersion {
  /** The product as it was read. */
  row: PassportRow;
  version: Version;
  ofPassport: OfPassport;
  /** What the version replaces. */
  replaced: ReplacedValue[];
}

/** The changes of a write to a passport. */
interface Change {
  result: Result;
  /** Absent if the write changes nothing. */
  next?: NextVersion & {
    /** The values to store. */
    changed: PassportValue[];
    /** The passport had no value. */
    isFirst: boolean;
  };
}

/**
 * Writes values to a passport: all of them or none, as one version. If nothing changes, no version is made.
 *
 * The change is prepared without a lock, so that writes of other passports do not wait for it.
 *
 * A `PUT` waits for its slot in the queue of its tenant (`tenants/queue.ts`), as a large one if the passport is large. It
 * then waits only for connections and locks: for a reader, for the transaction that writes (`database/group-commit.ts`),
 * and for another process's lock of the file or of the row. Each wait ends with a 503.
 *
 * @throws ContractError `not_found`; `invalid_request` if the passport would have too many values or bytes
 */
export async function writePassport(
  { database, ...options }: Pick<Services, 'database'> & VersionOptions,
  { id: tenantId }: Pick<Tenant, 'id'>,
  slug: string,
  inputs: PassportValueInput[],
  waitAsLarge?: WaitAsLarge,
): Promise<Result> {
  const prepare = (on: Knex, wait?: WaitAsLarge): Promise<Change> =>
    changeOf(on, { tenantId, slug }, inputs, options, wait);
  const change = await prepare(database, waitAsLarge);
  if (!change.next) return change.result;
  const stored = await commitTogether(database, async (transaction) => {
    if (await store(transaction, tenantId, change)) return change;
    // Another instance changed the passport, or the status or the language changed. With the locks nothing changes.
    await lockProduct(transaction, tenantId, slug);
    await lockLanguage(transaction, tenantId);
    // A transaction does not wait in the queue: others wait for its locks.
    const again = await prepare(transaction);
    if (!(await store(transaction, tenantId, again))) throw new Error('The product changed although it was locked.');
    return again;
  });
  return stored.result;
}

/** Reads a passport and merges the values. */
async function changeOf(
  database: Knex,
  named: { tenantId: string; slug: string },
  inputs: PassportValueInput[],
  options: VersionOptions,
  waitAsLarge?: WaitAsLarge,
): Promise<Change> {
  const { row, text } = await readWhole(database, named, waitAsLarge);
  if (inputs.length > 0) return merged(database, row, text, inputs, options);
  return { result: { updated: 0, completeness: row.completeness, findings: 0, values_in_use: [] } };
}

/**
 * Reads a passport and the text of all its values. A large one waits for its place in the queue of its tenant.
 *
 * @throws ContractError `not_found`
 */
export async function readWhole(
  database: Knex,
  named: { tenantId: string; slug: string },
  waitAsLarge?: WaitAsLarge,
): Promise<{ row: PassportRow; text: string }> {
  // Read before the values: if these are newer, a change finds under its lock that the passport has changed.
  const row = await findPassport(database, named);
  if (!row) throw new ContractError('not_found');
  const text = await valuesText(database, named.tenantId, row.id);
  const turn = text.length > largeText ? waitAsLarge?.() : undefined;
  // Reads again, so that the text takes no memory while it waits.
  return turn ? turn.then(() => readWhole(database, named, waitAsLarge)) : { row, text };
}

/** Merges the values. Other requests run between its steps: with 5,000 values each step takes up to 20 ms. */
async function merged(
  database: Knex,
  row: PassportRow,
  storedText: string,
  inputs: PassportValueInput[],
  { now, newSalt }: VersionOptions,
): Promise<Change> {
  const updated_at = timeOfChange(now(), row.updated_at);
  const stored = valuesIn(storedText);
  await yieldToEventLoop();
  const { values, changed, replaced, named } = mergeValues(stored, inputs, row.language, updated_at);
  requireFewValues(values);

  await yieldToEventLoop();
  const confirmed = confirmedIn(stillConfirmed(row.confirmed, values, replaced));
  const template = templateOf(row.product_group);
  const unique = uniqueValues(template, values).filter(({ field_key }) => named.has(field_key));
  const values_in_use = await findInUse(database, row.tenant_id, row, unique);
  const findings = countFields([
    ...blockingIn(template, values, dayOf(updated_at), confirmed, named),
    ...values_in_use,
  ]);
  const judged = { updated: named.size, findings, values_in_use };
  if (changed.length === 0) return { result: { ...judged, completeness: row.completeness } };

  await yieldToEventLoop();
  const texts = fittingTexts(values);

  await yieldToEventLoop();
  const next = nextVersion(row, values, replaced, updated_at, texts, newSalt);
  return {
    result: { ...judged, completeness: next.ofPassport.completeness },
    next: { ...next, changed, isFirst: stored.length === 0 },
  };
}

/** @throws ContractError `invalid_request` if a passport would have too many values */
function requireFewValues(values: readonly PassportValue[]): void {
  if (values.length <= maxValues) return;
  throw new ContractError('invalid_request', `A passport can have at most ${maxValues} values.`);
}

/** @throws ContractError `invalid_request` if a passport would have too many bytes */
function fittingTexts(values: readonly PassportValue[]): HashedTexts[] {
  const texts = hashedTextsOf(values);
  const problem = sizeProblem(byteLength(texts, Buffer.byteLength));
  if (problem) throw new ContractError('invalid_request', problem);
  return texts;
}

/** Stores a change, unless the product or the tenant's language has changed since. Returns whether it was stored. */
async function store(transaction: Knex.Transaction, tenantId: string, { next }: Change): Promise<boolean> {
  if (!next) return true;
  const { row, changed, isFirst } = next;
  // The language cannot change while a passport has a value.
  if (isFirst && (await lockLanguage(transaction, tenantId)) !== row.language) return false;
  if (!(await storeVersion(transaction, tenantId, next))) return false;
  await upsertValues(transaction, tenantId, row.id, changed);
  return true;
}

/** Stores a version, unless the product has changed since it was read. Returns whether it was stored. */
async function storeVersion(
  transaction: Knex.Transaction,
  tenantId: string,
  { row, version, ofPassport, replaced }: NextVersion,
): Promise<boolean> {
  const [was, is] = [row, ofPassport].map(({ serial_number }) => Number(serial_number !== null));
  const items = row.status === 'active' ? Number(is) - Number(was) : 0;
  if (items !== 0) {
    // As a change of the status: it locks the product, then the counts, and only then changes the product.
    await lockProduct(transaction, tenantId, row.slug);
    await addActiveItems(transaction, tenantId, items);
  }
  if (!(await updateOfPassport(transaction, tenantId, row, ofPassport, version.created_at))) {
    if (items !== 0) await addActiveItems(transaction, tenantId, -items);
    return false;
  }
  const before = { was_active: row.status === 'active', values: replaced };
  await insertVersions(transaction, tenantId, [{ ...version, product_id: row.id, replaced: before }]);
  return true;
}

/** @param values all values of the version, in their order */
function nextVersion<Row extends Pick<PassportRow, 'version' | 'product_group' | 'confirmed'>>(
  row: Row,
  values: readonly PassportValue[],
  replaced: ReplacedValue[],
  created_at: string,
  texts = hashedTextsOf(values),
  newSalt?: () => string,
): Omit<NextVersion, 'row'> & { row: Row } {
  const template = templateOf(row.product_group);
  const about = { version: row.version + 1, template_version: template.version, created_at };
  const ofPassport = {
    completeness: completeness(template, values, dayOf(created_at)),
    ...serialsOf(values),
    confirmed: stillConfirmed(row.confirmed, values, replaced),
  };
  return { row, version: newVersion(about, texts, newSalt), ofPassport, replaced };
}

/** The confirmed fields without those whose level a write changes. */
export function stillConfirmed(
  stored: string | null,
  values: readonly PassportValue[],
  replaced: readonly ReplacedValue[],
): string | null {
  if (stored === null) return null;
  // An import may bring a field in several languages.
  const levels = new Map(values.map((value) => [valueKey(value), value.access_level]));
  const ended = new Set(
    replaced.filter((one) => one.value && levels.get(valueKey(one)) !== one.value.access_level).map(fieldKey),
  );
  const { open = [], own = [] } = confirmedIn(stored);
  const kept = (fields: readonly string[]) => fields.filter((field) => !ended.has(field));
  return confirmedText({ open: kept(open), own: kept(own) });
}

const fieldKey = ({ field_key }: { field_key: string }): string => field_key;

/** A text that is equal for the same field in the same language. */
export const valueKey = ({ field_key, locale }: Pick<PassportValue, 'field_key' | 'locale'>): string =>
  JSON.stringify([field_key, locale]);

/** Gives new products the first version of their passports, which has no values. */
export async function createPassports(
  transaction: Knex.Transaction,
  tenantId: string,
  products: Product[],
): Promise<void> {
  const versions = products.map(({ id, product_group, created_at }) => {
    const { version: template_version } = templateOf(product_group);
    return { product_id: id, ...newVersion({ version: 1, template_version, created_at }, []) };
  });
  await insertVersions(transaction, tenantId, versions);
}

/**
 * The first version of a new passport that has values.
 *
 * @param values in their order
 * @throws ContractError `invalid_request` if it has too many values or bytes
 */
export function newPassport(
  product_group: Product['product_group'],
  values: readonly PassportValue[],
  created_at: string,
  confirmed: Confirmed,
): { version: Version; ofPassport: OfPassport } {
  requireFewValues(values);
  const texts = fittingTexts(values);
  const row = { version: 0, product_group, confirmed: confirmedText(confirmed) };
  return nextVersion(row, values, [], created_at, texts);
}

/** Fields that a message names. */
const maxNamed = 20;

/** Why fields cannot be removed. */
export class FieldError extends OperatorError {}

/**
 * Removes fields from a passport, in every language: all of them or none, as one version. No older version shows them any
 * more. What the version replaced keeps the values, so that the hashes of older versions can be checked.
 *
 * @returns how many values were removed, and the version without them
 * @throws ContractError `not_found`
 * @throws FieldError if the passport lacks one of the fields
 */
export async function unsetFields(
  transaction: Knex.Transaction,
  tenant: { id: string },
  slug: string,
  fields: readonly string[],
): Promise<{ values: number; version: number; completeness: number }> {
  const named = { tenantId: tenant.id, slug };
  const row = (await lockProduct(transaction, tenant.id, slug)) && (await findPassport(transaction, named));
  if (!row) throw new ContractError('not_found');
  const stored = await listValues(transaction, tenant.id, row.id);
  const known = [...new Set(stored.map(({ field_key }) => field_key))];
  const wanted = new Set(fields);
  const unknown = [...wanted].filter((field) => !known.includes(field));
  if (unknown.length > 0) {
    const problems = unknown.map(
      (field) => `the passport of ${slug} has no field ${field}.${didYouMean(field, known)}`,
    );
    const more = known.length - maxNamed;
    const all = `It has ${known.slice(0, maxNamed).join(', ') || 'no values'}${more > 0 ? ` and ${more} more` : ''}.`;
    throw new FieldError([...problems, ...(problems.some((each) => each.endsWith('?')) ? [] : [all])].join(' '));
  }
  const removed = stored.filter(({ field_key }) => wanted.has(field_key));
  const values = stored.filter(({ field_key }) => !wanted.has(field_key));
  const replaced = removed.map((value) => ({ field_key: value.field_key, locale: value.locale, value }));
  const next = nextVersion(row, values, replaced, timeOfChange(new Date(), row.updated_at));
  await storeVersion(transaction, tenant.id, next);
  await deleteValues(transaction, tenant.id, row.id, [...wanted]);
  return { values: removed.length, version: next.version.version, completeness: next.ofPassport.completeness };
}

/**
 * Makes a version with a new salt and the content hash over both. The hash is public: without a salt, hidden values could
 * be guessed from it.
 *
 * @param texts of the values in their order
 * @param newSalt default: 128 random bits as 32 lower-case hexadecimal digits
 */
function newVersion(
  about: Pick<Version, 'version' | 'template_version' | 'created_at'>,
  texts: readonly HashedTexts[],
  newSalt = (): string => randomBytes(16).toString('hex'),
): Version {
  const salt = newSalt();
  const content_hash = contentHash(salt, about.template_version, texts);
  return { ...about, content_hash, salt, public_hash: publicContentHash(texts) };
}

/**
 * Lower-case hexadecimal SHA-256 of the RFC 8785 form of `{salt, template_version, values}`, as the contract defines
 * `content_hash`.
 *
 * @param texts of the values in their order
 */
export function contentHash(salt: string, template_version: number, texts: readonly HashedTexts[]): string {
  return sha256(hashedContent(salt, template_version, texts));
}

/**
 * Lower-case hexadecimal SHA-256 of the RFC 8785 form of the public values alone, as the contract defines
 * `dpp:publicContentHash`. It can be computed from the public document.
 *
 * @param texts of the values in their order, of every access level
 */
export function publicContentHash(texts: readonly HashedTexts[]): string {
  return sha256(hashedPublicContent(texts));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
