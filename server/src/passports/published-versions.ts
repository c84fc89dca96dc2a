import { compareValues, type PassportValue } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { statement } from '../database/statement.ts';
import { OperatorError } from '../operator-error.ts';
import type { Product } from '../products/store.ts';
import type { Replaced, Version } from './store.ts';

/** Versions that a history goes back. */
const maxVersions = 50;
/** What a history reads of replaced values, in bytes of JSON. */
const maxBytes = 4 * 1024 * 1024;

/** A version that was public, with the values that are public in it and today. */
export interface PublishedVersion {
  version: number;
  template_version: number;
  content_hash: string;
  created_at: string;
  /** The public values. */
  values: PassportValue[];
  /** The values of every access level. They must not be sent. */
  all: PassportValue[];
}

interface HistoryRow extends Pick<PublishedVersion, 'version' | 'template_version' | 'content_hash' | 'created_at'> {
  /** The bytes of what the version replaced. `null` if that is not known. */
  size: number | null;
}

interface PassportKey {
  tenantId: string;
  productId: string;
}

const latestVersions = statement<HistoryRow, PassportKey>((database, { tenantId, productId }) =>
  database('passport_versions')
    .where({ tenant_id: tenantId, product_id: productId })
    .orderBy('version', 'desc')
    .limit(maxVersions)
    .select('version', 'template_version', 'content_hash', 'created_at')
    .select(database.raw('octet_length(replaced) AS size')),
);

const replacedSince = statement<{ version: number; replaced: string }, PassportKey & { after: number }>(
  (database, { tenantId, productId, after }) =>
    database('passport_versions')
      .where({ tenant_id: tenantId, product_id: productId })
      .where('version', '>', after)
      .select('version', 'replaced'),
);

/** The numbers that `products.withheld_versions` holds. */
export function withheldVersions(stored: string | null): number[] {
  return stored === null ? [] : JSON.parse(stored);
}

/**
 * The versions of an active product's passport that were public, the latest first. The latest version is always one of
 * them. An older one was public if the product was active when the next version replaced it.
 *
 * @param transaction the snapshot from which `current` was read
 * @param current all values of the latest version, in their order
 * @param wanted the number of the only version to return, or how many versions to go back
 */
export async function readHistory(
  transaction: Knex.Transaction,
  key: PassportKey,
  current: PassportValue[],
  withheld: readonly number[],
  wanted: { version: number } | { limit: number },
): Promise<PublishedVersion[]> {
  const rows = await latestVersions.all(transaction, key);
  const limit = 'limit' in wanted ? wanted.limit : rows.findIndex(({ version }) => version === wanted.version) + 1;
  const known = knownRows(rows.slice(0, limit));
  const oldest = known.at(-1);
  if (!oldest) return [];
  const replaced = new Map(
    known.length === 1
      ? []
      : (await replacedSince.all(transaction, { ...key, after: oldest.version })).map(
          (row) => [row.version, JSON.parse(row.replaced) as Replaced] as const,
        ),
  );
  const publicNow = new Set(current.filter(isPublic).map(identity));
  const state = new PastValues(current);
  return known.flatMap((row, index): PublishedVersion[] => {
    const next = replaced.get(row.version + 1);
    // A value that was removed stays out of older versions, even if its field was written again.
    if (next) for (const removed of state.undo(next)) publicNow.delete(removed);
    const wasPublic = index === 0 || next?.was_active === true;
    if (!wasPublic || withheld.includes(row.version)) return [];
    if ('version' in wanted && row.version !== wanted.version) return [];
    const { version, template_version, content_hash, created_at } = row;
    const { all } = state;
    const values = all.filter((value) => isPublic(value) && publicNow.has(identity(value)));
    return [{ version, template_version, content_hash, created_at, all, values }];
  });
}

/** The latest version, and the older ones whose values can be restored from what the newer ones replaced. */
function knownRows(rows: HistoryRow[]): HistoryRow[] {
  let bytes = 0;
  const known: HistoryRow[] = [];
  for (const row of rows) {
    known.push(row);
    bytes += row.size ?? Number.POSITIVE_INFINITY;
    if (bytes > maxBytes) break;
  }
  return known;
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
export async function listVersions(
  database: Knex,
  tenantId: string,
  productId: string,
  limit: number,
): Promise<PastVersion[]> {
  const rows = await latestVersions.all(database, { tenantId, productId });
  return rows.slice(0, limit).map(({ size: _, ...version }) => version);
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
