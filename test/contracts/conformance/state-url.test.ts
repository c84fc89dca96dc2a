/** The state URL: with it, a run needs only an address and one key. */

import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Sandbox, startSandbox } from '@product-passport/server/testing';
import { listen, serveFetch } from '../../support/serve.ts';
import { asFile, faultsIn, typeReporting, typeSuite } from '../../support/suite.ts';

jest.setTimeout(240_000);

interface Received {
  readonly state: string;
  readonly authorization: string | undefined;
}

let server: Sandbox;
let key = '';
beforeEach(async () => {
  server = await startSandbox();
  const tenant = { name: 'Skellig', slug: 'skellig', country: 'DE', plan: 'business' };
  key = String((await setUp(server.stateUrl, 'a tenant with an API key', { tenant })).api_key);
});
afterEach(() => server.stop());

async function setUp(url: string, state: string, params: object): Promise<Record<string, unknown>> {
  const body = JSON.stringify({ action: 'setup', state, params });
  return (await fetch(url, { method: 'POST', body })).json();
}

interface Change {
  readonly state: string;
  readonly params: { readonly product?: { readonly slug: string; readonly status?: string } };
}

/** A state endpoint before that of the test server. It can respond in place of it. */
async function endpointBefore(
  respond: (state: string) => { status: number; body?: string; headers?: Record<string, string> } | undefined = () =>
    undefined,
  passOn: (change: Change) => Change = (change) => change,
): Promise<{ readonly url: string; readonly received: readonly Received[] }> {
  const received: Received[] = [];
  const endpoint = createServer(async (request, response) => {
    const change = (await json(request)) as Change;
    received.push({ state: change.state, authorization: request.headers.authorization });
    const own = respond(change.state);
    if (own !== undefined) return response.writeHead(own.status, own.headers).end(own.body);
    const passed = await fetch(server.stateUrl, { method: 'POST', body: JSON.stringify(passOn(change)) });
    return response.writeHead(passed.status, { 'content-type': 'application/json' }).end(await passed.text());
  });
  return { url: `${await listen(endpoint)}/states?secret=hidden`, received };
}

const providerWith = (state_url?: string) =>
  asFile({ base_url: `${server.siteUrl}/api/v1`, tenants: [{ api_key: key }], state_url });

const verified = (stateUrl: string | undefined, ...parameters: readonly string[]) =>
  typeReporting('verify', ...providerWith(stateUrl), '--generated', '0', ...parameters);

test('without it, a provider file with one key makes an incomplete run in core', async () => {
  const { code, report } = await verified(undefined, '--claim', 'core');
  expect({ code, verdict: report.verdict }).toEqual({ code: 3, verdict: 'incomplete' });
  const missing = new Set(report.cases.flatMap((one) => one.missing));
  expect([...missing].sort()).toEqual(['field key', 'revoked key', 'second tenant']);
});

