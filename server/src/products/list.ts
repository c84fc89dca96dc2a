import { gtin14, searchedText } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { snapshot } from '../database/connection.ts';
import {
  isPostgres,
  lookupValue,
  type Placeholders,
  pagesByKey,
  rowsAsJson,
  statement,
} from '../database/statement.ts';
import {
  type FoundPage,
  inBytes,
  itemColumns,
  itemsAsJson,
  type Page,
  type ProductCounts,
  type ProductListItem,
  type ProductStatus,
  readCounts,
} from './store.ts';

/** PostgreSQL's largest integer. */
const lastPosition = 2 ** 31 - 1;

/** The page of a tenant that never had a product. */
const noProducts: FoundPage = { items: '[]', total: 0 };

/** The products of a list; without a member, all. */
interface Filter {
  status?: ProductStatus | undefined;
  /** In the name. */
  search?: string | undefined;
  /** Of any length. */
  gtin?: string | undefined;
  /** `''`: the products that are no items. */
  serial?: string | undefined;
  /** Items of several GTINs may have the same. Not together with `serial`. */
  publicSerial?: string | undefined;
}

/** One page of the tenant's products in the order of their positions, oldest first. */
export async function listProducts(
  database: Knex,
  tenantId: string,
  { status, search, gtin, serial, publicSerial }: Filter,
  page: Page,
): Promise<FoundPage> {
  const text = searchedText(search ?? '');
  // PostgreSQL refuses a text with this character.
  if (text === undefined || serial?.includes('\0')) return noProducts;
  const isCounted = serial === undefined || (serial === '' && status === 'active');
  if (text || gtin !== undefined || publicSerial !== undefined || !isCounted)
    return searchProducts(database, tenantId, { status, text, gtin, serial, publicSerial }, page);
  return status
    ? listStatus(database, tenantId, serial === '' ? 'active_models' : status, page)
    : listAll(database, tenantId, page);
}

/** The number of all products, a space, and the products of a page. One query sees one snapshot. */
const allOnPage = lookupValue<FoundPage['items'], { tenantId: string; before: number; last: number }>(
  (database, { tenantId, before, last }) => {
    const items = database('products')
      .where('tenant_id', tenantId)
      .where('position', '>', before)
      .where('position', '<=', last)
      .select(rowsAsJson(database, itemColumns, 'position'));
    const found = database.raw("(counts.draft + counts.active + counts.archived) || ' ' || (?)", [items]);
    return database('product_counts as counts')
      .where('counts.tenant_id', tenantId)
      .select({ found: inBytes(database, found) });
  },
);

/** Positions have no gaps, so an offset is a position. */
async function listAll(database: Knex, tenantId: string, { limit, offset }: Page): Promise<FoundPage> {
  const before = Math.min(offset, lastPosition);
  const last = Math.min(offset + limit, lastPosition);
  const found = await allOnPage(database, { tenantId, before, last });
  if (found === undefined) return noProducts;
  const bytes = typeof found === 'string' ? Buffer.from(found) : found;
  const end = bytes.indexOf(' ');
  return { total: Number(bytes.toString('latin1', 0, end)), items: bytes.subarray(end + 1) };
}

/** Lists whose totals are stored. */
type Counted = ProductStatus | 'active_models';

const totalIn = ({ active_items, ...counts }: ProductCounts, list: Counted): number =>
  list === 'active_models' ? counts.active - active_items : counts[list];

/** Products of one status, nearest to the first or to the last position. */
function inStatus(order: 'asc' | 'desc', isModel: boolean) {
  return statement<Pick<FoundPage, 'items'>, { tenantId: string; status: ProductStatus } & Page>(
    (database, { tenantId, status, limit, offset }) => {
      const products = database('products').where({ tenant_id: tenantId, status });
      const listed = isModel ? products.whereNull('serial_number') : products;
      const page = listed.orderBy('position', order).limit(limit).offset(offset);
      return database.from(page.select(...itemColumns, 'position').as('page')).select({ items: itemsAsJson(database) });
    },
  );
}
const ofStatus = { fromStart: inStatus('asc', false), fromEnd: inStatus('desc', false) };
const ofModels = { fromStart: inStatus('asc', true), fromEnd: inStatus('desc', true) };

async function listStatus(database: Knex, tenantId: string, list: Counted, page: Page): Promise<FoundPage> {
  const total = totalIn(await readCounts(database, tenantId), list);
  if (page.offset < total / 2) return { total, items: await pageOf(database, tenantId, list, 'fromStart', page) };
  // The count and the rows must agree, because the page is counted from the end.
  return snapshot(database, (transaction) => listEnd(transaction, tenantId, list, page));
}

