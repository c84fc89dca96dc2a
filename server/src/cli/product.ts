import { type Command, Option } from 'commander';
import type { Knex } from 'knex';
import { LifecycleError, moveProduct } from '../products/lifecycle.ts';
import { listProducts, type ProductListItem, type ProductStatus } from '../products/store.ts';
import { type AdministrationOptions, administration, noProduct, requireTenant, withDatabase } from './database.ts';
import { warnOfCheckDigit } from './gtin.ts';
import { CommandFailure, print, printJson, printTable } from './output.ts';

type ProductOptions = AdministrationOptions & { tenant: string };

/** Rows that are read at a time. */
const pageSize = 200;

export function addProductCommands(program: Command): void {
  const product = program.command('product').description('products of a tenant');

  productCommand(product, 'list')
    .description('list the products, oldest first')
    .addOption(new Option('--status <status>', 'only those of this status').choices(['draft', 'active', 'archived']))
    .action(async (options: ProductOptions & { status?: ProductStatus }) => {
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
        printTable(['SLUG', 'STATUS', 'COMPLETE', 'GTIN', 'NAME'], rows, 'There is no such product.');
      }
    });

  for (const { name, status, description } of [
    { name: 'activate', status: 'active', description: 'serve the passport to the public' },
    { name: 'archive', status: 'archived', description: 'serve the passport no more' },
  ] as const) {
    productCommand(product, `${name} <slug>`)
      .description(description)
      .action(async (slug: string, options: ProductOptions) => {
        const moved = await withDatabase(options, (database) => move(database, options.tenant, slug, status));
        if (moved.gtin !== null && status === 'active') warnOfCheckDigit(moved.gtin);
        if (options.json) printJson(moved);
        else print(`${slug} is ${moved.status} now.`);
      });
  }
}

function productCommand(parent: Command, usage: string): Command {
  return administration(parent.command(usage)).requiredOption('--tenant <slug>', 'whose product it is');
}

async function allProducts(
  database: Knex,
  { tenant: slug, status }: ProductOptions & { status?: ProductStatus },
): Promise<ProductListItem[]> {
  const tenant = await requireTenant(database, slug);
  const items: ProductListItem[] = [];
  for (let total = 1; items.length < total; ) {
    const page = await listProducts(database, tenant.id, { status }, { limit: pageSize, offset: items.length });
    if (page.items.length === 0) break;
    items.push(...page.items);
    total = page.total;
  }
  return items;
}

async function move(database: Knex, tenantSlug: string, slug: string, status: 'active' | 'archived') {
  const tenant = await requireTenant(database, tenantSlug);
  try {
    const moved = await moveProduct({ database, now: () => new Date() }, tenant.id, slug, status);
    if (moved) return moved;
  } catch (error) {
    if (error instanceof LifecycleError) throw new CommandFailure(error.message);
    throw error;
  }
  throw noProduct(tenantSlug, slug);
}
