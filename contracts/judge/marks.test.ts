/**
 * Places where the service's description leaves something open. Each response must pass in the profile `description`,
 * although the reference profile rejects it, or must fail in both.
 */
import { describe, expect, test } from '@jest/globals';
import { readContract } from '@product-passport/openapi';
import { type Answer, createJudge, type Profile, type RequestLine, type RequestToJudge } from './judge.ts';

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

function ok(operationId: string, change: Record<string, unknown>): RequestLine & Answer {
  return { operationId, status: 200, headers, body: { ...exampleOf(operationId), ...change } };
}

function refused(operationId: string, status: number, code: string): RequestLine & Answer {
  return { operationId, status, headers, body: { error: { code, message: 'No.' } } };
}

function passport(change: Record<string, unknown>): RequestLine & Answer {
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
  readonly response: string;
  readonly answer: RequestLine & Answer;
  /** The findings in each profile: severity and place. */
  readonly description: readonly string[];
  readonly reference: readonly string[];
}

const responses: readonly ResponseCase[] = [
  {
    ...{ mark: 1, response: 'an undocumented field', answer: ok('getMe', { tenant_id: 7 }) },
    ...{ description: ['warning body/tenant_id'], reference: ['failure body/tenant_id'] },
  },
  {
    ...{ mark: 1, response: 'no documented field', answer: ok('getMe', { tenant: undefined }) },
    ...{ description: ['failure body/tenant'], reference: ['failure body/tenant'] },
  },
  {
    ...{ mark: 1, response: 'an undocumented client error', answer: refused('createProduct', 409, 'slug_taken') },
    ...{ description: ['warning status'], reference: ['failure status'] },
  },
  {
    ...{ mark: 1, response: 'an undocumented client error without the envelope' },
    answer: { ...refused('createProduct', 409, ''), body: { error: 'slug_taken' } },
    ...{ description: ['warning status', 'failure body/error'], reference: ['failure status'] },
  },
  {
    ...{ mark: 1, response: 'another success than 200', answer: { ...ok('createProduct', {}), status: 201 } },
    ...{ description: ['failure status'], reference: ['failure status'] },
  },
  {
    ...{ mark: 1, response: 'another redirect than 302 and 307' },
    answer: { operationId: 'resolveGtin', status: 303, headers: { ...publicHeaders, location: 'https://a.example' } },
    ...{ description: ['failure status'], reference: ['failure status'] },
  },
  {
    ...{ mark: 1, response: 'a described code with another status' },
    answer: refused('createProduct', 422, 'name_required'),
    ...{ description: ['warning status', 'failure body/error/code'], reference: ['failure status'] },
  },
  {
    ...{ mark: 1, response: 'an undocumented public error', answer: { ...page, status: 410 } },
    ...{ description: ['warning status'], reference: ['failure status'] },
  },
  {
    ...{ mark: 2, response: 'another code for a bad body', answer: refused('createProduct', 400, 'gtin_wrong') },
    ...{ description: [], reference: ['failure body/error/code'] },
  },
  {
    ...{ mark: 2, response: 'another code for a bad query', answer: refused('listProducts', 400, 'limit_too_big') },
    ...{ description: [], reference: ['failure body/error/code'] },
  },
  {
    ...{ mark: 2, response: 'the code of another status', answer: refused('putPassport', 400, 'not_found') },
    ...{ description: ['failure body/error/code'], reference: ['failure body/error/code'] },
  },
  {
    ...{ mark: 2, response: 'another code for a missing product', answer: refused('getProduct', 404, 'no_product') },
    ...{ description: ['failure body/error/code'], reference: ['failure body/error/code'] },
  },
  {
    ...{
      mark: 3,
      response: 'a code for several faults at once',
      answer: refused('putPassport', 400, 'values_invalid'),
    },
    ...{ description: [], reference: ['failure body/error/code'] },
  },
  {
    ...{ mark: 4, response: 'a refused check digit', answer: refused('createProduct', 400, 'gtin_check_digit') },
    ...{ description: [], reference: ['failure body/error/code'] },
  },
  {
    ...{ mark: 4, response: 'a GTIN of 9 digits', answer: ok('getProduct', { gtin: '123456789' }) },
    ...{ description: ['failure body/gtin'], reference: ['failure body/gtin'] },
  },
  {
    ...{ mark: 5, response: 'a refused search text', answer: refused('listProducts', 400, 'search_too_short') },
    ...{ description: [], reference: ['failure body/error/code'] },
  },
  {
    ...{ mark: 6, response: 'a value without unit and flags' },
    answer: passport({ unit: undefined, is_unknown: undefined, needs_review: undefined }),
    description: [],
    reference: ['unit', 'is_unknown', 'needs_review'].map((name) => `failure body/values/0/${name}`),
  },
  {
    ...{ mark: 6, response: 'a flag that is text', answer: passport({ is_unknown: 'no' }) },
    ...{ description: ['failure body/values/0/is_unknown'], reference: ['failure body/values/0/is_unknown'] },
  },
  {
    ...{ mark: 7, response: 'no number of products', answer: ok('getMe', { products_total: undefined }) },
    ...{ description: ['failure body/products_total'], reference: ['failure body/products_total'] },
  },
  {
    ...{ mark: 8, response: 'a refused field_key', answer: refused('putPassport', 400, 'unknown_field_key') },
    ...{ description: [], reference: ['failure body/error/code'] },
  },
  ...[null, undefined].map((none) => ({
    ...{ mark: 9, response: `the latest version ${none}`, answer: ok('getPassport', { latest_version: none }) },
    ...{ description: [], reference: ['failure body/latest_version'] },
  })),
  {
    ...{ mark: 9, response: 'a latest version that is text', answer: ok('getPassport', { latest_version: 'v2' }) },
    ...{ description: ['failure body/latest_version'], reference: ['failure body/latest_version'] },
  },
  {
    ...{ mark: 10, response: 'no page behind the link of a draft' },
    answer: { operationId: 'resolveGtin', status: 404, headers: { ...publicHeaders, 'content-type': 'text/plain' } },
    ...{ description: [], reference: ['failure content-type'] },
  },
  {
    ...{ mark: 10, response: 'a link without /01/', answer: ok('listCarriers', {}) },
    ...{ description: ['failure body/items/0/gs1_digital_link'], reference: ['failure body/items/0/gs1_digital_link'] },
    ...withLink('https://a.example/qr/17'),
  },
  {
    ...{ mark: 10, response: 'a link with the GTIN as it was sent', answer: ok('listCarriers', {}) },
    ...{ description: [], reference: [] },
    ...withLink('https://a.example/01/9520001000010'),
  },
  {
    ...{ mark: 11, response: 'a GTIN of another length that is unknown' },
    answer: { operationId: 'resolveGtin', status: 404, headers: publicHeaders, body: { message: 'No.' } },
    ...{ description: [], reference: ['failure body/error', 'failure body/message'] },
  },
  {
    ...{ mark: 11, response: 'a redirect with a text' },
    answer: {
      ...{ operationId: 'resolveGtin', status: 302, body: 'Found. Redirecting.' },
      headers: { ...publicHeaders, 'cache-control': 'no-cache', location: '/p/nordlicht/kabel' },
    },
    ...{ description: [], reference: ['failure header Location', 'failure header Link', 'failure body'] },
  },
  {
    ...{ mark: 12, response: 'a time in seconds and with an offset' },
    answer: ok('getProduct', { updated_at: '2026-10-12T16:31:07+02:00' }),
    ...{ description: [], reference: ['failure body/updated_at'] },
  },
  {
    ...{ mark: 13, response: 'a refused status in a body', answer: refused('createProduct', 400, 'status_read_only') },
    ...{ description: [], reference: ['failure body/error/code'] },
  },
  {
    ...{ mark: 14, response: 'a page for an unknown path' },
    answer: { method: 'GET', path: '/api/v1/nothing', status: 404, headers: html, body: '<h1>Not found</h1>' },
    ...{ description: [], reference: ['failure content-type'] },
  },
  {
    ...{ mark: 14, response: '405 with an incomplete Allow' },
    answer: { method: 'DELETE', path: '/api/v1/me', status: 405, headers: { ...html, allow: 'GET' }, body: 'No.' },
    ...{ description: [], reference: ['failure header Allow', 'failure content-type'] },
  },
  {
    ...{ mark: 14, response: 'another status for an unknown path' },
    answer: { method: 'GET', path: '/api/v1/nothing', status: 403, headers: html, body: 'No.' },
    ...{ description: ['warning status'], reference: ['failure status'] },
  },
  {
    ...{ mark: 14, response: 'another code for an invalid key' },
    answer: {
      ...refused('getMe', 401, 'unauthorized'),
      headers: { ...headers, 'www-authenticate': 'Bearer' },
    },
    ...{ description: ['failure body/error/code'], reference: ['failure body/error/code'] },
  },
  ...['application/json', 'Application/JSON; charset="UTF-8"', 'application/json; charset=utf-8; v=1'].map((type) => ({
    ...{ mark: 15, response: `the content type ${type}` },
    answer: { ...ok('getMe', {}), headers: { ...headers, 'content-type': type } },
    ...{ description: [], reference: ['failure content-type'] },
  })),
  ...['application/json; charset=iso-8859-1', 'text/html; charset=utf-8'].map((type) => ({
    ...{ mark: 15, response: `the content type ${type}` },
    answer: { ...ok('getMe', {}), headers: { ...headers, 'content-type': type } },
    ...{ description: ['failure content-type'], reference: ['failure content-type'] },
  })),
  {
    ...{ mark: 15, response: 'SQL in a message' },
    answer: {
      ...refused('getProduct', 404, ''),
      body: { error: { code: 'not_found', message: 'select * from `products`' } },
    },
    ...{ description: ['failure body'], reference: ['failure body'] },
  },
  {
    ...{ mark: 15, response: 'a stack trace on a public page' },
    answer: {
      ...{ ...page, status: 404, body: '<!doctype html>Error<br>\n    at read (/srv/app/page.js:3:5)' },
      headers: { ...publicHeaders, vary: 'accept', 'content-type': 'text/html; charset=utf-8' },
    },
    ...{ description: ['failure body', 'failure body'], reference: ['failure body', 'failure body'] },
  },
  {
    ...{ mark: 16, response: 'another code for a null name', answer: refused('createProduct', 400, 'name_invalid') },
    ...{ description: [], reference: ['failure body/error/code'] },
  },
  {
    ...{ mark: 17, response: '403 for an expired token', answer: { ...page, status: 403 } },
    ...{ description: ['warning status'], reference: ['failure status'] },
  },
  ...[500, 502, 503].map((status) => ({
    ...{ mark: 18, response: `${status} for limit=-1`, answer: refused('listProducts', status, 'internal_error') },
    ...{ description: ['failure status'], reference: ['failure status'] },
  })),
];

function withLink(link: string): Pick<ResponseCase, 'answer'> {
  const [carrier] = exampleOf('listCarriers').items as Record<string, unknown>[];
  return { answer: ok('listCarriers', { items: [{ ...carrier, gs1_digital_link: link }] }) };
}

describe.each(['description', 'reference'] as const)('the profile %s', (profile: Profile) => {
  test.each(responses)('judges $response (mark $mark)', ({ answer, [profile]: expected }) => {
    const findings = judges[profile].answer(asSent(answer));
    expect(findings.map(({ severity, where }) => `${severity} ${where}`)).toEqual(expected);
  });

  /** JSON leaves out members that are undefined. */
  function asSent(answer: RequestLine & Answer): RequestLine & Answer {
    return typeof answer.body === 'object' ? { ...answer, body: JSON.stringify(answer.body) } : answer;
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
