/** Interactions of data carriers. */
import type { Carrier } from '@product-passport/sdk';
import { given, type StateParameters } from '../states/catalogue.ts';
import { aProduct, aTenantWithKabel, kabel, securedCalls } from './calls.ts';
import { aTenant, type Case, ok } from './case.ts';
import { addressTo, anyId, anyTime, type Template } from './matchers.ts';

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
