import { describe, expect, test } from '@jest/globals';
import type { ServerErrorCode } from '../../openapi/src/generated/types.ts';
import { routes } from '../../sdk/src/generated/routes.ts';
import { type Call, createClient, isApiError, isPassportError } from '../../sdk/src/index.ts';
import { createPublicClient } from '../../sdk/src/public.ts';
import { codesOfContract } from '../support/documented.ts';
import {
  apiKey,
  baseUrl,
  byteByByte,
  fakeFetch,
  hiddenRedirect,
  html,
  json,
  refusal,
  siteUrl,
} from '../support/fake-fetch.ts';
import { rejection } from '../support/thrown.ts';

const failing = (...responses: Parameters<typeof fakeFetch>) =>
  rejection(createClient({ baseUrl, apiKey, maxAttempts: 1, fetch: fakeFetch(...responses).fetch }).products.get('x'));

const call: Call = { operation: 'getProduct', method: 'GET', path: '/api/v1/products/x', attempts: 1 };

// types.test.ts compares the types with these tables.
test('the known codes are those of the contract', () => {
  const ofServer: Record<ServerErrorCode, true> = {
    method_not_allowed: true,
    request_timeout: true,
    headers_too_large: true,
  };
  const ofOperations = Object.values(routes).flatMap(({ codes }) => Object.keys(codes));
  expect([...new Set([...ofOperations, ...Object.keys(ofServer)])].sort()).toEqual(codesOfContract());
});

describe('an unexpected response', () => {
  test("says that it is an HTML page, and begins with the page's text, without the key", async () => {
    const error = await failing(html(502, `<h1>Bad gateway</h1> ${apiKey} ${'x'.repeat(600)}`));
    expect(error).toHaveProperty(
      'message',
      `GET /api/v1/products/x → 502 unexpected_response: the response is an HTML page: ${JSON.stringify(
        `<h1>Bad gateway</h1> [secret] ${'x'.repeat(170)}`,
      )} (attempts: 1)`,
    );
    expect(error).toHaveProperty('excerpt.length', 500);
  });

  test('of a list names the offset of the page', async () => {
    const items = [{ id: '1' }, { id: '2' }];
    const { fetch } = fakeFetch(json({ items, total: 4, limit: 2, offset: 0 }), html(502, 'no'));
    const list = createClient({ baseUrl, apiKey, maxAttempts: 1, fetch }).products.list();
    const seen: string[] = [];
    const read = async () => {
      for await (const { id } of list) seen.push(id);
    };
    const error = await rejection(read());
    expect(seen).toEqual(['1', '2']);
    expect(error).toHaveProperty('message', expect.stringMatching(/^GET \/api\/v1\/products\?offset=2 → 502 /));
  });
});

describe('a refusal', () => {
  test('names the request, the status and the reason', async () => {
    const error = await failing(refusal(404, 'not_found', 'There is no such resource.'));
    expect(error).toMatchObject({
      name: 'ApiError',
      status: 404,
      code: 'not_found',
      detail: 'There is no such resource.',
      ...call,
    });
    expect(error).toHaveProperty(
      'message',
      'GET /api/v1/products/x → 404 not_found: There is no such resource. (attempts: 1)',
    );
    expect(isApiError(error)).toBe(true);
    expect(isApiError(error, 'getProduct')).toBe(true);
    expect(isApiError(error, 'getMe')).toBe(false);
    expect(isApiError(error, 'getProduct', 'not_found')).toBe(true);
    expect(isApiError(error, 'getProduct', 'rate_limited')).toBe(false);
    expect(isApiError(error, undefined, 'not_found')).toBe(true);
  });

  test('has the request id, which finds the request in the logs of the service', async () => {
    const headers = { 'x-request-id': 'req-7' };
    const error = await failing(json({ error: { code: 'not_found', message: 'No.' } }, { status: 404, headers }));
    const message = 'GET /api/v1/products/x → 404 not_found: No. (attempts: 1, request: req-7)';
    expect(error).toMatchObject({ requestId: 'req-7', message });
  });

  test('is complete when its characters arrive in pieces', async () => {
    const text = JSON.stringify({ error: { code: 'not_found', message: 'Größe 5 € ✓ 🧵' } });
    expect(await failing(() => byteByByte(text, { status: 404 }))).toHaveProperty('detail', 'Größe 5 € ✓ 🧵');
  });

  test.each([...codesOfContract(), 'a_code_of_tomorrow'])('keeps the code %s', async (code) => {
    expect(await failing(refusal(400, code))).toMatchObject({ name: 'ApiError', code });
  });

  test("is recognised in Prism's response to a body that is not JSON", async () => {
    const response = json({ error: { code: 'invalid_json', message: 'Invalid JSON' } }, { status: 400 });
    expect(await failing(response)).toMatchObject({
      name: 'ApiError',
      status: 400,
      code: 'invalid_json',
      detail: 'Invalid JSON',
    });
  });

  test('may have no message, or a long one', async () => {
    expect(await failing(json({ error: { code: 'not_found' } }, { status: 404 }))).toMatchObject({
      code: 'not_found',
      detail: '',
    });
    const long = await failing(refusal(400, 'invalid_request', 'x'.repeat(60_000)));
    expect(long).toMatchObject({ name: 'ApiError', detail: 'x'.repeat(500) });
  });
});

