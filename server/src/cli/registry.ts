import { Argument, type Command, Option } from 'commander';
import type { Knex } from 'knex';
import { moveRegistry, type RegistryStatus, registryStatuses } from '../products/registry.ts';
import { LifecycleError } from '../products/rules.ts';
import type { Product, ProductListItem } from '../products/store.ts';
import { walkProducts } from '../products/walk.ts';
import { withChange } from './change.ts';
import { noProduct, productCommand, requireTenant, type TenantOptions, withDatabase } from './database.ts';
import { CommandFailure, print, printJson, printPages } from './output.ts';

type ListOptions = TenantOptions & { status?: RegistryStatus };

export function addRegistryCommands(program: Command): void {
  const registry = program
    .command('registry')
    .description('record the status of products with the product registry; nothing is sent to the registry');

  productCommand(registry, 'list')
    .description('list the products with their registry status, oldest first')
    .addOption(
      new Option('--status <status>', 'list only products with this registry status').choices(registryStatuses),
    )
    .action((options: ListOptions) =>
      withDatabase(options, async (database) => {
        const tenant = await requireTenant(database, options);
        await printPages(inStatus(walkProducts(database, tenant.id), options.status), {
          json: options.json,
          header: ['SLUG', 'REGISTRY', 'STATUS', 'COMPLETE', 'NAME'],
          row: (item) => [item.slug, item.registry_status, item.status, `${item.completeness} %`, item.name],
          whenEmpty: `The tenant ${options.tenant} has no ${options.status === undefined ? 'products' : `products with the registry status ${options.status}`}.`,
        });
      }),
    );

  productCommand(registry, 'move')
    .argument('<slug>', 'product')
    .addArgument(new Argument('<status>', 'new registry status').choices(registryStatuses))
    .summary("change a product's registry status")
    .description(
      "change a product's registry status: none to ready, ready to submitted, submitted to registered or rejected, " +
        'rejected to ready, registered to deactivated',
    )
    .option('--registry-id <id>', 'identifier that the registry gave; needed for registered')
    .action(
      async (
        slug: string,
        status: RegistryStatus,
        options: TenantOptions & { registryId?: string },
        command: Command,
      ) => {
        const moved = await withChange(command, (transaction) => move(transaction, slug, status, options));
        if (options.json) printJson(moved);
        else print(`The registry status of ${slug} is now ${status}.`);
      },
    );
}

async function* inStatus(
  pages: AsyncIterable<ProductListItem[]>,
  status: RegistryStatus | undefined,
): AsyncGenerator<ProductListItem[]> {
  for await (const page of pages) {
    const items = page.filter(({ registry_status }) => status === undefined || registry_status === status);
    if (items.length > 0) yield items;
  }
}

async function move(
  transaction: Knex.Transaction,
  slug: string,
  status: RegistryStatus,
  options: TenantOptions & { registryId?: string },
): Promise<Product> {
  const tenant = await requireTenant(transaction, options);
  const services = { database: transaction, now: () => new Date() };
  const moved = await moveRegistry(services, tenant.id, slug, status, options.registryId).catch((error: unknown) => {
    throw error instanceof LifecycleError ? new CommandFailure(error.message) : error;
  });
  if (!moved) throw noProduct(slug, options);
  return moved;
}
