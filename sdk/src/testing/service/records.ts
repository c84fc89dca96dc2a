import type { PassportValue, Product, ScanStatistics } from '../../contract.ts';

export interface StoredTenant {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly country: string;
  readonly products: Map<string, StoredProduct>;
  readonly scans: Scan[];
}

/** Its `completeness` and `updated_at` are those of its creation. */
export interface StoredProduct extends Product {
  readonly tenant: StoredTenant;
  readonly carrierId: string;
  readonly createdAt: Date;
  updatedAt: Date;
  values: ReadonlyMap<string, PassportValue>;
  version: Version;
}

/** A version of the values of a passport. */
export interface Version {
  readonly number: number;
  readonly salt: string;
  readonly values: readonly PassportValue[];
  readonly createdAt: Date;
}

export type ViewRole = keyof ScanStatistics['by_view_role'];

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
