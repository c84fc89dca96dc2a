/**
 * The programs of `examples`, as examples/README.md starts them, against the fake service: each prints what its snapshot has, and
 * the wait of a 429. Then the OpenTelemetry programs with OpenTelemetry's own packages, and proxies: the example, and the ways of
 * the SDK's README. `test:runtimes` runs the page against the reference server.
 */

import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { basename, delimiter, extname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as undici from 'undici';
import { parse } from 'yaml';
import { createClient, type Fetch } from '../../sdk/src/index.ts';
import { createFakeService } from '../../sdk/src/testing.ts';
import { launchBrowser } from '../support/browser.ts';
import { selfSigned } from '../support/certificate.ts';
import { newPostgresDatabase } from '../support/database.ts';
import { ending, newFolder } from '../support/files.ts';
import { installPacked } from '../support/packages.ts';
import { announcement, type Outcome, type Running, root, run, start } from '../support/program.ts';
import { listen, serveFetch } from '../support/serve.ts';

jest.setTimeout(120_000);

interface Workflow {
  jobs: Record<string, { steps: { run?: string; env?: Record<string, string> }[] }>;
}

const folder = newFolder();
const page = await readFile(join(root, 'examples/README.md'), 'utf8');
/** A project that has the packed SDK. */
let project = '';
let tarball = '';

beforeAll(async () => {
  const installed = await installPacked(folder, 'contracts');
  project = installed.project;
  [, , tarball = ''] = installed.tarballs;
});

/** The fake service on a port, and the variables with its address and key. */
async function served() {
  const service = createFakeService();
  const [tenant] = service.provider.tenants;
  const { url } = await serveFetch((request) => service.fetch(request));
  const access = { PRODUCT_PASSPORT_URL: `${url}/api/v1`, PRODUCT_PASSPORT_KEY: tenant?.api_key ?? '' };
  return { service, tenant: tenant?.slug ?? '', url, access };
}

/** The environment of a new shell: without the entries that `npm test` adds to the PATH, its own Node included. */
const path = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((each) => !/node_modules/.test(each))
  .join(delimiter);
const inCheckout = (command: string, access: Record<string, string>) =>
  run(command, { ...access, PATH: path, NODE_OPTIONS: '' });

/** What a program printed, without what differs from run to run. */
function printed({ code, stdout, stderr }: Outcome) {
  const text = (given: string) =>
    given
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
      .replaceAll(/\d+ ms\b/g, 'N ms')
      .replaceAll(/request-\d+/g, 'ID')
      .replaceAll(/in \d+\.\d s\b/g, 'in N s')
      .split('\n')
      .filter((line) => !/^(?:> |npm )/.test(line))
      .join('\n')
      .trim();
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

const programs = [
  'npm start -w examples/node-script',
  "npm start -w examples/commonjs-script -- 'USB-C cable 3 m'",
  'npm start -w examples/proxy',
  'npm start -w examples/inventory-sync -- ARTICLES',
  'cd PROJECT && node my-sync/sync.mjs',
];

/** What each program printed. They wait at the same time. */
let outcomes: Record<string, ReturnType<typeof printed>> = {};

beforeAll(async () => {
  const tutorial = await readFile(join(root, 'docs/tutorials/first-sync.md'), 'utf8');
  const files = tutorial.matchAll(/cat > (\S+) <<'END_OF_FILE'\n(.*?)^END_OF_FILE$/gms);
  await mkdir(join(project, 'my-sync'));
  for (const [, name = '', text = ''] of files) await writeFile(join(project, name), text);
  const articles = join(folder, 'articles.csv');
  const rows = ['Artikelnummer;Bezeichnung;Warengruppe', 'A-1;Kabel;Kabel', 'A-2;Kabel;Kabel'];
  await writeFile(articles, rows.join('\n'));
  const printedBy = async (command: string) => {
    const { service, tenant, access } = await served();
    service.fault(tenant, { code: 'rate_limited', retryAfter: 3 });
    const line = command.replace('ARTICLES', articles).replace('PROJECT', project);
    return [command, printed(await inCheckout(line, access))];
  };
  outcomes = Object.fromEntries(await Promise.all(programs.map(printedBy)));
});

test.each(programs)('%s', (command) => {
  expect(outcomes[command]).toMatchSnapshot();
});

test('the CommonJS script names what it lacks', async () => {
  const { access } = await served();
  expect(await inCheckout('npm start -w examples/commonjs-script', access)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Give the name of the product as the first argument.\n'),
  });
});

test('the Jest tests write into a service only if their own variables name it', async () => {
  const { service, access } = await served();
  const total = async () => {
    const headers = { authorization: `Bearer ${access.PRODUCT_PASSPORT_KEY}` };
    return (await (await service.fetch(`${service.provider.base_url}/me`, { headers })).json()).products_total;
  };
  const before = await total();
  const passed = { code: 0, stderr: expect.stringMatching(/5 passed/) };
  const command = 'npm test -w examples/jest-tests';
  expect(await inCheckout(command, access)).toMatchObject(passed);
  expect(await total()).toBe(before);
  const { PRODUCT_PASSPORT_URL: url, PRODUCT_PASSPORT_KEY: key } = access;
  const own = { PRODUCT_PASSPORT_TEST_URL: url, PRODUCT_PASSPORT_TEST_KEY: key };
  expect(await inCheckout(command, own)).toMatchObject(passed);
  expect(await total()).toBe(before + 63);
});

test('the page shows a passport in both languages, and says that it waits', async () => {
  const { service, tenant, url } = await served();
  await cp(join(root, 'examples/browser-page/index.html'), join(project, 'index.html'));
  const types: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html' };
  const files = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1');
    const bytes = await readFile(join(project, pathname)).catch(() => undefined);
    response.writeHead(bytes ? 200 : 404, { 'content-type': types[extname(pathname)] ?? 'text/plain' }).end(bytes);
  });
  const site = await listen(files);
  const browser = ending.use(await launchBrowser());
  const shown: string[] = [];
  for (const lang of ['de', 'en']) {
    const opened = await browser.newPage();
    service.fault(tenant, { code: 'rate_limited', retryAfter: 3 });
    await opened.goto(`${site}/index.html?site=${url}&tenant=${tenant}&product=bicycle-helmet&lang=${lang}`);
    await opened.waitForFunction("document.querySelector('p').textContent !== ''");
    shown.push((await opened.locator('p').textContent()) ?? '');
    await opened.waitForFunction("/^[✓✗]/.test(document.querySelector('p').textContent)");
    shown.push((await opened.locator('main > *:not(dl), dt, dd').allTextContents()).join(' | '));
  }
  expect(shown).toMatchSnapshot();
});

