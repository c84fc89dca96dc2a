import { type Command, Option } from 'commander';
import type { ProductStatus } from '../products/counts.ts';
import { walkProducts } from '../products/list.ts';
import { productCommand, type TenantOptions, tenantCommand, withTenant } from './database.ts';
import { type ManyOptions, moveMany, moveOne } from './move.ts';
import { settingOption, slugs } from './options.ts';
import { printJson, printPages } from './output.ts';
import { addImageCommands } from './product-image.ts';
import { printShown, readShown, type ShowOptions } from './show.ts';

export function addProductCommands(program: Command): void {
  const product = program
    .command('product')
    .description('list, show, activate and archive the products of a tenant, and set their images');

  tenantCommand(product, 'list')
    .description('list the products, oldest first')
    .addOption(
      new Option('--status <status>', 'list only products with this status').choices(['draft', 'active', 'archived']),
    )
    .action((options: TenantOptions & { status?: ProductStatus }) =>
      withTenant(options, (database, tenant) =>
        printPages(walkProducts(database, tenant.id, options.status), {
          json: options.json,
          header: ['SLUG', 'STATUS', 'COMPLETE', 'GTIN', 'NAME'],
          row: (item) => [item.slug, item.status, `${item.completeness} %`, item.gtin ?? '-', item.name],
          whenEmpty: `The tenant ${tenant.slug} has no ${options.status === undefined ? '' : `${options.status} `}products.`,
        }),
      ),
    );

  productCommand(product, 'show')
    .description('show a product: status, missing required fields, data carriers, versions and public address')
    .addOption(settingOption('siteUrl', 'public address of the site; use the value that the server uses'))
    .action(async (slug: string, options: ShowOptions) => {
      const shown = await withTenant(options, (database, tenant) => readShown(database, tenant, slug, options));
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
  return tenantCommand(parent, name)
    .argument('[products...]', 'slugs of the products', slugs)
    .option('--file <file>', `${name} the products of a file with one slug a line; - reads standard input`)
    .option('--dry-run', 'print what would happen, and change nothing')
    .action((products: string[], options: ManyOptions, command: Command) => {
      const [product, ...others] = products;
      const isOne = product !== undefined && others.length === 0 && !options.allComplete && options.file === undefined;
      return isOne ? moveOne(command, product, status) : moveMany(command, products, status);
    });
}
