import { type Command, Option } from 'commander';
import type { Knex } from 'knex';
import type { ProductStatus } from '../products/counts.ts';
import { walkProducts } from '../products/walk.ts';
import { auditedRun } from './change.ts';
import { productCommand, requireTenant, type TenantOptions, withDatabase } from './database.ts';
import { type ManyOptions, moveMany } from './many.ts';
import { type MoveOptions, move, warnOfLink } from './move.ts';
import { print, printJson, printPages } from './output.ts';
import { addImageCommands } from './product-image.ts';
import { settingOption } from './settings.ts';
import { printShown, readShown, type ShowOptions } from './show.ts';

export function addProductCommands(program: Command): void {
  const product = program
    .command('product')
    .description('list, show, activate and archive the products of a tenant, and set their images');

  productCommand(product, 'list')
    .description('list the products, oldest first')
    .addOption(
      new Option('--status <status>', 'list only products with this status').choices(['draft', 'active', 'archived']),
    )
    .action((options: TenantOptions & { status?: ProductStatus }) =>
      withDatabase(options, async (database) => {
        const tenant = await requireTenant(database, options);
        await printPages(walkProducts(database, tenant.id, options.status), {
          json: options.json,
          header: ['SLUG', 'STATUS', 'COMPLETE', 'GTIN', 'NAME'],
          row: (item) => [item.slug, item.status, `${item.completeness} %`, item.gtin ?? '-', item.name],
          whenEmpty: noProducts(options),
        });
      }),
    );

  productCommand(product, 'show <slug>')
    .description('show a product: status, missing required fields, data carriers, versions and public address')
    .addOption(settingOption('siteUrl', 'public address of the site; use the value that the server uses'))
    .action(async (slug: string, options: ShowOptions) => {
      const shown = await withDatabase(options, (database) => readShown(database, slug, options));
      if (options.json) printJson(shown);
      else printShown(shown, options);
    });

  statusCommand(product, 'activate', 'active')
    .description('make passports public; prints one result a line if you name several products')
    .option('--all-complete', 'activate every draft that is 100 % complete')
    .option(
      '--share-gtin',
      "activate the product even if another tenant's active product has the same GTIN; the GTIN's link leads to the product that was activated first",
    );

  statusCommand(product, 'archive', 'archived').description(
    'remove passports from the public site; prints one result a line if you name several products',
  );

  addImageCommands(product);
}

function statusCommand(parent: Command, name: string, status: 'active' | 'archived'): Command {
  return productCommand(parent, `${name} [slugs...]`)
    .option('--file <file>', `${name} the products of a file with one slug a line; - reads standard input`)
    .option('--dry-run', 'print what would happen, and change nothing')
    .action((slugs: string[], options: ManyOptions, command: Command) => {
      const [slug, ...others] = slugs;
      const isOne = slug !== undefined && others.length === 0 && !options.allComplete && options.file === undefined;
      return withDatabase(options, (database) =>
        isOne ? moveOne(database, command, slug, status) : moveMany(database, command, slugs, status),
      );
    });
}

/** Moves one product and prints it. */
async function moveOne(database: Knex, command: Command, slug: string, status: 'active' | 'archived'): Promise<void> {
  const options = command.opts<TenantOptions & MoveOptions>();
  const tenant = await requireTenant(database, options);
  const moved = await move({ database, run: auditedRun(command), tenant, options }, slug, status);
  await warnOfLink(database, tenant, moved);
  if (options.json) printJson(moved);
  else print(options.dryRun ? `${slug} can become ${status}.` : `${slug} is now ${status}.`);
}

function noProducts({ tenant, status }: TenantOptions & { status?: ProductStatus }): string {
  return `The tenant ${tenant} has no ${status === undefined ? '' : `${status} `}products.`;
}
