import { compareValues, fieldTypes, type PassportValue } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { lookup, statement } from '../database/statement.ts';
import { OperatorError } from '../operator-error.ts';
import type { Product } from '../products/store.ts';
import type { Replaced, Version } from './store.ts';

/** A history goes back this many versions with another public hash than the next one, */
const maxChanges = 50;
/** and this many versions. A battery's state is measured again and again, and changes no public value. */
const maxVersions = 1000;
/** What a history reads of replaced values, in bytes of JSON. */
const maxBytes = 4 * 1024 * 1024;

/** A version that was public, with the values that are public in it and today. */
export interface PublishedVersion {
  version: number;
  template_version: number;
  content_hash: string;
  public_hash: string;
  created_at: string;
  /** The public values. */
  values: PassportValue[];
  /** The values of every access level. They must not be sent. */
  all: PassportValue[];
}

/** A version whose values can be restored from what the newer ones replaced. */
export type HistoryRow = Pick<
  PublishedVersion,
  'version' | 'template_version' | 'content_hash' | 'public_hash' | 'created_at'
> & {
  /** JSON of what the version replaced. `null`: the history ends with it. */
  replaced: string | null;
};

interface PassportKey {
  tenantId: string;
  productId: string;
}

/** Adds up without the values, so that no database sorts these. */
const knownVersions = statement<HistoryRow, PassportKey & { limit: number }>(
  (database, { tenantId, productId, limit }) =>
    database.raw(
      `WITH latest AS (
         SELECT version, public_hash, COALESCE(octet_length(replaced), ${maxBytes + 1}) AS size
         FROM passport_versions WHERE tenant_id = ? AND product_id = ? ORDER BY version DESC LIMIT ?
       ), compared AS (
         SELECT version, size,
           CASE WHEN public_hash = LAG(public_hash) OVER (ORDER BY version DESC) THEN 0 ELSE 1 END AS change
         FROM latest
       ), counted AS (
         SELECT version, size, SUM(size) OVER newer AS bytes, SUM(change) OVER newer AS changes
         FROM compared WINDOW newer AS (ORDER BY version DESC ROWS UNBOUNDED PRECEDING)
       )
       SELECT stored.version, template_version, content_hash, public_hash, created_at,
         CASE WHEN bytes <= ${maxBytes} THEN replaced END AS replaced
       FROM counted JOIN passport_versions AS stored
         ON stored.tenant_id = ? AND stored.product_id = ? AND stored.version = counted.version
       WHERE bytes - size <= ${maxBytes} AND changes <= ${maxChanges}
       ORDER BY stored.version DESC`,
      [tenantId, productId, limit, tenantId, productId],
    ),
);

const latestVersions = statement<PastVersion, PassportKey & { limit: number }>(
  (database, { tenantId, productId, limit }) =>
    database('passport_versions')
      .where({ tenant_id: tenantId, product_id: productId })
      .orderBy('version', 'desc')
      .limit(limit)
      .select('version', 'template_version', 'content_hash', 'created_at'),
);

/**
 * The versions of a passport that are known, the latest first.
 *
 * @param limit how many versions to go back. Default: 1,000.
 */
export function readVersions(database: Knex, key: PassportKey, limit = maxVersions): Promise<HistoryRow[]> {
  return knownVersions.all(database, { ...key, limit });
}

const versionAt = lookup<{ version: number }, PassportKey & { instant: string }>(
  { version: 'passport_versions.version' },
  (database, { tenantId, productId, instant }) =>
    database('products')
      .join('passport_versions', (join) =>
        join
          .on('passport_versions.tenant_id', 'products.tenant_id')
          .andOn('passport_versions.product_id', 'products.id'),
      )
      .where({ 'products.tenant_id': tenantId, 'products.id': productId })
      .whereRaw(
        `COALESCE(
           (SELECT to_status FROM status_changes
            WHERE tenant_id = ? AND product_id = ? AND changed_at <= ? ORDER BY changed_at DESC, id DESC LIMIT 1),
           CASE WHEN products.activated_at <= ? THEN 'active' END
         ) = 'active'`,
        [tenantId, productId, instant, instant],
      )
      .where('passport_versions.created_at', '<=', instant)
      .orderBy('passport_versions.version', 'desc')
      .limit(1),
);

