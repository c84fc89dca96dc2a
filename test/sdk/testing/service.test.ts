/** What the conformance suite cannot see of the fake service: its options, its operator, faults, the clock, and the manual. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { claims } from '../../../contracts/conformance/claims.ts';
import { connectInProcess } from '../../../contracts/conformance/http/connection.ts';
import { serviceWithStates } from '../../../contracts/conformance/plan.ts';
import { verify } from '../../../contracts/conformance/verify.ts';
import { createClient, isApiError } from '../../../sdk/src/index.ts';
import { createPublicClient } from '../../../sdk/src/public.ts';
import { createFakeService, type FakeServiceOptions, type NewFault } from '../../../sdk/src/testing.ts';
import { rejection } from '../../support/thrown.ts';

const siteUrl = 'http://passports.test';
const helmet = '9520001200045';

/** A service, and clients of its first tenant. */
function start(options: FakeServiceOptions = {}) {
  const service = createFakeService(options);
  const { fetch, provider } = service;
  const apiKey = provider.tenants[0]?.api_key ?? '';
  const client = createClient({ baseUrl: provider.base_url, apiKey, fetch, maxAttempts: 1 });
  return { service, client, site: createPublicClient({ siteUrl, fetch, maxAttempts: 1 }) };
}

describe('the page of an item', () => {
  test.each([
    ['', undefined, 'private, no-store'],
    ['recycler', 'recycler', 'private, no-store'],
    ['an invalid token', 'none', 'private, no-store'],
  ] as const)('for another serial number shows the notice and no value, with %s', async (_what, role, cache) => {
    const { service, client } = start({ sample: false });
    const { slug } = await client.products.create({ name: 'Akku <1>', gtin: helmet });
    await client.passports.put(slug, [
      { field_key: 'serial_number', value: 'SN-1' },
      { field_key: 'note', value: 'PUBLIC-VALUE' },
      { field_key: 'hidden', value: 'HIDDEN-VALUE', access_level: 'restricted' },
    ]);
    service.activate('skellig', slug);
    const token = role === 'recycler' ? service.addToken({ tenant: 'skellig', role }) : role;
    const zugang = token === undefined ? '' : `zugang=${token}`;
    const page = async (query: string) => {
      const headers = { accept: 'application/ld+json' };
      const response = await service.fetch(`${siteUrl}/p/skellig/${slug}?${query}`, { headers });
      return { response, text: await response.text() };
    };
    const { response, text } = await page(`serial=SN-%3Cb%3E&${zugang}`);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect([response.headers.get('cache-control'), response.headers.get('link')]).toEqual([cache, null]);
    expect(text).toMatch(/No public passport is registered here for [a-z ]*serial number SN-&#60;b&#62;\./);
    expect(text).toContain('<h1>Akku &#60;1&#62;</h1>');
    expect(text).not.toMatch(/PUBLIC-VALUE|HIDDEN-VALUE|SN-1/);
    const own = role === 'recycler' ? `?zugang=${token}` : '';
    expect(text).toContain(`href="/p/skellig/${slug}${own}"`);
    // Its own number opens the passport, and no other view is counted.
    expect((await page(`serial=SN-1&${zugang}`)).text).toContain('PUBLIC-VALUE');
    await service.fetch(`${siteUrl}/p/skellig/${slug}?serial=SN-2`, { headers: { accept: 'text/html' } });
    expect((await client.analytics.scans()).total).toBe(0);
    const { slug: model } = await client.products.create({ name: 'Model', gtin: helmet });
    service.activate('skellig', model);
    const ofModel = await service.fetch(`${siteUrl}/p/skellig/${model}?serial=SN-1`);
    expect(await ofModel.text()).toContain('PUBLIC-VALUE');
  });
});

describe('the options', () => {
  test('a service without the sample has two tenants and no products', async () => {
    const { service, client } = start({ sample: false });
    expect(await client.me.get()).toMatchObject({ tenant: { slug: 'skellig' }, products_total: 0 });
    expect(service.provider.tenants).toHaveLength(2);
    expect(service.provider).not.toHaveProperty('access_tokens');
  });

  test('a GTIN of the sample belongs to the product of yours that has it', async () => {
    const { service, client, site } = start();
    const { slug } = await client.products.create({ name: 'Mein Helm', gtin: helmet });
    expect((await site.resolve(helmet)).url).toBe(`${siteUrl}/p/skellig/bicycle-helmet/jsonld`);
    service.activate('skellig', slug);
    expect((await site.resolve(helmet)).url).toBe(`${siteUrl}/p/skellig/mein-helm/jsonld`);
  });

  test('the limit of requests belongs to a tenant and a minute of the clock', async () => {
    let now = Date.parse('2026-11-20T10:00:00Z');
    const { service, client } = start({ rateLimit: 2, now: () => new Date(now) });
    const [first, second] = service.provider.tenants;
    const outcome = async (apiKey = '') => {
      const headers = { authorization: `Bearer ${apiKey}` };
      const { status, headers: received } = await service.fetch(`${service.provider.base_url}/me`, { headers });
      return [status, received.get('retry-after')];
    };
    await client.me.get();
    await client.me.get();
    now += 15_999;
    expect(await outcome(first?.api_key)).toEqual([429, '45']);
    expect(await outcome(second?.api_key)).toEqual([200, null]);
    now += 44_000;
    expect(await outcome(first?.api_key)).toEqual([429, '1']);
    now += 1;
    expect(await outcome(first?.api_key)).toEqual([200, null]);
  });
});

describe('the operator', () => {
  test('a product that was active has a carrier, also after it was archived', async () => {
    const { service, client } = start();
    service.archive('skellig', 'bicycle-helmet');
    expect((await client.carriers.list('bicycle-helmet')).items).toHaveLength(1);
    const { slug } = await client.products.create({ name: 'Entwurf', gtin: '96385074' });
    expect((await client.carriers.list(slug)).items).toHaveLength(0);
  });

  test('a tenant that exists, and a tenant or a product that does not, are errors', () => {
    const { service } = start();
    expect(() => service.addTenant({ slug: 'skellig' })).toThrow('already has the tenant skellig');
    expect(() => service.addKey('none')).toThrow('has no tenant none. Add it with addTenant.');
    expect(() => service.activate('skellig', 'none')).toThrow('The tenant skellig has no product none.');
    const token = { tenant: 'skellig', product: 'none', role: 'recycler' } as const;
    expect(() => service.addToken(token)).toThrow('The tenant skellig has no product none.');
  });

  test.each(['detergent', 'toy'])('views of a %s do not count', async (product_group) => {
    const { service, client, site } = start({ sample: false });
    await client.products.create({ name: 'a', slug: 'a', product_group });
    service.activate('skellig', 'a');
    await site.passports.page('skellig', 'a');
    expect(await client.analytics.scans()).toMatchObject({ total: 0, top_products: [] });
  });
});

describe('faults', () => {
  test('hit requests of their tenant and operation, in their order, until they are cleared', async () => {
    const { service, client } = start();
    const outcome = (call: PromiseLike<unknown>) =>
      call.then(
        () => 'ok',
        (error) => (isApiError(error) ? `${error.status} ${error.code}` : error.name),
      );
    service.fault('causeway', { connection: 'reset' });
    service.fault('skellig', { code: 'service_unavailable', operation: 'getMe', times: 2 }, { status: 418 });
    expect(await outcome(client.products.get('none'))).toBe('418 sandbox_fault');
    const faults: [NewFault, string][] = [
      [{ code: 'own_code' }, '400 own_code'],
      [{ status: 400 }, '400 invalid_request'],
      [{ status: 503 }, '503 service_unavailable'],
      [{ status: 409, code: 'not_found' }, '409 not_found'],
      [{ retryAfter: 7 }, '429 rate_limited'],
      [{ delayMs: 5 }, 'ok'],
    ];
    service.fault('skellig', ...faults.map(([fault]) => fault));
    const outcomes: string[] = [];
    for (let times = 0; times < faults.length + 3; times += 1) outcomes.push(await outcome(client.me.get()));
    expect(outcomes).toEqual([...Array(2).fill('503 service_unavailable'), ...faults.map(([, one]) => one), 'ok']);
    service.fault('skellig', { status: 400 });
    expect(await rejection(client.me.get())).toMatchObject({ detail: 'The sandbox injected this error.' });
    service.fault('skellig', { status: 418 });
    service.clearFaults('skellig');
    expect(await outcome(client.me.get())).toBe('ok');
  });

  test.each(['/p/skellig/bicycle-helmet', '/01/9520001200045'])('hit the tenant that %s names', async (path) => {
    const { service } = start();
    service.fault('skellig', { status: 418 });
    expect((await service.fetch(service.provider.site_url + path)).status).toBe(418);
  });

  test('of the connection lose the request, the response, or half of its body', async () => {
    const { service, client } = start({ sample: false });
    service.fault('skellig', { connection: 'reset' }, { connection: 'lose_response' }, { connection: 'truncate' });
    for (const name of ['Reset', 'Lost', 'Half']) {
      expect(await rejection(client.products.create({ name }))).toMatchObject({ name: 'NetworkError' });
    }
    expect((await client.products.list()).items.map(({ name }) => name)).toEqual(['Lost', 'Half']);
  });

  test.each<[unknown, string]>([
    [{}, 'must contain at least one of'],
    [{ statuz: 503 }, '"statuz" is not allowed'],
    [{ status: 200 }, '"status" must be greater than or equal to 400'],
    [{ status: 503, times: 0 }, '"times" must be greater than or equal to 1'],
    [{ status: 503, times: 1.5 }, '"times" must be an integer'],
    [{ status: 503, operation: 'getProdukt' }, '"operation" must be one of'],
    [{ code: 'Not Found' }, '"code" must be lower case letters'],
    [{ connection: 'explode' }, '"connection" must be one of'],
    [{ status: 503, connection: 'reset' }, 'conflict'],
  ])('that cannot happen are refused: %j', (fault, words) => {
    const { service } = start();
    expect(() => service.fault('skellig', fault as NewFault)).toThrow(words);
  });

  test('that delay end when the request is aborted', async () => {
    const { service } = start();
    const { base_url, tenants } = service.provider;
    service.fault('skellig', { delayMs: 9000 });
    const began = performance.now();
    const signal = AbortSignal.timeout(20);
    const headers = { authorization: `Bearer ${tenants[0]?.api_key}` };
    expect(await rejection(service.fetch(`${base_url}/me`, { headers, signal }))).toBe(signal.reason);
    expect(performance.now() - began).toBeLessThan(5000);
  });
});

test('the cases that the manual names as left out fail; test/suite runs all others', async () => {
  const [, table = ''] = /It leaves out:\n\n((?:\|.*\n)+)/.exec(readFileSync('sdk/README.md', 'utf8')) ?? [];
  const [, , ...rows] = table.trim().split('\n');
  const ids = rows.flatMap((row) => [...(row.split('|')[3] ?? '').matchAll(/`([^`]+)`/g)].map(([, id = '']) => id));
  const listed = ids.map((id) => id.replace('<operation>', 'getMe'));
  expect(listed.length).toBeGreaterThan(1);
  const { provider, fetch } = await serviceWithStates({ siteUrl });
  const connection = connectInProcess(fetch, siteUrl);
  const { results } = await verify({ provider, claims, connection, only: listed, seed: 1, generated: 0 });
  const failed = results.filter(({ status }) => status !== 'passed').map(({ id }) => id);
  expect(failed).toEqual(expect.arrayContaining(listed));
});
