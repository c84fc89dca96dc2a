/** A signal or a time limit ends a call at once, and the connection closes. */
import { getEventListeners, once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { createClient } from '../../sdk/src/index.ts';
import { createPublicClient } from '../../sdk/src/public.ts';
import { apiKey, connect, json } from '../support/fake-fetch.ts';
import { listen } from '../support/serve.ts';
import { rejection } from '../support/thrown.ts';

/** A client of a server on a real socket, and the socket of its first request. */
async function serve(listener: RequestListener) {
  const server = createServer(listener);
  const reached = once(server, 'request').then(([{ socket }]) => socket);
  const siteUrl = await listen(server);
  const client = createClient({ baseUrl: `${siteUrl}/api/v1`, apiKey, maxAttempts: 1 });
  return { client, site: createPublicClient({ siteUrl }), reached };
}
type Served = Awaited<ReturnType<typeof serve>>;

const stalls = (status: number, drips = false): RequestListener => {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/ld+json' });
    response.write('{');
    const timer = drips && setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(timer || undefined));
  };
};
const listeners: Record<string, RequestListener> = {
  headers: () => {},
  body: stalls(200),
  'body of an error': stalls(500),
  'body that drips': stalls(200, true),
};

// Node's `fetch` drops the signal of an unreferenced request. The request would continue after the call has ended.
test('the connection closes even after a garbage collection', async () => {
  const calls: Record<string, (served: Served, signal: AbortSignal) => PromiseLike<unknown>> = {
    'me.get, which times out': ({ client }) => client.me.get({ timeoutMs: 1_000 }),
    'me.get': ({ client }, signal) => client.me.get({ signal }),
    'passports.put': ({ client }, signal) => client.passports.put('x', [], { signal }),
    'passports.document': ({ site }, signal) => site.passports.document('t', 'p', {}, { signal }),
    resolve: ({ site }, signal) => site.resolve('09520001000072', {}, { signal }),
  };
  const controller = new AbortController();
  const open = new Set<string>();
  const pending: Promise<unknown>[] = [];
  for (const [where, listener] of Object.entries(listeners)) {
    for (const [name, start] of Object.entries(calls)) {
      const served = await serve(listener);
      pending.push(rejection(start(served, controller.signal)));
      const socket = await served.reached;
      open.add(`${name} in the ${where}`);
      socket.once('close', () => open.delete(`${name} in the ${where}`)); // by a reset, too
    }
  }
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  for (let times = 0; times < 5; times += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
  }
  controller.abort();
  for (const error of await Promise.all(pending)) {
    expect(error).toMatchObject({ name: expect.stringMatching(/^(Timeout|Abort)Error$/) });
  }
  for (let waited = 0; open.size > 0 && waited < 10_000; waited += 20)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect([...open]).toEqual([]);
});

const endless = () => new Response(new ReadableStream({ start: (body) => body.enqueue(Uint8Array.of(123)) }));
test.each([
  ['never responds', () => new Promise<Response>(() => {}), 'headers', 'while waiting for the response'],
  ['responds without end', endless, 'body', 'while reading the response'],
] as const)('a custom fetch that %s, and ignores the signal: the call ends', async (_name, response, phase, during) => {
  const controller = new AbortController();
  const call = rejection(connect(response).client.me.get({ signal: controller.signal }));
  const reason = new Error('The user went away.');
  setTimeout(() => controller.abort(reason), 10);
  const error = await call;
  const message = `GET /api/v1/me → aborted ${during} (attempts: 1)`;
  expect(error).toMatchObject({ name: 'AbortError', code: 'aborted', operation: 'getMe', phase, message });
  expect((error as Error).cause).toBe(reason);
});

test('a call with a fired signal sends nothing, and one that is not an AbortSignal is an argument error', async () => {
  const { client, requests } = connect(json({}));
  const call = { operation: 'createProduct', method: 'POST', path: '/api/v1/products' };
  for (const reason of [undefined, null, 'text', new Error('no')]) {
    const signal = AbortSignal.abort(reason);
    const error = await rejection(client.products.create({ name: 'x' }, { signal }));
    expect(error).toMatchObject({ name: 'AbortError', ...call });
    expect((error as Error).cause).toBe(signal.reason);
  }
  const error = await rejection(client.me.get({ signal: { aborted: false } as AbortSignal }));
  expect(error).toMatchObject({ name: 'ArgumentError', argument: 'signal' });
  expect(requests).toEqual([]);
});

test('a finished call removes its listener from the signal', async () => {
  const { signal } = new AbortController();
  const responses = [json({ a: 1 }), new Error('no'), json({}, { status: 500 })];
  const { client } = connect(responses);
  for (const _ of responses) await client.me.get({ signal }).result();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  const { site, requests } = connect(responses);
  for (const _ of responses) await site.passports.document('t', 'p', {}, { signal }).result();
  // The runtime keeps its own listener for every Request, until a garbage collection.
  expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(requests.length);
});
