import { Argument, type Command, Option } from 'commander';
import type { Knex } from 'knex';
import { walkProducts } from '../products/list.ts';
import {
  checkRegistryId,
  LifecycleError,
  moveRegistry,
  type RegistryStatus,
  registryStatuses,
} from '../products/registry.ts';
import type { Product, ProductListItem } from '../products/store.ts';
import type { Tenant } from '../tenants/store.ts';
import { withTenantChange } from './change.ts';
import { noProduct, productCommand, type TenantOptions, tenantCommand, withTenant } from './database.ts';
import { text } from './options.ts';
import { CommandFailure, print, printJson, printPages } from './output.ts';

type ListOptions = TenantOptions & { status?: RegistryStatus };
type SetOptions = TenantOptions & { registryId?: string };

/** In code points. */
const longestId = 1000;

export function addRegistryCommands(program: Command): void {
  const registry = program
    .command('registry')
    .description('record the status of products with the product registry; nothing is sent to the registry');

  tenantCommand(registry, 'list')
    .description('list the products with their registry status, oldest first')
    .addOption(
      new Option('--status <status>', 'list only products with this registry status').choices(registryStatuses),
    )
    .action((options: ListOptions) =>
      withTenant(options, (database, tenant) =>
        printPages(inStatus(walkProducts(database, tenant.id), options.status), {
          json: options.json,
          header: ['SLUG', 'REGISTRY', 'STATUS', 'COMPLETE', 'NAME'],
          row: (item) => [item.slug, item.registry_status, item.status, `${item.completeness} %`, item.name],
          whenEmpty: `The tenant ${tenant.slug} has no ${options.status === undefined ? 'products' : `products with the registry status ${options.status}`}.`,
        }),
      ),
    );

  productCommand(registry, 'set')
    .addArgument(new Argument('<status>', 'new registry status').choices(registryStatuses))
    .summary("set a product's registry status")
    .description(
      "set a product's registry status: none to ready, ready to submitted, submitted to registered or rejected, " +
        'rejected to ready, registered to deactivated',
    )
    .option('--registry-id <id>', 'identifier that the registry gave; needed for registered', text(longestId))
    .action(async (product: string, status: RegistryStatus, options: SetOptions, command: Command) => {
      await asFailure(async () => checkRegistryId(status, options.registryId), 2);
      const moved = await withTenantChange(command, (transaction, tenant) =>
        move(transaction, tenant, product, status, options),
      );
      if (options.json) printJson(moved);
      else print(`The registry status of ${product} is now ${status}.`);
    });
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
  database: Knex.Transaction,
  tenant: Tenant,
  product: string,
  status: RegistryStatus,
  options: SetOptions,
): Promise<Product> {
  const services = { database, now: () => new Date() };
  const moved = await asFailure(() => moveRegistry(services, tenant.id, product, status, options.registryId), 1);
  if (!moved) throw noProduct(product, tenant, options);
  return moved;
}

async function asFailure<T>(work: () => Promise<T>, exitCode: 1 | 2): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof LifecycleError ? new CommandFailure(error.message, exitCode) : error;
  }
}
