import type { Knex } from 'knex';
import { textsOf } from '../database/statement.ts';
import { lockAllGtins } from '../products/store.ts';
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
  const gtins = transaction.raw(textsOf(transaction), JSON.stringify([...lines.keys()]));
  for (const others of ofOthers(transaction, tenantId, gtins)) {
    const found = await others.where({ status: 'active' }).first('gtin14', 'gtin');
    if (!found) continue;
    throw new RefusedLine(lines.get(found.gtin14) ?? 0, inUse(found.gtin));
  }
}

/**
 * Gives way to other tenants before an imported tenant is shown. The link of a GTIN leads to the product that was activated
 * first, so the time in the file of another installation cannot precede an activation here. No other product with a GTIN is
 * activated until the transaction ends.
 *
 * @param number of the line that ends the tenant
 * @throws RefusedLine if a GTIN is active under another tenant, unless it may be shared
 */
export async function giveWay(
  transaction: Knex.Transaction,
  tenantId: string,
  { number, shareGtin }: { number: number; shareGtin: boolean },
): Promise<void> {
  await lockAllGtins(transaction);
  const activated_at = new Date().toISOString();
  const own = (): Knex.QueryBuilder => transaction('products').where({ tenant_id: tenantId }).whereNotNull('gtin14');
  // Only a tenant that is being imported has a colon in its slug.
  const hidden = transaction('tenants').where('slug', 'like', '%:%').select('id');
  for (const others of ofOthers(transaction, tenantId, own().whereNotNull('activated_at').select('gtin14'))) {
    const shown = others.whereNotIn('tenant_id', hidden);
    const active = own().where({ status: 'active' }).select('gtin14');
    const found = shareGtin
      ? undefined
      : await shown.clone().where({ status: 'active' }).whereIn('gtin14', active).first('gtin');
    if (found) throw new RefusedLine(number, inUse(found.gtin));
    const activated = shown.whereIn('status', ['active', 'archived']).whereNotNull('activated_at').select('gtin14');
    await own().whereNotNull('activated_at').whereIn('gtin14', activated).update({ activated_at });
  }
}

const inUse = (gtin: string): string =>
  `the GTIN ${gtin} is already active under another tenant. Import it anyway with --share-gtin.`;

/** Two ranges of the index, because databases read all products of the tenant for an inequality. */
function ofOthers(
  transaction: Knex.Transaction,
  tenantId: string,
  gtins: Knex.Raw | Knex.QueryBuilder,
): Knex.QueryBuilder[] {
  return ['<', '>'].map((side) =>
    transaction('products').whereRaw('gtin14 IN (?)', [gtins]).where('tenant_id', side, tenantId),
  );
}
