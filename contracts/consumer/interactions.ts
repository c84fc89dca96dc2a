/** All interactions of the pact, in one table at the end. The functions above it make rows of one operation. */
import { MatchersV3 } from '@pact-foundation/pact';
import type {
  Carrier,
  Operation,
  PassportDocument,
  PassportValue,
  PassportValueInput,
  ProductStatusChange,
  ScanStatistics,
} from '@product-passport/sdk';
import { accessToken, type Given, given, keys, type ProductFacts, type StateParameters } from '../states/catalogue.ts';
import { nullFields } from '../states/new-product.ts';
import {
  aProduct,
  aTenant,
  aTenantWithCable,
  brokenJson,
  type Case,
  cable,
  cableOnSale,
  causeway,
  type ExpectedRequest,
  type ExpectedResponse,
  entriesOf,
  failure,
  failurePage,
  getPublic,
  ok,
  type PlainCall,
  page,
  plainText,
  publicSide,
  type RawBody,
  redirect,
  secured,
  skellig,
  threeValues,
} from './case.ts';
import {
  addressTo,
  anyCompleteness,
  anyCount,
  anyDay,
  anyHash,
  anyId,
  anyMessage,
  anyPlan,
  anySalt,
  anyTime,
  type ListItem,
  listOf,
  type ProductFields,
  passport,
  passportValue,
  productItem,
  type Template,
  wholeProduct,
} from './matchers.ts';

const invalid = failure(400, 'invalid_request');
const notFound = failure(404, 'not_found');

function numbered(count: number): readonly Given[] {
  return [aTenant, given('the tenant has numbered products', { count })];
}

/** Nothing but a product of another tenant. */
function foreign(product: ProductFacts): readonly Given[] {
  return [aTenant, given('another tenant with a product', { tenant: causeway, product })];
}

/** A row: the description, the provider states, the call with its request, and the response. */
function row(
  description: Case['description'],
  assumed: readonly Given[],
  plain: PlainCall,
  response: ExpectedResponse,
): Case {
  return { description, given: assumed, ...plain, response };
}

/**
 * Rows of one operation by description: what the call receives, the response, and the provider states.
 *
 * @param usual the provider states of a row that names none
 */
function rows<Input>(
  operation: Operation,
  plain: (input: Input) => PlainCall,
  usual: readonly Given[],
  all: Readonly<Record<string, readonly [input: Input, response: ExpectedResponse, assumed?: readonly Given[]]>>,
): Case[] {
  return Object.entries(all).map(([what, [input, response, assumed = usual]]) =>
    row(`${operation}: ${what}`, assumed, plain(input), response),
  );
}

/** The same call, whose body is replaced by text that is not JSON, or not sent as JSON. */
function raw({ call, request }: PlainCall, rawBody: RawBody): PlainCall {
  return { call, request: { ...request, body: undefined, rawBody }, isReplaced: true };
}

// The tenant.

function getMe(what: string, assumed: readonly Given[], products_total: number): Case {
  const response = ok({ tenant: { id: anyId, ...skellig, plan: anyPlan }, products_total });
  return row(`getMe: ${what}`, assumed, secured.getMe(), response);
}

// Products.

const hat = { name: 'Wool Hat Dún', slug: 'wool-hat-dun' };

function getProduct(what: string, facts: ProductFacts, fields: ProductFields = facts): Case {
  const assumed = [aTenant, aProduct(facts)];
  return row(`getProduct: ${what}`, assumed, secured.getProduct(facts.slug), ok(wholeProduct(fields)));
}

const registered = { registry_status: 'registered', registry_id: 'EU-DPP-DEMO-000011' } as const;

// Lists of products.

const named = { name: 'USB-C Cable', slug: 'usb-c-cable' };
const usbCable = { ...named, status: 'draft' } as const;
const mug = { name: 'Travel Mug', slug: 'travel-mug', status: 'active' } as const;
const lantern = { name: 'Lantern Straßburg', slug: 'lantern-strassburg', status: 'active' } as const;
const sleeve = { name: 'Cable Sleeve Ciarraí 100 %', slug: 'cable-sleeve-ciarrai-100', status: 'archived' } as const;
const assortment: readonly Given[] = [aTenant, ...[usbCable, mug, lantern, sleeve].map(aProduct)];

/** The numbered product at this position. */
function nth(number: number): Template<ListItem> {
  const digits = String(number).padStart(3, '0');
  return productItem({ name: `Product ${digits}`, slug: `product-${digits}` });
}

/** Any of the numbered products. */
const numberedItem: Template<ListItem> = {
  ...productItem({ name: 'Product 001', slug: 'product-001' }),
  name: MatchersV3.regex('^Product \\d{3}$', 'Product 001'),
  slug: MatchersV3.regex('^product-\\d{3}$', 'product-001'),
  unique_product_identifier: MatchersV3.regex('^urn:[^:]+:skellig:product-\\d{3}$', 'urn:dpp:skellig:product-001'),
};

