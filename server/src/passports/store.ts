import type { Knex } from 'knex';
import { compareValues, type PassportValue } from './rules.ts';
import type { Version } from './version.ts';

type ValueRow = Omit<PassportValue, 'value' | 'is_unknown' | 'needs_review'> & {
  /** JSON text. */
  value: string;
  is_unknown: boolean | number;
  needs_review: boolean | number;
};

/** Rows in one statement. SQLite and PostgreSQL limit the number of parameters. */
const rowsAtOnce = 500;

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

export async function upsertValues(
  transaction: Knex.Transaction,
  tenantId: string,
  productId: string,
  values: PassportValue[],
): Promise<void> {
  for (let start = 0; start < values.length; start += rowsAtOnce) {
    const rows = values
      .slice(start, start + rowsAtOnce)
      .map((value) => ({ tenant_id: tenantId, product_id: productId, ...value, value: JSON.stringify(value.value) }));
    await transaction('passport_values')
      .insert(rows)
      .onConflict(['tenant_id', 'product_id', 'field_key', 'locale'])
      .merge();
  }
}

export async function latestVersion(database: Knex, tenantId: string, productId: string): Promise<Version> {
  const version: Version | undefined = await database('passport_versions')
    .where({ tenant_id: tenantId, product_id: productId })
    .orderBy('version', 'desc')
    .first('version', 'template_version', 'content_hash', 'salt', 'created_at');
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
