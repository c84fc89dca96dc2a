import { fold, gtin14, type Schemas, suffixedSlug, timeOfChange } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { v7 as uuid } from 'uuid';
import { columnsOf, insertRowsOf, isPostgres, lookup, rowsAsJson, statement, textsOf } from '../database/statement.ts';

export type ProductStatus = Schemas['ProductStatus'];

/**
 * The number of a tenant's products. Every transaction that creates a product, changes its status, or makes it an item
 * changes it too.
 */
export type ProductCounts = Record<ProductStatus | 'active_items', number>;

const countsOf = lookup<ProductCounts, { tenantId: string }>(
  columnsOf('product_counts', ['draft', 'active', 'archived', 'active_items']),
  (database, { tenantId }) => database('product_counts').where({ tenant_id: tenantId }),
);

/** All zero for a tenant that never had a product. */
export async function readCounts(database: Knex, tenantId: string): Promise<ProductCounts> {
  const row = await countsOf(database, { tenantId });
  return row ?? { draft: 0, active: 0, archived: 0, active_items: 0 };
}

/** The number of the tenant's products, of every status. */
export async function countProducts(database: Knex, tenantId: string): Promise<number> {
  const { draft, active, archived } = await readCounts(database, tenantId);
  return draft + active + archived;
}

const addDrafts = statement<ProductCounts, { tenantId: string; drafts: number }>((database, { tenantId, drafts }) =>
  database('product_counts')
    .insert({ tenant_id: tenantId, draft: drafts })
    .onConflict('tenant_id')
    .merge({ draft: database.raw('product_counts.draft + excluded.draft') })
    .returning(['draft', 'active', 'archived']),
);

/**
 * Counts new drafts and takes their positions, the last of which it returns. Positions are numbers without gaps: products
 * are never deleted, and a transaction that fails gives its position back. On PostgreSQL the tenant's row is locked until
 * the transaction ends.
 */
export async function takePositions(transaction: Knex.Transaction, tenantId: string, drafts: number): Promise<number> {
  const row = await addDrafts.first(transaction, { tenantId, drafts });
  if (!row) throw new Error('The counts of the tenant could not be stored.');
  return row.draft + row.active + row.archived;
}

/** Counts products under their new status, some of which are items. */
export async function moveCount(
  transaction: Knex.Transaction,
  tenantId: string,
  from: ProductStatus,
  to: ProductStatus,
  { products, items }: { products: number; items: number },
): Promise<void> {
  if (from === to || products === 0) return;
  const active = items * (Number(to === 'active') - Number(from === 'active'));
  await transaction('product_counts')
    .where({ tenant_id: tenantId })
    .update({
      [from]: transaction.raw('?? - ?', [from, products]),
      [to]: transaction.raw('?? + ?', [to, products]),
      active_items: transaction.raw('active_items + ?', [active]),
    });
}

/** Counts active products that became items, or with a negative number those that are no items any more. */
export async function addActiveItems(transaction: Knex.Transaction, tenantId: string, items: number): Promise<void> {
  const active_items = transaction.raw('active_items + ?', [items]);
  await transaction('product_counts').where({ tenant_id: tenantId }).update({ active_items });
}

export type Product = Schemas['Product'];
export type ProductListItem = Schemas['ProductListItem'];

/** The members of a product in a list. */
export const itemColumns = [
  'id',
  'name',
  'slug',
  'status',
  'gtin',
  'serial_number',
  'completeness',
  'registry_status',
  'unique_product_identifier',
  'created_at',
  'updated_at',
] as const;
/** The members of a single product. */
export const productColumns = [...itemColumns, 'product_group', 'model', 'registry_id'] as const;

/** The part of a list that a request asks for. */
export interface Page {
  limit: number;
  offset: number;
}

/**
 * The products of one page, and the number of all products that match. The database makes the JSON text for half of the time
 * that objects would take: 160 µs for 50 products, not 340.
 */
export interface FoundPage {
  items: string | Buffer;
  total: number;
}

/** SQL for the rows of a query as `FoundPage.items`. */
export function itemsAsJson(database: Knex): Knex.Raw {
  return inBytes(database, rowsAsJson(database, itemColumns, 'position'));
}

/** SQL for a long text: SQLite's driver need not decode bytes. 50 products take 162 µs instead of 201 µs. */
export function inBytes(database: Knex, text: Knex.Raw): Knex.Raw {
  return isPostgres(database) ? text : database.raw('CAST(? AS BLOB)', [text]);
}

