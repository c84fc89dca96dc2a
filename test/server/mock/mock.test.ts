/** The static mock as a process: what it adds to Prism, and the same refusals as the server. */
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createJudge } from '../../../contracts/judge/judge.ts';
import { ending } from '../../support/files.ts';
import { freePort, type Mock, run, startMock } from '../../support/program.ts';
import { type Incoming, type Outgoing, send as sendTo } from '../../support/wire.ts';

const judge = createJudge();
const agent = new Agent({ keepAlive: true });
const key = { authorization: 'Bearer any' };

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
/** The status and the code of an error, whose body has nothing else. */
function refusal({ status, headers, text }: Incoming): [number, string] {
  expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  const { error, ...more } = JSON.parse(text);
  expect([more, Object.keys(error)]).toEqual([{}, ['code', 'message']]);
  return [status, error.code];
}

const messageOf = ({ text }: Incoming): string => JSON.parse(text).error.message;

test('/healthz needs no key, so that a program can wait for the mock', async () => {
  const { status, headers, text } = await get('/healthz', {});
  expect([status, headers['cache-control'], JSON.parse(text)]).toEqual([200, 'no-store', { status: 'alive' }]);
  expect(await send({ method: 'HEAD', path: '/healthz', headers: {} })).toMatchObject({ status: 200 });
});

test('no page of the server is named in an error', async () => {
  expect(JSON.stringify(await get('/unknown'))).not.toContain('/docs');
});

const product = '/api/v1/products/usb-c-cable-240-w-2-m';
const page = '/p/skellig/usb-c-cable-240-w-2-m';
const json = { ...key, 'content-type': 'application/json' };

test.each<[outcome: string, request: string, headers?: Outgoing['headers'], body?: string]>([
  ['200', 'GET /api/v1/me/'],
  ['200', 'HEAD /api/v1/me'],
  ['401 invalid_api_key', 'GET /api/v1/me', {}],
  ['401 invalid_api_key', 'GET /api/v1/me', { authorization: 'Basic abc' }],
  ['401 invalid_api_key', 'GET /api/v1/unknown', {}],
  ['404 not_found', 'GET /api/v1/unknown'],
  ['404 not_found', 'GET /unknown', {}],
  ['405 method_not_allowed', 'DELETE /api/v1/me'],
  ['400 invalid_request', 'GET /api/v1/products?limit=abc'],
  ['400 invalid_request', 'GET /api/v1/products?limit=1&limit=2'],
  ['400 invalid_json', `PUT ${product}/passport`, json, '{"name":'],
  ['400 values_must_be_array', `PUT ${product}/passport`, json, '{}'],
  ['400 field_key_required', `PUT ${product}/passport`, json, '[{"value":1}]'],
  ['400 name_required', 'POST /api/v1/products', json, '{"name":" "}'],
  ['400 invalid_gtin', 'POST /api/v1/products', json, '{"name":"a","gtin":"12"}'],
  ['415 unsupported_media_type', 'POST /api/v1/products', { ...key, 'content-type': 'text/plain' }, 'a'],
  ['413 payload_too_large', 'POST /api/v1/products', json, JSON.stringify({ name: 'a'.repeat(1024 * 1024) })],
  ['400 invalid_gtin', 'GET /01/123', {}],
  ['200', `GET ${page}/jsonld`, { accept: 'image/png' }],
  ['204', `OPTIONS ${page}`, {}],
  ['304', `GET ${page}`, { 'if-none-match': '*' }],
])('responds as the server: %s to %s', async (outcome, request, ...[headers, body]) => {
  const [method = '', path = ''] = request.split(' ');
  const response = await send({ method, path, ...(headers && { headers }), ...(body && { body: Buffer.from(body) }) });
  const { code } = response.status < 400 ? {} : JSON.parse(response.text).error;
  expect([response.status, ...(code ? [code] : [])].join(' ')).toBe(outcome);
  expect(judge.response({ method, path, ...response, body: response.text })).toEqual([]);
});

test('a document has no header of a page', async () => {
  const [html, document] = [await get(page, { accept: 'text/html' }), await get(`${page}/jsonld`, {})];
  const ofPages = ['content-language', 'content-security-policy', 'referrer-policy'];
  expect([html, document].map(({ headers }) => ofPages.filter((name) => name in headers))).toEqual([ofPages, []]);
});

describe('a Digital Link', () => {
  const link = '/01/09520001200045/10/LOT-42/21/SN%2F001';
  const page = () => `${mock.host}/p/skellig/usb-c-cable-240-w-2-m`;

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

  test('does not repeat the host of the request', async () => {
    const { headers } = await get('/01/09520001200045', { host: 'other.example:8080' });
    expect(headers.location).toBe(page());
    const linkset = await get('/01/09520001200045?linkType=linkset', { host: 'other.example:8080' });
    expect(`${JSON.stringify(linkset.headers)}${linkset.text}`).not.toContain('other.example');
  });

  test('leads to the site of --site-url', async () => {
    const port = await freePort();
    const other = await startMock(`--port ${port} --site-url https://mock.example`);
    const { headers } = await sendTo(port, agent, { method: 'GET', path: '/01/09520001200045', headers: {} });
    await other.stop();
    expect(headers.location).toBe('https://mock.example/p/skellig/usb-c-cable-240-w-2-m');
  });
});

describe('Prefer', () => {
  test('chooses an example', async () => {
    const { text } = await get('/api/v1/products', { ...key, prefer: 'code=200, example=empty_page' });
    expect(JSON.parse(text).items).toEqual([]);
    expect(await get('/01/09520001200045', { prefer: 'code=302' })).toMatchObject({ status: 302 });
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
    const page = await get('/p/skellig/a', { prefer: 'code=418' });
    expect([page.status, page.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
  });
});

/** A mock that a test ends. */
async function ownMock(): Promise<Mock> {
  const own = await startMock();
  ending.defer(async () => void (await own.stop('SIGKILL')));
  return own;
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends it although the body of a request does not arrive',
  async (signal) => {
    const running = await ownMock();
    const head =
      'POST /api/v1/products HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nContent-Type: application/json\r\n';
    for (const bytes of [`${head}Content-Length: 100\r\n\r\n{`, '']) {
      const waiting = connect(running.port, '127.0.0.1');
      waiting.on('error', () => undefined);
      await once(waiting, 'connect');
      waiting.write(bytes);
    }
    await fetch(`${running.host}/healthz`);
    await setTimeout(100);
    const before = performance.now();
    expect(await running.stop(signal)).toBe(0);
    expect(performance.now() - before).toBeLessThan(20_000);
    const { stdout } = await run(`ps -o pid= -g ${running.pid} || true`);
    expect(stdout).toBe('');
  },
);
