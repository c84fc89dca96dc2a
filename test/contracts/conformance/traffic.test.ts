/** `verify har` and `verify proxy`: traffic that others send is judged and passes unchanged, and keys stay hidden. */
import { once } from 'node:events';
import { truncateSync } from 'node:fs';
import { createServer, type IncomingMessage, request as sendHttp } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Exchange } from '../../../contracts/conformance/http/exchange.ts';
import type { Report } from '../../../contracts/conformance/report/report.ts';
import { judgeTraffic } from '../../../contracts/conformance/traffic/judge.ts';
import { openProxy, type ProxyOptions } from '../../../contracts/conformance/traffic/proxy.ts';
import { createFakeService } from '../../../sdk/src/testing/service/index.ts';
import { ending, fileWith } from '../../support/files.ts';
import { freePort } from '../../support/program.ts';
import { listen, serveFetch } from '../../support/serve.ts';
import { typeReporting, typeSuite } from '../../support/suite.ts';

const base = 'https://passports.example/api/v1';
const service = createFakeService({ siteUrl: 'https://passports.example' });
const key = service.provider.tenants[0]?.api_key ?? '';
const token = service.provider.access_tokens[0]?.token ?? '';
const caseOf = ({ cases }: Report, id: string) => cases.find((one) => one.id === id);