function pageOf(items: Template<ListItem[]>, total: number, limit = 50, offset = 0): ExpectedResponse {
  return ok({ items, total, limit, offset });
}

function found(...fields: readonly ProductFields[]): ExpectedResponse {
  return pageOf(fields.map(productItem), fields.length);
}

const ofBoth = [...numbered(1), ...foreign(usbCable).slice(1)];

// Creations of products.

const created = ok(wholeProduct(named));
const createdWithSuffix = ok(wholeProduct({ ...named, slug: 'usb-c-cable-2' }));
const nameRequired = failure(400, 'name_required');
const unknownGroup = failure(400, 'unknown_product_group');
const invalidGtin = failure(400, 'invalid_gtin');

const tenant = [aTenant];
const withNamed = [aTenant, aProduct(named)];

// Passport values.

const cableDraft = { name: cable.name, slug: cable.slug, status: 'draft' } as const;

function values(...written: readonly PassportValueInput[]): Given {
  return given('the product has passport values', { product: cable.slug, values: written });
}

const serial = { field_key: 'serial_number', value: 'SN001' } as const;

type Fields = Parameters<typeof passportValue>[0];

function getPassport(
  what: string,
  assumed: readonly Given[],
  read: readonly Fields[],
  version?: Parameters<typeof passport>[2],
): Case {
  const response = ok(passport(cableDraft, read.map(passportValue), version));
  return row(`getPassport: ${what}`, [...aTenantWithCable, ...assumed], secured.getPassport(), response);
}

const ofEveryLevel = [
  { field_key: 'cable_length', value: 2.5, unit: 'm' },
  { field_key: 'halogen_free', value: true, access_level: 'restricted', source: 'supplier' },
  { field_key: 'voltage', value: '48', unit: 'V', source: 'manual', access_level: 'authority' },
] as const satisfies Fields[];

const ofEveryType: (PassportValueInput & Fields)[] = [
  { field_key: 'a_text', value: 'Fáilte' },
  { field_key: 'b_number', value: -0.5 },
  { field_key: 'c_truth', value: false },
  { field_key: 'd_null', value: null, is_unknown: true, needs_review: true },
  { field_key: 'e_list', value: [1, 'two', null] },
  { field_key: 'f_object', value: { en: 'cable', ga: { short: 'cábla' } } },
];

/** The salt and the hash from the example in the contract, which has the same three values. */
const exampleVersion = {
  salt: '6f1c9d0a4b7e42c3a85d3e90f2b16c47',
  content_hash: '3276b9144d191db3a3f5a33cb29d8ade968a25f5264e53383fae6093efe58de8',
};
const { salt } = exampleVersion;

/** @param findings of the claim `reference` */
function updated(count: number, findings?: number): ExpectedResponse {
  const response = ok({ updated: count, completeness: anyCompleteness });
  return findings === undefined ? response : { ...response, findings };
}

const cableLength = (value: PassportValue['value']) => ({ field_key: 'cable_length', value });
const voltage = { field_key: 'voltage', value: '48' };
const keyRequired = failure(400, 'field_key_required');

const withLength = [...aTenantWithCable, values({ ...cableLength(2), unit: 'm' })];
const full = [...aTenantWithCable, given('the passport is full', { product: cable.slug, values: 5000 })];

// Data carriers.

type CarrierFacts = StateParameters<'the product has a data carrier'>['carrier'];

function listCarriers(what: string, product: ProductFacts, ...facts: readonly CarrierFacts[]): Case {
  const items: Template<Carrier>[] = facts.map((carrier) => ({
    id: anyId,
    ...carrier,
    gs1_digital_link: addressTo(`/01/0${cable.gtin}`),
    created_at: anyTime,
  }));
  const states = facts.map((carrier) => given('the product has a data carrier', { product: cable.slug, carrier }));
  const assumed = [aTenant, aProduct(product), ...states];
  return row(`listCarriers: ${what} (reference)`, assumed, secured.listCarriers(), ok({ items }));
}

// Scan statistics.

function scans(product: { slug: string }, facts: Omit<StateParameters<'the product was scanned'>, 'product'>): Given {
  return given('the product was scanned', { product: product.slug, ...facts });
}

const threeToday: readonly Given[] = [
  aTenant,
  aProduct(cableOnSale),
  scans(cableOnSale, { role: 'consumer', days_ago: 0, times: 3 }),
];

/** Scans on both sides of the first day of each period. */
const aYear: readonly Given[] = [
  aTenant,
  aProduct(cableOnSale),
  aProduct(mug),
  scans(cableOnSale, { role: 'consumer', days_ago: 0, times: 3 }),
  scans(mug, { role: 'inspector', days_ago: 29, times: 1 }),
  scans(mug, { role: 'recycler', days_ago: 30, times: 4 }),
  scans(cableOnSale, { role: 'consumer', days_ago: 364, times: 1 }),
  scans(mug, { role: 'consumer', days_ago: 365, times: 16 }),
];

