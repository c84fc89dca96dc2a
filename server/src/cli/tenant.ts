import { type Command, Option } from 'commander';
import type { Knex } from 'knex';
import { commandLine } from '../database/address.ts';
import { closePublicList, openPublicList } from '../tenants/public-list.ts';
import { type Color, colors } from '../tenants/rules.ts';
import { type Brand, insertTenant, type Tenant, updateBrand, walkTenants } from '../tenants/store.ts';
import { withChange } from './change.ts';
import { type AdministrationOptions, administrationCommand, requireTenant, withDatabase } from './database.ts';
import { country, slug, text } from './options.ts';
import { CommandFailure, escaped, print, printJson, printPages } from './output.ts';

/** In code points, like the name of a product. */
const longestName = 500;

export function addTenantCommands(program: Command): void {
  const tenant = program
    .command('tenant')
    .description('create and list tenants, the businesses that own products; set the look and the list of their pages');

  administrationCommand(tenant.command('create'))
    .argument('<tenant>', 'slug of the tenant', slug)
    .description('create a tenant; its slug is part of public addresses and cannot be changed')
    .requiredOption('--name <name>', 'name of the business', text(longestName))
    .requiredOption(
      '--country <code>',
      'two-letter country code (ISO 3166-1); sets the language of passport values',
      country,
    )
    .addOption(
      new Option('--plan <plan>', 'plan of the business')
        .choices(['starter', 'business', 'enterprise'])
        .default('starter'),
    )
    .action(async (slug: string, options: CreateOptions, command: Command) => {
      const { name, country, plan } = options;
      const entry = { slug, name, country, plan };
      const made = await withChange(command, (transaction) => create(transaction, entry), { create: true });
      if (options.json) printJson(made);
      else print(`Created tenant ${slug}. Next: ${commandLine(`key create --tenant ${slug}`, options.database)}`);
    });

  administrationCommand(tenant.command('list'))
    .description('list the tenants')
    .action((options: AdministrationOptions) =>
      withDatabase(options, (database) =>
        printPages(walkTenants(database), {
          json: options.json,
          header: ['SLUG', 'NAME', 'COUNTRY', 'PLAN', 'COLOR', 'PUBLIC LIST'],
          row: ({ slug, name, country, plan, color, listed_at }) => [
            slug,
            name,
            country,
            plan,
            color ?? '-',
            listed_at === null ? '-' : `/p/${slug}`,
          ],
          whenEmpty: 'There are no tenants yet.',
        }),
      ),
    );

  administrationCommand(tenant.command('brand'))
    .argument('<tenant>', 'slug of the tenant', slug)
    .description("set the name and the colour of a tenant's passport pages")
    .option('--name <name>', 'name of the business, as pages and documents show it', text(longestName))
    .addOption(
      new Option(
        '--color <color>',
        'colour of the pages; with a colour, each page begins with the name. none removes it',
      ).choices([...colors, 'none']),
    )
    .action(async (slug: string, options: BrandOptions, command: Command) => {
      const brand = checkedBrand(options);
      const { name, color } = await withChange(command, async (transaction) => {
        const { id } = await requireTenant(transaction, { ...options, tenant: slug });
        return updateBrand(transaction, id, brand);
      });
      if (options.json) printJson({ slug, name, color });
      else print(`The pages of ${slug} show the name ${escaped(name)}, and ${color ?? 'the standard colour'}.`);
    });

  listCommand(tenant, 'open-list', true).description(
    "open the public list: everybody can page through the tenant's active products at /p/SLUG, and search them",
  );

  listCommand(tenant, 'close-list', false).description(
    'close the public list: its address is not found any more; the passports stay public',
  );
}

function listCommand(parent: Command, name: string, isOpen: boolean): Command {
  return administrationCommand(parent.command(name))
    .argument('<tenant>', 'slug of the tenant', slug)
    .action(async (slug: string, options: AdministrationOptions, command: Command) => {
      await withChange(command, async (transaction) => {
        const { id } = await requireTenant(transaction, { ...options, tenant: slug });
        if (isOpen) await openPublicList(transaction, id, new Date());
        else await closePublicList(transaction, id);
      });
      if (options.json) printJson({ slug, public_list: isOpen ? `/p/${slug}` : null });
      else print(isOpen ? `The public list is open: /p/${slug}` : `The public list of ${slug} is closed.`);
    });
}

type CreateOptions = AdministrationOptions & Omit<Tenant, 'id' | 'slug'>;
type BrandOptions = AdministrationOptions & { name?: string; color?: Color | 'none' };

function checkedBrand({ name, color }: BrandOptions): Partial<Brand> {
  if (name === undefined && color === undefined) {
    throw new CommandFailure('nothing to change is named. Add --name, --color or both.', 2);
  }
  return {
    ...(name !== undefined && { name }),
    ...(color !== undefined && { color: color === 'none' ? null : color }),
  };
}

async function create(transaction: Knex.Transaction, entry: Omit<Tenant, 'id'>): Promise<Tenant> {
  const made = await insertTenant(transaction, entry, new Date());
  if (!made) throw new CommandFailure(`the tenant ${entry.slug} already exists. Choose another slug.`);
  return made;
}