/** A page in the second half, read from the end: databases read every row before an offset. */
async function listEnd(
  transaction: Knex.Transaction,
  tenantId: string,
  list: Counted,
  { limit, offset }: Page,
): Promise<FoundPage> {
  const total = totalIn(await readCounts(transaction, tenantId), list);
  const size = Math.min(limit, total - offset);
  if (size <= 0) return { ...noProducts, total };
  const page = { limit: size, offset: total - offset - size };
  return { total, items: await pageOf(transaction, tenantId, list, 'fromEnd', page) };
}

async function pageOf(
  database: Knex,
  tenantId: string,
  list: Counted,
  from: 'fromStart' | 'fromEnd',
  page: Page,
): Promise<FoundPage['items']> {
  const isModel = list === 'active_models';
  const { [from]: rows } = isModel ? ofModels : ofStatus;
  const found = await rows.first(database, { tenantId, status: isModel ? 'active' : list, ...page });
  return found?.items ?? noProducts.items;
}

const firstActivated = statement<Pick<FoundPage, 'items'>, { tenantId: string; gtin14: string }>(
  (database, { tenantId, gtin14 }) => {
    const found = database('products').where({ tenant_id: tenantId, gtin14, status: 'active' });
    const first = found.orderBy(['activated_at', 'id']).limit(1);
    return database.from(first.select(...itemColumns, 'position').as('page')).select({ items: itemsAsJson(database) });
  },
);

/**
 * The tenant's active products that a GTIN finds, in any of its lengths: those that are no items, or without one the item
 * that a link of the GTIN opens.
 */
export async function activeWithGtin(database: Knex, tenantId: string, gtin: string, page: Page): Promise<FoundPage> {
  const models = await listProducts(database, tenantId, { status: 'active', gtin, serial: '' }, page);
  if (models.total > 0) return models;
  const { items = '[]' } = (await firstActivated.first(database, { tenantId, gtin14: gtin14(gtin) })) ?? {};
  return { items, total: JSON.parse(String(items)).length };
}

interface WalkFilter {
  status?: ProductStatus | undefined;
  registry_status?: ProductListItem['registry_status'] | undefined;
  /** A product group. `other` includes the products without one. */
  group?: string;
}

/**
 * The products of a tenant, page by page in the order of their positions. Memory stays the same for any number of products.
 * Products may change meanwhile: the place is a position, which never changes.
 */
export async function* walkProducts(
  database: Knex,
  tenantId: string,
  { status, registry_status, group }: WalkFilter = {},
): AsyncGenerator<ProductListItem[]> {
  const query = () => {
    const rows = database('products')
      .where({ tenant_id: tenantId, ...(status && { status }), ...(registry_status && { registry_status }) })
      .select(...itemColumns, 'position');
    return group === undefined ? rows : rows.whereRaw("COALESCE(product_group, 'other') = ?", group);
  };
  const pages = pagesByKey<ProductListItem & { position: number }>(query, ['position']);
  for await (const rows of pages) yield rows.map(({ position: _, ...item }) => item);
}

/**
 * The shortest and the longest text that is looked up in SQLite's trigram index, in code points. The index compares each
 * trigram of the text with each of a name: 1,000 characters in long names that repeat themselves take many seconds.
 */
const indexed = { min: 3, max: 100 };

/** Characters that FTS5 takes for one another. */
const sameInIndex = /[\ufffd-\uffff]/;

/** The parameters of a search. */
type Search = { tenantId: string; status: string; pattern: string; gtin: string; serial: string };
type Matching = Placeholders<Search>;

type FoldedFilter = Omit<Filter, 'search'> & { text: string };

/** One page of the products that match: the folded text is in their folded names. */
async function searchProducts(
  database: Knex,
  tenantId: string,
  { status, text, gtin, serial, publicSerial }: FoldedFilter,
  page: Page,
): Promise<FoundPage> {
  const shape = await shapeOf(database, tenantId, { status, text, gtin, serial, publicSerial });
  const pattern = patternOf(text, isPostgres(database) ? 'LIKE' : shape.names === 'index' ? 'MATCH' : 'instr');
  const parameters = {
    tenantId,
    status: status ?? '',
    pattern,
    gtin: gtin14(gtin ?? ''),
    serial: publicSerial ?? serial ?? '',
  };
  const { find, count } = finderOf(shape);
  const { items = '[]', count: found = 0 } = (await find.first(database, { ...parameters, ...page })) ?? {};
  // PostgreSQL's driver gives a count as text.
  const size = Number(found);
  // The end of the list shows the total, so that a rare text is searched once.
  const isEnd = size < page.limit && (size > 0 || page.offset === 0);
  if (isEnd) return { items, total: page.offset + size };
  const isName = !shape.hasStatus && !shape.hasGtin && shape.serials === 'all';
  // A status and a serial number may change, so only the counts of names are cached.
  if (isPostgres(database) && isName) return { items, total: await countMatches(database, tenantId, pattern) };
  const row = await count.first(database, parameters);
  return { items, total: Number(row?.count ?? 0) };
}

