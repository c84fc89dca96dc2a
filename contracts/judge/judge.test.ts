import { describe, expect, test } from '@jest/globals';
import { readContract } from '@product-passport/openapi';
import type { Finding } from './finding.ts';
import { createJudge, type ReceivedResponse, type RequestLine, type RequestToJudge } from './judge.ts';

const judge = createJudge();
const contract = readContract();

const apiHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'a-1',
};

const product = {
  id: '019b0a3c-5e10-7b20-9d21-aa0f5d1e0b01',
  name: 'Merinopullover Fjord',
  slug: 'merinopullover-fjord',
  status: 'active',
  gtin: '9520001000010',
  completeness: 100,
  registry_status: 'registered',
  unique_product_identifier: 'urn:dpp:nordlicht:merinopullover-fjord',
  created_at: '2026-10-05T08:00:00.000Z',
  updated_at: '2026-10-12T14:31:07.201Z',
};
const getProduct = contract.operations.find(({ operationId }) => operationId === 'getProduct');
const [example] = Object.values(getProduct?.responses['200']?.content?.['application/json']?.examples ?? {});
// A field that a test does not name comes from the contract's example.
const wholeProduct: Record<string, unknown> = { ...(example?.value as object), ...product };

function response(change: Partial<ReceivedResponse>): ReceivedResponse {
  return { status: 200, headers: apiHeaders, body: wholeProduct, ...change };
}

function errorResponse(status: number, code: string): ReceivedResponse {
  return { status, headers: apiHeaders, body: { error: { code, message: 'No.' } } };
}

describe('a valid response', () => {
  const examples = contract.operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, response]) =>
      Object.entries(response.content ?? {}).flatMap(([mediaType, media]) =>
        Object.entries(media.examples ?? {}).map(([name, { value }]) => {
          const documented = Object.entries(response.headers ?? {});
          const headers = Object.fromEntries(
            documented.map(([header, { schema }]) => [header, String([schema.examples].flat()[0])]),
          );
          const asText = mediaType.endsWith('json') ? JSON.stringify(value) : value;
          const received = { ...headers, 'content-type': `${mediaType}; charset=utf-8` };
          return { operationId, status: Number(status), name, headers: received, body: asText };
        }),
      ),
    ),
  );

  test.each(examples)('is the example $operationId $status $name', ({ operationId, status, headers, body }) => {
    expect(judge.response({ operationId, status, headers, body })).toEqual([]);
  });
});

const tenant = { id: product.id, name: 'Nordlicht', slug: 'nordlicht', country: 'DE', plan: 'business' };
const passportValue = {
  ...{ field_key: 'a', unit: null, source: 'import', access_level: 'public', is_unknown: false },
  ...{ needs_review: false, locale: 'de', updated_at: product.updated_at, value: { any: [{ thing: 1 }] } },
};

function passportWith(value: object): object {
  const { id, name, slug, status, completeness } = product;
  return {
    product: { id, name, slug, status, completeness },
    template_version: 1,
    values: [value],
    latest_version: { content_hash: 'a'.repeat(64), salt: '0'.repeat(32), created_at: product.updated_at },
  };
}

type Received = RequestLine & ReceivedResponse;

