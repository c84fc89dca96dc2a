import { createHash, randomBytes } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Knex } from 'knex';
import type { Place, Step } from './fill.ts';

/** Most products that a step looks at. */
const productsAtOnce = 200;
/** A step ends with the product whose values reach this size, in characters of JSON. */
const sizeAtOnce = 4 * 1024 * 1024;

interface ProductRow {
  tenant_id: string;
  id: string;
  version: number;
  template_version: number;
  salt: string | null;
  created_at: string;
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
 * Gives products a version with a salt, of the values that are stored. Their earlier versions keep their hash: it is
 * what was published.
 *
 * The product's `updated_at` stays: its values did not change, and clients that follow `updated_at` would read every
 * product again. The version's `created_at` is the time of the migration, at which its hash came to be. Its
 * `template_version` stays, because nobody wrote to the passport.
 *
 * @public `run.ts` calls it.
 */
export async function step(transaction: Knex.Transaction, after: Place | undefined): Promise<Step | undefined> {
  const rows = await productsAfter(transaction, after);
  const versions: object[] = [];
  let size = 0;
  let seen = 0;
  for (const { tenant_id, id, version, template_version, salt, created_at } of rows) {
    if (size >= sizeAtOnce) break;
    seen += 1;
    // Another process, or this one before it was killed.
    if (salt !== null) continue;
    const values = await storedValues(transaction, tenant_id, id);
    size += values.size;
    versions.push({
      tenant_id,
      product_id: id,
      version: version + 1,
      template_version,
      ...saltedHash(template_version, values.content),
      created_at: new Date(Math.max(Date.now(), Date.parse(created_at) + 1)).toISOString(),
    });
  }
  if (versions.length > 0) await transaction('passport_versions').insert(versions);
  const last = rows[seen - 1];
  return last && { rows: seen, place: { tenant_id: last.tenant_id, id: last.id } };
}

/** The next products by key, each with its latest version. */
async function productsAfter(transaction: Knex.Transaction, after: Place | undefined): Promise<ProductRow[]> {
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
  return query.select(
    'products.tenant_id',
    'products.id',
    'latest.version',
    'latest.template_version',
    'latest.salt',
    'latest.created_at',
  );
}

// Written out here, and not taken from `passports`: those go on changing, and a migration stays as it is.

/** The values of a passport as the content hash covers them, in the order of `field_key` and `locale`. */
async function storedValues(transaction: Knex.Transaction, tenantId: string, productId: string) {
  const rows = await transaction('passport_values')
    .where({ tenant_id: tenantId, product_id: productId })
    .select('access_level', 'field_key', 'is_unknown', 'locale', 'needs_review', 'source', 'unit', 'value');
  const content = rows
    .map((row) => ({
      ...row,
      value: JSON.parse(row.value),
      is_unknown: Boolean(row.is_unknown),
      needs_review: Boolean(row.needs_review),
    }))
    .sort((a, b) => compare(a.field_key, b.field_key) || compare(a.locale, b.locale));
  return { content, size: rows.reduce((size, row) => size + row.value.length, 0) };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function saltedHash(template_version: number, values: object[]): { content_hash: string; salt: string } {
  const salt = randomBytes(16).toString('hex');
  const text = canonicalize({ salt, template_version, values });
  return { content_hash: createHash('sha256').update(String(text)).digest('hex'), salt };
}
