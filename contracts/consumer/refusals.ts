/** Error interactions of every operation: rejected API keys, unknown products, internal failures. */
import { given } from '../states/catalogue.ts';
import { keys } from '../states/keys.ts';
import {
  aProduct,
  aTenant,
  aTenantWithKabel,
  type Case,
  entriesOf,
  failure,
  failurePage,
  kabel,
  kabelOnSale,
  type ProductOperation,
  publicCalls,
  securedCalls,
  suedwind,
  withoutKey,
} from './case.ts';

const refused = failure(401, 'invalid_api_key');

const refusedKeys: Case[] = entriesOf(securedCalls).flatMap(([operation, { call, request }]) => {
  const { key: _, ...keyless } = request;
  return [
    {
      description: `${operation}: without an API key`,
      given: aTenantWithKabel,
      call,
      request: keyless,
      alter: withoutKey,
      response: refused,
    },
    {
      description: `${operation}: with an unknown API key`,
      given: aTenantWithKabel,
      call,
      request: { ...request, key: keys.unknown },
      response: refused,
    },
    {
      description: `${operation}: with a revoked API key`,
      given: [...aTenantWithKabel, given('the tenant has revoked an API key', {})],
      call,
      request: { ...request, key: keys.revoked },
      response: refused,
    },
  ] satisfies Case[];
});

const productOperations: readonly ProductOperation[] = ['getProduct', 'getPassport', 'putPassport', 'listCarriers'];

const missingProducts: Case[] = productOperations.flatMap((operation) => {
  const { call, request } = securedCalls[operation];
  return [
    {
      description: `${operation}: an unknown product`,
      given: [aTenant],
      call,
      request,
      response: failure(404, 'not_found'),
    },
    {
      description: `${operation}: a product of another tenant`,
      given: [aTenant, given('another tenant with a product', { tenant: suedwind, product: kabel })],
      call,
      request,
      response: failure(404, 'not_found'),
    },
  ] satisfies Case[];
});

const failing = given('the service fails inside', {});

const failures: Case[] = [
  ...entriesOf(securedCalls).map(([operation, { call, request }]) => ({
    description: `${operation}: an internal failure` as const,
    given: [...aTenantWithKabel, failing],
    call,
    request,
    response: failure(500, 'internal_error'),
  })),
  ...entriesOf(publicCalls).map(([operation, { call, request }]) => ({
    description: `${operation}: an internal failure (reference)` as const,
    given: [aTenant, aProduct(kabelOnSale), failing],
    call,
    request,
    response: (operation === 'getPassportPage' ? failurePage : failure)(500, 'internal_error'),
  })),
];

export const refusals: readonly Case[] = [...refusedKeys, ...missingProducts, ...failures];
