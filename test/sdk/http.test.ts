/** `client.http`: a client of openapi-fetch through the same engine as the methods. */
import { describe, expect, jest, test } from '@jest/globals';
import { type Client as FetchClient, wrapAsPathBasedClient } from 'openapi-fetch';
import { type ApiPaths, type Attempt, createClient } from '../../sdk/src/index.ts';
import { operationsOfContract } from '../support/documented.ts';
import { apiKey, baseUrl, fakeFetch, html, json, refusal, siteUrl } from '../support/fake-fetch.ts';
import { rejection } from '../support/thrown.ts';

function connect(...responses: Parameters<typeof fakeFetch>) {
  const { fetch, requests } = fakeFetch(...responses);
  const attempts: Attempt[] = [];
  const client = createClient({ baseUrl, apiKey, fetch, maxAttempts: 1, onAttempt: (one) => attempts.push(one) });
  return { http: client.http, client, requests, attempts };
}

type Untyped = (method: unknown, path: unknown, init?: unknown) => Promise<{ data?: unknown }>;

/** `request` as a program without types calls it. */
const untyped = (http: ReturnType<typeof connect>['http']) => http.request as Untyped;

const elsewhere = 'https://attacker.example';
const slug = { params: { path: { slug: 'x' } } };
const api = operationsOfContract().filter(({ path }) => path.startsWith('/api/'));

test.each(api)('$operationId: sends the method and the path of the contract', async ({ operationId, method, path }) => {
  const { http, requests, attempts } = connect(json({ id: 'x' }));
  const { data } = await untyped(http)(method.toLowerCase(), path, { params: { path: { slug: 'ä b' } } });
  expect(data).toEqual({ id: 'x' });
  expect(requests.map(({ url }) => url)).toEqual([siteUrl + path.replace('{slug}', '%C3%A4%20b')]);
  expect(requests[0]?.method).toBe(method);
  expect(requests[0]?.headers.get('authorization')).toBe(`Bearer ${apiKey}`);
  expect(attempts).toMatchObject([{ operation: operationId, attempts: 1, outcome: 'ok' }]);
});

test('sends the query, the body and the headers', async () => {
  const { http, requests } = connect(json({ items: [], total: 0, offset: 0, limit: 2 }));
  await http.GET('/api/v1/products', { params: { query: { limit: 2, search: 'Größe & 5', status: undefined } } });
  await http.POST('/api/v1/products', { body: { name: 'Mütze', gtin: null }, headers: { 'x-job': 'nightly' } });
  await http.GET('/api/v1/me', { headers: new Headers({ 'x-job': 'daily' }) });
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
  const error = await rejection(connect(html(503, '')).http.GET('/api/v1/products', { params: { query } }));
  expect(error).toMatchObject({ path: `/api/v1/products${shown}` });
});

test('gives the response with its headers', async () => {
  const { http } = connect(json({ products_total: 0 }, { headers: { 'x-request-id': 'req-7' } }));
  const { data, error, response } = await http.GET('/api/v1/me');
  expect([data, error, response.status]).toEqual([{ products_total: 0 }, undefined, 200]);
  expect(response.headers.get('x-request-id')).toBe('req-7');
  expect((await http.GET('/api/v1/me', { parseAs: 'text' })).data).toBe('{"products_total":0}');
});

