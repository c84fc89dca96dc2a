import Joi from 'joi';
import type { EconomicOperator } from '../../../../openapi/src/rules/dpp.ts';
import { faultForm } from '../../../../openapi/src/rules/fault-form.ts';
import { type Fault, PendingFaults } from '../../../../openapi/src/rules/faults.ts';
import { defaultLocale, timeOfChange, type ViewRole } from '../../../../openapi/src/rules/passport.ts';
import type { PassportValue, Product } from '../../contract.ts';
import type { Operation } from '../../errors.ts';
import { operations } from '../../generated/samples.ts';

/** A version of the values of a passport. */
export interface Version {
  readonly number: number;
  readonly salt: string;
  /** In the order of their keys. */
  readonly values: readonly PassportValue[];
  readonly created_at: string;
  /** The product was active when the next version replaced this one. */
  wasPublic: boolean;
}

export interface StoredTenant extends EconomicOperator {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly country: string;
  readonly language: string;
  readonly products: Map<string, StoredProduct>;
  readonly scans: Scan[];
  readonly faults: PendingFaults;
  /** The requests since the start of the minute. */
  window: { start: number; requests: number };
}

export interface StoredProduct extends Product {
  readonly tenant: StoredTenant;
  /** All versions of the passport, oldest first. */
  readonly versions: Version[];
  /** The first time. `null`: never. */
  activatedAt: string | null;
  /** The fields that may be more open than their template. */
  confirmedOpen: readonly string[];
  /** Part of the sample. The Digital Link of its GTIN leads to any other product with that GTIN. */
  isSample: boolean;
}

/** A view of a passport page. */
export interface Scan {
  readonly product: StoredProduct;
  readonly role: ViewRole;
  /** The day in UTC, as in `2026-11-20`. */
  readonly day: string;
}

/** The rights of an access token. */
interface Grant {
  readonly tenant: StoredTenant;
  /** `undefined` for every product of the tenant. */
  readonly product: StoredProduct | undefined;
  readonly role: ViewRole;
  readonly expiresAt: Date;
}

/** The rights of an API key. */
export interface StoredKey {
  readonly tenant: StoredTenant;
  /** It may change the status of products. */
  readonly mayPublish: boolean;
}

/** The data of the service, and its settings. Maps keep their entries oldest first. */
export interface State {
  readonly siteUrl: string;
  readonly now: () => Date;
  /** Maximum requests of a tenant per minute. 0: no limit. */
  readonly rateLimit: number;
  readonly tenants: Map<string, StoredTenant>;
  /** The valid API keys. */
  readonly keys: Map<string, StoredKey>;
  /** The access tokens that were not revoked. */
  readonly tokens: Map<string, Grant>;
  /** Products in the order of their first activation. */
  readonly activated: Set<StoredProduct>;
  /** The next number of the sequence for identifiers, salts and keys: the same in every run. */
  next(): number;
}

/** An identifier in the form of a UUIDv7. */
export function newId(state: State): string {
  return `00000000-0000-7000-8000-${String(state.next()).padStart(12, '0')}`;
}

/** The latest version of a passport. */
export function latest({ versions }: StoredProduct): Version {
  const version = versions.at(-1);
  if (!version) throw new Error('A product has at least one version.');
  return version;
}

/** A tenant to add. */
export interface NewTenant {
  /** `a` to `z`, digits and hyphens. */
  readonly slug: string;
  /** Default: the slug. */
  readonly name?: string;
  /** Two letters. Default: `DE`. */
  readonly country?: string;
  /** The language of its texts: the `locale` of its values, as in `en`. Default: by the country. */
  readonly language?: string;
  /** Its economic operator in the reads below `/dpp/v1`, which it does not have without one. Default: none. */
  readonly economicOperatorId?: string;
  /** Its facility there. Default: none. */
  readonly facilityId?: string;
}

/** An access token to add. */
export interface NewToken {
  readonly tenant: string;
  /** The slug of a product. Default: every product of the tenant. */
  readonly product?: string;
  readonly role: 'recycler' | 'inspector';
  /** Default: in the year 9999. */
  readonly expiresAt?: Date;
}

