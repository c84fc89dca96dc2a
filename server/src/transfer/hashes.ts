import type { Knex } from 'knex';
import { contentHash, formsOf, publicContentHash } from '../passports/rules.ts';
import type { Tenant } from '../tenants/store.ts';
import type { ProductLine } from './format.ts';
import { imageLines, imageProblem } from './images.ts';
import { productLines } from './products.ts';

/** What was recomputed. */
export interface HashCheck {
  /** The content hash and the public hash of the latest version of each. */
  products: number;
  /** Versions whose values are not stored any more. Their numbers are complete, and no product has a salt twice. */
  older_versions: number;
  images: number;
  problems: HashProblem[];
}

interface HashProblem {
  tenant: string;
  product: string;
  problem: string;
}

/** Problems that are listed. All of them are rare, and one is enough to act. */
const mostProblems = 100;

/** Recomputes the hashes of the latest version of every passport from its stored values. */
export async function checkHashes(
  transaction: Knex.Transaction,
  tenants: AsyncIterable<Tenant[]> | Iterable<Tenant[]>,
  progress: (products: number) => void,
): Promise<HashCheck> {
  const check: HashCheck = {
    products: 0,
    older_versions: 0,
    images: 0,
    problems: [],
  };
  for await (const page of tenants) {
    for (const tenant of page) await checkTenant(transaction, tenant, check, progress);
  }
  check.older_versions -= check.products;
  return check;
}

/** Adds what was recomputed of one tenant. */
async function checkTenant(
  transaction: Knex.Transaction,
  { id, slug: tenant }: Tenant,
  check: HashCheck,
  progress: (products: number) => void,
): Promise<void> {
  const note = (product: string, problem: string): void => {
    if (check.problems.length < mostProblems) check.problems.push({ tenant, product, problem });
  };
  for await (const line of productLines(transaction, id)) {
    for (const problem of problemsOf(line)) note(line.product.slug, problem);
    check.products += 1;
    progress(check.products);
  }
  for await (const line of imageLines(transaction, id)) {
    const problem = imageProblem(line);
    check.images += 1;
    if (!problem) continue;
    const { slug } = await transaction('products').where({ tenant_id: id, id: line.product_id }).first('slug');
    note(slug, problem);
  }
  for (const { slug, problem } of await versionProblems(transaction, id)) note(slug, problem);
  const stored = await transaction('passport_versions').where({ tenant_id: id }).count({ versions: '*' }).first();
  check.older_versions += Number(stored?.versions);
}

function problemsOf({ version, public_hash, passport }: ProductLine): string[] {
  const { values, template_version, latest_version } = passport;
  const forms = formsOf(values);
  const problems: string[] = [];
  const { salt, content_hash } = latest_version;
  if (contentHash(salt, template_version, values, forms) !== content_hash) {
    problems.push(`the content hash of version ${version} does not fit its values`);
  }
  if (publicContentHash(values, forms) !== public_hash) {
    problems.push(`the public hash of version ${version} does not fit its public values`);
  }
  return problems;
}

/** Products with a gap in the numbers of their versions, or with one salt in two versions. */
async function versionProblems(
  transaction: Knex.Transaction,
  tenantId: string,
): Promise<{ slug: string; problem: string }[]> {
  const rows: { slug: string; versions: number; last: number }[] = await transaction('passport_versions')
    .join('products', (join) =>
      join.on('products.tenant_id', 'passport_versions.tenant_id').andOn('products.id', 'passport_versions.product_id'),
    )
    .where('passport_versions.tenant_id', tenantId)
    .groupBy('products.slug')
    .havingRaw('COUNT(*) <> MAX(passport_versions.version) OR COUNT(DISTINCT salt) <> COUNT(*)')
    .limit(mostProblems)
    .select('products.slug')
    .count({ versions: '*' })
    .max({ last: 'passport_versions.version' });
  return rows.map(({ slug, versions, last }) => ({
    slug,
    problem:
      Number(versions) === last ? 'two versions have the same salt' : `of ${last} versions only ${versions} are stored`,
  }));
}
