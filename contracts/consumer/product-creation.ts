/** Interactions that create a product. */
import type { CreateProduct } from '@product-passport/sdk';
import {
  aProduct,
  aTenant,
  brokenJson,
  type Case,
  failure,
  kabel,
  ok,
  plainText,
  post,
  securedCalls,
  withBody,
  withRaw,
  withRawBody,
} from './case.ts';
import { type ProductFields, wholeProduct } from './matchers.ts';

const { call, request } = securedCalls.createProduct;

function created(body: CreateProduct, fields: ProductFields): Pick<Case, 'given' | 'call' | 'request' | 'response'> {
  return { given: [aTenant], ...creation(body), response: ok(wholeProduct(fields)) };
}

function creation(body: CreateProduct): Pick<Case, 'call' | 'request'> {
  return { call: ({ client }) => client.products.create(body), request: post('/products', body) };
}

const named = { name: 'USB-C-Kabel', slug: 'usb-c-kabel' };

const successes: readonly Case[] = [
  {
    description: 'createProduct: all fields',
    ...created(kabel, kabel),
  },
  {
    description: 'createProduct: only a name, from which the slug is derived (reference)',
    ...created({ name: named.name }, named),
  },
  {
    description: 'createProduct: null in optional fields (reference)',
    ...created({ ...named, product_group: null, gtin: null, model: null }, named),
  },
  {
    description: 'createProduct: a slug that another product of the tenant has (reference)',
    ...created(named, { ...named, slug: 'usb-c-kabel-2' }),
    given: [aTenant, aProduct(named)],
  },
  {
    description: 'createProduct: a name whose slug another product of the tenant has (reference)',
    ...created({ name: named.name }, { ...named, slug: 'usb-c-kabel-2' }),
    given: [aTenant, aProduct(named)],
  },
];

const gtins: readonly Case[] = ['95200002', '952000100009', '9520001000072', '09520001000072'].map((gtin) => ({
  description: `createProduct: a GTIN of ${gtin.length} digits`,
  ...created({ ...named, gtin }, { ...named, gtin }),
}));

const wrongGtins: readonly Case[] = [
  ...['9520000', '952000027', '95200010000', '952000100007200'].map(
    (gtin) => [gtin, `of ${gtin.length} digits`] as const,
  ),
  ['95200002X', 'with a letter'] as const,
  ['', 'that is empty'] as const,
].map(([gtin, which]) => ({
  description: `createProduct: a GTIN ${which} (reference)`,
  given: [aTenant],
  ...creation({ ...named, gtin }),
  response: failure(400, 'invalid_gtin'),
}));

const refusals: readonly Case[] = [
  {
    description: 'createProduct: a body that is not JSON',
    given: [aTenant],
    call,
    alter: withRaw(brokenJson),
    request: withRawBody(request, brokenJson),
    response: failure(400, 'invalid_json'),
  },
  {
    description: 'createProduct: no name',
    given: [aTenant],
    call,
    alter: withBody({ product_group: 'cable' }),
    request: post('/products', { product_group: 'cable' }),
    response: failure(400, 'name_required'),
  },
  {
    description: 'createProduct: an empty name',
    given: [aTenant],
    ...creation({ name: '' }),
    response: failure(400, 'name_required'),
  },
  {
    description: 'createProduct: a group without a template',
    given: [aTenant],
    ...creation({ ...named, product_group: 'spaceship' }),
    response: failure(400, 'unknown_product_group'),
  },
  {
    description: 'createProduct: an empty group',
    given: [aTenant],
    ...creation({ ...named, product_group: '' }),
    response: failure(400, 'unknown_product_group'),
  },
  {
    description:
      'createProduct: no name and a group without a template, where the error names the name first (reference)',
    given: [aTenant],
    ...creation({ name: ' ', product_group: 'spaceship' }),
    response: failure(400, 'name_required'),
  },
  {
    description: 'createProduct: a malformed slug (reference)',
    given: [aTenant],
    ...creation({ ...named, slug: 'USB C' }),
    response: failure(400, 'invalid_request'),
  },
  {
    description: 'createProduct: a content type other than JSON (reference)',
    given: [aTenant],
    call,
    alter: withRaw(plainText),
    request: withRawBody(request, plainText),
    response: failure(415, 'unsupported_media_type'),
  },
];

export const productCreation: readonly Case[] = [...successes, ...gtins, ...wrongGtins, ...refusals];
