/** Attempts, pauses, time limits, signals, and what becomes of a response that is not used. */
import { getEventListeners, once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type ApiPromise,
  type Client,
  type ClientOptions,
  createClient,
  type RequestOptions,
} from '../../sdk/src/index.ts';
import { limits } from '../../sdk/src/limits.ts';
import { createPublicClient } from '../../sdk/src/public.ts';
import { apiKey, connect as connectOnce, type FakeResponse, html, json, refusal } from '../support/fake-fetch.ts';
import { listen } from '../support/serve.ts';
import { rejection } from '../support/thrown.ts';
import { settled, useFakeTime } from '../support/time.ts';

/** Both clients with their own number of attempts. */
const connect = (responses: FakeResponse | FakeResponse[], options: Partial<ClientOptions> = {}) =>
  connectOnce(responses, { maxAttempts: undefined, ...options });

const calls: Record<'GET' | 'PUT' | 'POST', (client: Client, options?: RequestOptions) => ApiPromise<unknown>> = {
  GET: (client, options) => client.products.get('x', options),
  PUT: (client, options) => client.passports.put('x', [{ field_key: 'cable_length', value: 2 }], options),
  POST: (client, options) => client.products.create({ name: 'x' }, options),
};
type Method = keyof typeof calls;

const never = () => new Promise<Response>(() => {});
const cut = () => new Response(new ReadableStream({ pull: (body) => body.error(new TypeError('terminated')) }));
const later = (ms: number, response: () => Response) => () =>
  new Promise<Response>((resolve) => setTimeout(() => resolve(response()), ms));
const refused = (status: number, headers: HeadersInit) =>
  json({ error: { code: status === 429 ? 'rate_limited' : 'service_unavailable', message: '' } }, { status, headers });
const faults = { lost: new TypeError('fetch failed'), cut, 'too slow': never } as const;

describe('a retry', () => {
  useFakeTime(0.5);

  // The table of the README, repeated here on purpose.
  const repeats = (method: Method, failure: number | keyof typeof faults) =>
    method === 'POST' ? failure === 429 : typeof failure === 'string' || [429, 500, 502, 503, 504].includes(failure);

  test('follows the table, for every method, status and fault', async () => {
    const methods = fc.constantFrom<Method>('GET', 'PUT', 'POST');
    const statuses = fc.integer({ min: 201, max: 599 }).filter((status) => ![204, 205, 304].includes(status));
    const often = fc.constantFrom(200, 302, 400, 401, 404, 408, 409, 413, 422, 425, 429, 500, 501, 502, 503, 504, 505);
    const failures = fc.oneof(often, statuses, fc.constantFrom<keyof typeof faults>('lost', 'cut', 'too slow'));
    const bodies = fc.constantFrom<(status: number) => Response>(
      (status) => refusal(status, 'a_code'),
      (status) => html(status, '<h1>no</h1>'),
      (status) => new Response('', { status }),
    );
    const maxima = fc.integer({ min: 1, max: 4 });
    const property = fc.asyncProperty(methods, failures, bodies, maxima, async (method, failure, body, maxAttempts) => {
      const failed = typeof failure === 'string' ? faults[failure] : body(failure);
      const { client, requests, attempts } = connect(failed);
      const isJson = failed instanceof Response && failed.headers.get('content-type') === 'application/json';
      const isValue = isJson && failed.ok;
      const options = { maxAttempts, timeoutMs: 50, maxWaitMs: 1 };
      const outcome = await settled(calls[method](client, options).result());
      expect(outcome.ok).toBe(isValue);
      // A refusal is no attempt, and here its first pause is too long. `limiter.test.ts` has its repeats.
      const expected = !isValue && failure !== 429 && repeats(method, failure) ? maxAttempts : 1;
      expect(requests).toHaveLength(expected);
      expect(attempts.map(({ attempts, pauseMs }) => [attempts, pauseMs !== undefined])).toEqual(
        Array.from({ length: expected }, (_, index) => [index + 1, index + 1 < expected]),
      );
      if (!outcome.ok) expect(outcome.error).toHaveProperty('attempts', expected);
    });
    await fc.assert(property, { numRuns: 300 });
  });

  test('sends the same request as the first attempt, even if the program changes its input meanwhile', async () => {
    const written = connect([html(503, ''), json({ updated: 1, completeness: 0 })]);
    const values = [{ field_key: 'cable_length', value: 2 }];
    const put = written.client.passports.put('x', values);
    values.push({ field_key: 'later', value: 3 });
    await settled(put);
    const made = connect([refusal(429, 'rate_limited'), json({ id: 1 })]);
    const product = { name: 'Kabel' };
    const creation = made.client.products.create(product);
    product.name = 'Later';
    await settled(creation);
    expect(await Promise.all([...written.requests, ...made.requests].map((request) => request.json()))).toEqual([
      ...Array(2).fill([{ field_key: 'cable_length', value: 2 }]),
      ...Array(2).fill({ name: 'Kabel' }),
    ]);
  });
});

