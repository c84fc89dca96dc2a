/**
 * Places where the service's description leaves something open. Each response must pass in the profile `description`,
 * although the reference profile rejects it, or must fail in both. The snapshot has the findings.
 */
import { expect, test } from '@jest/globals';
import { readContract } from '@product-passport/openapi';
import { createJudge, type Judge, type ReceivedResponse, type RequestLine } from './judge.ts';

const contract = readContract();
const description = createJudge(contract, { profile: 'description', serverErrors: 'failure' });
const reference = createJudge(contract, { serverErrors: 'failure' });

function inBoth(findingsOf: (judge: Judge) => readonly string[]): object {
  return { description: findingsOf(description), reference: findingsOf(reference) };
}

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'a-1',
};
const publicHeaders = { ...headers, 'access-control-allow-origin': '*' };

function exampleOf(operationId: string): Record<string, unknown> {
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  const [example] = Object.values(operation?.responses['200']?.content?.['application/json']?.examples ?? {});
  return structuredClone(example?.value) as Record<string, unknown>;
}

function ok(operationId: string, change: Record<string, unknown>): RequestLine & ReceivedResponse {
  return { operationId, status: 200, headers, body: { ...exampleOf(operationId), ...change } };
}

function refusedWith(operationId: string, status: number, body: object): RequestLine & ReceivedResponse {
  return { operationId, status, headers, body };
}

function refused(operationId: string, status: number, code: string): RequestLine & ReceivedResponse {
  return refusedWith(operationId, status, { error: { code, message: 'No.' } });
}

function passport(change: Record<string, unknown>): RequestLine & ReceivedResponse {
  const [value] = exampleOf('getPassport').values as Record<string, unknown>[];
  return ok('getPassport', { values: [{ ...value, ...change }] });
}

/** A response of a public operation, without the envelope of the API's errors. */
const publicly = (
  operationId: 'getPassportPage' | 'resolveGtin',
  status: number,
  own: object = {},
  body = 'No.',
): RequestLine & ReceivedResponse => ({ operationId, status, headers: { ...publicHeaders, ...own }, body });

const asHtml = { 'content-type': 'text/html; charset=utf-8' };

type Mark = readonly [mark: number, change: string, received: RequestLine & ReceivedResponse];

function withLink(link: string): RequestLine & ReceivedResponse {
  const [carrier] = exampleOf('listCarriers').items as Record<string, unknown>[];
  return ok('listCarriers', { items: [{ ...carrier, gs1_digital_link: link }] });
}

function ofType(type: string): RequestLine & ReceivedResponse {
  return { ...ok('getMe', {}), headers: { ...headers, 'content-type': type } };
}

/** A page in place of an error of the API. */
const pageAt = (method: string, path: string, status: number, own: object = {}): RequestLine & ReceivedResponse => ({
  ...{ method, path, status, headers: { ...headers, ...asHtml, ...own }, body: 'No.' },
});

