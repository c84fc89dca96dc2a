import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { Knex } from 'knex';
import { settings } from '../config/settings.ts';
import { commandHint, isPostgresAddress } from '../database/address.ts';
import { findValue } from '../database/installation.ts';
import { type OpenOptions, openDatabase } from '../database/open.ts';
import { findProduct, type Product } from '../products/store.ts';
import { slugForm } from '../tenants/rules.ts';
import { findTenant, hasTenants, type Tenant, walkTenants } from '../tenants/store.ts';
import { settingOption, slug } from './options.ts';
import { CommandFailure, warn } from './output.ts';

export const defaultDatabase = settings.database.default;

/** The options of every command that works on the database while the server may be running. */
export interface AdministrationOptions {
  database?: string;
  json?: boolean;
}

/** The options of every command about something of a tenant. */
export interface TenantOptions extends AdministrationOptions {
  tenant?: string;
}

/** Tenants that a message lists. */
const mostListed = 20;

/** Adds `--database` and `--json` to a command. */
export function administrationCommand(command: Command): Command {
  return command
    .addOption(settingOption('database', `${settings.database.meaning} (default: ${defaultDatabase})`))
    .option('--json', 'print one line of JSON instead of text');
}

/** A command about something of a tenant. */
export function tenantCommand(parent: Command, name: string): Command {
  return administrationCommand(
    parent
      .command(name)
      .addOption(
        new Option('--tenant <tenant>', 'slug of the tenant; not needed if there is only one')
          .env('PRODUCT_PASSPORT_TENANT')
          .argParser(slug),
      ),
  );
}

/** The option that names the same tenant in a suggested command. */
export function tenantOption({ tenant }: TenantOptions): string {
  return tenant === undefined ? '' : ` --tenant ${tenant}`;
}

/** A command about one product of a tenant. */
export function productCommand(parent: Command, name: string): Command {
  return tenantCommand(parent, name).argument('<product>', 'slug of the product', slug);
}

/**
 * Opens the database, does the work and closes the database. It refuses a database of an older version.
 *
 * @param create creates a missing file, and removes it again if the work fails and leaves no tenant. Without it, a mistyped
 *   name is an error and not an empty database.
 * @throws CommandFailure if the file does not exist, or the database is in memory
 * @throws UnusableDatabase
 */
export async function withDatabase<T>(
  given: AdministrationOptions,
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
 * @throws CommandFailure if the file does not exist, or the database is in memory
 */
export function requireFile(
  { database: address = defaultDatabase }: AdministrationOptions,
  { create = false } = {},
): string {
  if (address === ':memory:') {
    throw new CommandFailure(
      'a database in memory is lost when this command ends. Name a file or a postgres:// address with --database.',
      2,
    );
  }
  if (!isPostgresAddress(address) && !create && !existsSync(address)) {
    throw new CommandFailure(
      `the database file ${address} does not exist. Name an existing file with --database, or create this one with ` +
        `${commandHint("tenant create my-shop --name 'My Shop' --country DE", address)}.`,
    );
  }
  return address;
}

/** Reads or changes something of the tenant that the options name. */
export function withTenant<T>(
  options: TenantOptions,
  work: (database: Knex, tenant: Tenant) => Promise<T>,
  open?: OpenOptions,
): Promise<T> {
  return withDatabase(options, async (database) => work(database, await requireTenant(database, options)), open);
}

/**
 * The named tenant, or the only one.
 *
 * @throws CommandFailure if the tenant does not exist, or several exist and none is named
 */
export async function requireTenant(database: Knex, options: TenantOptions): Promise<Tenant> {
  if (options.tenant === undefined) return onlyTenant(database, options);
  const tenant = await findTenant(database, options.tenant);
  if (tenant) return tenant;
  const hint = commandHint('tenant list', options.database);
  throw new CommandFailure(`there is no tenant ${options.tenant}. List the tenants with ${hint}.`);
}

async function onlyTenant(database: Knex, { database: address }: AdministrationOptions): Promise<Tenant> {
  const { value: tenants } = await walkTenants(database).next();
  // The slug of an unfinished import has another form.
  const [tenant, ...others] = (tenants ?? []).filter(({ slug }) => slugForm.test(slug));
  if (tenant === undefined) {
    const hint = commandHint("tenant create my-shop --name 'My Shop' --country DE", address);
    throw new CommandFailure(`there is no tenant yet. Create one with ${hint}.`);
  }
  if (others.length === 0) return tenant;
  const listed = [tenant, ...others].slice(0, mostListed).map(({ slug }) => slug);
  const more = others.length < mostListed ? '' : ` and more, which ${commandHint('tenant list', address)} lists`;
  throw new CommandFailure(
    `there are several tenants. Name one with --tenant or PRODUCT_PASSPORT_TENANT: ${listed.join(', ')}${more}.`,
    2,
  );
}

/** The options of a command that writes addresses of the site. */
export interface SiteOptions {
  siteUrl?: string;
}

/** `--site-url` of a command, which needs it only if no server has stored it. */
export function siteOption(): Option {
  return settingOption('siteUrl', `${settings.siteUrl.meaning} (default: that of the last server)`);
}

/** The public address that the options name, or that the last server with `--site-url` has stored. */
export async function siteOf(database: Knex, { siteUrl }: SiteOptions): Promise<string | undefined> {
  return siteUrl ?? (await findValue(database, 'site_url'));
}

/** @throws CommandFailure if nobody has named the public address */
export async function requireSite(database: Knex, options: SiteOptions): Promise<string> {
  const site = await siteOf(database, options);
  if (site !== undefined) return site;
  throw new CommandFailure(
    'the public address of the site is not known. Add --site-url, or start the server with --site-url once.',
    2,
  );
}

/** @throws CommandFailure if the tenant does not have the product */
export async function requireProduct(
  database: Knex,
  tenant: Tenant,
  slug: string,
  options: AdministrationOptions,
): Promise<Product> {
  const product = await findProduct(database, tenant.id, slug);
  if (!product) throw noProduct(slug, tenant, options);
  return product;
}

export function noProduct(slug: string, tenant: Tenant, { database }: AdministrationOptions): CommandFailure {
  const hint = commandHint(`product list --tenant ${tenant.slug}`, database);
  return new CommandFailure(`the tenant ${tenant.slug} has no product ${slug}. List its products with ${hint}.`);
}

/** Slugs that are remembered, so that a product named twice counts once. */
const mostRemembered = 10_000;

/** The named slugs, then those of the lines. */
export async function* namedSlugs(
  named: readonly string[],
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  yield* named;
  for await (const text of lines) if (text.trim() !== '') yield text.trim();
}

export async function* unrepeated(slugs: AsyncIterable<string>): AsyncGenerator<string> {
  const seen = new Set<string>();
  for await (const slug of slugs) {
    if (seen.has(slug)) continue;
    yield slug;
    seen.add(slug);
    const [oldest] = seen;
    if (seen.size > mostRemembered && oldest !== undefined) seen.delete(oldest);
  }
}
