import type { Knex } from 'knex';
import type { Place, Step } from './fill.ts';

/** Products in one step. */
const productsAtOnce = 5000;

/** PostgreSQL refuses the extension: no permission, not installed on the machine, or in a schema that is not searched. */
const extensionRefused = new Set(['42501', '0A000', '58P01', '42704']);

/**
 * How many products have no position yet.
 *
 * @public `run.ts` calls it.
 */
export async function count(knex: Knex): Promise<number> {
  const row = await knex('products').whereNull('position').count({ count: '*' }).first();
  return Number(row?.count ?? 0);
}

/**
 * Gives the products positions in the order of their `id`, in which lists were sorted before.
 *
 * @public `run.ts` calls it.
 */
export async function step(transaction: Knex.Transaction, after: Place | undefined): Promise<Step | undefined> {
  let rows = await unfilled(transaction, after);
  if (rows.length === 0) {
    // An older server may have created products behind the place. From here on it waits.
    if (isPostgres(transaction)) await transaction.raw('LOCK TABLE products');
    rows = await unfilled(transaction, undefined);
  }
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) {
    await finish(transaction);
    return undefined;
  }
  await fillRange(transaction, first, last);
  return { rows: rows.length, place: last };
}

interface Key extends Place {
  readonly tenant_id: string;
  readonly id: string;
}

/** The next products by key that have no position. */
function unfilled(transaction: Knex.Transaction, after: Place | undefined): Promise<Key[]> {
  const query = transaction('products').whereNull('position').orderBy(['tenant_id', 'id']).limit(productsAtOnce);
  if (after) query.whereRaw('(tenant_id, id) > (?, ?)', [after.tenant_id ?? '', after.id ?? '']);
  return query.select<Key[]>('tenant_id', 'id');
}

/** Products without a position, between two of them. */
const range = 'position IS NULL AND (tenant_id, id) >= (?, ?) AND (tenant_id, id) <= (?, ?)';

async function fillRange(transaction: Knex.Transaction, first: Key, last: Key): Promise<void> {
  const bounds = [first.tenant_id, first.id, last.tenant_id, last.id];
  const numbered = `
    SELECT tenant_id, id, name_folded, (
      SELECT COALESCE(MAX(filled.position), 0) FROM products AS filled WHERE filled.tenant_id = products.tenant_id
    ) + ROW_NUMBER() OVER (PARTITION BY tenant_id ORDER BY id) AS position
    FROM products WHERE ${range}`;
  if (!isPostgres(transaction)) {
    await transaction.raw(
      `INSERT INTO product_names (rowid, name)
      SELECT number * 4294967296 + position, name_folded FROM (${numbered}) JOIN product_counts USING (tenant_id)`,
      bounds,
    );
  }
  await transaction.raw(
    `UPDATE products SET position = numbered.position FROM (${numbered}) AS numbered
    WHERE products.tenant_id = numbered.tenant_id AND products.id = numbered.id`,
    bounds,
  );
}

/** Counts the products when all have a position, so that a status that changed in between is counted once. */
async function finish(transaction: Knex.Transaction): Promise<void> {
  await transaction.raw(`
    INSERT INTO product_counts (tenant_id, draft, active, archived)
    SELECT tenant_id, SUM(CASE status WHEN 'draft' THEN 1 ELSE 0 END), SUM(CASE status WHEN 'active' THEN 1 ELSE 0 END),
      SUM(CASE status WHEN 'archived' THEN 1 ELSE 0 END)
    FROM products WHERE true GROUP BY tenant_id
    ON CONFLICT (tenant_id) DO UPDATE SET draft = excluded.draft, active = excluded.active, archived = excluded.archived`);
  if (!isPostgres(transaction)) return;
  await transaction.raw('ALTER TABLE products ALTER COLUMN position SET NOT NULL');
  await indexNames(transaction);
}

/** Without the index, a search reads all names of the tenant. */
async function indexNames(transaction: Knex.Transaction): Promise<void> {
  try {
    // A savepoint, because an error would end the whole transaction.
    await transaction.transaction(async (savepoint) => {
      await savepoint.raw('CREATE EXTENSION IF NOT EXISTS pg_trgm');
      await savepoint.raw(
        'CREATE INDEX IF NOT EXISTS products_name_trigrams ON products USING gin (name_folded gin_trgm_ops)',
      );
    });
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    if (!extensionRefused.has(code ?? '')) throw error;
    transaction.client.logger.warn(
      `Search has no index, because PostgreSQL refused the extension pg_trgm (${message}). Searches among many products are slow. ` +
        'As a superuser, run: CREATE EXTENSION pg_trgm; CREATE INDEX products_name_trigrams ON products USING gin (name_folded gin_trgm_ops);',
    );
  }
}

function isPostgres(knex: Knex): boolean {
  return knex.client.driverName === 'pg';
}
