import type { Knex } from 'knex';
import { isPostgres } from '../database/connection.ts';
import { type Placeholders, statement } from '../database/statement.ts';
import type { ProductStatus } from './counts.ts';
import { fold } from './rules.ts';
import { itemColumns, type Page, type ProductListItem, type ProductPage } from './store.ts';

/** The longest search, in code points. A longer one finds nothing. */
const longestSearch = 1000;

/** The shortest text that SQLite's trigram index finds, in code points. */
const trigram = 3;

/** Characters that FTS5 takes for one another. */
const sameInIndex = /[\ufffd-\uffff]/;

interface Search {
  status: ProductStatus | undefined;
  search: string;
}

/** One page of the products whose folded name contains the folded text. */
export async function searchProducts(
  database: Knex,
  tenantId: string,
  { status, search }: Search,
  page: Page,
): Promise<ProductPage> {
  if (search.includes('\0') || Array.from(search).length > longestSearch) return { items: [], total: 0 };
  const text = fold(search);
  const isIndexed = !isPostgres(database) && Array.from(text).length >= trigram && !sameInIndex.test(text);
  const { find, count } = finders[isIndexed ? 'index' : 'names'][status ? 'ofStatus' : 'all'];
  const pattern = patternOf(text, isPostgres(database) ? 'LIKE' : isIndexed ? 'MATCH' : 'instr');
  const parameters = { tenantId, status: status ?? '', pattern };
  const items = await find.all(database, { ...parameters, ...page });
  // The end of the list shows the total, so that a rare text is searched once.
  const isEnd = items.length < page.limit && (items.length > 0 || page.offset === 0);
  if (isEnd) return { items, total: page.offset + items.length };
  const row = await count.first(database, parameters);
  return { items, total: Number(row?.count ?? 0) };
}

/** The text in the form that SQL expects. */
function patternOf(text: string, operator: 'LIKE' | 'MATCH' | 'instr'): string {
  if (operator === 'LIKE') return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return operator === 'MATCH' ? `"${text.replaceAll('"', '""')}"` : text;
}

type Matching = Placeholders<{ tenantId: string; status: string; pattern: string }>;

/** The positions of the products whose folded name contains the text. */
type Matches = (database: Knex, parameters: Matching) => Knex.QueryBuilder;

function finder(matches: Matches) {
  return {
    find: statement<ProductListItem, { tenantId: string; status: string; pattern: string } & Page>(
      (database, parameters) =>
        database('products')
          .where({ tenant_id: parameters.tenantId })
          .whereIn(
            'position',
            matches(database, parameters)
              .select('position')
              .orderBy('position')
              .limit(parameters.limit)
              .offset(parameters.offset),
          )
          .orderBy('position')
          .select(itemColumns),
    ),
    count: statement<{ count: number | string }, { tenantId: string; status: string; pattern: string }>(
      (database, parameters) => matches(database, parameters).count({ count: '*' }),
    ),
  };
}

const finders = {
  index: { all: finder(indexMatches(false)), ofStatus: finder(indexMatches(true)) },
  names: { all: finder(nameMatches(false)), ofStatus: finder(nameMatches(true)) },
};

/** Reads the tenant's names; on PostgreSQL its trigram index, if there is one. */
function nameMatches(hasStatus: boolean): Matches {
  return (database, { tenantId, status, pattern }) =>
    database('products')
      .where(hasStatus ? { tenant_id: tenantId, status } : { tenant_id: tenantId })
      .whereRaw(isPostgres(database) ? 'name_folded LIKE ?' : 'instr(name_folded, ?) > 0', pattern);
}

/** The matches in SQLite's index of names, whose keys are `number * 2^32 + position`. */
function indexMatches(hasStatus: boolean): Matches {
  return (database, { tenantId, status, pattern }) => {
    const position = database.raw('names.rowid - counts.number * 4294967296');
    const matches = database
      .select({ position })
      .from(
        // CROSS JOIN fixes the order: without the tenant's range FTS5 would read the names of all tenants.
        database.raw(
          `product_counts AS counts CROSS JOIN product_names AS names
          ON names.rowid > counts.number * 4294967296 AND names.rowid < (counts.number + 1) * 4294967296`,
        ),
      )
      .where('counts.tenant_id', tenantId)
      .whereRaw('names.product_names MATCH ?', pattern);
    if (hasStatus) {
      const product = database('products').where({ tenant_id: tenantId, status });
      matches.whereExists(product.whereRaw('position = ?', position));
    }
    return database.from(matches.as('matches'));
  };
}
