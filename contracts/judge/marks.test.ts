/**
 * Places where the service's description leaves something open. Each response must pass in the profile `description`,
 * although the reference profile rejects it, or must fail in both.
 */
import { describe, expect, test } from '@jest/globals';
import { readContract } from '@product-passport/openapi';
import { createJudge, type Profile, type ReceivedResponse, type RequestLine, type RequestToJudge } from './judge.ts';

const contract = readContract();
const judges = {
  description: createJudge(contract, { profile: 'description', serverErrors: 'failure' }),
  reference: createJudge(contract, { serverErrors: 'failure' }),
};

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

function refused(operationId: string, status: number, code: string): RequestLine & ReceivedResponse {
  return { operationId, status, headers, body: { error: { code, message: 'No.' } } };
}

function passport(change: Record<string, unknown>): RequestLine & ReceivedResponse {
  const [value] = exampleOf('getPassport').values as Record<string, unknown>[];
  return ok('getPassport', { values: [{ ...value, ...change }] });
}

const page = {
  operationId: 'getPassportPage',
  headers: { ...publicHeaders, 'content-type': 'text/html' },
  body: 'No.',
};
const html = { ...headers, 'content-type': 'text/html; charset=utf-8' };

interface ResponseCase {
  readonly mark: number;
  readonly change: string;
  readonly received: RequestLine & ReceivedResponse;
  /** The findings in each profile: severity and place. */
  readonly description: readonly string[];
  readonly reference: readonly string[];
}

