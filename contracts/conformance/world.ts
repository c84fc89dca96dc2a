/**
 * The states that cases need, without access to the provider's database. Each state is supplied by the operator,
 * discovered through the API, or created through the API, in the order that its method documents. `sources` says which.
 */
import type { Passport, Product } from '@product-passport/sdk';
import { type Api, apiOf, createdProduct, productIn, productPath } from './api.ts';
import type { Ask, Reply } from './ask.ts';
import { check, NotTested } from './check.ts';
import type { Provider } from './provider.ts';
import { linkPath } from './public-paths.ts';
import type { Source } from './result.ts';

interface Tenant {
  readonly slug: string;
  readonly api_key: string;
}

/** A product that the suite found by its slug or created. */
interface ProductWish {
  readonly name?: string;
  readonly gtin?: string | null;
  readonly product_group?: string | null;
  readonly model?: string | null;
}

export interface ActiveProduct extends Product {
  readonly tenant: string;
  /** With the key of its tenant. */
  readonly api: Api;
}

export interface World {
  readonly sources: Readonly<Record<string, Source>>;
  /** Changes with every run. Text for values and names that must be new. */
  readonly runId: string;
  tenant(): Tenant;
  /** @throws NotTested without a second tenant */
  otherTenant(): Tenant & { readonly api: Api };
  /**
   * A product of the first tenant for one purpose. It is created with the slug `verify-PURPOSE`. A product of an earlier
   * run with this slug, or with the same name, is used again.
   */
  product(purpose: string, wish?: ProductWish): Promise<Product>;
  /** A product with the same rules that belongs to the second tenant. */
  otherProduct(purpose: string, wish?: ProductWish): Promise<Product>;
  /** A product whose slug the provider makes from its name. A product of an earlier run is found by its name. */
  namedProduct(name: string): Promise<Product>;
  /** Supplied, or the first one that the list finds with `status=active`, one with a GTIN first. */
  activeProduct(): Promise<ActiveProduct>;
  /** @throws NotTested if the active product has no GTIN */
  gtin(): Promise<string>;
  /** The path of the active product's Digital Link: as its data carrier writes it, else with the GTIN as stored. */
  link(): Promise<string>;
  /** The slug of an archived product of the first tenant, discovered in the list. */
  archivedProduct(): Promise<string>;
  /** A field key that passports accept. Supplied, or discovered in the passports of existing products. */
  fieldKey(index?: number): Promise<string>;
  /** An access token of the first tenant that opens the active product. */
  token(kind: 'recycler' | 'inspector' | 'revoked' | 'expired'): Promise<string>;
}

export interface WorldOptions {
  readonly provider: Provider;
  readonly runId: string;
  readonly send: (ask: Ask) => Promise<Reply>;
}

