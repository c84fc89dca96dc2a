/**
 * The provider states: what a consumer may assume, and what a provider must be able to set up. Both sides import this
 * catalogue, because Pact accepts a state without a handler.
 */
import type {
  Carrier,
  CreateProduct,
  PassportValueInput,
  ProductStatus,
  ScanStatistics,
  Tenant,
} from '@product-passport/sdk';

/** What the state means. Its parameters appear only in its type. */
interface State<Parameters> {
  readonly meaning: string;
  /** The code of the error that this state causes, although the request itself is valid. */
  readonly explains?: string;
  readonly parameters?: Parameters;
}

type NoParameters = Record<string, never>;

type OptionalFields = Omit<CreateProduct, 'name' | 'slug' | 'product_group'>;

/** A product in a provider state. Absent fields have the values of a new product. */
export type ProductFacts = { readonly [Key in keyof OptionalFields]?: NonNullable<OptionalFields[Key]> } & {
  readonly name: string;
  readonly slug: string;
  readonly product_group?: 'cable' | 'textile';
  readonly status?: ProductStatus;
  readonly registered_as?: string;
};

export type TenantFacts = Omit<Tenant, 'id'> & { readonly plan: 'business' };

function state<Parameters = NoParameters>(meaning: string, explains?: string): State<Parameters> {
  return explains === undefined ? { meaning } : { meaning, explains };
}

export const catalogue = {
  'a tenant with an API key': state<{ readonly tenant: TenantFacts; readonly key: string }>(
    'The tenant of the API key in the request. `key` is a placeholder for the key that the provider issued.',
  ),
  'the tenant has revoked an API key': state<{ readonly key: string }>(
    'A second key of the tenant, valid until it was revoked. `key` is a placeholder for it.',
  ),
  'another tenant with a product': state<{
    readonly tenant: TenantFacts;
    readonly product: ProductFacts;
    /** The number of scans today; 0 if absent. */
    readonly scans?: number;
  }>('A product that the tenant of the API key must not see.'),
  'the tenant has a product': state<{ readonly product: ProductFacts }>('Products of later states are newer.'),
  'the tenant has numbered products': state<{ readonly count: number }>(
    'Drafts with only a name: `Produkt 001`, `Produkt 002` and so on, oldest first.',
  ),
  'the product has passport values': state<{
    readonly product: string;
    readonly values: readonly PassportValueInput[];
    /** The salt of the resulting passport version; random if absent. */
    readonly salt?: string;
  }>('The values are written as putPassport writes them, after the earlier values of the passport.'),
  'the passport is full': state<{ readonly product: string; readonly values: number }>(
    'The passport has the maximum number of values: `feld_0001`, `feld_0002` and so on.',
    'invalid_request',
  ),
  'the product has a data carrier': state<{
    readonly product: string;
    readonly carrier: Pick<Carrier, 'nfc_tag_uid'> & {
      readonly type: 'qr' | 'nfc';
      readonly status: 'active' | 'deprecated';
    };
  }>('Data carriers of later states are newer.'),
  'the product has an access token': state<{
    readonly product: string;
    readonly role: 'recycler' | 'inspector';
    readonly token: string;
    readonly revoked: boolean;
  }>('The token gives access to this product only. `token` is a placeholder for the token that the provider issued.'),
  'the product was scanned': state<{
    readonly product: string;
    readonly role: keyof ScanStatistics['by_view_role'];
    readonly days_ago: number;
    readonly times: number;
  }>('The passport page was viewed `times` times, `days_ago` days before today in UTC.'),
  'the service fails inside': state(
    'The service checks the API key; every operation then fails unexpectedly.',
    'internal_error',
  ),
};

export type StateName = keyof typeof catalogue;

export type StateParameters<Name extends StateName> = NonNullable<(typeof catalogue)[Name]['parameters']>;

/** A provider state with its parameters. */
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
