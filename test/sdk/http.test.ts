/** `client.http`: a client of openapi-fetch through the same engine as the methods. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { HttpClient } from '../../sdk/src/index.ts';
import { operationsOfContract } from '../support/documented.ts';
import { apiKey, baseUrl, connect, html, json, siteUrl } from '../support/fake-fetch.ts';
import { rejection } from '../support/thrown.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** `request` as a program without types calls it. */
const untyped = (http: HttpClient) =>
  http.request as (method: unknown, path: unknown, init?: unknown) => Promise<{ data?: unknown }>;

const elsewhere = 'https://attacker.example';
const slug = { params: { path: { slug: 'x' } } };
const api = operationsOfContract().filter(({ path }) => path.startsWith('/api/'));

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

describe('has the errors, the retries and the limits of the methods', () => {
  const silent = () => new Promise<Response>(() => {});
  test.each([
    ['HTML', html(200, '<p>'), {}, { name: 'UnexpectedResponseError' }],
    ['no response', silent, { timeoutMs: 5 }, { name: 'TimeoutError', phase: 'headers' }],
    ['a signal', json({}), { signal: AbortSignal.abort('enough') }, { name: 'AbortError', cause: 'enough' }],
  ])('rejects for %s', async (_what, response, options, expected) => {
    const error = await rejection(connect(response).client.http.GET('/api/v1/me', options));
    expect(error).toMatchObject({ operation: 'getMe', path: '/api/v1/me', ...expected });
  });
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
