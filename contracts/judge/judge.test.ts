import { describe, expect, test } from '@jest/globals';
import { readContract } from '@product-passport/openapi';
import { failure } from './finding.ts';
import { createJudge, type ReceivedResponse } from './judge.ts';

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

function productFindings(change: Partial<ReceivedResponse>) {
  return judge.response({ operationId: 'getProduct', ...response(change) });
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

  test('is matched by method and path, with a query or a trailing slash', () => {
    expect(judge.response({ method: 'get', path: '/api/v1/products/fjord/?x=1#y', ...response({}) })).toEqual([]);
  });

  test('may have headers of the fetch API, and a body as JSON or as text', () => {
    expect(productFindings({ headers: new Headers(apiHeaders), body: JSON.stringify(wholeProduct) })).toEqual([]);
  });

  test('has no body for a HEAD request', () => {
    expect(judge.response({ method: 'HEAD', path: '/api/v1/products/x', ...response({ body: '' }) })).toEqual([]);
    expect(judge.response({ method: 'HEAD', path: '/api/v1/products/x', ...response({}) })).toEqual([
      failure('body', 'must be empty'),
    ]);
  });

  test('is a redirect without content', () => {
    const headers = {
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'a-1',
      'access-control-allow-origin': '*',
      location: 'https://passport.example.com/p/nordlicht/cable',
      link: '<https://passport.example.com/01/09520001000072?linkType=linkset>; rel="linkset"; type="application/linkset+json"',
    };
    const asked = { method: 'GET', path: '/01/09520001000072' };
    expect(judge.response({ ...asked, status: 307, headers })).toEqual([]);
    expect(judge.response({ ...asked, status: 307, headers, body: 'Moved' })).toEqual([
      failure('body', 'must be empty'),
    ]);
  });
});

describe('the judge finds an undocumented field', () => {
  test('at the top level, through allOf', () => {
    expect(productFindings({ body: { ...wholeProduct, tenant_id: 7 } })).toEqual([
      failure('body/tenant_id', 'is not declared in the contract'),
    ]);
  });

  test('in an item of a list', () => {
    const body = { items: [product, { ...product, model: 'Fjord' }], total: 2, limit: 50, offset: 0 };
    expect(judge.response({ operationId: 'listProducts', ...response({ body }) })).toEqual([
      failure('body/items/1/model', 'is not declared in the contract'),
    ]);
  });

  test('in a nested object', () => {
    const tenant = { id: product.id, name: 'Nordlicht', slug: 'nordlicht', country: 'DE', plan: 'business', vat: '1' };
    const body = { tenant, products_total: 0 };
    expect(judge.response({ operationId: 'getMe', ...response({ body }) })).toEqual([
      failure('body/tenant/vat', 'is not declared in the contract'),
    ]);
  });

  test('in an error, and beside it', () => {
    const body = { error: { code: 'not_found', message: 'No.', stack: 'at …' }, statusCode: 404 };
    const found = productFindings({ status: 404, body }).map(({ where }) => where);
    expect(found.toSorted()).toEqual(['body/error/stack', 'body/statusCode']);
  });

  test('but not in a passport value, which may be any JSON', () => {
    const value = {
      ...{ field_key: 'a', unit: null, source: 'import', access_level: 'public', is_unknown: false },
      ...{ needs_review: false, locale: 'de', updated_at: product.updated_at, value: { any: [{ thing: 1 }] } },
    };
    const { id, name, slug, status, completeness } = product;
    const body = {
      product: { id, name, slug, status, completeness },
      template_version: 1,
      values: [value],
      latest_version: { content_hash: 'a'.repeat(64), salt: '0'.repeat(32), created_at: product.updated_at },
    };
    expect(judge.response({ operationId: 'getPassport', ...response({ body }) })).toEqual([]);
  });
});

