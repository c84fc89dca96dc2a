import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type ApiPromise, type Attempt, type Client, createClient, type RequestOptions } from '../../sdk/src/index.ts';
import { limits } from '../../sdk/src/limits.ts';
import { createPublicClient, type PublicClient, type PublicRequestOptions } from '../../sdk/src/public.ts';
import { apiKey, baseUrl, fakeFetch, html, json, refusal, siteUrl } from '../support/fake-fetch.ts';
import { rejection } from '../support/thrown.ts';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** Runs a call through all its pauses. */
async function settled<T>(call: PromiseLike<T>, step = 10): Promise<T> {
  let open = true;
  const end = () => {
    open = false;
  };
  call.then(end, end);
  while (open) {
    await new Promise((resolve) => setImmediate(resolve));
    if (open) await jest.advanceTimersByTimeAsync(step);
  }
  return call;
}

const calls: Record<'GET' | 'PUT' | 'POST', (client: Client, options?: RequestOptions) => ApiPromise<unknown>> = {
  GET: (client, options) => client.products.get('x', options),
  PUT: (client, options) => client.passports.put('x', [{ field_key: 'cable_length', value: 2 }], options),
  POST: (client, options) => client.products.create({ name: 'x' }, options),
};
type Method = keyof typeof calls;

/** A client with these responses, and the attempts that its hook received. */
function connect(...responses: Parameters<typeof fakeFetch>) {
  const reported: Attempt[] = [];
  const { fetch, requests } = fakeFetch(...responses);
  const onAttempt = (attempt: Attempt) => reported.push(attempt);
  return { client: createClient({ baseUrl, apiKey, fetch, onAttempt }), reported, requests };
}

const never = () => new Promise<Response>(() => {});
const cut = () => new Response(new ReadableStream({ pull: (body) => body.error(new TypeError('terminated')) }));
const faults = { lost: new TypeError('fetch failed'), cut, 'too slow': never } as const;