/** What happens to requests of a tenant, with the names of the sandbox. */
export type NewFault = Fault<Operation>;

/**
 * What an operator of the service does, because no API operation does it. The methods throw for an unknown tenant or
 * product, and for a slug that another tenant has.
 */
export interface Operator {
  /** Adds a tenant without products, and its first API key. */
  addTenant(tenant: NewTenant): { readonly slug: string; readonly apiKey: string };
  /** Adds another API key. With `publish` it may change the status of products. Default: it may not. */
  addKey(tenant: string, options?: { readonly publish?: boolean }): string;
  revokeKey(apiKey: string): void;
  /** Adds an access token for the public side. */
  addToken(token: NewToken): string;
  revokeToken(token: string): void;
  /** Publishes the passport of a product. */
  activate(tenant: string, product: string): void;
  /** Takes a passport off the public side. */
  archive(tenant: string, product: string): void;
  /** Adds faults for the tenant's next requests. Each request takes the first fault that fits. */
  fault(tenant: string, ...faults: readonly NewFault[]): void;
  /** Removes the faults that no request has taken. */
  clearFaults(tenant: string): void;
}

export function operatorOf(state: State): Operator {
  const { tenants, keys, tokens } = state;
  const form = faultForm(
    Joi,
    operations.map(({ operationId }) => operationId),
  );

  function addKey(slug: string, { publish = false }: { readonly publish?: boolean } = {}): string {
    const key = `ppk_${`${slug}-${state.next()}`.padEnd(43, '_')}`;
    keys.set(key, { tenant: tenantOf(state, slug), mayPublish: publish });
    return key;
  }

  return {
    addTenant({ slug, name = slug, country = 'DE', language = defaultLocale(country.toUpperCase()), ...more }) {
      if (tenants.has(slug)) throw new Error(`The service already has the tenant ${slug}. Choose another slug.`);
      tenants.set(slug, {
        ...{ slug, name, country, language },
        economic_operator_id: more.economicOperatorId ?? null,
        facility_id: more.facilityId ?? null,
        id: newId(state),
        products: new Map(),
        scans: [],
        faults: new PendingFaults(),
        window: { start: 0, requests: 0 },
      });
      return { slug, apiKey: addKey(slug) };
    },
    addKey,
    revokeKey: (apiKey) => void keys.delete(apiKey),
    addToken({ tenant, product, role, expiresAt = new Date('9999-12-31') }) {
      const grant: Grant = {
        tenant: tenantOf(state, tenant),
        product: product === undefined ? undefined : productOf(state, tenant, product),
        role,
        expiresAt,
      };
      const token = `${role}-${state.next()}-of-${tenant}-test-token`;
      tokens.set(token, grant);
      return token;
    },
    revokeToken: (token) => void tokens.delete(token),
    activate: (tenant, product) => move(state, productOf(state, tenant, product), 'active'),
    archive: (tenant, product) => move(state, productOf(state, tenant, product), 'archived'),
    fault(tenant, ...faults) {
      for (const fault of faults) {
        const { error } = form.validate(fault, { convert: false });
        if (error) throw new Error(`The fault ${JSON.stringify(fault)} cannot happen: ${error.message}.`);
      }
      tenantOf(state, tenant).faults.add(faults);
    },
    clearFaults: (tenant) => tenantOf(state, tenant).faults.clear(),
  };
}

/** Gives a product a status. */
export function move({ now, activated }: State, product: StoredProduct, status: StoredProduct['status']): void {
  if (product.status !== status) product.updated_at = timeOfChange(now(), product.updated_at);
  product.status = status;
  if (status !== 'active') return;
  product.activatedAt ??= product.updated_at;
  activated.add(product);
}

function tenantOf({ tenants }: State, slug: string): StoredTenant {
  const tenant = tenants.get(slug);
  if (!tenant) throw new Error(`The service has no tenant ${slug}. Add it with addTenant.`);
  return tenant;
}

function productOf(state: State, tenant: string, slug: string): StoredProduct {
  const product = tenantOf(state, tenant).products.get(slug);
  if (!product) throw new Error(`The tenant ${tenant} has no product ${slug}. Create it with the client.`);
  return product;
}