const responses: readonly Mark[] = [
  [1, 'an undocumented field', ok('getMe', { tenant_id: 7 })],
  [1, 'no documented field', ok('getMe', { tenant: undefined })],
  [1, 'an undocumented client error', refused('createProduct', 409, 'slug_taken')],
  [1, 'an undocumented client error without the envelope', refusedWith('createProduct', 409, { error: 'slug_taken' })],
  [1, 'another success than 200', { ...ok('createProduct', {}), status: 201 }],
  [1, 'another redirect than 302 and 307', publicly('resolveGtin', 303, { location: 'https://a.example' }, '')],
  [1, 'a described code with another status', refused('createProduct', 422, 'name_required')],
  [1, 'an undocumented public error', publicly('getPassportPage', 410, { 'content-type': 'text/html' })],
  [2, 'another code for a bad body', refused('createProduct', 400, 'gtin_wrong')],
  [2, 'another code for a bad query', refused('listProducts', 400, 'limit_too_big')],
  [2, 'the code of another status', refused('putPassport', 400, 'not_found')],
  [2, 'another code for a missing product', refused('getProduct', 404, 'no_product')],
  [3, 'a code for several faults at once', refused('putPassport', 400, 'values_invalid')],
  [4, 'a refused check digit', refused('createProduct', 400, 'gtin_check_digit')],
  [4, 'a GTIN of 9 digits', ok('getProduct', { gtin: '123456789' })],
  [5, 'a refused search text', refused('listProducts', 400, 'search_too_short')],
  [6, 'a value without unit and flags', passport({ unit: undefined, is_unknown: undefined, needs_review: undefined })],
  [6, 'a flag that is text', passport({ is_unknown: 'no' })],
  [7, 'no number of products', ok('getMe', { products_total: undefined })],
  [8, 'a refused field_key', refused('putPassport', 400, 'unknown_field_key')],
  [9, 'the latest version null', ok('getPassport', { latest_version: null })],
  [9, 'no latest version', ok('getPassport', { latest_version: undefined })],
  [9, 'a latest version that is text', ok('getPassport', { latest_version: 'v2' })],
  [10, 'no page after the link of a draft', publicly('resolveGtin', 404, { 'content-type': 'text/plain' }, '')],
  [10, 'a link without /01/', withLink('https://a.example/qr/17')],
  [10, 'a link with the GTIN as it was sent', withLink('https://a.example/01/9520001000010')],
  [11, 'a GTIN of another length that is unknown', publicly('resolveGtin', 404, {}, '{"message":"No."}')],
  [
    11,
    'a redirect with a text',
    publicly(
      'resolveGtin',
      302,
      { 'cache-control': 'no-cache', location: '/p/nordlicht/kabel' },
      'Found. Redirecting.',
    ),
  ],
  [12, 'a time in seconds and with an offset', ok('getProduct', { updated_at: '2026-10-12T16:31:07+02:00' })],
  [13, 'a refused status in a body', refused('createProduct', 400, 'status_read_only')],
  [14, 'a page for an unknown path', pageAt('GET', '/api/v1/nothing', 404)],
  [14, '405 with an incomplete Allow', pageAt('DELETE', '/api/v1/me', 405, { allow: 'GET' })],
  [14, 'another status for an unknown path', pageAt('GET', '/api/v1/nothing', 403)],
  [
    14,
    'another code for an invalid key',
    { ...refused('getMe', 401, 'unauthorized'), headers: { ...headers, 'www-authenticate': 'Bearer' } },
  ],
  ...[
    'application/json',
    'Application/JSON; charset="UTF-8"',
    'application/json; charset=utf-8; v=1',
    'application/json; charset=iso-8859-1',
    'text/html; charset=utf-8',
  ].map((type): Mark => [15, `the content type ${type}`, ofType(type)]),
  [
    15,
    'SQL in a message',
    refusedWith('getProduct', 404, { error: { code: 'not_found', message: 'select * from `products`' } }),
  ],
  [
    15,
    'a stack trace on a public page',
    publicly(
      'getPassportPage',
      404,
      { vary: 'accept', ...asHtml },
      '<!doctype html>Error<br>\n    at read (/srv/app/page.js:3:5)',
    ),
  ],
  [16, 'another code for a null name', refused('createProduct', 400, 'name_invalid')],
  [17, '403 for an expired token', publicly('getPassportPage', 403, { 'content-type': 'text/html' })],
  ...[500, 502, 503].map(
    (status): Mark => [18, `${status} for limit=-1`, refused('listProducts', status, 'internal_error')],
  ),
];

test.each(responses)('mark %d, a response: %s', (_mark, _change, received) => {
  // JSON leaves out members that are undefined.
  const sent = typeof received.body === 'object' ? { ...received, body: JSON.stringify(received.body) } : received;
  expect(
    inBoth((judge) => judge.response(sent).map(({ severity, where, what }) => `${severity}: ${where} ${what}`)),
  ).toMatchSnapshot();
});

const requests: readonly (readonly [mark: number, what: string, body: object])[] = [
  [4, 'a GTIN of 9 digits', { name: 'a', gtin: '123456789' }],
  [13, 'status in a body', { name: 'a', status: 'active' }],
  [16, 'a null name', { name: null }],
  [16, 'no name', {}],
];

test.each(requests)('mark %d, a request: %s', (_mark, _what, body) => {
  const request = { operationId: 'createProduct', body };
  expect(
    inBoth((judge) => judge.request(request).map(({ where, what, code = 'any code' }) => `${code}: ${where} ${what}`)),
  ).toMatchSnapshot();
});

test('every mark from 1 to 18 has a case', () => {
  const marks = [...responses, ...requests].map(([mark]) => mark);
  expect(new Set(marks)).toEqual(new Set(Array.from({ length: 18 }, (_, index) => index + 1)));
});