/** The text in the form that SQL expects. */
function patternOf(text: string, operator: 'LIKE' | 'MATCH' | 'instr'): string {
  if (operator === 'LIKE') return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return operator === 'MATCH' ? `"${text.replaceAll('"', '""')}"` : text;
}

/** What a search compares. Each shape has its own statements. */
interface Shape {
  /** How names are compared: with SQLite's index, row by row (on PostgreSQL with its trigram index, if there is one), or not. */
  names: 'index' | 'rows' | 'all';
  hasStatus: boolean;
  hasGtin: boolean;
  /** `none`: products without a serial number. */
  serials: 'one' | 'public' | 'none' | 'all';
}

async function shapeOf(
  database: Knex,
  tenantId: string,
  { status, text, gtin, serial, publicSerial }: FoldedFilter,
): Promise<Shape> {
  const isIndexed = !isPostgres(database) && isInIndex(text) && !gtin && !serial;
  const isFew = isIndexed && status === 'active' && serial === '' && (await areFewModels(database, tenantId));
  return {
    names: text === '' ? 'all' : isIndexed && !isFew ? 'index' : 'rows',
    hasStatus: status !== undefined,
    hasGtin: gtin !== undefined,
    serials: publicSerial !== undefined ? 'public' : serial === undefined ? 'all' : serial === '' ? 'none' : 'one',
  };
}

function isInIndex(text: string): boolean {
  const { length } = Array.from(text);
  return indexed.min <= length && length <= indexed.max && !sameInIndex.test(text);
}

/** Names that are compared in a few milliseconds. The index of names has those of all items, too. */
const fewNames = 5000;

async function areFewModels(database: Knex, tenantId: string): Promise<boolean> {
  return totalIn(await readCounts(database, tenantId), 'active_models') <= fewNames;
}

type Finder = ReturnType<typeof finder>;

const finders = new Map<string, Finder>();

function finderOf(shape: Shape): Finder {
  const key = JSON.stringify(shape);
  const known = finders.get(key) ?? finder(shape);
  finders.set(key, known);
  return known;
}

function finder(shape: Shape) {
  const { from, position, order } = shape.names === 'index' ? indexMatches(shape) : rowMatches(shape);
  return {
    find: statement<{ items: string; count: number | string }, Search & Page>((database, parameters) => {
      const onPage = from(database, parameters).select(database.raw(position)).orderByRaw(order);
      return database('products')
        .where({ tenant_id: parameters.tenantId })
        .whereIn('position', onPage.limit(parameters.limit).offset(parameters.offset))
        .select({ items: itemsAsJson(database) })
        .count({ count: '*' });
    }),
    count: statement<{ count: number | string }, Search>((database, parameters) =>
      from(database, parameters).count({ count: '*' }),
    ),
  };
}

/** A way to find the products that match. */
interface Matches {
  /** The query without columns. */
  from(database: Knex, parameters: Matching): Knex.QueryBuilder;
  /** Expressions in SQL: the position of a match, and what sorts the matches by it without reading all of them. */
  position: string;
  order: string;
}

const statuses: readonly ProductStatus[] = ['draft', 'active', 'archived'];

/** The tenant's products that match, whatever their names. */
function productsOf(
  database: Knex,
  { hasStatus, hasGtin, serials }: Shape,
  { tenantId: tenant_id, status, gtin, serial }: Matching,
): Knex.QueryBuilder {
  // SQLite would take the index of GTINs, and read all items of one. The plus keeps it from the status, and so on that of models.
  const isOfModels = !isPostgres(database) && hasStatus && hasGtin && serials === 'none';
  const products = database('products').where({
    tenant_id,
    ...(hasStatus && !isOfModels && { status }),
    ...(hasGtin && { gtin14: gtin }),
    ...(serials === 'one' && { serial_number: serial }),
    ...(serials === 'public' && { public_serial: serial }),
  });
  if (isOfModels) return products.whereNull('serial_number').whereRaw('+status = ?', status);
  const found = serials === 'none' ? products.whereNull('serial_number') : products;
  // The indexes have the status before the tenant or the position: without it, all tenants' products of the GTIN, or all items of
  // the tenant, would be read.
  const hasStatuses = !hasStatus && (serials === 'none' ? !hasGtin : hasGtin && serials === 'all');
  return hasStatuses ? found.whereIn('status', [...statuses]) : found;
}