describe('a response that does not follow the contract', () => {
  const problem = (status: number, title: string) =>
    new Response(JSON.stringify({ type: 'https://stoplight.io/prism/errors#X', title, status, detail: 'Somewhere.' }), {
      status,
      headers: { 'content-type': 'application/problem+json' },
    });

  test.each([
    ['a gateway’s page', html(502, '<h1>Bad Gateway</h1>'), 502, '<h1>Bad Gateway</h1>'],
    ['an empty 500', new Response(null, { status: 500 }), 500, ''],
    ['an empty 503 with its length', new Response(null, { status: 503, headers: { 'content-length': '0' } }), 503, ''],
    ["Prism's 404", problem(404, 'Route not resolved, no path matched'), 404, 'Route not resolved'],
    ["Prism's 405", problem(405, 'Route resolved, but no method matched'), 405, 'no method matched'],
    ["Prism's 406", problem(406, 'The server cannot produce a representation'), 406, 'cannot produce'],
    ['text that is JSON', json('not_found', { status: 404 }), 404, 'not_found'],
    ['null', json(null, { status: 404 }), 404, ''],
    ['an array', json([{ error: { code: 'not_found' } }], { status: 404 }), 404, 'not_found'],
    ['an error that is text', json({ error: 'not_found' }, { status: 404 }), 404, 'not_found'],
    ['an error without a code', json({ error: { message: 'No.' } }, { status: 400 }), 400, 'No.'],
    ['an error with an empty code', json({ error: { code: '', message: 'No.' } }, { status: 400 }), 400, 'No.'],
    ['an error whose code is a number', json({ error: { code: 404, message: 'No.' } }, { status: 404 }), 404, '404'],
    ['a 200 of HTML', html(200, '<title>Please log in</title>'), 200, '<title>Please log in</title>'],
    ['a 200 of half a JSON', new Response('{"id":"019b'), 200, '{"id":"019b'],
    ['an empty 200', new Response(''), 200, ''],
    ['a 200 of length 0', new Response(null, { headers: { 'content-length': '0' } }), 200, ''],
    ['a 204', new Response(null, { status: 204 }), 204, ''],
    ['a 200 of null', json(null), 200, 'null'],
    ['a 200 of text', json('fine'), 200, 'fine'],
    ['a 200 of an array', json([]), 200, '[]'],
    ['a 304', new Response(null, { status: 304 }), 304, ''],
  ])('%s', async (_name, response, status, excerpt) => {
    const error = await failing(response);
    expect(error).toMatchObject({
      name: 'UnexpectedResponseError',
      status,
      excerpt: expect.stringContaining(excerpt),
      ...call,
    });
    expect(error).toHaveProperty('message', expect.stringMatching(/^GET \/api\/v1\/products\/x → \d{3} \w+: ./));
    expect(isPassportError(error)).toBe(true);
    expect(isApiError(error)).toBe(false);
  });

  test('cannot forge a line in a log', async () => {
    const error = await failing(refusal(400, 'a\ncode', 'one\r\ntwo\u001b[31m\u0000three'));
    expect(error).toMatchObject({ code: 'a code', detail: 'one two [31m three' });
    expect(String(error)).not.toMatch(/\p{Cc}/u);
  });

  test('keeps only the beginning of the body', async () => {
    expect(await failing(html(502, '<p>'.repeat(1 << 18)))).toHaveProperty('excerpt.length', 500);
    expect(await failing(json({ long: 'x'.repeat(1 << 20) }, { status: 502 }))).toHaveProperty('excerpt.length', 500);
  });

  test.each([301, 302, 303, 307, 308])(
    'a %i is refused and says where it leads, without what may be secret',
    async (status) => {
      const { fetch, requests } = fakeFetch(
        new Response(null, {
          status,
          headers: { location: 'https://sso.example/login?code=hunter2#hunter2' },
        }),
      );
      const error = await rejection(createClient({ baseUrl, apiKey, fetch }).me.get());
      expect(error).toMatchObject({ name: 'UnexpectedResponseError', code: 'redirect_refused', status });
      expect(String(error)).toContain('does not follow the redirect to https://sso.example/login (attempts');
      expect(requests).toHaveLength(1);
    },
  );

  test('a redirect that a browser hides is reported and not followed', async () => {
    const { fetch, requests } = fakeFetch(hiddenRedirect);
    const error = await rejection(createClient({ baseUrl, apiKey, fetch }).products.get('x'));
    expect(error).toMatchObject({ name: 'UnexpectedResponseError', code: 'redirect_hidden', status: 0, ...call });
    expect(requests.map(({ redirect }) => redirect)).toEqual(['manual']);
  });
});

