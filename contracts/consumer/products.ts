/** Interactions that read a product's master data and the tenant. */

import { given } from '../states/catalogue.ts';
import { aProduct, aTenantWithKabel, kabel } from './calls.ts';
import { aTenant, type Case, get, nordlicht, ok, suedwind } from './case.ts';
import { anyId, anyPlan, wholeProduct } from './matchers.ts';

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