describe('verify har', () => {
  /** One entry as a browser writes it. */
  async function entryOf(url: string, change: (body: string) => string = (body) => body): Promise<object> {
    const headers = { authorization: `Bearer ${key}`, accept: 'application/json' };
    const response = await service.fetch(url, { headers });
    return {
      startedDateTime: '2026-01-02T03:04:05.000Z',
      time: 12.5,
      request: { method: 'GET', url, headers: pairs(new Headers(headers)) },
      response: {
        status: response.status,
        headers: pairs(response.headers),
        content: { text: change(await response.text()) },
      },
    };
  }
  const pairs = (headers: Headers): object[] => [...headers].map(([name, value]) => ({ name, value }));
  const harWith = (...entries: readonly object[]): string => fileWith(JSON.stringify({ log: { entries } }));

  /** Judges a file with these entries. */
  const judged = (entries: readonly object[], ...options: readonly string[]) =>
    typeReporting('verify', 'har', harWith(...entries), '--base-url', base, ...options);

  test('judges the responses of the provider, and leaves out other hosts', async () => {
    const { code, stdout, file, report } = await judged([
      await entryOf(`${base}/me`, (body) => body.replace('"tenant"', '"mandant"')),
      await entryOf(`${base}/products`),
      { request: { method: 'GET', url: 'https://shop.example/api/v1/me' }, response: { status: 500 } },
    ]);
    expect(code).toBe(1);
    expect(caseOf(report, 'HTTP-6.getMe')).toMatchObject({ status: 'failed', blame: 'provider' });
    expect(caseOf(report, 'HTTP-6.getMe')?.reasons.join()).toContain('tenant');
    expect(caseOf(report, 'HTTP-6.listProducts')).toMatchObject({ status: 'passed' });
    expect(caseOf(report, 'HTTP-6.putPassport')).toMatchObject({ status: 'skipped' });
    // verify cannot repeat recorded traffic.
    expect(file('report.html')).not.toContain('--only');
    expect(stdout).toMatch(/\nnot conformant: 1 case failed\.\n/);
  });

  test('judges public pages at the root that --site-url names', async () => {
    const entry = await entryOf('https://passports.example/.well-known/gs1resolver');
    const url = 'https://pages.example/.well-known/gs1resolver';
    const entries = [await entryOf(`${base}/me`), { ...entry, request: { method: 'GET', url, headers: [] } }];
    const statusWith = async (...options: readonly string[]) => {
      const { report } = await judged(entries, '--claim', 'core,reference', ...options);
      return caseOf(report, 'HTTP-7.getResolverDescription')?.status;
    };
    expect(await statusWith()).toBe('skipped');
    expect(await statusWith('--site-url', 'https://pages.example')).toBe('passed');
  });

  test('reads a body in Base64, and a request without a response', async () => {
    const entry = await entryOf(`${base}/me`);
    const text = Buffer.from('{"leer": true}').toString('base64');
    const encoded = { ...entry, response: { status: 200, headers: [], content: { text, encoding: 'base64' } } };
    const aborted = { ...entry, response: { status: 0 } };
    const { code, report } = await judged([encoded, aborted]);
    expect(code).toBe(1);
    expect(caseOf(report, 'HTTP-6.getMe')?.exchanges[0]?.response?.body).toBe('{"leer":true}');
  });

  /** What a file with this record of a correct response makes of getMe. `length` is the record's Content-Length. */
  async function outcomeWith(content: object | undefined, { length, ...response }: Record<string, unknown> = {}) {
    const entry = (await entryOf(`${base}/me`)) as { response: { headers: object[] } };
    const headers = [...entry.response.headers, ...(length ? [{ name: 'Content-Length', value: length }] : [])];
    const recorded = { ...entry, response: { ...entry.response, headers, content, ...response } };
    const { stderr, report } = await judged([recorded]);
    return { stderr, report, shape: caseOf(report, 'HTTP-6.getMe') };
  }
  const json = { 'content-type': 'application/json; charset=utf-8' };
  const notRecorded = 'Response bodies that were not recorded: 1.';

  test.each([
    ['no content', undefined, {}],
    ['an unknown size', { size: -1 }, {}],
    ['an empty text with a size', { size: 142, text: '' }, {}],
    ['an empty text with a Content-Length', { size: 0, text: '' }, { length: '142' }],
    ['another file', { size: 0, _file: '0a1b.json' }, {}],
    ['a comment in place of the text', { size: 0, comment: 'Response bodies are not included.' }, {}],
    ['the beginning of the text', { size: 24, text: '{"tenant": {"id": "0190' }, { length: '142' }],
    ['the beginning of the text in Base64', { text: btoa('{"tenant'), encoding: 'base64' }, { length: '142' }],
  ])('skips a body that was not recorded: %s', async (_what, content, response) => {
    const { shape, report, stderr } = await outcomeWith(content, response);
    expect(shape).toMatchObject({ status: 'skipped', reasons: [notRecorded] });
    expect(caseOf(report, 'AUTH-6.key-in-response')).toMatchObject({ status: 'skipped', reasons: [notRecorded] });
    expect(stderr).toContain('Bodies that were not recorded, and are not judged: 0 of requests, 1 of responses.\n');
    expect(report.verdict).toBe('incomplete');
  });

  test.each([
    ['an empty text', { size: 0, text: '' }, {}],
    ['an empty text without a size', { text: '', comment: '' }, {}],
    ['a size of 0', { size: 0 }, { length: '0' }],
    [
      'a compressed nothing',
      { size: 0, text: '' },
      { headers: pairs(new Headers({ ...json, 'content-encoding': 'gzip', 'content-length': '20' })) },
    ],
    ['a text without its byte order mark', { text: '{"a":1}' }, { length: '10' }],
    ['an incomplete text, as it was sent', { size: 8, text: '{"tenant' }, { length: '8' }],
    ['a status that the operation does not have', { size: -1 }, { status: 299 }],
    ['another content type', { size: -1 }, { headers: [{ name: 'content-type', value: 'text/plain' }] }],
  ])('still fails for %s', async (_what, content, response) => {
    const { shape, report } = await outcomeWith(content, response);
    expect([shape?.status, report.verdict]).toEqual(['failed', 'not conformant']);
  });

  test('says how many bodies were not recorded next to those that were, and never of a response without one', async () => {
    const entry = (await entryOf(`${base}/me`)) as { request: object; response: object };
    const omitted = { ...entry, response: { ...entry.response, content: { size: -1 } } };
    const head = { ...omitted, request: { ...entry.request, method: 'HEAD' } };
    const { code, report } = await judged([entry, omitted, omitted, head]);
    const found = caseOf(report, 'HTTP-6.getMe');
    expect([found?.status, found?.warnings]).toEqual(['passed', ['Response bodies that were not recorded: 2.']]);
    expect(code).toBe(0);
  });

  /** An entry of `getMe`, `listProducts` or `createProduct` with a response that conforms to the contract. */
  async function entryWith(path: string, more: object = {}, { response }: { response?: object } = {}) {
    const entry = (await entryOf(`${base}${path}`)) as { request: object };
    return { ...entry, request: { ...entry.request, ...more }, ...(response && { response }) };
  }

  test('prints what is wrong with requests, names what did not occur, and is 0 if a response was judged', async () => {
    const text = JSON.stringify({ name: 'Helmet', gtin: 4_012_345_678_901 });
    const refusal = await entryOf(`${base}/products?status=odd`);
    const { code, stdout, report, file } = await judged([
      await entryWith('/me'),
      await entryWith('/products?limit=abc'),
      await entryWith('/products', { method: 'POST', postData: { text } }, refusal),
      await entryWith('/produkte'),
    ]);
    const notes = stdout.split('\n').filter((line) => line.startsWith('Note: '));
    expect(notes.slice(0, -1)).toEqual([
      'Note: listProducts: request: query limit must be integer, is "abc"',
      'Note: createProduct: request: body/gtin must be string,null, is 4012345678901',
      'Note: GET /api/v1/produkte: request: the contract has no such operation.',
    ]);
    expect(notes.at(-1)).toMatch(/^Note: Operations that did not occur: getProduct, getPassport, putPassport, /);
    expect(stdout).toMatch(/^passed: Every response that was judged conforms to the contract\.$/m);
    expect([code, report.verdict]).toEqual([0, 'passed']);
    expect(file('report.html')).toContain(
      '<li>GET /api/v1/produkte: request: the contract has no such operation.</li>',
    );
  });

  test.each([
    ['in the query, next to the header', `?api_key=${key}`, {}, 'the address contains the API key'],
    ['in the query alone', '?api_key=ppk_another-key', { headers: [] }, 'the address contains the API key'],
    ['in the body', '', { method: 'POST', postData: { text: `{"name":"${key}"}` } }, 'the body contains the API key'],
  ])('a key %s is a failure of the client, and masked', async (_what, query, more, words) => {
    const { code, stdout, report, file } = await judged([await entryWith(`/products${query}`, more)]);
    expect(stdout).toMatch(new RegExp(`^1\\. \\w+ /api/v1/products: ${words}\\. Logs keep it\\.$`, 'm'));
    expect(caseOf(report, 'CLIENT-6.address')).toMatchObject({ status: 'failed', blame: 'client' });
    // The response to the body is that of a list.
    const who = query === '' ? 'provider' : 'program';
    expect(file('report.html')).toContain(`The ${who} breaks these clauses of the contract.`);
    expect(code).toBe(1);
    const output = stdout + JSON.stringify(report);
    expect([key, 'ppk_another-key'].filter((secret) => output.includes(secret))).toEqual([]);
  });

  test.each([
    ['getMe', 0, 'passed'],
    ['getMe,putPass', 3, 'incomplete'],
    ['putPassport', 3, 'incomplete'],
  ])('--require %s', async (required, code, verdict) => {
    const outcome = await judged([await entryWith('/me')], '--require', required);
    expect([outcome.code, outcome.report.verdict]).toEqual([code, verdict]);
  });

  test('--verbose shows the curl line of a finding', async () => {
    const parameters = ['verify', 'har', harWith(await entryOf(`${base}/me`, () => '{}')), '--base-url', base];
    expect((await typeSuite(...parameters)).stdout).not.toContain('curl:');
    expect((await typeSuite(...parameters, '--verbose')).stdout).toMatch(/^ +curl: +curl -i /m);
  });

  test.each([
    ['a size', { bodySize: 22 }, true],
    ['a comment', { bodySize: 0, postData: { comment: 'Not included.' } }, true],
    [
      'a body of another size',
      { headers: [{ name: 'content-length', value: '22' }], postData: { text: '{"name":' } },
      true,
    ],
    ['a size of 0', { bodySize: 0 }, false],
    ['an empty text', { bodySize: -1, postData: { text: '' } }, false],
  ])(
    'counts a request body that was not recorded, and warns of an empty one: %s',
    async (_what, recorded, isOmitted) => {
      const entry = (await entryOf(`${base}/products`)) as { request: object };
      const { stderr, report } = await judged([
        { ...entry, request: { ...entry.request, method: 'POST', ...recorded } },
      ]);
      const expected = isOmitted ? 'Request bodies that were not recorded: 1.' : 'request: body is missing';
      expect(caseOf(report, 'HTTP-6.createProduct')?.warnings).toEqual([expected]);
      expect(stderr.includes('and are not judged: 1 of requests, 0 of responses.\n')).toBe(isOmitted);
    },
  );

  test('a key that the client itself stored in a name is not the mistake of the provider', async () => {
    const listed = await entryOf(`${base}/products`, (body) => body.replace('"name":"', `"name":"${key} `));
    const body = { mimeType: 'application/json', text: JSON.stringify({ name: `${key} Cable` }) };
    const { request, response } = (await entryOf(`${base}/me`)) as { request: object; response: object };
    const created = {
      ...listed,
      request: { ...request, method: 'POST', url: `${base}/products`, postData: body },
      response,
    };
    const check = async (...entries: object[]) =>
      caseOf((await judged(entries)).report, 'AUTH-6.key-in-response')?.status;
    expect([await check(created, listed), await check(listed)]).toEqual(['passed', 'failed']);
  });

  test.each(['***', '********', '[REDACTED]', 'xxxxxxxxxxxx', '<removed>'])(
    'the mask of secrets in a recording is no key that leaks: %s',
    async (mask) => {
      const masked = await entryOf(`${base}/products`, (body) => body.replace('"name":"', `"name":"${mask} `));
      const headers = [{ name: 'authorization', value: `Bearer ${mask}` }];
      const postData = { text: JSON.stringify({ name: mask }) };
      const { report } = await judged([{ ...masked, request: { ...Object(masked).request, headers, postData } }]);
      const statuses = ['AUTH-6.key-in-response', 'CLIENT-6.address'].map((id) => caseOf(report, id)?.status);
      expect(statuses).toEqual(['passed', 'passed']);
    },
  );

  test('no output shows a key or a token', async () => {
    const page = `https://passports.example/p/skellig/bicycle-helmet/jsonld?zugang=${token}`;
    const broken = (body: string) => body.replace('{', `{"leak":"${key} ${token}",`);
    const entries = [await entryOf(`${base}/me`, broken), await entryOf(page, broken)];
    const { stderr, stdout, report } = await judged(entries);
    const output = stderr + stdout + JSON.stringify(report);
    expect(output).toContain('$PRODUCT_PASSPORT_KEY');
    expect([key, token].filter((secret) => output.includes(secret))).toEqual([]);
  });

  const advice = 'Save the traffic of a browser, a proxy or a test run as HAR.';
  test.each([
    ['text that is not JSON', '{', `is not JSON, so it is not a HAR. ${advice}`],
    ['too many levels', '[1,'.repeat(1001), `has too many levels to be a HAR. ${advice}`],
    ['other JSON', '{"log": {}}', `is not a HAR: it has no log.entries. ${advice}`],
    ['no request to the provider', '{"log":{"entries":[]}}', `has no request to ${base}. Check --base-url.`],
    ['more than 64 MiB', 64 * 2 ** 20 + 1, 'has more than 64 MiB. Record fewer requests, or use `verify proxy`.'],
  ])('refuses a file with %s', async (_what, content, message) => {
    const file = fileWith(String(content));
    if (typeof content === 'number') truncateSync(file, content);
    const outcome = await typeSuite('verify', 'har', file, '--base-url', base);
    expect(outcome).toEqual({ code: 2, stdout: '', stderr: `product-passport-contracts: ${file} ${message}\n` });
  });
});

