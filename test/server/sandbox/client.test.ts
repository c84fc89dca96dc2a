/** The typed helper of `@product-passport/server/testing`, over real HTTP. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TenantState } from '../../../server/src/sandbox/traffic.ts';
import {
  type Sandbox,
  type SandboxFault,
  type SandboxTenant,
  type SeedProduct,
  startSandbox,
} from '../../../server/src/testing.ts';
import { rejection } from '../../support/thrown.ts';

let sandbox: Sandbox;
let tenant: SandboxTenant;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  tenant = await sandbox.createTenant();
});

const cable: SeedProduct = {
  name: 'USB-C-Kabel',
  gtin: '9520001000072',
  product_group: 'cable',
  values: [
    { field_key: 'cable_length', value: 2, unit: 'm' },
    { field_key: 'recipe', value: 'secret recipe', access_level: 'restricted' },
  ],
  status: 'active',
};

/** Sends a request of the tenant. */
function ask(path: string, init: RequestInit = {}, of: SandboxTenant = tenant): Promise<Response> {
  return fetch(sandbox.baseUrl + path, { ...init, headers: { authorization: `Bearer ${of.apiKey}`, ...init.headers } });
}

async function read(path: string) {
  const response = await ask(path);
  return { status: response.status, body: await response.json() };
}

const page = async (slug: string, query = ''): Promise<string> =>
  (await fetch(`${sandbox.siteUrl}/p/${tenant.slug}/${slug}${query}`)).text();

test('a tenant has the slug, name, country, plan and language that were asked for', async () => {
  const facts = { slug: 'my-shop', name: 'My Shop', country: 'FR', plan: 'enterprise' } as const;
  const named = await sandbox.createTenant({ ...facts, language: 'it' });
  const me = await (await ask('/me', {}, named)).json();
  expect(me.tenant).toEqual({ id: expect.any(String), ...facts });
  await named.seed([{ name: 'Tazza', values: [{ field_key: 'a', value: 1 }] }]);
  expect(await (await ask('/products/tazza/passport', {}, named)).json()).toMatchObject({
    values: [{ locale: 'it' }],
  });
});

describe('seeding', () => {
  test('creates products with values and status in the order of the list', async () => {
    const seeded = await tenant.seed([cable, { name: 'Tasse' }, { name: 'Alte Tasse', status: 'archived' }]);
    expect(seeded).toMatchObject([
      { slug: 'usb-c-kabel', status: 'active' },
      { slug: 'tasse', status: 'draft', gtin: null },
      { slug: 'alte-tasse', status: 'archived' },
    ]);
    expect((await read('/products')).body.items).toMatchObject(seeded.map(({ id, status }) => ({ id, status })));
    expect((await read('/products/usb-c-kabel/passport')).body.values).toMatchObject([
      { field_key: 'cable_length', value: 2, unit: 'm' },
      { field_key: 'recipe', access_level: 'restricted' },
    ]);
    expect(await page('usb-c-kabel')).toContain('USB-C-Kabel');
  });

  test('replaces each GTIN by a free one of the same length with a valid check digit', async () => {
    const gtins = ['95200002', '614141000036', '9520001000072', '10614141000415'];
    const products = gtins.map((gtin) => ({ name: gtin, gtin, status: 'active' as const }));
    const other = await sandbox.createTenant();
    const seeded = [...(await tenant.seed(products)), ...(await other.seed(products))].map(({ gtin }) => gtin ?? '');
    expect(seeded.map(({ length }) => length)).toEqual([8, 12, 13, 14, 8, 12, 13, 14]);
    expect(new Set([...seeded, ...gtins]).size).toBe(12);
    for (const gtin of seeded) {
      const digits = [...gtin.padStart(14, '0')].map(Number);
      expect(digits.reduce((sum, digit, index) => sum + digit * (index % 2 === 0 ? 3 : 1), 0) % 10).toBe(0);
      expect((await fetch(`${sandbox.siteUrl}/01/${gtin}`, { redirect: 'manual' })).status).toBe(307);
    }
  });

  test('gives products of one list that share a GTIN the same new one', async () => {
    const [one, two] = await tenant.seed([cable, { ...cable, gtin: '09520001000072' }]);
    expect(one?.gtin?.padStart(14, '0')).toBe(two?.gtin);
  });

  test('keeps the GTINs if asked, and activates nothing that another tenant has active', async () => {
    const gtin = '9520001000089';
    expect(await tenant.seed([{ ...cable, gtin }], { keepGtins: true })).toMatchObject([{ gtin, status: 'active' }]);
    const other = await sandbox.createTenant();
    expect(await rejection(() => other.seed([{ ...cable, gtin }], { keepGtins: true }))).toMatchObject({
      status: 409,
      code: 'conflict',
      message: expect.stringContaining(`already active as ${tenant.slug}/usb-c-kabel`),
    });
    const draft = { ...cable, gtin, status: 'draft' as const };
    const [product] = await other.seed([draft], { keepGtins: true });
    const { slug = '' } = product ?? {};
    expect(await other.activate(slug, { shareGtin: true })).toMatchObject({ status: 'active' });
    expect(await other.archive(slug)).toMatchObject({ status: 'archived' });
  });

  test('stores all products or none, and names the place of the error', async () => {
    const bad: SeedProduct = { name: 'Tasse', values: [{ field_key: '', value: 1 }] };
    expect(await rejection(() => tenant.seed([cable, bad]))).toMatchObject({
      status: 400,
      code: 'field_key_required',
      message: expect.stringContaining('products[1].values'),
    });
    expect(await rejection(() => tenant.seed([cable, { name: ' ' }]))).toMatchObject({ code: 'name_required' });
    expect(await read('/products')).toMatchObject({ body: { total: 0 } });
  });
});

