import { gtin14, serialsOf } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { gatherStatistics, insertRows, isPostgres, textsOf } from '../database/statement.ts';
import { confirmedText } from '../passports/store.ts';
import { derived, moveCount, takePositions } from '../products/store.ts';
import { insertCounts, type ScanCount } from '../scans/store.ts';
import {
  type HistoryLine,
  type ImageLine,
  type ProductLine,
  type Row,
  type SectionLine,
  sections,
  type TenantLine,
} from './format.ts';
import { addGtins, type GtinProduct, refuseGtins } from './gtins.ts';
import { type ReadLine, RefusedLine } from './reader.ts';

/** A line with content, and its number in the file. */
export interface Content {
  number: number;
  line: ProductLine | SectionLine | ImageLine | HistoryLine;
}

interface WriteOptions {
  tenantId: string;
  /** Accepts an active product whose GTIN is active under another tenant. */
  shareGtin: boolean;
  /** The API keys do not work until `revealKeys`. Default: they work. */
  hideKeys?: boolean;
}

/** The beginning of a key's hash while it does not work. */
const hiddenHash = 'importing:';

/** The row of a tenant. */
export function tenantRow({ tenant, created_at, pages: { logo, ...texts } = {} }: TenantLine): Record<string, unknown> {
  return {
    ...tenant,
    created_at,
    ...texts,
    ...(logo && {
      logo_sha256: logo.sha256,
      logo_width: logo.width,
      logo_height: logo.height,
      logo_bytes: Buffer.from(logo.bytes, 'base64'),
    }),
  };
}

/** Stores lines of a tenant, in a transaction. A database error means that one of them does not fit. */
async function writeLines(
  transaction: Knex.Transaction,
  contents: readonly Content[],
  options: WriteOptions,
): Promise<void> {
  const products = contents.filter((each) => each.line.type === 'product') as (Content & { line: ProductLine })[];
  if (products.length > 0) await writeProducts(transaction, products, options);
  for (const { number, line } of contents) {
    if (line.type === 'history') await writeHistory(transaction, number, line, options.tenantId);
    else if (line.type === 'image') {
      const { type: _, ...image } = line;
      const bytes = Buffer.from(image.bytes, 'base64');
      await transaction('product_images').insert({ tenant_id: options.tenantId, ...image, bytes });
    } else if (line.type !== 'product') await writeSection(transaction, number, line, options);
  }
}

async function writeProducts(
  transaction: Knex.Transaction,
  contents: readonly (Content & { line: ProductLine })[],
  options: WriteOptions,
): Promise<void> {
  const { tenantId: tenant_id } = options;
  const last = await takePositions(transaction, tenant_id, contents.length);
  contents.forEach(({ number, line: { position } }, index) => {
    const expected = last - contents.length + 1 + index;
    if (position !== expected) throw new RefusedLine(number, `position must be ${expected}, the next one.`);
  });
  if (!options.shareGtin) await refuseGtins(transaction, tenant_id, activeGtins(contents));
  const products: Row[] = [];
  const values: Row[] = [];
  const versions: Row[] = [];
  for (const { line } of contents) {
    const { product, passport, position, version, public_hash } = line;
    const withheld_versions = line.withheld_versions ? JSON.stringify(line.withheld_versions) : null;
    products.push({
      tenant_id,
      ...product,
      ...derived(product),
      ...serialsOf(passport.values),
      position,
      activated_at: line.activated_at,
      withheld_versions,
      confirmed: confirmedText(line.confirmed ?? {}),
      unfinished: line.unfinished ? JSON.stringify(line.unfinished) : null,
    });
    for (const value of passport.values) {
      values.push({ tenant_id, product_id: product.id, ...value, value: JSON.stringify(value.value) });
    }
    const { template_version, latest_version } = passport;
    versions.push({ tenant_id, product_id: product.id, version, template_version, ...latest_version, public_hash });
  }
  await insertRows(transaction, 'products', products);
  await insertRows(transaction, 'passport_versions', versions);
  await insertRows(transaction, 'passport_values', values);
  await addGtins(transaction, tenant_id, products as unknown as GtinProduct[]);
  for (const status of ['active', 'archived'] as const) {
    const moved = products.filter((product) => product.status === status);
    const items = moved.filter((product) => product.serial_number !== null).length;
    await moveCount(transaction, tenant_id, 'draft', status, { products: moved.length, items });
  }
}

