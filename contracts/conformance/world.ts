/**
 * The states that cases need, without access to the provider's database. Each state is supplied by the operator,
 * discovered through the API, created through the API, or set up by the state URL. `sources` says which.
 */
import { gtin14, member, serialsOf } from '@product-passport/openapi';
import type { CreateProduct, Passport, Product, ProductListItem } from '@product-passport/sdk';
import { type Api, type Ask, apiOf, createdProduct, productIn, productPath, type Reply } from './api.ts';
import { check, NotTested } from './check.ts';
import type { Need } from './claims.ts';
import type { Provider } from './provider.ts';
import type { Source } from './result.ts';

interface Tenant {
  readonly slug: string;
  readonly api_key: string;
}

type Granted = NonNullable<Provider['access_tokens']>[number];

/** Fields of a product that the suite creates. */
type NewProduct = Partial<Omit<CreateProduct, 'slug'>>;

export interface ActiveProduct extends ProductListItem {
  readonly tenant: string;
  /** With the key of its tenant. */
  readonly api: Api;
}

/** All states of one run. */
type Worlds = ReturnType<typeof createWorlds>;

/** The same states, for one case. A method throws NotTested if the state is missing. */
export type World = ReturnType<Worlds['forCase']>;

/** What one case used. */
export interface Uses {
  readonly needs: Set<Need>;
  /** The names of states, as in `sources`. */
  readonly states: Set<string>;
}

export interface WorldOptions {
  readonly provider: Provider;
  readonly runId: string;
  readonly send: (ask: Ask) => Promise<Reply>;
  /** What the state URL set up. */
  readonly setUp?: SetUp | undefined;
}

export interface SetUp {
  readonly needs: ReadonlySet<Need>;
  /** The slug of a product with passport values. */
  readonly withFieldKeys?: string;
}

/** Field keys, and the group of the products whose passports accept them. */
interface FieldKeys {
  readonly keys: readonly string[];
  readonly group?: string | null | undefined;
}

