import { type Command, Option } from 'commander';
import type { ProductStatus } from '../products/counts.ts';
import { type ActivateOptions, activateMany, activateOne } from './activate.ts';
import { administrationCommand, type TenantOptions, withDatabase } from './database.ts';
import { printJson, printTable } from './output.ts';
import { allProducts, move, printMoved } from './product-status.ts';

export function addProductCommands(program: Command): void {
  const product = program.command('product').description('list, activate and archive the products of a tenant');

  productCommand(product, 'list')
    .description('list the products, oldest first')
    .addOption(
      new Option('--status <status>', 'list only products with this status').choices(['draft', 'active', 'archived']),
    )
    .action(async (options: TenantOptions & { status?: ProductStatus }) => {
      const items = await withDatabase(options, (database) => allProducts(database, options));
      if (options.json) printJson({ items });
      else {
        const rows = items.map((item) => [
          item.slug,
          item.status,
          `${item.completeness} %`,
          item.gtin ?? '-',
          item.name,
        ]);
        printTable(['SLUG', 'STATUS', 'COMPLETE', 'GTIN', 'NAME'], rows, noProducts(options));
      }
    });

  productCommand(product, 'activate [slugs...]')
    .description('make passports public; prints one result a line if you name several products')
    .option('--all-complete', 'activate every draft that is 100 % complete')
    .option('--file <file>', 'activate the products of a file with one slug a line; - reads standard input')
    .option(
      '--share-gtin',
      "activate the product even if another tenant's active product has the same GTIN; the GTIN's link leads to the product that was activated first",
    )
    .action(async (slugs: string[], options: ActivateOptions) => {
      const [slug, ...others] = slugs;
      const isOne = slug !== undefined && others.length === 0 && !options.allComplete && options.file === undefined;
      await withDatabase(options, (database) =>
        isOne ? activateOne(database, slug, options) : activateMany(database, slugs, options),
      );
    });

  productCommand(product, 'archive <slug>')
    .description('remove the passport from the public site')
    .action(async (slug: string, options: TenantOptions) => {
      const moved = await withDatabase(options, (database) => move(database, slug, 'archived', options));
      printMoved(moved, options);
    });
}

function productCommand(parent: Command, usage: string): Command {
  return administrationCommand(parent.command(usage)).requiredOption('--tenant <slug>', 'tenant that owns the product');
}

function noProducts({ tenant, status }: TenantOptions & { status?: ProductStatus }): string {
  return `The tenant ${tenant} has no ${status === undefined ? '' : `${status} `}products.`;
}
