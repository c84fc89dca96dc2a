/**
 * What a judge finds: the rules `reference` are the whole contract, and the description leaves the rest
 * open. The snapshot has the findings. Real responses of every kind, which pass, are judged in all tests of the server.
 */
import { expect, test } from '@jest/globals';
import { readContract } from '@product-passport/openapi';
import { createJudge, type Judge, type ReceivedResponse, type RequestToJudge } from './judge.ts';

const contract = readContract();
const reference = createJudge(contract);
const description = createJudge(contract, { rules: 'description' });

/** The contract's first example of a response with status 200. */
function exampleOf(operationId: string): unknown {
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  const [media] = Object.values(operation?.responses['200']?.content ?? {});
  return Object.values(media?.examples ?? {})[0]?.value;
}

function inBoth(findingsOf: (judge: Judge) => readonly string[]): object {
  return { reference: findingsOf(reference), description: findingsOf(description) };
}

function linesOf(judge: Judge, received: ReceivedResponse): string[] {
  return judge.response(received).map(({ severity, where, what }) => `${severity}: ${where} ${what}`);
}

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'a-1',
};

/** A response with other members than the contract's example. */
function ok(operationId: string, members: object): ReceivedResponse {
  return { operationId, status: 200, headers, body: { ...Object(exampleOf(operationId)), ...members } };
}

function refused(operationId: string | undefined, status: number, code: unknown, others: object = {}) {
  return { operationId, status, headers, body: { error: { code, message: 'No.', ...others } } };
}

function passport(members: object): ReceivedResponse {
  const { values } = exampleOf('getPassport') as { values: object[] };
  return ok('getPassport', { values: [{ ...values[0], ...members }] });
}

function at(line: string, received: ReceivedResponse, own: object = {}): ReceivedResponse {
  const [method, path] = line.split(' ');
  return { ...received, operationId: undefined, method, path, headers: { ...received.headers, ...own } };
}

const headed = (own: object): ReceivedResponse => ({ ...ok('getMe', {}), headers: { ...headers, ...own } });
const asHtml = { 'content-type': 'text/html; charset=utf-8' };
const asText = { 'content-type': 'text/plain' };

/** A response of a public operation, without the envelope of the API's errors. */
function publicly(operationId: string, status: number, own: object, body = 'No.'): ReceivedResponse {
  return { operationId, status, headers: { ...headers, 'access-control-allow-origin': '*', ...own }, body };
}

const notFound = refused(undefined, 404, 'not_found');
const notAllowed = refused(undefined, 405, 'method_not_allowed');
const failed = refused(undefined, 500, 'internal_error');
const keyless = refused(undefined, 401, 'invalid_api_key');
const page = { ...notFound, headers: { ...headers, ...asHtml }, body: 'No.' };
const allow = { allow: 'GET, HEAD' };
const toPage = { 'cache-control': 'no-cache', location: '/p/skellig/cable' };
const me = exampleOf('getMe') as { tenant: object };
const product = exampleOf('getProduct') as object;
const [carrier] = (exampleOf('listCarriers') as { items: object[] }).items;