const of = (operationId: string, change: Partial<ReceivedResponse> = {}): Received => ({
  operationId,
  ...response(change),
});
const productWith = (fields: object): Received => of('getProduct', { body: { ...wholeProduct, ...fields } });
const headed = (headers: object): Received => of('getProduct', { headers: { ...apiHeaders, ...headers } });
const refusedBy = (operationId: string, status: number, code: string): Received => ({
  operationId,
  ...errorResponse(status, code),
});
const at = (method: string, path: string, received: ReceivedResponse): Received => ({ method, path, ...received });
const { model: _model, ...withoutModel } = wholeProduct;
const { 'cache-control': _cache, ...withoutCache } = apiHeaders;
const allow = { ...apiHeaders, allow: 'GET, HEAD, POST' };
const notAllowed = errorResponse(405, 'method_not_allowed');
const htmlRefusal: ReceivedResponse = {
  status: 405,
  headers: { ...apiHeaders, 'content-type': 'text/html; charset=utf-8', allow: 'GET, HEAD' },
  body: '<!doctype html><title>No</title>',
};
const jsonRefusal: ReceivedResponse = { ...notAllowed, headers: { ...allow, allow: 'GET, HEAD' } };
const failed = errorResponse(500, 'internal_error');
const keyless = { ...errorResponse(401, 'invalid_api_key'), headers: { ...apiHeaders, 'www-authenticate': 'Bearer' } };
const { 'content-type': _type, ...withoutType } = apiHeaders;
const redirect: ReceivedResponse = {
  status: 307,
  headers: {
    ...{ ...withoutType, 'cache-control': 'no-cache', 'access-control-allow-origin': '*' },
    location: 'https://passport.example.com/p/nordlicht/cable',
    link: '<https://passport.example.com/01/09520001000072?linkType=linkset>; rel="linkset"; type="application/linkset+json"',
  },
};
const preflight: ReceivedResponse = {
  status: 204,
  headers: {
    ...withoutType,
    ...{ allow: 'GET, HEAD, OPTIONS', 'access-control-allow-methods': 'GET, HEAD, OPTIONS' },
    'access-control-allow-origin': '*',
  },
};

function linesOf(findings: readonly Finding[]): string[] {
  return findings.map(({ severity, where, what }) => `${severity}: ${where} ${what}`);
}

