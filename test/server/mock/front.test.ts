/** The static mock over HTTP: what it adds to Prism. */
import { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createJudge } from '../../../contracts/judge/judge.ts';
import { freePort, type Mock, startMock } from '../../support/program.ts';
import { exchange, type Incoming, type Outgoing, send as sendTo } from '../../support/wire.ts';

const judge = createJudge();
const agent = new Agent({ keepAlive: true });
const key = { authorization: 'Bearer any' };
const json = { ...key, 'content-type': 'application/json' };

let mock: Mock;

beforeAll(async () => {
  mock = await startMock();
});
afterAll(async () => {
  agent.destroy();
  await mock.stop();
});

const send = ({ headers, ...request }: Omit<Outgoing, 'headers'> & { headers?: Outgoing['headers'] }) =>
  sendTo(mock.port, agent, { headers: headers ?? key, ...request });
const get = (path: string, headers?: Outgoing['headers']) => send({ method: 'GET', path, ...(headers && { headers }) });
const post = (body: string | Buffer, headers: Outgoing['headers'] = json) =>
  send({ method: 'POST', path: '/api/v1/products', headers, body: Buffer.from(body) });

/** The status and the code of an error, whose body has nothing else. */
function refusal({ status, headers, text }: Incoming): [number, string] {
  expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  const { error, ...more } = JSON.parse(text);
  expect([more, Object.keys(error)]).toEqual([{}, ['code', 'message']]);
  return [status, error.code];
}

const messageOf = ({ text }: Incoming): string => JSON.parse(text).error.message;

test('a connection stays open after a response', async () => {
  expect((await get('/api/v1/me', key)).headers.connection).toBe('keep-alive');
  expect((await get('/api/v1/me', key)).reusedConnection).toBe(true);
});

test('/healthz needs no key, so that a program can wait for the mock', async () => {
  const { status, headers, text } = await get('/healthz', {});
  expect([status, headers['cache-control'], JSON.parse(text)]).toEqual([200, 'no-store', { status: 'alive' }]);
  expect(await send({ method: 'HEAD', path: '/healthz', headers: {} })).toMatchObject({ status: 200 });
});

