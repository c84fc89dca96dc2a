import type { Command } from 'commander';
import type { Knex } from 'knex';
import { confirmClock } from '../scans/retention.ts';
import { deleteGroup, type Scanned } from '../scans/store.ts';
import { auditedRun, withChange } from './change.ts';
import {
  type AdministrationOptions,
  administrationCommand,
  requireProduct,
  type TenantOptions,
  tenantCommand,
  withTenant,
} from './database.ts';
import { slug } from './options.ts';
import { confirm, print, printJson } from './output.ts';

export function addScanCommands(program: Command): void {
  const scan = program
    .command('scan')
    .description('delete scans and their counts; let servers delete old scans again after a jump of the clock');

  tenantCommand(scan, 'delete')
    .description('delete the scans of a tenant or of one product: the single ones, and the counts of every day')
    .option('--product <product>', 'slug of the product; without it, the scans of all products', slug)
    .option('--yes', 'delete without a question')
    .action((options: TenantOptions & { product?: string; yes?: boolean }, command: Command) =>
      withTenant(options, async (database, tenant) => {
        const { product } = options;
        const scanned = {
          tenant_id: tenant.id,
          ...(product !== undefined && { product_id: (await requireProduct(database, tenant, product, options)).id }),
        };
        const whose = product === undefined ? tenant.slug : `${product} of ${tenant.slug}`;
        await confirm(`All scans of ${whose} and their counts would be deleted.`, options);
        const run = auditedRun(command, tenant);
        const deleted = await deleteScans(database, scanned, (transaction) => run.record(transaction));
        if (options.json) printJson({ tenant: tenant.slug, product: product ?? null, deleted });
        else print(`Deleted the counts of ${deleted} scans of ${whose}, and what was stored of each.`);
      }),
    );

  administrationCommand(scan.command('confirm-clock'))
    .description(
      'confirm that the clock of this machine is right: servers that kept old scans after a jump of the clock delete them again',
    )
    .action(async (options: AdministrationOptions, command: Command) => {
      const now = new Date();
      await withChange(command, (transaction) => confirmClock(transaction, now));
      const confirmed_at = now.toISOString();
      if (options.json) printJson({ confirmed_at });
      else print(`It is ${confirmed_at}. Servers delete old scans within a day, and when they start.`);
    });
}

/** In many short transactions, so that page views do not wait. */
async function deleteScans(
  database: Knex,
  scanned: Scanned,
  record: (transaction: Knex.Transaction) => Promise<void>,
): Promise<number> {
  let deleted = 0;
  for (let [after, isLast] = ['', false]; !isLast; ) {
    await database.transaction(async (transaction) => {
      const group = await deleteGroup(transaction, scanned, after);
      ({ after, isLast } = group);
      deleted += group.views;
      await record(transaction);
    });
  }
  return deleted;
}
