/** Builds the databases of the bench. */
import { type DemoKeys, fillDemo } from '../../server/src/demo/fill.ts';
import { openDatabase } from '../../server/src/index.ts';
import { writePassport } from '../../server/src/passports/write.ts';
import { createProduct } from '../../server/src/products/create.ts';
import { moveProduct } from '../../server/src/products/lifecycle.ts';
import { createKey } from '../../server/src/tenants/keys.ts';
import { insertTenant, type Tenant } from '../../server/src/tenants/store.ts';
import type { Database } from '../../test/support/service.ts';

const now = (): Date => new Date();

/** A tenant with a key. */
export interface Account {
  slug: string;
  key: string;
}

/** What the requests of the first table need. */
export interface Shop extends Account {
  /** An active product with a GTIN and with values of every access level. */
  product: string;
  gtin: string;
  /** Drafts, for writes. */
  drafts: string[];
}

/** Fills an empty database with the demo and 200 drafts. */
export function buildShop(address: string): Promise<Shop> {
  return withDatabase(address, async (database) => {
    const keys = await fillDemo({ database, urnNamespace: 'dpp', now });
    if (!keys) throw new Error(`The database ${address} is not empty.`);
    const { tenant: slug, slug: product } = keys.active_product;
    const tenant = await tenantOf(database, slug);
    const drafts: string[] = [];
    await database.transaction(async (transaction) => {
      for (let number = 1; number <= 200; number += 1) {
        drafts.push((await newProduct(transaction, tenant, `Bench ${number}`)).slug);
      }
    });
    const { gtin } = await database('products').where({ tenant_id: tenant.id, slug: product }).first('gtin');
    return { slug, key: keyOf(keys, slug), product, gtin, drafts };
  });
}

function keyOf(keys: DemoKeys, slug: string): string {
  const tenant = keys.tenants.find((each) => each.slug === slug);
  if (!tenant) throw new Error(`The demo has no tenant ${slug}.`);
  return tenant.api_key;
}

/** Adds a tenant with one active product, `large`, whose passport has many values. */
export function addLargePassport(address: string, slug: string, values: number): Promise<Account> {
  return withDatabase(address, async (database) => {
    const account = await addTenant(database, slug);
    const tenant = await tenantOf(database, slug);
    await newProduct(database, tenant, 'Large');
    const inputs = Array.from({ length: values }, (_, index) => ({ field_key: `field_${index}`, value: `${index}` }));
    await writePassport({ database, now }, tenant, 'large', inputs);
    await moveProduct({ database, now }, tenant.id, 'large', 'active');
    return account;
  });
}

export async function addTenant(database: Database, slug: string): Promise<Account> {
  const tenant = await insertTenant(database, { slug, name: slug, country: 'DE', plan: 'business' }, now());
  if (!tenant) throw new Error(`The tenant ${slug} exists already.`);
  return keyFor(database, slug);
}

/** Makes a key for a tenant. */
export async function keyFor(database: Database, slug: string): Promise<Account> {
  const { id } = await tenantOf(database, slug);
  return { slug, key: (await createKey(database, id, 'bench', now())).key };
}

export function newProduct(database: Database, tenant: Tenant, name: string) {
  return createProduct({ database, urnNamespace: 'dpp', now }, tenant, { name });
}

export async function tenantOf(database: Database, slug: string): Promise<Tenant> {
  return database('tenants').where({ slug }).first('id', 'name', 'slug', 'country', 'language', 'plan');
}

/** Opens a database, with all its tables, for some work. */
export async function withDatabase<Result>(
  address: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(address);
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}