describe('a body', () => {
  test.each([
    ['that is not JSON', '{"name":', 400, 'invalid_json'],
    ['that is empty', '', 400, 'invalid_json'],
    ['that is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'invalid_json'],
    ['with a member named __proto__', '{"name":"a","__proto__":{}}', 400, 'invalid_request'],
    ['with a lone surrogate', '{"name":"\\ud800"}', 400, 'invalid_request'],
    ['with a number that a double changes', '{"name":"a","x":9007199254740993}', 400, 'invalid_request'],
    ['without a name', '{}', 400, 'name_required'],
    ['with an unknown group', '{"name":"a","product_group":"none"}', 400, 'unknown_product_group'],
    ['with a short GTIN', '{"name":"a","gtin":"12"}', 400, 'invalid_gtin'],
    ['that is too large', `{"name":"${'a'.repeat(1024 * 1024)}"}`, 413, 'payload_too_large'],
  ])('%s gets the error of the contract', async (_, body, status, code) => {
    const response = await post(body);
    expect(refusal(response)).toEqual([status, code]);
    expect(judge.response({ operationId: 'createProduct', ...response, body: response.text })).toEqual([]);
  });

  test('of another media type gets 415, and an element without a key its own code', async () => {
    expect(refusal(await post('name=a', { ...key, 'content-type': 'text/plain' }))).toEqual([
      415,
      'unsupported_media_type',
    ]);
    const put = { method: 'PUT', path: '/api/v1/products/a/passport', headers: json };
    expect(refusal(await send({ ...put, body: Buffer.from('[{"value":1}]') }))).toEqual([400, 'field_key_required']);
    expect(refusal(await send({ ...put, body: Buffer.from('{}') }))).toEqual([400, 'values_must_be_array']);
  });

  test('that the contract allows gets an example', async () => {
    const { status, text } = await post('{"name":"  a  ","model":null,"unknown":1}');
    expect([status, JSON.parse(text).slug]).toEqual([200, 'usb-c-kabel-240-w-2-m']);
  });

  test('that ends too early leaves the mock working', async () => {
    const head =
      'POST /api/v1/products HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nContent-Type: application/json\r\n';
    expect(await exchange(mock.port, `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`)).toMatchObject({ status: 400 });
    expect(await get('/api/v1/me')).toMatchObject({ status: 200 });
  });
});

describe('the envelope of the contract', () => {
  test('for a request without a key, whatever the path', async () => {
    for (const path of ['/api/v1/me', '/api/v1/unknown']) {
      const response = await get(path, {});
      expect(refusal(response)).toEqual([401, 'invalid_api_key']);
      expect(response.headers['www-authenticate']).toBe('Bearer');
    }
  });

  test.each(['/api/v1/unknown', '/unknown', '/api/v1/products/a/b'])('for the unknown path %s', async (path) => {
    const response = await get(path);
    expect(refusal(response)).toEqual([404, 'not_found']);
    // The mock has no pages.
    expect(JSON.stringify(response)).not.toContain('/docs');
  });

  test.each([
    ['DELETE', '/api/v1/me', 'GET, HEAD'],
    ['PATCH', '/api/v1/products', 'GET, HEAD, POST'],
    ['POST', '/api/v1/products/a/passport', 'GET, HEAD, PUT'],
    ['POST', '/01/09520001000072', 'GET, HEAD, OPTIONS'],
  ])('for %s %s, with Allow', async (method, path, allow) => {
    const response = await send({ method, path });
    expect(refusal(response)).toEqual([405, 'method_not_allowed']);
    expect(response.headers.allow?.split(', ').sort()).toEqual(allow.split(', ').sort());
  });

  test('for bytes that are not HTTP', async () => {
    const { status, text } = await exchange(mock.port, 'nonsense\r\n\r\n');
    expect([status, JSON.parse(text).error.code]).toEqual([400, 'invalid_request']);
  });

  test('Accept never causes a 406', async () => {
    for (const path of ['/api/v1/me', '/p/nordlicht/a', '/p/nordlicht/a/jsonld']) {
      expect(await get(path, { ...key, accept: 'image/png' })).toMatchObject({ status: 200 });
    }
    expect(refusal(await get('/api/v1/unknown', { ...key, accept: 'image/png' }))).toEqual([404, 'not_found']);
  });

  test('HEAD, OPTIONS and a trailing slash work', async () => {
    const head = await send({ method: 'HEAD', path: '/api/v1/me/' });
    expect([head.status, head.text, head.headers['content-type']]).toEqual([
      200,
      '',
      'application/json; charset=utf-8',
    ]);
    const options = await send({ method: 'OPTIONS', path: '/p/nordlicht/a' });
    expect([options.status, options.headers['access-control-allow-origin']]).toEqual([204, '*']);
  });
});

describe('a Digital Link', () => {
  const link = '/01/09520001000072/10/LOT-42/21/SN%2F001';
  const page = () => `${mock.host}/p/nordlicht/usb-c-kabel-240-w-2-m`;

  test('leads to the page of the mock, with its query', async () => {
    const response = await get(`${link}?zugang=abc&linkType=gs1:pip&a=1`, {});
    expect([response.status, response.headers.location]).toEqual([
      307,
      `${page()}?batch=LOT-42&serial=SN%2F001&zugang=abc&a=1`,
    ]);
    expect(response.headers['cache-control']).toBe('private, no-store');
    const operationId = 'resolveGtinBatchSerial';
    expect(judge.response({ operationId, ...response, body: response.text })).toEqual([]);
    expect(await get(new URL(String(response.headers.location)).pathname, {})).toMatchObject({ status: 200 });
  });

  test('leads to the document, or is a linkset, if the request says so', async () => {
    for (const [path, accept] of [
      [`${link}?linkType=gs1:dpp`, '*/*'],
      [link, 'application/ld+json'],
    ] as const) {
      expect((await get(path, { accept })).headers.location).toBe(`${page()}/jsonld`);
    }
    const linkset = await get(`${link}?linkType=linkset`, {});
    expect(linkset.headers['content-type']).toMatch(/^application\/linkset\+json/);
    expect(linkset.text).toContain(`"href":"${page()}"`);
  });

  test('does not repeat the host of the request', async () => {
    const { headers } = await get('/01/09520001000072', { host: 'other.example:8080' });
    expect(headers.location).toBe(page());
    const linkset = await get('/01/09520001000072?linkType=linkset', { host: 'other.example:8080' });
    expect(`${JSON.stringify(linkset.headers)}${linkset.text}`).not.toContain('other.example');
  });

  test('leads to the site of --site-url', async () => {
    const port = await freePort();
    const other = await startMock(`--port ${port} --site-url https://mock.example`);
    const { headers } = await sendTo(port, agent, { method: 'GET', path: '/01/09520001000072', headers: {} });
    await other.stop();
    expect(headers.location).toBe('https://mock.example/p/nordlicht/usb-c-kabel-240-w-2-m');
  });

  test('of another form gets 400', async () => {
    expect(refusal(await get('/01/1', {}))).toEqual([400, 'invalid_gtin']);
    expect(refusal(await get('/01/09520001000072/99/a', {}))).toEqual([400, 'invalid_request']);
  });
});

describe('Prefer', () => {
  test('chooses an example', async () => {
    const { text } = await get('/api/v1/products', { ...key, prefer: 'code=200, example=empty_page' });
    expect(JSON.parse(text).items).toEqual([]);
    expect(await get('/01/09520001000072', { prefer: 'code=302' })).toMatchObject({ status: 302 });
  });

  test('of another kind is ignored', async () => {
    expect(await get('/api/v1/me', { ...key, prefer: 'respond-async, wait=10' })).toMatchObject({ status: 200 });
  });

  test('of a response that the contract does not have gets 400', async () => {
    const code = await get('/api/v1/me', { ...key, prefer: 'code=418' });
    expect([refusal(code), messageOf(code)]).toEqual([
      [400, 'invalid_request'],
      'Prefer: code must be one of the statuses of getMe: 200, 401, 429, 500, 503.',
    ]);
    const example = await get('/api/v1/me', { ...key, prefer: 'example=nonsense' });
    expect(messageOf(example)).toBe('Prefer: example must be one of the examples of getMe 200: tenant.');
    const page = await get('/p/nordlicht/a', { prefer: 'code=418' });
    expect([page.status, page.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
  });
});

describe('the log', () => {
  interface Line {
    request_id: string;
  }

  /** Waits until the log has the line of a request. */
  async function lineOf(id: string): Promise<Line> {
    for (;;) {
      const lines: Line[] = mock
        .logged()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
      const found = lines.find(({ request_id }) => request_id === id);
      if (found) return found;
      await setTimeout(10);
    }
  }

  test('has a line for each request, with the code of its refusal', async () => {
    await get('/api/v1/products?limit=abc', { ...key, 'x-request-id': 'log-1' });
    const line = { method: 'get', operation: 'listProducts', status: 400, code: 'invalid_request' };
    expect(await lineOf('log-1')).toMatchObject({ ...line, duration_ms: expect.any(Number) });
    await get('/api/v1/me', { ...key, 'x-request-id': 'log-2', prefer: 'code=500' });
    expect(await lineOf('log-2')).toMatchObject({ operation: 'getMe', status: 500 });
  });

  test('has no key, no access token and no value of a query', async () => {
    const secret = 'c2VjcmV0';
    const token = `eyJhbGciOiJIUzI1NiJ9.${secret}.${secret}`;
    await get(`/p/nordlicht/a?zugang=${token}&lang=${secret}`, { authorization: `Bearer ppk_${secret}` });
    await get(`/api/v1/products?search=${secret}&limit=${secret}`, { authorization: `Bearer ppk_${secret}` });
    await get(`/api/v1/products/ppk_${secret}`, { ...key, prefer: `code=${secret}` });
    await get(`/01/${token}`, { prefer: `example=${secret}` });
    await get(`http://user:${secret}@a/api/v1/me?a=${secret}`, { ...key, 'x-request-id': 'log-3' });
    await lineOf('log-3');
    await post(`{"name":1,"${secret}":"${secret}"}`, { ...json, cookie: secret, 'x-request-id': 'log-4' });
    await lineOf('log-4');
    expect(mock.logged()).not.toContain(secret);
  });
});
