/**
 * A second implementation of the Product Passport Service API, in memory. It runs wherever `fetch` does, and does what
 * the reference server does, except for a list in the manual.
 */

import type { PassportValueInput } from '../../contract.ts';
import type { PlatformFetch } from '../../response.ts';
import { addProduct, fieldKeys, writeValues } from './api.ts';
import { respond } from './respond.ts';
import { type Operator, operatorOf, type State } from './state.ts';

export type { NewFault, NewTenant, NewToken, Operator } from './state.ts';

/** Options of `createFakeService`. */
export interface FakeServiceOptions {
  /** The root of the service's addresses: scheme, host and port. Default: `http://passports.test`. */
  readonly siteUrl?: string;
  /**
   * Whether it starts with products: an active one, a draft and an archived one, with access tokens. Their GTIN is yours
   * as soon as you activate a product with it. Otherwise it starts with two tenants without products. Default: `true`.
   */
  readonly sample?: boolean;
  /** Maximum requests of each tenant per minute. 0 means no limit. Default: 0. */
  readonly rateLimit?: number;
  /** The clock. Default: the current time. */
  readonly now?: () => Date;
}

/**
 * A service with its own data. Identifiers and secrets are numbered, so they are the same in every run. They are not
 * secret: the service is for tests only.
 */
export interface FakeService<Start = Provider> extends Operator {
  /**
   * For `createClient`, `createPublicClient`, or a server. The addresses in its responses are below `siteUrl`. It
   * rejects only if the signal of the request has fired, and for a fault of the connection.
   */
  readonly fetch: PlatformFetch;
  /** The addresses, keys and tokens that the service starts with. */
  readonly provider: Start;
}

/** Starts a service with two tenants, and with a few products unless `sample` is `false`. */
export function createFakeService(options: FakeServiceOptions & { readonly sample: false }): FakeService<EmptyProvider>;
export function createFakeService(options?: FakeServiceOptions): FakeService;
export function createFakeService(options: FakeServiceOptions = {}): FakeService<EmptyProvider> {
  const { siteUrl = 'http://passports.test', now = () => new Date(), sample = true, rateLimit = 0 } = options;
  let count = 0;
  const state: State = {
    ...{ siteUrl: siteUrl.replace(/\/$/, ''), now, rateLimit },
    ...{ tenants: new Map(), keys: new Map(), tokens: new Map(), activated: new Set() },
    next: () => ++count,
  };
  const operator = operatorOf(state);
  const empty = addTenants(state, operator);
  return {
    ...operator,
    provider: sample ? addSample(state, operator, empty) : empty,
    async fetch(input, init) {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      return respond(state, request);
    },
  };
}

/**
 * The service's addresses and secrets in the form that the conformance suite reads, which is the form of the line that
 * `product-passport serve --demo --json` prints.
 */
export interface Provider extends EmptyProvider {
  readonly revoked_api_key: string;
  readonly access_tokens: readonly {
    readonly tenant: string;
    /** `null` for every product of the tenant. */
    readonly product: string | null;
    readonly role: 'recycler' | 'inspector';
    readonly token: string;
    readonly revoked: boolean;
  }[];
  readonly active_product: { readonly tenant: string; readonly slug: string };
  readonly expired_access_token: string;
}

/** The addresses and keys of a service without products. */
export interface EmptyProvider {
  readonly base_url: string;
  readonly site_url: string;
  readonly tenants: readonly { readonly slug: string; readonly api_key: string }[];
  /** Another key of the first tenant, which may also change the status of products. */
  readonly publishing_api_key: string;
  /** Keys of the template's fields. The service accepts each of them. */
  readonly field_keys: readonly string[];
}

const acceptedKeys: readonly string[] = [...new Set(['manufacturer_name', 'country_of_origin', ...fieldKeys])];

const values: readonly PassportValueInput[] = [
  { field_key: 'manufacturer_name', value: 'Skellig Goods Ltd' },
  { field_key: 'country_of_origin', value: 'IE' },
  { field_key: 'product_weight', value: 310, unit: 'g' },
  { field_key: 'substances_of_concern', value: ['Zinc pyrithione'], access_level: 'restricted' },
  { field_key: 'test_reports', value: 'Test report 4711', access_level: 'authority' },
];

function addTenants({ siteUrl }: State, operator: Operator): EmptyProvider {
  const skellig = operator.addTenant({
    ...{ slug: 'skellig', name: 'Skellig Goods Ltd', country: 'IE' },
    economicOperatorId: '0088:9520001000003',
  });
  const causeway = operator.addTenant({
    ...{ slug: 'causeway', name: 'Causeway Textiles Ltd', country: 'GB' },
    economicOperatorId: '0088:9520002000002',
  });
  return {
    base_url: `${siteUrl}/api/v1`,
    site_url: siteUrl,
    tenants: [skellig, causeway].map(({ slug, apiKey }) => ({ slug, api_key: apiKey })),
    publishing_api_key: operator.addKey(skellig.slug, { publish: true }),
    field_keys: acceptedKeys,
  };
}

/**
 * Adds for the first tenant a revoked key, an active product with values of every access level, a draft, an archived
 * product, and access tokens.
 */
function addSample(state: State, operator: Operator, empty: EmptyProvider): Provider {
  const tenant = 'skellig';
  const revoked_api_key = operator.addKey(tenant);
  operator.revokeKey(revoked_api_key);

  const owner = state.tenants.get(tenant);
  if (!owner) throw new Error(`The tenant ${tenant} is missing.`);
  const helmet = addProduct(state, owner, { name: 'Bicycle Helmet', product_group: 'other', gtin: '9520001200045' });
  writeValues(state, helmet, values);
  operator.activate(tenant, helmet.slug);
  addProduct(state, owner, { name: 'Wool Hat Dún' });
  const lamp = addProduct(state, owner, { name: 'Bicycle Lamp' });
  operator.activate(tenant, lamp.slug);
  operator.archive(tenant, lamp.slug);

  for (const sample of owner.products.values()) sample.isSample = true;

  const product = helmet.slug;
  const recycler = { tenant, product, role: 'recycler' } as const;
  const inspector = { tenant, product: null, role: 'inspector' } as const;
  const revoked = operator.addToken(recycler);
  const access_tokens = [
    { ...recycler, token: operator.addToken(recycler), revoked: false },
    { ...inspector, token: operator.addToken({ tenant, role: 'inspector' }), revoked: false },
    { ...recycler, token: revoked, revoked: true },
  ];
  operator.revokeToken(revoked);
  return {
    ...empty,
    revoked_api_key,
    access_tokens,
    active_product: { tenant, slug: product },
    expired_access_token: operator.addToken({ ...recycler, expiresAt: new Date(0) }),
  };
}