describe('an invalid response', () => {
  test('has an undocumented status', () => {
    expect(productFindings({ status: 201 })).toEqual([failure('status', '201 is not documented for getProduct')]);
    expect(judge.response({ operationId: 'getMe', ...errorResponse(404, 'not_found') })).toHaveLength(1);
  });

  test('has an error code that the operation does not document for the status', () => {
    expect(judge.response({ operationId: 'getProduct', ...errorResponse(404, 'not_found') })).toEqual([]);
    expect(judge.response({ operationId: 'getProduct', ...errorResponse(404, 'invalid_json') })).toEqual([
      failure('body/error/code', 'must be "not_found", is "invalid_json"'),
    ]);
    const [finding] = judge.response({ operationId: 'putPassport', ...errorResponse(400, 'name_required') });
    expect(finding?.where).toBe('body/error/code');
  });

  test('lacks a required header', () => {
    const { 'cache-control': _left, ...headers } = apiHeaders;
    expect(productFindings({ headers })).toEqual([failure('header Cache-Control', 'is missing')]);
  });

  test('has a header with a wrong value', () => {
    expect(productFindings({ headers: { ...apiHeaders, 'cache-control': 'public' } })).toEqual([
      failure('header Cache-Control', 'must be "no-store", is "public"'),
    ]);
    const retry = { ...errorResponse(503, 'service_unavailable'), headers: { ...apiHeaders, 'retry-after': 'soon' } };
    expect(judge.response({ operationId: 'getMe', ...retry })).toEqual([
      failure('header Retry-After', 'must be integer, is "soon"'),
    ]);
  });

  test('has an undocumented header', () => {
    expect(productFindings({ headers: { ...apiHeaders, server: 'hapi', date: 'today' } })).toEqual([
      failure('header server', 'is not documented'),
    ]);
  });

  test.each(['application/json', 'text/html; charset=utf-8', 'application/json;charset=UTF-8', undefined])(
    'has the content type %s',
    (type) => {
      const found = productFindings({ headers: { ...apiHeaders, 'content-type': type } });
      expect(found.map(({ where }) => where)).toEqual(['content-type']);
    },
  );

  test('is not JSON or has no body', () => {
    expect(productFindings({ body: '{' })).toEqual([failure('body', 'is not JSON')]);
    expect(productFindings({ body: '' })).toEqual([failure('body', 'is not JSON')]);
  });

  test('has bytes that are not UTF-8', () => {
    expect(productFindings({ isUtf8: false })).toEqual([failure('body', 'is not valid UTF-8')]);
    expect(productFindings({ isUtf8: true })).toEqual([]);
  });

  test('lacks a field, or has one of a wrong type or format', () => {
    const { model: _left, ...body } = wholeProduct;
    expect(productFindings({ body: { ...body, completeness: '100', gtin: '12' } })).toEqual(
      expect.arrayContaining([
        failure('body/model', 'is missing'),
        failure('body/completeness', 'must be integer, is "100"'),
        expect.objectContaining({ where: 'body/gtin' }),
      ]),
    );
  });

  test('has an unknown value of an extensible set', () => {
    expect(productFindings({ body: { ...wholeProduct, product_group: 'spaceship' } })).toEqual([
      expect.objectContaining({ where: 'body/product_group' }),
    ]);
  });
});