/** The version that a passport had at a time, if the product was active then. */
export async function findVersionAt(
  database: Knex,
  key: PassportKey & { instant: string },
): Promise<number | undefined> {
  return (await versionAt(database, key))?.version;
}

/** The numbers that `products.withheld_versions` holds. */
export function withheldVersions(stored: string | null): number[] {
  return stored === null ? [] : JSON.parse(stored);
}

/** A version as the values were then. It changes with the next one. */
interface Past extends HistoryRow {
  state: PastValues;
  /** The identities of values that a newer version removed, even if their field was written again. */
  removed: ReadonlySet<string>;
  /** It was public then, and is not withheld. */
  isPublic: boolean;
}

/**
 * The versions of an active product's passport, the latest first. The latest version is always public. An older one was
 * public if the product was active when the next version replaced it.
 */
function* pastOf(
  rows: readonly HistoryRow[],
  current: readonly PassportValue[],
  withheld: readonly number[],
): Generator<Past> {
  const state = new PastValues(current);
  const removed = new Set<string>();
  let newer: HistoryRow | undefined;
  for (const row of rows) {
    // No newer version says what the values were, or whether the product was active.
    if (newer && (newer.version !== row.version + 1 || newer.replaced === null)) return;
    const next: Replaced | undefined = newer && JSON.parse(newer.replaced ?? '');
    if (next) for (const each of state.undo(next)) removed.add(each);
    const wasPublic = next === undefined || next.was_active;
    yield { ...row, state, removed, isPublic: wasPublic && !withheld.includes(row.version) };
    newer = row;
  }
}

/**
 * The versions of an active product's passport that were public and are not withheld, the latest first.
 *
 * @param current all values of the latest version, in their order
 * @param wanted the number of the only version to return, or how many versions to go back
 */
export function publishedVersions(
  rows: readonly HistoryRow[],
  current: readonly PassportValue[],
  withheld: readonly number[],
  wanted: { version: number } | { limit: number },
): PublishedVersion[] {
  const publicNow = current.filter(isPublic).map(identity);
  const limit = 'limit' in wanted ? wanted.limit : rows.findIndex(({ version }) => version === wanted.version) + 1;
  const found: PublishedVersion[] = [];
  for (const { state, removed, isPublic: isShown, replaced: _, ...row } of pastOf(
    rows.slice(0, limit),
    current,
    withheld,
  )) {
    if (!isShown || ('version' in wanted && row.version !== wanted.version)) continue;
    const { all } = state;
    const open = new Set(publicNow.filter((each) => !removed.has(each)));
    const values = all.filter((value) => isPublic(value) && open.has(identity(value)));
    found.push({ ...row, all, values });
  }
  return found;
}

/** A value as a version had it. */
interface Measurement {
  version: number;
  /** The day or the month on which it was measured, or the time of the version. */
  date: string;
  /** A value that is not a number is not a measurement: any number of dates could repeat a long text. */
  value: number;
  unit: string | null;
}

/** The values of a field that is measured again and again, the oldest first. */
export interface Series {
  field_key: string;
  measurements: Measurement[];
}

/** Who reads measurements: a role sees what it could see then and can see today, in the versions that were public. */
export interface Reader {
  /** Every version, also one that was not public. */
  isOperator: boolean;
  sees: (value: PassportValue) => boolean;
}

/**
 * The values of fields that are measured again and again, in the order of the fields. A removed field has none, and one
 * that was removed and written again has none from before.
 *
 * @param current all values of the latest version
 * @param measured the fields, and the one with the date of their measurement
 */
export function measurementsOf(
  rows: readonly HistoryRow[],
  current: readonly PassportValue[],
  withheld: readonly number[],
  measured: { readonly date: string; readonly fields: readonly string[] },
  { isOperator, sees }: Reader,
): Series[] {
  const shown = current.filter(sees);
  const dated = shown.find(({ field_key }) => field_key === measured.date);
  const series = measured.fields.flatMap((field_key) => {
    const value = shown.find((each) => each.field_key === field_key);
    return value ? [{ field_key, id: identity(value), found: [] as (Measurement & { isDated: boolean })[] }] : [];
  });
  for (const { version, created_at, state, removed, isPublic: isShown } of pastOf(rows, current, withheld)) {
    if (!isOperator && !isShown) continue;
    const readable = (id: string): PassportValue | undefined => {
      const value = removed.has(id) ? undefined : state.get(id);
      return value && !value.is_unknown && sees(value) ? value : undefined;
    };
    const day = dated && readable(identity(dated))?.value;
    const isDated = fieldTypes.date.test(day);
    for (const { id, found } of series) {
      const { value, unit = null } = readable(id) ?? {};
      const date = isDated ? `${day}` : created_at;
      if (typeof value === 'number') found.push({ version, date, value, unit, isDated });
    }
  }
  return series.map(({ field_key, found }) => {
    // A version that changes something else measures nothing.
    const isNew = (one: (typeof found)[number], before: (typeof found)[number] | undefined): boolean =>
      before === undefined ||
      one.value !== before.value ||
      one.unit !== before.unit ||
      (one.isDated && before.isDated && one.date !== before.date);
    const all = found.reverse().filter((one, index) => isNew(one, found[index - 1]));
    return { field_key, measurements: all.map(({ isDated: _, ...measurement }) => measurement) };
  });
}