describe('has the errors, the retries and the limits of the methods', () => {
  test('a refusal rejects', async () => {
    const error = await rejection(connect(refusal(404, 'not_found')).http.GET('/api/v1/products/{slug}', slug));
    expect(error).toMatchObject({ name: 'ApiError', operation: 'getProduct', path: '/api/v1/products/x', status: 404 });
  });

  test.each([
    ['HTML', html(200, '<p>')],
    ['an empty body', new Response('')],
    ['no content', new Response(null, { status: 204 })],
    ['a list', json([])],
    ['half of a text', new Response('{"a":', { headers: { 'content-type': 'application/json' } })],
    ['a redirect', new Response(null, { status: 302, headers: { location: 'https://other.example/' } })],
  ])('a response that does not follow the contract rejects: %s', async (_what, response) => {
    const error = await rejection(connect(response).http.GET('/api/v1/me'));
    expect(error).toMatchObject({ name: 'UnexpectedResponseError', operation: 'getMe' });
  });

  test('GET and PUT are retried, POST is not', async () => {
    const { http, requests } = connect(html(503, ''));
    jest.spyOn(Math, 'random').mockReturnValue(0);
    await rejection(http.GET('/api/v1/me', { maxAttempts: 2 }));
    expect(requests).toHaveLength(2);
    await rejection(http.PUT('/api/v1/products/{slug}/passport', { ...slug, body: [], maxAttempts: 2 }));
    expect(requests).toHaveLength(4);
    await rejection(http.POST('/api/v1/products', { body: { name: 'x' }, maxAttempts: 2 }));
    expect(requests).toHaveLength(5);
    jest.restoreAllMocks();
  });

  test('POST is retried after 429, and other calls of the client wait', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const { http, client, requests } = connect(refusal(429, 'rate_limited'), json({ slug: 'x' }));
    const created = http.POST('/api/v1/products', { body: { name: 'x' }, maxAttempts: 2 });
    const read = client.me.get();
    expect((await created).data.slug).toBe('x');
    await read;
    expect(requests).toHaveLength(3);
    jest.restoreAllMocks();
  });

  test('timeoutMs', async () => {
    const { http } = connect(() => new Promise<Response>(() => {}));
    const error = await rejection(http.GET('/api/v1/me', { timeoutMs: 5 }));
    expect(error).toMatchObject({ name: 'TimeoutError', code: 'timeout', phase: 'headers' });
  });

  test('a signal', async () => {
    const { http, requests } = connect(json({}));
    const error = await rejection(http.GET('/api/v1/me', { signal: AbortSignal.abort('enough') }));
    expect(error).toMatchObject({ name: 'AbortError', cause: 'enough' });
    expect(requests).toEqual([]);
  });

  test('the key is in no error', async () => {
    const { http } = connect(new Error(`Bearer ${apiKey}`));
    const error = await rejection(http.GET('/api/v1/me'));
    expect(error).toMatchObject({ name: 'NetworkError', message: expect.stringContaining('[secret]') });
  });
});

