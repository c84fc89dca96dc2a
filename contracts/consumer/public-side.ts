/** Interactions of the public operations: passport page, JSON-LD document and resolver. */

import { MatchersV3 } from '@pact-foundation/pact';
import type { PassportDocument } from '@product-passport/sdk';
import { type Given, given, type ProductFacts } from '../states/catalogue.ts';
import { accessToken } from '../states/keys.ts';
import {
  aProduct,
  asScanned,
  aTenant,
  type Case,
  type DeeperLink,
  entriesOf,
  failure,
  failurePage,
  getPage,
  getPublic,
  kabel,
  kabelOnSale,
  nordlicht,
  ok,
  page,
  publicCalls,
  redirect,
  suedwind,
} from './case.ts';
import { addressTo, anyCompleteness, anyHash, anySalt, anyTime, type Template } from './matchers.ts';

const onSale: readonly Given[] = [
  aTenant,
  aProduct(kabelOnSale),
  given('the product has passport values', {
    product: kabel.slug,
    values: [
      { field_key: 'cable_length', value: 2, unit: 'm' },
      { field_key: 'halogen_free', value: null, is_unknown: true },
      { field_key: 'substances_of_concern', value: ['lead'], access_level: 'restricted' },
      { field_key: 'voltage', value: '48', access_level: 'authority' },
    ],
  }),
];

const documentAddress = addressTo(`/p/nordlicht/${kabel.slug}/jsonld`);
const label = MatchersV3.string('Kabellänge');

/** The JSON-LD document without an access token: it has public values only. */
const publicDocument = {
  '@context': [
    'https://schema.org/',
    { gs1: 'https://ref.gs1.org/voc/', dpp: addressTo('/ns/dpp#'), 'gs1:dpp': { '@type': '@id' } },
  ],
  '@type': ['Product', 'gs1:Product'],
  '@id': addressTo(`/01/0${kabel.gtin}`),
  identifier: MatchersV3.regex(`^urn:[^:]+:nordlicht:${kabel.slug}$`, `urn:dpp:nordlicht:${kabel.slug}`),
  name: kabel.name,
  gtin14: `0${kabel.gtin}`,
  'gs1:gtin': `0${kabel.gtin}`,
  'gs1:productName': { '@value': kabel.name, '@language': MatchersV3.string('de') },
  model: kabel.model,
  category: kabel.product_group,
  url: addressTo(`/p/nordlicht/${kabel.slug}`),
  hasGS1DigitalLink: addressTo(`/01/0${kabel.gtin}`),
  'gs1:dpp': documentAddress,
  hasDigitalProductPassport: {
    '@type': 'DigitalProductPassport',
    '@id': documentAddress,
    identifier: { '@type': 'PropertyValue', propertyID: 'sha-256', name: 'content_hash', value: anyHash },
    version: MatchersV3.integer(2),
    dateModified: anyTime,
    inLanguage: MatchersV3.string('de'),
    issuedBy: { '@type': 'Organization', name: nordlicht.name },
    'dpp:viewRole': 'consumer',
    'dpp:templateVersion': MatchersV3.integer(1),
    'dpp:completeness': anyCompleteness,
    'dpp:publicContentHash': anyHash,
  },
  additionalProperty: [
    {
      '@type': 'PropertyValue',
      propertyID: 'cable_length',
      name: label,
      value: 2,
      unitText: 'm',
      unitCode: 'MTR',
      'dpp:accessLevel': 'public',
      'dpp:locale': MatchersV3.string('de'),
    },
    {
      '@type': 'PropertyValue',
      propertyID: 'halogen_free',
      name: label,
      description: 'unknown',
      'dpp:accessLevel': 'public',
      'dpp:locale': MatchersV3.string('de'),
      'dpp:isUnknown': true,
    },
  ],
} satisfies Template<PassportDocument>;

const restricted = {
  '@type': 'PropertyValue',
  propertyID: 'substances_of_concern',
  name: label,
  value: { '@type': '@json', '@value': ['lead'] },
  'dpp:accessLevel': 'restricted',
  'dpp:locale': MatchersV3.string('de'),
} as const;
const authority = {
  '@type': 'PropertyValue',
  propertyID: 'voltage',
  name: label,
  value: '48',
  'dpp:accessLevel': 'authority',
  'dpp:locale': MatchersV3.string('de'),
} as const;

