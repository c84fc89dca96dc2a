import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { requestLog } from '../../../server/src/http/request-log.ts';
import { createLog, SummedWarning } from '../../../server/src/log/log.ts';
import { type Call, type Client, useService } from '../../support/service.ts';
import { exchange } from '../../support/wire.ts';

test('the log has the type, message, stack and code of an error, and none of its other properties', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const secret = new Error('geheim');
  const error = Object.assign(new RangeError('out', { cause: secret }), {
    code: 'OUT',
    bindings: ['geheim'],
    connection: { password: 'geheim' },
    errors: [secret],
  });
  log.error({ err: error }, 'failed');
  log.error({ err: 'geheim' }, 'failed');
  log.error(error);
  const err = { type: 'RangeError', message: 'out', stack: error.stack, code: 'OUT' };
  expect(lines.map((line) => JSON.parse(line).err)).toEqual([err, { type: 'string' }, err]);
});

test('the log has no stack of a failure of the database, which would be that of a library', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  log.error({ err: Object.assign(new Error('too many clients'), { code: '53300' }) }, 'failed');
  expect(JSON.parse(lines.join('')).err).toEqual({ type: 'Error', message: 'too many clients', code: '53300' });
});

test('summed warnings are logged at most once a minute, in one line with their number', () => {
  jest.useFakeTimers();
  try {
    const logged: number[] = [];
    const losses = new SummedWarning(60_000, (count) => void logged.push(count));
    const full = new Error('full');
    losses.add(2, full);
    for (let second = 0; second < 59; second += 1) {
      losses.add(1, full);
      jest.advanceTimersByTime(1000);
    }
    expect(logged).toEqual([2]);
    jest.advanceTimersByTime(1000);
    expect(logged).toEqual([2, 59]);
    losses.add(3, full);
    jest.advanceTimersByTime(59_999);
    expect(logged).toEqual([2, 59]);
    // Silence after the last loss starts over.
    jest.advanceTimersByTime(600_001);
    losses.add(4, full);
    losses.add(5, full);
    expect(logged).toEqual([2, 59, 3, 4]);
    losses.flush();
    losses.add(6, full);
    expect(logged).toEqual([2, 59, 3, 4, 5, 6]);
  } finally {
    jest.useRealTimers();
  }
});

