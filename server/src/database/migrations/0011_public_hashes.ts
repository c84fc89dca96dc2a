import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Knex } from 'knex';
import type { Place, Step } from './fill.ts';

/** Most products that a step looks at. */
const productsAtOnce = 500;
/** A step ends with the product whose values reach this size, in characters of JSON. */
const sizeAtOnce = 4 * 1024 * 1024;

interface VersionKey {
  tenant_id: string;
  product_id: string;
  version: number;
}

/**
 * How many products there are.
 *
 * @public `run.ts` calls it.
 */
export async function count(knex: Knex): Promise<number> {
  const row = await knex('products').count({ count: '*' }).first();
  return Number(row?.count ?? 0);
}

/**
 * Gives the latest version of each product the hash of its public values.
 *
 * @public `run.ts` calls it.
 */
export async function step(transaction: Knex.Transaction, after: Place | undefined): Promise<Step | undefined> {
  const rows = await versionsAfter(transaction, after);
  const filled = await productsWithValues(transaction, rows);
  const empty: VersionKey[] = [];
  let size = 0;
  let seen = 0;
  for (const { public_hash, ...key } of rows) {
    if (size >= sizeAtOnce) break;
    seen += 1;
    // Another process, or this one before it was killed.
    if (public_hash !== null) continue;
    if (!filled.has(key.product_id)) {
      empty.push(key);
      continue;
    }
    const values = await publicValues(transaction, key);
    size += values.size;
    await transaction('passport_versions')
      .where(key)
      .update({ public_hash: hashOf(values.content) });
  }
  // One statement, because most products of a large database may have no values.
  for (const [tenant_id, keys] of Map.groupBy(empty, (key) => key.tenant_id)) {
    await transaction('passport_versions')
      .where({ tenant_id })
      .whereIn(
        ['product_id', 'version'],
        keys.map(({ product_id, version }) => [product_id, version]),
      )
      .update({ public_hash: hashOf([]) });
  }
  const last = rows[seen - 1];
  return last && { rows: seen, place: { tenant_id: last.tenant_id, id: last.product_id } };
}

/** The latest versions of the next products by key. */
async function versionsAfter(
  transaction: Knex.Transaction,
  after: Place | undefined,
): Promise<(VersionKey & { public_hash: string | null })[]> {
  const latest = transaction('passport_versions')
    .max('version')
    .whereRaw('tenant_id = products.tenant_id AND product_id = products.id');
  const query = transaction('products')
    .join('passport_versions as latest', (join) =>
      join.on('latest.tenant_id', 'products.tenant_id').on('latest.product_id', 'products.id'),
    )
    .where('latest.version', latest)
    .orderBy(['products.tenant_id', 'products.id'])
    .limit(productsAtOnce);
  if (after) query.whereRaw('(products.tenant_id, products.id) > (?, ?)', [after.tenant_id ?? '', after.id ?? '']);
  return query.select('latest.tenant_id', 'latest.product_id', 'latest.version', 'latest.public_hash');
}

async function productsWithValues(transaction: Knex.Transaction, keys: readonly VersionKey[]): Promise<Set<string>> {
  const ids: string[] = await transaction('passport_values')
    .whereIn('tenant_id', [...new Set(keys.map(({ tenant_id }) => tenant_id))])
    .whereIn(
      'product_id',
      keys.map(({ product_id }) => product_id),
    )
    .distinct('product_id')
    .pluck('product_id');
  return new Set(ids);
}

// Written out here, and not taken from `passports`: those go on changing, and a migration stays as it is.

/** The public values of a passport as the public hash covers them, in the order of `field_key` and `locale`. */
async function publicValues(transaction: Knex.Transaction, { tenant_id, product_id }: VersionKey) {
  const rows = await transaction('passport_values')
    .where({ tenant_id, product_id, access_level: 'public' })
    .select('field_key', 'is_unknown', 'locale', 'unit', 'value');
  const content = rows
    .sort((a, b) => compare(a.field_key, b.field_key) || compare(a.locale, b.locale))
    .map((row) => {
      const is_unknown = Boolean(row.is_unknown);
      return { ...row, is_unknown, value: is_unknown ? null : JSON.parse(row.value) };
    });
  return { content, size: rows.reduce((size, row) => size + row.value.length, 0) };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function hashOf(values: object[]): string {
  return createHash('sha256')
    .update(String(canonicalize(values)))
    .digest('hex');
}