/** The JSON-LD document as the holder of an access token sees it. */
function documentOf(
  passport: {
    'dpp:viewRole': 'consumer' | 'recycler' | 'inspector';
    'dpp:notice'?: string;
    'dpp:contentSalt'?: typeof anySalt;
  },
  more: readonly (typeof restricted | typeof authority)[] = [],
): Template<PassportDocument> {
  return {
    ...publicDocument,
    ...(more.length > 0 ? { substanceOfConcern: ['lead'] } : {}),
    hasDigitalProductPassport: { ...publicDocument.hasDigitalProductPassport, ...passport },
    additionalProperty: [...publicDocument.additionalProperty, ...more],
  } as Template<PassportDocument>;
}

type Token = 'recycler' | 'inspector' | 'revoked';

const tokenCases: readonly { who: string; token: Token; sees: Template<PassportDocument> }[] = [
  {
    who: "with a recycler's token, restricted values too",
    token: 'recycler',
    sees: documentOf({ 'dpp:viewRole': 'recycler' }, [restricted]),
  },
  {
    who: "with an inspector's token, every value, and the salt of the hash",
    token: 'inspector',
    sees: documentOf({ 'dpp:viewRole': 'inspector', 'dpp:contentSalt': anySalt }, [restricted, authority]),
  },
  {
    who: 'with a revoked token, public values only, with a notice (reference)',
    token: 'revoked',
    sees: documentOf({
      'dpp:viewRole': 'consumer',
      'dpp:notice': 'The access link is not valid. This is the public view.',
    }),
  },
];

function tokenGiven(token: Token): readonly Given[] {
  const role = token === 'recycler' ? 'recycler' : 'inspector';
  const facts = { product: kabel.slug, role, revoked: token === 'revoked' } as const;
  return [...onSale, given('the product has an access token', facts)];
}

const underToken: readonly Case[] = tokenCases.flatMap(({ who, token, sees }): Case[] => {
  const query = { zugang: accessToken };
  return [
    {
      description: `getPassportJsonld: ${who}${who.endsWith('(reference)') ? '' : ' (reference)'}`,
      given: tokenGiven(token),
      call: ({ site }) => site.passports.document('nordlicht', kabel.slug, query),
      request: getPublic(`/p/nordlicht/${kabel.slug}/jsonld`, query),
      response: ok(sees, 'application/ld+json'),
    },
    {
      description: `getPassportPage: ${who}`,
      given: tokenGiven(token),
      call: ({ site }) => site.passports.page('nordlicht', kabel.slug, query),
      request: getPage(`/p/nordlicht/${kabel.slug}`, query),
      response: page(),
    },
  ];
});

const pageAddress = addressTo(`/p/nordlicht/${kabel.slug}`);
/** The description of the service also allows a relative address. */
const pageReference = MatchersV3.regex(
  `^(https?://[^/]+)?/p/nordlicht/${kabel.slug}$`,
  `https://passport.example.com/p/nordlicht/${kabel.slug}`,
);
const anyTitle = MatchersV3.string('Product passport');