describe('the hook', () => {
  useFakeTime(0.5);

  test('receives every attempt, without the key', async () => {
    const { client, attempts } = connect([faults.lost, refusal(503, 'service_unavailable'), json({ id: 1 })]);
    expect(await settled(client.products.get('x'))).toEqual({ id: 1 });
    const call = {
      ...{ operation: 'getProduct', method: 'GET', path: '/api/v1/products/x', host: 'passport.example.com' },
      ...{ requestId: undefined, durationMs: expect.any(Number) },
    };
    expect(attempts).toEqual([
      { ...call, attempts: 1, outcome: 'network_error', status: undefined, pauseMs: 250 },
      { ...call, attempts: 2, outcome: 'service_unavailable', status: 503, pauseMs: 500 },
      { ...call, attempts: 3, outcome: 'ok', status: 200, pauseMs: undefined },
    ]);
    expect(JSON.stringify(attempts)).not.toContain(apiKey);
  });

  test('that throws does not fail the call, and its error is printed', async () => {
    const printed = jest.spyOn(console, 'error').mockReturnValue();
    const fault = new Error('metrics are down');
    const thrower = () => {
      throw fault;
    };
    for (const onAttempt of [() => Promise.reject(fault), thrower]) {
      expect(await connect(json({ id: 1 }), { onAttempt }).client.me.get()).toEqual({ id: 1 });
    }
    await jest.advanceTimersByTimeAsync(0);
    expect(printed.mock.calls).toEqual([[fault], [fault]]);
  });

  test('is not called if nothing was sent', async () => {
    const { client, attempts } = connect(json({}));
    await rejection(client.products.get('..'));
    await rejection(client.products.get('x', { signal: AbortSignal.abort() }));
    expect(attempts).toEqual([]);
  });
});

describe('the pause', () => {
  useFakeTime(0.5);

  const pauses = async (...responses: FakeResponse[]) => {
    const { client, attempts } = connect(responses);
    await settled(client.me.get({ maxAttempts: 8, deadlineMs: Infinity, maxWaitMs: Infinity }).result());
    return attempts.map(({ pauseMs }) => pauseMs);
  };

  test('grows up to 8 s, and is random up to that, so that clients do not retry at the same moment', async () => {
    expect(await pauses(html(502, ''))).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000, undefined]);
    for (const part of [0, 0.001, 0.999]) {
      jest.mocked(Math.random).mockReturnValue(part);
      expect((await pauses(html(502, ''), json({})))[0]).toBe(500 * part);
    }
  });

  test.each<[status: number, what: string, header: string, ms: number, date?: string]>([
    [429, 'seconds', '7', 7_250],
    [429, 'zero', '0', 250],
    [429, 'a date', 'Mon, 01 Jun 2026 12:00:09 GMT', 9_250],
    [429, 'a date that has passed', 'Mon, 01 Jun 2026 11:00:00 GMT', 250],
    [429, 'a date in half an hour', 'Mon, 01 Jun 2026 12:30:00 GMT', 1_800_250],
    [429, 'a day', '86400', 3_600_250],
    [429, 'an infinite number of seconds', '9'.repeat(400), 3_600_250],
    [429, 'a negative number', '-5', 250],
    [429, 'a fraction', '1.5', 250],
    [429, 'nonsense', 'soon', 250],
    [429, 'nothing', '', 250],
    [429, 'white space around it', ' 3 ', 3_250],
    [429, 'two of them', '3, 3', 3_250],
    [503, 'an hour', '3600', 60_250],
    [429, 'a date by a clock that is late', 'Mon, 01 Jun 2026 11:00:09 GMT', 9_250, 'Mon, 01 Jun 2026 11:00:00 GMT'],
    [429, 'a date by a clock that is early', 'Mon, 01 Jun 2026 13:00:09 GMT', 9_250, 'Mon, 01 Jun 2026 13:00:00 GMT'],
  ])('after a %i with Retry-After %s (%j) is %i ms', async (...[status, , header, expected, date]) => {
    jest.setSystemTime(Date.parse('2026-06-01T12:00:00Z'));
    const headers = { 'retry-after': header, ...(date && { date }) };
    expect((await pauses(refused(status, headers), json({})))[0]).toBe(expected);
  });

  test('ends at once when the signal fires', async () => {
    const { client, requests } = connect(html(503, ''));
    const controller = new AbortController();
    const call = rejection(client.me.get({ signal: controller.signal }));
    await jest.advanceTimersByTimeAsync(100);
    expect(requests).toHaveLength(1);
    controller.abort('enough');
    expect(await call).toMatchObject({ name: 'AbortError', phase: 'pause', attempts: 1, cause: 'enough' });
  });

  test('does not begin when the signal fires at any step before it, or in the hook', async () => {
    for (let steps = 0; steps < 60; steps += 1) {
      const controller = new AbortController();
      const { client } = connect(() => {
        let step = Promise.resolve();
        for (let count = 0; count < steps; count += 1) step = step.then(() => {});
        void step.then(() => controller.abort('enough'));
        throw new TypeError('fetch failed');
      });
      expect(await rejection(client.me.get({ signal: controller.signal }))).toMatchObject({ name: 'AbortError' });
    }
    const controller = new AbortController();
    const { client, requests } = connect(html(503, ''), { onAttempt: () => controller.abort('enough') });
    const error = await rejection(client.me.get({ signal: controller.signal }));
    expect(error).toMatchObject({ name: 'AbortError', attempts: 1 });
    expect(requests).toHaveLength(1);
  });

  const overdue = { name: 'TimeoutError', code: 'deadline', phase: 'pause', attempts: 1 };
  test('is skipped if it would outlast the deadline', async () => {
    const { client, attempts } = connect(refused(503, { 'retry-after': '30' }));
    expect(await rejection(client.me.get({ deadlineMs: 29_999 }))).toMatchObject({
      ...overdue,
      message: 'GET /api/v1/me → deadline: 29999 ms would run out before the next attempt (attempts: 1)',
      cause: { name: 'ApiError', code: 'service_unavailable' },
    });
    expect(attempts.map(({ pauseMs }) => pauseMs)).toEqual([undefined]);
  });

  test('is not followed by an attempt if it ends after the deadline, because the process was busy', async () => {
    const { client, requests } = connect([html(503, ''), json({ id: 1 })]);
    const call = rejection(client.me.get({ deadlineMs: 1_000 }));
    await new Promise((resolve) => setImmediate(resolve));
    jest.advanceTimersByTime(2_000); // in one step: the pause of 250 ms continues only after it
    expect(await call).toMatchObject(overdue);
    expect(requests).toHaveLength(1);
  });
});

