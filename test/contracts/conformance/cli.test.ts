/**
 * The command line: what it sends, and when, and what a first user gets wrong. Each mistake gets one sentence that says what to
 * repair, without a stack trace or a key. The snapshot has the sentences.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { capabilities } from '../../../contracts/conformance/claims.ts';
import { type Plan, serviceWithStates } from '../../../contracts/conformance/plan.ts';
import type { FakeService } from '../../../sdk/src/testing/service/index.ts';
import { selfSigned } from '../../support/certificate.ts';
import { ending, fileWith, newFolder } from '../../support/files.ts';
import { freePort, type Outcome, root, run } from '../../support/program.ts';
import { listen, serveFetch } from '../../support/serve.ts';
import { asFile, typeReporting, typeSuite } from '../../support/suite.ts';

interface Sent {
  readonly method: string;
  readonly path: string;
  /** In milliseconds. */
  readonly at: number;
}

const secret = 'ppk_a-key-that-no-output-may-show';
type Handler = (request: Request) => Response | Promise<Response>;

let url = '';
let service: FakeService;
const ofService: Handler = (request) => service.fetch(request);
/** What the server does in the current test. */
let handle = ofService;
let sent: Sent[] = [];
beforeAll(async () => {
  const served = await serveFetch(async (request) => {
    const { pathname, search } = new URL(request.url);
    sent.push({ method: request.method, path: `${pathname}${search}`, at: performance.now() });
    return handle(request);
  });
  ending.defer(() => served.close());
  url = served.url;
});
beforeEach(async () => {
  sent = [];
  service = await serviceWithStates({ siteUrl: url });
  handle = ofService;
});
afterEach(() => {
  delete process.env.PRODUCT_PASSPORT_URL;
  delete process.env.PRODUCT_PASSPORT_KEY;
});

const baseUrl = (): string => `${url}/api/v1`;
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
    ['the provider refuses the key', ofService],
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
    return `${await listen(createTlsServer(selfSigned()))}/api/v1`;
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
    const { code, stdout } = await typeSuite('verify', ...asFile(service.provider), ...only);
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
    expect({ requests: sent.length, arrived }).toEqual({ requests: 1, arrived: 0 });
  });

  test('of a later request fails its cases, and no request follows it', async () => {
    handle = (request) => (request.url.includes('/products') ? toElsewhere(request) : service.fetch(request));
    const { code, stdout } = await typeSuite('verify', ...asFile(service.provider), '--only', 'PAGE-1,PROD-1');
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
    [
      'has misspelt members',
      `{${address}, "tenant": [{${key}}], "tenants": [{${key}, "sulg": "x"}], "admin_url": "x"}`,
    ],
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

const oneEntry = fileWith(
  JSON.stringify({
    log: { entries: [{ request: { method: 'GET', url: 'https://h/api/v1/me' }, response: { status: 200 } }] },
  }),
);

const refusedLines: readonly (readonly string[])[] = [
  ['verify'],
  ['verify', '--provider', '/nowhere/provider.json'],
  ['verify', 'har'],
  ['verify', 'har', 'some.har'],
  ['verify', 'har', '--base-url', 'https://h/api/v1'],
  ['verify', 'proxy'],
  ['verify', 'har', '--base-url', 'https://h/api/v1', '--require', 'listProdcuts', oneEntry],
  ['verify', 'har', '--base-url', 'https://h/api/v1', '--require', 'setProductStatus', oneEntry],
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
  ['verify', '--timeout', '2147484'],
  ['verify', '--rate', '1e-9'],
  ['verify', '--base-url', 'http://127.0.0.1:1/api/v1', '--report', '/dev/null'],
  ['verify', '--base-url', 'http://127.0.0.1:1/api/v1', '--report', '/proc/none'],
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

test.each(refusedLines.map((parameters) => ({ parameters, line: parameters.join(' ').replace(oneEntry, 'one.har') })))(
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

  test.each([
    ['without arguments prints the help', [], /^Usage: product-passport-contracts \[options\] \[command\]/m],
    ['ends with advice after an unknown word', ['verify', '--bas-url', 'x'], /\nRun the command with --help .*\.\n$/],
  ])('%s, and exits with 2', async (_what, parameters, words) => {
    const { code, stdout, stderr } = await typeSuite(...parameters);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(words)]);
  });

  test('names both a file and a command', async () => {
    const start = `echo '${JSON.stringify(service.provider)}'; sleep 60`;
    expect(sentence(await typeSuite('verify', ...asFile(service.provider), '--start', start))).toMatchSnapshot();
  });

  test.each(['PAGEE-1', 'PAGE-1.defualts', 'PAGE-1,GS1-4'])('--only %s chooses nothing', async (only) => {
    const parameters = ['verify', ...withKey(baseUrl()), '--claim', 'core', '--only', only];
    expect(sentence(await typeSuite(...parameters))).toMatchSnapshot();
    expect(sent).toEqual([]);
  });
});

