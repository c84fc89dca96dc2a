/** Moves one product to a status. */
import type { Knex } from 'knex';
import type { AuditedRun } from '../audit/store.ts';
import { GtinInUse, moveProduct } from '../products/lifecycle.ts';
import { LifecycleError } from '../products/rules.ts';
import { findActiveByGtin, type Product } from '../products/store.ts';
import type { Tenant } from '../tenants/store.ts';
import { noProduct, type TenantOptions } from './database.ts';
import { warnOfCheckDigit } from './gtin.ts';
import { CommandFailure, warn } from './output.ts';

export interface MoveOptions {
  /** Says what would happen, and changes nothing. */
  dryRun?: boolean;
  shareGtin?: boolean;
}

interface Move {
  database: Knex;
  run: AuditedRun;
  tenant: Tenant;
  options: TenantOptions & MoveOptions;
}

/** Ends the transaction of a dry run. */
class Undone extends Error {}

/**
 * Changes the status of a product, with the entry of the audit trail.
 *
 * @throws CommandFailure if the product does not exist or cannot change to this status
 */
export async function move(
  { database, run, tenant, options }: Move,
  slug: string,
  status: 'active' | 'archived',
): Promise<Product> {
  const { shareGtin = false, dryRun } = options;
  let moved: Product | undefined;
  try {
    await database.transaction(async (transaction) => {
      const services = { database: transaction, now: () => new Date() };
      moved = await moveProduct(services, tenant.id, slug, status, { shareGtin });
      if (!moved) throw noProduct(slug, options);
      if (dryRun) throw new Undone();
      await run.record(transaction);
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw explained(error);
  }
  if (!moved) throw noProduct(slug, options);
  return moved;
}

function explained(error: unknown): unknown {
  if (error instanceof GtinInUse) {
    return new CommandFailure(`${error.message} To activate it anyway, add --share-gtin.`);
  }
  return error instanceof LifecycleError ? new CommandFailure(error.message) : error;
}

/** Warns if a scanner may reject the GTIN of an active product, or its link leads to another product. */
export async function warnOfLink(database: Knex, tenant: Tenant, { gtin, slug, status }: Product): Promise<void> {
  if (gtin === null || status !== 'active') return;
  warnOfCheckDigit(gtin);
  const found = await findActiveByGtin(database, gtin);
  if (!found || (found.tenant_slug === tenant.slug && found.slug === slug)) return;
  warn(`the link of the GTIN ${gtin} leads to ${found.tenant_slug}/${found.slug}, which was activated first.`);
}
