import type { Command } from 'commander';
import { insertTenant, listTenants, type Tenant } from '../tenants/store.ts';
import { type AdministrationOptions, administration, withDatabase } from './database.ts';
import { CommandFailure, print, printJson, printTable } from './output.ts';

const slugForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export function addTenantCommands(program: Command): void {
  const tenant = program.command('tenant').description('businesses that own products');

  administration(tenant.command('create <slug>'))
    .description('create a tenant; its slug stands in public addresses and never changes')
    .requiredOption('--name <name>', 'name of the business')
    .requiredOption('--country <code>', 'two letters (ISO 3166-1); decides the language of its values')
    .option('--plan <plan>', 'starter, business or enterprise', 'starter')
    .action(async (slug: string, options: AdministrationOptions & Omit<Tenant, 'id' | 'slug'>) => {
      const entry = checked({
        slug,
        name: options.name.trim(),
        country: options.country.toUpperCase(),
        plan: options.plan,
      });
      const made = await withDatabase(options, (database) => insertTenant(database, entry, new Date()), {
        create: true,
      });
      if (!made) throw new CommandFailure(`there is a tenant ${slug} already. Choose another slug.`);
      if (options.json) printJson(made);
      else print(`Created the tenant ${slug}. Next: product-passport key create --tenant ${slug}`);
    });

  administration(tenant.command('list'))
    .description('list the tenants')
    .action(async (options: AdministrationOptions) => {
      const tenants = await withDatabase(options, listTenants);
      if (options.json) printJson({ items: tenants });
      else {
        const rows = tenants.map(({ slug, name, country, plan }) => [slug, name, country, plan]);
        printTable(['SLUG', 'NAME', 'COUNTRY', 'PLAN'], rows, 'There is no tenant yet.');
      }
    });
}

function checked(tenant: Omit<Tenant, 'id'>): Omit<Tenant, 'id'> {
  if (tenant.slug.length > 100 || !slugForm.test(tenant.slug)) {
    throw new CommandFailure(
      'a slug is made of a to z and digits, in groups joined by single hyphens, at most 100 characters.',
    );
  }
  if (tenant.name === '') throw new CommandFailure('give the business a name with --name.');
  if (!/^[A-Z]{2}$/.test(tenant.country)) throw new CommandFailure('a country has two letters, for example DE.');
  if (!['starter', 'business', 'enterprise'].includes(tenant.plan)) {
    throw new CommandFailure('a plan is starter, business or enterprise.');
  }
  return tenant;
}
