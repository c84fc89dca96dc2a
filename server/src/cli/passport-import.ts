/** `passport import`: values of many products from a file. */
import { gtin14, quoted } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { inputOf } from '../items/add.ts';
import { TooOpen, writeForCommand } from '../passports/confirm.ts';
import { listValues } from '../passports/store.ts';
import { lockProduct, lockProducts, type Product, takePositions } from '../products/store.ts';
import { templateKeys, templateOf } from '../templates/catalogue.ts';
import type { Tenant } from '../tenants/store.ts';
import {
  argument,
  type Context,
  command,
  confirmations,
  dryRun,
  flag,
  option,
  type Subjects,
  texts,
} from './command.ts';
import { contractBody } from './files.ts';
import { counted, Warnings } from './output.ts';
import { blockingSentence } from './review.ts';
import {
  batchesOf,
  Columns,
  type FileRow,
  newRefusals,
  type Refused,
  RowFault,
  readRows,
  reasonOf,
  rowsOf,
} from './rows.ts';

/** The option of commands that write values. */
export const strict = flag('--strict', 'store nothing of a passport if a value does not fit its template');

const options = {
  dryRun,
  strict,
  open: confirmations.open,
  own: option('--own <column>', 'store a column as a field of your own; you can repeat it', texts),
};

/** Columns that name a product. With `gtin`, the serial number names it too. */
const names = ['slug', 'gtin', 'identifier'];

/** Rows of one transaction. */
const rowsAtOnce = 100;

export const importCommand = command({
  name: 'import',
  about: 'tenant',
  open: { unlimited: true },
  progress: 'rows',
  summary: 'write values to the passports of many products',
  description:
    'write values to the passports of many products, from a CSV file with a header or from JSON Lines. A row names its product ' +
    'in the column slug, in the columns gtin and serial_number, or in the column identifier; each other column is the key or ' +
    'the label of a field. Empty cells change nothing. Each row is written as by `passport set`, or refused with its line.',
  example: 'passport import values.csv --tenant my-shop',
  arguments: [argument('<file>', 'CSV or JSON Lines in UTF-8; - reads standard input')],
  options,
  run: importFrom,
  text: ({ written, refused, seconds }, { options: { dryRun: isDry } }) =>
    `${isDry ? `The values of ${counted(written, 'product')} can be written` : `Wrote the values of ${counted(written, 'product')} in ${seconds} seconds`}` +
    `${refused > 0 ? `; ${counted(refused, 'row')} ${refused === 1 ? 'was' : 'were'} refused` : ''}.`,
});

type Importing = Context<typeof options> & Subjects<Knex>['tenant'];

async function importFrom({ tenant, options, change, progress }: Importing, file: string) {
  const { strict: isStrict = false, open, own, dryRun: isDry = false } = options;
  const columnsOf = newColumns(own);
  const { ofValue } = await contractBody('putPassport');
  const refusals = newRefusals();
  const findings = new Warnings('rows were written that do not fit');
  let written = 0;

  async function write(transaction: Knex.Transaction, row: FileRow): Promise<void> {
    const product = await productOf(transaction, tenant, row);
    const values = columnsOf(product.product_group).valuesOf({ ...row, cells: fieldsOf(row) });
    await ofValue(values);
    const known = await listValues(transaction, tenant.id, product.id);
    const keys = new Set(known.map(({ field_key }) => field_key));
    const template = templateOf(product.product_group);
    const inputs = values.map((value) => inputOf(value, template, keys));
    const services = { database: transaction, now: () => new Date() };
    const { blocking } = await writeForCommand(services, tenant, product, inputs, { open, own });
    if (blocking.length === 0) return;
    const sentence = blockingSentence({ product, blocking });
    if (isStrict) throw new RowFault(sentence.replace(/\.$/, ''));
    findings.add(`line ${row.line}: was written, but does not fit its template. ${sentence}`);
  }

  /** Each row is written or not, whatever becomes of the others. */
  async function writeAll(transaction: Knex.Transaction, rows: readonly FileRow[]): Promise<Refused[]> {
    const refused: Refused[] = [];
    await lockNamed(transaction, tenant, rows);
    // A serial number may make a product an item, which is counted: the counts are locked before the first product changes.
    if (rows.some((row) => fieldsOf(row).some(([name]) => isSerial(name))))
      await takePositions(transaction, tenant.id, 0);
    for (const row of rows) {
      try {
        await transaction.transaction((savepoint) => write(savepoint, row));
        written += 1;
      } catch (error) {
        const why = error instanceof TooOpen ? { error: error.message.replace(/\.$/, '') } : reasonOf(error);
        refused.push({ line: row.line, ...why });
      }
    }
    return refused;
  }

  const rows = rowsOf(file, (found) => checkHeader(found, columnsOf));
  for await (const batch of batchesOf(rows, rowsAtOnce)) {
    const { rows: readable, refused } = await readRows(batch, async (row) => row);
    refusals.add([...refused, ...(await change((transaction) => writeAll(transaction, readable)))]);
    progress.report(written + refusals.count);
  }
  refusals.end();
  findings.end();
  return {
    written,
    with_findings: findings.count,
    ...{ refused: refusals.count, refusals: refusals.listed },
    ...(isDry && { dry_run: true }),
    seconds: progress.seconds,
  };
}