const responses: readonly ResponseCase[] = [
  {
    ...{ mark: 1, change: 'an undocumented field', received: ok('getMe', { tenant_id: 7 }) },
    ...{ description: ['warning body/tenant_id'], reference: ['failure body/tenant_id'] },
  },
  {
    ...{ mark: 1, change: 'no documented field', received: ok('getMe', { tenant: undefined }) },
    ...{ description: ['failure body/tenant'], reference: ['failure body/tenant'] },
  },
  {
    ...{ mark: 1, change: 'an undocumented client error', received: refused('createProduct', 409, 'slug_taken') },
    ...{ description: ['warning status'], reference: ['failure status'] },
  },
  {
    ...{ mark: 1, change: 'an undocumented client error without the envelope' },
    received: { ...refused('createProduct', 409, ''), body: { error: 'slug_taken' } },
    ...{ description: ['warning status', 'failure body/error'], reference: ['failure status'] },
  },
  {
    ...{ mark: 1, change: 'another success than 200', received: { ...ok('createProduct', {}), status: 201 } },
    ...{ description: ['failure status'], reference: ['failure status'] },
  },
  {
    ...{ mark: 1, change: 'another redirect than 302 and 307' },
    received: { operationId: 'resolveGtin', status: 303, headers: { ...publicHeaders, location: 'https://a.example' } },
    ...{ description: ['failure status'], reference: ['failure status'] },
  },
  {
    ...{ mark: 1, change: 'a described code with another status' },
    received: refused('createProduct', 422, 'name_required'),
    ...{ description: ['warning status', 'failure body/error/code'], reference: ['failure status'] },
  },
  {
    ...{ mark: 1, change: 'an undocumented public error', received: { ...page, status: 410 } },
    ...{ description: ['warning status'], reference: ['failure status'] },
  },
  {
    ...{ mark: 2, change: 'another code for a bad body', received: refused('createProduct', 400, 'gtin_wrong') },
    ...{ description: [], reference: ['failure body/error/code'] },
  },
  {
    ...{ mark: 2, change: 'another code for a bad query', received: refused('listProducts', 400, 'limit_too_big') },
    ...{ description: [], reference: ['failure body/error/code'] },
  },
  {
    ...{ mark: 2, change: 'the code of another status', received: refused('putPassport', 400, 'not_found') },
    ...{ description: ['failure body/error/code'], reference: ['failure body/error/code'] },
  },
  {
    ...{ mark: 2, change: 'another code for a missing product', received: refused('getProduct', 404, 'no_product') },
    ...{ description: ['failure body/error/code'], reference: ['failure body/error/code'] },
  },
  {
    ...{
      mark: 3,
      change: 'a code for several faults at once',
      received: refused('putPassport', 400, 'values_invalid'),
    },
    ...{ description: [], reference: ['failure body/error/code'] },
  },
  {
    ...{ mark: 4, change: 'a refused check digit', received: refused('createProduct', 400, 'gtin_check_digit') },
    ...{ description: [], reference: ['failure body/error/code'] },
  },
  {
    ...{ mark: 4, change: 'a GTIN of 9 digits', received: ok('getProduct', { gtin: '123456789' }) },
    ...{ description: ['failure body/gtin'], reference: ['failure body/gtin'] },
  },
  {
    ...{ mark: 5, change: 'a refused search text', received: refused('listProducts', 400, 'search_too_short') },
    ...{ description: [], reference: ['failure body/error/code'] },
  },
  {
    ...{ mark: 6, change: 'a value without unit and flags' },
    received: passport({ unit: undefined, is_unknown: undefined, needs_review: undefined }),
    description: [],
    reference: ['unit', 'is_unknown', 'needs_review'].map((name) => `failure body/values/0/${name}`),
  },
  {
    ...{ mark: 6, change: 'a flag that is text', received: passport({ is_unknown: 'no' }) },
    ...{ description: ['failure body/values/0/is_unknown'], reference: ['failure body/values/0/is_unknown'] },
  },
  {
    ...{ mark: 7, change: 'no number of products', received: ok('getMe', { products_total: undefined }) },
    ...{ description: ['failure body/products_total'], reference: ['failure body/products_total'] },
  },
  {
    ...{ mark: 8, change: 'a refused field_key', received: refused('putPassport', 400, 'unknown_field_key') },
    ...{ description: [], reference: ['failure body/error/code'] },
  },
  ...[null, undefined].map((none) => ({
    ...{ mark: 9, change: `the latest version ${none}`, received: ok('getPassport', { latest_version: none }) },
    ...{ description: [], reference: ['failure body/latest_version'] },
  })),
  {
    ...{ mark: 9, change: 'a latest version that is text', received: ok('getPassport', { latest_version: 'v2' }) },
    ...{ description: ['failure body/latest_version'], reference: ['failure body/latest_version'] },
  },
  {
    ...{ mark: 10, change: 'no page behind the link of a draft' },
    received: { operationId: 'resolveGtin', status: 404, headers: { ...publicHeaders, 'content-type': 'text/plain' } },
    ...{ description: [], reference: ['failure content-type'] },
  },
  {
    ...{ mark: 10, change: 'a link without /01/', received: ok('listCarriers', {}) },
    ...{ description: ['failure body/items/0/gs1_digital_link'], reference: ['failure body/items/0/gs1_digital_link'] },
    ...withLink('https://a.example/qr/17'),
  },
  {
    ...{ mark: 10, change: 'a link with the GTIN as it was sent', received: ok('listCarriers', {}) },
    ...{ description: [], reference: [] },
    ...withLink('https://a.example/01/9520001000010'),
  },
  {
    ...{ mark: 11, change: 'a GTIN of another length that is unknown' },
    received: { operationId: 'resolveGtin', status: 404, headers: publicHeaders, body: { message: 'No.' } },
    ...{ description: [], reference: ['failure body/error', 'failure body/message'] },
  },
  {
    ...{ mark: 11, change: 'a redirect with a text' },
    received: {
      ...{ operationId: 'resolveGtin', status: 302, body: 'Found. Redirecting.' },
      headers: { ...publicHeaders, 'cache-control': 'no-cache', location: '/p/nordlicht/kabel' },
    },
    ...{ description: [], reference: ['failure header Location', 'failure header Link', 'failure body'] },
  },
  {
    ...{ mark: 12, change: 'a time in seconds and with an offset' },
    received: ok('getProduct', { updated_at: '2026-10-12T16:31:07+02:00' }),
    ...{ description: [], reference: ['failure body/updated_at'] },
  },
  {
    ...{ mark: 13, change: 'a refused status in a body', received: refused('createProduct', 400, 'status_read_only') },
    ...{ description: [], reference: ['failure body/error/code'] },
  },
  {
    ...{ mark: 14, change: 'a page for an unknown path' },
    received: { method: 'GET', path: '/api/v1/nothing', status: 404, headers: html, body: '<h1>Not found</h1>' },
    ...{ description: [], reference: ['failure content-type'] },
  },
  {
    ...{ mark: 14, change: '405 with an incomplete Allow' },
    received: { method: 'DELETE', path: '/api/v1/me', status: 405, headers: { ...html, allow: 'GET' }, body: 'No.' },
    ...{ description: [], reference: ['failure header Allow', 'failure content-type'] },
  },
  {
    ...{ mark: 14, change: 'another status for an unknown path' },
    received: { method: 'GET', path: '/api/v1/nothing', status: 403, headers: html, body: 'No.' },
    ...{ description: ['warning status'], reference: ['failure status'] },
  },
  {
    ...{ mark: 14, change: 'another code for an invalid key' },
    received: {
      ...refused('getMe', 401, 'unauthorized'),
      headers: { ...headers, 'www-authenticate': 'Bearer' },
    },
    ...{ description: ['failure body/error/code'], reference: ['failure body/error/code'] },
  },
  ...['application/json', 'Application/JSON; charset="UTF-8"', 'application/json; charset=utf-8; v=1'].map((type) => ({
    ...{ mark: 15, change: `the content type ${type}` },
    received: { ...ok('getMe', {}), headers: { ...headers, 'content-type': type } },
    ...{ description: [], reference: ['failure content-type'] },
  })),
  ...['application/json; charset=iso-8859-1', 'text/html; charset=utf-8'].map((type) => ({
    ...{ mark: 15, change: `the content type ${type}` },
    received: { ...ok('getMe', {}), headers: { ...headers, 'content-type': type } },
    ...{ description: ['failure content-type'], reference: ['failure content-type'] },
  })),
  {
    ...{ mark: 15, change: 'SQL in a message' },
    received: {
      ...refused('getProduct', 404, ''),
      body: { error: { code: 'not_found', message: 'select * from `products`' } },
    },
    ...{ description: ['failure body'], reference: ['failure body'] },
  },
  {
    ...{ mark: 15, change: 'a stack trace on a public page' },
    received: {
      ...{ ...page, status: 404, body: '<!doctype html>Error<br>\n    at read (/srv/app/page.js:3:5)' },
      headers: { ...publicHeaders, vary: 'accept', 'content-type': 'text/html; charset=utf-8' },
    },
    ...{ description: ['failure body', 'failure body'], reference: ['failure body', 'failure body'] },
  },
  {
    ...{ mark: 16, change: 'another code for a null name', received: refused('createProduct', 400, 'name_invalid') },
    ...{ description: [], reference: ['failure body/error/code'] },
  },
  {
    ...{ mark: 17, change: '403 for an expired token', received: { ...page, status: 403 } },
    ...{ description: ['warning status'], reference: ['failure status'] },
  },
  ...[500, 502, 503].map((status) => ({
    ...{ mark: 18, change: `${status} for limit=-1`, received: refused('listProducts', status, 'internal_error') },
    ...{ description: ['failure status'], reference: ['failure status'] },
  })),
];