describe('the line of a request', () => {
  interface Line {
    level: number;
    msg: string;
    [field: string]: unknown;
  }

  const service = useService('SQLite', { logLevel: 'debug', trustProxy: 1 });
  let client: Client;
  beforeAll(async () => {
    client = await service.newTenant({ slug: 'laden' });
    await client.create({ name: 'Tasse', gtin: '9520001000010' });
    await service.activate(client, 'tasse');
  });
  afterEach(() => {
    service.logLines.splice(0);
  });

  const lines = (): Line[] => service.logLines.map((line) => JSON.parse(line));

  test.each([
    ['a value', { path: '/api/v1/me' }, { operation: 'getMe', method: 'get', status: 200, tenant: 'laden' }],
    [
      'a failed validation',
      { method: 'POST', path: '/api/v1/products', body: {} },
      { operation: 'createProduct', method: 'post', status: 400, code: 'name_required', tenant: 'laden' },
    ],
    ['a missing key', { path: '/api/v1/me', key: null }, { operation: 'getMe', status: 401, code: 'invalid_api_key' }],
    ['the page', { path: '/p/laden/tasse' }, { operation: 'getPassportPage', status: 200, tenant: 'laden' }],
    ['a link', { path: '/01/9520001000010' }, { status: 307 }],
    ['an unknown path', { path: '/none' }, { status: 404, code: 'not_found' }],
    [
      'another method',
      { method: 'DELETE', path: '/api/v1/me' },
      { status: 405, code: 'method_not_allowed', tenant: 'laden' },
    ],
  ] as [string, Call, object][])('the line of %s', async (_, call, fields) => {
    service.logLines.splice(0);
    await client.call({ ...call, headers: { 'x-request-id': 'mine-7' } });
    const [line, ...more] = lines();
    expect(more).toEqual([]);
    expect(line).toMatchObject({ level: 30, msg: 'request', request_id: 'mine-7', ...fields });
    const allowed = [
      'level',
      'time',
      'msg',
      'request_id',
      'operation',
      'method',
      'status',
      'code',
      'tenant',
      'duration_ms',
    ];
    expect(Object.keys(line ?? {}).filter((name) => !allowed.includes(name))).toEqual([]);
    expect(line?.duration_ms).toBeGreaterThan(0);
    if (!('tenant' in fields)) expect(line).not.toHaveProperty('tenant');
  });

  test('bytes that Node refuses have a line too', async () => {
    const { headers } = await exchange(service.port, `GET / HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`);
    expect(lines()).toEqual([
      expect.objectContaining({ request_id: headers['x-request-id'], status: 431, code: 'headers_too_large' }),
    ]);
  });

  test('a key, a token, a client address, a query value and a serial number are in no line', async () => {
    const key = client.key;
    const token = 'eyJjYW5hcnkiOjF9.canary-token.canary';
    const canary = 'canary-text';
    const address = '203.0.113.77';
    const from = { 'x-forwarded-for': address };
    const calls: Call[] = [
      { path: `/api/v1/products?search=${canary}&limit=5` },
      { path: `/api/v1/products/${canary}` },
      { path: `/api/v1/${canary}` },
      { path: `/p/laden/tasse?zugang=${token}` },
      { path: `/p/laden/tasse/jsonld?zugang=${token}&x=${canary}` },
      { path: `/p/${canary}/${key}` },
      { path: `/p/${key}/tasse` },
      { path: `/01/9520001000010/21/${canary}?zugang=${token}` },
      { path: `/01/${canary}` },
      { path: `/${key}/${token}` },
      { method: 'POST', path: '/api/v1/products', body: { name: canary, gtin: canary, product_group: canary } },
      { path: '/api/v1/me', key: `ppk_${canary}` },
      { path: '/api/v1/me', headers: { 'x-request-id': key, cookie: canary, referer: canary, 'user-agent': canary } },
      { path: '/p/laden/tasse', headers: { 'x-request-id': token } },
    ];
    for (const call of calls) await client.call({ ...call, headers: { ...from, ...call.headers } });
    const head = `GET /${canary} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${canary} broken\r\n\r\n`;
    await exchange(service.port, head);
    // An error inside has a stack, too.
    await service.database.schema.renameTable('products', 'products_away');
    await client.call({ path: `/api/v1/products/${canary}?search=${canary}`, headers: from });
    await service.database.schema.renameTable('products_away', 'products');
    const text = service.logLines.join('');
    expect(lines().filter(({ msg }) => msg === 'request')).toHaveLength(calls.length + 2);
    expect(text).toContain('request failed');
    for (const secret of [key, key.slice(4), token, 'canary', address, '127.0.0.1']) expect(text).not.toContain(secret);
  });

  describe('--log-public-sample', () => {
    test.each([
      ['no successful request', 0, { isPublic: true, status: 200 }, 0, 0],
      ['each of them', 1, { isPublic: true, status: 200 }, 2000, 2000],
      ['one of ten', 0.1, { isPublic: true, status: 307 }, 101, 319],
      ['each with an error of the client', 0, { isPublic: true, status: 404 }, 2000, 2000],
      ['each with an error of the server', 0, { isPublic: true, status: 503 }, 2000, 2000],
      ['each with a key', 0, { isPublic: false, status: 200 }, 2000, 2000],
    ])('logs %s at %d', (_which, sample, request, min, max) => {
      const written: string[] = [];
      const log = requestLog(createLog('info', { write: (line) => void written.push(line) }), sample);
      for (let count = 0; count < 2000; count += 1) log({ requestId: 'x', method: 'get', duration: 1, ...request });
      expect(written.length).toBeGreaterThanOrEqual(min);
      expect(written.length).toBeLessThanOrEqual(max);
    });
  });

  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const page = '/p/laden/tasse';

  const secrets = ['ppk_', 'sandbox_', 'eyJ'].map((beginning) => `${beginning}${'x'.repeat(43)}`);

  test.each([
    ...['a', '7', 'A-z.0_9', '-', '...', 'x'.repeat(128)].map((id) => [id, id] as const),
    ...['', 'a b', 'a,b', 'ä', 'a/b', 'x'.repeat(129), '"a"', '<b>', ...secrets].map((id) => [id, uuid] as const),
  ])('of a request with the id %j the response has %p', async (id, expected) => {
    const { headers } = await client.call({ path: '/api/v1/me', headers: { 'x-request-id': id } });
    if (expected === id) expect(headers['x-request-id']).toBe(id);
    else expect(headers['x-request-id']).toMatch(expected);
  });

  test('two ids in one request are replaced by a new UUID', async () => {
    const head = `GET /01/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: a\r\nX-Request-Id: b\r\n\r\n`;
    expect((await exchange(service.port, head)).headers['x-request-id']).toMatch(uuid);
  });

  describe('a response has the id:', () => {
    const id = { 'x-request-id': 'mine-7' };

    test('304 and the stylesheet have the id', async () => {
      const { headers } = await client.call({ path: page });
      const current = await client.call({ path: page, headers: { ...id, 'if-none-match': headers.etag } });
      expect([current.status, current.headers['x-request-id']]).toEqual([304, 'mine-7']);
      const missing = await client.call({ path: '/p/laden/none' });
      const [, stylesheet] = /href="(\/assets\/[^"]+)"/.exec(missing.text) ?? [];
      const styled = await fetch(`http://127.0.0.1:${service.port}${stylesheet}`, { headers: id });
      expect([styled.status, styled.headers.get('x-request-id')]).toEqual([200, 'mine-7']);
    });

    test('the log has the id of a failed request', async () => {
      await service.database.schema.renameTable('products', 'products_away');
      const failed = await client.call({ path: '/api/v1/products/tasse', headers: id });
      await service.database.schema.renameTable('products_away', 'products');
      expect([failed.status, failed.headers['x-request-id']]).toEqual([500, 'mine-7']);
      expect(lines()).toContainEqual(expect.objectContaining({ msg: 'request failed', request_id: 'mine-7' }));
    });

    test.each([
      [
        'a request without a Host',
        400,
        'GET / HTTP/1.1\r\nX-Request-Id: mine-7\r\nConnection: close\r\n\r\n',
        'mine-7',
      ],
      ['CONNECT', 400, 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine-7\r\n\r\n', 'mine-7'],
      ['bytes that are not HTTP', 400, 'hello\r\n\r\n', uuid],
      ['headers that are too large', 431, `GET / HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, uuid],
    ])('to %s: %i', async (_, status, bytes, expected) => {
      const response = await exchange(service.port, bytes);
      service.judge({}, response);
      expect(response).toMatchObject({ status, headers: { 'x-request-id': expect.stringMatching(expected) } });
    });
  });
});
