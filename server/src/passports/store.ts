import {
  type Confirmed,
  compareValues,
  type Identity,
  type PassportPath,
  type PassportValue,
  type ReplacedValue,
  type Serials,
} from '@product-passport/openapi';
import type { Knex } from 'knex';
import { columnsOf, insertOf, isPostgres, lookup, statement, textsOf } from '../database/statement.ts';
import { imageOf, withImages } from '../images/store.ts';
import type { Product } from '../products/store.ts';
import { findInTenant } from '../tenants/slugs.ts';
import { type PageSettings, pageColumns, type Tenant } from '../tenants/store.ts';

/** A product with the latest version of its passport, without the values. */
export type PassportRow = Omit<Version, 'public_hash' | 'created_at'> &
  Pick<Product, 'id' | 'name' | 'slug' | 'status' | 'gtin' | 'serial_number' | 'product_group' | 'completeness'> &
  Pick<Product, 'updated_at'> &
  Pick<Tenant, 'language'> & { tenant_id: string; versioned_at: string } & StoredConfirmation;

/** What a version of a passport replaced. */
export interface Replaced {
  /** The product was active, so the version before was public. */
  was_active: boolean;
  values: ReplacedValue[];
}

/** Columns of an active product that the public side shows. */
const publicColumns = [
  'id',
  'name',
  'gtin',
  'model',
  'product_group',
  'completeness',
  'unique_product_identifier',
  'registry_status',
  'registry_id',
] as const;

/** What the public side shows of an active product, without the values. */
export type PublishedRow = Pick<Product, (typeof publicColumns)[number]> &
  Omit<Version, 'created_at'> &
  Pick<Tenant, 'language'> &
  /** The tenant's. */
  Omit<PageSettings, 'name'> & {
    tenant_id: string;
    tenant_name: string;
    /** The product whose image it shows: itself, or its model. `null`: none. */
    image_product: string | null;
    /** SHA-256 of the image; `null`: it has none. */
    image_hash: string | null;
    image_width: number | null;
    image_height: number | null;
    image_alt: string | null;
    versioned_at: string;
    /** JSON array of the versions that the public history leaves out. */
    withheld_versions: string | null;
  } & Identity &
  StoredConfirmation;

interface StoredConfirmation {
  /** JSON of the fields that commands confirmed. `null`: none. */
  confirmed: string | null;
}

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

/** All values as one JSON text, which the driver reads faster than rows. */
const storedValues = statement<{ found: string }, { tenantId: string; productId: string }>(
  (database, { tenantId, productId }) =>
    database('passport_values')
      .where({ tenant_id: tenantId, product_id: productId })
      .select(database.raw(`${foundValues(database)} AS found`)),
);

/** All values of several products. */
const storedValuesOf = statement<{ id: string; found: string } & StoredConfirmation, { tenantId: string; ids: string }>(
  (database, { tenantId, ids }) =>
    database('products')
      .join('passport_values', (join) =>
        join.on('passport_values.tenant_id', 'products.tenant_id').andOn('passport_values.product_id', 'products.id'),
      )
      .where('products.tenant_id', tenantId)
      .whereRaw(`products.id IN (${textsOf(database)})`, ids)
      .groupBy('products.id', 'products.confirmed')
      .select('products.id', 'products.confirmed', database.raw(`${foundValues(database)} AS found`)),
);

/** The values themselves are stored as JSON. */
function foundValues(database: Knex): string {
  const [value, all, object] = isPostgres(database)
    ? ['value::json', 'json_agg', 'json_build_object']
    : ['json(value)', 'json_group_array', 'json_object'];
  const members = valueColumns.map(
    (column) => `'${column}', ${column === 'value' ? value : `passport_values.${column}`}`,
  );
  return `CAST(COALESCE(${all}(${object}(${members.join()})), '[]') AS text)`;
}

/** All values of a passport, as the text that `valuesIn` reads. */
export async function valuesText(database: Knex, tenantId: string, productId: string): Promise<string> {
  const row = await storedValues.first(database, { tenantId, productId });
  return row?.found ?? '[]';
}

/** All values of a passport, in the order of `compareValues`. */
export async function listValues(database: Knex, tenantId: string, productId: string): Promise<PassportValue[]> {
  return valuesIn(await valuesText(database, tenantId, productId));
}

/** Passports whose values are read at once: a passport has at most 2 MiB. */
const passportsAtOnce = 16;

