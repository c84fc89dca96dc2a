/** Providers that misbehave below the contract: the run ends, blames the provider, and prints nothing of its own. */
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { decodeBody, limits, Memory } from '../../../contracts/conformance/http/body.ts';
import { connectInProcess, openConnection } from '../../../contracts/conformance/http/connection.ts';
import type { Provider } from '../../../contracts/conformance/provider.ts';
import { printable } from '../../../contracts/conformance/report/text.ts';
import { boundedReasons, type Run } from '../../../contracts/conformance/result.ts';
import { verify } from '../../../contracts/conformance/verify.ts';
import { createFakeService } from '../../../sdk/src/testing/service/index.ts';
import { ending, fileWith, newFolder } from '../../support/files.ts';
import { run, start } from '../../support/program.ts';
import { listen } from '../../support/serve.ts';

const siteUrl = 'http://passports.test';
const service = createFakeService({ siteUrl });

type Handler = (request: Request) => Promise<Response>;

/** Runs these cases against a provider in this process. */
function runAgainst(handler: Handler, only: readonly string[], provider: Provider = service.provider): Promise<Run> {
  return verify({ provider, only, connection: connectInProcess(handler, siteUrl) });
}

describe('a run against a wrong provider', () => {
  const busy = /^POST |limit=10&/;
  const changed = async (request: Request, change: (text: string) => string) => {
    const response = await service.fetch(request);
    return new Response(change(await response.text()), response);
  };

  test.each<[what: string, Handler, only: string[], status: string, reason?: string]>([
    [
      'a creation fails while a page is read',
      async (request) =>
        busy.test(`${request.method} ${request.url}`) ? new Response('busy', { status: 409 }) : service.fetch(request),
      ['PROD-3.concurrent'],
      'failed',
    ],
    [
      'a state has the wrong shape',
      async (request) => (/products\?/.test(request.url) ? Response.json({ items: [null] }) : service.fetch(request)),
      ['TEN-1'],
      'failed',
    ],
    [
      'slugs are not valid Unicode',
      (request) => changed(request, (text) => text.replaceAll('"slug":"verify', String.raw`"slug":"\ud800verify`)),
      ['PASS-1', 'PUB-1'],
      'failed,passed',
    ],
    [
      'a redirect leads to something that is not an address',
      async (request) =>
        request.url.includes('/01/')
          ? new Response(null, { status: 302, headers: { location: 'http://[' } })
          : service.fetch(request),
      ['GS1-1.redirect'],
      'failed',
      'Location must be an address, is "http://["',
    ],
    [
      'a 429 prevents the case',
      async (request) => (request.method === 'GET' ? new Response('', { status: 429 }) : service.fetch(request)),
      ['PAGE-1'],
      'skipped',
      '--rate',
    ],
  ])('has a verdict, and no error of the suite: %s', async (_what, handler, only, status, reason = '') => {
    const { results } = await runAgainst(handler, only);
    expect([...new Set(results.map((one) => one.status))].sort().join()).toBe(status);
    expect(results[0]?.reasons.join()).toContain(reason);
  });

  test('stops sending when the provider is gone', async () => {
    let sent = 0;
    const run = await runAgainst(
      async (request) => {
        sent += 1;
        if (sent > 5) throw new Error('gone');
        return service.fetch(request);
      },
      ['PAGE', 'SRCH'],
    );
    expect(sent).toBeLessThan(30);
    expect(run.results.at(-1)?.reasons).toEqual([expect.stringContaining('the provider stopped responding')]);
  });

  test.each([
    ['key-000b', 'key-000a'],
    ['key-0000', 'key-0010'],
    ['key-00001', 'key-0000'],
  ])('finds no fault when two keys differ in one character: %s, %s', async (...keys) => {
    const run = await runAgainst(
      async (request) => {
        const at = keys.findIndex((key) => request.headers.get('authorization') === `Bearer ${key}`);
        const headers = new Headers(request.headers);
        headers.set('authorization', `Bearer ${service.provider.tenants[at]?.api_key ?? 'wrong'}`);
        return service.fetch(new Request(request, { headers }));
      },
      ['AUTH-3.altered', 'AUTH-3.shortened', 'AUTH-3.extended'],
      { ...service.provider, tenants: keys.map((api_key) => ({ api_key })) },
    );
    expect(run.results.map(({ status, reasons }) => [status, ...reasons])).toEqual(Array(3).fill(['passed']));
  });
});

