/**
 * The tenants of a GTIN, and the products that its links open. The tenant comes from `gtin_tenants`, by the GTIN alone; its
 * products come from its own rows.
 */
import { gtin14, type Identity } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { columnsOf, isPostgres, lookup, statement } from '../database/statement.ts';
import { findProduct, lockProduct, type Product } from './store.ts';

const lockRow = statement<object, { gtin14: string }>((database, { gtin14 }) =>
  database('gtins').insert({ gtin14 }).onConflict('gtin14').merge(),
);

/**
 * Locks a GTIN, across tenants, until the transaction ends. Lock it before anything of a tenant: two transactions that lock
 * both never wait for each other.
 */
export async function lockGtin(transaction: Knex.Transaction, gtin: string | null): Promise<void> {
  // SQLite's transactions hold the only write lock from their beginning.
  if (gtin !== null && isPostgres(transaction)) await lockRow.all(transaction, { gtin14: gtin14(gtin) });
}

/** Locks the GTIN of a product, which never changes, and then the product, until the transaction ends. */
export async function lockWithGtin(
  transaction: Knex.Transaction,
  tenantId: string,
  slug: string,
): Promise<Product | undefined> {
  const found = await findProduct(transaction, tenantId, slug);
  if (!found) return undefined;
  await lockGtin(transaction, found.gtin);
  return lockProduct(transaction, tenantId, slug);
}

const stateOf = statement<
  { activated_at: string | null; is_active: boolean | number },
  { tenantId: string; id: string; gtin14: string }
>((database, { tenantId, id, gtin14 }) => {
  const active = database('products')
    .where({ tenant_id: tenantId, gtin14, status: 'active' })
    .select(database.raw('1'));
  return database('products')
    .where({ tenant_id: tenantId, id })
    .select('activated_at', database.raw('EXISTS ? AS is_active', [active]));
});

/** The earlier of the stored and the new first activation. */
export const earlier = `CASE WHEN excluded.activated_at < gtin_tenants.activated_at THEN excluded.activated_at
  ELSE gtin_tenants.activated_at END`;

const storeState = statement<object, GtinTenant & { tenant_id: string }>((database, row) =>
  database('gtin_tenants')
    .insert({
      gtin14: row.gtin14,
      tenant_id: row.tenant_id,
      activated_at: row.activated_at,
      is_active: row.is_active,
    })
    .onConflict(['gtin14', 'tenant_id'])
    .merge({ activated_at: database.raw(earlier), is_active: database.raw('excluded.is_active') }),
);

/**
 * Stores what a changed status of a product changes for its GTIN.
 *
 * @param product whose GTIN is locked. It has its new status.
 */
export async function storeStatusOfGtin(
  transaction: Knex.Transaction,
  tenantId: string,
  { id, gtin }: Pick<Product, 'id' | 'gtin'>,
): Promise<void> {
  if (gtin === null) return;
  const key = gtin14(gtin);
  const state = await stateOf.first(transaction, { tenantId, id, gtin14: key });
  // A draft that is archived was never active.
  if (!state || state.activated_at === null) return;
  const { activated_at, is_active } = state;
  await storeState.all(transaction, { gtin14: key, tenant_id: tenantId, activated_at, is_active: Boolean(is_active) });
}

/** A GTIN of a tenant that has or had an active product with it. */
export interface GtinTenant {
  gtin14: string;
  /** The first activation of one of these products. */
  activated_at: string;
  is_active: boolean;
}

/** The tenant whose products the links of a GTIN open. */
interface LinkedTenant {
  tenant_id: string;
  tenant_slug: string;
  economic_operator_id: string | null;
}

const tenantColumns = {
  tenant_id: 'gtin_tenants.tenant_id',
  tenant_slug: 'tenants.slug',
  economic_operator_id: 'tenants.economic_operator_id',
};

/** Tenants with an active product, the one that was the first to have it comes first. */
function activeTenants(database: Knex, gtin14: string | number): Knex.QueryBuilder {
  return (
    database('gtin_tenants')
      .join('tenants', 'tenants.id', 'gtin_tenants.tenant_id')
      .where('gtin_tenants.gtin14', gtin14)
      .whereRaw('is_active')
      // Only a tenant that is being imported has a colon in its slug. Nobody sees it before it is complete.
      .whereNot('tenants.slug', 'like', '%:%')
      .orderBy(['gtin_tenants.activated_at', 'gtin_tenants.tenant_id'])
      .limit(1)
  );
}

