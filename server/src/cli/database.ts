import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Knex } from 'knex';
import { settings } from '../config/settings.ts';
import { commandHint, isPostgresAddress } from '../database/address.ts';
import { type OpenOptions, openDatabase } from '../database/open.ts';
import { findProduct, type Product } from '../products/store.ts';
import { findTenant, hasTenants, type Tenant } from '../tenants/store.ts';
import { CommandFailure, warn } from './output.ts';
import { settingOption } from './settings.ts';

export const defaultDatabase = settings.database.default;

/** The options of every command that works on the database while the server may be running. */
export interface AdministrationOptions {
  database?: string;
  json?: boolean;
}

/** The options of every command that works on the data of one tenant. */
export interface TenantOptions extends AdministrationOptions {
  tenant: string;
}

/** Adds `--database` and `--json` to a command. */
export function administrationCommand(command: Command): Command {
  return command
    .addOption(settingOption('database', `${settings.database.meaning} (default: ${defaultDatabase})`))
    .option('--json', 'print one line of JSON instead of text');
}

/** A command about products of one tenant. */
export function productCommand(parent: Command, usage: string): Command {
  return administrationCommand(parent.command(usage)).requiredOption('--tenant <slug>', 'tenant that owns the product');
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

/** @throws CommandFailure if the tenant does not exist */
export async function requireTenant(
  database: Knex,
  { tenant: slug, database: address }: TenantOptions,
): Promise<Tenant> {
  const tenant = await findTenant(database, slug);
  if (tenant) return tenant;
  throw new CommandFailure(`there is no tenant ${slug}. List the tenants with ${commandHint('tenant list', address)}.`);
}

/** @throws CommandFailure if the tenant does not have the product */
export async function requireProduct(
  database: Knex,
  tenantId: string,
  slug: string,
  options: TenantOptions,
): Promise<Product> {
  const product = await findProduct(database, tenantId, slug);
  if (!product) throw noProduct(slug, options);
  return product;
}

export function noProduct(slug: string, { tenant, database }: TenantOptions): CommandFailure {
  const hint = commandHint(`product list --tenant ${tenant}`, database);
  return new CommandFailure(`the tenant ${tenant} has no product ${slug}. List its products with ${hint}.`);
}
