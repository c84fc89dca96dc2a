/** What becomes of each response and each failure, how a program tells errors apart, and that none contains a key or a token. */
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { ServerErrorCode } from '../../openapi/src/generated/types.ts';
import { codesOf, readContract } from '../../openapi/src/index.ts';
import { operations } from '../../sdk/src/generated/samples.ts';
import { type Call, isApiError, isPassportError } from '../../sdk/src/index.ts';
import {
  apiKey,
  connect,
  type FakeResponse,
  hiddenRedirect,
  html,
  json,
  refusal,
  siteUrl,
} from '../support/fake-fetch.ts';
import { rejection } from '../support/thrown.ts';

const failing = (response: FakeResponse) => rejection(connect(response).client.products.get('x'));
/** A body of which each chunk is one byte, so that characters are cut. */
const byteByByte = (text: string, init: ResponseInit) =>
  new Response(
    new ReadableStream({
      start(body) {
        for (const byte of new TextEncoder().encode(text)) body.enqueue(Uint8Array.of(byte));
        body.close();
      },
    }),
    init,
  );
const call: Call = { operation: 'getProduct', method: 'GET', path: '/api/v1/products/x', attempts: 1 };

// types.test.ts compares the types with these tables.
test('the known codes are those of the contract', () => {
  const ofServer: Record<ServerErrorCode, true> = {
    method_not_allowed: true,
    request_timeout: true,
    headers_too_large: true,
  };
  const ofOperations = operations.flatMap(({ codes }) => codes);
  const contract = readContract();
  const responses = [contract.outsideOperations, ...contract.operations.map((one) => one.responses)];
  const codes = responses.flatMap((all) => Object.values(all)).flatMap(codesOf);
  expect(new Set([...ofOperations, ...Object.keys(ofServer)])).toEqual(new Set(codes));
});

describe('a refusal', () => {
  test('names the request, the status, the reason and the request id; a logged one, too', async () => {
    const body = { error: { code: 'not_found', message: 'There is no such resource.' } };
    const error = await failing(json(body, { status: 404, headers: { 'x-request-id': 'req-7' } }));
    expect(error).toHaveProperty(
      'message',
      'GET /api/v1/products/x → 404 not_found: There is no such resource. (attempts: 1, request: req-7)',
    );
    const shown = { status: 404, code: 'not_found', detail: 'There is no such resource.', requestId: 'req-7' };
    expect(JSON.parse(JSON.stringify(error))).toEqual({ name: 'ApiError', ...shown, ...call });
    expect(await failing(json(body, { status: 404 }))).toMatchObject({
      message: expect.stringMatching(/attempts: 1\)$/),
    });
  });

  test.each([
    ['a code of tomorrow', () => refusal(400, 'a_code_of_tomorrow', 'No.'), 'a_code_of_tomorrow', 'No.'],
    ['no message', () => json({ error: { code: 'not_found' } }, { status: 404 }), 'not_found', ''],
    ['a long one', () => refusal(400, 'not_found', 'x'.repeat(60_000)), 'not_found', 'x'.repeat(500)],
    ['a forged line', () => refusal(400, 'a\ncode', 'one\r\ntwo\u001b[31m\u0000three'), 'a code', 'one two [31m three'],
    [
      'characters that arrive in pieces',
      () => byteByByte('{"error":{"code":"not_found","message":"Größe 5 € ✓ 🧵"}}', { status: 404 }),
      ...['not_found', 'Größe 5 € ✓ 🧵'],
    ],
  ])('may have %s', async (_what, response, code, detail) => {
    expect(await failing(response)).toMatchObject({ name: 'ApiError', code, detail });
  });
});