/** Each row of a page of products with the values of its passport, in the order of the rows. Memory is bounded. */
export async function* walkValues<Row extends Pick<Product, 'id'>>(
  database: Knex,
  tenantId: string,
  rows: readonly Row[],
): AsyncGenerator<{ row: Row } & ConfirmedValues> {
  for (let start = 0; start < rows.length; start += passportsAtOnce) {
    const group = rows.slice(start, start + passportsAtOnce);
    const ids = JSON.stringify(group.map(({ id }) => id));
    const stored = await storedValuesOf.all(database, { tenantId, ids });
    const byId = new Map(stored.map((each) => [each.id, each]));
    for (const row of group) {
      const { found = '[]', confirmed = null } = byId.get(row.id) ?? {};
      // Parsed values take much more memory than text.
      yield { row, values: valuesIn(found), confirmed: confirmedIn(confirmed) };
    }
  }
}

/** The values of a passport, and the fields that commands confirmed. */
export interface ConfirmedValues {
  values: PassportValue[];
  confirmed: Confirmed;
}

/** Those of one passport. */
export async function listConfirmed(database: Knex, tenantId: string, productId: string): Promise<ConfirmedValues> {
  for await (const { values, confirmed } of walkValues(database, tenantId, [{ id: productId }])) {
    return { values, confirmed };
  }
  return { values: [], confirmed: {} };
}

export function confirmedIn(stored: string | null): Confirmed {
  return stored === null ? {} : JSON.parse(stored);
}

/** Without a field it is `null`. */
export function confirmedText({ open = [], own = [] }: Confirmed): string | null {
  return open.length + own.length === 0 ? null : JSON.stringify({ open, own });
}

/** In the order of `compareValues`. No database sorts by UTF-16 code units. */
export function valuesIn(found: string): PassportValue[] {
  const values: PassportValue[] = JSON.parse(found);
  for (const value of values) {
    // SQLite's truth values are numbers.
    value.is_unknown = Boolean(value.is_unknown);
    value.needs_review = Boolean(value.needs_review);
  }
  return values.sort(compareValues);
}

/**
 * One JSON array of rows is one parameter, so that the statement is prepared once for any number of rows. Knex would
 * build it again for each number, for 20 ms on 1,000 rows.
 */
const upsert = statement<object, { tenantId: string; productId: string; rows: string }>(
  (database, { tenantId, productId, rows }) => {
    // As `insertOf` does.
    const [tenant, elements, boolean] = isPostgres(database)
      ? ['own.tenant_id', 'product_counts AS own, json_array_elements(?::json) AS given(value)', '::boolean']
      : ['?', 'json_each(?) AS given', ''];
    const condition = isPostgres(database) ? 'own.tenant_id = ?' : 'true';
    const columns = valueColumns.map((column, index) =>
      ['is_unknown', 'needs_review'].includes(column)
        ? `(given.value ->> ${index})${boolean}`
        : `given.value ->> ${index}`,
    );
    const updates = valueColumns.map((column) => `${column} = excluded.${column}`);
    return database.raw(
      `INSERT INTO passport_values (tenant_id, product_id, ${valueColumns.join(', ')})
       SELECT ${tenant}, ?, ${columns.join(', ')} FROM ${elements} WHERE ${condition}
       ON CONFLICT (tenant_id, product_id, field_key, locale) DO UPDATE SET ${updates.join(', ')}`,
      isPostgres(database) ? [productId, rows, tenantId] : [tenantId, productId, rows],
    );
  },
);

const versionColumns = {
  ...columnsOf('passport_versions', ['version', 'template_version', 'content_hash', 'salt']),
  versioned_at: 'passport_versions.created_at',
} as const;

/** The tenant's product and the latest version of its passport. */
export const findPassport = lookup<PassportRow, { tenantId: string; slug: string }>(
  {
    ...columnsOf('products', [
      'tenant_id',
      'id',
      'name',
      'slug',
      'status',
      'gtin',
      'product_group',
      'completeness',
      'updated_at',
      'serial_number',
      'confirmed',
    ]),
    ...versionColumns,
    language: 'tenants.language',
  },
  (database, { tenantId, slug }) =>
    withLatestVersion(database('products').join('tenants', 'tenants.id', 'products.tenant_id')).where({
      'products.tenant_id': tenantId,
      'products.slug': slug,
    }),
);