/** The snapshot has the findings of each response. */
const judged: Readonly<Record<string, Received>> = {
  'a path with a query and a trailing slash': at('get', '/api/v1/products/fjord/?x=1#y', response({})),
  'headers of the fetch API, and a body as text': of('getProduct', {
    headers: new Headers(apiHeaders),
    body: JSON.stringify(wholeProduct),
  }),
  'an empty body for HEAD': at('HEAD', '/api/v1/products/x', response({ body: '' })),
  'a body for HEAD': at('HEAD', '/api/v1/products/x', response({})),
  'a redirect without content': at('GET', '/01/09520001000072', redirect),
  'a redirect with content': at('GET', '/01/09520001000072', { ...redirect, body: 'Moved' }),
  'an undocumented field at the top level, through allOf': productWith({ tenant_id: 7 }),
  'an undocumented field in an item of a list': of('listProducts', {
    body: { items: [product, { ...product, model: 'F' }], total: 2, limit: 50, offset: 0 },
  }),
  'an undocumented field in a nested object': of('getMe', {
    body: { tenant: { ...tenant, vat: '1' }, products_total: 0 },
  }),
  'undocumented fields in an error, and next to it': of('getProduct', {
    status: 404,
    body: { error: { code: 'not_found', message: 'No.', stack: 'at …' }, statusCode: 404 },
  }),
  'a passport value, which may be any JSON': of('getPassport', { body: passportWith(passportValue) }),
  'an undocumented status': of('getProduct', { status: 201 }),
  'an undocumented error': refusedBy('getMe', 404, 'not_found'),
  'a documented error': refusedBy('getProduct', 404, 'not_found'),
  'a code of another status': refusedBy('getProduct', 404, 'invalid_json'),
  'a code of another operation': refusedBy('putPassport', 400, 'name_required'),
  'a missing header': of('getProduct', { headers: withoutCache }),
  'a header with a wrong value': headed({ 'cache-control': 'public' }),
  'a Retry-After that is not a number': {
    ...refusedBy('getMe', 503, 'service_unavailable'),
    headers: { ...apiHeaders, 'retry-after': 'soon' },
  },
  'an undocumented header': headed({ server: 'hapi', date: 'today' }),
  ...Object.fromEntries(
    ['application/json', 'text/html; charset=utf-8', 'application/json;charset=UTF-8', undefined].map((type) => [
      `the content type ${type}`,
      headed({ 'content-type': type }),
    ]),
  ),
  'a body that is not JSON': of('getProduct', { body: '{' }),
  'no body': of('getProduct', { body: '' }),
  'bytes that are not UTF-8': of('getProduct', { isUtf8: false }),
  'bytes that are UTF-8': of('getProduct', { isUtf8: true }),
  'a missing field, and fields of a wrong type or format': of('getProduct', {
    body: { ...withoutModel, completeness: '100', gtin: '12' },
  }),
  'an unknown value of an extensible set': productWith({ product_group: 'spaceship' }),

  '404 for an unknown path': at('GET', '/api/v1/nothing', errorResponse(404, 'not_found')),
  '404 with another code for an unknown path': at('GET', '/api/v1/nothing', errorResponse(404, 'invalid_json')),
  '413 for an unknown path': at('GET', '/api/v1/nothing', errorResponse(413, 'payload_too_large')),
  'a failure of an unknown path below /api/v1': at('GET', '/api/v1/nothing', failed),
  'a failure of an unknown method below /api/v1': at('DELETE', '/api/v1/me', failed),
  'a failure of an unknown path elsewhere': at('GET', '/nothing', failed),
  'OPTIONS of a public path': at('OPTIONS', '/01/09520001000072', preflight),
  'OPTIONS of a path of the API': at('OPTIONS', '/api/v1/me', preflight),
  ...Object.fromEntries(
    ['/01/09520001000072', '/p/nordlicht/cable/jsonld', '/api/v1/me'].flatMap((path) => [
      [`408 for OPTIONS of ${path}`, at('OPTIONS', path, errorResponse(408, 'request_timeout'))],
      [`431 for OPTIONS of ${path}`, at('OPTIONS', path, errorResponse(431, 'headers_too_large'))],
    ]),
  ),
  '401 of an unknown path below /api/v1': at('GET', '/api/v1/nothing', keyless),
  '401 of an unknown method below /api/v1': at('DELETE', '/api/v1/me', keyless),
  '401 of an unknown path elsewhere': at('GET', '/nothing', keyless),
  '405 with the methods in Allow': at('DELETE', '/api/v1/products', { ...notAllowed, headers: allow }),
  '405 without Allow': at('DELETE', '/api/v1/products', notAllowed),
  '405 whose Allow lacks HEAD': at('DELETE', '/api/v1/products', {
    ...notAllowed,
    headers: { ...allow, allow: 'GET, POST' },
  }),
  '405 that other origins may read': at('DELETE', '/api/v1/products', {
    ...notAllowed,
    headers: { ...allow, 'access-control-allow-origin': '*' },
  }),
  '405 for a documented method': at('GET', '/api/v1/products', { ...notAllowed, headers: allow }),
  '405 of the passport page in HTML': at('POST', '/p/nordlicht/cable', htmlRefusal),
  '405 of the passport page in JSON': at('POST', '/p/nordlicht/cable', jsonRefusal),
  '405 of the document in HTML': at('POST', '/p/nordlicht/cable/jsonld', htmlRefusal),
  '405 of the document in JSON': at('POST', '/p/nordlicht/cable/jsonld', jsonRefusal),
  '400 for bytes that are not HTTP': errorResponse(400, 'invalid_request'),
  '400 for a request that cannot be wrong': refusedBy('getMe', 400, 'invalid_request'),
  '408': refusedBy('getMe', 408, 'request_timeout'),
  '431 with the code of 408': refusedBy('getMe', 431, 'request_timeout'),
};

test.each(Object.entries(judged))('the judge of the reference profile reads %s', (_what, received) => {
  expect(linesOf(judge.response(received))).toMatchSnapshot();
});