describe('a body has limits:', () => {
  const { bytes, levels, values, items } = limits;
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const list = (length: number, element: string): string => `[${Array(length).fill(element).join()}]`;
  const manyLists = (count: number): string =>
    `[${Array(50)
      .fill(list(count / 50 - 1, '0'))
      .join()}]`;
  const read = (text: string | Buffer, encoding?: string): unknown => {
    const body = decodeBody(Buffer.from(text), encoding);
    return body.unreadable ?? 'is whole';
  };

  test.each([
    ['bytes', `"${'x'.repeat(bytes - 2)}"`, `"${'x'.repeat(bytes - 1)}"`],
    ['levels', nested(levels), nested(levels + 1)],
    ['elements', list(items, '{}'), list(items + 1, '{}')],
    ['values', manyLists(values), manyLists(values + 50)],
  ])('%s', (what, largest, larger) => {
    expect(read(largest)).toBe('is whole');
    expect(read(larger)).toMatch(new RegExp(`^has .*more than \\d+ ${what}$`));
    expect(read(gzipSync(larger), 'gzip')).toMatch(/^has /);
  });

  test('brackets and commas of a string do not count', () => {
    const text = JSON.stringify({ name: `\\"${nested(1000)}${','.repeat(100_000)}` });
    expect(read(`  \n${text}`)).toBe('is whole');
    expect(read(`${' '.repeat(1000)}${nested(levels + 1)}`)).toMatch(/levels$/);
  });

  test.each([
    ['narrow characters', 2, list(items, '{}')],
    ['one wide character', 4, list(items, '{}').replace(/\{\}\]$/, '"中"]')],
  ])('the bodies of a run have one, too: %s', (_what, bytesOfCharacter, text) => {
    const memory = new Memory();
    const response = { status: 200, headers: {}, text };
    let kept = 0;
    while (memory.kept(response).unreadable === undefined) kept += 1;
    // 64 MiB, with 32 bytes a value.
    const ofValues = 32 * (text.match(/[[{,]/g)?.length ?? 0);
    expect(kept).toBe(Math.floor(2 ** 26 / (bytesOfCharacter * text.length + ofValues)));
  });
});

test('a result has at most 100 reasons, each of 2,000 characters', () => {
  const reasons = boundedReasons(Array.from({ length: 300 }, (_, index) => `${index} ${'x'.repeat(5000)}`));
  expect([reasons.length, reasons[0]?.length, reasons.at(-1)]).toEqual([101, 2001, 'and 200 more']);
});

describe('512 MB are enough for', () => {
  const megabytes = 1024;
  const atExit = "process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS + '\\n'))";
  const environment = {
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(atExit)}`,
    PRODUCT_PASSPORT_KEY: 'ppk_test',
  };
  const peakIn = (logged: string): number => Number(/^peak (\d+)$/m.exec(logged)?.[1]) / megabytes;

  /** Its bodies are beyond a limit, or the largest within all of them. It runs in a process of its own. */
  const provider = `
    import { createServer } from 'node:http';
    import { gzipSync } from 'node:zlib';
    const bodies = [
      '['.repeat(2_000_000) + ']'.repeat(2_000_000),
      '{"items":[' + '{},'.repeat(2_000_000) + '{}]}',
      '{"items":[' + '{},'.repeat(9_999) + '{}],"total":1,"limit":50,"offset":0}',
      '{"values":[' + '{"access_level":"restricted","field_key":"k","value":"aaaaaaaa"},'.repeat(9_999) + '{}]}',
      JSON.stringify({ slug: 'x'.repeat(6_000_000) }),
      JSON.stringify({ slug: 'x'.repeat(6_000_000) + '中' }),
      JSON.stringify({ slug: 'x'.repeat(8_000_000) }),
      gzipSync(Buffer.alloc(200_000_000, ' ')),
      undefined,
    ];
    const chunk = Buffer.alloc(65_536, ' ');
    let requests = 0;
    const server = createServer((incoming, outgoing) => {
      incoming.resume();
      const body = incoming.url === '/api/v1/me' ? '{"tenant":{"slug":"a"}}' : bodies[requests++ % bodies.length];
      const encoding = typeof body === 'object' ? { 'content-encoding': 'gzip' } : {};
      outgoing.writeHead(200, { 'content-type': 'application/json; charset=utf-8', ...encoding });
      const send = () => { while (!outgoing.destroyed && outgoing.write(chunk)); };
      if (body === undefined) send(outgoing.on('drain', send));
      else outgoing.end(body);
    }).listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));
  `;

  async function hostileProvider(): Promise<string> {
    const running = await start(`${process.execPath} ${fileWith(provider, 'provider.mjs')}`, /\n/);
    ending.defer(async () => void (await running.stop('SIGKILL')));
    return running.said().trim();
  }

  test('verify', async () => {
    const url = await hostileProvider();
    const options = '--claim core,public,digital-link,reference --generated 1 --seed 1';
    const { code, stdout, stderr } = await run(
      `product-passport-contracts verify --base-url ${url}/api/v1 ${options} --report ${newFolder()}`,
      environment,
    );
    expect(code).toBe(1);
    expect(stdout).toContain('the body has more than 100 levels');
    expect(peakIn(stderr)).toBeLessThan(512);
  });

  test('verify proxy', async () => {
    const url = await hostileProvider();
    const proxy = await start(
      `product-passport-contracts verify proxy --upstream ${url} --report ${newFolder()}`,
      /Ctrl/,
      environment,
    );
    const [address = ''] = proxy.said().split(' ', 1);
    const read = `while true; do curl -s -o /dev/null --max-time 4 ${address}/products; done`;
    await Promise.all([1, 2, 3, 4].map(() => run(`timeout 4 bash -c '${read}'`)));
    expect(await proxy.stop('SIGINT')).toBe(1);
    expect(proxy.said()).toContain('body has more than 6291456 bytes');
    expect(peakIn(proxy.logged())).toBeLessThan(512);
  });
});

test('the output has no escape sequence and no line of a provider’s own length', () => {
  const text = printable(`\u001b[31mred\u009b0m\u202e\n::error::${'x'.repeat(10_000)}`);
  expect(text).toMatch(/^\\u001b\[31mred\\u009b0m\\u202e\\u000a::error::x+…$/);
  expect(text.length).toBeLessThan(600);
});

describe('the connection', () => {
  async function connected(respond: (request: number, onSocket: number) => string | undefined, timeout = 5000) {
    let requests = 0;
    const server = createServer((socket) => {
      let onSocket = 0;
      socket.on('error', () => {});
      socket.on('data', () => {
        requests += 1;
        onSocket += 1;
        const text = respond(requests, onSocket);
        if (text === undefined) socket.resetAndDestroy();
        else socket.write(text);
      });
    });
    const site = await listen(server);
    const connection = openConnection({ baseUrl: `${site}/api/v1`, siteUrl: site }, { timeout });
    return { send: (method: string) => connection.send({ method, path: '/api/v1/me', headers: {} }), connection };
  }
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

  test('survives a provider that closes idle connections', async () => {
    const { send, connection } = await connected((_request, onSocket) => (onSocket === 1 ? ok : undefined));
    const statuses = [];
    for (const method of ['GET', 'GET', 'POST', 'GET']) statuses.push((await send(method)).status);
    connection.close();
    expect(statuses).toEqual([200, 200, 200, 200]);
  });

  const limited = (header: string) => `HTTP/1.1 429 Too Many Requests\r\n${header}Content-Length: 0\r\n\r\n`;

  test.each([
    ['a negative time', 'Retry-After: -1\r\n'],
    ['a date in the past', 'Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n'],
    ['a second', 'Retry-After: 1\r\n', 950],
    ['no time', ''],
  ])('sends a request again after a 429 with %s', async (_name, header, wait = 0) => {
    const { send, connection } = await connected((request) => (request === 1 ? limited(header) : ok));
    const begin = performance.now();
    expect((await send('GET')).status).toBe(200);
    expect(performance.now() - begin).toBeGreaterThan(wait);
    connection.close();
  });

  test.each([
    ['for an hour', '3600', 1],
    ['forever', '0', 6],
  ])('does not wait %s', async (_name, seconds, count) => {
    let requests = 0;
    const { send, connection } = await connected((request) => {
      requests = request;
      return limited(`Retry-After: ${seconds}\r\n`);
    });
    expect((await send('GET')).status).toBe(429);
    expect(requests).toBe(count);
    connection.close();
  });

  test('takes no response for late because this process stood still', async () => {
    const timeout = 1000;
    const { send, connection } = await connected(() => ok, timeout);
    // A digest of Web Crypto is ready in a later turn of the event loop.
    const handler = () => new Promise<Response>((resolve) => setImmediate(resolve, new Response('{}')));
    const inProcess = connectInProcess(handler, siteUrl, { timeout });
    await send('GET');
    const sent = [send('GET'), inProcess.send({ method: 'GET', path: '/api/v1/me', headers: {} })];
    await Promise.resolve();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1.5 * timeout);
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200]);
    connection.close();
  });

  test('a provider in this process refuses a request that `Request` cannot express, as a server refuses its bytes', async () => {
    const connection = connectInProcess(async () => new Response('reached'), 'https://passports.example');
    const send = (headers: Record<string, string>) => connection.send({ method: 'GET', path: '/api/v1/me', headers });
    expect(await send({ accept: 'a' })).toMatchObject({ status: 200, text: 'reached' });
    expect(await send({ accept: 'a\u0000b' })).toEqual({ status: 400, headers: {}, text: '' });
  });

  test('reports a body that is not what Content-Encoding says', async () => {
    const { send, connection } = await connected(
      () => 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}',
    );
    expect(await send('GET')).toMatchObject({ status: 200, text: '', unreadable: 'is not valid gzip' });
    connection.close();
  });
});