/** The values of a passport, from the latest version back to the first. */
export class PastValues {
  readonly #values: Map<string, PassportValue>;

  /** @param current all values of the latest version */
  constructor(current: readonly PassportValue[]) {
    this.#values = new Map(current.map((value) => [identity(value), value]));
  }

  /** In their order. */
  get all(): PassportValue[] {
    return [...this.#values.values()].sort(compareValues);
  }

  get(id: string): PassportValue | undefined {
    return this.#values.get(id);
  }

  /** Takes back what a version changed. Returns the identities of the values that it had removed. */
  undo({ values }: Replaced): string[] {
    const removed = values.filter((before) => before.value && !this.#values.has(identity(before)));
    for (const before of values) {
      if (before.value) this.#values.set(identity(before), before.value);
      else this.#values.delete(identity(before));
    }
    return removed.map(identity);
  }
}

/**
 * The fields whose public values differ between two versions, in the order of the values. Both versions were public, so a
 * version between them that was not public leaves no trace.
 */
export function changedFields({ values: before }: PublishedVersion, { values: after }: PublishedVersion): string[] {
  const shown = ({ field_key, locale, value, unit, is_unknown }: PassportValue): string =>
    JSON.stringify([field_key, locale, value, unit, is_unknown]);
  const [old, now] = [new Set(before.map(shown)), new Set(after.map(shown))];
  const changed = [...before, ...after].filter((value) => !old.has(shown(value)) || !now.has(shown(value)));
  return [...new Set(changed.sort(compareValues).map(({ field_key }) => field_key))];
}

function isPublic({ access_level }: PassportValue): boolean {
  return access_level === 'public';
}

function identity({ field_key, locale }: Pick<PassportValue, 'field_key' | 'locale'>): string {
  return JSON.stringify([field_key, locale]);
}

/** A version as an operator sees it. */
export type PastVersion = Pick<Version, 'version' | 'template_version' | 'content_hash' | 'created_at'>;

/** The latest versions of a passport, newest first. */
export function listVersions(
  database: Knex,
  tenantId: string,
  productId: string,
  limit: number,
): Promise<PastVersion[]> {
  return latestVersions.all(database, { tenantId, productId, limit });
}

/**
 * Leaves a version out of the public history of a passport forever. Its document gets the 404 of an unknown product.
 * The stored values stay. Withholding a version again changes nothing.
 *
 * @param product locked until the transaction ends
 * @returns the withheld versions
 * @throws OperatorError if the passport has no such older version
 */
export async function withholdVersion(
  transaction: Knex.Transaction,
  tenantId: string,
  { id, slug }: Pick<Product, 'id' | 'slug'>,
  version: number,
): Promise<number[]> {
  const versions = transaction('passport_versions').where({ tenant_id: tenantId, product_id: id });
  const { latest } = (await versions.max({ latest: 'version' }).first()) ?? {};
  if (version < 1 || version > latest)
    throw new OperatorError(`${slug} has no version ${version}: its latest version is ${latest}.`);
  if (version === latest) {
    throw new OperatorError(
      `version ${version} is the latest version of ${slug}, so its page shows it. Write the passport first, or archive the product.`,
    );
  }
  const row = transaction('products').where({ tenant_id: tenantId, id });
  const { withheld_versions } = await row.clone().first('withheld_versions');
  const withheld = [...new Set([...withheldVersions(withheld_versions), version])].sort((a, b) => a - b);
  await row.update({ withheld_versions: JSON.stringify(withheld) });
  return withheld;
}