function statistics(
  days: number,
  [consumer, inspector, recycler]: readonly [number, number, number],
  ...top: readonly (readonly [ProductFacts, number])[]
): ExpectedResponse {
  return ok({
    days,
    per_day: listOf(days, { date: anyDay, count: anyCount }),
    total: consumer + inspector + recycler,
    by_view_role: { consumer, inspector, recycler },
    top_products: top.map(([{ slug, name }, count]) => ({ slug, name, count })),
  });
}

const month = statistics(30, [3, 1, 0], [cableOnSale, 3], [mug, 1]);
const year = statistics(365, [4, 1, 4], [mug, 5], [cableOnSale, 4]);
const foreignScans = given('another tenant with a product', { tenant: causeway, product: mug, scans: 5 });

// Passport pages and JSON-LD documents.

const withValues: readonly Given[] = [
  aTenant,
  aProduct(cableOnSale),
  values(
    { field_key: 'cable_length', value: 2, unit: 'm' },
    { field_key: 'halogen_free', value: null, is_unknown: true },
    { field_key: 'substances_of_concern', value: ['lead'], access_level: 'restricted' },
    { field_key: 'voltage', value: '48', access_level: 'authority' },
  ),
];

const documentAddress = addressTo(`/p/skellig/${cable.slug}/jsonld`);
const pageAddress = addressTo(`/p/skellig/${cable.slug}`);

function property<Level extends string>(propertyID: string, level: Level, more: object) {
  return {
    '@type': 'PropertyValue',
    propertyID,
    name: MatchersV3.string('Cable length'),
    ...more,
    'dpp:accessLevel': level,
    'dpp:locale': MatchersV3.string('en'),
  };
}

/** The document as the holder of an access token sees it. */
function documentOf(
  role: keyof ScanStatistics['by_view_role'],
  passportOfRole: object,
  ...more: readonly object[]
): Template<PassportDocument> {
  return {
    '@context': [
      'https://schema.org/',
      { gs1: 'https://ref.gs1.org/voc/', dpp: addressTo('/ns/dpp#'), 'gs1:dpp': { '@type': '@id' } },
    ],
    '@type': ['Product', 'gs1:Product'],
    '@id': addressTo(`/01/0${cable.gtin}`),
    identifier: MatchersV3.regex(`^urn:[^:]+:skellig:${cable.slug}$`, `urn:dpp:skellig:${cable.slug}`),
    name: cable.name,
    gtin14: `0${cable.gtin}`,
    'gs1:gtin': `0${cable.gtin}`,
    'gs1:productName': { '@value': cable.name, '@language': MatchersV3.string('en') },
    model: cable.model,
    category: cable.product_group,
    url: pageAddress,
    hasGS1DigitalLink: addressTo(`/01/0${cable.gtin}`),
    'gs1:dpp': documentAddress,
    ...(more.length > 0 ? { substanceOfConcern: ['lead'] } : {}),
    hasDigitalProductPassport: {
      '@type': 'DigitalProductPassport',
      '@id': documentAddress,
      identifier: { '@type': 'PropertyValue', propertyID: 'sha-256', name: 'content_hash', value: anyHash },
      version: MatchersV3.integer(2),
      dateModified: anyTime,
      inLanguage: MatchersV3.string('en'),
      issuedBy: { '@type': 'Organization', name: skellig.name },
      'dpp:templateVersion': MatchersV3.integer(1),
      'dpp:completeness': anyCompleteness,
      'dpp:publicContentHash': anyHash,
      'dpp:viewRole': role,
      ...passportOfRole,
    },
    additionalProperty: [
      property('cable_length', 'public', { value: 2, unitText: 'm', unitCode: 'MTR' }),
      property('halogen_free', 'public', { description: 'unknown', 'dpp:isUnknown': true }),
      ...more,
    ],
  } as Template<PassportDocument>;
}

const restricted = property('substances_of_concern', 'restricted', { value: { '@type': '@json', '@value': ['lead'] } });
const authority = property('voltage', 'authority', { value: '48' });

function getDocument(what: string, sees: Template<PassportDocument>, assumed = withValues, query?: Zugang): Case {
  const response = ok(sees, 'application/ld+json');
  return row(`getPassportJsonld: ${what} (reference)`, assumed, publicSide.getPassportJsonld(query), response);
}

type Zugang = { readonly zugang: string };

function getPassportPage(what: string, query?: Zugang | { readonly lang: 'de' }, assumed = withValues): Case {
  return row(`getPassportPage: ${what}`, assumed, publicSide.getPassportPage(query), page());
}

const notice = 'The access link is not valid. This is the public view.';

type TokenFacts = Omit<StateParameters<'the product has an access token'>, 'product'>;

/** The document and the page, read with an access token. */
function withToken(who: string, facts: TokenFacts, sees: Template<PassportDocument>): Case[] {
  const assumed = [...withValues, given('the product has an access token', { product: cable.slug, ...facts })];
  const query = { zugang: accessToken };
  const ofPage = facts.revoked ? `${who} (reference)` : who;
  return [getDocument(who, sees, assumed, query), getPassportPage(ofPage, query, assumed)];
}

