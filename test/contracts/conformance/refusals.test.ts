/**
 * What a first user gets wrong: one sentence each that says what to repair, and never a stack trace or a key. The snapshot has
 * the sentences.
 */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createFakeService } from '../../../sdk/src/testing/service/index.ts';
import { selfSigned } from '../../support/certificate.ts';
import { ending, fileWith, newFolder } from '../../support/files.ts';
import { freePort, type Outcome, run } from '../../support/program.ts';
import { serveFetch } from '../../support/serve.ts';
import { asFile, typeSuite } from '../../support/suite.ts';

const service = createFakeService();
const secret = 'ppk_a-key-that-no-output-may-show';
type Handler = (request: Request) => Response | Promise<Response>;

/** What the server does in the current test. */
let handle: Handler = service.fetch;
let requests: Request[] = [];
let url = '';
beforeAll(async () => {
  const served = await serveFetch(async (request) => {
    requests.push(request);
    return handle(request);
  });
  ending.defer(() => served.close());
  url = served.url;
});
beforeEach(() => {
  requests = [];
  handle = service.fetch;
});

const baseUrl = (): string => `${url}/api/v1`;
const served = (): object => ({ ...service.provider, base_url: baseUrl(), site_url: url });
const withKey = (base_url: string): readonly string[] => asFile({ base_url, tenants: [{ api_key: secret }] });

/** The message, if it is one sentence without a stack trace, and the exit code says that nothing was judged. */
function sentence({ code, stdout, stderr: written }: Outcome): string {
  expect(written).toMatch(/^product-passport-contracts: /);
  const stderr = written.replace(/^Run the command with --help to see its arguments and options\.\n$/m, '');
  expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 2, stdout: '', lines: 2 });
  expect(stderr).not.toMatch(/\n\s+at |Error:/);
  expect(stderr).not.toContain(secret);
  return stderr
    .replace(/^product-passport-contracts: /, '')
    .replaceAll(/127\.0\.0\.1:\d{4,}/g, 'HOST')
    .replaceAll(/\/\S+\/file\b/g, 'FILE')
    .trimEnd();
}

const never: Handler = () => new Promise<never>(() => {});
const html = (status: number): Response =>
  new Response('<h1>Shop</h1>', { status, headers: { 'content-type': 'text/html' } });

describe('the address', () => {
  test.each<[string, Handler]>([
    ['the provider refuses the key', service.fetch],
    ['a website responds with HTML and 200', () => html(200)],
    ['a website responds with HTML and 502', () => html(502)],
    ['another API listens there', () => Response.json({ message: 'not here' }, { status: 404 })],
    ['the connection closes without a response', () => Promise.reject(new Error('closes the connection'))],
  ])('%s', async (_what, handler) => {
    handle = handler;
    expect(sentence(await typeSuite('verify', ...withKey(baseUrl())))).toMatchSnapshot();
  });

  test.each<[string, Handler]>([
    ['the response takes longer than --timeout', never],
    [
      'the body of the response stays incomplete',
      () => new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array([123])) })),
    ],
  ])('%s', async (_what, handler) => {
    handle = handler;
    expect(sentence(await typeSuite('verify', ...withKey(baseUrl()), '--timeout', '0.2'))).toMatchSnapshot();
  });

  test.each<[string, () => Promise<string>]>([
    ['nothing listens there', async () => `http://127.0.0.1:${await freePort()}/api/v1`],
    ['an https address of a port without TLS', async () => baseUrl().replace('http:', 'https:')],
    ['the certificate is self-signed', selfSignedAddress],
  ])('%s', async (_what, address) => {
    expect(sentence(await typeSuite('verify', ...withKey(await address())))).toMatchSnapshot();
  });

  async function selfSignedAddress(): Promise<string> {
    const server = createTlsServer(selfSigned()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ending.defer(async () => void server.close());
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  }

  test('the provider of --start refuses the key', async () => {
    const start = `echo '${JSON.stringify({ base_url: baseUrl(), tenants: [{ api_key: secret }] })}'; sleep 60`;
    expect(sentence(await typeSuite('verify', '--start', start))).toMatchSnapshot();
  });

  test('JSON of this API with the type of HTML is a finding', async () => {
    handle = async (request) => {
      const response = await service.fetch(request);
      const headers = new Headers(response.headers);
      if (/json/.test(headers.get('content-type') ?? '')) headers.set('content-type', 'text/html; charset=UTF-8');
      return new Response(response.body, { status: response.status, headers });
    };
    const only = ['--only', 'PAGE-1,HTTP-6', '--generated', '0'];
    const { code, stdout } = await typeSuite('verify', ...asFile(served()), ...only);
    expect(stdout).toContain(
      '1. content-type must be application/json; charset=utf-8, is "text/html; charset=UTF-8"\n',
    );
    expect(code).toBe(1);
  });
});