describe('a response that does not follow the contract', () => {
  const problem = JSON.stringify({ type: 'https://stoplight.io/prism/errors#X', title: 'Route not resolved' });
  test.each([
    ["a gateway's page", html(502, '<h1>Bad Gateway</h1>'), '<h1>Bad Gateway</h1>'],
    ['an empty 500', new Response(null, { status: 500 }), ''],
    ["Prism's 404", new Response(problem, { status: 404 }), 'Route not resolved'],
    ['text that is JSON', json('not_found', { status: 404 }), 'not_found'],
    ['null', json(null, { status: 404 }), ''],
    ['an error that is text', json({ error: 'not_found' }, { status: 404 }), 'not_found'],
    ['an error without a code', json({ error: { message: 'No.' } }, { status: 400 }), 'No.'],
    ['an error with an empty code', json({ error: { code: '', message: 'No.' } }, { status: 400 }), 'No.'],
    ['an error whose code is a number', json({ error: { code: 404, message: 'No.' } }, { status: 404 }), '404'],
    ['a 200 of HTML', html(200, '<title>Please log in</title>'), '<title>Please log in</title>'],
    ['a 200 of half a JSON', new Response('{"id":"019b'), '{"id":"019b'],
    ['an empty 200', new Response(''), ''],
    ['a 204', new Response(null, { status: 204 }), ''],
    ['a 200 of null', json(null), 'null'],
    ['a 200 of an array', json([]), '[]'],
    ['a 304', new Response(null, { status: 304 }), ''],
  ])('%s', async (_name, response, text) => {
    const error = await failing(response);
    const { status } = response;
    const excerpt = expect.stringContaining(text);
    const message = expect.stringMatching(/^GET \/api\/v1\/products\/x → \d{3} unexpected_response: ./);
    expect(error).toMatchObject({ name: 'UnexpectedResponseError', status, excerpt, message, ...call });
    expect([isPassportError(error), isApiError(error)]).toEqual([true, false]);
  });

  test('says that it is an HTML page, and shows the beginning of its text without the key', async () => {
    const error = await failing(html(502, `<h1>Bad gateway</h1> ${apiKey} ${'x'.repeat(1 << 20)}`));
    const begun = JSON.stringify(`<h1>Bad gateway</h1> [secret] ${'x'.repeat(170)}`);
    const message = `GET /api/v1/products/x → 502 unexpected_response: the response is an HTML page: ${begun} (attempts: 1)`;
    expect(error).toMatchObject({ message, excerpt: expect.stringMatching(/^.{500}$/) });
  });

  test.each([301, 302, 303, 307, 308])(
    'a %i is refused and says where it leads, without what may be secret',
    async (status) => {
      const location = 'https://sso.example/login?code=hunter2#hunter2';
      const { client, requests } = connect(new Response('hunter2', { status, headers: { location } }), {
        maxAttempts: 3,
      });
      const error = await rejection(client.me.get());
      expect(error).toMatchObject({ name: 'UnexpectedResponseError', code: 'redirect_refused', status });
      expect(String(error)).toContain('does not follow the redirect to https://sso.example/login (attempts');
      expect(requests).toHaveLength(1);
    },
  );

  test('a redirect that a browser hides is reported and not followed', async () => {
    const { client, requests } = connect(hiddenRedirect, { maxAttempts: 3 });
    const hidden = { name: 'UnexpectedResponseError', code: 'redirect_hidden', status: 0, ...call };
    expect(await rejection(client.products.get('x'))).toMatchObject(hidden);
    expect(requests.map(({ redirect }) => redirect)).toEqual(['manual']);
  });
});

