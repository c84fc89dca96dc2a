import type { Command } from 'commander';
import { type Tenant, walkTenants } from '../tenants/store.ts';
import { longSnapshot } from '../transfer/export.ts';
import { checkHashes, type HashCheck } from '../transfer/hashes.ts';
import { type AdministrationOptions, administrationCommand, requireTenant, withDatabase } from './database.ts';
import { slug } from './options.ts';
import { counted, print, printJson } from './output.ts';
import { Progress } from './progress.ts';

interface CheckOptions extends AdministrationOptions {
  tenant?: string;
}

export function addCheckHashesCommand(program: Command): void {
  administrationCommand(program.command('check-hashes'))
    .description(
      'recompute the hashes of every version of every passport from the stored values, and compare them; exits with 1 if one differs',
    )
    .option('--tenant <tenant>', 'check only the tenant with this slug', slug)
    .action(async (options: CheckOptions) => {
      const progress = new Progress('products');
      const check = await withDatabase(
        options,
        async (database) => {
          const { tenant } = options;
          const only = tenant === undefined ? undefined : await requireTenant(database, { ...options, tenant });
          return longSnapshot(database, (transaction) => {
            const tenants: AsyncIterable<Tenant[]> | Tenant[][] = only ? [[only]] : walkTenants(transaction);
            return checkHashes(transaction, tenants, (done) => progress.report(done));
          });
        },
        { unlimited: true },
      );
      progress.end();
      if (options.json) printJson(check);
      else report(check);
      if (check.problems.length > 0) process.exitCode = 1;
    });
}

function report({ products, older_versions, versions_without_values, images, problems }: HashCheck): void {
  print(
    `Recomputed the content hash and the public hash of ${counted(products, 'product')}.`,
    `Recomputed the hashes of ${counted(older_versions, 'older version')} from what newer ones replaced.`,
    ...(versions_without_values > 0
      ? [
          `Checked the salts and the numbers of ${counted(versions_without_values, 'older version')}, whose values are not stored.`,
        ]
      : []),
    ...(images > 0 ? [`Recomputed the hashes of ${counted(images, 'image')}.`] : []),
    ...problems.map(({ tenant, product, problem }) => `${tenant}/${product}: ${problem}.`),
    problems.length === 0
      ? 'Every hash fits.'
      : 'The database was changed by other means than this program, or is damaged.',
  );
}
