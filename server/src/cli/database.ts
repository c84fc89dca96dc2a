import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { Knex } from 'knex';
import { addressFault, isPostgresAddress } from '../database/address.ts';
import { type OpenOptions, openDatabase } from '../database/open.ts';
import { findProduct, type Product } from '../products/store.ts';
import { findTenant, type Tenant } from '../tenants/store.ts';
import { CommandFailure } from './output.ts';

export const defaultDatabase = 'product-passport.sqlite';

export function databaseOption(): Option {
  return new Option('--database <address>', `SQLite file or postgres:// address (default: ${defaultDatabase})`)
    .env('PRODUCT_PASSPORT_DATABASE')
    .argParser((address) => {
      const fault = addressFault(address);
      // Commander's own error would print the address, with the password in it.
      if (fault !== undefined) throw new CommandFailure(fault, 2);
      return address;
    });
}

/** The options of every command that works on the database beside the server. */
export interface AdministrationOptions {
  database?: string;
  json?: boolean;
}

/** A command that works on the database: `--database`, `--json`. */
export function administration(command: Command): Command {
  return command.addOption(databaseOption()).option('--json', 'print one line of JSON instead of text');
}

/**
 * Opens the database, does the work and closes it. A database that an older version made is left as it is.
 *
 * @param create whether a file that does not exist is made; otherwise a mistyped name would give an empty database
 */
export async function withDatabase<T>(
  { database: address = defaultDatabase }: AdministrationOptions,
  work: (database: Knex) => Promise<T>,
  { create = false, ...options }: { create?: boolean } & OpenOptions = {},
): Promise<T> {
  if (!isPostgresAddress(address) && !create && !existsSync(address)) {
    throw new CommandFailure(
      `there is no database ${address}. Name it with --database, or make one with \`product-passport tenant create\`.`,
    );
  }
  const database = await openDatabase(address, { migrate: create ? 'new' : 'none', ...options });
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}

/** @throws CommandFailure where there is no such tenant */
export async function requireTenant(database: Knex, slug: string): Promise<Tenant> {
  const tenant = await findTenant(database, slug);
  if (!tenant) throw new CommandFailure(`there is no tenant ${slug}. \`product-passport tenant list\` shows them.`);
  return tenant;
}

/** @throws CommandFailure where the tenant has no such product */
export async function requireProduct(database: Knex, tenant: Tenant, slug: string): Promise<Product> {
  const product = await findProduct(database, tenant.id, slug);
  if (!product) throw noProduct(tenant.slug, slug);
  return product;
}

export function noProduct(tenantSlug: string, slug: string): CommandFailure {
  return new CommandFailure(`${tenantSlug} has no product ${slug}. \`product-passport product list\` shows them.`);
}