describe('a redirect', () => {
  let elsewhere = '';
  let arrived = 0;
  beforeAll(async () => {
    const other = await serveFetch(async (request) => {
      arrived += 1;
      return service.fetch(request);
    });
    ending.defer(() => other.close());
    elsewhere = other.url;
  });
  const toElsewhere = (request: Request): Response => {
    const { pathname, search } = new URL(request.url);
    return new Response(null, { status: 308, headers: { location: `${elsewhere}${pathname}${search}` } });
  };

  test('of the first request ends the run, and the key stays with the provider', async () => {
    handle = toElsewhere;
    expect(sentence(await typeSuite('verify', ...withKey(baseUrl())))).toMatchSnapshot();
    expect({ requests: requests.length, arrived }).toEqual({ requests: 1, arrived: 0 });
  });

  test('of a later request fails its cases, and no request follows it', async () => {
    handle = (request) => (request.url.includes('/products') ? toElsewhere(request) : service.fetch(request));
    const { code, stdout } = await typeSuite('verify', ...asFile(served()), '--only', 'PAGE-1,PROD-1');
    expect({ code, arrived }).toEqual({ code: 1, arrived: 0 });
    expect(stdout).toContain('308');
  });
});

describe('the provider file', () => {
  const key = `"api_key": "${secret}"`;
  const address = '"base_url": "http://h/api/v1"';
  test.each([
    ['is not JSON', `{\n\n  // a comment\n${key}, }`],
    ['has no address', `{"tenants": [{${key}}]}`],
    ['has an address without /api/v1', `{"base_url": "http://h/${secret}"}`],
    ['has a number as key', `{${address}, "tenants": [{"api_key": 4711}]}`],
    ['has a text as tenants', `{${address}, "tenants": "${secret}"}`],
    ['has a token without its role', `{${address}, "access_tokens": [{"token": "${secret}"}]}`],
    ['is a list', `["${secret}"]`],
    ['is a text', `"${secret}"`],
    ['has no key', `{${address}}`],
  ])('%s', async (_fault, text) => {
    expect(sentence(await typeSuite('verify', '--provider', fileWith(text)))).toMatchSnapshot();
  });
});

test.each([
  ['verify', 'client', '--serve'],
  ['verify', 'proxy', '--upstream', 'http://127.0.0.1:1'],
])('%s %s: a port in use', async (...command) => {
  const { url, close } = await serveFetch(async () => new Response());
  const { port } = new URL(url);
  // A process, because it must also end.
  const ended = await run(`node contracts/conformance/cli/main.ts ${command.join(' ')} --port ${port}`);
  expect(sentence(ended)).toBe(`Port ${port} is in use. Choose another one.`);
  await close();
});

const refusedLines: readonly (readonly string[])[] = [
  ['verify'],
  ['verify', '--provider', '/nowhere/provider.json'],
  ['verify', 'har'],
  ['verify', 'har', 'some.har'],
  ['verify', 'har', '--base-url', 'https://h/api/v1'],
  ['verify', 'proxy'],
  ['verify', 'clint'],
  ['verify', 'client', 'npm', 'test'],
  ['init', 'provider.json'],
  ['verify', '--report'],
  ['verify', '--base-url', 'https://h/v1'],
  ['verify', '--base-url', 'ftp://h/api/v1'],
  ['verify', '--bas-url', 'https://h/api/v1'],
  ['verify', 'proxy', '--upstream', 'foo'],
  ['verify', 'proxy', '--upstream', 'http://h/api/v1'],
  ['verify', '--claim', 'core,gold'],
  ['verify', '--rate', 'quick'],
  ['verify', '--timeout', '0'],
  ['verify', '--api-key', secret],
  ['verify', `--api-key=${secret}`],
  ['verify', 'har', 'a.har', '--bas-url', secret],
  ['verify', '--start', 'exit 4'],
  ['verify', '--start', 'echo Ready on port 3000; echo; echo bye'],
  ['verify', '--start', "printf '\\357\\273\\277{}\\n'"],
  ['verify', '--start', 'echo {}'],
  ['verify', '--base-url', 'http://h/api/v1', '--seed', '1.5'],
  ['verify', '--base-url', 'http://h/api/v1', '--seed=-1'],
  ['verify', '--base-url', 'http://h/api/v1', '--seed', '1e3'],
  ['verify', '--base-url', 'http://h/api/v1', '--seed', '9007199254740993'],
  ['verify', '--base-url', 'http://127.0.0.1:1/api/v1', '--requirements', '2026-11'],
  ['plan', '--claim', 'gold'],
  ['plan', '--only', 'PAGEE-1'],
  ['verify', 'client', '--serve', '--port', '99999'],
  ['verify', 'client', '--command', 'true', '--port', '4000'],
  ['verify', 'client'],
  ['verify', 'client', '--command', 'no-such-program'],
  ['verify', 'client', '--command', 'true', '--require', 'CLIENT-9'],
];

test.each(refusedLines.map((parameters) => ({ parameters, line: parameters.join(' ') })))(
  '$line',
  async ({ parameters }) => {
    expect(sentence(await typeSuite(...parameters))).toMatchSnapshot();
  },
);

