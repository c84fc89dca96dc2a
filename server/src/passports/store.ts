import type { Knex } from 'knex';
import { insertRows } from '../database/bulk.ts';
import { isPostgres } from '../database/connection.ts';
import { lookup } from '../database/lookup.ts';
import { statement } from '../database/statement.ts';
import type { Product } from '../products/store.ts';
import type { Tenant } from '../tenants/store.ts';
import { compareValues, type PassportValue } from './rules.ts';
import type { Version } from './version.ts';

type ValueRow = Omit<PassportValue, 'value' | 'is_unknown' | 'needs_review'> & {
  /** JSON text. */
  value: string;
  is_unknown: boolean | number;
  needs_review: boolean | number;
};

/** A product with the latest version of its passport, without the values. */
export type PassportHead = Pick<Product, 'id' | 'name' | 'slug' | 'status' | 'completeness'> &
  Pick<Version, 'version' | 'template_version' | 'content_hash' | 'salt'> & { tenant_id: string; versioned_at: string };

/** What the public side shows of an active product, without the values. */
export type PublishedHead = Pick<
  Product,
  'id' | 'name' | 'gtin' | 'model' | 'product_group' | 'completeness' | 'unique_product_identifier'
> &
  Omit<Version, 'created_at'> &
  Pick<Tenant, 'country'> & { tenant_id: string; tenant_name: string; versioned_at: string };

const valueColumns = [
  'field_key',
  'value',
  'unit',
  'source',
  'access_level',
  'is_unknown',
  'needs_review',
  'locale',
  'updated_at',
] as const;

/** All values of a passport, in the order of `compareValues`. No database sorts by UTF-16 code units. */
export async function listValues(database: Knex, tenantId: string, productId: string): Promise<PassportValue[]> {
  const rows: ValueRow[] = await database('passport_values')
    .where({ tenant_id: tenantId, product_id: productId })
    .select(valueColumns);
  return rows
    .map((row) => ({
      ...row,
      value: JSON.parse(row.value),
      is_unknown: Boolean(row.is_unknown),
      needs_review: Boolean(row.needs_review),
    }))
    .sort(compareValues);
}

/**
 * One JSON array of rows is one parameter, so that the statement is prepared once for any number of rows. Knex would
 * build it anew for each number, for 20 ms on 1,000 rows.
 */
const upsert = statement<object, { tenantId: string; productId: string; rows: string }>(
  (database, { tenantId, productId, rows }) => {
    const [elements, boolean] = isPostgres(database)
      ? ['json_array_elements(?::json) AS given(value)', '::boolean']
      : ['json_each(?) AS given', ''];
    const columns = valueColumns.map((column, index) =>
      ['is_unknown', 'needs_review'].includes(column)
        ? `(given.value ->> ${index})${boolean}`
        : `given.value ->> ${index}`,
    );
    const updates = valueColumns.map((column) => `${column} = excluded.${column}`);
    return database.raw(
      `INSERT INTO passport_values (tenant_id, product_id, ${valueColumns.join(', ')})
       SELECT ?, ?, ${columns.join(', ')} FROM ${elements} WHERE true
       ON CONFLICT (tenant_id, product_id, field_key, locale) DO UPDATE SET ${updates.join(', ')}`,
      [tenantId, productId, rows],
    );
  },
);

const versionColumns = [
  'passport_versions.version',
  'passport_versions.template_version',
  'passport_versions.content_hash',
  'passport_versions.salt',
  'passport_versions.created_at as versioned_at',
];

/** The tenant's product and the latest version of its passport. */
export const findPassport = lookup<PassportHead, { tenantId: string; slug: string }>(
  [
    'products.tenant_id',
    'products.id',
    'products.name',
    'products.slug',
    'products.status',
    'products.completeness',
    ...versionColumns,
  ],
  (database, { tenantId, slug }) =>
    withLatestVersion(database('products')).where({ 'products.tenant_id': tenantId, 'products.slug': slug }),
);

/** An active product and the latest version of its passport. One of the look-ups across tenants. */
export const findPublished = lookup<PublishedHead, { tenant: string; product: string }>(
  [
    'products.tenant_id',
    'tenants.name as tenant_name',
    'tenants.country',
    'products.id',
    'products.name',
    'products.gtin',
    'products.model',
    'products.product_group',
    'products.completeness',
    'products.unique_product_identifier',
    ...versionColumns,
    'passport_versions.public_hash',
  ],
  (database, { tenant, product }) =>
    withLatestVersion(database('tenants').join('products', 'products.tenant_id', 'tenants.id')).where({
      'tenants.slug': tenant,
      'products.slug': product,
      'products.status': 'active',
    }),
);

function withLatestVersion(query: Knex.QueryBuilder): Knex.QueryBuilder {
  return query
    .join('passport_versions', (join) =>
      join.on('passport_versions.tenant_id', 'products.tenant_id').andOn('passport_versions.product_id', 'products.id'),
    )
    .orderBy('passport_versions.version', 'desc')
    .limit(1);
}

export async function upsertValues(
  transaction: Knex.Transaction,
  tenantId: string,
  productId: string,
  values: PassportValue[],
): Promise<void> {
  const rows = values.map((value) =>
    valueColumns.map((column) => (column === 'value' ? JSON.stringify(value.value) : value[column])),
  );
  await upsert.all(transaction, { tenantId, productId, rows: JSON.stringify(rows) });
}

export async function latestVersion(database: Knex, tenantId: string, productId: string): Promise<Version> {
  const version: Version | undefined = await database('passport_versions')
    .where({ tenant_id: tenantId, product_id: productId })
    .orderBy('version', 'desc')
    .first('version', 'template_version', 'content_hash', 'salt', 'public_hash', 'created_at');
  if (!version) throw new Error('A product without a passport version cannot exist.');
  return version;
}

export async function insertVersion(
  transaction: Knex.Transaction,
  tenantId: string,
  productId: string,
  version: Version,
): Promise<void> {
  await transaction('passport_versions').insert({ tenant_id: tenantId, product_id: productId, ...version });
}

/** Inserts one version each of many passports. */
export async function insertVersions(
  transaction: Knex.Transaction,
  tenantId: string,
  versions: (Version & { product_id: string })[],
): Promise<void> {
  const rows = versions.map((version) => ({ tenant_id: tenantId, ...version }));
  await insertRows(transaction, 'passport_versions', rows);
}
