import type { Knex } from 'knex';
import type { Version } from './version.ts';

/** A version as an operator sees it. */
export type PastVersion = Pick<Version, 'version' | 'template_version' | 'content_hash' | 'created_at'>;

/** The latest versions of a passport, newest first. */
export async function listVersions(
  database: Knex,
  tenantId: string,
  productId: string,
  limit: number,
): Promise<PastVersion[]> {
  return database('passport_versions')
    .where({ tenant_id: tenantId, product_id: productId })
    .orderBy('version', 'desc')
    .limit(limit)
    .select('version', 'template_version', 'content_hash', 'created_at');
}