test('each program has a test, and its command is on the page', async () => {
  const others = ['README.md', 'github-actions', 'gitlab-ci', 'opentelemetry', 'opentelemetry-server'];
  const folders = (await readdir(join(root, 'examples'))).filter((name) => !others.includes(name));
  const named = programs.flatMap((command) => /examples\/([\w-]+)/.exec(command)?.[1] ?? []);
  expect([...named, 'jest-tests', 'browser-page'].sort()).toEqual(folders.sort());
  for (const command of programs) expect(page).toContain(command.replace(/ -- ARTICLES|^cd .*/, ''));
});

test('the commands of the GitHub Actions job run', async () => {
  const { access } = await served();
  const { jobs }: Workflow = parse(await readFile(join(root, 'examples/github-actions/passports.yml'), 'utf8'));
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  expect(Object.keys(steps.at(-1)?.env ?? {})).toEqual(Object.keys(access));

  const [install = '', list = '', ...more] = steps.flatMap((step) => step.run ?? []);
  expect(more).toEqual([]);
  await copyFile(join(root, 'examples/node-script/incomplete.mjs'), join(project, 'incomplete.mjs'));
  await copyFile(tarball, join(project, basename(tarball)));
  await rm(join(project, 'node_modules/@product-passport'), { recursive: true });
  // No registry has the package yet: the test installs the packed one.
  const packed = install.replace('@product-passport/sdk@0.1.0', `./${basename(tarball)}`);
  expect(packed).toBe(`npm install --no-save ./${basename(tarball)}`);
  expect(await run(packed, { npm_config_prefer_offline: 'true' }, project)).toMatchObject({ code: 0 });
  expect(await run(list, access, project)).toMatchObject({ code: 1, stdout: expect.stringContaining('incomplete') });
});

