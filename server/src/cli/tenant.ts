import type { Command } from 'commander';
import type { Knex } from 'knex';
import { commandLine } from '../database/address.ts';
import { slugForm } from '../tenants/rules.ts';
import { insertTenant, listTenants, type Tenant } from '../tenants/store.ts';
import { withChange } from './change.ts';
import { type AdministrationOptions, administrationCommand, withDatabase } from './database.ts';
import { CommandFailure, print, printJson, printTable } from './output.ts';

export function addTenantCommands(program: Command): void {
  const tenant = program.command('tenant').description('create and list tenants: the businesses that own products');

  administrationCommand(tenant.command('create <slug>'))
    .description('create a tenant; its slug is part of public addresses and cannot be changed')
    .requiredOption('--name <name>', 'name of the business')
    .requiredOption('--country <code>', 'two-letter country code (ISO 3166-1); sets the language of passport values')
    .option('--plan <plan>', 'starter, business or enterprise', 'starter')
    .action(async (slug: string, options: AdministrationOptions & Omit<Tenant, 'id' | 'slug'>, command: Command) => {
      const entry = checkedTenant({
        slug,
        name: options.name.trim(),
        country: options.country.toUpperCase(),
        plan: options.plan,
      });
      const made = await withChange(command, (transaction) => create(transaction, entry), { create: true });
      if (options.json) printJson(made);
      else print(`Created tenant ${slug}. Next: ${commandLine(`key create --tenant ${slug}`, options.database)}`);
    });

  administrationCommand(tenant.command('list'))
    .description('list the tenants')
    .action(async (options: AdministrationOptions) => {
      const tenants = await withDatabase(options, listTenants);
      if (options.json) printJson({ items: tenants });
      else {
        const rows = tenants.map(({ slug, name, country, plan }) => [slug, name, country, plan]);
        printTable(['SLUG', 'NAME', 'COUNTRY', 'PLAN'], rows, 'There are no tenants yet.');
      }
    });
}

async function create(transaction: Knex.Transaction, entry: Omit<Tenant, 'id'>): Promise<Tenant> {
  const made = await insertTenant(transaction, entry, new Date());
  if (!made) throw new CommandFailure(`the tenant ${entry.slug} already exists. Choose another slug.`);
  return made;
}

/** @throws CommandFailure if a field is not valid */
export function checkedTenant(tenant: Omit<Tenant, 'id'>): Omit<Tenant, 'id'> {
  if (tenant.slug.length > 100 || !slugForm.test(tenant.slug)) {
    throw new CommandFailure(
      'the slug is not valid. Use a to z, 0 to 9 and single hyphens between them, at most 100 characters.',
    );
  }
  if (tenant.name === '') throw new CommandFailure('the name is empty. Give the name of the business with --name.');
  if (!/^[A-Z]{2}$/.test(tenant.country)) throw new CommandFailure('--country must have two letters, for example DE.');
  if (!['starter', 'business', 'enterprise'].includes(tenant.plan)) {
    throw new CommandFailure('--plan must be starter, business or enterprise.');
  }
  return tenant;
}