/** The lines of active products, by their GTIN in its form of 14 digits. */
function activeGtins(contents: readonly (Content & { line: ProductLine })[]): Map<string, number> {
  const lines = new Map<string, number>();
  for (const { number, line } of contents) {
    const { gtin, status } = line.product;
    if (gtin !== null && status === 'active') lines.set(gtin14(gtin), number);
  }
  return lines;
}

async function writeSection(
  transaction: Knex.Transaction,
  number: number,
  { type, items }: SectionLine,
  { tenantId: tenant_id, hideKeys = false }: WriteOptions,
): Promise<void> {
  if (type === 'scan_counts') return insertCounts(transaction, tenant_id, items as unknown as ScanCount[]);
  const rows: Row[] = items.map((item) => ({ tenant_id, ...item }));
  if (type === 'versions') await refuseNewer(transaction, number, tenant_id, items);
  if (type === 'carriers') await refuseWithoutGtin(transaction, number, tenant_id, items);
  if (type === 'api_keys') {
    await refuseKeys(transaction, number, items);
    for (const row of rows) row.scope ??= 'edit';
    if (hideKeys) for (const row of rows) row.hash = hiddenHash + row.hash;
  }
  await insertRows(transaction, sections[type].table, rows);
}

/** The latest version stands with its product, where its hash was checked. */
async function refuseNewer(
  transaction: Knex.Transaction,
  number: number,
  tenantId: string,
  items: readonly Row[],
): Promise<void> {
  const rows: { product_id: string; latest: number }[] = await transaction('passport_versions')
    .where({ tenant_id: tenantId })
    .whereRaw(`product_id IN (${textsOf(transaction)})`, productIds(items))
    .groupBy('product_id')
    .select('product_id')
    .max({ latest: 'version' });
  const latest = new Map(rows.map((row) => [row.product_id, row.latest]));
  items.forEach(({ product_id, version }, index) => {
    if (Number(version) < (latest.get(String(product_id)) ?? 0)) return;
    throw new RefusedLine(number, `items.${index} is not older than the latest version of a product before this line.`);
  });
}

/** @throws RefusedLine if a product of the tenant lacks a version */
export async function refuseGaps(transaction: Knex.Transaction, number: number, tenantId: string): Promise<void> {
  const gap = await transaction('passport_versions')
    .where({ tenant_id: tenantId })
    .groupBy('product_id')
    .havingRaw('COUNT(*) <> MAX(version)')
    .first('product_id');
  if (gap) throw new RefusedLine(number, `a version of the product ${gap.product_id} is missing.`);
}

/** The link of a carrier has the GTIN. */
async function refuseWithoutGtin(
  transaction: Knex.Transaction,
  number: number,
  tenantId: string,
  items: readonly Row[],
): Promise<void> {
  const found = await transaction('products')
    .where({ tenant_id: tenantId, gtin: null })
    .whereRaw(`id IN (${textsOf(transaction)})`, productIds(items))
    .first('slug');
  if (found) throw new RefusedLine(number, `the product ${found.slug} has no GTIN, so it cannot have a carrier.`);
}

/** As JSON, because a database accepts a limited number of parameters. */
function productIds(items: readonly Row[]): string {
  return JSON.stringify(items.map(({ product_id }) => product_id));
}

async function refuseKeys(transaction: Knex.Transaction, number: number, items: readonly Row[]): Promise<void> {
  for (const { hash } of items) {
    const taken = await transaction('api_keys').where({ hash }).first('id');
    if (taken) throw new RefusedLine(number, 'another tenant has one of these API keys.');
  }
}

/** Makes the API keys of a tenant work. */
export async function revealKeys(transaction: Knex.Transaction, tenantId: string): Promise<void> {
  await transaction('api_keys')
    .where({ tenant_id: tenantId })
    .where('hash', 'like', `${hiddenHash}%`)
    .update({ hash: transaction.raw('substr(hash, ?)', [hiddenHash.length + 1]) });
}