describe('OpenTelemetry', () => {
  /** Gives each value a name by its first occurrence: `trace 1`. */
  function numbered(text: string, pattern: RegExp, name: string): string {
    const known: string[] = [];
    return text.replaceAll(pattern, (value) => {
      if (!known.includes(value)) known.push(value);
      return `${name} ${known.indexOf(value) + 1}`;
    });
  }

  test('the program prints a span for each attempt, whose parent is its own, and the service receives the trace', async () => {
    const service = createFakeService();
    const [{ slug, api_key } = { slug: '', api_key: '' }] = service.provider.tenants;
    service.fault(slug, { code: 'service_unavailable', operation: 'getProduct' });
    const traces: (string | null)[] = [];
    const { url } = await serveFetch((request) => {
      traces.push(request.headers.get('traceparent'));
      return service.fetch(request);
    });
    const access = { PRODUCT_PASSPORT_URL: `${url}/api/v1`, PRODUCT_PASSPORT_KEY: api_key, NODE_OPTIONS: '' };
    const { code, stdout, stderr } = await run('npm start -w examples/opentelemetry', access);
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain(api_key);
    const received = traces.map((trace) => trace?.split('-').slice(1, 3));
    const spans = `${stdout.slice(stdout.indexOf('{'))}${JSON.stringify(received, null, 2)}`
      .replaceAll(/\b(timestamp|duration|pause_ms): [\d.]+/g, '$1: N')
      .replaceAll(/\bat: .*|time: \[.*\]/g, 'time: N')
      .replaceAll(/ {2}(?:resource|instrumentationScope): \{.*?^ {2}\},\n/gms, '');
    const named = numbered(spans, /request-\d+/g, 'request');
    expect(numbered(numbered(named, /\b[\da-f]{32}\b/g, 'trace'), /\b[\da-f]{16}\b/g, 'span')).toMatchSnapshot();
  });

  let observed: Running;

  beforeAll(async () => {
    const database = await newPostgresDatabase();
    const program = 'npm start -w examples/opentelemetry-server';
    const line = `${program} -- --json --port 0 --log-level info --database ${database}`;
    observed = await start(line, /^\{"base_url.*\}$/m, { NODE_OPTIONS: '' });
  });
  afterAll(async () => {
    await observed.stop();
  });

  /** What the console exporter prints of the spans of one trace, once it has this number of requests. */
  async function spansOf(traceId: string, requests: number): Promise<string[]> {
    for (let tries = 0; tries < 100; tries += 1) {
      const spans = observed
        .said()
        .split(/^(?=\{$)/m)
        .filter((text) => text.includes(`traceId: '${traceId}'`) && text.includes('links:'));
      if (spans.filter((text) => text.includes('instrumentation-http')).length === requests) return spans;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`No ${requests} requests of ${traceId}:\n${observed.said()}`);
  }

  test('a request is a span of its caller, with its statements, and the log has the same id', async () => {
    const { base_url, tenants } = announcement(observed.said());
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const headers = {
      authorization: `Bearer ${tenants[0].api_key}`,
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      'x-request-id': 'traced-7',
      'user-agent': 'canary',
    };
    const response = await fetch(`${base_url}/products?search=canary`, { headers });
    expect(response.status).toBe(200);
    const spans = await spansOf(traceId, 1);
    const request = spans.find((text) => text.includes("'http.request.method': 'GET'")) ?? '';
    expect(request).toContain("'url.path': '/api/v1/products'");
    expect(request).toContain("'http.response.status_code': 200");
    expect(request).toContain("'product_passport.request_id': 'traced-7'");
    const [, spanId] = /^ {2}id: '(\w+)'/m.exec(request) ?? [];
    const statements = spans.filter((text) => text.includes('instrumentation-pg'));
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.join('')).toContain(`spanId: '${spanId}'`);
    // Lines of the log are written together, at most 20 ms later.
    for (let waited = 0; !observed.logged().includes('traced-7') && waited < 5000; waited += 20)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(observed.logged()).toContain('"request_id":"traced-7","operation":"listProducts"');
  });

  test('no span holds a key, a token, a query, a serial number or an address', async () => {
    const { site_url, base_url, tenants } = announcement(observed.said());
    const traceId = '1af7651916cd43dd8448eb211c80319c';
    const headers = {
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      'user-agent': 'canary',
      'x-forwarded-for': '203.0.113.9',
    };
    const { api_key } = tenants[0];
    await fetch(`${site_url}/01/09520001200045/21/canary?zugang=canary`, { headers, redirect: 'manual' });
    await fetch(`${site_url}/p/skellig/merino-jumper-inis?zugang=canary`, { headers });
    await fetch(`${base_url}/me?x=canary`, { headers: { ...headers, authorization: `Bearer ${api_key}` } });
    const text = (await spansOf(traceId, 3)).join('');
    expect(text).toContain("'url.path': '/01/…'");
    expect(text).not.toMatch(/canary|ppk_|203\.0\.113/);
  });
});

describe('through a proxy to a service with TLS', () => {
  /** Only the proxy can reach it: it does not resolve. */
  const host = 'passport.example.com';
  const identity = selfSigned(host);
  const service = createFakeService();
  const apiKey = service.provider.tenants[0]?.api_key ?? '';

  /** The service with TLS, and without. */
  let secureUrl = '';
  let plainUrl = '';
  /** The header `x-team` of each request that reached the service. */
  let teams: unknown[] = [];
  let environment: Record<string, string> = {};

  beforeAll(async () => {
    const respond = (received: Request) => {
      teams.push(received.headers.get('x-team'));
      return service.fetch(received);
    };
    secureUrl = (await serveFetch(respond, identity)).url;
    plainUrl = (await serveFetch(respond)).url;
    const certificate = join(newFolder(), 'certificate.pem');
    await writeFile(certificate, identity.cert);
    environment = { NODE_EXTRA_CA_CERTS: certificate, PRODUCT_PASSPORT_KEY: apiKey, NODE_OPTIONS: '' };
  });
  beforeEach(() => {
    teams = [];
  });

  /**
   * A company's proxy: it forwards `http` requests, and opens tunnels for `https`, all of them to one server.
   *
   * @param login `user:password` that a tunnel requires
   */
  async function startProxy(server: string, login?: string) {
    const { port } = new URL(server);
    /** The first lines of the requests, such as `GET http://p.example.com/api/v1/me` and `CONNECT p.example.com:443`. */
    const lines: string[] = [];
    const proxy = createServer(({ method, url = '', headers }, outgoing) => {
      lines.push(`${method} ${url}`);
      const { pathname, search } = new URL(url);
      const target = { host: '127.0.0.1', port, path: pathname + search, headers };
      request(target, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      }).end();
    });
    proxy.on('connect', ({ url, headers }, socket: Socket) => {
      lines.push(`CONNECT ${url}`);
      const refusal = url?.startsWith(host) ? '407 Proxy Authentication Required' : '502 Bad Gateway';
      const isKnown = login === undefined || headers['proxy-authorization'] === `Basic ${btoa(login)}`;
      if (!isKnown || !url?.startsWith(host)) {
        socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
        return;
      }
      const onward = connect(Number(port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        pipeline(socket, onward, socket, () => {});
      });
    });
    return { url: await listen(proxy), lines };
  }

  /** Runs a program with the address of a service, and the address of a proxy in both forms of the variable. */
  function runWith(program: string, baseUrl: string, variables: Record<string, string>) {
    const lower = Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]);
    const proxies = { no_proxy: '', NO_PROXY: '', ...variables, ...Object.fromEntries(lower) };
    return run(`node ${join(root, 'examples', program)}`, {
      ...environment,
      PRODUCT_PASSPORT_URL: baseUrl,
      ...proxies,
    });
  }

  const secure = `https://${host}/api/v1`;

  describe('the example', () => {
    const example = 'proxy/missing-gtins.mjs';

    test('reaches an https service through a tunnel of the proxy, with its own header', async () => {
      const proxy = await startProxy(secureUrl);
      const { code, stdout, stderr } = await runWith(example, secure, { HTTPS_PROXY: proxy.url });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^(?:[\w-]+\n)+\d+ without a GTIN\n$/);
      expect(proxy.lines).toEqual([`CONNECT ${host}:443`]);
      expect(teams).toEqual(['erp']);
    });

    test('reaches an http service through the proxy, and directly if its host is in NO_PROXY', async () => {
      const proxy = await startProxy(plainUrl);
      const through = await runWith(example, `http://${host}/api/v1`, { HTTP_PROXY: proxy.url });
      expect(through).toMatchObject({ code: 0, stderr: '' });
      const direct = await runWith(example, `${plainUrl}/api/v1`, { HTTP_PROXY: proxy.url, NO_PROXY: '127.0.0.1' });
      expect(direct).toMatchObject({ code: 0, stderr: '' });
      expect(proxy.lines).toEqual([`GET http://${host}/api/v1/products?limit=200`]);
    });
  });

  test('without code, Node uses the proxy if NODE_USE_ENV_PROXY is set', async () => {
    const proxy = await startProxy(secureUrl);
    const variables = { HTTPS_PROXY: proxy.url, NODE_USE_ENV_PROXY: '1' };
    const { stdout } = await runWith('node-script/incomplete.mjs', secure, variables);
    expect(stdout).toMatch(/\d+ incomplete\n$/);
    expect(new Set(proxy.lines)).toEqual(new Set([`CONNECT ${host}:443`])); // one for each connection
  });

  test('a ProxyAgent logs in at the proxy and keeps its connections; a refused login is a network error', async () => {
    const login = 'user:secret';
    const proxy = await startProxy(secureUrl, login);
    const requestTls = { ca: identity.cert };
    const outcomes = async (uri: string) => {
      const dispatcher = new undici.ProxyAgent({ uri, connections: 3, requestTls });
      const fetch: Fetch = (url, init) => undici.fetch(url, { ...init, dispatcher });
      const client = createClient({ baseUrl: secure, apiKey, fetch, maxAttempts: 1, maxInFlight: 8 });
      const results = await Promise.all(Array.from({ length: 40 }, () => client.me.get().result()));
      await dispatcher.close();
      return results;
    };
    expect(await outcomes(proxy.url.replace('://', `://${login}@`))).toEqual(
      Array(40).fill(expect.objectContaining({ ok: true })),
    );
    expect(proxy.lines.length).toBeLessThanOrEqual(3);
    const [refused] = await outcomes(proxy.url);
    expect(refused).toMatchObject({ error: { name: 'NetworkError', message: expect.stringContaining('407') } });
  });
});
