import type { PendingFaults } from '../../../../openapi/src/rules/faults.ts';
import type { ViewRole } from '../../../../openapi/src/rules/passport.ts';
import type { PassportValue, Product } from '../../contract.ts';

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

export interface StoredTenant {
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
export interface Grant {
  readonly tenant: StoredTenant;
  /** `undefined` for every product of the tenant. */
  readonly product: StoredProduct | undefined;
  readonly role: ViewRole;
  readonly expiresAt: Date;
}

/** The data of the service, and its settings. Maps keep their entries oldest first. */
export interface State {
  readonly siteUrl: string;
  readonly now: () => Date;
  /** Maximum requests of a tenant per minute. 0: no limit. */
  readonly rateLimit: number;
  readonly tenants: Map<string, StoredTenant>;
  /** The valid API keys, and the tenant of each. */
  readonly keys: Map<string, StoredTenant>;
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