test('a failed fetch is a network error with the cause that the runtime reports', async () => {
  const error = await failing(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }));
  expect(error).toMatchObject({
    name: 'NetworkError',
    code: 'network_error',
    cause: { name: 'TypeError', message: 'fetch failed', cause: { code: 'ECONNREFUSED' } },
    ...call,
  });
});

test('a cause has at most four causes of its own', async () => {
  let thrown = new Error('cause 9');
  for (let number = 8; number >= 0; number -= 1)
    thrown = Object.assign(new TypeError(`cause ${number}`), { cause: thrown });
  let deepest: unknown = await failing(thrown);
  while ((deepest as Error).cause !== undefined) deepest = (deepest as Error).cause;
  expect(deepest).toMatchObject({ message: 'cause 4' });
});

describe('the message of a network error names the host and the innermost cause', () => {
  const thrown = (cause: unknown) => Object.assign(new TypeError('fetch failed'), { cause });
  test.each<[string, Error, string]>([
    ['its message', thrown(new Error('read ECONNRESET')), 'read ECONNRESET'],
    // A name with several addresses: Node's AggregateError has a code and no text.
    ['its code', thrown(Object.assign(new AggregateError([]), { code: 'ETIMEDOUT' })), 'ETIMEDOUT'],
    [
      'what to check if nobody listens',
      thrown(new Error('connect ECONNREFUSED 127.0.0.1:1')),
      'connect ECONNREFUSED 127.0.0.1:1. Is the address right, and does the service run?',
    ],
    [
      'what to check if the name is unknown',
      thrown(new Error('getaddrinfo ENOTFOUND nope.invalid')),
      'getaddrinfo ENOTFOUND nope.invalid. Is the address right, and does the service run?',
    ],
    ['its name', thrown(new DOMException('', 'SyntaxError')), 'SyntaxError'],
    ['its text', thrown('offline'), 'offline'],
    [
      'what to do about TLS',
      thrown(new Error('408D:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../x.c:77:')),
      'it does not speak TLS: use http://',
    ],
    ['its own message', new TypeError('Failed to fetch'), 'Failed to fetch'],
    ['no forged line', new TypeError(`one\r\ntwo ${apiKey}`), 'one two [secret]'],
  ])('%s', async (_what, response, reason) => {
    const message = `GET /api/v1/products/x → no complete response from passport.example.com: ${reason} (attempts: 1)`;
    expect(await failing(response)).toHaveProperty('message', message);
  });

  test('shortens a long cause', async () => {
    expect(String(await failing(new Error('x'.repeat(9_000))))).toMatch(/: x{500} \(/);
  });

  test('on the public side it is the host of the request', async () => {
    const { fetch } = fakeFetch(
      new Response(null, { status: 307, headers: { location: 'https://id.other.example:8443/x' } }),
      new TypeError('Failed to fetch'),
    );
    const error = await rejection(createPublicClient({ siteUrl, maxAttempts: 1, fetch }).resolve('09520001000072'));
    expect(error).toMatchObject({
      message:
        'GET /01/09520001000072 → no complete response from id.other.example:8443: Failed to fetch (attempts: 1)',
    });
  });
});

test('a failed fetch with circular causes is a network error', async () => {
  const [outer, inner] = [new TypeError('fetch failed'), new Error('reset')];
  outer.cause = inner;
  inner.cause = outer;
  expect(await failing(outer)).toMatchObject({
    name: 'NetworkError',
    cause: { message: 'fetch failed', cause: { message: 'reset' } },
    ...call,
  });
});

describe('the guards', () => {
  test('recognise errors of another copy of the package, which instanceof does not', async () => {
    const specifier = '../../sdk/src/errors.ts?another-copy';
    const copy: typeof import('../../sdk/src/errors.ts') = await import(specifier);
    const own = await import('../../sdk/src/errors.ts');
    const foreign = new copy.ApiError(call, { status: 404 }, 'not_found', 'No.');
    expect(foreign instanceof own.ApiError).toBe(false);
    expect(isApiError(foreign, 'getProduct')).toBe(true);
    for (const error of [
      new copy.UnexpectedResponseError(call, { status: 502 }, 'unexpected_response', 'no'),
      new copy.NetworkError(call, 'passport.example.com', 'no'),
      new copy.AbortError(call, 'pause', 'no'),
      new copy.TimeoutError(call, 'timeout', 5, 'body'),
      new copy.ArgumentError('slug', 'no'),
    ]) {
      expect(isPassportError(error)).toBe(true);
      expect(isApiError(error)).toBe(false);
    }
  });

  test('reject look-alikes', () => {
    const lookalike = Object.assign(new Error('no'), { name: 'ApiError', code: 'not_found', status: 404 });
    for (const value of [lookalike, undefined, null, 'ApiError', 404, {}, () => {}]) {
      expect(isPassportError(value)).toBe(false);
      expect(isApiError(value)).toBe(false);
    }
  });
});

test('a logged error shows the request, the status, the code and the reason', async () => {
  const error = await failing(refusal(404, 'not_found', 'There is no such resource.'));
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'ApiError',
    status: 404,
    code: 'not_found',
    detail: 'There is no such resource.',
    ...call,
  });
});
