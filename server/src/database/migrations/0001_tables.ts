import type { Knex } from 'knex';
import { isPostgres } from '../statement.ts';
import { createTable } from './table.ts';

type Column = (table: Knex.CreateTableBuilder, name: string) => Knex.ColumnBuilder;

/** Text compares by its bytes on every database, so that lists have the same order everywhere. */
export function textColumns(knex: Knex) {
  const type = isPostgres(knex) ? 'text COLLATE "C"' : 'text';
  const textOrNull: Column = (table, name) => table.specificType(name, type).nullable();
  const text: Column = (table, name) => textOrNull(table, name).notNullable();
  const each =
    (column: Column) =>
    (table: Knex.CreateTableBuilder, ...names: string[]): void => {
      for (const name of names) column(table, name);
    };
  return { text, textOrNull, texts: each(text), textsOrNull: each(textOrNull) };
}

/**
 * Every table of a tenant's data leads with `tenant_id`. Times are text, RFC 3339 in UTC.
 *
 * @public Knex calls it.
 */
export async function up(knex: Knex): Promise<void> {
  await createTenants(knex);
  await createProducts(knex);
  await indexNames(knex);
  await createPassports(knex);
  await createAccess(knex);
  await createScans(knex);
  await createInstallation(knex);
  if (isPostgres(knex)) await createRateWindows(knex);
}

async function createTenants(knex: Knex): Promise<void> {
  const { text, textOrNull, texts, textsOrNull } = textColumns(knex);
  await createTable(knex, 'tenants', 'everywhere', (table) => {
    texts(table, 'id', 'slug', 'name', 'country');
    // Of its texts: the `locale` of its values.
    texts(table, 'language', 'plan');
    // Of its pages: `#rrggbb`. `null`: that of this program.
    textOrNull(table, 'color');
    // Addresses that its pages end with.
    textsOrNull(table, 'imprint_url', 'privacy_url', 'accessibility_url', 'contact_url');
    // When it opened the public list of its passports. `null`: there is no list.
    textOrNull(table, 'listed_at');
    // Since when views of its pages are not counted. `null`: they are counted.
    textOrNull(table, 'scans_off_at');
    // Of its passports in the reads of EN 18222. `null`: it has no such reads, and its facility is not named.
    textsOrNull(table, 'economic_operator_id', 'facility_id');
    text(table, 'created_at');
    textOrNull(table, 'logo_sha256');
    table.integer('logo_width');
    table.integer('logo_height');
    // The last column: SQLite reads the others without it.
    table.binary('logo_bytes');
    table.primary(['id']);
    table.unique(['slug']);
  });
  // The few tenants with an open list.
  await knex.raw('CREATE INDEX tenants_listed ON tenants (id) WHERE listed_at IS NOT NULL');
  await createTable(knex, 'api_keys', 'everywhere', (table) => {
    text(table, 'tenant_id').references('tenants.id');
    texts(table, 'id', 'label', 'hash', 'created_at');
    textsOrNull(table, 'revoked_at', 'last_used_at');
    // `edit`, or `publish`: it may change the status of products.
    text(table, 'scope');
    table.primary(['tenant_id', 'id']);
    table.unique(['hash']);
  });
}

