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
import { administrationCommand, noProduct, requireTenant, type TenantOptions, withDatabase } from './database.ts';
import { warnOfCheckDigit } from './gtin.ts';
import { CommandFailure, print, printJson, printTable, warn } from './output.ts';

/** Rows of one query. */
const pageSize = 200;

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

  productCommand(product, 'activate <slug>')
    .description('make the passport public')
    .option(
      '--share-gtin',
      "activate the product even if another tenant's active product has the same GTIN; the GTIN's link leads to the product that was activated first",
    )
    .action(async (slug: string, options: TenantOptions & { shareGtin?: boolean }) => {
      const { moved, leadsTo } = await withDatabase(options, (database) => activate(database, slug, options));
      if (moved.gtin !== null) warnOfCheckDigit(moved.gtin);
      if (leadsTo !== undefined)
        warn(`the link of the GTIN ${moved.gtin} leads to ${leadsTo}, which was activated first.`);
      printMoved(moved, options);
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

async function allProducts(
  database: Knex,
  { status, ...options }: TenantOptions & { status?: ProductStatus },
): Promise<ProductListItem[]> {
  const tenant = await requireTenant(database, options);
  const items: ProductListItem[] = [];
  for (let total = 1; items.length < total; ) {
    const page = await listProducts(database, tenant.id, { status }, { limit: pageSize, offset: items.length });
    if (page.items.length === 0) break;
    items.push(...page.items);
    total = page.total;
  }
  return items;
}

/** @returns the product, and the product that its GTIN leads to if that is another one */
async function activate(
  database: Knex,
  slug: string,
  options: TenantOptions & { shareGtin?: boolean },
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
  { shareGtin = false, ...options }: TenantOptions & { shareGtin?: boolean },
): Promise<Product> {
  const tenant = await requireTenant(database, options);
  try {
    const services = { database, now: () => new Date(), addFirstCarrier };
    const moved = await moveProduct(services, tenant.id, slug, status, { shareGtin });
    if (moved) return moved;
  } catch (error) {
    if (error instanceof GtinInUse) {
      throw new CommandFailure(`${error.message} To activate it anyway, add --share-gtin.`);
    }
    if (error instanceof LifecycleError) throw new CommandFailure(error.message);
    throw error;
  }
  throw noProduct(slug, options);
}

function printMoved(moved: Product, { json }: TenantOptions): void {
  if (json) printJson(moved);
  else print(`${moved.slug} is now ${moved.status}.`);
}