const successes: readonly Case[] = [
  {
    description: 'getPassportPage: an active product',
    given: onSale,
    ...publicCalls.getPassportPage,
    response: page(),
  },
  {
    description: 'getPassportPage: an unknown access token shows the public page (reference)',
    given: onSale,
    call: ({ site }) => site.passports.page('nordlicht', kabel.slug, { zugang: 'no-token' }),
    request: getPage(`/p/nordlicht/${kabel.slug}`, { zugang: 'no-token' }),
    response: page(),
  },
  {
    description: 'getPassportPage: in the requested language (reference)',
    given: onSale,
    call: ({ site }) => site.passports.page('nordlicht', kabel.slug, { lang: 'de' }),
    request: getPage(`/p/nordlicht/${kabel.slug}`, { lang: 'de' }),
    response: page(),
  },
  {
    description: 'getPassportJsonld: an active product with its public values only (reference)',
    given: onSale,
    ...publicCalls.getPassportJsonld,
    response: ok(publicDocument, 'application/ld+json'),
  },
  {
    description: 'resolveGtin: the GTIN as the product has it',
    given: [aTenant, aProduct(kabelOnSale)],
    call: async ({ site }) => (await site.resolve(kabel.gtin)).url,
    request: getPublic(`/01/${kabel.gtin}`),
    alter: asScanned(kabel.gtin),
    response: redirect(pageReference),
  },
  {
    description: 'resolveGtin: the GTIN in its 14-digit form (reference)',
    given: [aTenant, aProduct(kabelOnSale)],
    call: async ({ site }) => (await site.resolve(kabel.gtin)).url,
    request: getPublic(`/01/0${kabel.gtin}`),
    alter: asScanned(`0${kabel.gtin}`),
    response: redirect(pageAddress),
  },
  {
    description: 'resolveGtin: the redirect keeps the access token (reference)',
    given: [aTenant, aProduct(kabelOnSale)],
    call: async ({ site }) => (await site.resolve(kabel.gtin, { zugang: 'no-token' })).url,
    request: getPublic(`/01/${kabel.gtin}`, { zugang: 'no-token' }),
    alter: asScanned(kabel.gtin),
    response: redirect(addressTo(`/p/nordlicht/${kabel.slug}?zugang=no-token`)),
  },
];

const resolved: readonly Given[] = [aTenant, aProduct(kabelOnSale)];
const link = `/01/${kabel.gtin}`;
const linksetJson = 'application/linkset+json';

const linkset = {
  linkset: [
    {
      anchor: addressTo(`/01/0${kabel.gtin}`),
      itemDescription: kabel.name,
      'https://ref.gs1.org/voc/defaultLink': [{ href: pageAddress, title: anyTitle }],
      'https://ref.gs1.org/voc/pip': [{ href: pageAddress, title: anyTitle, type: 'text/html' }],
      'https://ref.gs1.org/voc/dpp': [{ href: documentAddress, title: anyTitle, type: 'application/ld+json' }],
    },
  ],
};

/** Requests of a Digital Link for something other than the page. */
const links: readonly Case[] = [
  {
    description: 'resolveGtin: the link type of the JSON-LD document (reference)',
    given: resolved,
    call: ({ plain }) => plain(`${link}?linkType=gs1:dpp`),
    request: getPublic(link, { linkType: 'gs1:dpp' }),
    response: redirect(documentAddress),
  },
  {
    description: 'resolveGtin: the link type of the page; the redirect keeps the rest of the query (reference)',
    given: resolved,
    call: ({ plain }) => plain(`${link}?linkType=gs1:pip&zugang=no-token`),
    request: getPublic(link, { linkType: 'gs1:pip', zugang: 'no-token' }),
    response: redirect(addressTo(`/p/nordlicht/${kabel.slug}?zugang=no-token`)),
  },
  {
    description: 'resolveGtin: a client that prefers JSON-LD (reference)',
    given: resolved,
    call: ({ plain }) => plain(link, { Accept: 'application/ld+json' }),
    request: { ...getPublic(link), accept: 'application/ld+json' },
    response: redirect(documentAddress),
  },
  {
    description: 'resolveGtin: the linkset (reference)',
    given: resolved,
    call: ({ plain }) => plain(`${link}?linkType=linkset`),
    request: getPublic(link, { linkType: 'linkset' }),
    response: ok(linkset, linksetJson),
  },
  {
    description: 'resolveGtin: a client that prefers the linkset (reference)',
    given: resolved,
    call: ({ plain }) => plain(link, { Accept: linksetJson }),
    request: { ...getPublic(link), accept: linksetJson },
    response: ok(linkset, linksetJson),
  },
  {
    description: 'resolveGtin: an unknown link type (reference)',
    given: resolved,
    call: ({ site }) => site.resolve(kabel.gtin),
    alter: (request) => new Request(`${asScanned(kabel.gtin)(request).url}?linkType=gs1:recipeInfo`, request),
    request: getPublic(link, { linkType: 'gs1:recipeInfo' }),
    response: failure(404, 'not_found'),
  },
  {
    description: 'resolveGtinSerial: a serial number that is too long (reference)',
    given: resolved,
    call: ({ site }) => site.resolve(kabel.gtin),
    alter: (request) => new Request(`${asScanned(kabel.gtin)(request).url}/21/${'9'.repeat(21)}`, request),
    request: getPublic(`${link}/21/${'9'.repeat(21)}`),
    response: failure(400, 'invalid_request'),
  },
  {
    description: 'getResolverDescription: the description of the resolver (reference)',
    given: [aTenant],
    call: ({ plain }) => plain('/.well-known/gs1resolver'),
    request: getPublic('/.well-known/gs1resolver'),
    response: ok({
      name: MatchersV3.string('Product Passport Service'),
      resolverRoot: addressTo(''),
      supportedPrimaryKeys: ['01'],
      supportedLinkType: [{ namespace: 'https://ref.gs1.org/voc/', prefix: 'gs1:' }],
      linkTypeDefaultCanBeLinkset: false,
    }),
  },
];

