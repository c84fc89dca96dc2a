import { gtin14 } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { shardByShard } from '../database/migrations/table.ts';
import { insertFrom, isPostgres, pagesByKey, textsOf } from '../database/statement.ts';
import { earlier, type GtinTenant } from '../products/gtins.ts';
import type { Product } from '../products/store.ts';
import { RefusedLine } from './reader.ts';

/**
 * Refuses products whose GTIN is active under another tenant, because the resolver leads to one of them only.
 *
 * @param lines the numbers of lines by GTIN-14, looked up in one statement: a large tenant has a million
 * @throws RefusedLine
 */
export async function refuseGtins(
  transaction: Knex.Transaction,
  tenantId: string,
  lines: ReadonlyMap<string, number>,
): Promise<void> {
  if (lines.size === 0) return;
  const found = await transaction('gtin_tenants')
    .whereRaw(`gtin14 IN (${textsOf(transaction)})`, JSON.stringify([...lines.keys()]))
    .whereNot('tenant_id', tenantId)
    .whereRaw('is_active')
    .first('gtin14');
  if (found) throw new RefusedLine(lines.get(found.gtin14) ?? 0, inUse(found.gtin14));
}

/**
 * Gives way to other tenants before an imported tenant is shown. The link of a GTIN leads to the tenant that was the first to
 * activate a product with it, so the time in the file of another installation cannot precede an activation here. No other
 * product with one of its GTINs is activated until the transaction ends.
 *
 * @param number of the line that ends the tenant
 * @throws RefusedLine if a GTIN is active under another tenant, unless it may be shared
 */
export async function giveWay(
  transaction: Knex.Transaction,
  tenantId: string,
  { number, shareGtin }: { number: number; shareGtin: boolean },
): Promise<void> {
  // The tenant is changed in the same transaction, and every node has its row.
  if (isPostgres(transaction)) await transaction.raw(shardByShard);
  await lockGtinsOf(transaction, tenantId);
  const activated_at = new Date().toISOString();
  const shared = (): Knex.QueryBuilder =>
    transaction('gtin_tenants as own')
      .join('gtin_tenants as other', 'other.gtin14', 'own.gtin14')
      .join('tenants', 'tenants.id', 'other.tenant_id')
      .where('own.tenant_id', tenantId)
      .whereNot('other.tenant_id', tenantId)
      // Only a tenant that is being imported has a colon in its slug.
      .whereNot('tenants.slug', 'like', '%:%');
  const both = shared().whereRaw('own.is_active AND other.is_active');
  const found = shareGtin ? undefined : await both.first('own.gtin14');
  if (found) throw new RefusedLine(number, inUse(found.gtin14));
  for await (const page of pagesByKey<{ gtin14: string }>(() => shared().distinct('own.gtin14'), ['own.gtin14'])) {
    const gtins = JSON.stringify(page.map(({ gtin14 }) => gtin14));
    for (const table of ['products', 'gtin_tenants']) {
      await transaction(table)
        .where({ tenant_id: tenantId })
        .whereRaw(`gtin14 IN (${textsOf(transaction)})`, gtins)
        .whereNotNull('activated_at')
        .update({ activated_at });
    }
  }
}

/** Locks every GTIN of which the tenant had an active product, in their order. */
async function lockGtinsOf(transaction: Knex.Transaction, tenantId: string): Promise<void> {
  if (!isPostgres(transaction)) return;
  await transaction.raw(
    `INSERT INTO gtins (gtin14) SELECT gtin14 FROM gtin_tenants WHERE tenant_id = ? ORDER BY gtin14
     ON CONFLICT (gtin14) DO UPDATE SET gtin14 = excluded.gtin14`,
    [tenantId],
  );
}

/** What the row of a GTIN follows from. */
export type GtinProduct = Pick<Product, 'gtin' | 'status'> & { activated_at: string | null };

/** Stores the GTINs of new products of a tenant that nobody sees yet. */
export async function addGtins(
  transaction: Knex.Transaction,
  tenantId: string,
  products: readonly GtinProduct[],
): Promise<void> {
  const gtins = new Map<string, GtinTenant>();
  for (const { gtin, status, activated_at } of products) {
    if (gtin === null || activated_at === null) continue;
    const key = gtin14(gtin);
    const known = gtins.get(key) ?? { gtin14: key, activated_at, is_active: false };
    if (activated_at < known.activated_at) known.activated_at = activated_at;
    known.is_active ||= status === 'active';
    gtins.set(key, known);
  }
  if (gtins.size === 0) return;
  const rows = JSON.stringify(Array.from(gtins.values(), (gtin) => ({ ...gtin, tenant_id: tenantId })));
  const insert = insertFrom(transaction, 'gtin_tenants', ['gtin14', 'tenant_id', 'activated_at', 'is_active'], rows);
  await transaction.raw(
    `? ON CONFLICT (gtin14, tenant_id) DO UPDATE
     SET activated_at = ${earlier}, is_active = gtin_tenants.is_active OR excluded.is_active`,
    [insert],
  );
}

const inUse = (gtin: string): string =>
  `the GTIN ${gtin} is already active under another tenant. Import it anyway with --share-gtin.`;
