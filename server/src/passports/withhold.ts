import type { Knex } from 'knex';
import { lockProduct } from '../products/store.ts';
import { withheldVersions } from './published-versions.ts';

/** Why a version cannot be withheld. */
export class VersionError extends Error {}

/**
 * Leaves a version out of the public history of a passport for ever. Its document gets the 404 of an unknown product.
 * The stored values stay. Withholding a version again changes nothing.
 *
 * @returns the withheld versions, or `undefined` if the tenant does not have the product
 * @throws VersionError if the passport has no such older version
 */
export async function withholdVersion(
  transaction: Knex.Transaction,
  tenantId: string,
  slug: string,
  version: number,
): Promise<number[] | undefined> {
  const product = await lockProduct(transaction, tenantId, slug);
  if (!product) return undefined;
  const versions = transaction('passport_versions').where({ tenant_id: tenantId, product_id: product.id });
  const { latest } = (await versions.max({ latest: 'version' }).first()) ?? {};
  if (version < 1 || version > latest)
    throw new VersionError(`${slug} has no version ${version}: its latest version is ${latest}.`);
  if (version === latest) {
    throw new VersionError(
      `version ${version} is the latest version of ${slug}, so its page shows it. Write the passport first, or archive the product.`,
    );
  }
  const row = transaction('products').where({ tenant_id: tenantId, id: product.id });
  const { withheld_versions } = await row.clone().first('withheld_versions');
  const withheld = [...new Set([...withheldVersions(withheld_versions), version])].sort((a, b) => a - b);
  await row.update({ withheld_versions: JSON.stringify(withheld) });
  return withheld;
}