describe('the body of a discarded response', () => {
  useFakeTime(0.5);

  const stream = (chunks: number, size: number) => {
    const freed = jest.fn<() => void>();
    const start = (body: ReadableStreamDefaultController) => {
      for (let chunk = 0; chunk < chunks; chunk += 1) body.enqueue(new Uint8Array(size).fill(46));
    };
    return { freed, body: new ReadableStream<Uint8Array>({ start, cancel: freed }) };
  };

  test.each([
    ['is read up to 64 KiB, and the rest is freed', 100, 16_384, 503, 'unexpected_response'],
    ['is freed at the end of the attempt if it stalls', 1, 10, 503, 'timeout'],
    ['is freed at the end of the attempt if fetch ignores the signal', 1, 10, 200, 'timeout'],
  ])('%s', async (_what, chunks, size, status, outcome) => {
    const { freed, body } = stream(chunks, size);
    const { client, attempts } = connect([() => new Response(body, { status }), json({ id: 1 })]);
    expect(await settled(client.me.get({ timeoutMs: 1_000 }))).toEqual({ id: 1 });
    expect(attempts).toMatchObject([{ outcome, status }, { outcome: 'ok' }]);
    expect(freed).toHaveBeenCalledTimes(1);
  });

  test('is freed if it arrives too late, and does not affect the next attempt', async () => {
    const { freed, body } = stream(1, 10);
    const slow = [later(1_400, () => new Response(body)), later(900, () => json({ id: 1 }))];
    const { client, attempts } = connect(slow);
    expect(await settled(client.me.get({ timeoutMs: 1_000 }))).toEqual({ id: 1 });
    expect(attempts).toMatchObject([
      { outcome: 'timeout', status: undefined },
      { outcome: 'ok', status: 200 },
    ]);
    expect(freed).toHaveBeenCalledTimes(1);
  });
});

