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
interface State<Parameters, Returns extends ReturnValue> {
  readonly meaning: string;
  readonly parameters?: Parameters;
  /** The code of the error that this state causes, although the request itself is valid. */
  readonly explains?: string;
  /** The name of the value that the state returns, for the requests in the pact or of the conformance suite. */
  readonly returns?: Returns;
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

function state<Parameters = NoParameters, Returns extends ReturnValue = never>(
  meaning: string,
  effects: Omit<State<never, Returns>, 'meaning'> = {},
): State<Parameters, Returns> {
  return { meaning, ...effects };
}

export const catalogue = {
  'a tenant with an API key': state<{ readonly tenant: TenantFacts }, 'api_key'>(
    'The tenant of the API key in the request. It has nothing yet: the data of earlier interactions is removed.',
    { returns: 'api_key' },
  ),
  'the tenant has revoked an API key': state<NoParameters, 'revoked_api_key'>(
    'A second API key of the tenant, valid until it was revoked.',
    { returns: 'revoked_api_key' },
  ),
  'the tenant has an API key that may publish': state<NoParameters, 'publishing_api_key'>(
    'Another API key of the tenant, which may change the status of products. The key of the first state may not.',
    { returns: 'publishing_api_key' },
  ),
  'the tenant has an economic operator': state<{
    readonly economic_operator_id: string;
  }>('Its passports can be read below `/dpp/v1`, at the public address https://passport.example.com.'),
  'another tenant with a product': state<
    {
      readonly tenant: TenantFacts;
      readonly product: ProductFacts;
      /** The number of scans today; 0 if absent. */
      readonly scans?: number;
    },
    'other_api_key'
  >('A product that the tenant of the API key must not see.', { returns: 'other_api_key' }),
  'the tenant has a product': state<{ readonly product: ProductFacts }>('Products of later states are newer.'),
  'the tenant has numbered products': state<{ readonly count: number }>(
    'Drafts with only a name and the slug made from it: `Product 001` with `product-001` and so on, oldest first.',
  ),
  'the product has passport values': state<{
    readonly product: string;
    readonly values: readonly PassportValueInput[];
    /** The salt of the resulting passport version; random if absent. */
    readonly salt?: string;
  }>('The values are written as putPassport writes them, after the earlier values of the passport.'),
  'the passport is full': state<{ readonly product: string; readonly values: number }>(
    'The passport has the maximum number of values: `feld_0001`, `feld_0002` and so on.',
    { explains: 'invalid_request' },
  ),
  'the product has a data carrier': state<{
    readonly product: string;
    readonly carrier: Pick<Carrier, 'nfc_tag_uid'> & {
      readonly type: 'qr' | 'nfc';
      readonly status: 'active' | 'deprecated';
    };
  }>('Data carriers of later states are newer.'),
  'the product has an access token': state<
    {
      readonly product: string;
      readonly role: 'recycler' | 'inspector';
      readonly revoked: boolean;
      /** Whether the token has expired; false if absent. Only the conformance suite sends it. */
      readonly expired?: boolean;
    },
    'access_token'
  >('The token gives access to this product only. It is revoked if `revoked` is true.', { returns: 'access_token' }),
  'the product was scanned': state<{
    readonly product: string;
    readonly role: keyof ScanStatistics['by_view_role'];
    readonly days_ago: number;
    readonly times: number;
  }>('The passport page was viewed `times` times, `days_ago` days before today in UTC.'),
  'the service fails inside': state('The service checks the API key; every operation then fails unexpectedly.', {
    explains: 'internal_error',
  }),
};

export type StateName = keyof typeof catalogue;

/** The first state of every interaction. It removes the data of earlier interactions. */
export const firstState = 'a tenant with an API key' satisfies StateName;

export type StateParameters<Name extends StateName> = NonNullable<(typeof catalogue)[Name]['parameters']>;

/** What the handler of a state returns. */
export type StateResult<Name extends StateName> = [Returned<Name>] extends [never]
  ? undefined
  : Readonly<Record<Returned<Name>, string>>;

type Returned<Name extends StateName> = NonNullable<(typeof catalogue)[Name]['returns']>;

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

/**
 * The values that a provider issues in its states. They differ between providers and runs, so the pact has examples. A
 * verifier sends the value that the state returned instead of its example.
 */
export const keys = {
  /** The tenant's key. */
  valid: wellFormed('example-of-a-key-that-works'),
  /** Another key of the tenant, which may change the status of products. */
  publishing: wellFormed('example-of-a-key-that-may-publish'),
  /** A key that worked until it was revoked. */
  revoked: wellFormed('example-of-a-key-that-was-revoked'),
  /** A well-formed key that no provider issued. Verifiers send it unchanged. */
  unknown: wellFormed('example-of-a-key-that-nobody-has'),
} as const;

/** `ppk_` and 43 characters, like every key. */
function wellFormed(words: string): string {
  return `ppk_${words.padEnd(43, '-')}`;
}

/** An access token in the query parameter `zugang`. */
export const accessToken = 'example-of-an-access-token';

/** The return values of the states that the pact sends, by name. */
export const examples = {
  api_key: keys.valid,
  publishing_api_key: keys.publishing,
  revoked_api_key: keys.revoked,
  access_token: accessToken,
} as const;

/** `other_api_key` is for the conformance suite: no interaction of the pact sends it. */
export type ReturnValue = keyof typeof examples | 'other_api_key';