export function createWorlds({ provider, runId, send, setUp }: WorldOptions) {
  /** How each state came about. */
  const sources: Record<string, Source> = {};
  const api = apiOf(send);
  const [first, second] = (provider.tenants ?? []).map(({ slug = '', api_key }): Tenant => ({ slug, api_key }));
  const once = memory();
  const supplied = (need: Need): Source => (setUp?.needs.has(need) ? 'state URL' : 'supplied');

  const tenant = (): Tenant => {
    check(first !== undefined, 'the provider file has no tenant');
    return first;
  };

  /** The product with this slug, or a new one. */
  async function foundOrCreated({ api_key }: Tenant, purpose: string, fields: NewProduct): Promise<Product> {
    const own = apiOf(send, api_key);
    const productSlug = slugOf(purpose);
    const { name = `Verify ${purpose}` } = fields;
    const found = await send({ path: productPath(productSlug), key: api_key });
    const product = productIn(found);
    if (product !== undefined) {
      sources[productSlug] = 'discovered';
      return product;
    }
    // A provider may have other rules for slugs than the ones that it was sent.
    const named = name.startsWith('Verify ') ? await foundByName(own, name) : undefined;
    sources[productSlug] = named === undefined ? 'created' : 'discovered';
    return named ?? create(api_key, { ...(await groupOfKeys()), ...fields, name, slug: productSlug });
  }

  /** A provider may accept other field keys in another group. */
  async function groupOfKeys(): Promise<{ readonly product_group?: string }> {
    const { group } = await fieldKeys().catch((): FieldKeys => ({ keys: [] }));
    return typeof group === 'string' ? { product_group: group } : {};
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
    const named = provider.active_product;
    const owner = named === undefined || named.tenant === tenant().slug ? tenant() : second;
    if (named !== undefined && owner?.slug === named.tenant) {
      sources['active product'] = supplied('active product');
      const own = apiOf(send, owner.api_key);
      return activeWith(await own.product(named.slug), { tenant: named.tenant, api: own });
    }
    const { items } = await api.list({ status: 'active', limit: 50 });
    const withGtin = items.filter(({ gtin }) => typeof gtin === 'string');
    const candidates = [...new Set([...items.filter(isAlone), ...withGtin, ...items])];
    const product = (await firstModel(candidates.map((one) => ({ ...one, api })))) ?? candidates[0];
    if (product === undefined) throw new NotTested('active product');
    sources['active product'] = 'discovered';
    return activeWith(await api.product(product.slug), { tenant: tenant().slug, api });
  }

  async function findArchived(): Promise<string> {
    const [product] = (await api.list({ status: 'archived', limit: 1 })).items;
    if (product === undefined) throw new NotTested('archived product');
    sources['archived product'] = setUp?.needs.has('archived product') ? 'state URL' : 'discovered';
    return product.slug;
  }

  async function findFieldKeys(): Promise<FieldKeys> {
    if (provider.field_keys !== undefined) {
      sources['field keys'] = 'supplied';
      return { keys: provider.field_keys };
    }
    const { items } = await api.list({ limit: 20 });
    const made = setUp?.withFieldKeys;
    for (const slug of [...(made === undefined ? [] : [made]), ...items.map((item) => item.slug)]) {
      const { values }: Passport = await api.passport(slug);
      const keys = [...new Set(values.map((value) => value.field_key))];
      if (keys.length < 2) continue;
      sources['field keys'] = slug === made ? 'state URL' : 'discovered';
      return { keys, group: (await api.product(slug)).product_group };
    }
    return { keys: [] };
  }

  const activeProduct = () => once('active product', findActive);
  const fieldKeys = () => once('field keys', findFieldKeys);

  function forCase({ needs, states }: Uses) {
    const use = (need: Need, state: string = need): void => {
      needs.add(need);
      states.add(state);
    };
    const need = (what: Need, isThere: boolean): void => {
      needs.add(what);
      if (!isThere) throw new NotTested(what);
    };
    /** What only the operator or the state URL can supply. */
    const given = <Value>(what: Need, value: Value | undefined): Value => {
      use(what);
      if (value === undefined) throw new NotTested(what);
      sources[what] = supplied(what);
      return value;
    };
    const otherTenant = () => {
      const owner = given('second tenant', second);
      return { ...owner, api: apiOf(send, owner.api_key) };
    };
    const active = (): Promise<ActiveProduct> => {
      use('active product');
      return activeProduct();
    };
    const gtin = async (): Promise<string> => {
      const product = await active();
      need('GTIN', typeof product.gtin === 'string');
      return String(product.gtin);
    };
    /** Other active products, at most 20 of a tenant: of the active product's tenant, or of the other tenants. */
    const others = async (of: 'tenant' | 'other tenants'): Promise<ActiveProduct[]> => {
      const { tenant: owner, slug } = await active();
      const owners = (provider.tenants ?? []).filter((one) => (one.slug === owner) === (of === 'tenant'));
      const found = await Promise.all(
        owners.map(async ({ slug: tenantSlug = '', api_key }) => {
          const own = apiOf(send, api_key);
          const { items } = await own.list({ status: 'active', limit: 20 });
          return items.map((item) => ({ ...item, tenant: tenantSlug, api: own }));
        }),
      );
      // The product with the same slug comes first: a provider could confuse it with the active product.
      const others = found.flat().filter((one) => one.tenant !== owner || one.slug !== slug);
      return others.sort((one, other) => Number(other.slug === slug) - Number(one.slug === slug));
    };
    return {
      /** Changes with every run. Text for values and names that must be new. */
      runId,
      tenant,
      otherTenant,
      /** @throws NotTested unless the provider has what the case needs */
      require: need,
      revokedKey: () => given('revoked key', provider.revoked_api_key),
      publishingKey: () => given('publishing key', provider.publishing_api_key),
      /**
       * A product of the first tenant for one purpose. It is created with the slug `verify-PURPOSE`. A product of an
       * earlier run with this slug, or with the same name, is used again.
       */
      product(purpose: string, fields: NewProduct = {}): Promise<Product> {
        states.add(slugOf(purpose));
        return once(`product ${purpose}`, () => foundOrCreated(tenant(), purpose, fields));
      },
      /** A product with the same rules that belongs to the second tenant. */
      otherProduct(purpose: string, fields: NewProduct): Promise<Product> {
        const owner = otherTenant();
        states.add(slugOf(purpose));
        return once(`other product ${purpose}`, () => foundOrCreated(owner, purpose, fields));
      },
      /** A product whose slug the provider makes from its name. A product of an earlier run is found by its name. */
      namedProduct(name: string): Promise<Product> {
        states.add(name.slice(0, 40));
        return once(`named product ${name}`, () => namedProduct(name));
      },
      /** Supplied, or the first one that the list finds with `status=active`, one with a GTIN first. */
      activeProduct: active,
      /** Whether the state URL made the active product, so that a case may change it. */
      isActiveMade: setUp?.needs.has('active product') === true,
      otherActiveProducts: others,
      /** The address of the site, as documents have it. */
      async site(): Promise<string> {
        const product = await active();
        return once('site', async () => {
          const { json } = await send({ path: documentPath(product) });
          const [site = ''] = String(member(json, 'gs1:dpp')).split('/p/');
          return site;
        });
      },
      gtin,
      /** An active product with a GTIN that is no item: the active product, or another one of its tenant. */
      async model(): Promise<{ readonly gtin: string; readonly page: string }> {
        const products = [await active(), ...(await others('tenant'))];
        need(
          'GTIN',
          products.some(({ gtin: its }) => typeof its === 'string'),
        );
        const model = await once('model', () => firstModel(products.filter(isAlone)));
        need('product that is no item', model !== undefined);
        return { gtin: gtin14(String(model?.gtin)), page: pagePath(model ?? (await active())) };
      },
      /** The path of the active product's Digital Link: as its data carrier writes it, else with the GTIN as stored. */
      async link(): Promise<string> {
        const stored = await gtin();
        const { slug, api: own } = await activeProduct();
        const { items } = await own.carriers(slug);
        return /\/01\/\d+$/.exec(items[0]?.gs1_digital_link ?? '')?.[0] ?? linkPath(stored);
      },
      /** The slug of an archived product of the first tenant, discovered in the list. */
      archivedProduct(): Promise<string> {
        use('archived product');
        return once('archived product', findArchived);
      },
      /** A field key that passports accept. Supplied, or discovered in the passports of existing products. */
      async fieldKey(index = 0): Promise<string> {
        use('field key', 'field keys');
        const key = (await fieldKeys()).keys[index];
        if (key === undefined) throw new NotTested('field key');
        return key;
      },
      /** The group in which discovered field keys are accepted, for a creation. Empty if they were supplied. */
      groupOfKeys,
      /** An access token of the first tenant that opens the active product. */
      async token(kind: 'recycler' | 'inspector' | 'revoked' | 'expired'): Promise<string> {
        if (kind === 'expired') return given('expired token', provider.expired_access_token);
        const isMeant = ({ role, revoked = false }: Granted) =>
          kind === 'revoked' ? revoked : role === kind && !revoked;
        return given(`${kind} token`, tokensOf(await active()).find(isMeant)?.token);
      },
      /** Valid access tokens that open the active product, and no other. */
      async tokensOfOneProduct(): Promise<readonly string[]> {
        // If the provider declares that each token opens all products, each one has to show it.
        const isDeclared = provider.without?.['tokens for one product'] !== undefined;
        const valid = tokensOf(await active()).filter(
          ({ product, revoked = false }) => (product !== null || isDeclared) && !revoked,
        );
        need('token of one product', valid.length > 0);
        return valid.map(({ token }) => token);
      },
    };
  }

  /** The tokens that open the product. */
  function tokensOf({ tenant: owner, slug }: ActiveProduct) {
    const all = provider.access_tokens ?? [];
    return all.filter(({ tenant: of, product }) => of === owner && (product === null || product === slug));
  }

  return { sources: sources as Readonly<Record<string, Source>>, forCase };
}