function withLink(link: string): Pick<ResponseCase, 'received'> {
  const [carrier] = exampleOf('listCarriers').items as Record<string, unknown>[];
  return { received: ok('listCarriers', { items: [{ ...carrier, gs1_digital_link: link }] }) };
}

describe.each(['description', 'reference'] as const)('the profile %s', (profile: Profile) => {
  test.each(responses)('judges $change (mark $mark)', ({ received, [profile]: expected }) => {
    const findings = judges[profile].response(asSent(received));
    expect(findings.map(({ severity, where }) => `${severity} ${where}`)).toEqual(expected);
  });

  /** JSON leaves out members that are undefined. */
  function asSent(received: RequestLine & ReceivedResponse): RequestLine & ReceivedResponse {
    return typeof received.body === 'object' ? { ...received, body: JSON.stringify(received.body) } : received;
  }
});

interface RequestCase {
  readonly mark: number;
  readonly what: string;
  readonly request: RequestToJudge;
  /** The findings in each profile: the place, and the code that the response must have. */
  readonly description: readonly (readonly [where: string, code: string | undefined])[];
  readonly reference: readonly (readonly [where: string, code: string | undefined])[];
}

function create(body: unknown): { request: RequestToJudge } {
  return { request: { operationId: 'createProduct', body } };
}

const requests: readonly RequestCase[] = [
  {
    ...{ mark: 4, what: 'a GTIN of 9 digits', ...create({ name: 'a', gtin: '123456789' }) },
    ...{ description: [['body/gtin', undefined]], reference: [['body/gtin', 'invalid_gtin']] },
  },
  {
    ...{ mark: 13, what: 'status in a body', ...create({ name: 'a', status: 'active' }) },
    ...{ description: [['body/status', undefined]], reference: [] },
  },
  {
    ...{ mark: 16, what: 'a null name', ...create({ name: null }) },
    ...{ description: [['body/name', undefined]], reference: [['body/name', 'name_required']] },
  },
  {
    ...{ mark: 16, what: 'no name', ...create({}) },
    ...{ description: [['body/name', 'name_required']], reference: [['body/name', 'name_required']] },
  },
];

describe.each(['description', 'reference'] as const)('in the profile %s the request', (profile: Profile) => {
  test.each(requests)('has the expected findings for $what (mark $mark)', ({ request, [profile]: expected }) => {
    expect(judges[profile].request(request).map(({ where, code }) => [where, code])).toEqual(expected);
  });
});

test('every mark from 1 to 18 has a case', () => {
  const marks = [...responses, ...requests].map(({ mark }) => mark);
  expect(new Set(marks)).toEqual(new Set(Array.from({ length: 18 }, (_, index) => index + 1)));
});