describe('with it', () => {
  test('what the file declares absent, and the state URL sets up, is a failure', async () => {
    const without = { 'expiring tokens': 'none', 'tokens for one product': 'none' };
    const provider = { base_url: `${server.siteUrl}/api/v1`, tenants: [{ api_key: key }], without };
    const parameters = [...asFile(provider), '--state-url', server.stateUrl, '--only', 'PUB-3'];
    const { code, report } = await typeReporting('verify', ...parameters, '--generated', '0');
    const failed = report.cases.filter(({ status }) => status === 'failed').map(({ id }) => id.replace(/-\w+$/, ''));
    expect({ code, failed }).toEqual({
      code: 1,
      failed: [...Array(2)].flatMap(() => ['PUB-3.other-product', 'PUB-3.expired']),
    });
  });

  test('the same file makes a conformant run, and so does a second run on the same server', async () => {
    const { url, received } = await endpointBefore();
    const first = await verified(server.stateUrl, '--seed', '7');
    expect({ code: first.code, faults: faultsIn(first.report) }).toEqual({ code: 0, faults: [] });
    const { code, report, file } = await verified(url, '--seed', '7');
    expect({ code, faults: faultsIn(report) }).toEqual({ code: 0, faults: [] });
    expect(report.states).toMatchObject({ 'second tenant': 'state URL', 'revoked key': 'state URL' });
    const other = report.cases.find(({ id }) => id === 'TEN-1.getProduct');
    expect(other?.states).toEqual({ 'second tenant': 'state URL', 'verify-tenancy': expect.any(String) });

    // No key leaves, no data is removed, and no report shows what the states returned.
    expect(received.length).toBeGreaterThan(2);
    expect(received.map(({ authorization }) => authorization)).toEqual(received.map(() => undefined));
    expect(received.map(({ state }) => state)).not.toContain('a tenant with an API key');
    const archive = JSON.parse(file('traffic.har'));
    const states = archive.log.entries.filter(({ comment }: { comment: string }) => comment === 'state URL');
    expect(states).toHaveLength(received.length);
    expect(states[0].request.url).toBe(url.replace(/\?.*/, ''));
    for (const name of ['report.json', 'report.html', 'traffic.har', 'junit.xml']) {
      expect(file(name)).not.toMatch(/ppk_[\w-]{43}|eyJ|secret=hidden/);
    }
    expect(file('report.html')).toContain('state URL');
  });

  test('the document must have the hash of the latest version, and one version is not told apart', async () => {
    const hashes = new Set<string>();
    /** Its documents have the first hash that a passport had. */
    const { url } = await serveFetch(async (request) => {
      const { pathname, search } = new URL(request.url);
      const headers = { authorization: request.headers.get('authorization') ?? '', 'content-type': 'application/json' };
      const body = request.method === 'GET' ? null : await request.text();
      const response = await fetch(`${server.siteUrl}${pathname}${search}`, { method: request.method, headers, body });
      const text = await response.text();
      if (pathname.endsWith('/passport') && body === null) hashes.add(JSON.parse(text).latest_version.content_hash);
      const [first = '', ...later] = hashes;
      const old = later.reduce((changed, hash) => changed.replaceAll(hash, first), text);
      const type = { 'content-type': response.headers.get('content-type') ?? '' };
      return new Response(pathname.endsWith('/jsonld') ? old : text, { status: response.status, headers: type });
    });
    const provider = asFile({ base_url: `${url}/api/v1`, tenants: [{ api_key: key }] });
    const only = ['--only', 'PUB-5.content-hash', '--generated', '0'];
    const found = async (...parameters: string[]) => {
      hashes.clear();
      const { code, report } = await typeReporting('verify', ...provider, ...only, ...parameters);
      return { code, reasons: report.cases[0]?.reasons, warnings: report.cases[0]?.warnings };
    };
    const reasons = ['the document must contain latest_version.content_hash'];
    expect(await found('--state-url', server.stateUrl)).toEqual({ code: 1, reasons, warnings: [] });
    const warnings = ['One version: not told apart from the first.'];
    expect(await found()).toEqual({ code: 0, reasons: [], warnings });
  });

  test('states that no chosen case needs are not set up', async () => {
    const { url, received } = await endpointBefore();
    await verified(url, '--only', 'PAGE-1');
    expect(received).toEqual([]);
    await verified(url, '--only', 'AUTH-3.same-bytes', '--claim', 'reference');
    expect(received.map(({ state }) => state)).toEqual(['the tenant has revoked an API key']);
  });

  test('a token of one product is set up for a case that needs no other token', async () => {
    const { url, received } = await endpointBefore();
    const { report } = await verified(url, '--only', 'PUB-3.other-product-document', '--claim', 'public');
    expect(report.cases.map(({ id, status }) => [id, status])).toEqual([['PUB-3.other-product-document', 'passed']]);
    expect(received.filter(({ state }) => state === 'the product has an access token')).toHaveLength(1);
  });

  const another = 'another tenant with a product';
  const refusal = '{"error":{"message":"only one tenant here"}}';

  test.each<[string, only: string, state: string, status: number, body: string, missing: string, reason: RegExp]>([
    [
      'the endpoint refuses it',
      ...(['TEN-2.products-total', another, 400, refusal, 'second tenant'] as const),
      /refused the state "another tenant with a product" \(400\)\. It says: only one tenant here$/,
    ],
    [
      'a return value is missing',
      ...(['AUTH-3.revoked-getMe', 'the tenant has revoked an API key', 200, '{}', 'revoked key'] as const),
      /returned no revoked_api_key\.$/,
    ],
    [
      'the endpoint ignores "expired", so that the token is valid',
      ...(['PUB-3.expired-page', 'the product has an access token', 200] as const),
      ...(['{"access_token":"valid-token-1"}', 'expired token'] as const),
      /returned no access_token with "expired": true\.$/,
    ],
  ])(
    'a state stays missing, and the report says why: %s',
    async (_what, only, state, status, body, missing, reason) => {
      const { url } = await endpointBefore((asked) => (asked === state ? { status, body } : undefined));
      const { code, report } = await verified(url, '--only', only, '--claim', 'core,public');
      expect(code).toBe(3);
      expect(report.cases[0]).toMatchObject({ status: 'skipped', missing: [missing] });
      expect(report.cases[0]?.reasons).toEqual([expect.any(String), expect.stringMatching(reason)]);
    },
  );

  test('a product of another tenant that takes no values is missing', async () => {
    const { url } = await endpointBefore(undefined, (change) => {
      const { product } = change.params;
      if (product?.status !== 'active' || change.state !== another) return change;
      return { ...change, params: { ...change.params, product: { ...product, slug: 'elsewhere' } } };
    });
    const { report } = await verified(url, '--only', 'PUB-3.other-tenant-document', '--claim', 'public');
    expect(report.cases[0]).toMatchObject({ status: 'skipped', missing: ['active product of another tenant'] });
    expect(report.cases[0]?.reasons).toContain("The values of another tenant's product cannot be written: 404.");
  });

  test.each([
    ['redirects', { status: 302, headers: { location: 'https://attacker.example/' } }, /redirects \(302\)/],
    ['does not exist', { status: 404 }, /responds with 404\. Check the address\.$/],
    ['responds with a page', { status: 200, body: '<html>' }, /must respond with 200 and a JSON object/],
  ])('an address that %s ends the run in one sentence', async (_what, response, sentence) => {
    const { url } = await endpointBefore(() => response);
    const { code, stderr } = await typeSuite('verify', ...providerWith(url));
    expect(code).toBe(2);
    expect(stderr.trim()).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('hidden');
  });

  test('an address where nothing listens ends the run in one sentence', async () => {
    const { code, stderr } = await typeSuite('verify', ...providerWith(), '--state-url', 'http://127.0.0.1:9/states');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^product-passport-contracts: The state URL http:\/\/127\.0\.0\.1:9\/states does not respond: /,
    );
  });
});
