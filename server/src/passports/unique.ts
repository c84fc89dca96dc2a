/** Values that only one active product of a tenant may have. */
import { gtin14, listedSerial, type UniqueValue } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { statement } from '../database/statement.ts';
import type { Product } from '../products/store.ts';
import { uniqueFields } from '../templates/catalogue.ts';

type Owner = Pick<Product, 'slug'>;
type Wanted = { tenantId: string; id: string; value: string };

const ownerOfSerial = statement<Owner, Wanted & { gtin14: string; serial: string }>(
  (database, { tenantId, id, gtin14, serial, value }) =>
    firstOf(database('products'))
      .where({ tenant_id: tenantId, gtin14, serial_number: serial })
      .whereNot('id', id)
      // The column has the beginning of a long serial number. SQLite would join from the values, of which a tenant has millions.
      .whereExists(
        database('passport_values')
          .whereRaw('passport_values.product_id = products.id')
          .where({ tenant_id: tenantId, field_key: 'serial_number', value })
          .whereRaw('NOT is_unknown'),
      ),
);

/** By field. The databases find a partial index only if the statement names the field itself. */
const ownersOfField = new Map(
  uniqueFields.map((field) => [
    field,
    statement<Owner, Wanted>((database, { tenantId, id, value }) =>
      firstOf(withValues(database))
        .where({ 'passport_values.tenant_id': tenantId, value })
        .whereRaw(`field_key = '${field}' AND substr(value, 1, 200) = substr(?, 1, 200)`, [value])
        .whereNot('products.id', id),
    ),
  ]),
);

function withValues(database: Knex): Knex.QueryBuilder {
  return database('products')
    .join('passport_values', (join) =>
      join.on('passport_values.tenant_id', 'products.tenant_id').andOn('passport_values.product_id', 'products.id'),
    )
    .whereRaw('NOT is_unknown');
}

/** The active product that was activated first. */
function firstOf(products: Knex.QueryBuilder): Knex.QueryBuilder {
  return (
    products
      .where('status', 'active')
      // By the column alone, SQLite would read all active products of a GTIN in their order.
      .orderByRaw("activated_at || '', products.id")
      .limit(1)
      .select('products.slug')
  );
}

/** A value that another active product of the tenant has. */
export interface ValueInUse {
  field_key: string;
  /** Of the other product: the one that was activated first. */
  slug: string;
}

/** Finds the unique values of a product that other active products have. Without a GTIN, serial numbers are not compared. */
export async function findInUse(
  database: Knex,
  tenantId: string,
  { id, gtin }: Pick<Product, 'id' | 'gtin'>,
  values: readonly UniqueValue[],
): Promise<ValueInUse[]> {
  const found: ValueInUse[] = [];
  for (const { field_key, value } of values) {
    const wanted = { tenantId, id, value };
    const inGtin = field_key === 'serial_number' && gtin !== null;
    const owner = inGtin
      ? await ownerOfSerial.first(database, {
          ...wanted,
          gtin14: gtin14(gtin),
          serial: listedSerial(JSON.parse(value)),
        })
      : await ownersOfField.get(field_key)?.first(database, wanted);
    if (owner) found.push({ field_key, slug: owner.slug });
  }
  return found;
}

/** Counts the active products of a tenant with a unique value that an earlier one has. */
export async function countDoubles(database: Knex, tenantId: string): Promise<number> {
  const serials = database('products')
    .where({ tenant_id: tenantId, status: 'active' })
    .whereRaw('gtin14 IS NOT NULL AND serial_number IS NOT NULL')
    .groupBy('gtin14', 'serial_number');
  const fields = uniqueFields.map((field) =>
    database('products')
      .join('passport_values', 'passport_values.product_id', 'products.id')
      .where({ 'products.tenant_id': tenantId, 'passport_values.tenant_id': tenantId, status: 'active' })
      .whereRaw(`field_key = '${field}' AND NOT is_unknown AND trim(value, '" ') NOT IN ('', 'null', '{}')`)
      .groupBy('value'),
  );
  let count = 0;
  for (const groups of [serials, ...fields]) {
    const rows = await groups.havingRaw('COUNT(*) > 1').select(database.raw('COUNT(*) - 1 AS more'));
    for (const { more } of rows) count += Number(more);
  }
  return count;
}
