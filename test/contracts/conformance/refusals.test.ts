/** What a first user gets wrong: one sentence each that says what to repair, and never a stack trace or a key. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createFakeService } from '../../../sdk/src/testing/service/index.ts';
import { selfSigned } from '../../support/certificate.ts';
import { ending, fileWith, newFolder } from '../../support/files.ts';
import { freePort, type Outcome, run } from '../../support/program.ts';
import { serveFetch } from '../../support/serve-fetch.ts';
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
  return stderr.replace(/^product-passport-contracts: /, '').trimEnd();
}

describe('the address', () => {
  test('nothing listens there', async () => {
    const dead = `http://127.0.0.1:${await freePort()}/api/v1`;
    expect(sentence(await typeSuite('verify', ...withKey(dead)))).toBe(
      `${dead} does not respond: nothing listens at this address.`,
    );
  });

  test('the provider refuses the key', async () => {
    const [option, file = ''] = withKey(baseUrl());
    expect(sentence(await typeSuite('verify', option ?? '', file))).toBe(
      `${baseUrl()} refuses the API key in tenants[0].api_key of ${file} (401). Check key and address.`,
    );
    const start = `echo '${JSON.stringify({ base_url: baseUrl(), tenants: [{ api_key: secret }] })}'; sleep 60`;
    expect(sentence(await typeSuite('verify', '--start', start))).toBe(
      `${baseUrl()} refuses the API key in tenants[0].api_key of the line of --start (401). Check key and address.`,
    );
  });

  test('an https address of a port without TLS', async () => {
    const address = baseUrl().replace('http:', 'https:');
    expect(sentence(await typeSuite('verify', ...withKey(address)))).toBe(
      `${address} does not respond: it does not speak TLS. Use http:// for a plain port.`,
    );
  });

  test('JSON of this API with the type of HTML is a finding', async () => {
    handle = async (request) => {
      const response = await service.fetch(request);
      const headers = new Headers(response.headers);
      if (/json/.test(headers.get('content-type') ?? '')) headers.set('content-type', 'text/html; charset=UTF-8');
      return new Response(response.body, { status: response.status, headers });
    };
    const { code, stderr } = await typeSuite(
      'verify',
      ...asFile(served()),
      '--only',
      'PAGE-1,HTTP-6',
      '--generated',
      '0',
    );
    expect(stderr).toContain(
      '\n1. content-type must be application/json; charset=utf-8, is "text/html; charset=UTF-8"\n',
    );
    expect(code).toBe(1);
  });

  test.each([200, 502])('a website responds with HTML and %s', async (status) => {
    handle = () => new Response('<h1>Shop</h1>', { status, headers: { 'content-type': 'text/html' } });
    expect(sentence(await typeSuite('verify', ...withKey(baseUrl())))).toBe(
      `${baseUrl()}/me responds with HTML (${status}), not with this API. Check the address.`,
    );
  });

  test('another API listens there', async () => {
    handle = () => Response.json({ message: 'not here' }, { status: 404 });
    expect(sentence(await typeSuite('verify', ...withKey(baseUrl())))).toBe(
      `${baseUrl()}/me does not exist (404). Check the address.`,
    );
  });

  test('the response takes longer than --timeout', async () => {
    handle = () => new Promise<never>(() => {});
    expect(sentence(await typeSuite('verify', ...withKey(baseUrl()), '--timeout', '0.2'))).toBe(
      `${baseUrl()} does not respond: no complete response within 0.2 seconds.`,
    );
  });

  test.each([
    ['PAGEE-1', '--only has PAGEE-1, but no case id begins with it. The nearest are: PAGE-1, PAGE-2, PAGE-3.'],
    ['PAGE-1.defualts', '--only has PAGE-1.defualts, but no case id begins with it. The nearest are: PAGE-1.defaults.'],
    ['PAGE-1,GS1-4', '--only has GS1-4, whose cases need another claim. Add digital-link to --claim.'],
  ])('--only %s chooses nothing', async (only, expected) => {
    const { code, stderr } = await typeSuite('verify', ...withKey(baseUrl()), '--claim', 'core', '--only', only);
    expect({ code, requests: requests.length }).toEqual({ code: 2, requests: 0 });
    expect(stderr).toContain(expected);
  });

  test('the body of the response stays incomplete', async () => {
    const start = new Uint8Array([123]);
    handle = () => new Response(new ReadableStream({ start: (body) => body.enqueue(start) }));
    expect(sentence(await typeSuite('verify', ...withKey(baseUrl()), '--timeout', '0.2'))).toBe(
      `${baseUrl()} does not respond: no complete response within 0.2 seconds.`,
    );
  });

  test('the connection closes without a response', async () => {
    handle = () => Promise.reject(new Error('closes the connection'));
    expect(sentence(await typeSuite('verify', ...withKey(baseUrl())))).toBe(
      `${baseUrl()} does not respond: the provider closed the connection without a response.`,
    );
  });

  test('the certificate is self-signed', async () => {
    const server = createTlsServer(selfSigned()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ending.defer(async () => void server.close());
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
    expect(sentence(await typeSuite('verify', ...withKey(address)))).toBe(
      `${address} does not respond: the certificate is self-signed. Set NODE_EXTRA_CA_CERTS to the file of its authority.`,
    );
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
    expect(sentence(await typeSuite('verify', ...withKey(baseUrl())))).toBe(
      `${baseUrl()}/me redirects (308). Keys follow no redirect: use the address it leads to.`,
    );
    expect({ requests: requests.length, arrived }).toEqual({ requests: 1, arrived: 0 });
  });

  test('of a later request fails its cases, and no request follows it', async () => {
    handle = (request) => (request.url.includes('/products') ? toElsewhere(request) : service.fetch(request));
    const { code, stderr } = await typeSuite('verify', ...asFile(served()), '--only', 'PAGE-1,PROD-1');
    expect({ code, arrived }).toEqual({ code: 1, arrived: 0 });
    expect(stderr).toContain('308');
  });
});

describe('in the run', () => {
  test('a response that takes longer than --timeout fails its case', async () => {
    handle = (request) => (request.url.includes('/products') ? new Promise(() => {}) : service.fetch(request));
    const { code, stderr } = await typeSuite(
      'verify',
      ...asFile(served()),
      '--only',
      'PAGE-1.defaults',
      '--timeout',
      '0.2',
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/^1\. GET \/api\/v1\/products: no complete response within 0\.2 seconds$/m);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('a tenant without products makes it incomplete, and the run names what to supply', async () => {
    const { apiKey } = service.addTenant({ slug: 'leer' });
    const folder = newFolder();
    const provider = { base_url: baseUrl(), site_url: url, tenants: [{ api_key: apiKey }] };
    const { code, stderr } = await typeSuite('verify', ...asFile(provider), '--report', folder, '--generated', '0');
    expect(code).toBe(3);
    expect(stderr).toMatch(/\nincomplete: \d+ cases could not run\.\n/);
    for (const supply of ['Add a second tenant', 'Add `revoked_api_key`', 'Activate a product', 'as `field_keys`']) {
      expect(stderr).toContain(supply);
    }
    const { cases } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
    const statuses = new Set(cases.map(({ status }: { status: string }) => status));
    expect([...statuses].sort()).toEqual(['passed', 'skipped']);
  });
});

describe('the provider file', () => {
  const key = `"api_key": "${secret}"`;
  test.each<[string, string, RegExp]>([
    [
      'is not JSON',
      `{\n\n  // a comment\n${key}, }`,
      /^The provider file is not JSON at line 4, column 49\. The command init writes a template\.$/,
    ],
    ['has no address', `{"tenants": [{${key}}]}`, /must have required property 'base_url'/],
    [
      'has an address without /api/v1',
      `{"base_url": "http://h/${secret}"}`,
      /base_url must be an http address that ends/,
    ],
    [
      'has a number as key',
      '{"base_url": "http://h/api/v1", "tenants": [{"api_key": 4711}]}',
      /tenants\/0\/api_key must be/,
    ],
    ['has a text as tenants', `{"base_url": "http://h/api/v1", "tenants": "${secret}"}`, /tenants must be array/],
    [
      'has a token without its role',
      `{"base_url": "http://h/api/v1", "access_tokens": [{"token": "${secret}"}]}`,
      /role/,
    ],
    ['is a list', `["${secret}"]`, /base_url/],
    ['is a text', `"${secret}"`, /base_url/],
    ['has no key', '{"base_url": "http://h/api/v1"}', /^No API key\. Set PRODUCT_PASSPORT_KEY, or /],
  ])('%s', async (_fault, text, message) => {
    expect(sentence(await typeSuite('verify', '--provider', fileWith(text)))).toMatch(message);
  });

  test('does not exist', async () => {
    expect(sentence(await typeSuite('verify', '--provider', '/nowhere/provider.json'))).toMatch(
      /^The file \/nowhere\/provider\.json does not exist\.$/,
    );
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

describe('the command line', () => {
  test.each<[readonly string[], RegExp]>([
    [
      ['verify'],
      /^Name the provider: --base-url URL, PRODUCT_PASSPORT_URL, --provider FILE or --start COMMAND\. .*set PRODUCT_PASSPORT_KEY/,
    ],
    [['verify', 'har'], /^verify har needs <file>, --base-url <url>\.$/],
    [['verify', 'har', 'some.har'], /^verify har needs --base-url <url>\.$/],
    [['verify', 'har', '--base-url', 'https://h/api/v1'], /^verify har needs <file>\.$/],
    [['verify', 'proxy'], /^verify proxy needs --upstream <url>\.$/],
    [['verify', 'clint'], /^there is no command verify clint\. Did you mean client\?$/],
    [
      ['verify', 'client', 'npm', 'test'],
      /^verify client takes no argument, and got "npm" "test"\. Quote a value with spaces\.$/,
    ],
    [['init', 'provider.json'], /^init takes no argument, and got "provider\.json"\./],
    [['verify', '--report'], /^--report needs a value: --report <directory>\.$/],
    [
      ['verify', '--base-url', 'https://h/v1'],
      /must be an http address that ends in \/api\/v1, .*, is https:\/\/h\/v1\.$/,
    ],
    [['verify', '--base-url', 'ftp://h/api/v1'], /^--base-url must be an http address .*, is ftp:\/\/h\/api\/v1\.$/],
    [['verify', 'proxy', '--upstream', 'foo'], /^--upstream is "foo"\. Use the address without \/api\/v1, /],
    [['verify', 'proxy', '--upstream', 'http://h/api/v1'], /^--upstream is "http:\/\/h\/api\/v1"\./],
    [
      ['verify', '--claim', 'core,gold'],
      /^--claim is "core,gold"\. Use one or more of: core, public, digital-link, reference\.$/,
    ],
    [['verify', '--rate', 'quick'], /^--rate is "quick"\. Use a number above 0\.$/],
    [['verify', '--timeout', '0'], /^--timeout is "0"\. Use a number above 0\.$/],
    [['verify', '--api-key', secret], /^verify has no option --api-key\.$/],
    [['verify', `--api-key=${secret}`], /^verify has no option --api-key\.$/],
    [
      ['verify', 'har', 'a.har', '--bas-url', secret],
      /^verify har has no option --bas-url\. Did you mean --base-url\?$/,
    ],
    [
      ['verify', '--start', 'exit 4'],
      /^The command of --start ended with code 4 before it printed its provider line\. It printed nothing\. It must print the provider file in one line, /,
    ],
    [
      ['verify', '--start', 'echo Ready on port 3000; echo; echo bye'],
      /before it printed its provider line\. It printed "Ready on port 3000", "bye"\. It must print/,
    ],
    [
      ['verify', '--start', "printf '\\357\\273\\277{}\\n'"],
      /^The line that the command of --start printed is wrong: .*base_url/,
    ],
    [['verify', '--start', 'echo {}'], /^The line that the command of --start printed is wrong: .*base_url/],
    [['plan', '--claim', 'gold'], /^--claim is "gold"\. Use one or more of: core/],
    [['verify', 'client', '--serve', '--port', '99999'], /^--port is "99999"\. Use a port from 0 to 65535\.$/],
    [['verify', 'client', '--command', 'true', '--port', '4000'], /^--port needs --serve\.$/],
  ])('%j', async (parameters, message) => {
    expect(sentence(await typeSuite(...parameters))).toMatch(message);
  });

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

  test('names the nearest option', async () => {
    expect(await typeSuite('verify', '--bas-url', 'https://h/api/v1')).toMatchObject({
      code: 2,
      stderr:
        'product-passport-contracts: verify has no option --bas-url. Did you mean --base-url?\n' +
        'Run the command with --help to see its arguments and options.\n',
    });
  });

  test('names both a file and a command', async () => {
    const start = `echo '${JSON.stringify(served())}'; sleep 60`;
    expect(sentence(await typeSuite('verify', ...asFile(served()), '--start', start))).toBe(
      'Use --provider or --start, not both.',
    );
  });
});

describe('the list of expected failures', () => {
  const verifyWith = (list: string, only = 'AUTH-1,PAGE-1') =>
    typeSuite('verify', ...asFile(served()), '--only', only, '--expected-failures', fileWith(list));

  test.each([
    ['PAGE-1.none  # why', 'Line 1 of the expected failures names PAGE-1.none, which this suite does not have.'],
    ['# a comment\n\nPAGE-1.defaults', 'Line 3 of the expected failures needs an id and a reason: ID  # reason'],
    ['PAGE-1.defaults  #', 'Line 1 of the expected failures needs an id and a reason: ID  # reason'],
    ['PAGE-1.defaults # one\r\nPAGE-1.defaults # two', 'Line 2 of the expected failures names PAGE-1.defaults again.'],
  ])('%j', async (list, message) => {
    expect(sentence(await verifyWith(list))).toBe(message);
  });

  test('a listed case that passes fails the run', async () => {
    const { code, stderr } = await verifyWith('PAGE-1.defaults  # 20 until version 2');
    expect(code).toBe(1);
    expect(stderr).toContain('1. The case passes, but the list of expected failures names it. Remove the line.');
    expect(stderr).toMatch(/\nnot conformant: 1 case failed\.\n/);
  });

  test('a listed case that fails does not fail the run, and the run says so', async () => {
    handle = async (request) => {
      const response = await service.fetch(request);
      if (!request.url.endsWith('/products')) return response;
      return Response.json({ ...JSON.parse(await response.text()), limit: 20 }, response);
    };
    expect((await verifyWith('', 'PAGE-1.defaults')).code).toBe(1);
    const { code, stderr } = await verifyWith('PAGE-1.defaults  # 20 until version 2', 'PAGE-1.defaults');
    expect(stderr).toMatch(/^1 expected.fail\w+$/m);
    expect(code).toBe(3);
  });

  test('--write-expected writes it, and you add the reasons', async () => {
    handle = async (request) => {
      const response = await service.fetch(request);
      if (!request.url.endsWith('/products')) return response;
      return Response.json({ ...JSON.parse(await response.text()), limit: 20 }, response);
    };
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

test.each(['1.5', '-1', 'x', '1e3', '9007199254740993'])('--seed %s is refused', async (seed) => {
  const message = sentence(await typeSuite('verify', ...withKey(baseUrl()), `--seed=${seed}`));
  expect(message).toBe(`--seed is "${seed}". Use a whole number, 0 or above.`);
  expect(requests).toEqual([]);
});

test('a key in the environment that the provider refuses is named by its variable', async () => {
  process.env.PRODUCT_PASSPORT_KEY = secret;
  try {
    expect(sentence(await typeSuite('verify', '--base-url', baseUrl()))).toBe(
      `${baseUrl()} refuses the API key in PRODUCT_PASSPORT_KEY (401). Check key and address.`,
    );
  } finally {
    delete process.env.PRODUCT_PASSPORT_KEY;
  }
});

test.each(['short', 'a key with blanks'])(
  'a wrong key in the environment is named by its variable: %s',
  async (key) => {
    process.env.PRODUCT_PASSPORT_KEY = key;
    try {
      const message = sentence(await typeSuite('verify', '--base-url', baseUrl()));
      expect(message).toMatch(/^The environment variable PRODUCT_PASSPORT_KEY must have at least 8 characters/);
      expect(message).not.toMatch(/provider file/);
      // A provider file with keys of its own does not use the variable.
      const { stderr } = await typeSuite('verify', ...asFile(served()), '--only', 'PAGE-1.defaults');
      expect(stderr).toMatch(/^1 passed$/m);
    } finally {
      delete process.env.PRODUCT_PASSPORT_KEY;
    }
  },
);