/** An active product of a tenant, which has this slug, and the latest version of its passport. */
export const findPublishedOf = lookup<PublishedRow, { tenantId: string } & PassportPath>(
  {
    tenant_name: 'tenants.name',
    ...columnsOf('tenants', ['language', ...pageColumns]),
    ...columnsOf('products', [
      'tenant_id',
      ...publicColumns,
      'is_item',
      'public_serial',
      'withheld_versions',
      'confirmed',
    ]),
    ...imageOf,
    image_alt: 'product_images.alt',
    ...versionColumns,
    public_hash: 'passport_versions.public_hash',
  },
  (database, { tenantId, tenant, product }) =>
    withLatestVersion(
      withImages(database, database('tenants').join('products', 'products.tenant_id', 'tenants.id'), tenantId),
    ).where({
      'products.tenant_id': tenantId,
      // The id may be that of a tenant that had the slug before.
      'tenants.slug': tenant,
      'products.slug': product,
      'products.status': 'active',
    }),
);

/** An active product and the latest version of its passport. What is not found always takes the same statements. */
export function findPublished(database: Knex, path: PassportPath): Promise<PublishedRow | undefined> {
  return findInTenant(database, path.tenant, (tenantId) => findPublishedOf(database, { tenantId, ...path }));
}

function withLatestVersion(query: Knex.QueryBuilder): Knex.QueryBuilder {
  return query
    .join('passport_versions', (join) =>
      join.on('passport_versions.tenant_id', 'products.tenant_id').andOn('passport_versions.product_id', 'products.id'),
    )
    .orderBy('passport_versions.version', 'desc')
    .limit(1);
}

/** Inserts values, each in place of the one with the same field and language. The rest of the passport stays. */
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

/** Deletes the values of fields, in every language. */
export async function deleteValues(
  transaction: Knex.Transaction,
  tenantId: string,
  productId: string,
  fields: readonly string[],
): Promise<void> {
  const values = transaction('passport_values').where({ tenant_id: tenantId, product_id: productId });
  await values.whereIn('field_key', fields).delete();
}

const versionRows = statement<object, { tenantId: string; rows: string }>((database, { tenantId, rows }) =>
  insertOf(
    database,
    tenantId,
    'passport_versions',
    ['product_id', 'version', 'template_version', 'content_hash', 'salt', 'public_hash', 'created_at', 'replaced'],
    rows,
  ),
);

/** Inserts a version of each passport. `replaced` is what the version replaces; the first one replaces nothing. */
export async function insertVersions(
  transaction: Knex.Transaction,
  tenantId: string,
  versions: (Version & { product_id: string; replaced?: Replaced })[],
): Promise<void> {
  const rows = versions.map(({ replaced, ...version }) => ({
    ...version,
    replaced: replaced === undefined ? null : JSON.stringify(replaced),
  }));
  await versionRows.all(transaction, { tenantId, rows: JSON.stringify(rows) });
}

/** A version of a passport. */
export interface Version {
  /** Counts from 1. */
  version: number;
  template_version: number;
  content_hash: string;
  /** Part of what `content_hash` covers. */
  salt: string;
  /** The hash of the public values alone. */
  public_hash: string;
  created_at: string;
}

const changedColumns = ['completeness', 'serial_number', 'public_serial', 'confirmed', 'updated_at'] as const;

const passportUpdate = statement<
  { id: string },
  { tenantId: string; id: string; before: string; confirmedBefore: string | null } & OfPassport &
    Pick<Product, 'updated_at'>
>((database, parameters) =>
  database('products')
    .where({ tenant_id: parameters.tenantId, id: parameters.id, updated_at: parameters.before })
    // A confirmation changes no time.
    .whereRaw('confirmed IS NOT DISTINCT FROM ?', parameters.confirmedBefore)
    .update(Object.fromEntries(changedColumns.map((column) => [column, parameters[column]])))
    .returning('id'),
);

/** What follows from the values of a product's passport. */
export interface OfPassport extends StoredConfirmation, Serials {
  completeness: number;
}

/**
 * Stores what follows from a product's passport and locks it until the transaction ends, unless it changed since it was read.
 *
 * @param updated_at becomes the time of the change. It must be later than the last change (`timeOfChange`).
 * @returns whether it was stored
 */
export async function updateOfPassport(
  transaction: Knex.Transaction,
  tenantId: string,
  { id, updated_at: before, confirmed: confirmedBefore }: Pick<PassportRow, 'id' | 'updated_at' | 'confirmed'>,
  change: OfPassport,
  updated_at: string,
): Promise<boolean> {
  const row = await passportUpdate.first(transaction, {
    ...{ tenantId, id, before, confirmedBefore, updated_at },
    ...change,
  });
  return row !== undefined;
}