function rowMatches(shape: Shape): Matches {
  const { hasStatus, hasGtin, serials } = shape;
  const isSorted = hasGtin || ['one', 'public'].includes(serials) || (serials === 'none' && !hasStatus);
  return {
    from(database, parameters) {
      const products = productsOf(database, shape, parameters);
      if (shape.names === 'all') return products;
      return products.whereRaw(
        isPostgres(database) ? 'name_folded LIKE ?' : 'instr(name_folded, ?) > 0',
        parameters.pattern,
      );
    },
    position: 'position',
    // The sum keeps both databases from reading the whole list in its order for a few products.
    order: isSorted ? 'position + 0' : 'position',
  };
}

/** Reads SQLite's index of names, whose keys are `number * 2^32 + position`. */
function indexMatches(shape: Shape): Matches {
  const position = 'names.rowid - counts.number * 4294967296';
  // CROSS JOIN fixes the order: without the tenant's range FTS5 would read the names of all tenants.
  const tables = `product_counts AS counts CROSS JOIN product_names AS names
    ON names.rowid > counts.number * 4294967296 AND names.rowid < (counts.number + 1) * 4294967296`;
  return {
    from(database, parameters) {
      const query = database
        .from(database.raw(tables))
        .where('counts.tenant_id', parameters.tenantId)
        .whereRaw('names.product_names MATCH ?', parameters.pattern);
      if (!shape.hasStatus && shape.serials === 'all') return query;
      return query.whereExists(productsOf(database, shape, parameters).whereRaw(`position = ${position}`));
    },
    position,
    order: 'names.rowid',
  };
}

/**
 * The counts in memory for each database, for an hour: a database may have been replaced by a copy. A pattern has up to
 * 18,000 characters, all patterns two million.
 */
const bounds = {
  max: 1000,
  ttl: 3_600_000,
  maxSize: 2_000_000,
  sizeCalculation: (_: Count, key: string) => key.length,
};

interface Count {
  count: number;
  /** The last position that was counted. */
  last: number;
}

type Matched = { tenantId: string; pattern: string };

/** By Knex's client, then by tenant and pattern. */
const cache = new WeakMap<object, LRUCache<string, Count>>();

const countAll = statement<Count, Matched>((database, parameters) =>
  counting(database, parameters).whereRaw('name_folded LIKE ?', parameters.pattern),
);

// The expression keeps PostgreSQL from the trigram index, which has no positions.
const countNewer = statement<Count, Matched & { after: number }>((database, parameters) =>
  counting(database, parameters)
    .where('position', '>', parameters.after)
    .whereRaw("name_folded || '' LIKE ?", parameters.pattern),
);

function counting(database: Knex, { tenantId }: Placeholders<Matched>): Knex.QueryBuilder {
  const last = database('product_counts')
    .where('tenant_id', tenantId)
    .select(database.raw('draft + active + archived'));
  // A tenant without a product has no row of counts.
  const counts = database.raw('count(*)::integer AS count, COALESCE((?), 0) AS last', [last]);
  return database('products').where('tenant_id', tenantId).select(counts);
}

/**
 * The number of a tenant's products whose folded name fits a pattern, on PostgreSQL. Names never change, products are never
 * deleted, and positions have no gaps. So only the products that were created since the last count of the same pattern
 * are counted: of a million products, the next page of a common word takes 12 ms, and the first 555.
 */
async function countMatches(database: Knex, tenantId: string, pattern: string): Promise<number> {
  const counts = cache.get(database.client) ?? new LRUCache<string, Count>(bounds);
  cache.set(database.client, counts);
  const key = `${tenantId} ${pattern}`;
  const before = counts.get(key);
  const newer = before && (await countNewer.first(database, { tenantId, pattern, after: before.last }));
  // A copy that took the database's place may have fewer products.
  const isNewer = newer && newer.last >= before.last;
  const now = isNewer
    ? { count: before.count + newer.count, last: newer.last }
    : await countAll.first(database, { tenantId, pattern });
  if (!now) return 0;
  counts.set(key, now);
  return now.count;
}
