/** The fake service, in memory, through the SDK's own clients. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseProvider } from '../../../contracts/conformance/provider.ts';
import { createJudge } from '../../../contracts/judge/judge.ts';
import { createClient, isApiError } from '../../../sdk/src/index.ts';
import { createPublicClient } from '../../../sdk/src/public.ts';
import { createFakeService, type FakeService } from '../../../sdk/src/testing/service/index.ts';
import { type ServedFetch, serveFetch } from '../../support/serve-fetch.ts';
import { rejection } from '../../support/thrown.ts';
import { exchange } from '../../support/wire.ts';

const judge = createJudge(undefined, { profile: 'description' });
const siteUrl = 'http://passports.test';

/**
 * Clients of a new service. Every response is judged by the description. Ordinary responses also have nothing that the
 * contract does not declare.
 */
function start(now?: () => Date) {
  const service = createFakeService(now && { now });
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { pathname: path } = new URL(request.url);
    const response = await service.fetch(request);
    const { status, headers } = response;
    const findings = judge.response({
      method: request.method,
      path,
      status,
      headers,
      body: await response.clone().text(),
    });
    if (findings.length > 0) throw new Error(`${request.method} ${path}: ${JSON.stringify(findings)}`);
    return response;
  };
  const { provider } = service;
  const clientOf = (apiKey = '') => createClient({ baseUrl: provider.base_url, apiKey, fetch, maxAttempts: 1 });
  const [first, second] = provider.tenants.map(({ api_key }) => clientOf(api_key));
  if (!first || !second) throw new Error('The service starts with two tenants.');
  const site = createPublicClient({ siteUrl: provider.site_url, fetch });
  const send = async (method: string, path: string, init: RequestInit = {}) =>
    fetch(siteUrl + path, { method, redirect: 'manual', ...init });
  /** The status and the code of a response to the first tenant. */
  const outcome = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
    const authorization = `Bearer ${provider.tenants[0]?.api_key}`;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await send(method, `/api/v1${path}`, {
      headers: { authorization, ...type, ...headers },
      ...(body !== undefined && { body }),
    });
    const value = await response.json();
    return [response.status, value.error?.code ?? value] as const;
  };
  return { service, provider, first, second, site, clientOf, send, outcome };
}