const responses: Readonly<Record<string, ReceivedResponse>> = {
  // The request that a response belongs to.
  'a path with a query and a trailing slash': at('get /api/v1/products/a/?x=1#y', ok('getProduct', {})),
  'a body for HEAD': at('HEAD /api/v1/products/a', ok('getProduct', {})),
  'an unknown path with another code': at('GET /api/v1/nothing', refused(undefined, 404, 'invalid_json')),
  'an unknown path with another status': at('GET /api/v1/nothing', refused(undefined, 413, 'payload_too_large')),
  'a page for an unknown path': at('GET /api/v1/nothing', page),
  'a failure at an unknown method of the API': at('DELETE /api/v1/me', failed),
  'a failure at an unknown path elsewhere': at('GET /nothing', failed),
  '401 for an unknown path elsewhere': at('GET /nothing', keyless, { 'www-authenticate': 'Bearer' }),
  '204 for OPTIONS of a path of the API': at('OPTIONS /api/v1/me', { status: 204, headers: {} }),
  '408 for OPTIONS': at('OPTIONS /01/09520001000072', refused(undefined, 408, 'request_timeout')),
  '405 without Allow': at('DELETE /api/v1/products', notAllowed),
  '405 whose Allow lacks HEAD': at('DELETE /api/v1/products', notAllowed, { allow: 'GET, POST' }),
  '405 for a documented method': at('GET /api/v1/products', notAllowed, allow),
  '405 of the passport page in JSON': at('POST /p/skellig/cable', notAllowed, allow),
  '405 of the document in HTML': at('POST /p/skellig/cable/jsonld', { ...page, status: 405 }, allow),
  '400 for bytes that are not HTTP': refused(undefined, 400, 'invalid_request'),
  '400 for a request that cannot be wrong': refused('getMe', 400, 'invalid_request'),
  '431 with the code of 408': refused('getMe', 431, 'request_timeout'),

  // Statuses and codes.
  'another success than 200': { ...ok('createProduct', {}), status: 201 },
  'an error with the status of a success': refused('getMe', 200, 'invalid_api_key'),
  'another redirect than 302 and 307': publicly('resolveGtin', 303, { location: 'https://a.example' }, ''),
  'an undocumented error': refused('getMe', 404, 'not_found'),
  'an undocumented error with a code': refused('createProduct', 409, 'slug_taken'),
  'an undocumented error without the envelope': { ...refused('createProduct', 409, ''), body: { error: 'slug_taken' } },
  'a described code with another status': refused('createProduct', 422, 'name_required'),
  'a code of another status': refused('putPassport', 400, 'not_found'),
  'a code of another operation': refused('putPassport', 400, 'name_required'),
  'another code for a bad body': refused('createProduct', 400, 'gtin_wrong'),
  'another code for a missing product': refused('getProduct', 404, 'no_product'),
  'another code for an invalid key': refused('getMe', 401, 'unauthorized'),
  'a code that is a number': refused('createProduct', 400, 7),
  '429 with another code': refused('getMe', 429, 'slow_down'),
  '429 without the envelope': { ...refused('getMe', 429, ''), body: { error: 'slow_down' } },
  'an undocumented public error': publicly('getPassportPage', 410, asText),
  'a public error in plain text': publicly('resolveGtin', 404, asText),

  // Headers and content types.
  'a missing header': headed({ 'cache-control': undefined }),
  'a header with a wrong value': headed({ 'cache-control': 'public' }),
  'an undocumented header': headed({ server: 'hapi', date: 'today' }),
  'a Retry-After that is not a number': {
    ...refused('getMe', 503, 'service_unavailable'),
    headers: { ...headers, 'retry-after': 'soon' },
  },
  ...Object.fromEntries(
    [
      undefined,
      'application/json',
      'Application/JSON; charset="UTF-8"',
      'application/json; charset=utf-8; v=1',
      'application/json; charset=iso-8859-1',
      'text/html; charset=utf-8',
    ].map((type) => [`the content type ${type}`, headed({ 'content-type': type })]),
  ),
  'a redirect with a text': publicly('resolveGtin', 302, toPage, 'Found. Redirecting.'),

  // Bodies.
  'a body that is not JSON': { ...ok('getMe', {}), body: '{' },
  'no body': { ...ok('getMe', {}), body: '' },
  'bytes that are not UTF-8': { ...ok('getMe', {}), isUtf8: false },
  'an undocumented field, through allOf': ok('getProduct', { tenant_id: 7 }),
  'an undocumented field of a nested object': ok('getMe', { tenant: { ...me.tenant, vat: '1' } }),
  'an undocumented field of an item': ok('listProducts', { items: [product] }),
  'an undocumented field of a value': passport({ tenant: 1 }),
  'undocumented fields of an error, and a wrong code': refused('getProduct', 404, 'nothing', { stack: '' }),
  'a missing field': ok('getMe', { tenant: undefined }),
  'fields of a wrong type or format': ok('getProduct', { model: undefined, completeness: '100', gtin: '12' }),
  'an unknown value of a set that may grow': ok('getProduct', { product_group: 'spaceship' }),
  'an unknown value of a set that may not grow': passport({ access_level: 'secret' }),
  'SQL in a message': refused('getProduct', 404, 'not_found', { message: 'select * from `products`' }),
  'a stack trace on a page': publicly('getPassportPage', 404, asHtml, 'Error<br>\n    at read (/srv/page.js:3:5)'),

  // What the description leaves open, and what it does not.
  'other ids, times, names and statuses of the registry': ok('getProduct', {
    ...{ id: '17', created_at: '2026-10-05T08:00:00Z', updated_at: '2026-10-12T16:31:07+02:00' },
    ...{ registry_status: 'paused', registry_id: 17, product_group: undefined, group: 'cable' },
  }),
  'no registry_id': ok('getProduct', { registry_id: undefined }),
  'a GTIN of 9 digits': ok('getProduct', { gtin: '123456789' }),
  'no number of products': ok('getMe', { products_total: undefined }),
  'a country in lower case': ok('getMe', { tenant: { ...me.tenant, country: 'de' } }),
  'a country of three letters': ok('getMe', { tenant: { ...me.tenant, country: 'DEU' } }),
  'a value without unit and flags': passport({ unit: undefined, is_unknown: undefined, needs_review: undefined }),
  'a flag that is text': passport({ is_unknown: 'no' }),
  'the latest version null': ok('getPassport', { latest_version: null }),
  'a latest version without a salt': ok('getPassport', { latest_version: { content_hash: '', created_at: 'now' } }),
  'a latest version that is text': ok('getPassport', { latest_version: 'v2' }),
  'statistics without roles': ok('getScanStatistics', { by_view_role: {} }),
  'a link without /01/': ok('listCarriers', { items: [{ ...carrier, gs1_digital_link: 'https://a.example/qr/17' }] }),
  'a document of another form': publicly('getPassportJsonld', 200, { 'content-type': 'application/ld+json' }, '{}'),
};