describe('the limits', () => {
  useFakeTime(0.5);

  const values = Array.from({ length: 5_000 }, (_, index) => ({ field_key: `key_${index}`, value: 1 }));

  test.each<[string, (client: Client) => ApiPromise<unknown>, number]>([
    ['products.ensure', (client) => client.products.ensure({ name: 'x', slug: 'x' }, { deadlineMs: 1_000 }), 2],
    ['passports.put in five parts', (client) => client.passports.put('x', values, { deadlineMs: 2_000 }), 4],
  ])('%s is one call with one deadline', async (_name, call, sent) => {
    const respond = (method: string) => (method === 'GET' ? refusal(404, 'not_found') : json({}));
    const { client, requests } = connect(({ method }) => later(600, () => respond(method))());
    const began = Date.now();
    expect(await settled(rejection(call(client)))).toMatchObject({ name: 'TimeoutError', code: 'deadline' });
    expect(Date.now() - began).toBeLessThanOrEqual(sent * 600);
    expect(requests).toHaveLength(sent);
    await jest.advanceTimersByTimeAsync(600); // for the response that the call no longer waits for
  });

  test.each([
    ['before the response', never, 'headers'],
    ['within the body', () => new Response(new ReadableStream()), 'body'],
    ['within the body of an error', () => new Response(new ReadableStream(), { status: 502 }), 'body'],
  ])('end an attempt and a call %s', async (_name, response, phase) => {
    const { client, attempts } = connect(response);
    const attempt = rejection(client.me.get({ timeoutMs: 1_000, maxAttempts: 2 }));
    expect(await settled(attempt)).toMatchObject({ name: 'TimeoutError', code: 'timeout', phase, attempts: 2 });
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['timeout', 'timeout']);
    const start = performance.now();
    const late = { name: 'TimeoutError', code: 'deadline', phase, attempts: 2, cause: { code: 'timeout' } };
    expect(await settled(rejection(client.me.get({ timeoutMs: 1_000, deadlineMs: 1_600 })))).toMatchObject(late);
    expect(performance.now() - start).toBeLessThan(1_620);
  });

  test('of the client apply if the call sets none', async () => {
    const { client } = connect(never, { timeoutMs: 100, maxAttempts: 1 });
    const options = [{}, { timeoutMs: undefined, maxAttempts: 2 }];
    const failures = await Promise.all(options.map((own) => settled(rejection(client.me.get(own)))));
    expect(failures).toMatchObject([1, 2].map((attempts) => ({ code: 'timeout', attempts })));
  });

  test('may be Infinity, which needs no timer', async () => {
    const { client } = connect(never);
    const controller = new AbortController();
    const call = rejection(client.me.get({ timeoutMs: Infinity, deadlineMs: Infinity, signal: controller.signal }));
    expect(jest.getTimerCount()).toBe(0);
    await jest.advanceTimersByTimeAsync(1e9);
    controller.abort();
    expect(await call).toMatchObject({ name: 'AbortError', phase: 'headers', attempts: 1 });
  });

  const defaults = { timeoutMs: 30_000, deadlineMs: 120_000, maxWaitMs: 300_000, maxAttempts: 3, maxInFlight: 16 };
  test.each(Object.entries(defaults))(
    '%s is %d by default, and 1 to 2,147,483,647 are allowed',
    async (name, usual) => {
      const limit = name as keyof typeof defaults;
      expect(limits()[limit]).toBe(usual);
      for (const value of [1, 2_147_483_647, Infinity]) expect(limits({ [limit]: value })[limit]).toBe(value);
      const message = `${limit} must be a whole number from 1 to 2147483647, or Infinity`;
      const { client, requests } = connect(json({}));
      for (const value of [0, -1, 1.5, Number.NaN, 2 ** 31, '5', {}]) {
        const wrong = { [limit]: value } as RequestOptions;
        const refusal = { name: 'ArgumentError', argument: limit, message };
        expect(() => connect([], wrong)).toThrow(expect.objectContaining(refusal));
        // The client alone has this limit.
        if (limit !== 'maxInFlight') expect(await rejection(client.me.get(wrong))).toMatchObject(refusal);
      }
      expect(requests).toEqual([]);
    },
  );
});

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
  const call = rejection(connectOnce(response).client.me.get({ signal: controller.signal }));
  const reason = new Error('The user went away.');
  setTimeout(() => controller.abort(reason), 10);
  const error = await call;
  const message = `GET /api/v1/me → aborted ${during} (attempts: 1)`;
  expect(error).toMatchObject({ name: 'AbortError', code: 'aborted', operation: 'getMe', phase, message });
  expect((error as Error).cause).toBe(reason);
});

test('a call with a fired signal sends nothing, and one that is not an AbortSignal is an argument error', async () => {
  const { client, requests } = connectOnce(json({}));
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
  const { client } = connectOnce(responses);
  for (const _ of responses) await client.me.get({ signal }).result();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  const { site, requests } = connectOnce(responses);
  for (const _ of responses) await site.passports.document('t', 'p', {}, { signal }).result();
  // The runtime keeps its own listener for every Request, until a garbage collection.
  expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(requests.length);
});
