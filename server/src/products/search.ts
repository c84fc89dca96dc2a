import type { Knex } from 'knex';
import { isPostgres } from '../database/connection.ts';
import type { ProductStatus } from './counts.ts';
import { fold } from './rules.ts';
import { itemColumns, type Page, type ProductPage } from './store.ts';

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
  { limit, offset }: Page,
): Promise<ProductPage> {
  if (search.includes('\0') || Array.from(search).length > longestSearch) return { items: [], total: 0 };
  const matching = (): Knex.QueryBuilder => matchesOf(database, tenantId, status, fold(search));
  const positions = matching().select('position').orderBy('position').limit(limit).offset(offset);
  const items = await database('products')
    .where({ tenant_id: tenantId })
    .whereIn('position', positions)
    .orderBy('position')
    .select(itemColumns);
  // The end of the list shows the total, so that a rare text is searched once.
  const isEnd = items.length < limit && (items.length > 0 || offset === 0);
  if (isEnd) return { items, total: offset + items.length };
  const row = await matching().count({ count: '*' }).first();
  return { items, total: Number(row?.count ?? 0) };
}

/** The products whose folded name contains a text. */
function matchesOf(database: Knex, tenantId: string, status: ProductStatus | undefined, text: string) {
  if (isPostgres(database)) {
    // The trigram index finds what LIKE matches. If it is missing, PostgreSQL reads the tenant's names.
    const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
    return ofStatus(database, tenantId, status).whereRaw('name_folded LIKE ?', pattern);
  }
  if (Array.from(text).length < trigram || sameInIndex.test(text)) {
    return ofStatus(database, tenantId, status).whereRaw('instr(name_folded, ?) > 0', text);
  }
  return indexMatches(database, tenantId, status, text);
}

function ofStatus(database: Knex, tenantId: string, status: ProductStatus | undefined): Knex.QueryBuilder {
  return database('products').where(status ? { tenant_id: tenantId, status } : { tenant_id: tenantId });
}

/** The matches in SQLite's index of names, whose keys are `number * 2^32 + position`. */
function indexMatches(
  database: Knex,
  tenantId: string,
  status: ProductStatus | undefined,
  text: string,
): Knex.QueryBuilder {
  const phrase = `"${text.replaceAll('"', '""')}"`;
  // CROSS JOIN fixes the order: without the tenant's range FTS5 would read the names of all tenants.
  const matches = database
    .select(database.raw('names.rowid - counts.number * 4294967296 AS position'))
    .from(
      database.raw(
        `product_counts AS counts CROSS JOIN product_names AS names
        ON names.rowid > counts.number * 4294967296 AND names.rowid < (counts.number + 1) * 4294967296`,
      ),
    )
    .where('counts.tenant_id', tenantId)
    .whereRaw('names.product_names MATCH ?', phrase);
  if (status) {
    matches.whereExists(
      ofStatus(database, tenantId, status).whereRaw('position = names.rowid - counts.number * 4294967296'),
    );
  }
  return database.from(matches.as('matches'));
}
