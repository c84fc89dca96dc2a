import { confirmClock } from '../scans/retention.ts';
import { deleteGroup } from '../scans/store.ts';
import { command, type Noun, option, slug, withoutQuestion } from './command.ts';
import { requireProduct } from './database.ts';
import { confirm } from './output.ts';

export const commands: Noun = {
  name: 'scan',
  description: 'delete scans and their counts; let servers delete old scans again after a jump of the clock',
  commands: [
    command({
      name: 'delete',
      about: 'tenant',
      description: 'delete the scans of a tenant or of one product: the single ones, and the counts of every day',
      example: 'scan delete --tenant my-shop --product usb-c-cable --yes',
      options: {
        product: option('--product <product>', 'slug of the product; without it, the scans of all products', slug),
        yes: withoutQuestion('delete'),
      },
      async run({ database, tenant, options, change }) {
        const { product } = options;
        const scanned = {
          tenant_id: tenant.id,
          ...(product !== undefined && { product_id: (await requireProduct(database, tenant, product, options)).id }),
        };
        const whose = product === undefined ? tenant.slug : `${product} of ${tenant.slug}`;
        await confirm(`All scans of ${whose} and their counts would be deleted.`, options);
        let deleted = 0;
        // In many short transactions, so that page views do not wait.
        for (let [after, isLast] = ['', false]; !isLast; ) {
          const group = await change((transaction) => deleteGroup(transaction, scanned, after));
          ({ after, isLast } = group);
          deleted += group.views;
        }
        return { deleted, whose };
      },
      json: ({ deleted }, { tenant, options }) => ({ tenant: tenant.slug, product: options.product ?? null, deleted }),
      text: ({ deleted, whose }) => `Deleted the counts of ${deleted} scans of ${whose}, and what was stored of each.`,
    }),
    command({
      name: 'confirm-clock',
      about: 'database',
      changes: true,
      description:
        'confirm that the clock of this machine is right: servers that kept old scans after a jump of the clock delete them again',
      example: 'scan confirm-clock',
      async run({ database }) {
        const now = new Date();
        await confirmClock(database, now);
        return { confirmed_at: now.toISOString() };
      },
      text: ({ confirmed_at }) => `It is ${confirmed_at}. Servers delete old scans within a day, and when they start.`,
    }),
  ],
};
