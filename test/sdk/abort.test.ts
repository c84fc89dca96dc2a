import { getEventListeners, once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from '../../sdk/src/index.ts';
import { createPublicClient } from '../../sdk/src/public.ts';
import { apiKey, baseUrl, fakeFetch, json, siteUrl } from '../support/fake-fetch.ts';
import { rejection } from '../support/thrown.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A client of a server on a real socket, and a promise of the request's end at the server. */
async function connect(listener: RequestListener) {
  const server = createServer();
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const reached = once(server, 'request');
  server.on('request', listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}/api/v1`, apiKey, maxAttempts: 1 });
  return { client, site: createPublicClient({ siteUrl: client.siteUrl }), reached };
}

const silent: RequestListener = () => {};
const stallsInBody: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"tenant":');
};
const stallsInError: RequestListener = (_request, response) => {
  response.writeHead(502, { 'content-type': 'text/html' });
  response.write('<h1>Bad');
};

describe.each([
  ['no response', silent, 'headers', 'while waiting for the response'],
  ['a response that stalls within its body', stallsInBody, 'body', 'while reading the response'],
  ['an error that stalls within its body', stallsInError, 'body', 'while reading the response'],
])('%s, on a real socket', (_name, listener, phase, during) => {
  test('the signal ends the call, its reason is the cause, and the connection closes', async () => {
    const { client, reached } = await connect(listener);
    const controller = new AbortController();
    const reason = new Error('The user went away.');
    const call = rejection(client.me.get({ signal: controller.signal }));
    const [request] = await reached;
    await new Promise((resolve) => setTimeout(resolve, 30));
    const closed = once(request.socket, 'close');
    controller.abort(reason);
    const error = await call;
    expect(error).toMatchObject({
      name: 'AbortError',
      code: 'aborted',
      operation: 'getMe',
      phase,
      message: `GET /api/v1/me → aborted ${during} (attempts: 1)`,
    });
    expect((error as Error).cause).toBe(reason);
    await closed;
  });

  test('AbortSignal.timeout ends the call, too', async () => {
    const { client } = await connect(listener);
    const error = await rejection(client.me.get({ signal: AbortSignal.timeout(50) }));
    expect(error).toMatchObject({ name: 'AbortError', cause: { name: 'TimeoutError' } });
  });
});

// Node's `fetch` drops the signal of an unreferenced request. The request would continue after the call has ended.
describe('the connection closes even after a garbage collection', () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  type Callers = Awaited<ReturnType<typeof connect>>;

  const stalls = (status: number, drips = false): RequestListener => {
    return (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/ld+json' });
      response.write('{');
      const timer = drips && setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(timer || undefined));
    };
  };
  const listeners = { headers: silent, body: stalls(200), 'body of an error': stalls(500), drip: stalls(200, true) };
  const calls: Record<string, (callers: Callers, signal: AbortSignal) => PromiseLike<unknown>> = {
    'me.get, which times out': ({ client }) => client.me.get({ timeoutMs: 1_000 }),
    'me.get': ({ client }, signal) => client.me.get({ signal }),
    'passports.put': ({ client }, signal) => client.passports.put('x', [], { signal }),
    'passports.document': ({ site }, signal) => site.passports.document('t', 'p', {}, { signal }),
    resolve: ({ site }, signal) => site.resolve('09520001000072', {}, { signal }),
  };

  // The calls share the collections, which take most of the time.
  describe.each(Object.entries(listeners))('in the %s', (_where, listener) => {
    const pending = new Map<
      string,
      { controller: AbortController; call: Promise<unknown>; closed: Promise<unknown> }
    >();
    let ownClosers: (() => void)[] = [];

    beforeAll(async () => {
      for (const [name, start] of Object.entries(calls)) {
        const callers = await connect(listener);
        const controller = new AbortController();
        const call = rejection(start(callers, controller.signal));
        const [request] = await callers.reached;
        const closed = new Promise((resolve) => request.socket.once('close', resolve)); // by a reset, too
        pending.set(name, { controller, call, closed });
      }
      ownClosers = closers.splice(0);
      for (let times = 0; times < 5; times += 1) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        collect();
      }
    });

    afterAll(() => {
      for (const close of ownClosers) close();
    });

    test.each(Object.keys(calls))('%s', async (name) => {
      const { controller, call, closed } = pending.get(name) ?? {};
      if (!name.endsWith('times out')) controller?.abort();
      expect(await call).toMatchObject({ name: expect.stringMatching(/^(Timeout|Abort)Error$/) });
      await closed;
    });
  });
});

describe('a broken connection is a network error', () => {
  test.each<[string, RequestListener]>([
    ['before the response', (request) => request.socket.destroy()],
    [
      'within the body',
      (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
        response.write('{"tenant":', () => request.socket.destroy());
      },
    ],
  ])('%s', async (_name, listener) => {
    const { client } = await connect(listener);
    expect(await rejection(client.me.get())).toMatchObject({
      name: 'NetworkError',
      code: 'network_error',
      operation: 'getMe',
    });
  });

  test('a closed port', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:1/api/v1', apiKey });
    expect(await rejection(client.me.get())).toMatchObject({
      name: 'NetworkError',
      cause: { message: 'fetch failed' },
    });
  });
});

describe('a custom fetch', () => {
  const never = () => new Promise<Response>(() => {});
  const endless = () => new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array([123])) }));

  test.each([
    ['never responds', never],
    ['responds without end', endless],
  ])('%s: the call ends although fetch ignores the signal', async (_name, response) => {
    const controller = new AbortController();
    const client = createClient({ baseUrl, apiKey, maxAttempts: 1, fetch: fakeFetch(response).fetch });
    const call = rejection(client.me.get({ signal: controller.signal }));
    setTimeout(() => controller.abort(), 10);
    expect(await call).toMatchObject({ name: 'AbortError', cause: { name: 'AbortError' } });
  });
});

test('a call with a fired signal sends nothing', async () => {
  const { fetch, requests } = fakeFetch(json({}));
  const client = createClient({ baseUrl, apiKey, maxAttempts: 1, fetch });
  for (const reason of [undefined, null, 'text', new Error('no')]) {
    const signal = AbortSignal.abort(reason);
    const error = await rejection(client.products.create({ name: 'x' }, { signal }));
    expect(error).toMatchObject({
      name: 'AbortError',
      operation: 'createProduct',
      method: 'POST',
      path: '/api/v1/products',
    });
    expect((error as Error).cause).toBe(signal.reason);
  }
  expect(requests).toEqual([]);
});

test('a signal that is not an AbortSignal is an argument error', async () => {
  const { fetch, requests } = fakeFetch(json({}));
  const client = createClient({ baseUrl, apiKey, maxAttempts: 1, fetch });
  const error = await rejection(client.me.get({ signal: { aborted: false } as AbortSignal }));
  expect(error).toMatchObject({ name: 'ArgumentError', argument: 'signal' });
  expect(requests).toEqual([]);
});

describe('a finished call removes its listener from the signal', () => {
  const responses = () => fakeFetch(json({ a: 1 }), new Error('no'), json({}, { status: 500 }));
  const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

  test('of the API', async () => {
    const { signal } = new AbortController();
    const client = createClient({ baseUrl, apiKey, maxAttempts: 1, fetch: responses().fetch });
    await client.me.get({ signal });
    await rejection(client.me.get({ signal }));
    await rejection(client.me.get({ signal }));
    expect(listeners(signal)).toBe(0);
  });

  test('of the public side', async () => {
    const { signal } = new AbortController();
    const { fetch, requests } = responses();
    const { passports } = createPublicClient({ siteUrl, fetch });
    await passports.document('t', 'p', {}, { signal });
    await rejection(passports.document('t', 'p', {}, { signal }));
    await rejection(passports.document('t', 'p', {}, { signal }));
    // The runtime keeps its own listener for every Request, until a garbage collection.
    expect(listeners(signal)).toBeLessThanOrEqual(requests.length);
  });
});