export function createWorld({ provider, runId, send }: WorldOptions): World {
  const sources: Record<string, Source> = {};
  const api = apiOf(send);
  const [first, second] = (provider.tenants ?? []).map(({ slug = '', api_key }): Tenant => ({ slug, api_key }));
  const once = memory();

  const tenant = (): Tenant => {
    check(first !== undefined, 'the provider file has no tenant');
    return first;
  };
  const otherTenant = (): Tenant & { readonly api: Api } => {
    if (second === undefined) throw new NotTested('second tenant');
    return { ...second, api: apiOf(send, second.api_key) };
  };

  /** The product with this slug, or a new one. */
  async function foundOrCreated({ api_key }: Tenant, purpose: string, wish: ProductWish): Promise<Product> {
    const own = apiOf(send, api_key);
    const productSlug = `verify-${purpose}`;
    const { name = `Verify ${purpose}` } = wish;
    const found = await send({ path: productPath(productSlug), key: api_key });
    const product = productIn(found);
    if (product !== undefined) {
      sources[productSlug] = 'discovered';
      return product;
    }
    // A provider may have other rules for slugs than the ones that it was sent.
    const named = name.startsWith('Verify ') ? await foundByName(own, name) : undefined;
    sources[productSlug] = named === undefined ? 'created' : 'discovered';
    return named ?? create(api_key, { ...wish, name, slug: productSlug });
  }

  async function create(key: string, json: object): Promise<Product> {
    return createdProduct(await send({ method: 'POST', path: '/api/v1/products', key, json }));
  }

  async function foundByName(own: Api, name: string): Promise<Product | undefined> {
    const { items } = await own.list({ search: name, limit: 200 });
    const found = items.find((item) => item.name === name);
    return found && own.product(found.slug);
  }

  async function namedProduct(name: string): Promise<Product> {
    const found = await foundByName(api, name);
    sources[name.slice(0, 40)] = found === undefined ? 'created' : 'discovered';
    return found ?? create(tenant().api_key, { name });
  }

  async function findActive(): Promise<ActiveProduct> {
    const supplied = provider.active_product;
    const owner = supplied === undefined || supplied.tenant === tenant().slug ? tenant() : second;
    if (supplied !== undefined && owner?.slug === supplied.tenant) {
      sources['active product'] = 'supplied';
      const own = apiOf(send, owner.api_key);
      return { ...(await own.product(supplied.slug)), tenant: supplied.tenant, api: own };
    }
    const { items } = await api.list({ status: 'active', limit: 50 });
    const product = items.find(({ gtin }) => typeof gtin === 'string') ?? items[0];
    if (product === undefined) throw new NotTested('active product');
    sources['active product'] = 'discovered';
    return { ...(await api.product(product.slug)), tenant: tenant().slug, api };
  }

  async function findFieldKeys(): Promise<readonly string[]> {
    if (provider.field_keys !== undefined) {
      sources['field keys'] = 'supplied';
      return provider.field_keys;
    }
    sources['field keys'] = 'discovered';
    const { items } = await api.list({ limit: 20 });
    for (const { slug } of items) {
      const { values }: Passport = await api.passport(slug);
      const keys = [...new Set(values.map((value) => value.field_key))];
      if (keys.length >= 2) return keys;
    }
    return [];
  }

  async function gtin(): Promise<string> {
    const product = await once('active product', findActive);
    if (typeof product.gtin !== 'string') throw new NotTested('GTIN');
    return product.gtin;
  }

  return {
    sources,
    runId,
    tenant,
    otherTenant,
    product: (purpose, wish = {}) => once(`product ${purpose}`, () => foundOrCreated(tenant(), purpose, wish)),
    otherProduct: (purpose, wish = {}) =>
      once(`other product ${purpose}`, () => foundOrCreated(otherTenant(), purpose, wish)),
    namedProduct: (name) => once(`named product ${name}`, () => namedProduct(name)),
    activeProduct: () => once('active product', findActive),
    gtin,
    async link() {
      const stored = await gtin();
      const { slug, api: own } = await once('active product', findActive);
      const { items } = await own.carriers(slug);
      return /\/01\/\d+$/.exec(items[0]?.gs1_digital_link ?? '')?.[0] ?? linkPath(stored);
    },
    async archivedProduct() {
      const { items } = await once('archived products', () => api.list({ status: 'archived', limit: 1 }));
      const [product] = items;
      if (product === undefined) throw new NotTested('archived product');
      return product.slug;
    },
    async fieldKey(index = 0) {
      const keys = await once('field keys', findFieldKeys);
      const key = keys[index];
      if (key === undefined) throw new NotTested('field key');
      return key;
    },
    async token(kind) {
      if (kind === 'expired') {
        if (provider.expired_access_token === undefined) throw new NotTested('expired token');
        return provider.expired_access_token;
      }
      const { tenant: owner, slug } = await once('active product', findActive);
      const token = provider.access_tokens?.find(
        ({ tenant: of, product, role, revoked = false }) =>
          of === owner &&
          (product === null || product === slug) &&
          (kind === 'revoked' ? revoked : role === kind && !revoked),
      );
      if (token === undefined) throw new NotTested(`${kind} token`);
      return token.token;
    },
  };
}

/** Runs the work of each name once. A failure is kept, too: every case that needs the state gets it. */
function memory(): <Value>(name: string, work: () => Promise<Value>) => Promise<Value> {
  const known = new Map<string, Promise<unknown>>();
  return <Value>(name: string, work: () => Promise<Value>) => {
    const value = known.get(name) ?? work();
    known.set(name, value);
    return value as Promise<Value>;
  };
}