const firstTenant = lookup<LinkedTenant, { gtin14: string }>(tenantColumns, (database, { gtin14 }) =>
  activeTenants(database, gtin14),
);

/** The tenant whose active product with the GTIN was activated first. One of the look-ups across tenants. */
export function findTenantOfGtin(database: Knex, gtin: string): Promise<LinkedTenant | undefined> {
  return firstTenant(database, { gtin14: gtin14(gtin) });
}

/**
 * Another tenant's active product with this GTIN, as `tenant/product`. Call `lockGtin` first if the result decides a write.
 */
export async function findForeignActive(database: Knex, tenantId: string, gtin: string): Promise<string | undefined> {
  const key = gtin14(gtin);
  const others = activeTenants(database, key).whereNot('gtin_tenants.tenant_id', tenantId);
  const other: LinkedTenant | undefined = await others.first(tenantColumns);
  if (!other) return undefined;
  const product = await firstActive(database, { tenantId: other.tenant_id, gtin14: key });
  return [other.tenant_slug, product?.slug].join('/');
}

/** What Digital Links need of an active product. */
type LinkedRow = Pick<Product, 'slug' | 'name'> & Identity;

const linkedColumns = columnsOf('products', ['slug', 'name', 'is_item', 'public_serial']);

function activeOf(database: Knex, tenantId: number, gtin14: number): Knex.QueryBuilder {
  return database('products').where({ tenant_id: tenantId, gtin14, status: 'active' }).limit(1);
}

/** The model that was activated first, or without one the first item. */
const firstActive = lookup<LinkedRow, { tenantId: string; gtin14: string }>(
  linkedColumns,
  (database, { tenantId, gtin14 }) => activeOf(database, tenantId, gtin14).orderBy(['is_item', 'activated_at', 'id']),
);

const activeItem = lookup<LinkedRow, { tenantId: string; gtin14: string; serial: string }>(
  linkedColumns,
  (database, { tenantId, gtin14, serial }) =>
    activeOf(database, tenantId, gtin14).where('public_serial', serial).orderBy(['activated_at', 'id']),
);

/** The products that decide what a Digital Link opens, as `linkResponse` takes them. */
interface FoundLinked {
  /** The slug of the tenant. */
  tenant: string;
  products: [LinkedRow, ...LinkedRow[]];
  /** The tenant has an economic operator. */
  isOperated: boolean;
}

/**
 * Finds the products that decide what a Digital Link opens. All are of the tenant whose product with the GTIN was activated
 * first: no other tenant can take over the links of its items. The statements are the same for every serial number that no
 * active item has as its public one.
 */
export async function findLinked(
  database: Knex,
  gtin: string,
  serial?: string,
  isRetry = false,
): Promise<FoundLinked | undefined> {
  const tenant = await findTenantOfGtin(database, gtin);
  if (!tenant) return undefined;
  const key = { tenantId: tenant.tenant_id, gtin14: gtin14(gtin) };
  const [first, item] = await Promise.all([
    firstActive(database, key),
    serial === undefined ? undefined : activeItem(database, { ...key, serial }),
  ]);
  const isOperated = tenant.economic_operator_id !== null;
  if (first) return { tenant: tenant.tenant_slug, products: item ? [first, item] : [first], isOperated };
  // The tenant has archived its last product since. Another one may have the link now.
  return isRetry ? undefined : findLinked(database, gtin, serial, true);
}

/**
 * The tenant's active item with the GTIN of the product and this public serial number. The statements are the same for every
 * serial number.
 */
export async function findActiveItem(
  database: Knex,
  { tenant_id: tenantId, gtin }: Pick<Product, 'gtin'> & { tenant_id: string },
  serial: string,
): Promise<{ slug: string } | undefined> {
  return gtin === null ? undefined : activeItem(database, { tenantId, gtin14: gtin14(gtin), serial });
}

const activeItemOfGtin = lookup<{ id: string }, { tenantId: string; gtin14: string }>(
  columnsOf('products', ['id']),
  (database, { tenantId, gtin14 }) => activeOf(database, tenantId, gtin14).whereNotNull('serial_number'),
);

/** Whether an item with the GTIN of the product is active. */
export async function hasActiveItem(
  database: Knex,
  { tenant_id: tenantId, gtin }: Pick<Product, 'gtin'> & { tenant_id: string },
): Promise<boolean> {
  return gtin !== null && (await activeItemOfGtin(database, { tenantId, gtin14: gtin14(gtin) })) !== undefined;
}