type ColumnsOf = (group: string | null) => Columns;

/** The columns of each product group. */
function newColumns(own: readonly string[] | undefined): ColumnsOf {
  const made = new Map<string | null, Columns>();
  return (group) => {
    const columns = made.get(group) ?? new Columns(templateOf(group), own);
    made.set(group, columns);
    return columns;
  };
}

/** Every group has it. */
const anyColumns = newColumns(undefined);

/** Whether a column is the serial number. */
function isSerial(name: string): boolean {
  return anyColumns(null).find(name) === 'serial_number';
}

/** The cells of a row that do not name its product. */
function fieldsOf({ cells }: FileRow): FileRow['cells'] {
  const hasGtin = cells.some(([name]) => name === 'gtin');
  return cells.filter(([name]) => !names.includes(name) && !(hasGtin && isSerial(name)));
}

/** @throws RowFault if no product group has a column, or no column names a product */
function checkHeader(found: readonly string[], columnsOf: ColumnsOf): void {
  const isField = (name: string) => templateKeys.some((group) => columnsOf(group).find(name) !== undefined);
  const unknown = found.find((name) => !names.includes(name) && !isField(name));
  if (unknown !== undefined) {
    const advice = 'To store it as a field of your own, name it with --own';
    throw new RowFault(`${quoted(unknown)} is no field of any product group, or of several. ${advice}`);
  }
  if (found.includes('slug') || found.includes('identifier')) return;
  if (found.includes('gtin') && found.some(isSerial)) return;
  throw new RowFault('no column names the product: add slug, identifier, or gtin and serial_number');
}

/** Locks the products that rows name, in their order for all transactions. */
async function lockNamed(transaction: Knex.Transaction, tenant: Tenant, rows: readonly FileRow[]): Promise<void> {
  const slugs: string[] = [];
  for (const row of rows) {
    const slug = await slugOf(transaction, tenant, row).catch(nothingOfFault);
    if (slug !== undefined) slugs.push(slug);
  }
  await lockProducts(transaction, tenant.id, slugs);
}

/** The row is refused when it is written. */
function nothingOfFault(error: unknown): undefined {
  if (!(error instanceof RowFault)) throw error;
}

/**
 * The slug by which a row names its product.
 *
 * @throws RowFault
 */
async function slugOf(transaction: Knex.Transaction, tenant: Tenant, { cells }: FileRow): Promise<string> {
  const named = cells.filter(([name]) => names.includes(name));
  const [[by, text] = []] = named;
  if (named.length !== 1 || typeof text !== 'string') {
    throw new RowFault('the row must name its product by one of slug, identifier, or gtin and serial_number');
  }
  const slugs = by === 'gtin' ? await itemsOf(transaction, tenant, text, cells) : [text.split(':').at(-1) ?? ''];
  const [slug, ...others] = slugs;
  if (slug === undefined) throw new RowFault('no product has this GTIN and serial number');
  if (others.length > 0) throw new RowFault(`several products have this serial number: ${slugs.join(', ')}`);
  return slug;
}

/**
 * The product of a row, locked.
 *
 * @throws RowFault
 */
async function productOf(transaction: Knex.Transaction, tenant: Tenant, row: FileRow): Promise<Product> {
  const slug = await slugOf(transaction, tenant, row);
  const [by, text] = row.cells.find(([name]) => names.includes(name)) ?? [];
  const product = await lockProduct(transaction, tenant.id, slug);
  const isNamed = product && (by !== 'identifier' || product.unique_product_identifier === text);
  if (!isNamed) throw new RowFault(`is not that of a product of ${tenant.slug}`, by);
  return product;
}

/** The slugs of the products with a GTIN and the serial number of a row. */
async function itemsOf(
  transaction: Knex.Transaction,
  tenant: Tenant,
  gtin: string,
  cells: FileRow['cells'],
): Promise<string[]> {
  const serial = cells.find(([name]) => isSerial(name))?.[1];
  if (typeof serial !== 'string') throw new RowFault('the row has a GTIN and no serial number');
  const rows = await transaction('products')
    .where({ tenant_id: tenant.id, gtin14: gtin14(gtin), serial_number: serial })
    .select('slug');
  return rows.map(({ slug }) => slug);
}
