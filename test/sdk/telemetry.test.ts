/** The start and the end of each attempt, the log, the User-Agent, and a key that is fetched. */
import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Attempt, AttemptStart } from '../../sdk/src/index.ts';
import { logAttempts } from '../../sdk/src/telemetry.ts';
import { apiKey, connect, html, json, refusal } from '../support/fake-fetch.ts';
import { root } from '../support/program.ts';
import { rejection } from '../support/thrown.ts';
import { settled, useFakeTime } from '../support/time.ts';

afterEach(() => {
  jest.restoreAllMocks();
  delete process.env.PRODUCT_PASSPORT_LOG;
});

const found = json({ id: 'x', slug: 'x' }, { headers: { 'x-request-id': 'r-1' } });

test('the function that onAttemptStart returns receives the end of the same attempt', async () => {
  const events: string[] = [];
  const onAttemptStart = ({ host, path, attempts }: AttemptStart) => {
    events.push(`start ${host}${path} ${attempts}`);
    return ({ outcome, durationMs, requestId }: Attempt) =>
      events.push(`end ${attempts} ${outcome} ${requestId} ${durationMs >= 0}`);
  };
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const respond = () => {
    events.push('sent');
    return events.length < 3 ? html(503, '') : found.clone();
  };
  await connect(respond, { maxAttempts: 2, onAttemptStart }).client.products.get('x');
  await new Promise((resolve) => setImmediate(resolve));
  const start = 'start passport.example.com/api/v1/products/x';
  expect(events).toEqual([
    `${start} 1`,
    'sent',
    'end 1 unexpected_response undefined true',
    `${start} 2`,
    'sent',
    'end 2 ok r-1 true',
  ]);
});

test('a signal that the hook fires before an attempt keeps it from being sent', async () => {
  const controller = new AbortController();
  const { client, requests } = connect(found, { onAttemptStart: () => void controller.abort('enough') });
  const error = await rejection(client.me.get({ signal: controller.signal }));
  expect(error).toMatchObject({ name: 'AbortError', attempts: 0, cause: 'enough' });
  expect(requests).toHaveLength(0);
});

test('the 404 that ensure expects is not a failure; any other 404 is', async () => {
  const { client, attempts } = connect([refusal(404, 'not_found'), found, refusal(404, 'not_found')]);
  expect(await client.products.ensure({ slug: 'x', name: 'X' })).toMatchObject({ created: true });
  await rejection(client.products.get('y'));
  expect(attempts.map(({ outcome, status }) => `${outcome} ${status}`)).toEqual(['ok 404', 'ok 200', 'not_found 404']);
});

describe('logAttempts', () => {
  const run = async (onAttempt: (attempt: Attempt) => void) => {
    const { client } = connect([found, refusal(404, 'not_found')], { onAttempt });
    await client.products.get('x');
    await rejection(client.products.get('y'));
  };

  test('writes a line for each attempt to a logger', async () => {
    const lines: string[] = [];
    const write = (level: string) => (line: string) => lines.push(`${level} ${line.replace(/\d+ ms/, '1 ms')}`);
    const onAttempt = logAttempts({ info: write('info'), warn: write('warn') });
    await run(onAttempt);
    jest.spyOn(Math, 'random').mockReturnValue(0.01);
    await connect([html(503, ''), found], { maxAttempts: 2, onAttempt }).client.me.get();
    expect(lines).toEqual([
      'info GET passport.example.com/api/v1/products/x → 200 ok, 1 ms (attempt 1, request r-1)',
      'warn GET passport.example.com/api/v1/products/y → 404 not_found, 1 ms (attempt 1)',
      'warn GET passport.example.com/api/v1/me → 503 unexpected_response, 1 ms (attempt 1, again in 0.0 s)',
      'info GET passport.example.com/api/v1/me → 200 ok, 1 ms (attempt 2, request r-1)',
    ]);
    expect(lines.join()).not.toContain(apiKey);
  });

  test.each([
    ['', 0, 0],
    ['off', 0, 0],
    ['warn', 0, 1],
    ['info', 1, 1],
  ])('follows PRODUCT_PASSPORT_LOG=%s without a logger', async (level, infos, warnings) => {
    const info = jest.spyOn(console, 'info').mockReturnValue();
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    process.env.PRODUCT_PASSPORT_LOG = level;
    await run(logAttempts());
    expect([info.mock.calls.length, warn.mock.calls.length]).toEqual([infos, warnings]);
  });
});

describe('without a logger', () => {
  useFakeTime();

  test.each([
    [undefined, 2],
    ['off', 0],
  ])('a wait is printed once for all calls that wait together: PRODUCT_PASSPORT_LOG=%s', async (level, waits) => {
    if (level) process.env.PRODUCT_PASSPORT_LOG = level;
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    const refused = { error: { code: 'rate_limited', message: 'Slow down.' } };
    const busy = json(refused, { status: 429, headers: { 'retry-after': '7' } });
    // All three are refused, and the first again after the pause.
    const { client } = connect([busy, busy, busy, busy, found], { maxAttempts: 3, onAttempt: logAttempts() });
    await settled(Promise.all(['a', 'b', 'c'].map((slug) => client.products.get(slug))), 100);
    expect(warn.mock.calls.flat()).toEqual(
      Array(waits).fill(expect.stringMatching(/ → 429 rate_limited, .*again in \d+\.\d s\)$/)),
    );
  });
});

test('User-Agent has the name and the version of the package', async () => {
  const { client, requests } = connect(json({ id: 1 }));
  await client.me.get();
  const { version } = JSON.parse(await readFile(`${root}/sdk/package.json`, 'utf8'));
  expect(requests[0]?.headers.get('user-agent')).toBe(`product-passport-sdk/${version}`);
});

describe('a key as a function', () => {
  test('runs once for each attempt', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    let keys = 0;
    const rotating = { apiKey: async () => `key-${++keys}`, maxAttempts: 2 };
    const { client, requests } = connect([html(503, ''), json({ id: 1 })], rotating);
    await client.me.get();
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer key-1', 'Bearer key-2']);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('the vault is closed')), 'apiKey could not be read'],
    ['returns an unusable key', () => 'a b', 'apiKey must be a bearer token'],
  ])('that %s rejects the call without a request', async (_name, key, message) => {
    const { client, requests } = connect(json({ id: 1 }), { apiKey: key });
    const error = await rejection(client.me.get());
    expect(error).toMatchObject({ name: 'ArgumentError', message: expect.stringContaining(message) });
    expect(requests).toEqual([]);
  });

  test('that never resolves ends with the time limit, and no request follows', async () => {
    const late = Promise.withResolvers<string>();
    const { client, requests } = connect(json({ id: 1 }), { apiKey: () => late.promise, timeoutMs: 30 });
    expect(await rejection(client.me.get())).toMatchObject({ name: 'TimeoutError', code: 'timeout' });
    late.resolve(apiKey);
    await new Promise((resolve) => setImmediate(resolve));
    expect(requests).toEqual([]);
  });
});