describe('a failed fetch is a network error', () => {
  const thrown = (cause: unknown) => Object.assign(new TypeError('fetch failed'), { cause });
  const advice = 'Is the address right, and does the service run?';
  const ofTls = '408D:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../x.c:77:';
  test.each<[string, Error, string]>([
    ['message', thrown(new Error('read ECONNRESET')), 'read ECONNRESET'],
    // A name with several addresses: Node's AggregateError has a code and no text.
    ['code', thrown(Object.assign(new AggregateError([]), { code: 'ETIMEDOUT' })), 'ETIMEDOUT'],
    ['closed port', thrown(new Error('connect ECONNREFUSED ::1:1')), `connect ECONNREFUSED ::1:1. ${advice}`],
    ['unknown name', thrown(new Error('getaddrinfo ENOTFOUND a.test')), `getaddrinfo ENOTFOUND a.test. ${advice}`],
    ['name', thrown(new DOMException('', 'SyntaxError')), 'SyntaxError'],
    ['text', thrown('offline'), 'offline'],
    ['TLS', thrown(new Error(ofTls)), 'it does not speak TLS: use http://'],
    ['no cause', new TypeError('Failed to fetch'), 'Failed to fetch'],
    ['forged line', new TypeError(`one\r\ntwo ${apiKey}`), 'one two [secret]'],
    ['length', new Error('x'.repeat(9_000)), 'x'.repeat(500)],
  ])('that names the host and the innermost cause: %s', async (_what, response, reason) => {
    const message = `GET /api/v1/products/x → no complete response from passport.example.com: ${reason} (attempts: 1)`;
    expect(await failing(response)).toMatchObject({ name: 'NetworkError', code: 'network_error', message, ...call });
  });

  test('that asks for the address only before the first response', async () => {
    const refused = () => thrown(new Error('connect ECONNREFUSED ::1:1'));
    const { client } = connect([refused(), Response.json({ slug: 'x' }), refused()]);
    const failure = async () => String(await rejection(client.products.get('x')));
    expect(await failure()).toContain(advice);
    await client.products.get('x').result();
    expect(await failure()).toContain('connect ECONNREFUSED ::1:1. Does the service run? (attempts: 1)');
  });

  test('that names the host of the request on the public side', async () => {
    const to = new Response(null, { status: 307, headers: { location: 'https://id.other.example:8443/x' } });
    const error = await rejection(connect([to, new TypeError('Failed to fetch')]).site.resolve('09520001000072'));
    const message =
      'GET /01/09520001000072 → no complete response from id.other.example:8443: Failed to fetch (attempts: 1)';
    expect(error).toMatchObject({ message });
  });

  test('that has a copy of the cause, with at most four causes of its own, also of a circle', async () => {
    const error = await failing(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }));
    expect(error).toMatchObject({
      cause: { name: 'TypeError', stack: expect.stringContaining('errors.test.ts'), cause: { code: 'ECONNREFUSED' } },
    });
    const [outer, inner] = [new TypeError('fetch failed'), new Error('reset')];
    outer.cause = inner;
    inner.cause = outer;
    let deepest: unknown = await failing(outer);
    const messages: string[] = [];
    for (; (deepest as Error).cause; deepest = (deepest as Error).cause)
      messages.push(((deepest as Error).cause as Error).message);
    expect(messages).toEqual(['fetch failed', 'reset', 'fetch failed', 'reset', 'fetch failed']);
  });
});

