import type { PassportValue } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { statement } from '../database/statement.ts';
import { withheldVersions } from '../passports/published-versions.ts';
import { type Version, walkValues } from '../passports/store.ts';
import { type Product, productColumns } from '../products/store.ts';
import type { ProductLine } from './format.ts';

/** Products in one statement. */
const productsAtOnce = 500;

type ExportedRow = Product &
  Omit<Version, 'created_at'> & {
    position: number;
    activated_at: string | null;
    withheld_versions: string | null;
    versioned_at: string;
  };

const ownColumns = ['position', 'activated_at', 'withheld_versions'];
const versionColumns = ['version', 'template_version', 'content_hash', 'salt', 'public_hash'];

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
        ...[...productColumns, ...ownColumns].map((column) => `products.${column}`),
        ...versionColumns.map((column) => `latest.${column}`),
        'latest.created_at as versioned_at',
      ]),
);

/** The tenant's products with their passports, in the order of their positions. */
export async function* productLines(transaction: Knex.Transaction, tenantId: string): AsyncGenerator<ProductLine> {
  for (let after = 0; ; after += productsAtOnce) {
    const rows = await page.all(transaction, { tenantId, after, last: after + productsAtOnce });
    if (rows.length === 0) return;
    for await (const { row, values } of walkValues(transaction, tenantId, rows)) yield productLine(row, values);
  }
}

function productLine(row: ExportedRow, values: PassportValue[]): ProductLine {
  const product = Object.fromEntries(productColumns.map((column) => [column, row[column]])) as unknown as Product;
  const { id, name, slug, status, completeness } = product;
  const { content_hash, salt, template_version, versioned_at } = row;
  const withheld = withheldVersions(row.withheld_versions);
  return {
    type: 'product',
    position: row.position,
    activated_at: row.activated_at,
    ...(withheld.length > 0 && { withheld_versions: withheld }),
    version: row.version,
    public_hash: row.public_hash,
    product,
    passport: {
      product: { id, name, slug, status, completeness },
      template_version,
      values,
      latest_version: { content_hash, salt, created_at: versioned_at },
    },
  };
}
