/** All calls of a client wait after a 429, and a limited number of requests is in flight. */
import { describe, expect, jest, test } from '@jest/globals';
import { type ClientOptions, createClient, type Fetch } from '../../sdk/src/index.ts';
import { apiKey, baseUrl, fakeFetch, json, refusal } from '../support/fake-fetch.ts';
import { rejection } from '../support/thrown.ts';
import { settled, useFakeTime } from '../support/time.ts';

useFakeTime();

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const busy = (seconds: number) =>
  json(
    { error: { code: 'rate_limited', message: 'Slow down.' } },
    { status: 429, headers: { 'retry-after': `${seconds}` } },
  );

/** A service of products that takes 20 ms for a request. `admit` returns the seconds to wait, or 0. */
function service(admit: () => number) {
  const slugs = new Set<string>();
  const counts = { sent: 0, refused: 0, running: 0, max: 0, created: 0 };
  const fetch: Fetch = async (url, init) => {
    counts.sent += 1;
    counts.running += 1;
    counts.max = Math.max(counts.max, counts.running);
    await wait(20);
    counts.running -= 1;
    const seconds = admit();
    if (seconds > 0) {
      counts.refused += 1;
      return busy(seconds);
    }
    if (init.method === 'POST') {
      const product = JSON.parse(init.body ?? '');
      expect(slugs).not.toContain(product.slug);
      slugs.add(product.slug);
      counts.created += 1;
      return json({ id: product.slug, ...product });
    }
    const slug = url.split('/').at(-1) ?? '';
    return slugs.has(slug) ? json({ id: slug, slug }) : refusal(404, 'not_found');
  };
  return { fetch, counts, slugs };
}

const connect = (fetch: Fetch, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl, apiKey, fetch, ...options });

/** A number of requests in each minute, which begins with the first one: the reference server's rule. */
function perMinute(limit: number): () => number {
  let [began, used] = [-Infinity, 0];
  return () => {
    if (performance.now() - began >= 60_000) [began, used] = [performance.now(), 0];
    used += 1;
    return used > limit ? Math.ceil((began + 60_000 - performance.now()) / 1000) : 0;
  };
}

describe('200 parallel ensure calls', () => {
  test('all succeed under a limit of 60 a minute', async () => {
    const { fetch, counts } = service(perMinute(60));
    const { products } = connect(fetch);
    const calls = Array.from({ length: 200 }, (_, index) =>
      products.ensure({ slug: `p-${index}`, name: 'P' }).result(),
    );
    const began = performance.now();
    const results = await settled(Promise.all(calls), 100);
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(counts.created).toBe(200);
    // The default, neither more nor less.
    expect(counts.max).toBe(16);
    // 400 requests at 60 a minute.
    expect(performance.now() - began).toBeLessThan(430_000);
    expect(counts.refused).toBeLessThan(420);
  });
});

