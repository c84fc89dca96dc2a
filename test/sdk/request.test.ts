/** The requests that the client sends: address, headers and query, and the arguments that it refuses. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { type CreateProduct, createClient } from '../../sdk/src/index.ts';
import { createPublicClient } from '../../sdk/src/public.ts';
import { apiKey, baseUrl, fakeFetch, json, refusal, siteUrl } from '../support/fake-fetch.ts';
import { rejection, thrown } from '../support/thrown.ts';

function connect(...responses: Parameters<typeof fakeFetch>) {
  const { fetch, requests } = fakeFetch(...responses);
  return { client: createClient({ baseUrl, apiKey, fetch, maxAttempts: 1 }), requests };
}

describe('headers of the program', () => {
  test('are those of the client and of the call, which goes first', async () => {
    const { fetch, requests } = fakeFetch(json({}));
    const client = createClient({ baseUrl, apiKey, fetch, headers: { 'X-Team': 'erp', 'x-proxy': 'a' } });
    await client.me.get({ headers: { 'x-proxy': 'b' } });
    const [request] = requests;
    expect([request?.headers.get('x-team'), request?.headers.get('x-proxy')]).toEqual(['erp', 'b']);
  });

  test.each([
    ['Authorization', 'Bearer other'],
    ['content-type', 'text/plain'],
    ['User-Agent', 'mine'],
    ['x-secret', 'hunter2\r\nx-other: 1'],
    ['x secret', 'hunter2'],
    ['x-secret', 'hunter2 ☃'],
    ['', 'hunter2'],
  ])('%j: %j are refused without their value', async (name, value) => {
    const { client, requests } = connect(json({}));
    const error = await rejection(client.me.get({ headers: { [name]: value } }));
    expect(error).toMatchObject({ name: 'ArgumentError', argument: `headers.${name}` });
    expect(String(error)).not.toContain('hunter2');
    expect(requests).toEqual([]);
  });
});

test.each([Number.NaN, Infinity])('a query of %p is refused', async (limit) => {
  const { client, requests } = connect(json({}));
  expect(await rejection(client.products.list({ limit }))).toMatchObject({ name: 'ArgumentError', argument: 'limit' });
  expect(requests).toEqual([]);
});

test('a list in a query is refused, because no query of the contract has one', async () => {
  const { client, requests } = connect(json({}));
  const search = ['a', 'b'] as unknown as string;
  expect(await rejection(client.products.list({ search }))).toMatchObject({
    name: 'ArgumentError',
    argument: 'search',
  });
  expect(requests).toEqual([]);
});

test('a lone surrogate in a query is refused', async () => {
  const { client, requests } = connect(json({}));
  expect(await rejection(client.products.list({ search: '\ud800' }))).toMatchObject({ name: 'ArgumentError' });
  expect(requests).toEqual([]);
});

test('headers are checked when the client is created, too', () => {
  const make = () => createClient({ baseUrl, apiKey, headers: { authorization: 'Bearer hunter2' } });
  expect(make).toThrow(/^headers\.authorization must be a valid header that the SDK does not set itself$/);
});

describe('in a web page', () => {
  afterEach(() => {
    for (const name of ['window', 'document']) Reflect.deleteProperty(globalThis, name);
  });

  test('createClient refuses the key, says why, and does not quote it', () => {
    Object.assign(globalThis, { window: {}, document: {} });
    const error = thrown(() => createClient({ baseUrl, apiKey }));
    expect(error).toMatchObject({
      name: 'ArgumentError',
      argument: 'apiKey',
      message: expect.stringMatching(/everybody in a web page.*createPublicClient.*dangerouslyAllowBrowser/),
    });
    expect(String(error)).not.toContain(apiKey);
    expect(createClient({ baseUrl, apiKey, dangerouslyAllowBrowser: true })).toHaveProperty('siteUrl');
  });

  test('a worker without a document is no web page', () => {
    Object.assign(globalThis, { window: {} });
    expect(createClient({ baseUrl, apiKey })).toHaveProperty('siteUrl');
  });
});

const refused = expect.objectContaining({ name: 'ArgumentError' });

describe('createClient names a missing argument', () => {
  test.each([[undefined], [null], [{}], [{ apiKey }]])('%j', (options) => {
    const make = () => createClient(options as Parameters<typeof createClient>[0]);
    expect(make).toThrow(
      expect.objectContaining({
        name: 'ArgumentError',
        argument: 'baseUrl',
        message: 'baseUrl is missing: createClient needs { baseUrl, apiKey }',
      }),
    );
  });

  test('createPublicClient', () => {
    expect(() => createPublicClient(undefined as unknown as { siteUrl: string })).toThrow(
      expect.objectContaining({ name: 'ArgumentError', argument: 'siteUrl' }),
    );
  });
});

describe('baseUrl', () => {
  test.each([
    ['https://passport.example.com/api/v1', 'https://passport.example.com'],
    ['https://passport.example.com/api/v1/', 'https://passport.example.com'],
    ['http://127.0.0.1:3000/api/v1', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000/api/v1', 'http://[::1]:3000'],
    ['https://host.example/dpp/api/v1', 'https://host.example/dpp'],
    ['https://HOST.example:443/a b/{slug}/api/v1', 'https://host.example/a%20b/%7Bslug%7D'],
  ])('%s', async (address, root) => {
    const { fetch, requests } = fakeFetch(json({}));
    const client = createClient({ baseUrl: address, apiKey, fetch });
    await client.products.get('x');
    expect(requests[0]?.url).toBe(`${root}/api/v1/products/x`);
    expect(client.siteUrl).toBe(root);
  });

  test.each([
    '',
    'passport.example.com/api/v1',
    '/api/v1',
    'https://passport.example.com',
    'https://passport.example.com/api/v2',
    'https://passport.example.com/xapi/v1x',
    'https://passport.example.com/api/v1/products',
    'https://passport.example.com/api/v1//',
    'https://user:hunter2@passport.example.com/api/v1',
    'https://hunter2@passport.example.com/api/v1',
    'https://passport.example.com/api/v1?key=hunter2',
    'https://passport.example.com/api/v1?',
    'https://passport.example.com/api/v1#hunter2',
    'https://passport.example.com/?hunter2=/api/v1',
    'https://passport.example.com/#hunter2/api/v1',
    'ftp://passport.example.com/api/v1',
    'file:///api/v1',
  ])('rejects %j without quoting it', (address) => {
    const error = thrown(() => createClient({ baseUrl: address, apiKey }));
    expect(error).toEqual(refused);
    expect(error).toMatchObject({ argument: 'baseUrl' });
    expect(String(error)).not.toContain('hunter2');
  });
});

test.each(['', undefined])('an address or a key of %j is reported as missing', (nothing) => {
  expect(() => createClient({ baseUrl: nothing as string, apiKey })).toThrow(/^baseUrl is missing: /);
  expect(() => createClient({ baseUrl, apiKey: nothing as string })).toThrow(/^apiKey is missing: /);
});

describe('siteUrl', () => {
  test('defaults to baseUrl without /api/v1', () => {
    expect(createClient({ baseUrl, apiKey }).siteUrl).toBe(siteUrl);
    expect(createClient({ baseUrl, apiKey, siteUrl: 'https://public.example/' }).siteUrl).toBe(
      'https://public.example',
    );
  });

  test.each(['https://passport.example.com', 'https://passport.example.com/', 'https://host.example/dpp/'])(
    '%s',
    async (address) => {
      const { fetch, requests } = fakeFetch(json({}));
      await createPublicClient({ siteUrl: address, fetch }).passports.document('t', 'p');
      expect(requests[0]?.url).toBe(`${address.replace(/\/$/, '')}/p/t/p/jsonld`);
    },
  );

  test.each(['', 'nordlicht', baseUrl, 'https://u:p@host.example', 'https://host.example/?a', 'ws://host.example'])(
    'refuses %j',
    (address) => {
      expect(thrown(() => createPublicClient({ siteUrl: address }))).toEqual(refused);
      expect(thrown(() => createClient({ baseUrl, apiKey, siteUrl: address }))).toEqual(refused);
    },
  );
});

test('an unusable siteUrl is explained', () => {
  const message = 'siteUrl must not contain /api/v1, a query or a fragment';
  expect(() => createPublicClient({ siteUrl: baseUrl })).toThrow(new Error(message));
});

describe('apiKey', () => {
  test.each(['', ' ', 'a b', 'a\nX-Injected: 1', 'a\r\n', 'schlüssel', '\u0000', undefined, null, 7])(
    'rejects %j without quoting it',
    (key) => {
      const error = thrown(() => createClient({ baseUrl, apiKey: key as string }));
      expect(error).toMatchObject({ name: 'ArgumentError', argument: 'apiKey' });
      expect(String(error)).not.toContain('Injected');
    },
  );
});

function connected() {
  const { fetch, requests } = fakeFetch(json({}));
  return { client: createClient({ baseUrl, apiKey, fetch }), requests };
}

async function refusalOf(send: (client: ReturnType<typeof createClient>) => Promise<unknown>) {
  const { client, requests } = connected();
  const error = await rejection(send(client));
  expect(requests).toEqual([]);
  return error;
}

describe('a value that JSON cannot express is rejected with its place, and nothing is sent', () => {
  const circle: { a: { self?: unknown } } = { a: {} };
  circle.a.self = circle;

  test.each([
    ['NaN', { weight: Number.NaN }, '.weight is NaN'],
    ['Infinity', [0, Number.NEGATIVE_INFINITY], '[1] is -Infinity'],
    ['a Map', { by: new Map([['a', 1]]) }, '.by is a Map'],
    ['a Set', [[new Set([1])]], '[0][0] is a Set'],
    ['a typed array', new Uint8Array(2), ' is a Uint8Array'],
    ['a regular expression', /x/, ' is a RegExp'],
    ['a promise, which somebody forgot to await', Promise.resolve(1), ' is a Promise'],
    ['a function', { get: () => 1 }, '.get is a function'],
    ['a symbol', [Symbol('x')], '[0] is a symbol'],
    ['a bigint', 1n, ' is a bigint'],
    ['an undefined element', [1, undefined], '[1] is undefined'],
    ['a hole', new Array(1), '[0] is undefined'],
    ['an invalid date', { on: new Date('soon') }, '.on is an invalid date'],
    ['a circle', circle, '.a.self is a circular reference'],
    ['what a toJSON gives', { toJSON: () => ({ x: Number.NaN }) }, '.x is NaN'],
  ])('%s in a value', async (_name, value, message) => {
    const good = { field_key: 'a', value: 1 };
    const error = await refusalOf((client) => client.passports.put('x', [good, good, { field_key: 'b', value }]));
    const place = `[2].value${message.replace(/ is .*/, '')}`;
    expect(error).toMatchObject({ name: 'ArgumentError', code: 'invalid_argument', argument: place });
    expect(String(error)).toContain(`[2].value${message}, which cannot be sent`);
  });

  test('a missing element of the array of values', async () => {
    const values = [undefined] as unknown as [];
    expect(await refusalOf((client) => client.passports.put('x', values))).toMatchObject({ argument: '[0]' });
  });

  test.each([
    [{ name: 'a', model: Number.NaN }, 'model'],
    [new Map([['name', 'a']]), 'the body'],
    [() => {}, 'the body'],
  ])('in a new product: %p', async (product, argument) => {
    const body = product as unknown as CreateProduct;
    expect(await refusalOf((client) => client.products.create(body))).toMatchObject({
      name: 'ArgumentError',
      argument,
    });
  });
});

test('everything else is sent as JSON.stringify writes it', async () => {
  class Weight {
    kilograms = 2;
  }
  const twice = { same: [1] };
  const value = {
    ...{ date: new Date(0), url: new URL('https://example.com/'), own: { toJSON: () => 'own' }, weight: new Weight() },
    ...{ none: null, absent: undefined, bare: Object.assign(Object.create(null), { a: 1 }), zero: -0, '': ['', true] },
    ...{ twice: [twice, twice, { twice }] },
  };
  const values = [{ field_key: 'a', value, unit: undefined as unknown as null }];
  const { client, requests } = connected();
  await client.passports.put('x', values);
  expect(await requests[0]?.text()).toBe(JSON.stringify(values));
  expect(requests[0]?.headers.get('content-type')).toBe('application/json');
});

const withResponses = (...responses: Parameters<typeof fakeFetch>) => {
  const { fetch, requests } = fakeFetch(...responses);
  return { client: createClient({ baseUrl, apiKey, fetch, maxAttempts: 1 }), requests };
};

test('a result is the value, or the error that the promise rejects with; one request for both', async () => {
  const good = withResponses(json({ id: 'x' }));
  expect(await good.client.products.get('x').result()).toEqual({ ok: true, value: { id: 'x' } });
  expect(good.requests).toHaveLength(1);

  const { client, requests } = withResponses(refusal(404, 'not_found'));
  const call = client.products.get('x');
  const result = await call.result();
  expect(result).toMatchObject({ ok: false, error: { name: 'ApiError', code: 'not_found' } });
  await expect(call).rejects.toBe(result.ok || result.error);
  expect(requests).toHaveLength(1);
});

test('it never rejects: not for a lost response, an argument or a signal', async () => {
  const { client } = withResponses(new TypeError('fetch failed'));
  const results = await Promise.all([
    client.me.get().result(),
    client.products.get('..').result(),
    client.me.get({ signal: AbortSignal.abort() }).result(),
    client.me.get({ timeoutMs: -1 }).result(),
  ]);
  expect(results.map((result) => !result.ok && result.error.code)).toEqual([
    'network_error',
    'invalid_argument',
    'aborted',
    'invalid_argument',
  ]);
});

test('of a list it is the first page', async () => {
  const page = { items: [{ id: 'x' }], total: 1, limit: 50, offset: 0 };
  expect(await withResponses(json(page)).client.products.list().result()).toEqual({ ok: true, value: page });
  expect(await withResponses(json({})).client.products.list().result()).toMatchObject({
    ok: false,
    error: { name: 'UnexpectedResponseError', operation: 'listProducts' },
  });
});

describe('withResponse', () => {
  const headers = { 'x-request-id': 'req-7', 'x-ratelimit-remaining': '59' };

  test('is the value, the status, the headers and the request id; one request for all', async () => {
    const { client, requests } = withResponses(json({ id: 'x' }, { status: 201, headers }));
    const call = client.products.create({ name: 'x' });
    const received = await call.withResponse();
    expect(received).toMatchObject({ value: { id: 'x' }, status: 201, requestId: 'req-7' });
    expect(received.headers).toBeInstanceOf(Headers);
    expect(received.headers.get('X-RateLimit-Remaining')).toBe('59');
    expect(await call).toBe(received.value);
    expect(requests).toHaveLength(1);
    expect((await withResponses(json({})).client.me.get().withResponse()).requestId).toBeUndefined();
  });

  test('rejects as the call does, and is then its only handler', async () => {
    const { client } = withResponses(refusal(404, 'not_found'));
    await expect(client.products.get('x').withResponse()).rejects.toMatchObject({ status: 404, code: 'not_found' });
    await new Promise((resolve) => setTimeout(resolve)); // a rejection without a handler would fail the test
  });

  test('of a list is that of the first page', async () => {
    const page = { items: [{ id: 'x' }], total: 1, limit: 50, offset: 0 };
    const { client, requests } = withResponses(json(page, { headers }));
    const list = client.products.list();
    expect(await list.withResponse()).toMatchObject({ value: page, status: 200, requestId: 'req-7' });
    expect(await list).toEqual(page);
    expect(requests).toHaveLength(1);
  });

  test('of several requests is that of the last', async () => {
    const wrote = (id: string) => json({ updated: 1, completeness: 5 }, { headers: { 'x-request-id': id } });
    const values = Array.from({ length: 1_001 }, () => ({ field_key: 'a', value: 1 }));
    const put = withResponses(wrote('one'), wrote('two')).client.passports.put('x', values);
    expect(await put.withResponse()).toMatchObject({ value: { updated: 2 }, requestId: 'two' });
    const made = withResponses(refusal(404, 'not_found'), json({ slug: 'x' }, { status: 201, headers }));
    const ensured = await made.client.products.ensure({ name: 'x', slug: 'x' }).withResponse();
    expect(ensured).toMatchObject({ value: { created: true }, status: 201, requestId: 'req-7' });
  });
});