describe('responses beside the operations', () => {
  const allow = { ...apiHeaders, allow: 'GET, HEAD, POST' };

  test('404 is valid for an unknown path only', () => {
    expect(judge.response({ method: 'GET', path: '/api/v1/nothing', ...errorResponse(404, 'not_found') })).toEqual([]);
    expect(
      judge.response({ method: 'GET', path: '/api/v1/nothing', ...errorResponse(404, 'invalid_json') }),
    ).toHaveLength(1);
    expect(
      judge.response({ method: 'GET', path: '/api/v1/nothing', ...errorResponse(413, 'payload_too_large') }),
    ).toEqual([failure('status', '413 is not documented for the unknown path /api/v1/nothing')]);
  });

  test('a failure is valid for every request below /api/v1', () => {
    const failed = errorResponse(500, 'internal_error');
    expect(judge.response({ method: 'GET', path: '/api/v1/nothing', ...failed })).toEqual([]);
    expect(judge.response({ method: 'DELETE', path: '/api/v1/me', ...failed })).toEqual([]);
    expect(judge.response({ method: 'GET', path: '/nothing', ...failed })).toHaveLength(1);
  });

  test('OPTIONS is valid on a public path only', () => {
    const methods = { allow: 'GET, HEAD, OPTIONS', 'access-control-allow-methods': 'GET, HEAD, OPTIONS' };
    const headers = {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'a-1',
      'access-control-allow-origin': '*',
    };
    const preflight = { method: 'OPTIONS', status: 204, headers: { ...headers, ...methods } };
    expect(judge.response({ ...preflight, path: '/01/09520001000072' })).toEqual([]);
    expect(judge.response({ ...preflight, path: '/api/v1/me' })).toHaveLength(1);
  });

  test.each([
    [408, 'request_timeout'],
    [431, 'headers_too_large'],
  ])('%i is also valid for OPTIONS, on a public path and below /api/v1', (status, code) => {
    for (const path of ['/01/09520001000072', '/p/nordlicht/cable/jsonld', '/api/v1/me'])
      expect([path, judge.response({ method: 'OPTIONS', path, ...errorResponse(status, code) })]).toEqual([path, []]);
  });

  test('an unknown path below /api/v1 may give 401 without a key, elsewhere not', () => {
    const headers = { ...apiHeaders, 'www-authenticate': 'Bearer' };
    const keyless = { ...errorResponse(401, 'invalid_api_key'), headers };
    expect(judge.response({ method: 'GET', path: '/api/v1/nothing', ...keyless })).toEqual([]);
    expect(judge.response({ method: 'DELETE', path: '/api/v1/me', ...keyless })).toEqual([]);
    expect(judge.response({ method: 'GET', path: '/nothing', ...keyless })).toHaveLength(1);
  });

  test('405 is valid for an unsupported method, with the supported methods in Allow', () => {
    const refused = errorResponse(405, 'method_not_allowed');
    const asked = { method: 'DELETE', path: '/api/v1/products' };
    expect(judge.response({ ...asked, ...refused, headers: allow })).toEqual([]);
    expect(judge.response({ ...asked, ...refused })).toContainEqual(failure('header Allow', 'is missing'));
    expect(judge.response({ ...asked, ...refused, headers: { ...allow, allow: 'GET, POST' } })).toEqual([
      failure('header Allow', 'does not name HEAD'),
    ]);
    expect(judge.response({ ...asked, ...refused, headers: { ...allow, 'access-control-allow-origin': '*' } })).toEqual(
      [],
    );
    expect(judge.response({ ...asked, method: 'GET', ...refused, headers: allow })).toHaveLength(1);
  });

  test('405 is HTML for the passport page and JSON elsewhere', () => {
    const headers = { ...apiHeaders, 'content-type': 'text/html; charset=utf-8', allow: 'GET, HEAD' };
    const page = { method: 'POST', status: 405, headers, body: '<!doctype html><title>No</title>' };
    const json = {
      ...errorResponse(405, 'method_not_allowed'),
      method: 'POST',
      headers: { ...allow, allow: 'GET, HEAD' },
    };
    expect(judge.response({ path: '/p/nordlicht/cable', ...page })).toEqual([]);
    expect(judge.response({ path: '/p/nordlicht/cable/jsonld', ...json })).toEqual([]);
    expect(judge.response({ path: '/p/nordlicht/cable', ...json })).toHaveLength(1);
    expect(judge.response({ path: '/p/nordlicht/cable/jsonld', ...page })).toHaveLength(1);
  });

  test('400 is valid for bytes that are not HTTP, 408 and 431 for every request', () => {
    expect(judge.response(errorResponse(400, 'invalid_request'))).toEqual([]);
    expect(judge.response({ operationId: 'getMe', ...errorResponse(400, 'invalid_request') })).toHaveLength(1);
    expect(judge.response({ operationId: 'getMe', ...errorResponse(408, 'request_timeout') })).toEqual([]);
    expect(judge.response({ operationId: 'getMe', ...errorResponse(431, 'request_timeout') })).toHaveLength(1);
  });
});

