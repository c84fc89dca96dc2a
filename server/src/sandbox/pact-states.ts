/** Sets up each provider state of contracts/states/catalogue.ts. */

import type { PassportValueInput, TokenRole, ViewRole } from '@product-passport/openapi';
import type { StoredCarrier } from '../carriers/rules.ts';
import { insertCarrier } from '../carriers/store.ts';
import { createProduct } from '../lifecycle/lifecycle.ts';
import { writePassport } from '../passports/write.ts';
import { type CreateProduct, lockProduct, type ProductStatus, updateProduct } from '../products/store.ts';
import type { Services } from '../services.ts';
import { createKey, revokeKey } from '../tenants/keys.ts';
import { type NewTenant, type Tenant, updatePages } from '../tenants/store.ts';
import { addScans, moveTo, newTenant, newToken, requireProduct } from './control.ts';
import type { TenantStates } from './traffic.ts';

/** One verification. */
export interface PactSession extends Services {
  states: TenantStates;
  /** The tenants that the states created. The first one has the API key. */
  tenants: Tenant[];
}

type ProductFacts = Readonly<CreateProduct> & { readonly status?: ProductStatus; readonly registered_as?: string };

export const pactStates = {
  async 'a tenant with an API key'(session: PactSession, { tenant }: { tenant: NewTenant }) {
    const { api_key } = await addTenant(session, tenant);
    return { api_key };
  },

  async 'the tenant has revoked an API key'(session: PactSession) {
    const { id: tenantId } = tenantOf(session);
    const issued = await createKey(session.database, tenantId, 'pact', session.now());
    await revokeKey(session.database, tenantId, issued.id, session.now());
    return { revoked_api_key: issued.key };
  },

  async 'the tenant has an API key that may publish'(session: PactSession) {
    const { key } = await createKey(session.database, tenantOf(session).id, 'pact', session.now(), 'publish');
    return { publishing_api_key: key };
  },

  async 'the tenant has an economic operator'(session: PactSession, operator: { economic_operator_id: string }) {
    await updatePages(session.database, tenantOf(session).id, operator);
  },

  async 'another tenant with a product'(
    session: PactSession,
    { tenant, product, scans = 0 }: { tenant: NewTenant; product: ProductFacts & { slug: string }; scans?: number },
  ) {
    const other = await addTenant(session, tenant);
    await addProduct(session, other, product);
    await addScans(session, other, product.slug, { role: 'consumer', days_ago: 0, count: scans });
    return { other_api_key: other.api_key };
  },

  async 'the tenant has a product'(session: PactSession, { product }: { product: ProductFacts }) {
    await addProduct(session, tenantOf(session), product);
  },

  async 'the tenant has numbered products'(session: PactSession, { count }: { count: number }) {
    for (let number = 1; number <= count; number += 1) {
      const name = `Product ${String(number).padStart(3, '0')}`;
      await addProduct(session, tenantOf(session), { name });
    }
  },

  async 'the product has passport values'(
    session: PactSession,
    {
      product,
      values,
      salt,
    }: { product: string; values: readonly Pick<PassportValueInput, 'field_key' | 'value'>[]; salt?: string },
  ) {
    const salted = salt === undefined ? session : { ...session, newSalt: () => salt };
    await writePassport(salted, tenantOf(session), product, [...values]);
  },

  async 'the passport is full'(session: PactSession, { product, values }: { product: string; values: number }) {
    const all = Array.from({ length: values }, (_, index) => ({
      field_key: `feld_${String(index + 1).padStart(4, '0')}`,
      value: '',
    }));
    await writePassport(session, tenantOf(session), product, all);
  },

  async 'the product has a data carrier'(
    session: PactSession,
    { product, carrier }: { product: string; carrier: Omit<StoredCarrier, 'id' | 'created_at'> },
  ) {
    const tenant = tenantOf(session);
    const { id } = await requireProduct(session, tenant, product);
    await insertCarrier(session.database, tenant.id, id, carrier, session.now());
  },

  async 'the product has an access token'(
    session: PactSession,
    {
      product,
      role,
      revoked,
      expired = false,
    }: { product: string; role: TokenRole; revoked: boolean; expired?: boolean },
  ) {
    const expires_in_seconds = (expired ? -1 : 1) * 86_400;
    const { token } = await newToken(session, tenantOf(session), { role, product, revoked, expires_in_seconds });
    return { access_token: token, ...(expired ? { expired } : {}) };
  },

  async 'the product was scanned'(
    session: PactSession,
    { product, role, days_ago, times }: { product: string; role: ViewRole; days_ago: number; times: number },
  ) {
    await addScans(session, tenantOf(session), product, { role, days_ago, count: times });
  },

  async 'the service fails inside'(session: PactSession) {
    const fault = { code: 'internal_error', times: Number.POSITIVE_INFINITY };
    session.states.of(tenantOf(session).id).faults.add([fault]);
  },
};

async function addTenant(session: PactSession, facts: NewTenant): Promise<Tenant & { api_key: string }> {
  const tenant = await newTenant(session, facts);
  session.tenants.push(tenant);
  return tenant;
}

function tenantOf({ tenants }: PactSession): Tenant {
  const [first] = tenants;
  if (first === undefined) throw new Error('No tenant exists yet. Put the state "a tenant with an API key" first.');
  return first;
}

async function addProduct(session: PactSession, tenant: Tenant, facts: ProductFacts): Promise<void> {
  const { status = 'draft', registered_as, ...given } = facts;
  const { slug } = await createProduct(session, tenant, given);
  if (status !== 'draft') await moveTo(session, tenant, slug, status);
  if (registered_as === undefined) return;
  await session.database.transaction(async (transaction) => {
    const product = await lockProduct(transaction, tenant.id, slug);
    const change = { registry_status: 'registered', registry_id: registered_as } as const;
    if (product) await updateProduct(transaction, tenant.id, product, change, session.now());
  });
}