describe('the profile "description"', () => {
  const lax = createJudge(undefined, { profile: 'description' });
  const headers = { 'content-type': 'application/json', 'x-request-id': '1' };
  const plain = (operationId: string, body: unknown, status = 200): Received => ({
    operationId,
    status,
    headers,
    body,
  });
  const me = (country: string) => ({ tenant: { ...tenant, country, plan: 'free' }, products_total: 0 });
  const { registry_id: _id, ...withoutRegistry } = wholeProduct;
  const value = { field_key: 'a', value: 1, source: 'import', access_level: 'public', locale: 'x', updated_at: 'now' };
  const codeOf = (code: unknown) => ({ error: { code, message: 'No.' } });

  const open: Readonly<Record<string, Received>> = {
    'additions of the reference profile that are absent, and unknown values of sets': plain('getProduct', {
      ...wholeProduct,
      ...{ id: '17', created_at: '2026-10-05T08:00:00Z', registry_status: 'paused' },
    }),
    'other names than the description shows': plain('getProduct', { ...product, group: 'textile', registry_id: 17 }),
    'no registry_id': plain('getProduct', withoutRegistry),
    'a value without flags and unit, and a version without a salt': plain('getPassport', {
      ...passportWith(value),
      ...{ template_version: 0, latest_version: { content_hash: '', created_at: 'now' } },
    }),
    'an unknown access level': plain('getPassport', passportWith({ ...value, access_level: 'secret' })),
    'an undocumented field of a value': plain('getPassport', passportWith({ ...value, tenant: 1 })),
    'statistics without roles': plain('getScanStatistics', {
      days: 0,
      total: 0,
      per_day: [],
      by_view_role: {},
      top_products: [],
    }),
    'a country in lower case': plain('getMe', me('de')),
    'a country with three letters': plain('getMe', me('DEU')),
    'a public error in plain text': {
      operationId: 'resolveGtin',
      status: 404,
      headers: { 'content-type': 'text/plain' },
      body: 'No.',
    },
    'JSON-LD of another form': {
      operationId: 'getPassportJsonld',
      status: 200,
      headers: { 'content-type': 'application/ld+json' },
      body: '{"a":1}',
    },
    '429 with another code': plain('getMe', codeOf('slow_down'), 429),
    '429 without the envelope': plain('getMe', { error: 'slow_down' }, 429),
    'another code where the description does not list all': plain('createProduct', codeOf('gtin_wrong'), 400),
    'a code that is a number': plain('createProduct', codeOf(7), 400),
    'an undocumented field and a wrong code': plain(
      'getProduct',
      { error: { code: 'nothing', message: 'No.', stack: '' } },
      404,
    ),
  };

  test.each(Object.entries(open))('reads %s', (_what, received) => {
    expect(linesOf(lax.response(received))).toMatchSnapshot();
  });

  test('does not apply the request limits of the reference profile', () => {
    const body = { name: 'x'.repeat(501), gtin: '1' };
    expect(lax.request({ operationId: 'createProduct', body }).map(({ where }) => where)).toEqual(['body/gtin']);
  });
});

const creation = (body: unknown): RequestToJudge => ({ operationId: 'createProduct', body });
const named = (members: object): RequestToJudge => creation({ name: 'a', ...members });
const write = (body: unknown): RequestToJudge => ({
  ...{ operationId: 'putPassport', pathParameters: { slug: 'cable' }, body },
});
const list = (query: Readonly<Record<string, string | readonly string[]>>): RequestToJudge => ({
  operationId: 'listProducts',
  query,
});
const link = (gtin: string): RequestToJudge => ({ operationId: 'resolveGtin', pathParameters: { gtin } });
const batch = (text: string): RequestToJudge => ({
  ...{ operationId: 'resolveGtinBatch', pathParameters: { gtin: '09520001000072', batch: text } },
});
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