async function createProducts(knex: Knex): Promise<void> {
  const { text, textOrNull, texts, textsOrNull } = textColumns(knex);
  await createTable(knex, 'products', 'tenant_id', (table) => {
    text(table, 'tenant_id').references('tenants.id');
    text(table, 'id');
    // In the tenant's list: 1, 2, 3, … without gaps.
    table.integer('position').notNullable();
    texts(table, 'slug', 'name', 'name_folded', 'status');
    textsOrNull(table, 'gtin', 'gtin14', 'product_group', 'model');
    table.integer('completeness').notNullable();
    text(table, 'registry_status');
    textOrNull(table, 'registry_id');
    text(table, 'unique_product_identifier');
    // Of the passport: of any level, and the one that leads scans of this item here. A model has none.
    textsOrNull(table, 'serial_number', 'public_serial');
    // The public side reads this one, and never a serial number that is not public.
    table.specificType('is_item', 'boolean GENERATED ALWAYS AS (serial_number IS NOT NULL) STORED');
    // JSON array of the versions that the public history leaves out. `null`: none.
    textOrNull(table, 'withheld_versions');
    // JSON of the fields that commands confirmed, `{ open, own }`. `null`: none.
    textOrNull(table, 'confirmed');
    // JSON of the change of a model whose items are being written, `{ old, new, open }`. `null`: none.
    textOrNull(table, 'unfinished');
    // The first time.
    textOrNull(table, 'activated_at');
    texts(table, 'created_at', 'updated_at');
    table.primary(['tenant_id', 'id']);
    table.unique(['tenant_id', 'slug']);
    table.unique(['tenant_id', 'position']);
    table.index(['tenant_id', 'status', 'position']);
    // The product that a link of the GTIN opens: a model before items, then by the first activation.
    table.index(['tenant_id', 'gtin14', 'status', 'is_item', 'activated_at', 'id']);
  });
  await knex.raw(`
    CREATE INDEX products_items ON products (tenant_id, public_serial, gtin14, status, activated_at, id)
    WHERE public_serial IS NOT NULL`);
  await knex.raw(`
    CREATE INDEX products_models ON products (tenant_id, gtin14, status, activated_at, id)
    WHERE serial_number IS NULL AND gtin14 IS NOT NULL`);
  await knex.raw(`
    CREATE INDEX products_serials ON products (tenant_id, serial_number, gtin14, status)
    WHERE serial_number IS NOT NULL`);
  // The public list.
  await knex.raw(`
    CREATE INDEX products_listed ON products (tenant_id, status, position)
    WHERE serial_number IS NULL`);
  // The tenants of a GTIN, each with its products in their order.
  await knex.raw(`
    CREATE INDEX products_gtins ON products (gtin14, status, tenant_id, position)
    WHERE gtin14 IS NOT NULL`);
  // The number of a tenant's products by status. A tenant with a product has a row. Whoever relies on a setting of
  // the tenant locks it.
  await createTable(knex, 'product_counts', 'tenant_id', (table) => {
    // Part of the key of `product_names`. AUTOINCREMENT never gives a number twice.
    if (!isPostgres(knex)) table.increments('number');
    const tenant = text(table, 'tenant_id').references('tenants.id');
    // Citus moves a shard that is being written only if each table has a primary key.
    if (isPostgres(knex)) tenant.primary();
    else tenant.unique();
    for (const status of ['draft', 'active', 'archived']) table.integer(status).notNullable().defaultTo(0);
    // Of the active products, those that are items.
    table.integer('active_items').notNullable().defaultTo(0);
  });
  // Whoever changes the tenants of a GTIN locks its row first. SQLite has one writer at a time.
  if (isPostgres(knex)) {
    await createTable(knex, 'gtins', 'gtin14', (table) => {
      text(table, 'gtin14').primary();
    });
  }
  // The tenants of a GTIN. Without a foreign key to the products, whose rows may be on another node.
  await createTable(knex, 'gtin_tenants', 'gtin14', (table) => {
    text(table, 'gtin14');
    text(table, 'tenant_id').references('tenants.id').index();
    // The first time that one of its products was activated, and whether one is active now.
    text(table, 'activated_at');
    table.boolean('is_active').notNullable();
    table.primary(['gtin14', 'tenant_id']);
  });
  await knex.raw(`
    CREATE INDEX gtin_tenants_active ON gtin_tenants (gtin14, activated_at, tenant_id)
    WHERE is_active`);
  // At most one for each product. The bytes are the last column: SQLite reads the others without them.
  await createTable(knex, 'product_images', 'tenant_id', (table) => {
    ofProduct(knex, table);
    texts(table, 'sha256', 'media_type');
    table.integer('width').notNullable();
    table.integer('height').notNullable();
    textOrNull(table, 'alt');
    text(table, 'created_at');
    table.binary('bytes').notNullable();
    table.primary(['tenant_id', 'product_id']);
  });
  await createTable(knex, 'carriers', 'tenant_id', (table) => {
    ofProduct(knex, table);
    texts(table, 'id', 'type');
    textOrNull(table, 'nfc_tag_uid');
    texts(table, 'status', 'created_at');
    table.primary(['tenant_id', 'product_id', 'id']);
  });
  await createTable(knex, 'status_changes', 'tenant_id', (table) => {
    ofProduct(knex, table);
    texts(table, 'id', 'from_status', 'to_status', 'changed_at');
    // `null`: a command.
    textOrNull(table, 'key_id');
    // The label of the key, or `command`.
    text(table, 'changed_by');
    table.primary(['tenant_id', 'product_id', 'id']);
    // Of a tenant, in the order of time.
    table.index(['tenant_id', 'id']);
  });
}

