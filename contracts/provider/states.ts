/** Sets up each provider state in the reference server, with the server's own stores and in the same process. */
import {
  createKey,
  createProduct,
  createToken,
  insertCarrier,
  insertScans,
  insertTenant,
  lockProduct,
  moveProduct,
  type Product,
  revokeKey,
  revokeToken,
  secret,
  type Tenant,
  updateProduct,
  visitorHash,
  writePassport,
} from '../../server/src/internal.ts';
import type { ProductFacts, StateName, StateParameters, StateResult, TenantFacts } from '../states/catalogue.ts';
import type { Database, Service } from './service.ts';

/** One handler for each state of the catalogue. The compiler reports a missing one. */
export type StateHandlers = {
  readonly [Name in StateName]: (service: Service, parameters: StateParameters<Name>) => Promise<StateResult<Name>>;
};

const day = 86_400_000;

/** The name of the table of products while the service fails inside. */
export const outOfReach = 'products_out_of_reach';

export const stateHandlers: StateHandlers = {
  async 'a tenant with an API key'(service, { tenant }) {
    const { id } = await addTenant(service, tenant);
    const { key } = await issueKey(service, id);
    return { api_key: key };
  },

  async 'the tenant has revoked an API key'(service) {
    const { id: tenantId } = tenantOf(service);
    const issued = await issueKey(service, tenantId);
    await revokeKey(service.database, tenantId, issued.id, service.now());
    return { revoked_api_key: issued.key };
  },

  async 'another tenant with a product'(service, { tenant, product, scans = 0 }) {
    const other = await addTenant(service, tenant);
    await addProduct(service, other, product);
    await addScans(service, other, product.slug, { role: 'consumer', days_ago: 0, times: scans });
  },

  async 'the tenant has a product'(service, { product }) {
    await addProduct(service, tenantOf(service), product);
  },

  async 'the tenant has numbered products'(service, { count }) {
    for (let number = 1; number <= count; number += 1) {
      const name = `Produkt ${String(number).padStart(3, '0')}`;
      await createProduct(service, tenantOf(service), { name });
    }
  },

  async 'the product has passport values'(service, { product, values, salt }) {
    const salted = salt === undefined ? service : { ...service, newSalt: () => salt };
    // JSON drops `undefined`, as a request body does.
    await writePassport(salted, tenantOf(service), product, JSON.parse(JSON.stringify(values)));
  },

  async 'the passport is full'(service, { product, values }) {
    const all = Array.from({ length: values }, (_, index) => ({
      field_key: `feld_${String(index + 1).padStart(4, '0')}`,
      value: '',
    }));
    await writePassport(service, tenantOf(service), product, all);
  },

  async 'the product has a data carrier'(service, { product, carrier }) {
    const tenant = tenantOf(service);
    const { id } = await productOf(service.database, tenant, product);
    await insertCarrier(service.database, tenant.id, id, carrier, service.now());
  },

  async 'the product has an access token'(service, { product, role, revoked }) {
    const { database, now } = service;
    const tenant = tenantOf(service);
    const { id: product_id } = await productOf(database, tenant, product);
    const expiresAt = new Date(now().getTime() + day);
    const issued = await createToken(database, tenant.id, { product_id, role, expiresAt }, now());
    if (revoked) await revokeToken(database, tenant.id, issued.id, now());
    return { access_token: issued.token };
  },

  async 'the product was scanned'(service, { product, ...scans }) {
    await addScans(service, tenantOf(service), product, scans);
  },

  // Every operation reads products, but the check of an API key does not. Without the table each operation fails as with a
  // damaged database.
  async 'the service fails inside'({ database }) {
    await database.schema.renameTable('products', outOfReach);
  },
};

async function addTenant({ database, now, tenants }: Service, facts: TenantFacts): Promise<Tenant> {
  const tenant = await insertTenant(database, facts, now());
  if (tenant === undefined) throw new Error(`A tenant with the slug ${facts.slug} already exists.`);
  tenants.push(tenant);
  return tenant;
}

function tenantOf({ tenants }: Service): Tenant {
  const [first] = tenants;
  if (first === undefined) throw new Error('No tenant exists yet. Put the state "a tenant with an API key" first.');
  return first;
}

function issueKey({ database, now }: Service, tenantId: string): ReturnType<typeof createKey> {
  return createKey(database, tenantId, 'pact', now());
}

async function addProduct(service: Service, tenant: Tenant, facts: ProductFacts): Promise<void> {
  const { status = 'draft', registered_as, ...given } = facts;
  const { slug } = await createProduct(service, tenant, given);
  if (status !== 'draft') await moveProduct(service, tenant.id, slug, status);
  if (registered_as !== undefined) {
    await service.database.transaction(async (transaction) => {
      const product = await productOf(transaction, tenant, slug);
      const change = { registry_status: 'registered', registry_id: registered_as } as const;
      await updateProduct(transaction, tenant.id, product, change, service.now());
    });
  }
}

async function addScans(
  { database, now }: Service,
  tenant: Tenant,
  product: string,
  { role, days_ago, times }: Omit<StateParameters<'the product was scanned'>, 'product'>,
): Promise<void> {
  const { id: productId } = await productOf(database, tenant, product);
  const at = new Date(now().getTime() - days_ago * day);
  const salt = await secret(database, 'scans');
  // An address from the block reserved for documentation (RFC 5737).
  const scan = { tenantId: tenant.id, productId, at, role, visitorHash: visitorHash(salt, at, '192.0.2.1') };
  await insertScans(database, Array(times).fill(scan));
}

async function productOf(database: Database, tenant: Tenant, slug: string): Promise<Product> {
  const product = await lockProduct(database as Parameters<typeof lockProduct>[0], tenant.id, slug);
  if (product === undefined)
    throw new Error(`The product ${slug} does not exist. Put the state that creates it first.`);
  return product;
}
