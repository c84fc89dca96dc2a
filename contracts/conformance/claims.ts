import type { Claim } from '@product-passport/openapi';

export { type Claim, claims } from '@product-passport/openapi';

/** The claims of a provider of the EU's read interface. `dpp` has the reads that every provider must have, and errors. */
export const dppClaims = ['dpp', 'dpp-full', 'dpp-history', 'dpp-elements', 'dpp-transport'] as const;
export type DppClaim = (typeof dppClaims)[number];

/** The editions of the standards that the cases of a claim follow. The others follow openapi.yaml. */
export const editions: Readonly<Partial<Record<string, string>>> = {
  'digital-link': 'GS1-Conformant Resolver 1.2.0, GS1 Digital Link: URI Syntax 1.6.0',
  ...Object.fromEntries(dppClaims.map((claim) => [claim, 'public descriptions of EN 18222 and EN 18223'])),
};

/** What a run judges: the claims of a provider, a client, the tests of a client, or a link. */
export type Subject = Claim | DppClaim | 'client' | 'tests' | 'link';

/**
 * What the API's description leaves open, so that a provider may declare that it has none. What the description states, such
 * as the revocation of keys and data carriers, is not in this list.
 */
export const capabilities = ['expiring tokens', 'tokens for one product'] as const;
export type Capability = (typeof capabilities)[number];

/** What a case may need from the operator, with the sentence that says how to supply it. */
export const needs = {
  'second tenant': 'Add a second tenant with its key to `tenants` in the provider file.',
  'revoked key': 'Add `revoked_api_key` to the provider file.',
  'publishing key':
    'Add `publishing_api_key` to the provider file: a second key of the first tenant, which may publish.',
  'active product': 'Activate a product of the first tenant, or name one as `active_product` in the provider file.',
  'archived product': 'Archive a product of the first tenant, so that the list finds it with `status=archived`.',
  GTIN: 'Give the active product a GTIN.',
  'restricted value': 'Give the active product a restricted value of at least eight characters.',
  'authority value': 'Give the active product an authority value of at least eight characters.',
  'recycler token': 'Add a recycler token of the first tenant to `access_tokens` in the provider file.',
  'inspector token': 'Add an inspector token of the first tenant to `access_tokens` in the provider file.',
  'revoked token': 'Add a token with `"revoked": true` to `access_tokens` in the provider file.',
  'expired token':
    'Add `expired_access_token` to the provider file, or declare there that tokens never expire: `"without": { "expiring tokens": "why" }`.',
  'token of one product':
    'Add a token that opens only the active product to `access_tokens` in the provider file, or declare there that there is none: `"without": { "tokens for one product": "why" }`.',
  'second active product':
    'Activate a second product of the same tenant, with a restricted value of at least eight characters.',
  'product that is no item': 'Activate a product of the first tenant with a GTIN and without a `serial_number`.',
  'product of one item': 'Activate a product of the first tenant with a GTIN and a public `serial_number`.',
  'active product of another tenant':
    'Activate a product of the second tenant, with a restricted value of at least eight characters.',
  'value with markup': 'Give the active product a public value with a tag in its text, such as `<b>verified</b>`.',
  'counted view':
    'Run again when the scan statistics have counted the views of this run, with a tenant and an active product whose scans are counted.',
  'field key': 'Name two field keys that the provider accepts as `field_keys` in the provider file.',
  'data carrier': 'Give the active product a data carrier.',
  draft: 'Leave the product verify-gtin-13-digits in draft, with its GTIN.',
  passport: 'Name a passport with --passport or --product, or as `dpp.passports` in the provider file.',
  'second passport': 'Name a second passport as `dpp.passports` in the provider file.',
  'known passport':
    'The provider has no passport with an id or a product identifier that you gave: it responds with 404. Check them.',
  'key of the reads': 'Reads need credentials. Add `dpp.headers` to the provider file.',
  'fewer passports': 'Name passports of products with fewer passports: the ids of these fill more than 20 pages.',
  'passport with an element': 'Name a passport with public values first.',
  'passport with an older version': 'Name a passport first that was changed after its publication.',
  'identifier to encode': 'Name a passport whose product identifier has a character to encode, such as a slash.',
  'value that is not public': 'Name a value and its passport as `dpp.restricted` in the provider file.',
  'withdrawn passport': 'Name a draft or an archived passport as `dpp.withdrawn` in the provider file.',
  'dated reads': 'The provider opens the past to known callers only. Add their header as `dpp.headers`.',
  'first interface': 'Add `base_url` and `tenants` of the API to the provider file.',
  https: 'Give an address that begins with https://.',
  'lower rate': 'Run with --rate and a lower number: the provider refused a request with 429.',
} as const;
export type Need = keyof typeof needs;
