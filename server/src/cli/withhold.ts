import type { Command } from 'commander';
import type { Knex } from 'knex';
import { VersionError, withholdVersion } from '../passports/published-versions.ts';
import type { Tenant } from '../tenants/store.ts';
import { withTenantChange } from './change.ts';
import { noProduct, productCommand, type TenantOptions } from './database.ts';
import { wholeNumber } from './options.ts';
import { CommandFailure, confirm, print, printJson } from './output.ts';

export function addVersionCommands(program: Command): void {
  const version = program.command('version').description("manage the public history of a passport's versions");

  productCommand(version, 'withhold')
    .argument('<number>', 'number of the version', wholeNumber(999_999_999, 1))
    .description('hide an older version forever: the page no longer lists it, and its document is not found')
    .option('--yes', 'withhold without a question')
    .action(async (product: string, number: number, options: TenantOptions & { yes?: boolean }, command: Command) => {
      await confirm(`Version ${number} of ${product} would no longer be public.`, options);
      const withheld = await withTenantChange(command, (transaction, tenant) =>
        withhold(transaction, tenant, product, number, options),
      );
      if (options.json) printJson({ product, withheld_versions: withheld });
      else print(`Version ${number} of ${product} is no longer public. Withheld versions: ${withheld.join(', ')}.`);
    });
}

async function withhold(
  transaction: Knex.Transaction,
  tenant: Tenant,
  product: string,
  version: number,
  options: TenantOptions,
): Promise<number[]> {
  const withheld = await withholdVersion(transaction, tenant.id, product, version).catch((error: unknown) => {
    throw error instanceof VersionError ? new CommandFailure(error.message) : error;
  });
  if (withheld) return withheld;
  throw noProduct(product, tenant, options);
}