describe('the list of expected failures', () => {
  const verifyWith = (list: string, only = 'AUTH-1,PAGE-1') =>
    typeSuite('verify', ...asFile(service.provider), '--only', only, '--expected-failures', fileWith(list));

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
    expect(code).toBe(0);
  });

  test('a listed case that did not run is told', async () => {
    const { tenants, base_url } = service.provider;
    const list = fileWith('AUTH-3.revoked-getMe  # keys stay\nPAGE-1.defaults  # not chosen\nAUTH-1.getMe  # asks');
    const parameters = [...asFile({ base_url, tenants }), '--only', 'AUTH-', '--expected-failures', list];
    const { code, stdout } = await typeSuite('verify', ...parameters);
    expect(stdout).toContain(
      'Note: Listed cases that did not run, so nobody knows whether they fail: AUTH-3.revoked-getMe.\n',
    );
    expect(code).toBe(1);
  });

  /** Every second list without parameters, or every one, is of twenty. */
  const sometimes = (every: number): Handler => {
    let count = 0;
    return (request) => {
      if (request.url.endsWith('/products')) count += 1;
      return count % every === 1 % every ? ofTwenty(request) : ofService(request);
    };
  };

  test.each([
    ['sometimes fails', () => sometimes(2), 'PAGE-1.defaults failed in 1 of 2 runs (a cache).'],
    [
      'fails in every run',
      () => ofTwenty,
      'PAGE-1.defaults failed in 3 of 3 runs (a cache). It does not sometimes pass: list it as an expected failure.',
    ],
    ['passes', () => ofService, 'PAGE-1.defaults failed in 0 of 1 run (a cache).'],
  ])('a case on the list of those that sometimes pass is counted apart: it %s', async (_what, handler, note) => {
    handle = handler();
    const flaky = fileWith('PAGE-1.defaults  # a cache');
    const parameters = [...asFile(service.provider), '--only', 'PAGE-1', '--flaky', flaky, '--generated', '0'];
    const { code, stdout, report } = await typeReporting('verify', ...parameters);
    expect(stdout).toContain(`Note: ${note}\n`);
    expect(stdout).toMatch(/^\d+ passed, 1 sometimes passes$/m);
    expect({ code, verdict: report.verdict, badge: report.badge }).toEqual({ code: 0, verdict: 'passed' });
    const both = await typeSuite('verify', ...parameters, '--expected-failures', flaky);
    expect(sentence(both)).toBe('PAGE-1.defaults is in both lists: it fails always, or sometimes.');
  });

  test('--write-expected writes it, and you add the reasons', async () => {
    handle = ofTwenty;
    const file = join(newFolder(), 'expected.txt');
    const earlier = fileWith('PAGE-1.echo  # passes now\nPAGE-3.last  # does not run');
    const write = ['--only', 'PAGE-1', '--expected-failures', earlier, '--write-expected', file];
    expect((await typeSuite('verify', ...asFile(service.provider), ...write)).code).toBe(1);
    const list = readFileSync(file, 'utf8');
    expect(list.replace(/^#.*\n/gm, '')).toBe('PAGE-3.last  # does not run\nPAGE-1.defaults  #\n');
    expect(list).toContain('# A list without parameters has limit 50 and offset 0.');
    expect(sentence(await verifyWith(list))).toMatch(/^Line 4 .* needs an id and a reason: /);
    const { code } = await verifyWith(list.replace('defaults  #', 'defaults  # fixed'), 'PAGE-1.defaults');
    expect(code).toBe(0);
  });
});

