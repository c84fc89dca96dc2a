/** Tenants, their keys, tokens and products in any number, stored without the API. */
import { type TokenRole, tokenRoles } from '@product-passport/openapi';
import { createToken } from '../../server/src/access/token.ts';
import { createPassports } from '../../server/src/passports/write.ts';
import { insertProducts } from '../../server/src/products/store.ts';
import { createKey, type KeyScope } from '../../server/src/tenants/keys.ts';
import { insertTenant, type Tenant } from '../../server/src/tenants/store.ts';
import { addGtins } from '../../server/src/transfer/gtins.ts';
import type { Database } from './database.ts';

export async function newTenant(database: Database, tenant: Partial<Omit<Tenant, 'id'>> = {}): Promise<Tenant> {
  const named = { slug: 'mandant', name: 'Mandant GmbH', country: 'DE', plan: 'business' as const, ...tenant };
  const inserted = await insertTenant(database, named, new Date());
  if (!inserted) throw new Error(`The tenant ${named.slug} already exists.`);
  return inserted;
}

export function newKey(
  database: Database,
  { id }: Tenant,
  label = 'test',
  scope?: KeyScope,
): ReturnType<typeof createKey> {
  return createKey(database, id, label, new Date(), scope);
}

/** An access token, by default for all products of the tenant, and without an end. */
export function newToken(
  database: Database,
  { id }: Pick<Tenant, 'id'>,
  role: TokenRole,
  { product = null as string | null, expiresAt = new Date('2099-01-01'), now = new Date() } = {},
): ReturnType<typeof createToken> {
  return createToken(database, id, { product_id: product, role, expiresAt }, now);
}

/** A token of each role for each tenant, by the slug and the role: `nordlicht recycler`. */
export async function tokensOfAll(database: Database): Promise<Map<string, string>> {
  const tokens = new Map<string, string>();
  for (const { id, slug } of await database('tenants').select('id', 'slug'))
    for (const role of tokenRoles) tokens.set(`${slug} ${role}`, (await newToken(database, { id }, role)).token);
  return tokens;
}

/** Stores products, each with an empty passport. Completeness stays 0. */
export function storeProducts(
  database: Database,
  { id, slug }: Tenant,
  products: Parameters<typeof insertProducts>[2],
): ReturnType<typeof insertProducts> {
  return database.transaction(async (transaction) => {
    const now = new Date();
    const urnOf = (product: string): string => `urn:dpp:${slug}:${product}`;
    const inserted = await insertProducts(transaction, id, products, urnOf, now);
    await createPassports(transaction, id, inserted);
    await addGtins(
      transaction,
      id,
      inserted.map((product) => ({ ...product, activated_at: product.status === 'draft' ? null : product.created_at })),
    );
    return inserted;
  });
}
