import { type Command, Option } from 'commander';
import type { Knex } from 'knex';
import { addFirstCarrier } from '../carriers/lifecycle.ts';
import { GtinInUse, LifecycleError, moveProduct } from '../products/lifecycle.ts';
import {
  findActiveByGtin,
  listProducts,
  type Product,
  type ProductListItem,
  type ProductStatus,
} from '../products/store.ts';
import { type AdministrationOptions, administration, noProduct, requireTenant, withDatabase } from './database.ts';
import { warnOfCheckDigit } from './gtin.ts';
import { CommandFailure, print, printJson, printTable, warn } from './output.ts';

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

  productCommand(product, 'activate <slug>')
    .description('serve the passport to the public')
    .option(
      '--share-gtin',
      "activate although another tenant's active product has the same GTIN; its link leads to the one that was activated first",
    )
    .action(async (slug: string, options: ProductOptions & { shareGtin?: boolean }) => {
      const { moved, leadsTo } = await withDatabase(options, (database) => activate(database, slug, options));
      if (moved.gtin !== null) warnOfCheckDigit(moved.gtin);
      if (leadsTo !== undefined)
        warn(`the link of the GTIN ${moved.gtin} leads to ${leadsTo}, which was active first.`);
      printMoved(moved, options);
    });

  productCommand(product, 'archive <slug>')
    .description('serve the passport no more')
    .action(async (slug: string, options: ProductOptions) => {
      const moved = await withDatabase(options, (database) => move(database, slug, 'archived', options));
      printMoved(moved, options);
    });
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

/** Also says where the GTIN leads if it does not lead to this product. */
async function activate(
  database: Knex,
  slug: string,
  options: ProductOptions & { shareGtin?: boolean },
): Promise<{ moved: Product; leadsTo: string | undefined }> {
  const moved = await move(database, slug, 'active', options);
  const found = moved.gtin === null ? undefined : await findActiveByGtin(database, moved.gtin);
  const isOwn = found?.tenant_slug === options.tenant && found.slug === slug;
  return { moved, leadsTo: found && !isOwn ? `${found.tenant_slug}/${found.slug}` : undefined };
}

async function move(
  database: Knex,
  slug: string,
  status: 'active' | 'archived',
  { tenant: tenantSlug, shareGtin = false }: ProductOptions & { shareGtin?: boolean },
): Promise<Product> {
  const tenant = await requireTenant(database, tenantSlug);
  try {
    const services = { database, now: () => new Date(), addFirstCarrier };
    const moved = await moveProduct(services, tenant.id, slug, status, { shareGtin });
    if (moved) return moved;
  } catch (error) {
    if (error instanceof GtinInUse) {
      throw new CommandFailure(`${error.message} Add --share-gtin to activate it all the same.`);
    }
    if (error instanceof LifecycleError) throw new CommandFailure(error.message);
    throw error;
  }
  throw noProduct(tenantSlug, slug);
}

function printMoved(moved: Product, { json }: ProductOptions): void {
  if (json) printJson(moved);
  else print(`${moved.slug} is ${moved.status} now.`);
}