/** The snapshot has the findings of each request: none if the service must accept it. */
const requests: Readonly<Record<string, RequestToJudge>> = {
  'a minimal creation': creation({ name: 'a' }),
  'a creation with nulls': named({ slug: null, product_group: null, gtin: null, model: null }),
  'a creation with unknown fields': named({ id: 7, tenant: { id: 1 } }),
  'a name that is too long before it is trimmed': creation({ name: `  ${'x'.repeat(500)}  ` }),
  'a name of 500 code points': creation({ name: '🧶'.repeat(500) }),
  'a creation without a body': creation(undefined),
  'a creation from an array': creation([]),
  'no name': creation({}),
  'a null name': creation({ name: null }),
  'a blank name': creation({ name: ' \u00a0' }),
  'a name that is a number': creation({ name: 5 }),
  'a name that is too long': creation({ name: 'x'.repeat(501) }),
  'an unknown group': named({ product_group: 'x' }),
  'a group that is a number': named({ product_group: 5 }),
  'a GTIN of 9 digits': named({ gtin: '123456789' }),
  'a GTIN with a line end': named({ gtin: '12345678\n' }),
  'a GTIN that is a number': named({ gtin: 12345678 }),
  'a malformed slug': named({ slug: 'A--b' }),
  'U+0000 in a field that is ignored': named({ note: 'x\0' }),
  'a lone surrogate': creation({ name: '\ud800' }),
  'a member __proto__': creation(JSON.parse('{"name":"a","x":{"__proto__":1}}')),
  'faults in the order of the checks': creation({ model: 5, gtin: '1', product_group: 'x', name: '' }),
  'a write of nothing': write([]),
  'a value as it was read before': write([{ field_key: 'a', value: null, unit: null, locale: 5, updated_at: null }]),
  'a value of 32 levels': write([{ field_key: 'a', value: nested(32) }]),
  'a value of 33 levels': write([{ field_key: 'a', value: nested(33) }]),
  'a value of 10,001 nodes': write([{ field_key: 'a', value: Array.from({ length: 10_000 }, () => 0) }]),
  'a write of an object': write({}),
  'a write of a text': write('x'),
  'a write of null': write(null),
  'an element that is not an object': write([7]),
  'no field_key': write([{ value: 1 }]),
  'a blank field_key': write([{ field_key: ' ', value: 1 }]),
  'a long field_key': write([{ field_key: 'x'.repeat(101), value: 1 }]),
  'no value': write([{ field_key: 'a' }]),
  'a null source': write([{ field_key: 'a', value: 1, source: null }]),
  'too many elements, before the faults of the elements': write(Array.from({ length: 1001 }, () => ({ value: 1 }))),
  'a read of a malformed slug': { operationId: 'getProduct', pathParameters: { slug: 'No_Slug' } },
  'a malformed slug, after the faults of the body': {
    ...write([{ field_key: 'a' }]),
    pathParameters: { slug: 'No_Slug' },
  },
  ...Object.fromEntries(
    ['0', '-1', '1000000000', '1.5', '1e1', ' 5', ''].map((limit) => [`the limit "${limit}"`, list({ limit })]),
  ),
  'two limits': list({ limit: ['1', '2'] }),
  'a large offset': list({ offset: '99999999999999999999' }),
  'a status that does not exist': list({ status: 'deleted' }),
  'a status, an empty search and an unknown parameter': list({ status: 'draft', search: '', unknown: ['1', '2'] }),
  ...Object.fromEntries(
    ['09520001000072', '952000100007', '95200010000'].map((gtin) => [`the GTIN ${gtin}`, link(gtin)]),
  ),
  ...Object.fromEntries(
    ['A', 'a!"%&\'()*+,-./:;<=>?_Z9', '!"%&\'()*+,-./:;<=>?_', '9'.repeat(20), '9'.repeat(21), 'a b', 'a#b', 'ä'].map(
      (text) => [`the batch ${text}`, batch(text)],
    ),
  ),
  'two tokens, for which the operation has no code': {
    operationId: 'getPassportPage',
    pathParameters: { tenant: 'nordlicht', product: 'cable' },
    query: { zugang: ['a', 'b'] },
  },
};

test.each(Object.entries(requests))('the judge reads a request: %s', (_what, request) => {
  const findings = judge.request(request).map(({ code, where, what }) => `${code}: ${where} ${what}`);
  // Each of too many elements has a finding.
  expect(findings.slice(0, 5)).toMatchSnapshot();
});

test('the body of a request stays unchanged', () => {
  const body = { name: ' a ', gtin: '1' };
  judge.request(creation(body));
  expect(body.name).toBe(' a ');
});

describe('the operations', () => {
  test.each(['putPassport', 'resolveGtinCpv'])('%s has a method, a path, and the codes of each status', (id) => {
    expect(judge.operations.find(({ operationId }) => operationId === id)).toMatchSnapshot();
  });

  test('reject an unknown operationId', () => {
    expect(() => judge.request({ operationId: 'getNothing' })).toThrow('no operation getNothing');
  });
});
