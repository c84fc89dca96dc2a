/** The option `fetch`: it is called as `fetch(url, init)`, so that those of Node and undici work. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as undici from 'undici';
import { createClient, type Fetch, type FetchInit, type FetchResponse } from '../../sdk/src/index.ts';
import { createPublicClient } from '../../sdk/src/public.ts';
import { type Injectable, injectFetch } from '../../sdk/src/testing.ts';
import { fillDemo } from '../../server/src/demo/fill.ts';
import { createApp, openDatabase } from '../../server/src/index.ts';
import { createLog } from '../../server/src/log/log.ts';
import { apiKey, baseUrl, json, refusal } from '../support/fake-fetch.ts';
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
  await once(server.listen(0, '127.0.0.1'), 'listening');
  siteUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  seen = [];
  dispatched = [];
});
afterAll(async () => {
  await agent.close();
  await undici.getGlobalDispatcher().close();
  server.closeAllConnections();
  server.close();
});

const withDispatcher: Fetch = (url, init) => undici.fetch(url, { ...init, dispatcher });
const fetches: [string, Fetch | undefined, boolean][] = [
  ["the runtime's, by default", undefined, false],
  ["the runtime's", globalThis.fetch, false],
  ["the runtime's in a function", (url, init) => fetch(url, init), false],
  ["undici's", undici.fetch, false],
  ["undici's with a dispatcher", withDispatcher, true],
];

describe.each(fetches)('%s', (_name, given, isDispatched) => {
  const connect = () => createClient({ baseUrl: `${siteUrl}/api/v1`, apiKey, fetch: given });

  test('sends a read, with the key', async () => {
    const { value, headers } = await connect().products.get('größe 42').withResponse();
    expect(value).toMatchObject({ id: '1' });
    expect(headers.get('x-request-id')).toBe('req-7');
    const request = 'GET /api/v1/products/gr%C3%B6%C3%9Fe%2042';
    expect(seen).toMatchObject([{ request, headers: { authorization: `Bearer ${apiKey}` } }]);
    expect(seen[0]?.headers).not.toHaveProperty('content-type');
    expect(dispatched).toEqual(isDispatched ? [request] : []);
  });

  test('sends a write, with its body, and again after a 503', async () => {
    await connect().passports.put('busy', [{ field_key: 'a', value: 'Größe' }]);
    await connect().passports.put('busy', []);
    const request = 'PUT /api/v1/products/busy/passport';
    const headers = { 'content-type': 'application/json' };
    const body = '[{"field_key":"a","value":"Größe"}]';
    expect(seen).toMatchObject([
      { request, headers, body },
      { request, headers, body: '[]' },
    ]);
    seen = [];
    expect(await connect().products.get('busy')).toMatchObject({ id: '1' });
    expect(seen).toHaveLength(2);
  });

  test('ends with the signal and with the time limit', async () => {
    const { products } = connect();
    expect(await rejection(products.get('stalls', { signal: AbortSignal.timeout(20) }))).toMatchObject({
      name: 'AbortError',
    });
    expect(await rejection(products.get('stalls', { timeoutMs: 20, maxAttempts: 1 }))).toMatchObject({
      name: 'TimeoutError',
    });
  });

  test('a closed port is a network error', async () => {
    const closed = createServer();
    await once(closed.listen(0, '127.0.0.1'), 'listening');
    const { port } = closed.address() as AddressInfo;
    await once(closed.close(), 'close');
    const baseUrl = `http://127.0.0.1:${port}/api/v1`;
    const client = createClient({ baseUrl, apiKey, maxAttempts: 1, fetch: given });
    expect(await rejection(client.me.get())).toMatchObject({
      name: 'NetworkError',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('serves the public side', async () => {
    const site = createPublicClient({ siteUrl, fetch: given });
    expect(await site.passports.document('t', 'p')).toMatchObject({ id: '1' });
    expect(await site.resolve('09520001000072')).toMatchObject({ document: { id: '1' } });
    expect(seen.map(({ request }) => request)).toEqual([
      'GET /p/t/p/jsonld',
      'GET /01/09520001000072?linkType=gs1%3Adpp',
    ]);
    expect(dispatched).toHaveLength(isDispatched ? 2 : 0);
  });
});

describe('its arguments', () => {
  /** A `fetch` that records its arguments. */
  function spy(...responses: Response[]) {
    const calls: [string, FetchInit][] = [];
    const fetch: Fetch = async (...call) => {
      calls.push(call);
      return responses[Math.min(calls.length, responses.length) - 1]?.clone() ?? json({});
    };
    return { calls, client: createClient({ baseUrl: `${siteUrl}/api/v1`, apiKey, fetch }) };
  }

  test('are the URL and plain values, which any fetch accepts', async () => {
    const { calls, client } = spy(json({ id: '1' }));
    await client.products.create({ name: 'Mütze' });
    expect(calls).toEqual([
      [
        `${siteUrl}/api/v1/products`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${apiKey}`,
            'content-type': 'application/json',
            'user-agent': expect.stringMatching(/^product-passport-sdk\/\d/),
          },
          body: '{"name":"Mütze"}',
          redirect: 'manual',
          signal: expect.any(AbortSignal),
        },
      ],
    ]);
    await client.me.get();
    expect(calls[1]?.[1]).not.toHaveProperty('body');
  });

  test('are made once for all attempts: a body is serialized once', async () => {
    let times = 0;
    const toJSON = () => {
      times += 1;
      return 'text';
    };
    const { calls, client } = spy(refusal(429, 'rate_limited'), refusal(429, 'rate_limited'), json({ updated: 1 }));
    await client.passports.put('x', [{ field_key: 'a', value: { toJSON } }]);
    expect(times).toBe(1);
    expect(calls.map(([, { body }]) => body)).toEqual(Array(3).fill('[{"field_key":"a","value":"text"}]'));
  });

  test('include a separate signal for each attempt, which fires when the attempt ends early', async () => {
    const signals: AbortSignal[] = [];
    const never: Fetch = (_url, { signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const client = createClient({ baseUrl: `${siteUrl}/api/v1`, apiKey, fetch: never, timeoutMs: 10, maxAttempts: 2 });
    await rejection(client.me.get());
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(new Set(signals).size).toBe(2);
  });
});

/** A response as other implementations have it: without a stream, or with one of Node. */
function foreign(body: Readable | undefined, text: () => Promise<string>, init: ResponseInit = {}): FetchResponse {
  const { ok, status, type, url, headers } = new Response(null, init);
  return { ok, status, type, url, headers, text, ...(body && { body }) };
}
const unread = () => Promise.reject(new Error('text() was called'));

describe('a response without a stream of the platform', () => {
  const connect = (respond: (init: FetchInit) => FetchResponse | Promise<FetchResponse>) => {
    let calls = 0;
    const fetch: Fetch = async (_url, init) => {
      calls += 1;
      return respond(init);
    };
    return { client: createClient({ baseUrl, apiKey, fetch }), count: () => calls };
  };
  const body = '{"name":"Größe ✓"}';
  const bytes = Array.from(Buffer.from(body), (byte) => Buffer.of(byte));

  test.each([
    ['no body', () => foreign(undefined, async () => body)],
    ['a Node stream of bytes', () => foreign(Readable.from(bytes, { objectMode: false }), unread)],
    ['a Node stream of texts', () => foreign(Readable.from([...body]), unread)],
  ])('is read once: %s', async (_what, respond) => {
    const { client, count } = connect(respond);
    expect(await client.products.get('x')).toEqual({ name: 'Größe ✓' });
    expect(count()).toBe(1);
  });

  test.each([
    ['no body', () => foreign(undefined, async () => '', {})],
    ['a Node stream', () => foreign(Readable.from([]), unread)],
  ])('is empty only if it is: %s', async (_what, respond) => {
    const message = expect.stringContaining('the response body is empty');
    expect(await rejection(connect(respond).client.me.get())).toMatchObject({ message });
  });

  test('is not read if it redirects: a Node stream is destroyed', async () => {
    const stream = Readable.from([body]);
    const init = { status: 302, headers: { location: '/elsewhere' } };
    for (const response of [foreign(stream, unread, init), foreign(undefined, unread, init)]) {
      expect(await rejection(connect(() => response).client.me.get())).toMatchObject({ code: 'redirect_refused' });
    }
    expect(stream.destroyed).toBe(true);
  });

  test('is refused from 64 Mi characters on', async () => {
    const { client } = connect(() => foreign(undefined, async () => `{"a":"${'x'.repeat(2 ** 26)}"}`));
    expect(await rejection(client.me.get())).toMatchObject({ code: 'unexpected_response' });
  });

  test('of an error is cut: a Node stream without end is destroyed', async () => {
    let chunks = 0;
    const endless = new Readable({
      read() {
        chunks += 1;
        this.push(Buffer.alloc(2 ** 12, 'x'));
      },
    });
    const long = async () => `{"error":{"code":"not_found","message":"${'x'.repeat(2 ** 16)}"}}`;
    for (const response of [foreign(endless, unread, { status: 404 }), foreign(undefined, long, { status: 404 })]) {
      expect(await rejection(connect(() => response).client.me.get())).toMatchObject({
        name: 'UnexpectedResponseError',
        excerpt: expect.stringMatching(/^.{500}$/),
      });
    }
    expect(endless.destroyed).toBe(true);
    expect(chunks).toBeLessThan(40);
  });

  test.each([
    ['no body', () => foreign(undefined, () => new Promise(() => {}))],
    ['a Node stream', () => foreign(new Readable({ read() {} }), unread)],
  ])('ends with the time limit and with the signal: %s', async (_what, respond) => {
    const responses: FetchResponse[] = [];
    const { client } = connect(() => {
      const response = respond();
      responses.push(response);
      return response;
    });
    const ended = { phase: 'body', attempts: 1 };
    const late = await rejection(client.me.get({ timeoutMs: 20, maxAttempts: 1 }));
    expect(late).toMatchObject({ name: 'TimeoutError', ...ended });
    const aborted = await rejection(client.me.get({ signal: AbortSignal.timeout(20) }));
    expect(aborted).toMatchObject({ name: 'AbortError', ...ended });
    for (const { body } of responses) expect(body).toEqual(body && expect.objectContaining({ destroyed: true }));
  });

  test('that breaks is a network error, and requested again', async () => {
    const broken = new Readable({ read: () => void broken.destroy(new Error('read ECONNRESET')) });
    const responses = [
      foreign(undefined, () => Promise.reject(new TypeError('Network request failed'))),
      foreign(broken, unread),
      foreign(undefined, async () => body),
    ];
    const { client, count } = connect(() => responses[count() - 1] as FetchResponse);
    expect(await client.products.get('x')).toEqual({ name: 'Größe ✓' });
    expect(count()).toBe(3);
  });

  test('shows no key', async () => {
    const page = async () => `Request: ${apiKey}`;
    const { client } = connect(() => foreign(undefined, page, { status: 502 }));
    expect(await rejection(client.me.get({ maxAttempts: 1 }))).toMatchObject({ excerpt: 'Request: [secret]' });
  });
});

describe('a programming error of a custom fetch is not a network error', () => {
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
  ])('%s', async (_what, fetch, what) => {
    let calls = 0;
    const counted = () => {
      calls += 1;
      return fetch() as ReturnType<Fetch>;
    };
    const client = createClient({ baseUrl, apiKey, fetch: counted });
    expect(await rejection(client.me.get())).toMatchObject({
      name: 'ArgumentError',
      argument: 'fetch',
      message: expect.stringContaining(`fetch has a programming error: `),
      cause: { message: expect.stringContaining(what) },
    });
    expect(calls).toBe(1);
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
    let calls = 0;
    const fetch: Fetch = async () => {
      calls += 1;
      throw new TypeError(message);
    };
    const client = createClient({ baseUrl, apiKey, fetch, maxAttempts: 2 });
    expect(await rejection(client.me.get())).toMatchObject({ name: 'NetworkError', attempts: 2 });
    expect(calls).toBe(2);
  });
});

describe('the SDK against the reference server in the same process', () => {
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let fetch: ReturnType<typeof injectFetch>;
  let apiKey = '';
  const siteUrl = 'https://passport.example.com';
  const client = () => createClient({ baseUrl: `${siteUrl}/api/v1`, apiKey, fetch });
  const site = () => createPublicClient({ siteUrl, fetch });

  beforeAll(async () => {
    database = await openDatabase(':memory:');
    const keys = await fillDemo({ database, urnNamespace: 'dpp', now: () => new Date() });
    apiKey = keys?.tenants[0]?.api_key ?? '';
    const log = createLog('silent');
    const app = await createApp({ database, siteUrl, log });
    fetch = injectFetch(app);
    expect(app.info.started).toBe(0); // it does not listen
  });
  afterAll(() => database.destroy());

  test('reads, pages and writes', async () => {
    expect(await client().me.get()).toMatchObject({ tenant: { slug: 'nordlicht' }, products_total: 15 });
    const slugs: string[] = [];
    for await (const { slug } of client().products.list({ limit: 4 })) slugs.push(slug);
    expect(new Set(slugs).size).toBe(15);

    const created = await client().products.create({ name: 'Größenmaß ✓', product_group: 'cable' });
    expect(created).toMatchObject({ name: 'Größenmaß ✓', status: 'draft' });
    const values = [{ field_key: 'cable_length', value: 'zwei Meter' }];
    expect(await client().passports.put(created.slug, values)).toMatchObject({ updated: 1 });
    expect((await client().passports.get(created.slug)).values).toMatchObject(values);
  });

  test('refuses', async () => {
    expect(await rejection(client().products.get('no-such-product'))).toMatchObject({ status: 404, code: 'not_found' });
    apiKey = 'ppk_wrong';
    expect(await rejection(client().me.get())).toMatchObject({ code: 'invalid_api_key' });
  });

  test('shows the public side', async () => {
    const [tenant, product] = ['nordlicht', 'usb-c-kabel-240-w-2-m'];
    expect(await site().passports.page(tenant, product)).toContain('<html');
    expect((await site().passports.document(tenant, product)).name).toContain('USB-C');
    expect(
      await site()
        .resolve('9999999999999')
        .catch(({ code }) => code),
    ).toBe('not_found');
  });

  test('an aborted call reaches no server', async () => {
    const signal = AbortSignal.abort();
    const request = new Request(`${siteUrl}/api/v1/me`, { signal });
    expect(await rejection(fetch(request))).toBe(signal.reason);
  });
});

test.each([204, 205, 304])('a %i has no body, even if the server sends an empty one', async (statusCode) => {
  const server: Injectable = {
    inject: async () => ({ statusCode, headers: { 'x-request-id': '7' }, rawPayload: new Uint8Array() }),
  };
  const response = await injectFetch(server)(new Request('http://127.0.0.1:3000/api/v1/me'));
  expect([response.status, response.body, response.headers.get('x-request-id')]).toEqual([statusCode, null, '7']);
});

test('accepts any server with such an inject, and keeps repeated headers', async () => {
  const requests: unknown[] = [];
  const server: Injectable = {
    inject: async (request) => {
      requests.push(request);
      const headers = { 'content-length': 0, 'set-cookie': ['a=1', 'b=2'], gone: undefined };
      return { statusCode: 204, headers, rawPayload: new Uint8Array() };
    },
  };
  const response = await injectFetch(server)(
    new Request('http://127.0.0.1:3000/api/v1/products/x%2Fy?a=b', { method: 'PUT', body: '[]' }),
  );
  expect(response.status).toBe(204);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(requests).toEqual([
    {
      method: 'PUT',
      url: '/api/v1/products/x%2Fy?a=b',
      authority: '127.0.0.1:3000',
      headers: { 'content-type': 'text/plain;charset=UTF-8' },
      payload: '[]',
    },
  ]);
});
