/** Interactions that read a product's master data and the tenant. */

import type { Carrier } from '@product-passport/sdk';
import { given, type StateParameters } from '../states/catalogue.ts';
import {
  aProduct,
  aTenant,
  aTenantWithKabel,
  type Case,
  get,
  kabel,
  nordlicht,
  ok,
  securedCalls,
  suedwind,
} from './case.ts';
import { addressTo, anyId, anyPlan, anyTime, type Template, wholeProduct } from './matchers.ts';

export const products: readonly Case[] = [
  {
    description: 'getMe: a tenant with products',
    given: [aTenant, given('the tenant has numbered products', { count: 3 })],
    call: ({ client }) => client.me.get(),
    request: get('/me'),
    response: ok({ tenant: { id: anyId, ...nordlicht, plan: anyPlan }, products_total: 3 }),
  },
  {
    description: 'getMe: a tenant without products does not count those of another tenant',
    given: [aTenant, given('another tenant with a product', { tenant: suedwind, product: kabel })],
    call: ({ client }) => client.me.get(),
    request: get('/me'),
    response: ok({ tenant: { id: anyId, ...nordlicht, plan: anyPlan }, products_total: 0 }),
  },
  {
    description: 'getProduct: a draft with all fields',
    given: aTenantWithKabel,
    call: ({ client }) => client.products.get(kabel.slug),
    request: get(`/products/${kabel.slug}`),
    response: ok(wholeProduct(kabel)),
  },
  {
    description: 'getProduct: a draft with only a name',
    given: [aTenant, aProduct({ name: 'Wollmütze Förde', slug: 'wollmuetze-foerde' })],
    call: ({ client }) => client.products.get('wollmuetze-foerde'),
    request: get('/products/wollmuetze-foerde'),
    response: ok(wholeProduct({ name: 'Wollmütze Förde', slug: 'wollmuetze-foerde' })),
  },
  {
    description: 'getProduct: an active product in the registry (reference)',
    given: [aTenant, aProduct({ ...kabel, status: 'active', registered_as: 'EU-DPP-DEMO-000001' })],
    call: ({ client }) => client.products.get(kabel.slug),
    request: get(`/products/${kabel.slug}`),
    response: ok(
      wholeProduct({
        ...kabel,
        status: 'active',
        registry_status: 'registered',
        registry_id: 'EU-DPP-DEMO-000001',
      }),
    ),
  },
  {
    description: 'getProduct: an archived product',
    given: [aTenant, aProduct({ ...kabel, status: 'archived' })],
    call: ({ client }) => client.products.get(kabel.slug),
    request: get(`/products/${kabel.slug}`),
    response: ok(wholeProduct({ ...kabel, status: 'archived' })),
  },
];

type CarrierFacts = StateParameters<'the product has a data carrier'>['carrier'];

const { call, request } = securedCalls.listCarriers;

function carrier(facts: CarrierFacts): Template<Carrier> {
  return { id: anyId, ...facts, gs1_digital_link: addressTo(`/01/0${kabel.gtin}`), created_at: anyTime };
}

const qr: CarrierFacts = { type: 'qr', nfc_tag_uid: null, status: 'active' };
const tag: CarrierFacts = { type: 'nfc', nfc_tag_uid: '04A224B1C36F80', status: 'deprecated' };

export const carriers: readonly Case[] = [
  {
    description: 'listCarriers: a QR code and an NFC tag, oldest first (reference)',
    given: [
      ...aTenantWithKabel,
      given('the product has a data carrier', { product: kabel.slug, carrier: qr }),
      given('the product has a data carrier', { product: kabel.slug, carrier: tag }),
    ],
    call,
    request,
    response: ok({ items: [carrier(qr), carrier(tag)] }),
  },
  {
    description: 'listCarriers: a product without a data carrier (reference)',
    given: aTenantWithKabel,
    call,
    request,
    response: ok({ items: [] }),
  },
  {
    description: 'listCarriers: a product without a GTIN (reference)',
    given: [aTenant, aProduct({ name: kabel.name, slug: kabel.slug, status: 'active' })],
    call,
    request,
    response: ok({ items: [] }),
  },
];