describe('after a 429', () => {
  test('no call of the client sends a request until Retry-After is over, and then one goes first', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const { fetch, requests } = fakeFetch(busy(7), () => wait(1_000).then(() => json({ id: 1 })));
    const client = connect(fetch);
    const calls = Promise.all([client.products.get('a')]);
    await jest.advanceTimersByTimeAsync(10);
    const later = Promise.all(['b', 'c', 'd', 'e'].map((slug) => client.products.get(slug, { deadlineMs: 3_000 })));
    await jest.advanceTimersByTimeAsync(7_200);
    expect(requests).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(100);
    expect(requests.map(({ url }) => url.at(-1))).toEqual(['a', 'a']);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(requests.map(({ url }) => url.at(-1))).toEqual(['a', 'a', 'b']);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(requests.map(({ url }) => url.at(-1))).toEqual(['a', 'a', 'b', 'c', 'd']);
    await settled(Promise.all([calls, later]), 100);
    expect(requests).toHaveLength(6);
  });

  test('the wait counts towards maxWaitMs, and neither towards the deadline nor as an attempt', async () => {
    const { fetch, requests } = fakeFetch(busy(30), busy(30), busy(30), json({ id: 1 }));
    const call = () => connect(fetch).products.create({ name: 'x' }, { deadlineMs: 1_000, maxAttempts: 2 });
    expect(await settled(call(), 500)).toEqual({ id: 1 });
    expect(requests).toHaveLength(4);
  });

  test.each([
    ['a service that refuses for ever', 30, {}, 293_750, 10, 'maxWaitMs above 300000'],
    ['a pause that is longer', 600, {}, 0, 1, 'maxWaitMs above 300000'],
    ['a shorter limit of the call', 30, { maxWaitMs: 40_000 }, 30_250, 2, 'maxWaitMs above 40000'],
    ['a call without retries', 1, { maxAttempts: 1, maxWaitMs: Infinity }, 0, 1, 'maxAttempts above 1'],
  ])('maxWaitMs ends %s with the refusal, which says why', async (_what, seconds, options, afterMs, sent, option) => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const { fetch, requests } = fakeFetch(busy(seconds));
    const began = performance.now();
    const error = await settled(rejection(connect(fetch).me.get(options)), 500);
    const waited = `The call waited ${Math.round(afterMs / 1000)} s. The service asks for a pause of ${seconds} s`;
    const message = `GET /api/v1/me → 429 rate_limited: Slow down. (attempts: ${sent}). ${waited}: set ${option} to allow it`;
    expect(error).toMatchObject({
      name: 'ApiError',
      code: 'rate_limited',
      detail: 'Slow down.',
      attempts: sent,
      message,
    });
    // What `console.error` prints.
    expect((error as Error).stack).toContain(message);
    expect(requests).toHaveLength(sent);
    expect(performance.now() - began).toBeGreaterThanOrEqual(afterMs);
    expect(performance.now() - began).toBeLessThan(afterMs + 60_000);
  });

  test('maxWaitMs ends the calls that wait for the pause of another one at once', async () => {
    const { fetch, requests } = fakeFetch(busy(600));
    const client = connect(fetch, { maxInFlight: 1 });
    const calls = ['a', 'b'].map((slug) => rejection(client.products.get(slug, { maxWaitMs: 1_000 })));
    const [refused, waiting] = await settled(Promise.all(calls), 10);
    expect(refused).toMatchObject({ name: 'ApiError', code: 'rate_limited' });
    expect(waiting).toMatchObject({ name: 'TimeoutError', code: 'wait', phase: 'pause', attempts: 0 });
    expect(await settled(rejection(client.products.get('c', { maxWaitMs: 1_000 })), 10)).toMatchObject({
      code: 'wait',
      message:
        'GET /api/v1/products/c → wait: 1000 ms would run out before the next attempt (attempts: 0). The call waited 0 s. The service asks for a pause of 600 s: set maxWaitMs above 1000 to allow it',
    });
    expect(requests).toHaveLength(1);
  });

  test('without Retry-After, twenty calls that are refused thirty times all succeed', async () => {
    const refusals = Array(30).fill(refusal(429, 'rate_limited'));
    const client = connect(fakeFetch(...refusals, json({ id: 1 })).fetch);
    await settled(Promise.all(Array.from({ length: 20 }, (_, index) => client.products.get(`p-${index}`))), 100);
  });

  test('a signal ends the wait', async () => {
    const { fetch, requests } = fakeFetch(busy(30));
    const client = connect(fetch);
    const controller = new AbortController();
    const refused = rejection(client.me.get({ signal: controller.signal }));
    const waiting = rejection(client.products.get('x', { signal: controller.signal }));
    await jest.advanceTimersByTimeAsync(100);
    controller.abort('enough');
    expect(await refused).toMatchObject({ name: 'AbortError', phase: 'pause', attempts: 1, cause: 'enough' });
    expect(await waiting).toMatchObject({ name: 'AbortError', cause: 'enough' });
    expect(requests.length).toBeLessThanOrEqual(2);
  });
});

describe('maxInFlight', () => {
  test('limits the requests at a time; the others start in the order of their calls', async () => {
    const order: string[] = [];
    const { fetch, counts } = service(() => 0);
    const noted: Fetch = (url, init) => {
      order.push(url.split('/').at(-1) ?? '');
      return fetch(url, init);
    };
    const client = connect(noted, { maxInFlight: 3, deadlineMs: 50 });
    const slugs = Array.from({ length: 20 }, (_, index) => `p-${index}`);
    const calls = Promise.all(slugs.map((slug) => client.products.get(slug).result()));
    const results = await settled(calls, 10);
    expect(results).toEqual(
      slugs.map(() => expect.objectContaining({ error: expect.objectContaining({ code: 'not_found' }) })),
    );
    expect(counts.max).toBe(3);
    expect(order).toEqual(slugs);
  });

  test('does not keep a place for a call that was ended while it waited', async () => {
    const { fetch, counts } = service(() => 0);
    const client = connect(fetch, { maxInFlight: 1 });
    const first = client.products.get('a').result();
    const controller = new AbortController();
    const ended = rejection(client.products.get('b', { signal: controller.signal }));
    const last = client.products.get('c').result();
    controller.abort();
    expect(await ended).toMatchObject({ name: 'AbortError', attempts: 0, phase: 'headers' });
    await settled(Promise.all([first, last]), 10);
    expect(counts.sent).toBe(2);
  });
});
