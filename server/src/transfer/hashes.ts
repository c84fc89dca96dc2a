import { hashedTextsOf } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { pagesByKey, statement, textsOf } from '../database/statement.ts';
import { imageHash, plainWebpSize } from '../images/rules.ts';
import { PastValues } from '../passports/published-versions.ts';
import type { Version } from '../passports/store.ts';
import { contentHash, publicContentHash } from '../passports/write.ts';
import type { GtinTenant } from '../products/gtins.ts';
import type { Tenant } from '../tenants/store.ts';
import { imageLines, productLines } from './export.ts';
import type { ImageLine, ProductLine } from './format.ts';

/** What was recomputed. */
const nothing = () => ({
  /** The content hash and the public hash of the latest version of each. */
  products: 0,
  /** The content hash and the public hash of each, from what newer versions replaced. */
  older_versions: 0,
  /** Older versions whose values are not stored. Their numbers are complete, and no product has a salt twice. */
  versions_without_values: 0,
  images: 0,
  problems: [] as { tenant: string; product: string; problem: string }[],
});
export type HashCheck = ReturnType<typeof nothing>;

/** Problems that are listed. All of them are rare, and one is enough to act. */
const maxProblems = 100;

/** Recomputes the hashes of every version of every passport from the stored values. */
export async function checkHashes(
  transaction: Knex.Transaction,
  tenants: AsyncIterable<Tenant[]> | Iterable<Tenant[]>,
  progress: (products: number) => void,
): Promise<HashCheck> {
  const check = nothing();
  for await (const page of tenants) {
    for (const tenant of page) await checkTenant(transaction, tenant, check, progress);
  }
  check.versions_without_values -= check.products + check.older_versions;
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
    if (check.problems.length < maxProblems) check.problems.push({ tenant, product, problem });
  };
  for await (const line of productLines(transaction, id)) {
    const { version, public_hash, passport } = line;
    const { values, template_version, latest_version } = passport;
    const latest = { version, public_hash, template_version, ...latest_version };
    for (const problem of hashProblems(latest, hashedTextsOf(values))) note(line.product.slug, problem);
    if (line.version > 1) {
      const { recomputed, problems } = await checkHistory(transaction, id, line);
      check.older_versions += recomputed;
      for (const problem of problems) note(line.product.slug, problem);
    }
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
  for await (const gtin14 of wrongGtins(transaction, id)) {
    const product = await transaction('products').where({ tenant_id: id, gtin14 }).orderBy('position').first('slug');
    const problem = `the stored first activation or status of the GTIN ${gtin14} does not fit the products`;
    note(product?.slug ?? gtin14, problem);
  }
  const stored = await transaction('passport_versions').where({ tenant_id: id }).count({ versions: '*' }).first();
  check.versions_without_values += Number(stored?.versions);
}

type Hashed = Pick<Version, 'version' | 'template_version' | 'salt' | 'content_hash' | 'public_hash'>;

/** @param texts those of the version's values */
export function hashProblems(
  { version, template_version, salt, content_hash, public_hash }: Hashed,
  texts: ReturnType<typeof hashedTextsOf>,
): string[] {
  const problems: string[] = [];
  if (contentHash(salt, template_version, texts) !== content_hash) {
    problems.push(`the content hash of version ${version} does not fit its values`);
  }
  if (publicContentHash(texts) !== public_hash) {
    problems.push(`the public hash of version ${version} does not fit its public values`);
  }
  return problems;
}

/** Versions in memory. What one of them replaced has at most 2 MiB of values. */
const versionsAtOnce = 20;

interface VersionRow extends Hashed, Pick<Version, 'created_at'> {
  /** JSON of what the version replaced. */
  replaced: string | null;
}

/** The next versions of a passport, the latest first. */
const versionsBefore = statement<VersionRow, { tenantId: string; productId: string; before: number; limit: number }>(
  (database, { tenantId, productId, before, limit }) =>
    database('passport_versions')
      .where({ tenant_id: tenantId, product_id: productId })
      .where('version', '<', before)
      .orderBy('version', 'desc')
      .limit(limit)
      .select('version', 'template_version', 'salt', 'content_hash', 'public_hash', 'created_at', 'replaced'),
);

