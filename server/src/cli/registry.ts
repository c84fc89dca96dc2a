import { checkRegistryId, moveRegistry, registryStatuses } from '../lifecycle/lifecycle.ts';
import { walkProducts } from '../products/list.ts';
import { argument, command, type Noun, option, text } from './command.ts';

export const registryCommands: Noun = {
  name: 'registry',
  description: 'record the status of products with the product registry; nothing is sent to the registry',
  commands: [
    command({
      name: 'list',
      about: 'tenant',
      description: 'list the products with their registry status, oldest first',
      example: 'registry list --tenant my-shop --status ready',
      options: {
        status: option('--status <status>', 'list only products with this registry status', registryStatuses),
      },
      run: ({ database, tenant, options }) => walkProducts(database, tenant.id, { registry_status: options.status }),
      table: {
        header: ['SLUG', 'REGISTRY', 'STATUS', 'COMPLETE', 'NAME'],
        row: (item) => [item.slug, item.registry_status, item.status, `${item.completeness} %`, item.name],
        empty: ({ tenant, options: { status } }) =>
          `The tenant ${tenant.slug} has no ${status === undefined ? 'products' : `products with the registry status ${status}`}.`,
      },
    }),
    command({
      name: 'set',
      about: '<product>',
      changes: true,
      summary: "set a product's registry status",
      description:
        "set a product's registry status: none to ready, ready to submitted, submitted to registered or rejected, " +
        'rejected to ready, registered to deactivated',
      example: 'registry set usb-c-cable ready --tenant my-shop',
      arguments: [argument('<status>', 'new registry status', registryStatuses)],
      options: {
        registryId: option(
          '--registry-id <id>',
          'identifier that the registry gave; needed for registered',
          text(1000),
        ),
      },
      prepare: ({ registryId }, _product, status) => checkRegistryId(status, registryId),
      run: ({ database, tenant, product, options }, status) =>
        moveRegistry(database, tenant.id, product, { status, registryId: options.registryId, now: new Date() }),
      text: ({ slug }, _context, status) => `The registry status of ${slug} is now ${status}.`,
    }),
  ],
};