describe('the proxy', () => {
  async function proxyOf(upstream: string, options: Omit<ProxyOptions, 'upstream'> = {}) {
    const proxy = await openProxy({ upstream, ...options });
    ending.defer(() => proxy.close());
    return proxy;
  }

  const compressed = gzipSync('{"name": "Bicycle Helmet"}');
  const sentBody = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
  let upstream = '';
  let received: { readonly method: string; readonly url: string; readonly host: string; readonly body: Buffer };
  let receivedHeaders: IncomingMessage['headers'] = {};
  beforeAll(async () => {
    const server = createServer(async (incoming, outgoing) => {
      const { method = '', url = '', headers } = incoming;
      received = { method, url, host: headers.host ?? '', body: await buffer(incoming) };
      receivedHeaders = headers;
      const sentHeaders = [
        ...['X-Upper-Case', 'Kept', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'],
        ...['Content-Type', 'application/json', 'Content-Encoding', 'gzip'],
      ];
      outgoing.writeHead(201, sentHeaders).end(compressed);
    });
    upstream = await listen(server);
  });

  test('passes requests and responses on byte by byte, compressed ones too', async () => {
    const proxy = await proxyOf(upstream);
    const path = '/api/v1/products/a%2Fb/../x?q=%zz&q=2';
    const outgoing = sendHttp(`${proxy.url}`, { method: 'PUT', path, headers: { authorization: 'Bearer k', te: 'x' } });
    outgoing.end(sentBody);
    const [response]: IncomingMessage[] = await once(outgoing, 'response');
    if (response === undefined) throw new Error('No response.');

    expect(await buffer(response)).toEqual(compressed);
    expect(response.statusCode).toBe(201);
    expect(response.rawHeaders.slice(0, 10)).toEqual([
      ...['X-Upper-Case', 'Kept', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'],
      ...['Content-Type', 'application/json', 'Content-Encoding', 'gzip'],
    ]);
    expect(received).toEqual({ method: 'PUT', url: path, host: new URL(upstream).host, body: sentBody });
    expect(receivedHeaders).toMatchObject({ authorization: 'Bearer k', te: 'x' });
    const [exchange] = proxy.exchanges;
    expect(exchange?.response).toMatchObject({ status: 201, text: '{"name": "Bicycle Helmet"}' });
  });

  test.each([
    ['another encoding', { 'content-encoding': 'gzip' }, 'is not valid gzip'],
    ['a status that is not HTTP', undefined, undefined],
  ])('records %s', async (_what, headers, unreadable) => {
    const provider = createTcpServer((socket) => {
      const status = headers === undefined ? '099' : '200 OK';
      const head = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.on('error', () => {});
      socket.once('data', () => socket.end(`HTTP/1.1 ${status}\r\n${head.join('')}Content-Length: 2\r\n\r\n{}`));
    });
    const proxy = await proxyOf(await listen(provider));
    const response = await fetch(`${proxy.url}/api/v1/me`, { headers: { 'accept-encoding': 'identity' } });
    await response.bytes().catch(() => undefined);
    expect(proxy.exchanges.length).toBe(1);
    if (unreadable === undefined) {
      expect([response.status, proxy.exchanges[0]?.response]).toEqual([502, undefined]);
      return;
    }
    expect(proxy.exchanges[0]?.response).toMatchObject({ status: 200, unreadable });
    const { results } = judgeTraffic({
      exchanges: proxy.exchanges,
      claims: ['core'],
      provider: { base_url: `${proxy.url}/api/v1` },
    });
    const found = results.find(({ id }) => id === 'HTTP-6.getMe');
    expect([found?.status, found?.reasons]).toEqual(['failed', [`200: body ${unreadable}`]]);
  });

  test('records what a response is not within the time, and passes the rest on', async () => {
    let finish = (): void => {};
    const slow = createServer((_incoming, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'application/json' }).write('{');
      finish = () => outgoing.end('}');
    });
    const recorded = Promise.withResolvers<void>();
    const proxy = await proxyOf(await listen(slow), { timeout: 1000, onExchange: () => recorded.resolve() });
    const response = await fetch(`${proxy.url}/api/v1/me`);
    await recorded.promise;
    expect(proxy.exchanges[0]?.response?.unreadable).toBe('is not complete after 1 seconds');
    finish();
    expect(await response.text()).toBe('{}');
    expect(proxy.exchanges.length).toBe(1);
  });

  test('records at once that a response is too large', async () => {
    // It never ends.
    const large = createServer((_incoming, outgoing) => outgoing.write(Buffer.alloc(7 * 2 ** 20, ' ')));
    const recorded = Promise.withResolvers<Exchange>();
    const proxy = await proxyOf(await listen(large), { onExchange: recorded.resolve });
    const response = await fetch(`${proxy.url}/api/v1/me`);
    const reader = response.body?.getReader();
    for (let length = 0; length < 7 * 2 ** 20; ) length += (await reader?.read())?.value?.length ?? 0;
    expect((await recorded.promise).response?.unreadable).toBe('has more than 6291456 bytes');
  });

  test('records no more when the responses of a run are too large, and says so', async () => {
    const body = Buffer.alloc(4 * 2 ** 20, ' ');
    const large = createServer((_incoming, outgoing) => outgoing.end(body));
    const proxy = await proxyOf(await listen(large));
    const found: [number, boolean][] = [];
    for (let count = 0; count < 12; count += 1) {
      await (await fetch(`${proxy.url}/api/v1/me`)).arrayBuffer();
      found.push([proxy.exchanges.length, proxy.isWhole]);
    }
    expect(found[5]).toEqual([6, true]);
    // No exchange is recorded without its body, which would be a failure of the provider.
    expect(found[11]).toEqual([8, false]);
    expect(proxy.exchanges.map(({ response }) => response?.unreadable)).toEqual(Array(8).fill(undefined));
  });

  test('responds with 502 if the upstream is down, and records why', async () => {
    const proxy = await proxyOf(`http://127.0.0.1:${await freePort()}`);
    const response = await fetch(`${proxy.url}/api/v1/me`);
    expect([response.status, await response.text()]).toEqual([502, 'The upstream does not respond.\n']);
    expect(proxy.exchanges[0]?.failure).toContain('ECONNREFUSED');
  });
});

