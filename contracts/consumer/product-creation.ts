/** Interactions of creating a product. */
import type { CreateProduct } from '@product-passport/sdk';
import { brokenJson, plainText, withBody, withRaw } from './beneath.ts';
import { aProduct, kabel, securedCalls } from './calls.ts';
import { aTenant, type Case, failure, ok, post, withRawBody } from './case.ts';
import { type ProductTold, wholeProduct } from './matchers.ts';

const { call, request } = securedCalls.createProduct;

function created(body: CreateProduct, told: ProductTold): Pick<Case, 'given' | 'call' | 'request' | 'response'> {
  return { given: [aTenant], ...creation(body), response: ok(wholeProduct(told)) };
}

function creation(body: CreateProduct): Pick<Case, 'call' | 'request'> {
  return { call: ({ client }) => client.products.create(body), request: post('/products', body) };
}

const named = { name: 'USB-C-Kabel', slug: 'usb-c-kabel' };

const successes: readonly Case[] = [
  {
    description: 'createProduct: everything that can be given',
    ...created(kabel, kabel),
  },
  {
    description: 'createProduct: a name alone, of which the slug is made',
    ...created({ name: named.name }, named),
  },
  {
    description: 'createProduct: null for what is not given',
    ...created({ ...named, product_group: null, gtin: null, model: null }, named),
  },
  {
    description: 'createProduct: a slug that is taken',
    ...created(named, { ...named, slug: 'usb-c-kabel-2' }),
    given: [aTenant, aProduct(named)],
  },
  {
    description: 'createProduct: a name whose slug is taken',
    ...created({ name: named.name }, { ...named, slug: 'usb-c-kabel-2' }),
    given: [aTenant, aProduct(named)],
  },
];

const gtins: readonly Case[] = ['95200002', '952000100007', '9520001000072', '09520001000072'].map((gtin) => ({
  description: `createProduct: a GTIN of ${gtin.length} digits`,
  ...created({ ...named, gtin }, { ...named, gtin }),
}));

const wrongGtins: readonly Case[] = [
  ...['9520000', '952000027', '95200010000', '952000100007200'].map(
    (gtin) => [gtin, `of ${gtin.length} digits`] as const,
  ),
  ['95200002X', 'that has a letter'] as const,
  ['', 'that is empty'] as const,
].map(([gtin, which]) => ({
  description: `createProduct: a GTIN ${which} (reference)`,
  given: [aTenant],
  ...creation({ ...named, gtin }),
  response: failure(400, 'invalid_gtin'),
}));

const refusals: readonly Case[] = [
  {
    description: 'createProduct: a body that is no JSON',
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
    description: 'createProduct: no name and a group without a template, of which the name is told first (reference)',
    given: [aTenant],
    ...creation({ name: ' ', product_group: 'spaceship' }),
    response: failure(400, 'name_required'),
  },
  {
    description: 'createProduct: a slug of another form (reference)',
    given: [aTenant],
    ...creation({ ...named, slug: 'USB C' }),
    response: failure(400, 'invalid_request'),
  },
  {
    description: 'createProduct: a body of another type than JSON (reference)',
    given: [aTenant],
    call,
    alter: withRaw(plainText),
    request: withRawBody(request, plainText),
    response: failure(415, 'unsupported_media_type'),
  },
];

export const productCreation: readonly Case[] = [...successes, ...gtins, ...wrongGtins, ...refusals];