// What the conformance suite notices is not repeated here.
describe('the service', () => {
  test('markup in a name and in a value is text on the page', async () => {
    const { second, service, site } = start();
    const { slug } = await second.products.create({ name: `<b title="'">` });
    await second.passports.put(slug, [{ field_key: 'manufacturer_name', value: '</dd><script>' }]);
    service.activate('suedwind', slug);
    expect(await site.passports.page('suedwind', slug)).not.toMatch(/<b|<script|'">/);
  });

  test('the page shows no value that is unknown', async () => {
    const { first, site } = start();
    await first.passports.put('fahrradhelm', [
      { field_key: 'product_description', value: 'hidden', is_unknown: true },
      { field_key: 'manufacturer_name', value: 'Shown', unit: 'g' },
    ]);
    const page = await site.passports.page('nordlicht', 'fahrradhelm');
    expect(page).toContain('<dt>product_description</dt><dd>unknown</dd>');
    expect(page).toContain('<dt>manufacturer_name</dt><dd>Shown g</dd>');
    expect(page).not.toContain('hidden');
  });

  // The suite cannot archive a product, nor know that one was never active.
  test('an archived product is gone, and only one that was active has a carrier', async () => {
    const { first, service, send } = start();
    service.archive('nordlicht', 'fahrradhelm');
    for (const path of ['/p/nordlicht/fahrradhelm', '/p/nordlicht/fahrradhelm/jsonld', '/01/09520001000072']) {
      expect((await send('GET', path)).status).toBe(404);
    }
    expect((await first.carriers.list('fahrradhelm')).items).toHaveLength(1);
    const { slug } = await first.products.create({ name: 'Entwurf', gtin: '96385074' });
    expect((await first.carriers.list(slug)).items).toHaveLength(0);
  });

  test('a body of 1 MiB is read, and one more byte is refused', async () => {
    const { outcome } = start();
    const whole = JSON.stringify({ name: 'Helm' }).padEnd(1024 * 1024);
    expect(await outcome('POST', '/products', whole)).toEqual([200, expect.objectContaining({ name: 'Helm' })]);
    expect((await outcome('POST', '/products', `${whole} `))[0]).toBe(413);
  });

  test('the same GTIN may belong to two tenants', async () => {
    const { second } = start();
    const created = await second.products.create({ name: 'Helm', slug: 'fahrradhelm', gtin: '9520001000072' });
    expect(created).toMatchObject({ slug: 'fahrradhelm', gtin: '9520001000072' });
  });
});

test('the error of an unknown product group names the closest one', async () => {
  const creation = start().first.products.create({ name: 'A', product_group: 'Textile' });
  await expect(creation).rejects.toThrow('vehicle_part. The closest is textile.');
});

describe('the options', () => {
  const clientOf = ({ fetch, provider }: FakeService<Pick<FakeService['provider'], 'base_url' | 'tenants'>>) => {
    const apiKey = provider.tenants[0]?.api_key ?? '';
    return createClient({ baseUrl: provider.base_url, apiKey, fetch, maxAttempts: 1 });
  };

  test('a service without the sample has two tenants and no products', async () => {
    const service = createFakeService({ sample: false });
    expect(await clientOf(service).me.get()).toMatchObject({ tenant: { slug: 'nordlicht' }, products_total: 0 });
    expect(service.provider.tenants).toHaveLength(2);
    expect(service.provider).not.toHaveProperty('access_tokens');
  });

  test('a GTIN of a sample belongs to the product of yours that has it', async () => {
    const service = createFakeService();
    const { slug } = await clientOf(service).products.create({ name: 'Mein Helm', gtin: '9520001000072' });
    const location = async () =>
      (await service.fetch(`${siteUrl}/01/09520001000072`, { redirect: 'manual' })).headers.get('location');
    expect(await location()).toBe(`${siteUrl}/p/nordlicht/fahrradhelm`);
    service.activate('nordlicht', slug);
    expect(await location()).toBe(`${siteUrl}/p/nordlicht/mein-helm`);
  });

  test('faults hit requests of their tenant, in their order', async () => {
    const service = createFakeService();
    const client = clientOf(service);
    service.fault('nordlicht', { code: 'service_unavailable', operation: 'getMe', times: 2 }, { status: 418 });
    service.fault('suedwind', { connection: 'reset' });
    expect(await rejection(client.products.get('none'))).toMatchObject({ status: 418, code: 'sandbox_fault' });
    for (const _ of [1, 2]) {
      expect(await rejection(client.me.get())).toMatchObject({ status: 503, code: 'service_unavailable' });
    }
    expect((await client.me.get()).products_total).toBe(3);
    service.fault('nordlicht', { retryAfter: 7 }, { delayMs: 20 });
    expect(await rejection(client.me.get())).toMatchObject({ status: 429, code: 'rate_limited' });
    service.clearFaults('nordlicht');
    expect((await client.me.get()).products_total).toBe(3);
  });

  test('a code without a status is a 400, and a status without a code has its most general one', async () => {
    const service = createFakeService();
    const client = clientOf(service);
    const faults = [{ code: 'own_code' }, { status: 400 }, { status: 503 }, { status: 409, code: 'not_found' }];
    service.fault('nordlicht', ...faults);
    const outcomes: string[] = [];
    for (const _ of faults) {
      const error = await rejection(client.me.get());
      outcomes.push(isApiError(error) ? `${error.status} ${error.code}` : String(error));
    }
    expect(outcomes).toEqual(['400 own_code', '400 invalid_request', '503 service_unavailable', '409 not_found']);
  });

  test('a delay ends when the request is aborted', async () => {
    const { fetch, provider, fault } = createFakeService();
    const [{ slug, api_key }] = provider.tenants as [{ slug: string; api_key: string }];
    fault(slug, { delayMs: 9000 });
    const signal = AbortSignal.timeout(20);
    const began = performance.now();
    const headers = { authorization: `Bearer ${api_key}` };
    await expect(fetch(`${provider.base_url}/me`, { headers, signal })).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test('a tenant that exists, and a tenant or a product that does not, are errors', () => {
    const service = createFakeService();
    expect(() => service.addTenant({ slug: 'nordlicht' })).toThrow('already has the tenant nordlicht');
    expect(() => service.addKey('none')).toThrow('has no tenant none. Add it with addTenant.');
    expect(() => service.activate('nordlicht', 'none')).toThrow('The tenant nordlicht has no product none.');
    const token = { tenant: 'nordlicht', product: 'none', role: 'recycler' } as const;
    expect(() => service.addToken(token)).toThrow('The tenant nordlicht has no product none.');
  });

  test('the most scanned products come first, and equal ones by slug', async () => {
    const service = createFakeService({ sample: false });
    const client = clientOf(service);
    for (const slug of ['b', 'a', 'c']) {
      await client.products.create({ name: slug, slug });
      service.activate('nordlicht', slug);
    }
    for (const slug of ['c', 'b', 'a', 'c']) await service.fetch(`${siteUrl}/p/nordlicht/${slug}`);
    const { top_products } = await client.analytics.scans();
    expect(top_products.map(({ slug, count }) => `${slug} ${count}`)).toEqual(['c 2', 'a 1', 'b 1']);
  });

  test.each(['detergent', 'toy'])('views of a %s do not count', async (product_group) => {
    const service = createFakeService({ sample: false });
    const client = clientOf(service);
    await client.products.create({ name: 'a', slug: 'a', product_group });
    service.activate('nordlicht', 'a');
    expect((await service.fetch(`${siteUrl}/p/nordlicht/a`)).status).toBe(200);
    expect(await client.analytics.scans()).toMatchObject({ total: 0, top_products: [] });
  });

  test('a fault of the connection loses the request, the response, or half of its body', async () => {
    const service = createFakeService();
    const client = clientOf(service);
    service.fault('nordlicht', { connection: 'reset' }, { connection: 'lose_response' }, { connection: 'truncate' });
    for (const name of ['Reset', 'Lost', 'Half']) {
      expect(await rejection(client.products.create({ name }))).toMatchObject({ name: 'NetworkError' });
    }
    const { items } = await client.products.list({ search: 't' });
    expect(items.map(({ name }) => name)).toContain('Lost');
    expect(items.map(({ name }) => name)).not.toContain('Reset');
    expect((await client.products.list({ search: 'half' })).total).toBe(1);
  });

  test('the limit of requests belongs to a tenant and a minute', async () => {
    let now = Date.parse('2026-11-20T10:00:00Z');
    const service = createFakeService({ rateLimit: 2, now: () => new Date(now) });
    const client = clientOf(service);
    await client.me.get();
    await client.me.get();
    now += 15_999;
    const { response } = await rawOf(service);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '45']);
    now += 44_000;
    expect((await rawOf(service)).response.headers.get('retry-after')).toBe('1');
    now += 1;
    await client.me.get();
  });

  async function rawOf({ fetch, provider }: FakeService) {
    const authorization = `Bearer ${provider.tenants[0]?.api_key}`;
    return { response: await fetch(`${provider.base_url}/me`, { headers: { authorization } }) };
  }
});

test('the provider is a file that the conformance suite reads', () => {
  const { provider } = createFakeService();
  const schema: object = JSON.parse(readFileSync('contracts/schemas/provider.schema.json', 'utf8'));
  expect(parseProvider(JSON.stringify(provider), {}, schema)).toEqual(provider);
});

describe('over HTTP', () => {
  let service: FakeService;
  let served: ServedFetch;
  beforeAll(async () => {
    served = await serveFetch((request) => service.fetch(request));
    service = createFakeService({ siteUrl: served.url });
  });
  afterAll(() => served.close());

  test('the SDK reads and writes', async () => {
    const { base_url: baseUrl, tenants } = service.provider;
    const client = createClient({ baseUrl, apiKey: tenants[0]?.api_key ?? '' });
    const { slug } = await client.products.create({ name: 'Größe' });
    expect(await client.passports.put(slug, [{ field_key: 'ä', value: '✓' }])).toMatchObject({ updated: 1 });
    const { url, document } = await createPublicClient({ siteUrl: served.url }).resolve('9520001000072');
    expect([url, document?.name]).toEqual([`${served.url}/p/nordlicht/fahrradhelm/jsonld`, 'Fahrradhelm']);
  });

  test('a HEAD request has no body, and a request that fetch cannot express gets 400', async () => {
    const page = '/p/nordlicht/fahrradhelm';
    expect((await fetch(served.url + page, { method: 'HEAD' })).status).toBe(200);
    const port = Number(new URL(served.url).port);
    const lines = 'Host: a\r\nConnection: close\r\n\r\n';
    expect((await exchange(port, `HEAD ${page} HTTP/1.1\r\n${lines}`)).text).toBe('');
    expect((await exchange(port, `TRACE ${page} HTTP/1.1\r\n${lines}`)).status).toBe(400);
    expect((await exchange(port, `GET ${page} HTTP/1.1\r\nX-Bytes: \xff\x01\r\n${lines}`)).status).toBe(400);
  });

  test('a handler that rejects closes the connection', async () => {
    const failing = await serveFetch(() => Promise.reject(new Error('broken')));
    await expect(fetch(failing.url)).rejects.toThrow('fetch failed');
    await failing.close();
  });
});