describe('what a provider file declares absent', () => {
  const without = { 'expiring tokens': 'tokens end by revocation only', 'tokens for one product': 'there are none' };
  /** A provider whose tokens never expire, and open all products. */
  function declared(change: object = {}): object {
    const { expired_access_token: _, ...provider } = service.provider;
    const access_tokens = provider.access_tokens.map(({ tenant, role, revoked }) => {
      const token = service.addToken({ tenant, role });
      if (revoked) service.revokeToken(token);
      return { tenant, product: null, role, revoked, token };
    });
    return { ...provider, access_tokens, without, ...change };
  }
  const verifyTokens = (change?: object) =>
    typeSuite('verify', ...asFile(declared(change)), '--only', 'PUB-3,AUTH-1.getMe', '--generated', '0');

  test('does not count, and the verdict names it', async () => {
    const whole = ['verify', ...asFile(declared()), '--claim', 'public', '--generated', '0'];
    const { code, stdout, report } = await typeReporting(...whole);
    const verdict = 'conformant, without: tokens for one product (2 cases), expiring tokens (2 cases)';
    expect(report.badge).toBe(verdict);
    expect(stdout).toContain('Note: There are no expiring tokens: tokens end by revocation only\n');
    expect(stdout).toContain(`\n${verdict}: The provider conforms to the contract in everything that it claims.\n`);
    expect(stdout).toMatch(/^\d+ passed, 4 declared absent$/m);
    expect(code).toBe(0);
    // Without the declaration it is incomplete for ever.
    expect((await verifyTokens({ without: undefined })).code).toBe(3);
  });

  test('and is seen in a response, is a failure', async () => {
    const { tenant } = service.provider.active_product;
    const [first] = service.provider.access_tokens;
    const hidden = { tenant, product: null, role: 'recycler', revoked: false, token: first?.token };
    const { code, stdout } = await verifyTokens({ access_tokens: [hidden] });
    expect(stdout).toContain(
      '1. The provider file declares that there are no tokens for one product, and the responses show that there are. (2 cases)',
    );
    expect(code).toBe(1);
  });

  const token = (value: string, product: string | null = null) => ({
    access_tokens: [{ tenant: 'skellig', product, role: 'recycler', token: value }],
  });
  test.each([
    [{ expired_access_token: 'expired-token' }],
    [token(`e30.${Buffer.from('{"exp":1}').toString('base64url')}.e30`)],
    [token('a-token-of-one-product', 'bicycle-lamp')],
    [{ without: { revocation: 'keys stay valid' } }],
    [{ without: { 'expiring tokens': '' } }],
  ])('and is in the same file, or is not open, is a wrong file: %j', async (change) => {
    expect(sentence(await verifyTokens(change))).toMatchSnapshot();
  });

  test('can be what the schema of the file lists', () => {
    const schema = JSON.parse(readFileSync(join(root, 'contracts/schemas/provider.schema.json'), 'utf8'));
    expect(Object.keys(schema.properties.without.properties)).toEqual([...capabilities]);
  });
});

test.each([secret, 'short', 'a key with blanks'])(
  'a wrong key in the environment is named by its variable: %s',
  async (key) => {
    process.env.PRODUCT_PASSPORT_KEY = key;
    expect(sentence(await typeSuite('verify', '--base-url', baseUrl()))).toMatchSnapshot();
    // A provider file with keys of its own does not use the variable.
    const { stdout } = await typeSuite('verify', ...asFile(service.provider), '--only', 'PAGE-1.defaults');
    expect(stdout).toMatch(/^1 passed$/m);
  },
);

const isPage = ({ method, path }: Sent): boolean => method === 'GET' && /^\/p\/[^/]+\/[^/]+\/?(\?|$)/.test(path);

