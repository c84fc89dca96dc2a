import type { Command } from 'commander';
import type { Knex } from 'knex';
import { VersionError, withholdVersion } from '../passports/withhold.ts';
import { withChange } from './change.ts';
import { noProduct, productCommand, requireTenant, type TenantOptions } from './database.ts';
import { CommandFailure, print, printJson } from './output.ts';
import { wholeNumber } from './whole-number.ts';

export function addVersionCommands(program: Command): void {
  const version = program.command('version').description("manage the public history of a passport's versions");

  productCommand(version, 'withhold <slug>')
    .argument('<number>', 'number of the version', wholeNumber(999_999_999))
    .description('hide an older version for ever: the page no longer lists it, and its document is not found')
    .action(async (slug: string, number: number, options: TenantOptions, command: Command) => {
      const withheld = await withChange(command, (transaction) => withhold(transaction, slug, number, options));
      if (options.json) printJson({ product: slug, withheld_versions: withheld });
      else print(`Version ${number} of ${slug} is no longer public. Withheld versions: ${withheld.join(', ')}.`);
    });
}

async function withhold(
  transaction: Knex.Transaction,
  slug: string,
  version: number,
  options: TenantOptions,
): Promise<number[]> {
  const tenant = await requireTenant(transaction, options);
  try {
    const withheld = await withholdVersion(transaction, tenant.id, slug, version);
    if (withheld) return withheld;
  } catch (error) {
    if (error instanceof VersionError) throw new CommandFailure(error.message);
    throw error;
  }
  throw noProduct(slug, options);
}