describe('the guards', () => {
  test('take an operation and a code', async () => {
    const error = await failing(refusal(404, 'not_found'));
    expect([isApiError(error), isApiError(error, 'getProduct'), isApiError(error, 'getMe')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(isApiError(error, 'getProduct', 'not_found')).toBe(true);
    expect(isApiError(error, 'getProduct', 'rate_limited')).toBe(false);
    expect(isApiError(error, undefined, 'not_found')).toBe(true);
  });

  test('reject look-alikes', () => {
    const lookalike = Object.assign(new Error('no'), { name: 'ApiError', code: 'not_found', status: 404 });
    for (const value of [lookalike, undefined, null, 'ApiError', 404, {}, () => {}]) {
      expect([isPassportError(value), isApiError(value)]).toEqual([false, false]);
    }
  });
});

/** Everything that a logger, a debugger or another program can see of a value. */
function visible(value: unknown): string {
  const seen = new Set<unknown>();
  const parts: string[] = [];
  const walk = (node: unknown): void => {
    parts.push(
      inspect(node, { showHidden: true, depth: 10, getters: true }),
      String(JSON.stringify(node)),
      String(node),
    );
    if ((typeof node !== 'object' && typeof node !== 'function') || node === null || seen.has(node)) return;
    seen.add(node);
    for (const key of Reflect.ownKeys(node)) {
      parts.push(String(key));
      if (key !== 'caller' && key !== 'arguments') walk(Reflect.get(node, key));
    }
  };
  walk(value);
  return parts.join('\n');
}

test('no property of the client or of a list contains the key', () => {
  const { client } = connect([]);
  const all = visible(client) + visible(client.products.list());
  expect(all).toContain(siteUrl);
  expect(all).not.toContain(apiKey);
});

describe('no error contains the key', () => {
  const echo = `Your request: Authorization: Bearer ${apiKey}`;
  const withRequest = (request: Request): never => {
    throw Object.assign(new Error(`could not send ${request.headers.get('authorization')}`), {
      request,
      options: { headers: Object.fromEntries(request.headers) },
      code: `E${apiKey}`,
      cause: Object.assign(new TypeError(echo), { code: 'ECONNRESET' }),
    });
  };

  const unreadable = () => {
    throw new Proxy(new Error(echo), {
      get: () => {
        throw new Error(echo);
      },
    });
  };
  const redirect = new Response(null, { status: 302, headers: { location: `https://x.example/${apiKey}` } });
  test.each<[string, FakeResponse]>([
    ['a gateway that shows the request', html(502, echo)],
    ['a page whose excerpt ends within the key', html(502, '.'.repeat(450) + echo)],
    ['a refusal that quotes it', refusal(401, 'invalid_api_key', echo)],
    ['a code that quotes it', refusal(401, echo)],
    ['a 200 that is not JSON', html(200, echo)],
    ['a request id that equals it', new Response('{}', { status: 502, headers: { 'x-request-id': apiKey } })],
    ['a redirect that carries it', redirect],
    ['a fetch that throws its request', withRequest],
    ['control characters around it', refusal(400, 'invalid_request', `\n\u001b[31m${echo}`)],
    ['a fetch that throws what cannot be read', unreadable],
    ['a fetch that throws text', () => Promise.reject(echo)],
  ])('%s', async (_name, response) => {
    const error = await rejection(connect(response).client.me.get());
    expect(visible(error)).toContain('getMe');
    expect(visible(error)).not.toContain(apiKey.slice(0, 8));
  });

  test('even if it was passed as a slug', async () => {
    const { client, attempts } = connect(refusal(404, 'not_found', `There is no ${apiKey}.`));
    const error = await rejection(client.products.get(apiKey));
    expect(error).toMatchObject({ path: '/api/v1/products/[secret]' });
    expect(visible([error, attempts])).not.toContain(apiKey);
  });

  test('even if a value that cannot be sent contains it', async () => {
    const toJSON = () => {
      throw new TypeError(`cannot write ${apiKey}`);
    };
    const { client, requests } = connect(refusal(404, 'not_found'));
    const { products, passports } = client;
    const name = { toJSON } as unknown as string;
    const calls = [
      () => products.create({ name }),
      () => products.ensure({ name, slug: 'x' }),
      () => passports.put('x', [{ field_key: 'a', value: { toJSON } }]),
    ];
    for (const call of calls) {
      const error = await rejection(call());
      expect(error).toMatchObject({ name: 'ArgumentError', cause: { message: 'cannot write [secret]' } });
      expect(visible(error)).not.toContain(apiKey);
    }
    expect(requests).toEqual([]);
  });
});

test('no error contains an access token', async () => {
  const zugang = 'eyJhbGciOiJFUzI1NiJ9.eyJyb2xlIjoiaW5zcGVjdG9yIn0.c2ln';
  const { site, attempts } = connect((request) => html(502, `GET ${request.url}`));
  const calls = [
    () => site.passports.page('t', 'p', { zugang }),
    () => site.passports.document('t', 'p', { zugang }),
    () => site.resolve('09520001000072', { zugang }),
  ];
  for (const call of calls) {
    const error = await rejection(call());
    expect(visible(error)).toContain('zugang=[secret]');
    expect(visible([error, attempts])).not.toContain(zugang);
  }
});