/** The columns of a row that belongs to a product. */
function ofProduct(knex: Knex, table: Knex.CreateTableBuilder): void {
  const { texts } = textColumns(knex);
  texts(table, 'tenant_id', 'product_id');
  table.foreign(['tenant_id', 'product_id']).references(['tenant_id', 'id']).inTable('products');
}

/** Indexes the folded names by their trigrams, for searches. */
async function indexNames(knex: Knex): Promise<void> {
  if (isPostgres(knex)) return indexNamesOnPostgres(knex);
  // The names are folded already. The index stores no copy of them: triggers give it the old name when one changes.
  await knex.raw(`
    CREATE VIRTUAL TABLE product_names
    USING fts5(name, content = '', columnsize = 0, tokenize = 'trigram case_sensitive 1')`);
  // The rows of one tenant have one range of keys, which FTS5 finds without reading those of other tenants.
  const keyAnd = (row: 'NEW' | 'OLD'): string =>
    `number * 4294967296 + ${row}.position, ${row}.name_folded FROM product_counts WHERE tenant_id = ${row}.tenant_id`;
  await knex.raw(`
    CREATE TRIGGER products_index_name AFTER INSERT ON products BEGIN
      INSERT INTO product_names (rowid, name) SELECT ${keyAnd('NEW')};
    END`);
  // No statement of this program changes a name. One of an operator must not leave the old name in the index.
  await knex.raw(`
    CREATE TRIGGER products_reindex_name AFTER UPDATE OF position, name_folded ON products BEGIN
      INSERT INTO product_names (product_names, rowid, name) SELECT 'delete', ${keyAnd('OLD')};
      INSERT INTO product_names (rowid, name) SELECT ${keyAnd('NEW')};
    END`);
}

/** PostgreSQL refuses the extension: no permission, not installed on the machine, or in a schema that is not searched. */
const extensionRefused = new Set(['42501', '0A000', '58P01', '42704']);

/** Without the index, a search reads all names of the tenant. */
async function indexNamesOnPostgres(knex: Knex): Promise<void> {
  try {
    // A savepoint, because an error would end the whole transaction.
    await knex.transaction(async (savepoint) => {
      await savepoint.raw('CREATE EXTENSION IF NOT EXISTS pg_trgm');
      await savepoint.raw(await indexOfNames(savepoint));
    });
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    if (!extensionRefused.has(code ?? '')) throw error;
    const isMissing = (await schemaOfTrigrams(knex)) === undefined;
    knex.client.logger.warn(
      `Search has no index, because PostgreSQL refused the extension pg_trgm (${message}). Searches among many products are slow. ` +
        `As a superuser, run: ${isMissing ? 'CREATE EXTENSION pg_trgm; ' : ''}${await indexOfNames(knex)};`,
    );
  }
}

/** The statement names both schemas: that of the extension may not be searched, and a superuser searches others. */
async function indexOfNames(knex: Knex): Promise<string> {
  const { rows } = await knex.raw('SELECT current_schema() AS schema');
  const operators = [await schemaOfTrigrams(knex), 'gin_trgm_ops'].filter((name) => name !== undefined).join('.');
  return knex
    .raw('CREATE INDEX products_name_trigrams ON ?? USING gin (name_folded ??)', [
      `${rows[0]?.schema}.products`,
      operators,
    ])
    .toQuery();
}

async function schemaOfTrigrams(knex: Knex): Promise<string | undefined> {
  const found = await knex.raw(
    "SELECT nspname FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'pg_trgm'",
  );
  return found.rows[0]?.nspname;
}