describe('the profile "description"', () => {
  const lax = createJudge(undefined, { profile: 'description' });
  const headers = { 'content-type': 'application/json', 'x-request-id': '1' };

  test('does not require additions of the reference profile, and allows unknown values of sets', () => {
    const body = { ...wholeProduct, id: '17', created_at: '2026-10-05T08:00:00Z', registry_status: 'paused' };
    expect(lax.response({ operationId: 'getProduct', ...response({ headers, body }) })).toEqual([]);
    expect(productFindings({ headers, body }).length).toBeGreaterThan(4);
  });

  test('does not check names that the description does not show, nor the type of registry_id', () => {
    const body = { ...product, group: 'textile', registry_id: 17 };
    expect(lax.response({ operationId: 'getProduct', ...response({ headers, body }) })).toEqual([]);
    const { registry_id: _, ...without } = body;
    expect(lax.response({ operationId: 'getProduct', ...response({ headers, body: without }) })).toEqual([
      failure('body/registry_id', 'is missing'),
    ]);
  });

  test('allows a flag, a unit or a role to be absent', () => {
    const { id, name, slug, status, completeness } = product;
    const value = {
      field_key: 'a',
      value: 1,
      source: 'import',
      access_level: 'public',
      locale: 'x',
      updated_at: 'now',
    };
    const passport = (values: unknown[]) => ({
      ...{ product: { id, name, slug, status, completeness }, template_version: 0, values },
      latest_version: { content_hash: '', created_at: 'now' },
    });
    const read = (values: unknown[]) =>
      lax.response({ operationId: 'getPassport', ...response({ headers, body: passport(values) }) });
    expect(read([value])).toEqual([]);
    expect(
      read([
        { ...value, access_level: 'secret' },
        { ...value, tenant: 1 },
      ]),
    ).toHaveLength(2);
    const body = { days: 0, total: 0, per_day: [], by_view_role: {}, top_products: [] };
    expect(lax.response({ operationId: 'getScanStatistics', ...response({ headers, body }) })).toEqual([]);
  });

  test('accepts a country in lower case, but not with three letters', () => {
    const me = (country: string) => ({
      tenant: { id: '1', name: '', slug: 's', country, plan: 'free' },
      products_total: 0,
    });
    const codeOf = (country: string) =>
      lax.response({ operationId: 'getMe', ...response({ headers, body: me(country) }) }).map(({ where }) => where);
    expect(codeOf('de')).toEqual([]);
    expect(codeOf('DEU')).toEqual(['body/tenant/country']);
  });

  test('does not check the format of public errors and of JSON-LD, but checks errors of the API', () => {
    const text = { 'content-type': 'text/plain' };
    const resolved = { operationId: 'resolveGtin', status: 404, headers: text, body: 'No.' };
    expect(lax.response(resolved)).toEqual([]);
    expect(judge.response(resolved).length).toBeGreaterThan(1);
    const document = { 'content-type': 'application/ld+json' };
    expect(lax.response({ operationId: 'getPassportJsonld', status: 200, headers: document, body: '{"a":1}' })).toEqual(
      [],
    );
    const limited = (body: unknown) => lax.response({ operationId: 'getMe', status: 429, headers, body });
    expect(limited({ error: { code: 'slow_down', message: 'No.' } })).toEqual([]);
    expect(limited({ error: 'slow_down' })).toHaveLength(1);
  });

  test('accepts another code if the description does not list all codes', () => {
    const refused = (code: unknown) =>
      lax.response({ operationId: 'createProduct', status: 400, headers, body: { error: { code, message: 'No.' } } });
    expect(refused('gtin_wrong')).toEqual([]);
    expect(refused(7)).toHaveLength(1);
  });

  test('still finds an undocumented field and a wrong code', () => {
    const body = { error: { code: 'nothing', message: 'No.', stack: '' } };
    expect(lax.response({ operationId: 'getProduct', ...response({ headers, status: 404, body }) })).toHaveLength(2);
  });

  test('does not apply the request limits of the reference profile', () => {
    const body = { name: 'x'.repeat(501), gtin: '1' };
    expect(lax.request({ operationId: 'createProduct', body }).map(({ where }) => where)).toEqual(['body/gtin']);
  });
});