/** Passports that are read to find a product that is no item. */
const maxPassports = 10;

/** The first product that is no item. A passport that cannot be read is judged by other cases. */
async function firstModel<One extends { api: Api; slug: string }>(products: readonly One[]): Promise<One | undefined> {
  for (const product of products.slice(0, maxPassports)) {
    const { values } = await product.api.passport(product.slug).catch((): Pick<Passport, 'values'> => ({ values: [] }));
    if (serialsOf(values).serial_number === null) return product;
  }
  return undefined;
}

/** Whether a product has a GTIN that no other has. One that several share leads to one of them: the API does not say to which. */
function isAlone({ gtin }: ProductListItem, _: number, all: readonly ProductListItem[]): boolean {
  return typeof gtin === 'string' && all.filter((one) => one.gtin?.padStart(14, '0') === gtin14(gtin)).length === 1;
}

/** Copies no values: a case that reads a wrong one fails, and only that case. */
function activeWith(product: Product, more: Pick<ActiveProduct, 'tenant' | 'api'>): ActiveProduct {
  return Object.assign(Object.create(null, Object.getOwnPropertyDescriptors(product)), more);
}

function slugOf(purpose: string): string {
  return `verify-${purpose}`;
}

/** Runs the work of each name once. A failure is cached, too: every case that needs the state gets it. */
function memory(): <Value>(name: string, work: () => Promise<Value>) => Promise<Value> {
  const known = new Map<string, Promise<unknown>>();
  return <Value>(name: string, work: () => Promise<Value>) => {
    const value = known.get(name) ?? work();
    known.set(name, value);
    return value as Promise<Value>;
  };
}

/** Addresses below the site. */

export function pagePath({ tenant, slug }: { readonly tenant: string; readonly slug: string }): string {
  return `/p/${encodeURIComponent(tenant.toWellFormed())}/${encodeURIComponent(slug.toWellFormed())}`;
}

export function documentPath(product: { readonly tenant: string; readonly slug: string }): string {
  return `${pagePath(product)}/jsonld`;
}

export function linkPath(gtin: string): string {
  return `/01/${gtin}`;
}