/** The versions of a passport, the latest first. */
export async function* versionRows(database: Knex, tenantId: string, productId: string): AsyncGenerator<VersionRow> {
  for (let before = 2 ** 31 - 1; ; ) {
    const rows = await versionsBefore.all(database, { tenantId, productId, before, limit: versionsAtOnce });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < versionsAtOnce) return;
    before = last.version;
  }
}

/** Recomputes the hashes of the older versions of a passport, as far back as the values are known. */
async function checkHistory(
  transaction: Knex.Transaction,
  tenantId: string,
  { product, passport }: ProductLine,
): Promise<{ recomputed: number; problems: string[] }> {
  const state = new PastValues(passport.values);
  const problems: string[] = [];
  let recomputed = 0;
  let newer: VersionRow | undefined;
  for await (const row of versionRows(transaction, tenantId, product.id)) {
    // A gap in the numbers is another problem.
    if (newer && newer.version !== row.version + 1) break;
    const { version, replaced } = newer ?? {};
    newer = row;
    if (version === undefined) continue;
    // Of an import from a file without them, no older version has values.
    if (replaced === null && row.replaced === null) continue;
    const texts = textsBefore(state, replaced);
    if (!texts) {
      problems.push(`what version ${version} replaced cannot be read`);
      break;
    }
    problems.push(...hashProblems(row, texts));
    recomputed += 1;
    // The versions before it would not fit for the same reason.
    if (problems.length > 0) break;
  }
  return { recomputed, problems };
}

/** Takes back what a version changed. Returns the values before it, or `undefined` if what it replaced cannot be read. */
export function textsBefore(state: PastValues, replaced: string | null | undefined) {
  try {
    state.undo(JSON.parse(replaced ?? ''));
    return hashedTextsOf(state.all);
  } catch {
    return undefined;
  }
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
    .limit(maxProblems)
    .select('products.slug')
    .count({ versions: '*' })
    .max({ last: 'passport_versions.version' });
  return rows.map(({ slug, versions, last }) => ({
    slug,
    problem:
      Number(versions) === last ? 'two versions have the same salt' : `of ${last} versions only ${versions} are stored`,
  }));
}

type GtinState = Omit<GtinTenant, 'is_active'> & { is_active: number | boolean };

/** GTINs whose row in `gtin_tenants` is not the one that follows from the products of the tenant. */
async function* wrongGtins(transaction: Knex.Transaction, tenantId: string): AsyncGenerator<string> {
  const activated = () => transaction('products').where({ tenant_id: tenantId }).whereNotNull('activated_at');
  const made = () =>
    activated()
      .whereNotNull('gtin14')
      .groupBy('gtin14')
      .min({ activated_at: 'activated_at' })
      .select('gtin14', transaction.raw("MAX(CASE WHEN status = 'active' THEN 1 ELSE 0 END) AS is_active"));
  const stored = () => transaction('gtin_tenants').where({ tenant_id: tenantId }).select('*');
  const stateOf = ({ activated_at, is_active }: GtinState) => `${activated_at} ${Number(is_active)}`;
  for (const [rows, others] of [
    [made, stored],
    [stored, made],
  ] as const) {
    for await (const page of pagesByKey<GtinState>(rows, ['gtin14'])) {
      const gtins = JSON.stringify(page.map(({ gtin14 }) => gtin14));
      const found: GtinState[] = await others().whereRaw(`gtin14 IN (${textsOf(transaction)})`, gtins);
      const states = new Map(found.map((row) => [row.gtin14, stateOf(row)]));
      for (const row of page) {
        const state = states.get(row.gtin14);
        // The second time, only those of no product are new.
        if (state === undefined || (rows === made && state !== stateOf(row))) yield row.gtin14;
      }
    }
  }
}

/** What is wrong with an image, as it came from a file or the database. */
export function imageProblem(image: Pick<ImageLine, 'bytes' | 'sha256' | 'width' | 'height'>): string | undefined {
  const bytes = Buffer.from(image.bytes, 'base64');
  const size = plainWebpSize(bytes);
  if (!size) return 'the bytes of its image are not an image as `product image set` makes it';
  if (size.width !== image.width || size.height !== image.height) return 'its image has another size';
  return imageHash(bytes) === image.sha256 ? undefined : 'the hash of its image does not fit the bytes';
}
