import type { PassportValue } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { isPostgres } from '../database/connection.ts';
import { statement } from '../database/statement.ts';
import { withheldVersions } from '../passports/published-versions.ts';
import { listValuesOf } from '../passports/store.ts';
import type { Version } from '../passports/version.ts';
import { type Product, productColumns } from '../products/store.ts';
import type { ProductLine } from './format.ts';

/** Products in one statement. */
const productsAtOnce = 500;

/** The values of passports that are read at once reach this size, in bytes of JSON. */
const bytesAtOnce = 4 * 1024 * 1024;

type ExportedRow = Product &
  Omit<Version, 'created_at'> & {
    position: number;
    activated_at: string | null;
    withheld_versions: string | null;
    versioned_at: string;
  };

const page = statement<ExportedRow, { tenantId: string; after: number; last: number }>(
  (database, { tenantId, after, last }) =>
    database('products')
      .join('passport_versions as latest', (join) =>
        join.on('latest.tenant_id', 'products.tenant_id').andOn('latest.product_id', 'products.id'),
      )
      .where('products.tenant_id', tenantId)
      .where('products.position', '>', after)
      .where('products.position', '<=', last)
      .where(
        'latest.version',
        database('passport_versions')
          .max('version')
          .whereRaw('tenant_id = products.tenant_id AND product_id = products.id'),
      )
      .orderBy('products.position')
      .select([
        ...productColumns.map((column) => `products.${column}`),
        'products.position',
        'products.activated_at',
        'products.withheld_versions',
        'latest.version',
        'latest.template_version',
        'latest.content_hash',
        'latest.salt',
        'latest.public_hash',
        'latest.created_at as versioned_at',
      ]),
);

/** The sizes of passports that have values. Neither database reads the values for it. */
const sizes = statement<{ product_id: string; size: number | string }, { tenantId: string; ids: string }>(
  (database, { tenantId, ids }) =>
    database('passport_values')
      .where('tenant_id', tenantId)
      .whereRaw(`product_id IN (SELECT ${elements(database)})`, ids)
      .groupBy('product_id')
      .select('product_id', database.raw('SUM(octet_length(value)) AS size')),
);

function elements(database: Knex): string {
  return isPostgres(database) ? 'json_array_elements_text(?)' : 'value FROM json_each(?)';
}

/** The tenant's products with their passports, in the order of their positions. */
export async function* productLines(transaction: Knex.Transaction, tenantId: string): AsyncGenerator<ProductLine> {
  for (let after = 0; ; after += productsAtOnce) {
    const rows = await page.all(transaction, { tenantId, after, last: after + productsAtOnce });
    if (rows.length === 0) return;
    for (const group of await groupsOf(transaction, tenantId, rows)) {
      const values = await listValuesOf(
        transaction,
        tenantId,
        group.filled.map(({ id }) => id),
      );
      for (const row of group.rows) yield productLine(row, values.get(row.id) ?? []);
    }
  }
}

interface Group {
  rows: ExportedRow[];
  /** Those with values. */
  filled: ExportedRow[];
}

/** Splits a page, so that the values of each group fit into memory. */
async function groupsOf(transaction: Knex.Transaction, tenantId: string, rows: ExportedRow[]): Promise<Group[]> {
  const ids = JSON.stringify(rows.map(({ id }) => id));
  const sizeOf = new Map(
    (await sizes.all(transaction, { tenantId, ids })).map(({ product_id, size }) => [product_id, Number(size)]),
  );
  const groups: Group[] = [];
  let room = 0;
  for (const row of rows) {
    const size = sizeOf.get(row.id);
    let group = groups.at(-1);
    if (!group || room < (size ?? 0)) {
      group = { rows: [], filled: [] };
      groups.push(group);
      room = bytesAtOnce;
    }
    group.rows.push(row);
    if (size !== undefined) group.filled.push(row);
    room -= size ?? 0;
  }
  return groups;
}

function productLine(row: ExportedRow, values: PassportValue[]): ProductLine {
  const {
    position,
    activated_at,
    withheld_versions,
    version,
    template_version,
    content_hash,
    salt,
    public_hash,
    versioned_at,
    ...product
  } = row;
  const { id, name, slug, status, completeness } = product;
  const withheld = withheldVersions(withheld_versions);
  return {
    type: 'product',
    position,
    activated_at,
    ...(withheld.length > 0 && { withheld_versions: withheld }),
    version,
    public_hash,
    product,
    passport: {
      product: { id, name, slug, status, completeness },
      template_version,
      values,
      latest_version: { content_hash, salt, created_at: versioned_at },
    },
  };
}