// Digital Links.

const onSale: readonly Given[] = [aTenant, aProduct(cableOnSale)];
const link = `/01/${cable.gtin}`;

/** The public request of a path with a query. */
function getUrl(path: string): PlainCall['request'] {
  const { pathname, searchParams } = new URL(path, 'http://passports.test');
  return getPublic(pathname, Object.fromEntries(searchParams));
}

/** A request of a scanner or of another resolver. */
function resolve(what: Case['description'], path: string, response: ExpectedResponse, accept?: string): Case {
  const request = { ...getUrl(path), ...(accept !== undefined && { accept }) };
  return row(`${what} (reference)`, onSale, { call: ({ plain }) => plain(), request }, response);
}

/** The SDK's request for the address of a Digital Link, replaced by that of a phone. */
function resolveWithSdk(what: string, gtin: string, response: ExpectedResponse, query?: Zugang): Case {
  const call: Case['call'] = async ({ site }) => (await site.resolve(cable.gtin, query)).url;
  const request = getPublic(`/01/${gtin}`, query);
  return row(`resolveGtin: ${what}`, onSale, { call, request, isReplaced: true }, response);
}

/** A Digital Link that the resolver refuses, as an error of the SDK. */
function refusedLink(what: Case['description'], rest: string, response: ExpectedResponse, assumed = onSale): Case {
  const { call } = publicSide.resolveGtin();
  return row(`${what} (reference)`, assumed, { call, request: getUrl(`/01/${rest}`), isReplaced: true }, response);
}

/** The API's own description also allows a relative address. */
const pageReference = MatchersV3.regex(
  `^(https?://[^/]+)?/p/skellig/${cable.slug}$`,
  `https://passport.example.com/p/skellig/${cable.slug}`,
);
const pageWithToken = addressTo(`/p/skellig/${cable.slug}?zugang=no-token`);
const linksetJson = 'application/linkset+json';
const title = MatchersV3.string('Product passport');
const linkset = ok(
  {
    linkset: [
      {
        anchor: addressTo(`/01/0${cable.gtin}`),
        itemDescription: cable.name,
        'https://ref.gs1.org/voc/defaultLink': [{ href: pageAddress, title }],
        'https://ref.gs1.org/voc/pip': [{ href: pageAddress, title, type: 'text/html' }],
        'https://ref.gs1.org/voc/dpp': [{ href: documentAddress, title, type: 'application/ld+json' }],
      },
    ],
  },
  linksetJson,
);

/** The path of each operation after the GTIN, and the key qualifiers as the address of the page has them. */
const qualifiers = {
  resolveGtinCpv: ['/22/2A', 'cpv=2A'],
  resolveGtinBatch: ['/10/LOT-42', 'batch=LOT-42'],
  resolveGtinSerial: ['/21/SN001', 'serial=SN001'],
  resolveGtinCpvBatch: ['/22/2A/10/LOT-42', 'cpv=2A&batch=LOT-42'],
  resolveGtinCpvSerial: ['/22/2A/21/SN001', 'cpv=2A&serial=SN001'],
  resolveGtinBatchSerial: ['/10/LOT-42/21/SN001', 'batch=LOT-42&serial=SN001'],
  resolveGtinCpvBatchSerial: ['/22/2A/10/LOT-42/21/SN001', 'cpv=2A&batch=LOT-42&serial=SN001'],
  resolveGtinTpx: ['/235/TPX-7', 'tpx=TPX-7'],
} as const;

// Refused keys, missing products and internal failures, of every operation that has them.

const refusedKey = failure(401, 'invalid_api_key');
const invalidJson = failure(400, 'invalid_json');
const unsupportedType = failure(415, 'unsupported_media_type');

/** Reasons why a passport is not public. The response is the same for all of them. */
const notPublic: Readonly<Record<string, readonly Given[]>> = {
  'an unknown product': [aTenant],
  'a draft': [aTenant, aProduct(cable)],
  'an archived product': [aTenant, aProduct({ ...cable, status: 'archived' })],
  'a product of another tenant': foreign(cableOnSale),
};

const mayPublish = given('the tenant has an API key that may publish', {});
const publisher = [...aTenantWithCable, mayPublish];
const twin = { ...cableOnSale, slug: 'usb-c-cable-240-w-2-m-0002' };
const serialOf = (product: string): Given =>
  given('the product has passport values', { product, values: [{ field_key: 'serial_number', value: 'SC-0001' }] });

const failing = given('the service fails inside', {});
const failsInside = [...onSale, failing];

// The reads of EN 18222. Only the claim `reference` has them.