const productBySlug = lookup<Product, { tenantId: string; slug: string }>(
  columnsOf('products', productColumns),
  (database, { tenantId, slug }) => database('products').where({ tenant_id: tenantId, slug }),
);

/** The product with a slug, of any status. */
export function findProduct(database: Knex, tenantId: string, slug: string): Promise<Product | undefined> {
  return productBySlug(database, { tenantId, slug });
}

const lockedBySlug = statement<Product, { tenantId: string; slug: string }>((database, { tenantId, slug }) => {
  const query = database('products').where({ tenant_id: tenantId, slug }).select(productColumns);
  // SQLite's transactions hold the only write lock from their beginning.
  return isPostgres(database) ? query.forUpdate() : query;
});

/** Finds a product and locks it until the transaction ends. */
export function lockProduct(
  transaction: Knex.Transaction,
  tenantId: string,
  slug: string,
): Promise<Product | undefined> {
  return lockedBySlug.first(transaction, { tenantId, slug });
}

/**
 * Locks the products with these slugs until the transaction ends, in the order of their ids: two transactions that lock
 * some of the same ones never wait for each other.
 */
export async function lockProducts(
  transaction: Knex.Transaction,
  tenantId: string,
  slugs: readonly string[],
): Promise<void> {
  if (!isPostgres(transaction)) return;
  await transaction('products')
    .where({ tenant_id: tenantId })
    .whereRaw(`slug IN (${textsOf(transaction)})`, JSON.stringify(slugs))
    .orderBy('id')
    .forUpdate()
    .select('id');
}

export type CreateProduct = Schemas['CreateProduct'];
/** What a client gives a product, with a slug. */
export type NewProduct = CreateProduct & { slug: string };

type NewRow = Product & { tenant_id: string; position: number; name_folded: string; gtin14: string | null };

const insertedColumns = [...productColumns, 'tenant_id', 'position', 'name_folded', 'gtin14'] as const;

/** Returns no row if the slug is taken. */
const insertRow = statement<Product, NewRow>((database, row) =>
  database('products')
    .insert(Object.fromEntries(insertedColumns.map((column) => [column, row[column]])))
    .onConflict(['tenant_id', 'slug'])
    .ignore()
    .returning([...productColumns]),
);

/** Inserts a draft under its slug, or under a free suffix of it if the slug is taken. */
export async function insertProduct(
  transaction: Knex.Transaction,
  tenantId: string,
  product: NewProduct,
  urnOf: (slug: string) => string,
  now: Date,
): Promise<Product> {
  // PostgreSQL locks the tenant's counts first, so that creations wait here and never for each other's slugs.
  const position = await takePositions(transaction, tenantId, 1);
  // The insert itself decides whether the slug is free. A query before it could race with another insert.
  const insert = (slug: string): Promise<Product | undefined> => {
    const draft = draftOf({ ...product, slug }, urnOf, now);
    return insertRow.first(transaction, { tenant_id: tenantId, ...draft, ...derived(draft), position });
  };

  const unsuffixed = await insert(product.slug);
  if (unsuffixed) return unsuffixed;
  const number = await freeNumber(transaction, tenantId, product.slug);
  const suffixed = await insert(suffixedSlug(product.slug, number));
  if (!suffixed) throw new Error('The slug was taken although the counts of the tenant are locked.');
  return suffixed;
}

const idOfSlug = statement<{ id: string }, { tenantId: string; slug: string }>((database, { tenantId, slug }) =>
  database('products').where({ tenant_id: tenantId, slug }).select('id'),
);

/**
 * Finds the free number at the end of a run of taken ones: the step doubles until a number is free, then halves. The
 * 5,000th product of a name looks up about 24 slugs, for half a millisecond. The steps are random, so that nobody can take exactly the numbers
 * that it tries.
 */
async function freeNumber(transaction: Knex.Transaction, tenantId: string, slug: string): Promise<number> {
  const isTaken = async (number: number): Promise<boolean> =>
    (await idOfSlug.first(transaction, { tenantId, slug: suffixedSlug(slug, number) })) !== undefined;
  let [last, free] = [1, 2];
  for (let step = 2; await isTaken(free); step *= 2) {
    [last, free] = [free, 1 + step + Math.floor(Math.random() * step)];
  }
  while (free - last > 1) {
    const middle = Math.floor((last + free) / 2);
    if (await isTaken(middle)) last = middle;
    else free = middle;
  }
  return free;
}

/** Columns that follow from what a client gives. */
export function derived({ name, gtin }: Pick<Product, 'name' | 'gtin'>): {
  name_folded: string;
  gtin14: string | null;
} {
  return { name_folded: fold(name), gtin14: gtin === null ? null : gtin14(gtin) };
}