/** @throws RefusedLine if a version does not stand before the line */
async function writeHistory(
  transaction: Knex.Transaction,
  number: number,
  { items }: HistoryLine,
  tenantId: string,
): Promise<void> {
  const json = JSON.stringify(items.map((item) => ({ ...item, replaced: JSON.stringify(item.replaced) })));
  const rows = isPostgres(transaction)
    ? 'SELECT * FROM json_to_recordset(?) AS item (product_id text, version integer, replaced text)'
    : "SELECT value ->> 'product_id' AS product_id, value ->> 'version' AS version, value ->> 'replaced' AS replaced FROM json_each(?)";
  const stored = await transaction('passport_versions')
    .where({ tenant_id: tenantId })
    .whereRaw(`(product_id, version) IN (SELECT product_id, version FROM (${rows}) AS item)`, json)
    .count({ count: '*' })
    .first();
  if (Number(stored?.count) !== items.length) {
    throw new RefusedLine(number, 'it has a version twice, or one that does not stand before this line.');
  }
  await transaction.raw(
    `UPDATE passport_versions SET replaced = item.replaced FROM (${rows}) AS item
     WHERE passport_versions.tenant_id = ? AND passport_versions.product_id = item.product_id
     AND passport_versions.version = item.version`,
    [json, tenantId],
  );
}

/** A transaction ends with the line that reaches one of these, so that other writers and the memory wait little. */
const linesAtOnce = 500;
const bytesAtOnce = 4 * 1024 * 1024;

/** Collects lines. @param store stores a batch in one transaction */
export function newBatch(database: Knex, store: (contents: readonly Content[]) => Promise<void>) {
  let contents: Content[] = [];
  let bytes = 0;
  let batches = 0;
  /** Stores what is left. */
  async function flush(): Promise<void> {
    const batch = contents;
    contents = [];
    bytes = 0;
    if (batch.length === 0) return;
    batches += 1;
    if (batches === 2) await gatherStatistics(database);
    await store(batch);
  }
  async function add({ number, size }: ReadLine, line: Content['line']): Promise<void> {
    contents.push({ number, line });
    bytes += size;
    if (contents.length >= linesAtOnce || bytes >= bytesAtOnce) await flush();
  }
  return { add, flush };
}

/**
 * Stores lines in one transaction, all or none.
 *
 * @param before runs in the same transaction, before the lines are stored
 * @throws RefusedLine names the first line that the database refuses
 */
export async function storeLines(
  database: Knex,
  contents: readonly Content[],
  options: WriteOptions,
  before: (transaction: Knex.Transaction) => Promise<void> = async () => {},
): Promise<void> {
  const store = (batches: readonly (readonly Content[])[]) =>
    database.transaction(async (transaction) => {
      await before(transaction);
      for (const batch of batches) await writeLines(transaction, batch, options).catch(refusalOf(batch));
    });
  try {
    await store([contents]);
  } catch (error) {
    if (!(error instanceof RefusedBatch)) throw error;
    // Once more, one by one: the first line that fails is the one to name.
    await store(contents.map((content) => [content]));
    throw error;
  }
}

/** The database refuses one of several lines. */
class RefusedBatch extends Error {}

function refusalOf([first, ...others]: readonly Content[]): (error: unknown) => never {
  return (error) => {
    if (!isRefusal(error)) throw error;
    if (others.length > 0) throw new RefusedBatch('', { cause: error });
    throw new RefusedLine(first?.number ?? 0, reasonOf(error));
  };
}

/** PostgreSQL: a constraint, or a value that a column cannot hold. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && (code === 'SQLITE_CONSTRAINT' || /^2[23]/.test(code));
}

/** What a constraint means, by its table and the last column of its key. */
const meanings: Readonly<Record<string, string>> = {
  'products slug': 'another product of the tenant has this slug.',
  'products id': 'another product of the tenant has this id.',
  'carriers id': 'the product has a carrier with this id twice.',
  'status_changes id': 'the product has this change of its status twice.',
  'passport_versions version': 'the product has this version twice.',
  'product_images product_id': 'the product has two images.',
  'scan_counts role': 'the product has two counts for one day and role.',
  'api_keys id': 'two API keys have the same id.',
  'api_keys hash': 'two API keys have the same hash.',
  'access_tokens id': 'two access tokens have the same id.',
};

function reasonOf(error: unknown): string {
  const {
    message = '',
    code,
    detail = '',
    table,
  } = error as Partial<Record<'message' | 'code' | 'detail' | 'table', string>>;
  if (code === '23503' || /FOREIGN KEY/.test(message)) return 'it belongs to a product that does not stand before it.';
  const ofSqlite = /constraint failed: (?:\w+\.\w+, )*(\w+)\.(\w+)$/.exec(message);
  const ofPostgres = /^Key \((?:\w+, )*(\w+)\)=/.exec(detail);
  const key = ofSqlite ? `${ofSqlite[1]} ${ofSqlite[2]}` : `${table} ${ofPostgres?.[1]}`;
  return meanings[key] ?? `the database refuses it (${code}).`;
}