const isOperated = given('the tenant has an economic operator', { economic_operator_id: '0088:9520001000003' });
const id = encodeURIComponent(`https://passport.example.com/p/skellig/${cable.slug}/jsonld`);
const sent: Case['call'] = ({ plain }) => plain();
const length = { value: 2, unit: 'm' };
const dpp = ok({
  digitalProductPassportId: documentAddress,
  uniqueProductIdentifier: addressTo(`/01/0${cable.gtin}`),
  granularity: 'model',
  dppSchemaVersion: MatchersV3.string('EN 18223:2026'),
  dppStatus: 'active',
  lastUpdated: anyTime,
  economicOperatorId: '0088:9520001000003',
  contentSpecificationIds: [addressTo('/ns/dpp#group-cable')],
  cable_length: length,
});
const dppReads = {
  readDppById: [getPublic(`/dpp/v1/dpps/${id}`), dpp],
  readDppByProductId: [getPublic(`/dpp/v1/dppsByProductId/${cable.gtin}`), dpp],
  readDppVersionByIdAndDate: [getPublic(`/dpp/v1/dppsByIdAndDate/${id}`, { date: '9999-12-31T23:59:59Z' }), dpp],
  readDataElement: [getPublic(`/dpp/v1/dpps/${id}/elements/${encodeURIComponent("$['cable_length']")}`), ok(length)],
} as const;

function postIds(body: object): ExpectedRequest {
  return { method: 'POST', path: '/dpp/v1/dppsByProductIds', body };
}

/** A refusal with the body of these reads. Nothing of the SDK reads it. */
function dppFailure(status: number, code: string): ExpectedResponse {
  const body = { message: [{ messageType: 'Error', code, text: anyMessage }] };
  return { status, contentType: 'application/json', body };
}