type OptionalFields = Pick<Product, Exclude<keyof CreateProduct, 'name' | 'slug'>>;

/** The optional fields of a new product, with the values that they have if the client does not set them. */
export const productDefaults: OptionalFields = { product_group: null, gtin: null, model: null };

function draftOf(product: NewProduct, urnOf: (slug: string) => string, now: Date): Product {
  const { name, slug } = product;
  // The object may have other members, such as a status.
  const fields = Object.entries(productDefaults).map(([field, value]) => [field, Reflect.get(product, field) ?? value]);
  const time = now.toISOString();
  return {
    ...(Object.fromEntries(fields) as OptionalFields),
    id: uuid(),
    name,
    slug,
    status: 'draft',
    serial_number: null,
    completeness: 0,
    registry_status: 'none',
    registry_id: null,
    unique_product_identifier: urnOf(slug),
    created_at: time,
    updated_at: time,
  };
}

/**
 * The slugs that new products get: each its own, or with a number. Call `takePositions` before, so that no other
 * transaction takes one of them.
 */
export async function freeSlugs(
  transaction: Knex.Transaction,
  tenantId: string,
  wanted: readonly string[],
): Promise<string[]> {
  const rows = await transaction('products')
    .where({ tenant_id: tenantId })
    .whereRaw(`slug IN (${textsOf(transaction)})`, JSON.stringify(wanted))
    .select('slug');
  const taken = new Set<string>(rows.map(({ slug }) => slug));
  const free: string[] = [];
  for (const slug of wanted) {
    let chosen = slug;
    for (let number = 2; taken.has(chosen); number += 1) {
      if (number === 2) number = await freeNumber(transaction, tenantId, slug);
      chosen = suffixedSlug(slug, number);
      if ((await idOfSlug.first(transaction, { tenantId, slug: chosen })) !== undefined) taken.add(chosen);
    }
    taken.add(chosen);
    free.push(chosen);
  }
  return free;
}

/** Inserts many products with different slugs. It fails if a slug is taken. */
export async function insertProducts(
  transaction: Knex.Transaction,
  tenantId: string,
  products: (NewProduct & { status: ProductStatus; ofPassport?: object })[],
  urnOf: (slug: string) => string,
  now: Date,
): Promise<Product[]> {
  const last = await takePositions(transaction, tenantId, products.length);
  const inserted = products.map(({ status, ...product }) => ({ ...draftOf(product, urnOf, now), status }));
  const rows = inserted.map((product, index) => ({
    ...product,
    ...derived(product),
    ...products[index]?.ofPassport,
    position: last - products.length + 1 + index,
    activated_at: product.status === 'draft' ? null : product.created_at,
  }));
  await insertRowsOf(transaction, tenantId, 'products', rows);
  for (const status of ['active', 'archived'] as const) {
    const moved = inserted.filter((product) => product.status === status).length;
    await moveCount(transaction, tenantId, 'draft', status, { products: moved, items: 0 });
  }
  return inserted;
}

/** Stores a change of the product and moves `updated_at`. `activated_at` keeps the first activation. */
export async function updateProduct(
  transaction: Knex.Transaction,
  tenantId: string,
  product: Product,
  change: Partial<
    Pick<Product, 'status' | 'completeness' | 'registry_status' | 'registry_id'> & { activated_at: string }
  >,
  now: Date,
): Promise<Product> {
  const updated_at = timeOfChange(now, product.updated_at);
  const { activated_at, ...visible } = change;
  const activation =
    activated_at === undefined ? {} : { activated_at: transaction.raw('COALESCE(activated_at, ?)', [activated_at]) };
  // Before the product, as creations do: PostgreSQL would deadlock with a creation that finds the product's slug taken.
  if (visible.status !== undefined) {
    const moved = { products: 1, items: Number(product.serial_number !== null) };
    await moveCount(transaction, tenantId, product.status, visible.status, moved);
  }
  await transaction('products')
    .where({ tenant_id: tenantId, id: product.id })
    .update({ ...visible, ...activation, updated_at });
  return { ...product, ...visible, updated_at };
}

const serialOfProduct = statement<{ public_serial: string | null }, { tenantId: string; id: string }>(
  (database, { tenantId, id }) => database('products').where({ tenant_id: tenantId, id }).select('public_serial'),
);

/** The serial number in the printed code of a product. */
export async function findPublicSerial(database: Knex, tenantId: string, id: string): Promise<string | null> {
  return (await serialOfProduct.first(database, { tenantId, id }))?.public_serial ?? null;
}
