import type { PassportValue, ProductStatus, ScanStatistics } from '../../contract.ts';

export interface StoredTenant {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly country: string;
  readonly products: Map<string, StoredProduct>;
  readonly scans: Scan[];
}

export interface StoredProduct {
  readonly tenant: StoredTenant;
  readonly id: string;
  readonly carrierId: string;
  readonly slug: string;
  readonly name: string;
  readonly gtin: string | null;
  readonly group: string | null;
  readonly model: string | null;
  readonly urn: string;
  readonly createdAt: Date;
  status: ProductStatus;
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
