/** The option `fetch`: it is called as `fetch(url, init)`, so that those of Node and undici work; and `injectFetch`. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as undici from 'undici';
import { createClient, type Fetch, type FetchInit, type FetchResponse } from '../../sdk/src/index.ts';
import { injectFetch } from '../../sdk/src/testing.ts';
import { apiKey, baseUrl, json } from '../support/fake-fetch.ts';
import { freePort } from '../support/program.ts';
import { listen } from '../support/serve.ts';
import { rejection } from '../support/thrown.ts';

interface Seen {
  request: string;
  body: string;
  headers: IncomingHttpHeaders;
}

let seen: Seen[] = [];
let siteUrl = '';
/** Responds as the SDK expects, but first with a 503 if the address ends in `busy`. */
const server = createServer(async (request, response) => {
  seen.push({ request: `${request.method} ${request.url}`, body: await text(request), headers: request.headers });
  if (request.url?.endsWith('stalls')) return;
  const isBusy = request.url?.endsWith('busy') && seen.length === 1;
  response.writeHead(isBusy ? 503 : 200, { 'content-type': 'application/json', 'x-request-id': 'req-7' });
  response.end(isBusy ? '' : '{"id":"1","hasDigitalProductPassport":{}}');
});

/** The requests that went through a dispatcher. */
let dispatched: string[] = [];
const agent = new undici.Agent();
const dispatcher = agent.compose((dispatch) => (options, handler) => {
  dispatched.push(`${options.method} ${options.path}`);
  return dispatch(options, handler);
});

beforeAll(async () => {
  siteUrl = await listen(server);
});
beforeEach(() => {
  seen = [];
  dispatched = [];
});
afterAll(async () => {
  await agent.close();
  await undici.getGlobalDispatcher().close();
});

describe.each<[string, Fetch | undefined, boolean]>([
  ["the runtime's, by default", undefined, false],
  ["the runtime's in a function", (url, init) => fetch(url, init), false],
  ["undici's", undici.fetch, false],
  ["undici's with a dispatcher", (url, init) => undici.fetch(url, { ...init, dispatcher }), true],
])('%s', (_name, given, isDispatched) => {
  test('sends reads, writes, and again after a 503', async () => {
    const { products, passports } = createClient({ baseUrl: `${siteUrl}/api/v1`, apiKey, fetch: given });
    expect(await products.get('busy')).toMatchObject({ id: '1' });
    const { value, headers } = await products.get('größe 42').withResponse();
    expect([value, headers.get('x-request-id')]).toEqual([expect.objectContaining({ id: '1' }), 'req-7']);
    await passports.put('x', [{ field_key: 'a', value: 'Größe' }]);
    const busy = 'GET /api/v1/products/busy';
    const requests = [busy, busy, 'GET /api/v1/products/gr%C3%B6%C3%9Fe%2042', 'PUT /api/v1/products/x/passport'];
    expect(seen.map(({ request }) => request)).toEqual(requests);
    expect(dispatched).toEqual(isDispatched ? requests : []);
    const [read, , , write] = seen;
    expect(read?.headers).toMatchObject({ authorization: `Bearer ${apiKey}` });
    expect(read?.headers).not.toHaveProperty('content-type');
    const headersOfWrite = { 'content-type': 'application/json' };
    expect(write).toMatchObject({ headers: headersOfWrite, body: '[{"field_key":"a","value":"Größe"}]' });
  });

  test('ends with the signal and with the time limit, and a closed port is a network error', async () => {
    const { products } = createClient({ baseUrl: `${siteUrl}/api/v1`, apiKey, fetch: given, maxAttempts: 1 });
    const aborted = await rejection(products.get('stalls', { signal: AbortSignal.timeout(20) }));
    expect(aborted).toMatchObject({ name: 'AbortError', cause: { name: 'TimeoutError' } });
    expect(await rejection(products.get('stalls', { timeoutMs: 20 }))).toMatchObject({ name: 'TimeoutError' });
    const baseUrl = `http://127.0.0.1:${await freePort()}/api/v1`;
    const nobody = createClient({ baseUrl, apiKey, maxAttempts: 1, fetch: given });
    const message = expect.stringContaining('ECONNREFUSED');
    expect(await rejection(nobody.me.get())).toMatchObject({ name: 'NetworkError', message });
  });
});

