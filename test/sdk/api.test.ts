/** What the client sends, the arguments that it refuses, the ways to read a result, and `client.http`. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  type ArgumentError,
  type Client,
  type CreateProduct,
  createClient,
  type HttpClient,
} from '../../sdk/src/index.ts';
import { createPublicClient } from '../../sdk/src/public.ts';
import { operationsOfContract } from '../support/documented.ts';
import { apiKey, baseUrl, connect, html, json, refusal, siteUrl } from '../support/fake-fetch.ts';
import { rejection, thrown } from '../support/thrown.ts';

/** The error of a call that sends nothing. */
async function refusalOf(send: (client: Client) => PromiseLike<unknown>) {
  const { client, requests } = connect(json({}));
  const error = await rejection(send(client));
  expect(requests).toEqual([]);
  expect(error).toMatchObject({ name: 'ArgumentError', code: 'invalid_argument' });
  return error;
}

describe('headers of the program', () => {
  test('are those of the client and of the call, which goes first', async () => {
    const { client, requests } = connect(json({}), { headers: { 'X-Team': 'erp', 'x-proxy': 'a' } });
    await client.me.get({ headers: { 'x-proxy': 'b' } });
    const [request] = requests;
    expect([request?.headers.get('x-team'), request?.headers.get('x-proxy')]).toEqual(['erp', 'b']);
  });

  test.each([
    ['Authorization', 'Bearer hunter2'],
    ['content-type', 'hunter2'],
    ['User-Agent', 'hunter2'],
    ['x-secret', 'hunter2\r\nx-other: 1'],
    ['x secret', 'hunter2'],
    ['x-secret', 'hunter2 ☃'],
    ['', 'hunter2'],
  ])('%j: %j are refused without their value', async (name, value) => {
    const message = `headers.${name} must be a valid header that the SDK does not set itself`;
    expect(await refusalOf((client) => client.me.get({ headers: { [name]: value } }))).toMatchObject({ message });
    expect(() => createClient({ baseUrl, apiKey, headers: { [name]: value } })).toThrow(new Error(message));
  });
});

test.each([
  ['limit', Number.NaN],
  ['limit', Infinity],
  ['search', ['a', 'b']],
])('a query with the %s %p is refused', async (argument, value) => {
  expect(await refusalOf(({ products }) => products.list({ [argument]: value }))).toMatchObject({ argument });
});

test('a lone surrogate in a query is refused, because no URL can carry it', async () => {
  const cause = { name: 'URIError' };
  expect(await refusalOf(({ products }) => products.list({ search: '\ud800' }))).toMatchObject({ cause });
});

describe('in a web page', () => {
  afterEach(() => {
    for (const name of ['window', 'document']) Reflect.deleteProperty(globalThis, name);
  });

  test('createClient refuses the key, says why, and does not quote it', () => {
    Object.assign(globalThis, { window: {} }); // a worker
    expect(createClient({ baseUrl, apiKey })).toHaveProperty('siteUrl');
    Object.assign(globalThis, { document: {} });
    const error = thrown(() => createClient({ baseUrl, apiKey }));
    const message = expect.stringMatching(/everybody in a web page.*createPublicClient.*dangerouslyAllowBrowser/);
    expect(error).toMatchObject({ name: 'ArgumentError', argument: 'apiKey', message });
    expect(String(error)).not.toContain(apiKey);
    expect(createClient({ baseUrl, apiKey, dangerouslyAllowBrowser: true })).toHaveProperty('siteUrl');
  });
});

test.each([
  [undefined, 'baseUrl'],
  [{}, 'baseUrl'],
  [{ baseUrl: '', apiKey }, 'baseUrl'],
  [{ baseUrl, apiKey: '' }, 'apiKey'],
])('createClient names a missing argument: %j', (options, argument) => {
  const message = `${argument} is missing: createClient needs { baseUrl, apiKey }`;
  const error = thrown(() => createClient(options as Parameters<typeof createClient>[0]));
  expect(error).toMatchObject({ name: 'ArgumentError', argument, message });
});