test.each(Object.entries(responses))('a response: %s', (_what, received) => {
  // JSON leaves out members that are undefined.
  const sent = typeof received.body === 'object' ? { ...received, body: JSON.stringify(received.body) } : received;
  expect(inBoth((judge) => linesOf(judge, sent))).toMatchSnapshot();
});

test.each([500, 502, 503])('a test that provokes no failure may not get %d', (status) => {
  const strict = createJudge(contract, { rules: 'description', serverErrors: 'failure' });
  expect(linesOf(strict, refused('listProducts', status, 'internal_error'))).toEqual([
    `failure: status ${status} is a failure of listProducts`,
  ]);
});

const creation = (body: unknown): RequestToJudge => ({ operationId: 'createProduct', body });
const named = (members: object): RequestToJudge => creation({ name: 'a', ...members });
const write = (...body: readonly unknown[]): RequestToJudge => ({
  ...{ operationId: 'putPassport', pathParameters: { slug: 'cable' }, body },
});
const list = (query: NonNullable<RequestToJudge['query']>): RequestToJudge => ({ operationId: 'listProducts', query });
const link = (gtin: string, batch?: string): RequestToJudge => ({
  operationId: batch === undefined ? 'resolveGtin' : 'resolveGtinBatch',
  pathParameters: { gtin, ...(batch !== undefined && { batch }) },
});
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
const malformed = { slug: 'No_Slug' };

/** Without findings the service must accept the request. The pact has the requests of each error code. */
const requests: Readonly<Record<string, RequestToJudge>> = {
  'unknown fields': named({ id: 7, status: 'active' }),
  'a name that is too long before it is trimmed': creation({ name: `  ${'x'.repeat(500)}  ` }),
  'a name of 500 code points': creation({ name: '🧶'.repeat(500) }),
  'a name that is too long': named({ name: 'x'.repeat(501), gtin: '1' }),
  'a creation without a body': creation(undefined),
  'a creation from an array': creation([]),
  'no name': creation({}),
  'a null name': creation({ name: null }),
  'a blank name': creation({ name: ' \u00a0' }),
  'a name that is a number': creation({ name: 5 }),
  'a GTIN of 9 digits': named({ gtin: '123456789' }),
  'a GTIN with a line end': named({ gtin: '12345678\n' }),
  'U+0000 in a field that is ignored': named({ note: 'x\0' }),
  'a lone surrogate': creation({ name: '\ud800' }),
  'a member __proto__': creation(JSON.parse('{"name":"a","x":{"__proto__":1}}')),
  'faults in the order of the checks': creation({ model: 5, gtin: '1', product_group: 'x', name: '' }),
  'a value as it was read before': write({ field_key: 'a', value: null, unit: null, locale: 5, updated_at: null }),
  'a value of 32 levels': write({ field_key: 'a', value: nested(32) }),
  'a value of 33 levels': write({ field_key: 'a', value: nested(33) }),
  'a value of 10,001 nodes': write({ field_key: 'a', value: Array.from({ length: 10_000 }, () => 0) }),
  'a write of null': { ...write(), body: null },
  'an element that is not an object': write(7),
  'no value, and a null source': write({ field_key: 'a', source: null }),
  'too many elements, before the faults of the elements': write(...Array.from({ length: 1001 }, () => ({ value: 1 }))),
  'a malformed slug': { operationId: 'getProduct', pathParameters: malformed },
  'a malformed slug, after the faults of the body': { ...write({ field_key: 'a' }), pathParameters: malformed },
  ...Object.fromEntries(['0', '1.5', ' 5', ''].map((limit) => [`the limit "${limit}"`, list({ limit })])),
  'two limits': list({ limit: ['1', '2'] }),
  'a large offset': list({ offset: '99999999999999999999' }),
  'a status that does not exist': list({ status: 'deleted' }),
  'an unknown parameter twice': list({ unknown: ['1', '2'] }),
  'a link to 11 digits': link('95200010000'),
  ...Object.fromEntries(
    ['!"%&\'()*+,-./:;<=>?_', '9'.repeat(21), 'a b', 'ä'].map((text) => [
      `the batch ${text}`,
      link('09520001000072', text),
    ]),
  ),
  'two tokens, for which the operation has no code': {
    operationId: 'getPassportPage',
    pathParameters: { tenant: 'skellig', product: 'cable' },
    query: { zugang: ['a', 'b'] },
  },
};

test.each(Object.entries(requests))('a request: %s', (_what, request) => {
  const shown = (judge: Judge) =>
    judge.request(request).map(({ code = 'any code', where, what }) => `${code}: ${where} ${what}`);
  // Each of too many elements has a finding.
  expect(inBoth((judge) => shown(judge).slice(0, 5))).toMatchSnapshot();
});

test('the body of a request stays unchanged', () => {
  const body = { name: ' a ', gtin: '1' };
  reference.request(creation(body));
  expect(body.name).toBe(' a ');
});