/** A client whose `fetch` gives these responses, the last one again and again, and its arguments. */
function connect(...responses: (FetchResponse | ((init: FetchInit) => unknown))[]) {
  const calls: [string, FetchInit][] = [];
  const fetch: Fetch = async (...call) => {
    const response = responses[Math.min(calls.push(call), responses.length) - 1];
    return (typeof response === 'function' ? response(call[1]) : response) as FetchResponse;
  };
  return { calls, client: createClient({ baseUrl, apiKey, fetch }) };
}

test('its arguments are the URL and plain values, which any fetch accepts', async () => {
  const { calls, client } = connect(() => json({ id: '1' }));
  await client.products.create({ name: 'Mütze' });
  await client.me.get();
  const common = { redirect: 'manual', signal: expect.any(AbortSignal) };
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'user-agent': expect.stringMatching(/^product-passport-sdk\/\d/),
  };
  const typed = { ...headers, 'content-type': 'application/json' };
  expect(calls).toEqual([
    [`${baseUrl}/products`, { method: 'POST', headers: typed, body: '{"name":"Mütze"}', ...common }],
    [`${baseUrl}/me`, { method: 'GET', headers, ...common }],
  ]);
});

describe('a response without a stream of the platform', () => {
  /** A response as other implementations have it: without a stream, or with one of Node. */
  const foreign = (body: Readable | undefined, text: () => Promise<string>, init: ResponseInit = {}): FetchResponse => {
    const { ok, status, type, url, headers } = new Response(null, init);
    return { ok, status, type, url, headers, text, ...(body && { body }) };
  };
  const unread = () => Promise.reject(new Error('text() was called'));
  const body = '{"name":"Größe ✓"}';
  const bytes = Array.from(Buffer.from(body), (byte) => Buffer.of(byte));

  test.each([
    ['no body', foreign(undefined, async () => body)],
    ['a Node stream of bytes', foreign(Readable.from(bytes, { objectMode: false }), unread)],
    ['a Node stream of texts', foreign(Readable.from([...body]), unread)],
  ])('is read once: %s', async (_what, response) => {
    const { client, calls } = connect(response);
    expect(await client.products.get('x')).toEqual({ name: 'Größe ✓' });
    expect(calls).toHaveLength(1);
  });

  const huge = async () => `{"a":"${'x'.repeat(2 ** 26)}"}`;
  const long = async () => `{"error":{"code":"not_found","message":"${'x'.repeat(2 ** 16)}"}}`;
  const to = { status: 302, headers: { location: '/elsewhere' } };
  const unexpected = { name: 'UnexpectedResponseError', code: 'unexpected_response' };
  const empty = { message: expect.stringContaining('the response body is empty') };
  const short = { ...unexpected, excerpt: expect.stringMatching(/^.{500}$/) };
  const hidden = { ...unexpected, excerpt: 'Request: [secret]' };
  test.each<[string, FetchResponse, object]>([
    ['is empty', foreign(undefined, async () => ''), empty],
    ['is an empty Node stream', foreign(Readable.from([]), unread), empty],
    ['redirects', foreign(undefined, unread, to), { code: 'redirect_refused' }],
    ['has 64 Mi characters', foreign(undefined, huge), unexpected],
    ['is a long error', foreign(undefined, long, { status: 404 }), short],
    ['shows the key', foreign(undefined, async () => `Request: ${apiKey}`, { status: 502 }), hidden],
  ])('that %s', async (_what, response, expected) => {
    expect(await rejection(connect(response).client.me.get({ maxAttempts: 1 }))).toMatchObject(expected);
  });

  test('a Node stream is destroyed if it redirects, is a long error, or does not end in time', async () => {
    let chunks = 0;
    const endless = new Readable({
      read() {
        chunks += 1;
        this.push(Buffer.alloc(2 ** 12, 'x'));
      },
    });
    const streams = [Readable.from([body]), endless, ...[1, 2].map(() => new Readable({ read() {} }))];
    const statuses = [to, { status: 404 }, {}, {}];
    const { client } = connect(...streams.map((stream, index) => foreign(stream, unread, statuses[index])));
    const once = { maxAttempts: 1 };
    expect(await rejection(client.me.get(once))).toMatchObject({ code: 'redirect_refused' });
    expect(await rejection(client.me.get(once))).toMatchObject(short);
    const ended = { phase: 'body', attempts: 1 };
    expect(await rejection(client.me.get({ ...once, timeoutMs: 20 }))).toMatchObject({
      name: 'TimeoutError',
      ...ended,
    });
    const { signal } = { signal: AbortSignal.timeout(20) };
    expect(await rejection(client.me.get({ signal }))).toMatchObject({ name: 'AbortError', ...ended });
    expect(streams.map(({ destroyed }) => destroyed)).toEqual(Array(4).fill(true));
    expect(chunks).toBeLessThan(40);
    const silent = connect(foreign(undefined, () => new Promise(() => {}))).client;
    expect(await rejection(silent.me.get({ ...once, timeoutMs: 20 }))).toMatchObject(ended);
  });

  test('that breaks is a network error, and requested again', async () => {
    const broken = new Readable({ read: () => void broken.destroy(new Error('read ECONNRESET')) });
    const failed = foreign(undefined, () => Promise.reject(new TypeError('Network request failed')));
    const { client, calls } = connect(
      failed,
      foreign(broken, unread),
      foreign(undefined, async () => body),
    );
    expect(await client.products.get('x')).toEqual({ name: 'Größe ✓' });
    expect(calls).toHaveLength(3);
  });

  const used = async () => {
    const response = json({});
    await response.text();
    return response;
  };
  const throws = (name: string, message: string) => async () => {
    throw Object.assign(new Error(message), { name });
  };
  test.each<[string, () => Promise<unknown>, string]>([
    ['no response', async () => undefined, 'undefined'],
    ['a response without text()', async () => ({ ...foreign(undefined, unread), text: undefined }), 'not a function'],
    ['a body that it read already', used, 'locked'],
    ['a stream of objects', async () => foreign(Readable.from([{}]), unread), 'must be'],
    ['an unknown variable', throws('ReferenceError', 'agent is not defined'), 'agent is not defined'],
    ['a text that is not JSON', throws('SyntaxError', 'Unexpected token'), 'Unexpected token'],
    ['V8', throws('TypeError', "Cannot read properties of undefined (reading 'x')"), 'reading'],
    ['JavaScriptCore', throws('TypeError', "undefined is not an object (evaluating 'a.b')"), 'evaluating'],
    ['SpiderMonkey', throws('TypeError', 'can\'t access property "b", a is undefined'), 'access'],
    ['Hermes', throws('TypeError', "Cannot read property 'b' of undefined"), 'property'],
    ['whatwg-fetch', throws('TypeError', 'Already read'), 'Already read'],
  ])('a programming error of a custom fetch is not a network error: %s', async (_what, fetch, what) => {
    const { client, calls } = connect(fetch);
    expect(await rejection(client.me.get())).toMatchObject({
      ...{ name: 'ArgumentError', argument: 'fetch', cause: { message: expect.stringContaining(what) } },
      message: expect.stringContaining(`fetch has a programming error: `),
    });
    expect(calls).toHaveLength(1);
  });

  test.each([
    ['Node', 'fetch failed'],
    ['undici, in a body', 'terminated'],
    ['Chromium', 'Failed to fetch'],
    ['Firefox', 'NetworkError when attempting to fetch resource.'],
    ['Safari', 'Load failed'],
    ['React Native', 'Network request failed'],
    ['Deno', 'error sending request for url (http://a.test/api/v1/products/undefined): Connection refused'],
  ])('the TypeError of %s is a network error, and the request is sent again', async (_runtime, message) => {
    const { client, calls } = connect(throws('TypeError', message));
    expect(await rejection(client.me.get({ maxAttempts: 2 }))).toMatchObject({ name: 'NetworkError', attempts: 2 });
    expect(calls).toHaveLength(2);
  });
});