test.each([
  ['https://passport.example.com/api/v1', 'https://passport.example.com'],
  ['https://passport.example.com/api/v1/', 'https://passport.example.com'],
  ['http://127.0.0.1:3000/api/v1', 'http://127.0.0.1:3000'],
  ['http://[::1]:3000/api/v1', 'http://[::1]:3000'],
  ['https://host.example/dpp/api/v1', 'https://host.example/dpp'],
  ['https://HOST.example:443/a b/{slug}/api/v1', 'https://host.example/a%20b/%7Bslug%7D'],
])('%s is the address of the API, and by default that of the public side', async (address, root) => {
  const { client, requests } = connect(json({}), { baseUrl: address, siteUrl: undefined });
  await client.products.get('x');
  expect([requests[0]?.url, client.siteUrl]).toEqual([`${root}/api/v1/products/x`, root]);
});

test.each(['https://public.example', 'https://public.example/', 'https://host.example/dpp/'])(
  '%s is the address of the public side',
  async (address) => {
    const { client, site, requests } = connect(json({}), { siteUrl: address });
    await site.passports.document('t', 'p');
    const root = address.replace(/\/$/, '');
    expect([client.siteUrl, requests[0]?.url]).toEqual([root, `${root}/p/t/p/jsonld`]);
  },
);

/** The error of options that are refused. No error has a key or another secret. */
function errorOf(options: object): string {
  const error = thrown(() => createClient({ baseUrl, apiKey, ...options }));
  expect(error).toMatchObject({ name: 'ArgumentError', argument: Object.keys(options)[0] });
  expect(String(error)).not.toMatch(/hunter2|dGhpcyBpcyBub3Q/);
  return String(error);
}

test('createClient says what is wrong with an address, without its secrets', () => {
  const host = 'https://passport.example.com';
  const wrong = ['passport.example.com/api/v1', '/api/v1', host, `${host}/api/v2`, `${host}/xapi/v1x`];
  wrong.push(`${host}/api/v1/products`, `${host}/api/v1//`, `${host}/api/v1?key=hunter2`, `${host}/api/v1?`);
  wrong.push(`${host}/api/v1#hunter2`, `${host}/?hunter2=/api/v1`, `${host}/#hunter2/api/v1`, 'file:///api/v1');
  wrong.push('https://user:hunter2@a.example/api/v1', 'https://hunter2@a.example/api/v1', 'ftp://a.example/api/v1');
  // It may be a key.
  wrong.push(apiKey, 'aGVsbG8/d29ybGQ.a.b');
  expect(wrong.map((address) => [address, errorOf({ baseUrl: address })])).toMatchSnapshot();
  const sites = ['', 'nordlicht', baseUrl, 'https://u:hunter2@host.example', 'https://host.example/?hunter2'];
  sites.push('https://host.example/#hunter2', 'ws://host.example', apiKey);
  for (const address of sites) {
    const ofPublic = thrown(() => createPublicClient({ siteUrl: address }));
    expect(String(ofPublic)).toBe(errorOf({ siteUrl: address }));
  }
  expect(sites.map((address) => [address, errorOf({ siteUrl: address })])).toMatchSnapshot();
  expect(() => createPublicClient(undefined as never)).toThrow('siteUrl must be an http(s) URL');
});