describe('plan', () => {
  test('has the numbers of verify, and names the products that it creates', async () => {
    const plan: Plan = JSON.parse((await typeSuite('plan', '--json')).stdout);
    expect(sent).toEqual([]);
    const slugs = async (): Promise<string[]> => {
      const headers = { authorization: `Bearer ${service.provider.tenants[0]?.api_key}` };
      const response = await service.fetch(`${url}/api/v1/products?limit=200`, { headers });
      return (await response.json()).items.map(({ slug }: { slug: string }) => slug);
    };
    const before = await slugs();
    // The plan has one generated request of each operation, which is what so short a time allows.
    const { stdout } = await typeSuite('verify', ...asFile(service.provider), '--seed', '1', '--generated', '0.001');

    const total = Object.values(plan.requests).reduce((sum, count) => sum + count, 0);
    // A generated request may lead to another one.
    expect(Math.abs(total - sent.length)).toBeLessThanOrEqual(3);
    expect(plan.scans).toBe(sent.filter(isPage).length);
    const results = stdout.trimEnd().split('\n').at(-1) ?? '';
    const cases = results.match(/\d+/g)?.reduce((sum, count) => sum + Number(count), 0);
    expect(plan.cases).toBe(cases);
    const added = (await slugs()).filter((slug) => !before.includes(slug));
    const planned = plan.created.filter(({ tenant }) => tenant === 'first').map(({ slug }) => slug);
    expect(planned.length).toBeGreaterThan(5);
    expect(added.length).toBe(planned.length);
    expect(added.filter((slug) => slug.startsWith('verify-')).filter((slug) => !planned.includes(slug))).toEqual([]);
  });

  test('for people names the total, the products and the scans', async () => {
    const { code, stdout, stderr } = await typeSuite('plan');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\d+ cases of core, public\./);
    expect(stdout).toMatch(/^It sends about \d+ requests:$/m);
    expect(stdout).toMatch(/adds at most five:$/m);
    expect(stdout).toMatch(/expired token \(2 cases\): .*declare there that tokens never expire: `"without": /);
    expect(stdout).toMatch(/^It requests \d+ passport pages\. Each counts as a scan\.$/m);
  });
});

test('--rate is the maximum number of requests per second', async () => {
  await typeSuite('verify', ...asFile(service.provider), '--only', 'PAGE-1', '--rate', '40');
  expect(sent.length).toBeGreaterThan(5);
  const [first, last] = [sent.at(0)?.at ?? 0, sent.at(-1)?.at ?? 0];
  // A busy machine may receive the first request late.
  expect(last - first).toBeGreaterThan(((sent.length - 1) * 1000) / 40 - 100);
});

describe('--start', () => {
  /** A shell that starts a child of its own, as npx does, and writes a file when the child ends. */
  const command = (line: string): { readonly command: string; readonly ended: string } => {
    const folder = newFolder();
    const ended = join(folder, 'ended');
    const script = fileWith(
      [
        // First, because the suite may stop the provider as soon as it has read the line.
        `process.on('SIGTERM', () => { require('node:fs').writeFileSync(${JSON.stringify(ended)}, String(process.pid)); process.exit(); });`,
        `console.log('A line that is not JSON');`,
        `console.log(${JSON.stringify(line)});`,
        'setInterval(() => {}, 1000);',
      ].join('\n'),
    );
    return { command: `${process.execPath} ${script} & wait`, ended };
  };

  test.each([
    ['a run', () => JSON.stringify(service.provider), 0],
    ['a line that is wrong', () => '{"base_url": "nowhere"}', 2],
  ])('reads the line of the provider, and stops the provider with its children after %s', async (_what, line, code) => {
    const { command: start, ended } = command(line());
    expect((await typeSuite('verify', '--start', start, '--only', 'PAGE-1.defaults')).code).toBe(code);
    for (let tries = 0; tries < 500 && !existsSync(ended); tries += 1) await delay(20);
    expect(existsSync(ended)).toBe(true);
  });

  test('stops the provider and writes the report after Ctrl+C', async () => {
    const { command: provider, ended } = command(JSON.stringify(service.provider));
    const report = newFolder();
    const main = join(root, 'contracts/conformance/cli/main.ts');
    const child = spawn(process.execPath, [main, 'verify', '--rate', '50', '--start', provider, '--report', report]);
    while (sent.length < 10) await delay(20);
    // A shell and npx may both send the signal.
    for (const signal of ['SIGINT', 'SIGINT'] as const) child.kill(signal);
    const [code] = await once(child, 'exit');
    expect(code).toBe(3);
    expect(existsSync(ended)).toBe(true);
    const written = JSON.parse(readFileSync(join(report, 'report.json'), 'utf8'));
    expect(written).toMatchObject({ verdict: 'incomplete', because: 'Only a part of the cases ran.' });
  });
});

test('init prints a template that verify accepts once its values are filled in', async () => {
  const { code, stdout } = await typeSuite('init');
  const {
    tenants,
    publishing_api_key,
    revoked_api_key,
    access_tokens,
    expired_access_token,
    active_product,
    field_keys,
  } = service.provider;
  const values = [
    ...tenants.map(({ api_key }) => api_key),
    publishing_api_key,
    revoked_api_key,
    ...access_tokens.filter(({ tenant }) => tenant === active_product.tenant).map(({ token }) => token),
    expired_access_token,
  ];
  const filled = stdout
    .replaceAll('http://127.0.0.1:3000', url)
    .replace(
      '"material", "weight"',
      field_keys
        .slice(0, 2)
        .map((key) => `"${key}"`)
        .join(', '),
    )
    .replaceAll('active-product', active_product.slug)
    .replaceAll('first-tenant', tenants[0]?.slug ?? '')
    .replaceAll('second-tenant', tenants[1]?.slug ?? '')
    .replaceAll('"..."', () => JSON.stringify(values.shift()));
  expect(code).toBe(0);
  expect(values).toEqual([]);
  expect(filled).toContain('//');
  const verified = await typeSuite(
    'verify',
    '--provider',
    fileWith(filled),
    '--claim',
    'core,public',
    '--generated',
    '0',
  );
  expect(verified.stdout).toMatch(/^conformant: .*\n\d+ passed\n/m);
  expect(verified.code).toBe(0);
});

test('the environment has the address and the key of the only tenant', async () => {
  process.env.PRODUCT_PASSPORT_KEY = service.provider.tenants[0]?.api_key;
  for (const [address, named] of [
    [baseUrl(), []],
    ['http://127.0.0.1:1/api/v1', ['--base-url', baseUrl()]],
    ['http://127.0.0.1:1/api/v1', asFile(service.provider)],
  ] as const) {
    process.env.PRODUCT_PASSPORT_URL = address;
    expect((await typeSuite('verify', ...named, '--only', 'PAGE-1.defaults')).stdout).toMatch(/^1 passed$/m);
  }
});