describe('injectFetch', () => {
  test.each([[200, '{"name":"Größe"}'], ...[204, 205, 304].map((status): [number, string] => [status, ''])])(
    'takes any server with such an inject: a %i',
    async (statusCode, body) => {
      const requests: unknown[] = [];
      const fetch = injectFetch({
        inject: async (request) => {
          requests.push(request);
          const headers = { 'content-length': 0, 'set-cookie': ['a=1', 'b=2'], gone: undefined };
          return { statusCode, headers, rawPayload: Buffer.from(body) };
        },
      });
      const address = 'http://127.0.0.1:3000/api/v1/products/x%2Fy?a=b';
      const response = await fetch(address, { method: 'PUT', body: '[]' });
      const received = [response.status, await response.text(), response.headers.getSetCookie()];
      expect(received).toEqual([statusCode, body, ['a=1', 'b=2']]);
      expect(await rejection(fetch(address, { signal: AbortSignal.abort('enough') }))).toBe('enough');
      const headers = { 'content-type': 'text/plain;charset=UTF-8' };
      const target = { url: '/api/v1/products/x%2Fy?a=b', authority: '127.0.0.1:3000' };
      expect(requests).toEqual([{ method: 'PUT', ...target, headers, payload: '[]' }]);
    },
  );
});