test('verify proxy judges what passed through it until Ctrl+C, and hides the keys', async () => {
  const served = await serveFetch(async (request) => {
    const response = await service.fetch(request);
    if (!request.url.endsWith('/me')) return response;
    return Response.json({ ...(await response.json()), leak: key }, response);
  });
  ending.defer(() => served.close());
  const port = await freePort();
  const options = ['--upstream', served.url, '--port', String(port), '--require', 'getMe', '--verbose'];
  const done = typeReporting('verify', 'proxy', ...options);
  const headers = { authorization: `Bearer ${key}` };
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers }).catch(() => undefined);
  while ((await ask('/api/v1/me')) === undefined) await delay(20);
  expect((await ask(`/api/v1/products?zugang=${token}`))?.status).toBe(200);
  process.emit('SIGINT');

  const { code, stdout, stderr, report } = await done;
  expect(code).toBe(1);
  expect(stdout).toContain(
    `http://127.0.0.1:${port}/api/v1 forwards requests to ${served.url}/api/v1. Press Ctrl+C for the verdict.\n`,
  );
  expect(stderr).toMatch(/^GET \/api\/v1\/me 200$/m);
  expect(stderr).toMatch(/^GET \/api\/v1\/products 200$/m);
  expect(stdout).toMatch(/\nnot conformant: \d+ cases? failed\.\n/);
  expect(stdout).toMatch(/^Note: Operations that did not occur: createProduct, .*$/m);
  expect(stdout).toMatch(/^ +curl: +curl -i /m);
  const output = stdout + stderr + JSON.stringify(report);
  expect([key, token].filter((secret) => output.includes(secret))).toEqual([]);
  process.removeAllListeners('SIGINT');
});