describe('a retry', () => {
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
    await fc.assert(
      fc.asyncProperty(
        methods,
        failures,
        bodies,
        fc.integer({ min: 1, max: 4 }),
        async (method, failure, body, most) => {
          const failed = typeof failure === 'string' ? faults[failure] : body(failure);
          const { client, requests, reported } = connect(failed);
          const isValue =
            typeof failure === 'number' &&
            failure < 300 &&
            body(failure).headers.get('content-type') === 'application/json';
          const outcome = await settled(
            calls[method](client, { maxAttempts: most, timeoutMs: 50, maxWaitMs: 1 }).result(),
          );
          expect(outcome.ok).toBe(isValue);
          // A refusal is no attempt, and here its first pause is too long. `limiter.test.ts` has its repeats.
          const expected = !isValue && failure !== 429 && repeats(method, failure) ? most : 1;
          expect(requests).toHaveLength(expected);
          expect(reported.map(({ attempts, pauseMs }) => [attempts, pauseMs !== undefined])).toEqual(
            Array.from({ length: expected }, (_, index) => [index + 1, index + 1 < expected]),
          );
          if (!outcome.ok) expect(outcome.error).toHaveProperty('attempts', expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('sends the same request as the first attempt, even if the program changes its input meanwhile', async () => {
    const { client, requests } = connect(html(503, ''), json({ updated: 1, completeness: 0 }));
    const values = [{ field_key: 'cable_length', value: 2 }];
    const call = client.passports.put('x', values);
    values.push({ field_key: 'later', value: 3 });
    await settled(call);
    expect(await Promise.all(requests.map((request) => request.json()))).toEqual(
      Array(2).fill([{ field_key: 'cable_length', value: 2 }]),
    );

    const busy = connect(refusal(429, 'rate_limited'), json({ id: 1 }));
    const product = { name: 'Kabel' };
    const creation = busy.client.products.create(product);
    product.name = 'Later';
    await settled(creation);
    expect(await Promise.all(busy.requests.map((request) => request.json()))).toEqual(Array(2).fill({ name: 'Kabel' }));
  });
});

describe('the hook', () => {
  test('receives every attempt, without the key', async () => {
    const { client, reported } = connect(
      new TypeError('fetch failed'),
      refusal(503, 'service_unavailable'),
      json({ id: 1 }),
    );
    expect(await settled(client.products.get('x'))).toEqual({ id: 1 });
    const call = {
      operation: 'getProduct',
      method: 'GET',
      path: '/api/v1/products/x',
      host: 'passport.example.com',
      requestId: undefined,
      durationMs: expect.any(Number),
    };
    expect(reported).toEqual([
      { ...call, attempts: 1, outcome: 'network_error', status: undefined, pauseMs: 250 },
      { ...call, attempts: 2, outcome: 'service_unavailable', status: 503, pauseMs: 500 },
      { ...call, attempts: 3, outcome: 'ok', status: 200, pauseMs: undefined },
    ]);
    expect(JSON.stringify(reported)).not.toContain(apiKey);
  });

  test('that throws does not fail the call, and its error is printed', async () => {
    const printed = jest.spyOn(console, 'error').mockReturnValue();
    const fault = new Error('metrics are down');
    const { fetch } = fakeFetch(json({ id: 1 }));
    const thrower = () => {
      throw fault;
    };
    for (const onAttempt of [() => Promise.reject(fault), thrower]) {
      expect(await createClient({ baseUrl, apiKey, fetch, onAttempt }).me.get()).toEqual({ id: 1 });
    }
    await jest.advanceTimersByTimeAsync(0);
    expect(printed.mock.calls).toEqual([[fault], [fault]]);
  });

  test('is not called if nothing was sent', async () => {
    const { client, reported } = connect(json({}));
    await rejection(client.products.get('..'));
    await rejection(client.products.get('x', { signal: AbortSignal.abort() }));
    expect(reported).toEqual([]);
  });
});

describe('the pause', () => {
  const pauses = async (...responses: Parameters<typeof fakeFetch>) => {
    const { client, reported } = connect(...responses);
    await settled(client.me.get({ maxAttempts: 8, deadlineMs: Infinity, maxWaitMs: Infinity }).result());
    return reported.map(({ pauseMs }) => pauseMs);
  };

  test('grows up to 8 s', async () => {
    expect(await pauses(html(502, ''))).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000, undefined]);
  });

  test('is random up to that, so that clients do not retry at the same moment', async () => {
    const random = jest.mocked(Math.random);
    for (const part of [0, 0.001, 0.999]) {
      random.mockReturnValue(part);
      expect((await pauses(html(502, ''), json({})))[0]).toBe(500 * part);
    }
  });

  const now = Date.parse('2026-06-01T12:00:00Z');
  test.each([
    ['seconds', '7', 7_250],
    ['zero', '0', 250],
    ['a date', 'Mon, 01 Jun 2026 12:00:09 GMT', 9_250],
    ['a date that has passed', 'Mon, 01 Jun 2026 11:00:00 GMT', 250],
    ['ten minutes', '600', 600_250],
    ['a date in half an hour', 'Mon, 01 Jun 2026 12:30:00 GMT', 1_800_250],
    ['a day', '86400', 3_600_250],
    ['a date next year', 'Tue, 01 Jun 2027 12:00:00 GMT', 3_600_250],
    ['an infinite number of seconds', '9'.repeat(400), 3_600_250],
    ['a negative number', '-5', 250],
    ['a fraction', '1.5', 250],
    ['nonsense', 'soon', 250],
    ['nothing', '', 250],
    ['white space around it', ' 3 ', 3_250],
    ['two of them', '3, 3', 3_250],
  ])('after a 429 with Retry-After %s (%j) is %i ms', async (_name, header, expected) => {
    jest.setSystemTime(now);
    const refused = json(
      { error: { code: 'rate_limited', message: '' } },
      { status: 429, headers: { 'retry-after': header } },
    );
    expect((await pauses(refused, json({})))[0]).toBe(expected);
  });

  test('is at most a minute longer after another failure', async () => {
    const down = html(503, '');
    down.headers.set('retry-after', '3600');
    expect((await pauses(down, json({})))[0]).toBe(60_250);
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

  test('does not begin when the signal fires at any step before it', async () => {
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
  });

  test('does not begin when the hook fires the signal', async () => {
    const controller = new AbortController();
    const { fetch, requests } = fakeFetch(html(503, ''));
    const client = createClient({ baseUrl, apiKey, fetch, onAttempt: () => controller.abort('enough') });
    expect(await rejection(client.me.get({ signal: controller.signal }))).toMatchObject({
      name: 'AbortError',
      attempts: 1,
    });
    expect(requests).toHaveLength(1);
  });

  test('is skipped if it would outlast the deadline', async () => {
    const busy = json(
      { error: { code: 'service_unavailable', message: '' } },
      { status: 503, headers: { 'retry-after': '30' } },
    );
    const { client, reported } = connect(busy);
    expect(await rejection(client.me.get({ deadlineMs: 29_999 }))).toMatchObject({
      name: 'TimeoutError',
      code: 'deadline',
      phase: 'pause',
      attempts: 1,
      message: 'GET /api/v1/me → deadline: 29999 ms would run out before the next attempt (attempts: 1)',
      cause: { name: 'ApiError', code: 'service_unavailable' },
    });
    expect(reported.map(({ pauseMs }) => pauseMs)).toEqual([undefined]);
  });

  test('is not followed by an attempt if it ends after the deadline, because the process was busy', async () => {
    const { client, requests } = connect(html(503, ''), json({ id: 1 }));
    const call = rejection(client.me.get({ deadlineMs: 1_000 }));
    await new Promise((resolve) => setImmediate(resolve));
    jest.advanceTimersByTime(2_000); // in one step: the pause of 250 ms continues only after it
    expect(await call).toMatchObject({ name: 'TimeoutError', code: 'deadline', phase: 'pause', attempts: 1 });
    expect(requests).toHaveLength(1);
  });
});

test('a part that is due after the deadline is not sent', async () => {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  const { client, requests } = connect(() => {
    clock.mockReturnValue(1_000);
    return json({ updated: 1_000, completeness: 1 });
  });
  const values = Array.from({ length: 1_500 }, (_, index) => ({ field_key: `key_${index}`, value: 1 }));
  expect(await rejection(client.passports.put('x', values, { deadlineMs: 1_000 }))).toMatchObject({
    name: 'TimeoutError',
    code: 'deadline',
    attempts: 0,
    applied: 1_000,
  });
  expect(requests).toHaveLength(1);
});

describe('the body of a discarded response', () => {
  const stream = (start: (body: ReadableStreamDefaultController<Uint8Array>) => void) => {
    const freed = jest.fn<() => void>();
    return { freed, body: new ReadableStream<Uint8Array>({ start, cancel: freed }) };
  };

  test('is read up to 64 KiB, and the rest is freed', async () => {
    const { freed, body } = stream((controller) => {
      for (let chunk = 0; chunk < 100; chunk += 1) controller.enqueue(new Uint8Array(16_384).fill(46));
    });
    const { client } = connect(() => new Response(body, { status: 503 }), json({ id: 1 }));
    expect(await settled(client.me.get())).toEqual({ id: 1 });
    expect(freed).toHaveBeenCalledTimes(1);
  });

  test('is freed at the end of the attempt if it stalls', async () => {
    const { freed, body } = stream((controller) => controller.enqueue(new Uint8Array(10)));
    const { client, reported } = connect(() => new Response(body, { status: 503 }), json({ id: 1 }));
    expect(await settled(client.me.get({ timeoutMs: 1_000 }))).toEqual({ id: 1 });
    expect(reported).toMatchObject([{ outcome: 'timeout', status: 503 }, { outcome: 'ok' }]);
    expect(freed).toHaveBeenCalledTimes(1);
  });

  test('is freed if fetch ignores the signal', async () => {
    const { freed, body } = stream((controller) => controller.enqueue(new Uint8Array(10)));
    const { client } = connect(() => new Response(body));
    const error = await settled(rejection(client.me.get({ timeoutMs: 1_000, maxAttempts: 1 })));
    expect(error).toMatchObject({ name: 'TimeoutError', phase: 'body' });
    expect(freed).toHaveBeenCalledTimes(1);
  });

  test('of a 200 is no longer than 64 MiB', async () => {
    const chunk = new Uint8Array(1_048_576).fill(32);
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(chunk);
      },
    });
    const { client } = connect(() => new Response(body));
    const error = await rejection(client.me.get({ timeoutMs: Infinity, deadlineMs: Infinity }));
    expect(error).toMatchObject({ name: 'UnexpectedResponseError', status: 200, attempts: 1 });
    expect(pulled).toBeLessThan(70);
  });

  test('is freed if it arrives too late, and does not affect the next attempt', async () => {
    const { freed, body } = stream((controller) => controller.enqueue(new Uint8Array(10)));
    const late = () => new Promise<Response>((resolve) => setTimeout(() => resolve(new Response(body)), 1_400));
    const slow = () => new Promise<Response>((resolve) => setTimeout(() => resolve(json({ id: 1 })), 900));
    const { client, reported } = connect(late, slow);
    expect(await settled(client.me.get({ timeoutMs: 1_000 }))).toEqual({ id: 1 });
    expect(reported).toMatchObject([
      { outcome: 'timeout', status: undefined },
      { outcome: 'ok', status: 200 },
    ]);
    expect(freed).toHaveBeenCalledTimes(1);
  });
});

describe('the limits', () => {
  const slow = (response: () => Response) => () =>
    new Promise<Response>((resolve) => setTimeout(() => resolve(response()), 600));
  const values = Array.from({ length: 5_000 }, (_, index) => ({ field_key: `key_${index}`, value: 1 }));

  test.each<[string, (client: Client) => ApiPromise<unknown>, number]>([
    ['products.ensure', (client) => client.products.ensure({ name: 'x', slug: 'x' }, { deadlineMs: 1_000 }), 2],
    ['passports.put in five parts', (client) => client.passports.put('x', values, { deadlineMs: 2_000 }), 4],
  ])('%s is one call with one deadline', async (_name, call, sent) => {
    const absent = slow(() => refusal(404, 'not_found'));
    const { client, requests } = connect((request) => (request.method === 'GET' ? absent() : slow(() => json({}))()));
    const began = Date.now();
    const error = await settled(rejection(call(client)));
    expect(error).toMatchObject({ name: 'TimeoutError', code: 'deadline' });
    expect(Date.now() - began).toBeLessThanOrEqual(sent * 600);
    expect(requests).toHaveLength(sent);
    await jest.advanceTimersByTimeAsync(600); // for the response that the call no longer waits for
  });

  test.each([
    ['before the response', never, 'headers'],
    ['within the body', () => new Response(new ReadableStream()), 'body'],
    ['within the body of an error', () => new Response(new ReadableStream(), { status: 502 }), 'body'],
  ])('end an attempt and a call %s', async (_name, response, phase) => {
    const { client, reported } = connect(response);
    const attempt = rejection(client.me.get({ timeoutMs: 1_000, maxAttempts: 2 }));
    expect(await settled(attempt)).toMatchObject({ name: 'TimeoutError', code: 'timeout', phase, attempts: 2 });
    expect(reported.map(({ outcome }) => outcome)).toEqual(['timeout', 'timeout']);
    const start = performance.now();
    expect(await settled(rejection(client.me.get({ timeoutMs: 1_000, deadlineMs: 1_600 })))).toMatchObject({
      name: 'TimeoutError',
      code: 'deadline',
      phase,
      attempts: 2,
      cause: { code: 'timeout' },
    });
    expect(performance.now() - start).toBeLessThan(1_620);
  });

  test('of the client apply if the call sets none', async () => {
    const { fetch } = fakeFetch(never);
    const client = createClient({ baseUrl, apiKey, fetch, timeoutMs: 100, maxAttempts: 1 });
    expect(await settled(rejection(client.me.get()))).toMatchObject({ code: 'timeout', attempts: 1 });
    expect(await settled(rejection(client.me.get({ timeoutMs: undefined, maxAttempts: 2 })))).toMatchObject({
      attempts: 2,
    });
  });

  test('default to 30 s, 120 s and 3 attempts', async () => {
    const { client } = connect(never);
    const start = performance.now();
    expect(await settled(rejection(client.me.get()), 1_000)).toMatchObject({ code: 'timeout', attempts: 3 });
    expect(performance.now() - start).toBeGreaterThan(90_000);
    expect(await settled(rejection(client.me.get({ maxAttempts: 9 })), 1_000)).toMatchObject({ code: 'deadline' });
  });

  test.each([
    ['timeoutMs', 30_000],
    ['deadlineMs', 120_000],
    ['maxWaitMs', 300_000],
    ['maxAttempts', 3],
    ['maxInFlight', 16],
  ] as const)('%s is %d by default, and 1 to 2,147,483,647 are allowed', (name, usual) => {
    expect(limits()[name]).toBe(usual);
    for (const value of [1, 2_147_483_647, Infinity]) expect(limits({ [name]: value })[name]).toBe(value);
    expect(() => limits({ [name]: 2_147_483_648 })).toThrow('must be a whole number from 1 to 2147483647, or Infinity');
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

  test.each([0, -1, 1.5, Number.NaN, 2 ** 31, '5', {}])('reject %p', async (value) => {
    const { client, requests } = connect(json({}));
    for (const name of ['timeoutMs', 'deadlineMs', 'maxAttempts']) {
      const wrong = { [name]: value } as RequestOptions;
      expect(() => createClient({ baseUrl, apiKey, ...wrong })).toThrow(expect.objectContaining({ argument: name }));
      expect(await rejection(client.me.get(wrong))).toMatchObject({ name: 'ArgumentError', argument: name });
    }
    expect(requests).toEqual([]);
  });
});

describe('the public client', () => {
  const document = { hasDigitalProductPassport: {}, name: 'Kabel' };
  const found: Record<string, Response> = {
    page: html(200, '<title>Kabel</title>'),
    document: json(document),
    resolve: new Response(JSON.stringify(document), { headers: { 'content-type': 'application/ld+json' } }),
  };
  const ask: Record<
    'page' | 'document' | 'resolve',
    (site: PublicClient, options?: PublicRequestOptions) => ApiPromise<unknown>
  > = {
    page: ({ passports }, options) => passports.page('t', 'p', { zugang: 'a token' }, options),
    document: ({ passports }, options) => passports.document('t', 'p', { zugang: 'a token' }, options),
    resolve: ({ resolve }, options) => resolve('09520001000072', { zugang: 'a token' }, options),
  };
  const busy = () => new Response('', { status: 503, headers: { 'retry-after': '1' } });

  test.each(['page', 'document', 'resolve'] as const)(
    '%s is retried after a 503 and a reset, and its hook has no token',
    async (name) => {
      const reported: Attempt[] = [];
      const { fetch, requests } = fakeFetch(busy, new TypeError('reset'), found[name] ?? new Error());
      const site = createPublicClient({ siteUrl, fetch, onAttempt: (attempt) => reported.push(attempt) });
      const outcome = await settled(ask[name](site).result());
      expect(outcome).toMatchObject({ ok: true });
      expect(requests).toHaveLength(3);
      expect(reported.map(({ outcome, pauseMs }) => [outcome, pauseMs])).toEqual([
        ['unexpected_response', 1_250],
        ['network_error', 500],
        ['ok', undefined],
      ]);
      expect(JSON.stringify(reported)).not.toMatch(/token|zugang/);
      const { status, value } = await ask[name](site).withResponse();
      expect([status, value]).toEqual([200, outcome.ok && outcome.value]);
    },
  );

  test.each(['page', 'document', 'resolve'] as const)(
    '%s ends in time on a silent server, and its result is the error',
    async (name) => {
      const { fetch, requests } = fakeFetch(never);
      const site = createPublicClient({ siteUrl, fetch, timeoutMs: 1_000, maxAttempts: 2 });
      const result = await settled(ask[name](site).result());
      expect(result).toMatchObject({ ok: false, error: { name: 'TimeoutError', code: 'timeout', attempts: 2 } });
      expect(requests).toHaveLength(2);
      const short = await settled(ask[name](site, { deadlineMs: 500 }).result());
      expect(short).toMatchObject({ ok: false, error: { code: 'deadline', attempts: 1 } });
    },
  );

  test('waits for a limit as long as maxWaitMs, and all its calls wait together', async () => {
    const { fetch, requests } = fakeFetch(
      json({ error: { code: 'rate_limited', message: '' } }, { status: 429, headers: { 'retry-after': '9' } }),
      json(document),
    );
    const site = createPublicClient({ siteUrl, fetch, maxInFlight: 1 });
    const calls = ['a', 'b'].map((product) => site.passports.document('t', product));
    expect(await settled(Promise.all(calls))).toEqual([document, document]);
    expect(requests).toHaveLength(3);
    const refused = fakeFetch(() => new Response('', { status: 429, headers: { 'retry-after': '9' } }));
    const hasty = createPublicClient({ siteUrl, fetch: refused.fetch, maxWaitMs: 1_000 });
    expect(await rejection(hasty.passports.document('t', 'a'))).toMatchObject({ status: 429, attempts: 1 });
  });
});