describe('the command line', () => {
  test.each<[readonly string[], string]>([
    [['verify', 'proxy', '--json'], 'verify proxy has no option --json.'],
    [['plan', '--json', '--claims'], 'plan has no option --claims. Did you mean --claim?'],
    [['verify', '--base-url', 'https://h/v1', '--json'], 'verify has no option --json.'],
  ])('%j prints the error as JSON', async (parameters, message) => {
    const stderr = `${JSON.stringify({ error: { message } })}\n`;
    expect(await typeSuite(...parameters)).toEqual({ code: 2, stdout: '', stderr });
  });

  test('without arguments prints the help, and exits with 2', async () => {
    const { code, stdout, stderr } = await typeSuite();
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Usage: product-passport-contracts [options] [command]');
  });

  test('a word that is not known ends with advice', async () => {
    const { stderr } = await typeSuite('verify', '--bas-url', 'https://h/api/v1');
    expect(stderr).toMatch(/\nRun the command with --help to see its arguments and options\.\n$/);
  });

  test('names both a file and a command', async () => {
    const start = `echo '${JSON.stringify(served())}'; sleep 60`;
    expect(sentence(await typeSuite('verify', ...asFile(served()), '--start', start))).toMatchSnapshot();
  });

  test.each(['PAGEE-1', 'PAGE-1.defualts', 'PAGE-1,GS1-4'])('--only %s chooses nothing', async (only) => {
    const parameters = ['verify', ...withKey(baseUrl()), '--claim', 'core', '--only', only];
    expect(sentence(await typeSuite(...parameters))).toMatchSnapshot();
    expect(requests).toEqual([]);
  });
});

describe('the list of expected failures', () => {
  const verifyWith = (list: string, only = 'AUTH-1,PAGE-1') =>
    typeSuite('verify', ...asFile(served()), '--only', only, '--expected-failures', fileWith(list));

  test.each([
    'PAGE-1.none  # why',
    '# a comment\n\nPAGE-1.defaults',
    'PAGE-1.defaults  #',
    'PAGE-1.defaults # one\r\nPAGE-1.defaults # two',
  ])('%j', async (list) => {
    expect(sentence(await verifyWith(list))).toMatchSnapshot();
  });

  /** The default page has 20 products. */
  const ofTwenty: Handler = async (request) => {
    const response = await service.fetch(request);
    if (!request.url.endsWith('/products')) return response;
    return Response.json({ ...JSON.parse(await response.text()), limit: 20 }, response);
  };

  test('a listed case that passes fails the run', async () => {
    const { code, stdout } = await verifyWith('PAGE-1.defaults  # 20 until version 2');
    expect(code).toBe(1);
    expect(stdout).toContain('1. The case passes, but the list of expected failures names it. Remove the line.');
    expect(stdout).toMatch(/\nnot conformant: 1 case failed\.\n/);
  });

  test('a listed case that fails does not fail the run, and the run says so', async () => {
    handle = ofTwenty;
    expect((await verifyWith('', 'PAGE-1.defaults')).code).toBe(1);
    const { code, stdout } = await verifyWith('PAGE-1.defaults  # 20 until version 2', 'PAGE-1.defaults');
    expect(stdout).toMatch(/^1 expected.fail\w+$/m);
    expect(code).toBe(3);
  });

  test('--write-expected writes it, and you add the reasons', async () => {
    handle = ofTwenty;
    const file = join(newFolder(), 'expected.txt');
    const earlier = fileWith('PAGE-1.echo  # passes now\nPAGE-3.last  # does not run');
    const write = ['--only', 'PAGE-1', '--expected-failures', earlier, '--write-expected', file];
    expect((await typeSuite('verify', ...asFile(served()), ...write)).code).toBe(1);
    const list = readFileSync(file, 'utf8');
    expect(list.replace(/^#.*\n/gm, '')).toBe('PAGE-3.last  # does not run\nPAGE-1.defaults  #\n');
    expect(list).toContain('# A list without parameters has limit 50 and offset 0.');
    expect(sentence(await verifyWith(list))).toMatch(/^Line 4 .* needs an id and a reason: /);
    const { code } = await verifyWith(list.replace('defaults  #', 'defaults  # fixed'), 'PAGE-1.defaults');
    expect(code).toBe(3);
  });
});

describe('a key in the environment', () => {
  afterEach(() => {
    delete process.env.PRODUCT_PASSPORT_KEY;
  });

  test.each([secret, 'short', 'a key with blanks'])('that is wrong is named by its variable: %s', async (key) => {
    process.env.PRODUCT_PASSPORT_KEY = key;
    expect(sentence(await typeSuite('verify', '--base-url', baseUrl()))).toMatchSnapshot();
    // A provider file with keys of its own does not use the variable.
    const { stdout } = await typeSuite('verify', ...asFile(served()), '--only', 'PAGE-1.defaults');
    expect(stdout).toMatch(/^1 passed$/m);
  });
});