async function createPassports(knex: Knex): Promise<void> {
  const { text, textOrNull, texts } = textColumns(knex);
  await createTable(knex, 'passport_values', 'tenant_id', (table) => {
    ofProduct(knex, table);
    texts(table, 'field_key', 'locale');
    // JSON.
    text(table, 'value');
    textOrNull(table, 'unit');
    texts(table, 'source', 'access_level');
    table.boolean('is_unknown').notNullable();
    table.boolean('needs_review').notNullable();
    text(table, 'updated_at');
    table.primary(['tenant_id', 'product_id', 'field_key', 'locale']);
  });
  // Each field that a template calls unique has such an index. An entry of PostgreSQL has room for 200 characters.
  await knex.raw(`
    CREATE INDEX passport_values_battery_passport_id ON passport_values (tenant_id, substr(value, 1, 200))
    WHERE field_key = 'battery_passport_id'`);
  await createTable(knex, 'passport_versions', 'tenant_id', (table) => {
    ofProduct(knex, table);
    table.integer('version').notNullable();
    table.integer('template_version').notNullable();
    texts(table, 'content_hash', 'salt');
    // The hash of the public values alone.
    texts(table, 'public_hash', 'created_at');
    // JSON of what the version replaced. `null` in a first version, and after the import of a file without it. The last column,
    // because it may be large.
    textOrNull(table, 'replaced');
    table.primary(['tenant_id', 'product_id', 'version']);
  });
}

async function createAccess(knex: Knex): Promise<void> {
  const { text, textOrNull, texts } = textColumns(knex);
  // The secrets that sign access tokens. `accepted_until` is `null` for the one that signs new tokens.
  await createTable(knex, 'token_secrets', 'everywhere', (table) => {
    texts(table, 'kid', 'value', 'created_at');
    textOrNull(table, 'accepted_until');
    table.primary(['kid']);
  });
  await createTable(knex, 'access_tokens', 'tenant_id', (table) => {
    text(table, 'tenant_id').references('tenants.id');
    text(table, 'id');
    // `null`: every product of the tenant.
    textOrNull(table, 'product_id');
    texts(table, 'role', 'kid', 'created_at', 'expires_at');
    textOrNull(table, 'revoked_at');
    table.primary(['tenant_id', 'id']);
    table.foreign(['tenant_id', 'product_id']).references(['tenant_id', 'id']).inTable('products');
  });
}

async function createScans(knex: Knex): Promise<void> {
  const { text, texts } = textColumns(knex);
  // The raw scans may be dropped after a time; the counts stay.
  await createTable(knex, 'scans', 'tenant_id', (table) => {
    ofProduct(knex, table);
    texts(table, 'id', 'scanned_at', 'role', 'visitor_hash');
    table.primary(['tenant_id', 'id']);
    table.index(['tenant_id', 'scanned_at']);
  });
  await createTable(knex, 'scan_counts', 'tenant_id', (table) => {
    ofProduct(knex, table);
    texts(table, 'date', 'role');
    table.integer('count').notNullable();
    table.primary(['tenant_id', 'date', 'product_id', 'role']);
    table.index(['tenant_id', 'product_id', 'date', 'count']);
  });
  // The sums of `scan_counts` by day: statistics do not add up every product's counts.
  await createTable(knex, 'scan_days', 'tenant_id', (table) => {
    text(table, 'tenant_id').references('tenants.id');
    texts(table, 'date', 'role');
    table.bigInteger('count').notNullable();
    table.primary(['tenant_id', 'date', 'role']);
  });
}

/** What belongs to the operator and not to a tenant. */
async function createInstallation(knex: Knex): Promise<void> {
  const { texts } = textColumns(knex);
  // By name: the secret of the scans' hashes, and the time of the last deletion of scans.
  await createTable(knex, 'installation', 'everywhere', (table) => {
    texts(table, 'name', 'value');
    table.primary(['name']);
  });
  // One entry for each run of a command that changed something.
  await createTable(knex, 'audit_entries', 'everywhere', (table) => {
    texts(table, 'id', 'time', 'command', 'arguments', 'os_user', 'version');
    table.integer('changes').notNullable();
    table.primary(['id']);
    table.index(['time']);
  });
}

/** How many requests of each tenant the instances have taken in its window. Only PostgreSQL has several instances. */
async function createRateWindows(knex: Knex): Promise<void> {
  const { text } = textColumns(knex);
  await createTable(knex, 'rate_windows', 'tenant_id', (table) => {
    text(table, 'tenant_id').primary().references('tenants.id');
    table.bigInteger('ends_at').notNullable();
    table.integer('used').notNullable();
    table.integer('granted').notNullable();
  });
  // A crash may forget a minute, and no request waits for the disk.
  await knex.raw('ALTER TABLE rate_windows SET UNLOGGED');
}