test('a token opens the view of its role, unless it is expired or revoked', async () => {
  await tenant.seed([cable]);
  const secret = async (options: Parameters<SandboxTenant['createToken']>[0]) =>
    (await page('usb-c-kabel', `?zugang=${await tenant.createToken(options)}`)).includes('secret recipe');
  expect(await page('usb-c-kabel')).not.toContain('secret recipe');
  expect(await secret({ role: 'recycler' })).toBe(true);
  expect(await secret({ role: 'inspector', product: 'usb-c-kabel' })).toBe(true);
  expect(await secret({ role: 'recycler', expiresInSeconds: -1 })).toBe(false);
  expect(await secret({ role: 'recycler', revoked: true })).toBe(false);
});

test('scans are counted on their days', async () => {
  await tenant.seed([cable]);
  await tenant.addScans('usb-c-kabel', [{ daysAgo: 2, count: 3, role: 'recycler' }, { daysAgo: 0 }]);
  const { per_day, by_view_role } = (await read('/analytics/scans?days=3')).body;
  expect(per_day.map(({ count }: { count: number }) => count)).toEqual([3, 0, 1]);
  expect(by_view_role).toEqual({ consumer: 1, recycler: 3, inspector: 0 });
});

test('the clock has an end', async () => {
  for (let move = 0; move < 10; move += 1) await tenant.advanceClock({ days: 3650 });
  await expect(tenant.advanceClock({ days: 1 })).rejects.toThrow('The clock can move 36500 days in all.');
  expect((await ask('/me')).status).toBe(200);
});