test('createClient refuses a key that is no bearer token', () => {
  const keys = [' ', 'a b', 'a\nX-Injected: 1', 'a\r\n', 'schlüssel', '\u0000', 'a"b', 'a\\b', 'a&b', '=a', 7];
  const refused = /^ArgumentError: apiKey must be a bearer token: [^"]*only at the end$/;
  for (const key of keys) expect(errorOf({ apiKey: key })).toMatch(refused);
});

test('a value that JSON cannot express is rejected with its place, and nothing is sent', async () => {
  const circle: { a: { self?: unknown } } = { a: {} };
  circle.a.self = circle;
  const promise = Promise.resolve(1); // which somebody forgot to await
  const given: unknown[] = [
    ...[{ weight: Number.NaN }, [0, Number.NEGATIVE_INFINITY], { by: new Map([['a', 1]]) }, [[new Set([1])]]],
    ...[new Uint8Array(2), /x/, promise, { get: () => 1 }, [Symbol('x')], 1n, [1, undefined], new Array(1)],
    ...[{ on: new Date('soon') }, circle, { toJSON: () => ({ x: Number.NaN }) }],
  ];
  const good = { field_key: 'a', value: 1 };
  const refusals: unknown[] = [];
  for (const value of given as (typeof good)['value'][]) {
    refusals.push(await refusalOf(({ passports }) => passports.put('x', [good, good, { field_key: 'b', value }])));
  }
  refusals.push(await refusalOf(({ passports }) => passports.put('x', [undefined as never])));
  for (const product of [{ name: 'a', model: Number.NaN }, new Map([['name', 'a']]), () => {}]) {
    refusals.push(await refusalOf(({ products }) => products.create(product as unknown as CreateProduct)));
  }
  expect(refusals.map((error) => [(error as ArgumentError).argument, String(error)])).toMatchSnapshot();
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
  const { client, requests } = connect(json({}));
  await client.passports.put('x', values);
  expect(await requests[0]?.text()).toBe(JSON.stringify(values));
});

const page = { items: [{ id: 'x' }], total: 1, limit: 50, offset: 0 };

describe('result', () => {
  test('is the value, or the error that the promise rejects with; one request for both', async () => {
    expect(
      await connect(json({ id: 'x' }))
        .client.products.get('x')
        .result(),
    ).toEqual({ ok: true, value: { id: 'x' } });
    expect(await connect(json(page)).client.products.list().result()).toEqual({ ok: true, value: page });
    const { client, requests } = connect(refusal(404, 'not_found'));
    const call = client.products.get('x');
    const result = await call.result();
    expect(result).toMatchObject({ ok: false, error: { name: 'ApiError', code: 'not_found' } });
    await expect(call).rejects.toBe(result.ok || result.error);
    expect(requests).toHaveLength(1);
  });

  test('never rejects: not for a lost response, an argument, a signal or a broken page', async () => {
    const { client } = connect(new TypeError('fetch failed'));
    const results = await Promise.all([
      client.me.get().result(),
      client.products.get('..').result(),
      client.me.get({ signal: AbortSignal.abort() }).result(),
      client.me.get({ timeoutMs: -1 }).result(),
      connect(json({})).client.products.list().result(),
    ]);
    expect(results.map((result) => !result.ok && result.error.code)).toEqual([
      ...['network_error', 'invalid_argument', 'aborted', 'invalid_argument', 'unexpected_response'],
    ]);
  });
});

describe('withResponse', () => {
  const headers = { 'x-request-id': 'req-7', 'x-ratelimit-remaining': '59' };

  test('is the value, the status, the headers and the request id; one request for all', async () => {
    const { client, requests } = connect(json({ id: 'x' }, { status: 201, headers }));
    const call = client.products.create({ name: 'x' });
    const received = await call.withResponse();
    expect(received).toMatchObject({ value: { id: 'x' }, status: 201, requestId: 'req-7' });
    expect(received.headers).toBeInstanceOf(Headers);
    expect(received.headers.get('X-RateLimit-Remaining')).toBe('59');
    expect(await call).toBe(received.value);
    expect(requests).toHaveLength(1);
    expect((await connect(json({})).client.me.get().withResponse()).requestId).toBeUndefined();
  });

  test('rejects as the call does, and is then its only handler', async () => {
    const { client } = connect(refusal(404, 'not_found'));
    await expect(client.products.get('x').withResponse()).rejects.toMatchObject({ status: 404, code: 'not_found' });
    await new Promise((resolve) => setTimeout(resolve)); // a rejection without a handler would fail the test
  });

  test('is that of the first page of a list, and of the last of several requests', async () => {
    const { client, requests } = connect(json(page, { headers }));
    const list = client.products.list();
    expect(await list.withResponse()).toMatchObject({ value: page, status: 200, requestId: 'req-7' });
    expect(await list).toEqual(page);
    expect(requests).toHaveLength(1);

    const wrote = (id: string) => json({ updated: 1, completeness: 5 }, { headers: { 'x-request-id': id } });
    const values = Array.from({ length: 1_001 }, () => ({ field_key: 'a', value: 1 }));
    const put = connect([wrote('one'), wrote('two')]).client.passports.put('x', values);
    expect(await put.withResponse()).toMatchObject({ value: { updated: 2 }, requestId: 'two' });
    const made = connect([refusal(404, 'not_found'), json({ slug: 'x' }, { status: 201, headers })]);
    const ensured = await made.client.products.ensure({ name: 'x', slug: 'x' }).withResponse();
    expect(ensured).toMatchObject({ value: { created: true }, status: 201, requestId: 'req-7' });
  });
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** `request` as a program without types calls it. */
const untyped = (http: HttpClient) =>
  http.request as (method: unknown, path: unknown, init?: unknown) => Promise<{ data?: unknown }>;

const elsewhere = 'https://attacker.example';
const slug = { params: { path: { slug: 'x' } } };
const api = operationsOfContract().filter(({ side }) => side.secured);

test.each(api)('$operationId: sends the method and the path of the contract', async ({ operationId, method, path }) => {
  const { client, requests, attempts } = connect(json({ id: 'x' }));
  const { data } = await untyped(client.http)(method.toLowerCase(), path, { params: { path: { slug: 'ä b' } } });
  expect(data).toEqual({ id: 'x' });
  expect(requests).toMatchObject([{ method, url: siteUrl + path.replace('{slug}', '%C3%A4%20b') }]);
  expect(requests[0]?.headers.get('authorization')).toBe(`Bearer ${apiKey}`);
  expect(attempts).toMatchObject([{ operation: operationId, attempts: 1, outcome: 'ok' }]);
});

test('sends the query, the body and the headers', async () => {
  const { client, requests } = connect(json({ items: [], total: 0, offset: 0, limit: 2 }));
  const { http } = client;
  await http.GET('/api/v1/products', { params: { query: { limit: 2, search: 'Größe & 5', status: undefined } } });
  await http.POST('/api/v1/products', { body: { name: 'Mütze', gtin: null }, headers: { 'x-job': 'nightly' } });
  await http.GET('/api/v1/me', { headers: new Headers({ 'x-job': 'daily' }), baseUrl: `${siteUrl}/` });
  const [first, second, third] = requests;
  expect(first?.url).toBe(`${baseUrl}/products?limit=2&search=Gr%C3%B6%C3%9Fe%20%26%205`);
  expect(await second?.json()).toEqual({ name: 'Mütze', gtin: null });
  expect(second?.headers.get('content-type')).toBe('application/json');
  expect(first?.headers.get('user-agent')).toMatch(/^product-passport-sdk\//);
  expect([second, third].map((request) => request?.headers.get('x-job'))).toEqual(['nightly', 'daily']);
});

test.each([
  [{ limit: 3, offset: 50, search: 'offset=7' }, '?offset=50'],
  [{ search: '&offset=7', offset: 100 }, '?offset=100'],
  [{ search: 'offset=7', limit: 3, offset: 0 }, ''],
])('an error shows only the offset of the query: %j', async (query, shown) => {
  const error = await rejection(connect(html(503, '')).client.http.GET('/api/v1/products', { params: { query } }));
  expect(error).toMatchObject({ path: `/api/v1/products${shown}` });
});

test('gives the response with its headers', async () => {
  const { http } = connect(json({ products_total: 0 }, { headers: { 'x-request-id': 'req-7' } })).client;
  const { data, error, response } = await http.GET('/api/v1/me');
  expect([data, error, response.status]).toEqual([{ products_total: 0 }, undefined, 200]);
  expect(response.headers.get('x-request-id')).toBe('req-7');
  expect((await http.GET('/api/v1/me', { parseAs: 'text' })).data).toBe('{"products_total":0}');
});

test('rejects as the methods do', async () => {
  const error = await rejection(connect(html(200, '<p>')).client.http.GET('/api/v1/me'));
  expect(error).toMatchObject({ name: 'UnexpectedResponseError', operation: 'getMe', path: '/api/v1/me' });
  const signal = AbortSignal.abort('enough');
  const ended = await rejection(connect(json({})).client.http.GET('/api/v1/me', { signal }));
  expect(ended).toMatchObject({ name: 'AbortError', cause: 'enough' });
});

describe('rejects what would send the key elsewhere, or is not in the contract, and sends nothing', () => {
  const [me, product] = ['/api/v1/me', '/api/v1/products/{slug}'];
  const hunter = { Authorization: 'Bearer hunter2' };
  test.each<[string, string, string | undefined, unknown, string]>([
    ['another baseUrl', 'get', me, { baseUrl: elsewhere }, 'baseUrl'],
    ['a baseUrl that begins with its own', 'get', me, { baseUrl: `${siteUrl}.attacker.example` }, 'baseUrl'],
    ['another port', 'get', me, { baseUrl: `${siteUrl}:8443` }, 'baseUrl'],
    ['another path', 'get', me, { baseUrl: `${siteUrl}/other` }, 'baseUrl'],
    ['a key of its own', 'get', me, { headers: hunter }, 'headers.Authorization'],
    ['headers with a key', 'get', me, { headers: new Headers(hunter) }, 'headers.authorization'],
    ['a header without a value', 'get', me, { headers: { 'user-agent': null } }, 'headers.user-agent'],
    ['a path without its value', 'get', product, { params: {} }, 'slug'],
    ['no init', 'get', product, undefined, 'slug'],
    ['a path with its value', 'get', '/api/v1/products/x', {}, 'path'],
    ['a path of the public side', 'get', '/p/{tenant}/{product}', {}, 'path'],
    ['an address', 'get', `${elsewhere}/api/v1/me`, {}, 'path'],
    ['a method that the path does not have', 'delete', me, {}, 'path'],
    ['a method of every object', 'toString', me, {}, 'path'],
    ['no path', 'get', undefined, {}, 'path'],
  ])('%s', async (_what, method, path, init, argument) => {
    const { client, requests } = connect(json({}));
    const error = await rejection(untyped(client.http)(method, path, init));
    expect(error).toMatchObject({ name: 'ArgumentError', argument });
    expect(String(error)).not.toContain('hunter2');
    expect(requests).toEqual([]);
  });

  test('middleware that changes the address', async () => {
    const { client, requests } = connect(json({}));
    client.http.use({ onRequest: ({ request }) => void Object.assign(request, { url: `${elsewhere}/api/v1/me` }) });
    expect(await rejection(client.http.GET('/api/v1/me'))).toMatchObject({ argument: 'baseUrl' });
    expect(requests).toEqual([]);
  });
});

test('keeps its fetch, its Request and its serializers', async () => {
  const { client, requests } = connect(json({}));
  const replaced = () => elsewhere;
  const options = { fetch: replaced, Request, pathSerializer: replaced, bodySerializer: replaced };
  await untyped(client.http)('post', '/api/v1/products', { ...options, body: { name: 'x' } });
  expect(requests.map(({ url }) => url)).toEqual([`${baseUrl}/products`]);
  expect(await requests[0]?.json()).toEqual({ name: 'x' });
});

test('middleware sees requests and responses of client.http, and not those of the methods', async () => {
  const { client, requests } = connect(json({}));
  const seen: unknown[] = [];
  const middleware: Parameters<HttpClient['use']>[0] = {
    onRequest: ({ request, schemaPath }) => {
      seen.push([request.method, request.url, schemaPath]);
      request.headers.set('traceparent', '00-1');
      request.headers.set('authorization', 'Bearer other');
    },
    onResponse: ({ response }) => void seen.push(response.status),
  };
  client.http.use(middleware);
  await client.http.GET('/api/v1/products/{slug}', slug);
  await client.me.get();
  client.http.eject(middleware);
  await client.http.GET('/api/v1/me');
  expect(seen).toEqual([['GET', `${baseUrl}/products/x`, '/api/v1/products/{slug}'], 200]);
  expect(requests.map(({ headers }) => headers.get('traceparent'))).toEqual(['00-1', null, null]);
  expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual(Array(3).fill(`Bearer ${apiKey}`));
});

test.each(['onResponse', 'onError'] as const)(
  'an error of %s, after the request was sent, stays as it is',
  async (name) => {
    const { client, requests } = connect(json({}, { status: name === 'onError' ? 404 : 200 }));
    const own = new Error('The audit log is full.');
    const middleware: Record<typeof name, Parameters<HttpClient['use']>[0]> = {
      onResponse: { onResponse: () => Promise.reject(own) },
      onError: { onError: () => own },
    };
    client.http.use(middleware[name]);
    expect(await rejection(client.http.GET('/api/v1/me'))).toBe(own);
    expect(requests).toHaveLength(1);
  },
);