describe('a request', () => {
  const create = (body: unknown) => judge.request({ operationId: 'createProduct', body });
  const put = (body: unknown) => judge.request({ operationId: 'putPassport', pathParameters: { slug: 'cable' }, body });
  const codes = (findings: readonly { code: string | undefined }[]) => findings.map(({ code }) => code);
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

  test.each([
    ['a minimal body', { name: 'a' }],
    ['a body with nulls', { name: 'a', slug: null, product_group: null, gtin: null, model: null }],
    ['a body with unknown fields', { name: 'a', id: 7, tenant: { id: 1 } }],
    ['a name that is too long before it is trimmed', { name: `  ${'x'.repeat(500)}  ` }],
    ['a name of 500 code points', { name: '🧶'.repeat(500) }],
  ])('that creates a product may have %s', (_name, body) => {
    expect(create(body)).toEqual([]);
  });

  test.each([
    ['nothing', undefined, 'invalid_json'],
    ['an array', [], 'invalid_request'],
    ['no name', {}, 'name_required'],
    ['a null name', { name: null }, 'name_required'],
    ['a blank name', { name: ' \u00a0' }, 'name_required'],
    ['a name that is a number', { name: 5 }, 'invalid_request'],
    ['a name that is too long', { name: 'x'.repeat(501) }, 'invalid_request'],
    ['an unknown group', { name: 'a', product_group: 'x' }, 'unknown_product_group'],
    ['a group that is a number', { name: 'a', product_group: 5 }, 'invalid_request'],
    ['a GTIN of 9 digits', { name: 'a', gtin: '123456789' }, 'invalid_gtin'],
    ['a GTIN with a line end', { name: 'a', gtin: '12345678\n' }, 'invalid_gtin'],
    ['a GTIN that is a number', { name: 'a', gtin: 12345678 }, 'invalid_request'],
    ['a malformed slug', { name: 'a', slug: 'A--b' }, 'invalid_request'],
    ['U+0000 in a field that is ignored', { name: 'a', note: 'x\0' }, 'invalid_request'],
    ['a lone surrogate', { name: '\ud800' }, 'invalid_request'],
    ['a member __proto__', JSON.parse('{"name":"a","x":{"__proto__":1}}'), 'invalid_request'],
  ])('that creates a product is rejected for %s', (_name, body, code) => {
    expect(codes(create(body))).toEqual([code]);
  });

  test('gets findings that name the place, and keeps its body unchanged', () => {
    const body = { name: ' a ', gtin: '1' };
    expect(create(body)).toEqual([expect.objectContaining({ where: 'body/gtin', code: 'invalid_gtin' })]);
    expect(body.name).toBe(' a ');
  });

  test('gets its findings in the order of the checks', () => {
    const all = { model: 5, gtin: '1', product_group: 'x', name: '' };
    expect(codes(create(all))).toEqual(['name_required', 'unknown_product_group', 'invalid_gtin', 'invalid_request']);
  });

  test.each([
    ['an object', {}, 'values_must_be_array'],
    ['a text', 'x', 'values_must_be_array'],
    ['null', null, 'values_must_be_array'],
    ['an element that is not an object', [7], 'field_key_required'],
    ['no field_key', [{ value: 1 }], 'field_key_required'],
    ['a blank field_key', [{ field_key: ' ', value: 1 }], 'field_key_required'],
    ['a long field_key', [{ field_key: 'x'.repeat(101), value: 1 }], 'invalid_request'],
    ['no value', [{ field_key: 'a' }], 'invalid_request'],
    ['a null source', [{ field_key: 'a', value: 1, source: null }], 'invalid_request'],
    ['33 levels', [{ field_key: 'a', value: nested(33) }], 'invalid_request'],
    ['10,001 nodes', [{ field_key: 'a', value: Array.from({ length: 10_000 }, () => 0) }], 'invalid_request'],
  ])('that writes values is rejected for %s', (_name, body, code) => {
    expect(codes(put(body))).toEqual([code]);
  });

  test('that writes values may have null, 32 levels and fields as read before', () => {
    expect(put([])).toEqual([]);
    expect(put([{ field_key: 'a', value: null, unit: null, locale: 5, updated_at: null }])).toEqual([]);
    expect(put([{ field_key: 'a', value: nested(32) }])).toEqual([]);
  });

  test('with too many elements is rejected before its elements are checked', () => {
    const [first, second] = put(Array.from({ length: 1001 }, () => ({ value: 1 })));
    expect(first).toEqual(expect.objectContaining({ where: 'body', code: 'invalid_request' }));
    expect(second?.code).toBe('field_key_required');
  });

  test('with a malformed slug is not_found, after the checks of the body', () => {
    const pathParameters = { slug: 'No_Slug' };
    expect(codes(judge.request({ operationId: 'getProduct', pathParameters }))).toEqual(['not_found']);
    expect(codes(judge.request({ operationId: 'putPassport', pathParameters, body: [{ field_key: 'a' }] }))).toEqual([
      'invalid_request',
      'not_found',
    ]);
  });

  const list = (query: Record<string, string | string[]>) => judge.request({ operationId: 'listProducts', query });

  test.each([
    [{ limit: '0' }],
    [{ limit: '-1' }],
    [{ limit: '1000000000' }],
    [{ offset: '99999999999999999999' }],
    [{ status: 'draft', search: '', unknown: ['1', '2'] }],
  ])('that lists products may have %j', (query) => {
    expect(list(query)).toEqual([]);
  });

  test.each([
    [{ limit: '1.5' }],
    [{ limit: '1e1' }],
    [{ limit: ' 5' }],
    [{ limit: '' }],
    [{ status: 'deleted' }],
    [{ limit: ['1', '2'] }],
  ])('that lists products is rejected with %j', (query) => {
    expect(codes(list(query))).toEqual(['invalid_request']);
  });

  test('with an invalid GTIN is invalid_gtin', () => {
    const resolve = (gtin: string) => codes(judge.request({ operationId: 'resolveGtin', pathParameters: { gtin } }));
    expect(resolve('09520001000072')).toEqual([]);
    expect(resolve('952000100007')).toEqual([]);
    expect(resolve('95200010000')).toEqual(['invalid_gtin']);
  });

  test.each([
    ['A', []],
    ['a!"%&\'()*+,-./:;<=>?_Z9', ['invalid_request']],
    ['!"%&\'()*+,-./:;<=>?_', []],
    ['9'.repeat(20), []],
    ['9'.repeat(21), ['invalid_request']],
    ['a b', ['invalid_request']],
    ['a#b', ['invalid_request']],
    ['ä', ['invalid_request']],
  ])('for the batch %s gets the expected findings', (batch, expected) => {
    const pathParameters = { gtin: '09520001000072', batch };
    expect(codes(judge.request({ operationId: 'resolveGtinBatch', pathParameters }))).toEqual(expected);
  });

  test('with two zugang parameters is accepted if the operation has no code for that error', () => {
    const pathParameters = { tenant: 'nordlicht', product: 'cable' };
    const query = { zugang: ['a', 'b'] };
    expect(judge.request({ operationId: 'getPassportPage', pathParameters, query })).toEqual([]);
  });
});