describe('faults', () => {
  /** The status, the code and the `Retry-After` of a response. */
  const outcomeOf = async (response: Response): Promise<string> => {
    const { error } = await response.json();
    const parts = [response.status, error?.code, response.headers.get('retry-after')];
    return parts.filter((part) => part !== undefined && part !== null).join(' ');
  };

  test.each<[string, SandboxFault[], string[]]>([
    ['of the contract', [{ status: 503, times: 2 }], ['503 service_unavailable 1', '503 service_unavailable 1', '200']],
    ['with their own wait', [{ status: 429, retryAfter: 7 }], ['429 rate_limited 7', '200']],
    [
      'that the contract does not have',
      [{ status: 502 }, { status: 418, code: 'teapot' }],
      ['502 sandbox_fault', '418 teapot'],
    ],
  ])('%s follow each other, and then end', async (_, faults, outcomes) => {
    await tenant.fault(...faults);
    const found: string[] = [];
    for (const _outcome of outcomes) found.push(await outcomeOf(await ask('/me')));
    expect(found).toEqual(outcomes);
  });

  test('with the code invalid_request do not say what is wrong with a request', async () => {
    await tenant.fault({ status: 400 });
    const { error } = await (await ask('/me')).json();
    expect(error).toEqual({ code: 'invalid_request', message: 'The sandbox injected this error.' });
  });

  test('wait for their operation', async () => {
    await tenant.fault({ code: 'invalid_gtin', operation: 'createProduct' });
    expect(await outcomeOf(await ask('/me'))).toBe('200');
    const create = () => ask('/products', { method: 'POST', headers: json, body: '{"name":"Tasse"}' });
    expect([await outcomeOf(await create()), await outcomeOf(await create())]).toEqual(['400 invalid_gtin', '200']);
  });

  test('delay a response', async () => {
    await tenant.fault({ delayMs: 300 });
    const start = performance.now();
    expect((await ask('/me')).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(295);
  });

  test.each([
    ['reset', 'before the request is handled', 0],
    ['lose_response', 'after the request was handled', 1],
  ] as const)('%s closes the connection %s', async (connection, _, total) => {
    await tenant.fault({ connection });
    await expect(ask('/products', { method: 'POST', headers: json, body: '{"name":"Tasse"}' })).rejects.toThrow(
      'fetch failed',
    );
    expect((await read('/me')).body.products_total).toBe(total);
  });

  test('cut a body', async () => {
    await tenant.fault({ connection: 'truncate' });
    const response = await ask('/me');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    await expect(response.text()).rejects.toThrow('terminated');
    expect((await ask('/me')).status).toBe(200);
  });

  test('apply to the public pages of the tenant, as HTML', async () => {
    const [product] = await tenant.seed([cable]);
    await tenant.fault({ status: 503, times: 2 });
    const html = await fetch(`${sandbox.siteUrl}/p/${tenant.slug}/usb-c-kabel`);
    expect([html.status, html.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect((await fetch(`${sandbox.siteUrl}/01/${product?.gtin}`)).status).toBe(503);
    expect(await page('usb-c-kabel')).toContain('USB-C-Kabel');
  });
});

const json = { 'content-type': 'application/json' };

describe('findings', () => {
  const create = (name: string, members = '') => ({
    method: 'POST',
    headers: json,
    body: `{"name":"${name}"${members}}`,
  });
  const told = async () => (await tenant.findings()).map(({ id, reason }) => `${id} ${reason}`);

  test('a client that does what the contract says has none', async () => {
    await tenant.fault(
      { code: 'rate_limited', retryAfter: 0 },
      { connection: 'lose_response', operation: 'createProduct' },
    );
    for (const _ of [1, 2]) await (await ask('/products?limit=200&offset=0')).text();
    await expect(ask('/products', create('Tasse'))).rejects.toThrow();
    await ask('/products?search=Tasse');
    await page('usb-c-kabel', '?utm_source=shop');
    // The contract describes the API only. Other paths give no finding.
    const headers = { authorization: `Bearer ${tenant.apiKey}` };
    for (const path of [`/p/${tenant.slug}`, '/none']) {
      await (await fetch(new URL(path, sandbox.baseUrl), { headers })).text();
    }
    expect(await told()).toEqual([]);
  });

  test('name an undocumented operation or parameter, a number out of its bounds, and a key outside of its header', async () => {
    await ask('/products?limit=500&page=2');
    await ask('/products?limit=500&page=2');
    await ask('/products/a/b', { method: 'PATCH' });
    await fetch(`${sandbox.baseUrl}/me?api_key=${tenant.apiKey}`);
    await ask('/products', create(tenant.apiKey));
    const line = 'GET /api/v1/products?limit=500&page=2';
    expect(await told()).toEqual([
      `CLIENT-1.parameters ${line}: limit must be 1 to 200, is 500. The service uses the nearest bound.`,
      `CLIENT-1.parameters ${line}: the contract has no parameter page.`,
      'CLIENT-1.operation PATCH /api/v1/products/a/b: the contract has no such operation.',
      'CLIENT-1.parameters GET /api/v1/me?api_key=ppk_***: the contract has no parameter api_key.',
      'CLIENT-6.address GET: the address contains the key. Logs keep it.',
      'CLIENT-6.address POST: the body contains the key. Logs keep it.',
    ]);
    expect(JSON.stringify(await tenant.findings())).not.toContain(tenant.apiKey);
  });

  test('name a request before the seconds of a 429 had passed', async () => {
    await tenant.fault({ code: 'rate_limited', retryAfter: 30 });
    await ask('/me');
    await ask('/me');
    const early = 'GET /api/v1/me got 429 with Retry-After: 30. GET /api/v1/me came before the 30 seconds had passed.';
    expect(await tenant.findings()).toEqual([
      { id: 'CLIENT-2.wait', reason: early, request: expect.objectContaining({ target: '/api/v1/me', status: 200 }) },
    ]);
    await tenant.reset();
    expect(await tenant.findings()).toEqual([]);
  });

  test.each(['lose_response', 'truncate'] as const)(
    'name a create that is sent again without a look after %s',
    async (connection) => {
      await tenant.fault({ connection });
      await expect(
        ask('/products', create('Tasse', ',"model":"A"')).then((response) => response.text()),
      ).rejects.toThrow();
      await ask('/products', { ...create('Tasse'), body: '{"model":"A","name":"Tasse"}' });
      expect(await told()).toEqual([
        'CLIENT-3.create The product of POST /api/v1/products was stored, but the connection closed. The program created it again without a look. There are two products now.',
      ]);
    },
  );
});

describe('recorded requests', () => {
  test('hold what the tenant sent, without keys and tokens', async () => {
    const [product] = await tenant.seed([cable]);
    const token = await tenant.createToken({ role: 'recycler' });
    await ask('/products', {
      method: 'POST',
      headers: json,
      body: `{"name":"Tasse","model":"${tenant.apiKey} ${token}"}`,
    });
    await page('usb-c-kabel', `?lang=de&%7Augang=${token}`);
    await fetch(`${sandbox.siteUrl}/01/${product?.gtin}?zugang=${token}`, { redirect: 'manual' });
    const other = await sandbox.createTenant();
    await ask('/me', {}, other);

    const requests = await tenant.requests();
    expect(requests).toMatchObject([
      {
        method: 'POST',
        target: '/api/v1/products',
        operation: 'createProduct',
        headers: { authorization: 'Bearer ***', 'content-type': 'application/json' },
        body: '{"name":"Tasse","model":"ppk_*** ***"}',
        status: 200,
      },
      { target: `/p/${tenant.slug}/usb-c-kabel?lang=de&%7Augang=***`, operation: 'getPassportPage', status: 200 },
      { target: `/01/${product?.gtin}?zugang=***`, operation: 'resolveGtin', status: 307 },
    ]);
    expect(JSON.stringify(requests)).not.toContain(token);
    expect(JSON.stringify(requests)).not.toContain(tenant.apiKey);
    expect(await other.requests()).toMatchObject([{ target: '/api/v1/me', body: null }]);
  });

  test('show the status of a fault, and none if the connection was reset', async () => {
    await tenant.fault({ status: 503 }, { connection: 'reset' });
    await ask('/me');
    await expect(ask('/me')).rejects.toThrow();
    expect(await tenant.requests()).toMatchObject([{ status: 503 }, { status: null }]);
  });

  test('beyond a thousand, the older ones are counted', () => {
    const state = new TenantState();
    for (let count = 0; count < 1003; count += 1) state.record({} as Parameters<TenantState['record']>[0]);
    expect([state.requests.items.length, state.requests.dropped]).toEqual([1000, 3]);
  });
});

test('reset removes what is kept in memory, and the names of products from their index', async () => {
  await tenant.seed([cable, cable]);
  await tenant.fault({ status: 503, operation: 'getScanStatistics' });
  await ask('/me');
  await tenant.advanceClock({ days: 5 });
  await tenant.reset();
  expect(await tenant.requests()).toEqual([]);
  expect((await ask('/analytics/scans')).status).toBe(200);
  expect(await tenant.advanceClock({ days: 1 })).toBe(1);
  await tenant.seed([{ name: 'Tasse' }]);
  expect((await read('/products?search=kabel')).body).toMatchObject({ total: 0 });
  expect((await read('/products?search=tasse')).body).toMatchObject({ total: 1, items: [{ slug: 'tasse' }] });
});

test('a stop frees the port while a delayed request waits', async () => {
  const short = await startSandbox();
  const { apiKey, fault } = await short.createTenant();
  await fault({ delayMs: 60_000 });
  const waiting = fetch(`${short.baseUrl}/me`, { headers: { authorization: `Bearer ${apiKey}` } });
  waiting.catch(() => undefined);
  await setTimeout(100);
  await short.stop();
  await expect(waiting).rejects.toThrow('fetch failed');
});
