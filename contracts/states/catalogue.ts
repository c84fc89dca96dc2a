/**
 * The provider states: what a consumer may presuppose, and what a provider must be able to become. Both sides import
 * this catalogue, because Pact itself lets a state without a handler pass.
 */
import type { Carrier, PassportValueInput, ProductStatus, ScanStatistics, Tenant } from '@product-passport/sdk';

/** What the state says. What it is told stands in its type alone. */
interface State<Parameters> {
  readonly meaning: string;
  /** An error that comes of this state, though the contract has nothing against the request. */
  readonly explains?: string;
  readonly parameters?: Parameters;
}

type NoParameters = Record<string, never>;

/** A product as a state wants it. What is absent is as a new product has it. */
export type ProductFacts = {
  readonly name: string;
  readonly slug: string;
  readonly product_group?: 'cable' | 'textile';
  readonly gtin?: string;
  readonly model?: string;
  readonly status?: ProductStatus;
  readonly registered_as?: string;
};

export type TenantFacts = Omit<Tenant, 'id'> & { readonly plan: 'business' };

function state<Parameters = NoParameters>(meaning: string, explains?: string): State<Parameters> {
  return explains === undefined ? { meaning } : { meaning, explains };
}

export const catalogue = {
  'a tenant with an API key': state<{ readonly tenant: TenantFacts; readonly key: string }>(
    'The tenant whose key the request has. `key` stands for it: the provider may have issued another.',
  ),
  'the tenant has revoked an API key': state<{ readonly key: string }>(
    'A second key of the tenant, which worked before it was revoked. `key` stands for it.',
  ),
  'another tenant with a product': state<{
    readonly tenant: TenantFacts;
    readonly product: ProductFacts;
    /** How often the product was scanned today. Absent: never. */
    readonly scans?: number;
  }>('A product that the tenant of the key must not learn of.'),
  'the tenant has a product': state<{ readonly product: ProductFacts }>('Later ones are newer.'),
  'the tenant has numbered products': state<{ readonly count: number }>(
    'Drafts with nothing but a name, `Produkt 001` and so on, oldest first.',
  ),
  'the product has passport values': state<{
    readonly product: string;
    readonly values: readonly PassportValueInput[];
    /** The salt of the version that this makes. Absent: a random one. */
    readonly salt?: string;
  }>('Written as by putPassport, after everything else in the passport.'),
  'the passport is full': state<{ readonly product: string; readonly values: number }>(
    'The passport has as many values as one may have, `feld_0001` and so on.',
    'invalid_request',
  ),
  'the product has a data carrier': state<{
    readonly product: string;
    readonly carrier: Pick<Carrier, 'nfc_tag_uid'> & {
      readonly type: 'qr' | 'nfc';
      readonly status: 'active' | 'deprecated';
    };
  }>('Later ones are newer.'),
  'the product has an access token': state<{
    readonly product: string;
    readonly role: 'recycler' | 'inspector';
    readonly token: string;
    readonly revoked: boolean;
  }>('It opens this product alone. `token` stands for it: the provider has issued another.'),
  'the product was scanned': state<{
    readonly product: string;
    readonly role: keyof ScanStatistics['by_view_role'];
    readonly days_ago: number;
    readonly times: number;
  }>('Views of the passport page, so many days before today in UTC.'),
  'the service fails inside': state(
    'Keys are still checked; whatever is asked beyond that fails unexpectedly.',
    'internal_error',
  ),
};

export type StateName = keyof typeof catalogue;

export type StateParameters<Name extends StateName> = NonNullable<(typeof catalogue)[Name]['parameters']>;

/** A state that an interaction presupposes. */
export interface Given {
  readonly name: StateName;
  readonly parameters: object;
}

export function given<Name extends StateName>(name: Name, parameters: StateParameters<Name>): Given {
  return { name, parameters };
}

export function isStateName(name: string): name is StateName {
  return Object.hasOwn(catalogue, name);
}