describe('the operations', () => {
  test('have a method, a path, and the codes of each status', () => {
    expect(judge.operations.find(({ operationId }) => operationId === 'putPassport')).toEqual({
      operationId: 'putPassport',
      method: 'PUT',
      path: '/api/v1/products/{slug}/passport',
      secured: true,
      statuses: [200, 400, 401, 404, 413, 415, 429, 500, 503],
      codes: {
        200: [],
        400: ['invalid_json', 'values_must_be_array', 'field_key_required', 'invalid_request'],
        401: ['invalid_api_key'],
        404: ['not_found'],
        413: ['payload_too_large'],
        415: ['unsupported_media_type'],
        429: ['rate_limited'],
        500: ['internal_error'],
        503: ['service_unavailable'],
      },
    });
    expect(judge.operations.filter(({ secured }) => !secured).map(({ path }) => path)).toEqual([
      '/p/{tenant}/{product}',
      '/p/{tenant}/{product}/jsonld',
      '/01/{gtin}',
      '/01/{gtin}/22/{cpv}',
      '/01/{gtin}/10/{batch}',
      '/01/{gtin}/21/{serial}',
      '/01/{gtin}/22/{cpv}/10/{batch}',
      '/01/{gtin}/22/{cpv}/21/{serial}',
      '/01/{gtin}/10/{batch}/21/{serial}',
      '/01/{gtin}/22/{cpv}/10/{batch}/21/{serial}',
      '/01/{gtin}/235/{tpx}',
      '/.well-known/gs1resolver',
    ]);
    expect(judge.operations.filter(({ variantOf }) => variantOf === 'resolveGtin')).toHaveLength(8);
  });

  test('reject an unknown operationId', () => {
    expect(() => judge.request({ operationId: 'getNothing' })).toThrow('no operation getNothing');
  });
});