describe('rejects what would send the key elsewhere, or is not in the contract, and sends nothing', () => {
  test.each<[string, string, string, unknown, string]>([
    ['another baseUrl', 'get', '/api/v1/me', { baseUrl: elsewhere }, 'baseUrl'],
    ['a baseUrl that begins with its own', 'get', '/api/v1/me', { baseUrl: `${siteUrl}.attacker.example` }, 'baseUrl'],
    ['another port', 'get', '/api/v1/me', { baseUrl: `${siteUrl}:8443` }, 'baseUrl'],
    ['another path', 'get', '/api/v1/me', { baseUrl: `${siteUrl}/other` }, 'baseUrl'],
    [
      'a key of its own',
      'get',
      '/api/v1/me',
      { headers: { Authorization: 'Bearer hunter2' } },
      'headers.Authorization',
    ],
    [
      'headers with a key',
      'get',
      '/api/v1/me',
      { headers: new Headers({ authorization: 'x' }) },
      'headers.authorization',
    ],
    ['a header without a value', 'get', '/api/v1/me', { headers: { 'user-agent': null } }, 'headers.user-agent'],
    [
      'a path value that leaves its place',
      'get',
      '/api/v1/products/{slug}',
      { params: { path: { slug: '..' } } },
      'slug',
    ],
    ['a path without its value', 'get', '/api/v1/products/{slug}', { params: {} }, 'slug'],
    ['no init', 'get', '/api/v1/products/{slug}', undefined, 'slug'],
    ['a body that is not JSON', 'post', '/api/v1/products', { body: { name: Number.NaN } }, 'name'],
    ['NaN in a query', 'get', '/api/v1/products', { params: { query: { limit: Number.NaN } } }, 'limit'],
    ['a list in a query', 'get', '/api/v1/products', { params: { query: { search: ['a', 'b'] } } }, 'search'],
    ['an invalid limit', 'get', '/api/v1/me', { maxAttempts: 0 }, 'maxAttempts'],
    ['an invalid signal', 'get', '/api/v1/me', { signal: {} }, 'signal'],
    ['a path with its value', 'get', '/api/v1/products/x', {}, 'path'],
    ['a path of the public side', 'get', '/p/{tenant}/{product}', {}, 'path'],
    ['an address', 'get', `${elsewhere}/api/v1/me`, {}, 'path'],
    ['a method that the path does not have', 'delete', '/api/v1/me', {}, 'path'],
    ['a method of every object', 'toString', '/api/v1/me', {}, 'path'],
    ['no path', 'get', undefined as unknown as string, {}, 'path'],
  ])('%s', async (_what, method, path, init, argument) => {
    const { http, requests } = connect(json({}));
    const error = await rejection(untyped(http)(method, path, init));
    expect(error).toMatchObject({ name: 'ArgumentError', argument });
    expect(String(error)).not.toContain('hunter2');
    expect(requests).toEqual([]);
  });

  test('middleware that changes the address', async () => {
    const { http, requests } = connect(json({}));
    http.use({ onRequest: ({ request }) => void Object.assign(request, { url: `${elsewhere}/api/v1/me` }) });
    expect(await rejection(http.GET('/api/v1/me'))).toMatchObject({ name: 'ArgumentError', argument: 'baseUrl' });
    expect(requests).toEqual([]);
  });
});

test('keeps its fetch, its Request and its serializers', async () => {
  const { http, requests } = connect(json({}));
  const replaced = () => elsewhere;
  const options = { fetch: replaced, Request, pathSerializer: replaced, bodySerializer: replaced };
  await untyped(http)('post', '/api/v1/products', { ...options, body: { name: 'x' } });
  expect(requests.map(({ url }) => url)).toEqual([`${baseUrl}/products`]);
  expect(await requests[0]?.json()).toEqual({ name: 'x' });
});

test('accepts its own baseUrl', async () => {
  const { http, requests } = connect(json({}));
  await http.GET('/api/v1/me', { baseUrl: `${siteUrl}/` });
  expect(requests.map(({ url }) => url)).toEqual([`${baseUrl}/me`]);
});

test('middleware sees requests and responses of client.http, and not those of the methods', async () => {
  const { http, client, requests } = connect(json({}));
  const seen: unknown[] = [];
  const middleware: Parameters<typeof http.use>[0] = {
    onRequest: ({ request, schemaPath }) => {
      seen.push([request.method, request.url, schemaPath]);
      request.headers.set('traceparent', '00-1');
      request.headers.set('authorization', 'Bearer other');
    },
    onResponse: ({ response }) => void seen.push(response.status),
  };
  http.use(middleware);
  await http.GET('/api/v1/products/{slug}', slug);
  await client.me.get();
  http.eject(middleware);
  await http.GET('/api/v1/me');
  expect(seen).toEqual([['GET', `${baseUrl}/products/x`, '/api/v1/products/{slug}'], 200]);
  expect(requests.map(({ headers }) => headers.get('traceparent'))).toEqual(['00-1', null, null]);
  expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual(Array(3).fill(`Bearer ${apiKey}`));
});

test('works as a client by path', async () => {
  const { http, requests } = connect(json({ slug: 'x' }));
  const byPath = wrapAsPathBasedClient<ApiPaths>(http satisfies FetchClient<ApiPaths>);
  expect((await byPath['/api/v1/products/{slug}'].GET(slug)).data?.slug).toBe('x');
  expect(requests.map(({ url }) => url)).toEqual([`${baseUrl}/products/x`]);
});