export const interactions: readonly Case[] = [
  // The tenant.
  getMe('a tenant with products', numbered(3), 3),
  getMe('a tenant without products does not count those of another tenant', foreign(cable), 0),

  // Products.
  getProduct('a draft with all fields', cable),
  getProduct('a draft with only a name', hat),
  getProduct(
    'an active product in the registry (reference)',
    { ...cableOnSale, registered_as: registered.registry_id },
    { ...cableOnSale, ...registered },
  ),
  getProduct('an archived product', { ...cable, status: 'archived' }),

  // Lists of products.
  ...rows('listProducts', secured.listProducts, assortment, {
    'the default page of a longer list': [undefined, pageOf(listOf(50, numberedItem), 51), numbered(51)],
    'a tenant without products': [undefined, pageOf([], 0), [aTenant]],
    'without the products of another tenant': [undefined, pageOf([nth(1)], 1), ofBoth],
    'the first page, oldest first (reference)': [{ limit: 2 }, pageOf([nth(1), nth(2)], 5, 2), numbered(5)],
    'a page in the middle (reference)': [{ limit: 2, offset: 2 }, pageOf([nth(3), nth(4)], 5, 2, 2), numbered(5)],
    'the last page, which is not full (reference)': [{ limit: 2, offset: 4 }, pageOf([nth(5)], 5, 2, 4), numbered(5)],
    'an offset past the end': [{ limit: 2, offset: 6 }, pageOf([], 5, 2, 6), numbered(5)],
    'the maximum limit (reference)': [{ limit: 200 }, pageOf([nth(1), nth(2), nth(3)], 3, 200), numbered(3)],
    'a limit above the maximum (reference)': [
      { limit: 201 },
      pageOf(listOf(200, numberedItem), 201, 200),
      numbered(201),
    ],
    'a limit below the minimum (reference)': [{ limit: 0 }, pageOf([nth(1)], 2, 1), numbered(2)],
    'a negative offset (reference)': [{ offset: -1 }, pageOf([nth(1), nth(2)], 2), numbered(2)],

    'only draft products': [{ status: 'draft' }, found(usbCable)],
    // The order of the two products is that of the claim `reference`.
    'only active products (reference)': [{ status: 'active' }, found(mug, lantern)],
    'only archived products': [{ status: 'archived' }, found(sleeve)],

    'a search in another letter case, in every status (reference)': [{ search: 'CABLE' }, found(usbCable, sleeve)],
    'a search within a name, with letters beyond ASCII (reference)': [{ search: 'EVE CIARRAÍ' }, found(sleeve)],
    'a search with full Unicode case folding (reference)': [{ search: 'STRASSB' }, found(lantern)],
    'a search for a character that is a wildcard in SQL': [{ search: '%' }, found(sleeve)],
    'a search that finds nothing': [{ search: 'Bicycle' }, found()],
    'filter and search together': [{ status: 'archived', search: 'cable' }, found(sleeve)],
    'a page of search results (reference)': [
      { search: 'cable', limit: 1, offset: 1 },
      pageOf([productItem(sleeve)], 2, 1, 1),
    ],

    'a GTIN in its form of 14 digits (reference)': [
      { gtin: `0${cable.gtin}` },
      found({ ...cable, serial_number: null }),
      [...assortment, aProduct(cable)],
    ],
    'the item with a GTIN and a serial number (reference)': [
      { gtin: cable.gtin, serial: serial.value },
      found({ ...cable, serial_number: serial.value }),
      [...aTenantWithCable, values(serial)],
    ],
    'an empty serial number, which no item has (reference)': [
      { serial: '' },
      found({ ...mug, serial_number: null }),
      [...aTenantWithCable, values(serial), aProduct(mug)],
    ],
    'a GTIN of 9 digits (reference)': [{ gtin: '952000027' }, invalidGtin, [aTenant]],

    'a limit that is not a whole number (reference)': [{ limit: 2.5 }, invalid, numbered(1)],
    // The SDK refuses NaN itself.
    'an offset that is not a number (reference)': [{ offset: 'NaN' as unknown as number }, invalid, numbered(1)],
  }),

  // Creations of products.
  ...rows('createProduct', secured.createProduct, tenant, {
    'all fields': [cable, ok(wholeProduct(cable))],
    'only a name, from which the slug is derived (reference)': [{ name: named.name }, created],
    'null in optional fields (reference)': [{ ...named, ...nullFields }, created],
    'a slug that another product of the tenant has (reference)': [named, createdWithSuffix, withNamed],
    'a name whose slug another product of the tenant has (reference)': [
      { name: named.name },
      createdWithSuffix,
      withNamed,
    ],
    ...Object.fromEntries(
      ['95200002', '952000100009', '9520001200045', '09520001200045'].map((gtin) => [
        `a GTIN of ${gtin.length} digits`,
        [{ ...named, gtin }, ok(wholeProduct({ ...named, gtin }))] as const,
      ]),
    ),
    'a GTIN of 7 digits (reference)': [{ ...named, gtin: '9520000' }, invalidGtin],
    'a GTIN of 9 digits (reference)': [{ ...named, gtin: '952000027' }, invalidGtin],
    'a GTIN of 11 digits (reference)': [{ ...named, gtin: '95200010000' }, invalidGtin],
    'a GTIN of 15 digits (reference)': [{ ...named, gtin: '952000120004500' }, invalidGtin],
    'a GTIN with a letter (reference)': [{ ...named, gtin: '95200002X' }, invalidGtin],
    'a GTIN that is empty (reference)': [{ ...named, gtin: '' }, invalidGtin],
    'no name': [{ product_group: 'cable' }, nameRequired],
    'an empty name': [{ name: '' }, nameRequired],
    'a group without a template': [{ ...named, product_group: 'spaceship' }, unknownGroup],
    'an empty group': [{ ...named, product_group: '' }, unknownGroup],
    'no name and a group without a template, where the error names the name first (reference)': [
      { name: ' ', product_group: 'spaceship' },
      nameRequired,
    ],
    'a malformed slug (reference)': [{ ...named, slug: 'USB C' }, invalid],
  }),

  // Statuses.
  ...rows(
    'setProductStatus',
    (body: ProductStatusChange) => secured.setProductStatus(body, keys.publishing),
    publisher,
    {
      'a draft becomes active (reference)': [
        { status: 'active', accept_findings: true },
        ok(wholeProduct(cableOnSale)),
      ],
      'an active product becomes archived (reference)': [
        { status: 'archived' },
        ok(wholeProduct({ ...cable, status: 'archived' })),
        [...onSale, mayPublish],
      ],
      'the status that the product has already (reference)': [
        { status: 'active' },
        ok(wholeProduct(cableOnSale)),
        [...onSale, mayPublish],
      ],
      'a serial number that another active product of the GTIN has (reference)': [
        { status: 'active', accept_findings: true },
        failure(409, 'value_in_use'),
        [...publisher, aProduct(twin), ...[cable, twin].map(({ slug }) => serialOf(slug))],
      ],
      'a draft (reference)': [{ status: 'draft' as 'active' }, invalid],
      'a status that does not exist (reference)': [{ status: 'sold' as 'active' }, invalid],
    },
  ),
  row(
    'setProductStatus: with a key that cannot publish (reference)',
    aTenantWithCable,
    secured.setProductStatus(),
    failure(403, 'key_cannot_publish'),
  ),

  // Passport values.
  getPassport(
    'values of every access level, sorted by field_key (reference)',
    [values(...ofEveryLevel.toReversed())],
    ofEveryLevel,
  ),
  getPassport('values of every JSON type, unchanged (reference)', [values(...ofEveryType)], ofEveryType),
  getPassport(
    'an update without unit and access level keeps both (reference)',
    [
      values({ field_key: 'cable_length', value: 2, unit: 'm', access_level: 'restricted', source: 'manual' }),
      values({ field_key: 'cable_length', value: 3 }),
    ],
    [{ field_key: 'cable_length', value: 3, unit: 'm', access_level: 'restricted' }],
  ),
  getPassport(
    'a field written twice in one request keeps the access level of the first (reference)',
    [values({ field_key: 'voltage', value: '48', access_level: 'restricted' }, { field_key: 'voltage', value: '50' })],
    [{ field_key: 'voltage', value: '50', access_level: 'restricted' }],
  ),
  getPassport(
    'the content hash covers the salt and the values as the contract defines (reference)',
    [given('the product has passport values', { product: cable.slug, values: threeValues, salt })],
    threeValues,
    exampleVersion,
  ),
  getPassport(
    'keys sorted by UTF-16 code units, an emoji before a full-width letter (reference)',
    [values({ field_key: '\uff21', value: 2 }, { field_key: '\u{1f50c}', value: 1 })],
    [
      { field_key: '\u{1f50c}', value: 1 },
      { field_key: '\uff21', value: 2 },
    ],
  ),
  getPassport('a new product has a version without values', [], [], {}),

  ...rows('putPassport', secured.putPassport, aTenantWithCable, {
    'new fields': [threeValues, updated(3)],
    'one existing and one new field': [[cableLength('2.5'), voltage], updated(2), withLength],
    'a field written twice counts once (reference)': [[cableLength('2'), cableLength('3')], updated(1, 1)],
    'a value that fits the template (reference)': [[{ ...cableLength(2), unit: 'm' }], updated(1, 0)],
    'a misspelt key (reference)': [[{ field_key: 'cable_lenght', value: 2, unit: 'm' }], updated(1, 1)],
    'an empty array': [[], updated(0)],
    'an element without field_key': [[...threeValues, { value: 2 }], keyRequired],
    'an element with an empty field_key': [[{ field_key: '', value: 2 }], keyRequired],
    'an access level that does not exist (reference)': [[{ ...voltage, access_level: 'secret' }], invalid],
    'one value more than the limit of a passport (reference)': [[voltage], invalid, full],
  }),
  // The SDK refuses it itself.
  row(
    'putPassport: a body that is not an array',
    aTenantWithCable,
    { ...secured.putPassport(cableLength(2)), call: secured.putPassport().call, isReplaced: true },
    failure(400, 'values_must_be_array'),
  ),

  // Data carriers.
  listCarriers(
    'a QR code and an NFC tag, oldest first',
    cable,
    { type: 'qr', nfc_tag_uid: null, status: 'active' },
    { type: 'nfc', nfc_tag_uid: '04A224B1C36F80', status: 'deprecated' },
  ),
  listCarriers('a product without a data carrier', cable),
  listCarriers('a product without a GTIN', { name: cable.name, slug: cable.slug, status: 'active' }),

  // Scan statistics.
  ...rows('getScanStatistics', secured.getScanStatistics, aYear, {
    'the default period (reference)': [undefined, month],
    'a day without scans (reference)': [{ days: 1 }, statistics(1, [0, 0, 0]), tenant],
    'the maximum period (reference)': [{ days: 365 }, year],
    'a period above the maximum (reference)': [{ days: 366 }, year],
    'a period below the minimum (reference)': [{ days: 0 }, statistics(1, [3, 0, 0], [cableOnSale, 3]), threeToday],
    'without the scans of another tenant (reference)': [{ days: 1 }, statistics(1, [0, 0, 0]), [aTenant, foreignScans]],
    'a period that is not a whole number (reference)': [{ days: 1.5 }, invalid, tenant],
  }),

  // Passport pages and JSON-LD documents.
  getPassportPage('an active product'),
  getPassportPage('an unknown access token shows the public page (reference)', { zugang: 'no-token' }),
  getPassportPage('in the requested language (reference)', { lang: 'de' }),
  getDocument('an active product with its public values only', documentOf('consumer', {})),
  ...withToken(
    "with a recycler's token, restricted values too",
    { role: 'recycler', revoked: false },
    documentOf('recycler', {}, restricted),
  ),
  ...withToken(
    "with an inspector's token, every value, and the salt of the hash",
    { role: 'inspector', revoked: false },
    documentOf('inspector', { 'dpp:contentSalt': anySalt }, restricted, authority),
  ),
  ...withToken(
    'with a revoked token, public values only, with a notice',
    { role: 'inspector', revoked: true },
    documentOf('consumer', { 'dpp:notice': notice }),
  ),

  // Digital Links.
  resolveWithSdk('the GTIN as the product has it', cable.gtin, redirect(pageReference)),
  resolveWithSdk('the GTIN in its 14-digit form (reference)', `0${cable.gtin}`, redirect(pageAddress)),
  resolveWithSdk('the redirect keeps the access token (reference)', cable.gtin, redirect(pageWithToken), {
    zugang: 'no-token',
  }),
  resolve('resolveGtin: the link type of the JSON-LD document', `${link}?linkType=gs1:dpp`, redirect(documentAddress)),
  resolve(
    'resolveGtin: the link type of the page; the redirect keeps the rest of the query',
    `${link}?linkType=gs1:pip&zugang=no-token`,
    redirect(pageWithToken),
  ),
  resolve('resolveGtin: a client that prefers JSON-LD', link, redirect(documentAddress), 'application/ld+json'),
  resolve('resolveGtin: the linkset', `${link}?linkType=linkset`, linkset),
  resolve('resolveGtin: a client that prefers the linkset', link, linkset, linksetJson),
  ...entriesOf(qualifiers).map(([operation, [path, query]]) => {
    const response = redirect(addressTo(`/p/skellig/${cable.slug}?${query}`));
    return resolve(`${operation}: redirects to the passport of the GTIN`, link + path, response);
  }),
  refusedLink('resolveGtin: an unknown link type', `${cable.gtin}?linkType=gs1:recipeInfo`, notFound),
  refusedLink('resolveGtinSerial: a serial number that is too long', `${cable.gtin}/21/${'9'.repeat(21)}`, invalid),
  ...['9520000', '95200010000', '9520001200045X'].map((gtin) =>
    refusedLink(`resolveGtin: ${gtin}, which is not a GTIN`, gtin, invalidGtin, tenant),
  ),
  row(
    'getResolverDescription: the description of the resolver (reference)',
    [aTenant],
    { call: ({ plain }) => plain(), request: getPublic('/.well-known/gs1resolver') },
    ok({
      name: MatchersV3.string('Product Passport Service'),
      resolverRoot: addressTo(''),
      supportedPrimaryKeys: ['01'],
      supportedLinkType: [{ namespace: 'https://ref.gs1.org/voc/', prefix: 'gs1:' }],
      linkTypeDefaultCanBeLinkset: false,
    }),
  ),

  // Refused keys, missing products and internal failures, of every operation that has them.
  ...entriesOf(secured).flatMap(([operation, plain]): Case[] => {
    const { call, request } = plain();
    const { key: _, ...rest } = request;
    const keyless = { call, request: rest, isReplaced: true };
    const withKey = (key: string) => ({ call, request: { ...request, key } });
    const withRevoked = [...aTenantWithCable, given('the tenant has revoked an API key', {})];
    return [
      row(`${operation}: without an API key`, aTenantWithCable, keyless, refusedKey),
      row(`${operation}: with an unknown API key`, aTenantWithCable, withKey(keys.unknown), refusedKey),
      row(`${operation}: with a revoked API key`, withRevoked, withKey(keys.revoked), refusedKey),
    ];
  }),

  ...(['createProduct', 'putPassport', 'setProductStatus'] as const).flatMap((operation): Case[] => {
    const assumed = operation === 'createProduct' ? tenant : aTenantWithCable;
    const plain = secured[operation]();
    return [
      row(`${operation}: a body that is not JSON`, assumed, raw(plain, brokenJson), invalidJson),
      row(`${operation}: a content type other than JSON (reference)`, assumed, raw(plain, plainText), unsupportedType),
    ];
  }),

  ...(['getProduct', 'getPassport', 'putPassport', 'setProductStatus', 'listCarriers'] as const).flatMap(
    (operation): Case[] => [
      row(`${operation}: an unknown product`, tenant, secured[operation](), notFound),
      row(`${operation}: a product of another tenant`, foreign(cable), secured[operation](), notFound),
    ],
  ),

  ...entriesOf(publicSide).flatMap(([operation, plain]): Case[] => {
    const failed = operation === 'getPassportPage' ? failurePage : failure;
    // The resolver has no tenant in its path, so the GTIN of another tenant resolves.
    const reasons = Object.entries(notPublic).filter(
      ([reason]) => operation !== 'resolveGtin' || reason !== 'a product of another tenant',
    );
    return [
      ...reasons.map(([reason, assumed]) =>
        row(`${operation}: ${reason} (reference)`, assumed, plain(), failed(404, 'not_found')),
      ),
      row(`${operation}: an internal failure (reference)`, failsInside, plain(), failed(500, 'internal_error')),
    ];
  }),

  ...entriesOf(dppReads).flatMap(([operation, [request, response]]): Case[] => {
    const plain = { call: sent, request };
    const shown = [...withValues, isOperated];
    return [
      row(`${operation}: an active product (reference)`, shown, plain, response),
      row(`${operation}: a tenant without an operator (reference)`, withValues, plain, dppFailure(404, 'not_found')),
      row(`${operation}: an unknown product (reference)`, [aTenant, isOperated], plain, dppFailure(404, 'not_found')),
      row(
        `${operation}: an internal failure (reference)`,
        [...onSale, isOperated, failing],
        plain,
        dppFailure(500, 'internal_error'),
      ),
    ];
  }),
  row(
    'readDppIdsByProductIds: a product with a passport and an unknown one (reference)',
    [...onSale, isOperated],
    { call: sent, request: postIds({ productIds: [cable.gtin, '96385074'] }) },
    ok([documentAddress]),
  ),
  row(
    'readDppIdsByProductIds: a body that is not JSON (reference)',
    [aTenant, isOperated],
    raw({ call: sent, request: postIds([]) }, brokenJson),
    dppFailure(400, 'invalid_json'),
  ),
  row(
    'readDppIdsByProductIds: no identifiers (reference)',
    [aTenant, isOperated],
    { call: sent, request: postIds([]) },
    dppFailure(400, 'invalid_request'),
  ),

  ...entriesOf(secured).map(([operation, plain]) =>
    row(`${operation}: an internal failure`, [...aTenantWithCable, failing], plain(), failure(500, 'internal_error')),
  ),
];
