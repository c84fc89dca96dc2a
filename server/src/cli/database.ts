import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Knex } from 'knex';
import { settings } from '../config/settings.ts';
import { commandHint, isPostgresAddress } from '../database/address.ts';
import { findValue } from '../database/installation.ts';
import { type OpenOptions, openDatabase } from '../database/open.ts';
import { OperatorError } from '../operator-error.ts';
import { findProduct, lockProduct, type Product } from '../products/store.ts';
import { findTenant, hasTenants, slugForm, type Tenant, walkTenants } from '../tenants/store.ts';
import { type About, type OptionOf, type SharedOptions, settingOption } from './command.ts';
import { warn } from './output.ts';

export const defaultDatabase = settings.database.default;

/** Tenants that a message lists. */
const maxListed = 20;

/** The option that names the same tenant in a suggested command. */
export function tenantOption({ tenant }: SharedOptions): string {
  return tenant === undefined ? '' : ` --tenant ${tenant}`;
}

/**
 * Opens the database, does the work and closes the database. It refuses a database of an older version.
 *
 * @param create creates a missing file, and removes it again if the work fails and leaves no tenant. Without it, a mistyped
 *   name is an error and not an empty database.
 * @throws OperatorError if the file does not exist, or the database is in memory
 * @throws UnusableDatabase
 */
export async function withDatabase<T>(
  given: SharedOptions,
  work: (database: Knex) => Promise<T>,
  { create = false, ...options }: { create?: boolean } & OpenOptions = {},
): Promise<T> {
  const address = requireFile(given, { create });
  const isNew = !isPostgresAddress(address) && !existsSync(address);
  const database = await openDatabase(address, { migrate: create ? 'new' : 'none', warn, ...options });
  let isLeftEmpty = false;
  try {
    return await work(database);
  } catch (error) {
    isLeftEmpty = isNew && !(await hasTenants(database).catch(() => true));
    throw error;
  } finally {
    await database.destroy();
    // SQLite removes its log with the last connection: while there is one, another process uses the file.
    if (isLeftEmpty && !existsSync(`${address}-wal`)) await rm(address);
  }
}

/**
 * The address of a database that exists.
 *
 * @param create whether the file may be missing
 * @throws OperatorError if the file does not exist, or the database is in memory
 */
export function requireFile({ database: address = defaultDatabase }: SharedOptions, { create = false } = {}): string {
  if (address === ':memory:') {
    throw new OperatorError(
      'a database in memory is lost when this command ends. Name a file or a postgres:// address with --database.',
      2,
    );
  }
  if (!isPostgresAddress(address) && !create && !existsSync(address)) {
    throw new OperatorError(
      `the database file ${address} does not exist. Name an existing file with --database, or create this one with ` +
        `${commandHint("tenant create my-shop --name 'My Shop' --country DE", address)}.`,
    );
  }
  return address;
}

/** What a command is about, found by its options and its first argument. A transaction locks the product. */
export async function subjectOf(
  database: Knex,
  about: About,
  options: SharedOptions,
  first: string,
): Promise<{ tenant?: Tenant; product?: Product }> {
  if (about === 'database') return {};
  const tenant = await requireTenant(database, about === '<tenant>' ? { ...options, tenant: first } : options);
  if (about !== '<product>') return { tenant };
  const find = database.isTransaction ? (lockProduct as typeof findProduct) : findProduct;
  return { tenant, product: await requireProduct(database, tenant, first, options, find) };
}

/**
 * The named tenant, or the only one.
 *
 * @throws OperatorError if the tenant does not exist, or several exist and none is named
 */
export async function requireTenant(database: Knex, options: SharedOptions): Promise<Tenant> {
  if (options.tenant === undefined) return onlyTenant(database, options);
  const tenant = await findTenant(database, options.tenant);
  if (tenant) return tenant;
  const hint = commandHint('tenant list', options.database);
  throw new OperatorError(`there is no tenant ${options.tenant}. List the tenants with ${hint}.`);
}

async function onlyTenant(database: Knex, { database: address }: SharedOptions): Promise<Tenant> {
  const { value: tenants } = await walkTenants(database).next();
  // The slug of an unfinished import has another form.
  const [tenant, ...others] = (tenants ?? []).filter(({ slug }) => slugForm.test(slug));
  if (tenant === undefined) {
    const hint = commandHint("tenant create my-shop --name 'My Shop' --country DE", address);
    throw new OperatorError(`there is no tenant yet. Create one with ${hint}.`);
  }
  if (others.length === 0) return tenant;
  const listed = [tenant, ...others].slice(0, maxListed).map(({ slug }) => slug);
  const more = others.length < maxListed ? '' : ` and more, which ${commandHint('tenant list', address)} lists`;
  throw new OperatorError(
    `there are several tenants. Name one with --tenant or PRODUCT_PASSPORT_TENANT: ${listed.join(', ')}${more}.`,
    2,
  );
}

/** Needed only if no server has stored it. */
export const siteUrl: OptionOf<string | undefined> = settingOption(
  'siteUrl',
  `${settings.siteUrl.meaning} (default: that of the last server)`,
);

type SiteOptions = { siteUrl?: string | undefined };

/** The public address that the options name, or that the last server with `--site-url` has stored. */
export async function siteOf(database: Knex, { siteUrl }: SiteOptions): Promise<string | undefined> {
  return siteUrl ?? (await findValue(database, 'site_url'));
}

/** @throws OperatorError if nobody has named the public address */
export async function requireSite(database: Knex, options: SiteOptions): Promise<string> {
  const site = await siteOf(database, options);
  if (site !== undefined) return site;
  throw new OperatorError(
    'the public address of the site is not known. Add --site-url, or start the server with --site-url once.',
    2,
  );
}

/** @throws OperatorError if the tenant does not have the product */
export async function requireProduct(
  database: Knex,
  tenant: Tenant,
  slug: string,
  options: SharedOptions,
  find = findProduct,
): Promise<Product> {
  const product = await find(database, tenant.id, slug);
  if (product) return product;
  const hint = commandHint(`product list --tenant ${tenant.slug}`, options.database);
  throw new OperatorError(`the tenant ${tenant.slug} has no product ${slug}. List its products with ${hint}.`);
}

/**
 * The named slugs, then the others. Each comes once.
 *
 * @param named may have blank lines and blanks, as in a file
 * @param others of which each comes once
 */
export async function* chosenSlugs(
  named: readonly string[],
  others: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  const chosen = new Set(named.map((text) => text.trim()));
  chosen.delete('');
  yield* chosen;
  for await (const slug of others) if (!chosen.has(slug)) yield slug;
}