/** The path of each operation after the GTIN. */
const qualifiers: Readonly<Record<DeeperLink, string>> = {
  resolveGtinCpv: '/22/2A',
  resolveGtinBatch: '/10/LOT-42',
  resolveGtinSerial: '/21/SN001',
  resolveGtinCpvBatch: '/22/2A/10/LOT-42',
  resolveGtinCpvSerial: '/22/2A/21/SN001',
  resolveGtinBatchSerial: '/10/LOT-42/21/SN001',
  resolveGtinCpvBatchSerial: '/22/2A/10/LOT-42/21/SN001',
  resolveGtinTpx: '/235/TPX-7',
};

/** The names of the key qualifiers in the address of the page. */
const qualifierNames: Readonly<Record<string, string>> = { 22: 'cpv', 10: 'batch', 21: 'serial', 235: 'tpx' };

const deeperLinks: readonly Case[] = entriesOf(qualifiers).map(([operation, path]) => ({
  description: `${operation}: redirects to the passport of the GTIN (reference)`,
  given: resolved,
  call: ({ plain }) => plain(link + path),
  request: getPublic(link + path),
  response: redirect(addressTo(`/p/nordlicht/${kabel.slug}${scannedQuery(path)}`)),
}));

/** The key qualifiers of a path, as the address of the page has them. */
function scannedQuery(path: string): string {
  const parts = [...path.matchAll(/\/(\d+)\/([^/]+)/g)].map(([, key = '', value]) => `${qualifierNames[key]}=${value}`);
  return `?${parts.join('&')}`;
}

/** Reasons why a passport is not public. The response is the same for all of them. */
const reasons: Readonly<Record<string, readonly Given[]>> = {
  'an unknown product': [aTenant],
  'a draft': [aTenant, aProduct(kabel)],
  'an archived product': [aTenant, aProduct({ ...kabel, status: 'archived' } satisfies ProductFacts)],
};

const missing: readonly Case[] = entriesOf(publicCalls).flatMap(([operation, { call, request }]) => {
  const response = (operation === 'getPassportPage' ? failurePage : failure)(404, 'not_found');
  return Object.entries(reasons).map(([reason, presupposed]) => ({
    description: `${operation}: ${reason} (reference)` as const,
    given: presupposed,
    call,
    request,
    response,
  }));
});

/** The resolver has no tenant in its path. */
const foreign: readonly Case[] = (['getPassportPage', 'getPassportJsonld'] as const).map((operation) => ({
  description: `${operation}: a product of another tenant (reference)`,
  given: [aTenant, given('another tenant with a product', { tenant: suedwind, product: kabelOnSale })],
  ...publicCalls[operation],
  response: (operation === 'getPassportPage' ? failurePage : failure)(404, 'not_found'),
}));

const wrongGtins: readonly Case[] = ['9520000', '95200010000', '9520001000072X'].map((gtin) => ({
  description: `resolveGtin: ${gtin}, which is not a GTIN (reference)`,
  given: [aTenant],
  call: ({ site }) => site.resolve(kabel.gtin),
  request: getPublic(`/01/${gtin}`),
  alter: asScanned(gtin),
  response: failure(400, 'invalid_gtin'),
}));

export const publicSide: readonly Case[] = [
  ...successes,
  ...underToken,
  ...links,
  ...deeperLinks,
  ...missing,
  ...foreign,
  ...wrongGtins,
];
