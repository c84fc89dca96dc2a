import { type Tenant, walkTenants } from '../tenants/store.ts';
import { longSnapshot } from '../transfer/export.ts';
import { checkHashes, type HashCheck } from '../transfer/hashes.ts';
import { command, option, slug } from './command.ts';
import { requireTenant } from './database.ts';
import { counted } from './output.ts';

export const commands = command({
  name: 'check-hashes',
  about: 'database',
  open: { unlimited: true },
  progress: 'products',
  description:
    'recompute the hashes of every version of every passport from the stored values, and compare them; exits with 1 if one differs',
  example: 'check-hashes --tenant my-shop',
  options: { tenant: option('--tenant <tenant>', 'check only the tenant with this slug', slug) },
  async run({ database, options, progress }) {
    const only = options.tenant === undefined ? undefined : await requireTenant(database, options);
    const check = await longSnapshot(database, (transaction) => {
      const tenants: AsyncIterable<Tenant[]> | Tenant[][] = only ? [[only]] : walkTenants(transaction);
      return checkHashes(transaction, tenants, (done) => progress.report(done));
    });
    if (check.problems.length > 0) process.exitCode = 1;
    return check;
  },
  text: linesOf,
});

function linesOf({ products, older_versions, versions_without_values, images, problems }: HashCheck): string[] {
  return [
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
  ];
}
