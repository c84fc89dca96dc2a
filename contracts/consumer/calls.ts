/** One plain request for each operation, for the errors that do not depend on the parameters. */
import type { CreateProduct, Operation, PassportValueInput } from '@product-passport/sdk';
import { type Given, given, type ProductFacts } from '../states/catalogue.ts';
import { aTenant, type ExpectedRequest, get, getPage, getPublic, post, put, type Service } from './case.ts';

export interface PlainCall {
  readonly call: (service: Service) => PromiseLike<unknown>;
  readonly request: ExpectedRequest;
}

/** The operations that need an API key. */
export type SecuredOperation = Exclude<Operation, PublicOperation | DeeperLink | 'getResolverDescription'>;
export type PublicOperation = 'getPassportPage' | 'getPassportJsonld' | 'resolveGtin';
/** Digital Links with key qualifiers: `resolveGtin` at other paths. */
export type DeeperLink = Exclude<Extract<Operation, `resolveGtin${string}`>, 'resolveGtin'>;

/** The operations on one product. */
export type ProductOperation = 'getProduct' | 'getPassport' | 'putPassport' | 'listCarriers';

/** With a value in every field that a client can set. */
export const kabel = {
  name: 'USB-C-Kabel 240 W 2 m',
  slug: 'usb-c-kabel-240-w-2-m',
  product_group: 'cable',
  gtin: '9520001000072',
  model: 'UC240-2',
} as const satisfies Required<Pick<ProductFacts, keyof CreateProduct>>;

export const kabelOnSale = { ...kabel, status: 'active' } as const satisfies ProductFacts;

export function aProduct(product: ProductFacts): Given {
  return given('the tenant has a product', { product });
}

export const aTenantWithKabel: readonly Given[] = [aTenant, aProduct(kabel)];

export const threeValues = [
  { field_key: 'cable_length', value: 2, unit: 'm' },
  { field_key: 'halogen_free', value: null, is_unknown: true, needs_review: true, source: 'supplier' },
  { field_key: 'substances_of_concern', value: [], access_level: 'restricted', source: 'supplier' },
] as const satisfies readonly PassportValueInput[];

export const securedCalls: { readonly [Id in SecuredOperation]: PlainCall } = {
  getMe: { call: ({ client }) => client.me.get(), request: get('/me') },
  listProducts: { call: ({ client }) => client.products.list(), request: get('/products') },
  createProduct: {
    call: ({ client }) => client.products.create({ name: 'Wollmütze Förde' }),
    request: post('/products', { name: 'Wollmütze Förde' }),
  },
  getProduct: { call: ({ client }) => client.products.get(kabel.slug), request: get(`/products/${kabel.slug}`) },
  getPassport: {
    call: ({ client }) => client.passports.get(kabel.slug),
    request: get(`/products/${kabel.slug}/passport`),
  },
  putPassport: {
    call: ({ client }) => client.passports.put(kabel.slug, threeValues),
    request: put(`/products/${kabel.slug}/passport`, threeValues),
  },
  listCarriers: {
    call: ({ client }) => client.carriers.list(kabel.slug),
    request: get(`/products/${kabel.slug}/carriers`),
  },
  getScanStatistics: { call: ({ client }) => client.analytics.scans(), request: get('/analytics/scans') },
};

export const publicCalls: { readonly [Id in PublicOperation]: PlainCall } = {
  getPassportPage: {
    call: ({ site }) => site.passports.page('nordlicht', kabel.slug),
    request: getPage(`/p/nordlicht/${kabel.slug}`),
  },
  getPassportJsonld: {
    call: ({ site }) => site.passports.document('nordlicht', kabel.slug),
    request: getPublic(`/p/nordlicht/${kabel.slug}/jsonld`),
  },
  resolveGtin: {
    call: ({ site }) => site.resolve(kabel.gtin),
    request: getPublic(`/01/0${kabel.gtin}`, { linkType: 'gs1:dpp' }),
  },
};

/** Like `Object.entries`, but keeps the type of the keys. */
export function entriesOf<Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][] {
  return Object.entries(record) as [Key, Value][];
}
