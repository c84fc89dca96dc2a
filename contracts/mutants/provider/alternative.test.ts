/** The alternative provider does differently what the description leaves free, and the reference does not. */
import { expect, test } from '@jest/globals';
import { createClient } from '@product-passport/sdk';
import { createFakeService } from '@product-passport/sdk/testing';
import { createJudge } from '../../judge/judge.ts';
import { alternative } from './alternative.ts';

const judge = createJudge(undefined, { profile: 'description' });
const siteUrl = 'http://passports.test';

/** Clients of a new provider. Every response is judged by the description. */
function start() {
  const service = createFakeService({ siteUrl });
  const handle = alternative.change(service);
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { method } = request;
    const { pathname: path } = new URL(request.url);
    const response = await handle(request);
    const { status, headers } = response;
    const findings = judge.response({ method, path, status, headers, body: await response.clone().text() });
    expect(findings.filter(({ severity }) => severity === 'failure')).toEqual([]);
    return response;
  };
  const { provider } = service;
  const apiKey = provider.tenants[0]?.api_key ?? '';
  const first = createClient({ baseUrl: provider.base_url, apiKey, fetch, maxAttempts: 1 });
  const send = (method: string, path: string, init: RequestInit = {}) =>
    fetch(siteUrl + path, { method, redirect: 'manual', ...init });
  /** The status and the code, or the body, of a response to the first tenant. */
  const outcome = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const response = await send(method, `/api/v1${path}`, { headers, ...(body && { body: JSON.stringify(body) }) });
    const value = await response.json();
    return [response.status, value.error?.code ?? value] as const;
  };
  return { service, provider, first, send, outcome };
}

const refused = [400, 'anfrage_ungueltig'] as const;
const created = (facts: object) => [200, expect.objectContaining(facts)] as const;

test.each<[string, string, string, object | undefined, readonly [number, unknown]]>([
  ['a limit above its range', 'GET', '/products?limit=201', undefined, refused],
  ['an offset below its range', 'GET', '/products?offset=-1', undefined, refused],
  ['days above their range', 'GET', '/analytics/scans?days=366', undefined, refused],
  ['a wrong check digit', 'POST', '/products', { name: 'A', gtin: '9520001000073' }, [400, 'gtin_ungueltig']],
  ['a member that is null', 'POST', '/products', { name: 'A', model: null }, refused],
  ['an unknown member', 'POST', '/products', { name: 'A', colour: 'red' }, refused],
  ['a name with spaces', 'POST', '/products', { name: ' Reifen ' }, created({ name: ' Reifen ' })],
  ['another group', 'POST', '/products', { name: 'A', product_group: 'tyre' }, created({ group: 'tyre' })],
  ['a name without letters', 'POST', '/products', { name: '漢字' }, created({ slug: 'artikel' })],
  ['another method', 'DELETE', '/me', undefined, [404, 'not_found']],
  ['a repeated parameter', 'GET', '/products?limit=1&limit=x', undefined, created({ limit: 1 })],
  ['an unknown status', 'GET', '/products?status=none', undefined, created({ total: 3 })],
])('%s: %s %s', async (_, method, path, body, expected) => {
  expect(await start().outcome(method, path, body)).toEqual(expected);
});

test.each([
  ['/api/v1/nothing', 404],
  ['/api/v1/me', 401],
  ['/p/nordlicht/fahrradhelm?zugang=forged', 403],
  ['/01/09520001000072', 410],
  ['/p/nordlicht/none', 410],
  ['/p/nordlicht/fahrradhelm/', 410],
])('%s without a key gets %d', async (path, status) => {
  expect((await start().send('GET', path)).status).toBe(status);
});

test('each write is a version, also one that changes nothing, except that of no values', async () => {
  const { first } = start();
  const hash = async () => (await first.passports.get('fahrradhelm')).latest_version.content_hash;
  const values = [{ field_key: 'country_of_origin', value: 'DE' }];
  await first.passports.put('fahrradhelm', values);
  const before = await hash();
  await first.passports.put('fahrradhelm', []);
  expect(await hash()).toBe(before);
  await first.passports.put('fahrradhelm', values);
  expect(await hash()).not.toBe(before);
});

test('a write stores the valid elements of a body with an invalid one', async () => {
  const { first, outcome } = start();
  const values = [
    { field_key: 'unknown_field', value: 1 },
    { field_key: 'country_of_origin', value: 'FR' },
  ];
  expect(await outcome('PUT', '/products/fahrradhelm/passport', values)).toEqual(refused);
  const { values: stored } = await first.passports.get('fahrradhelm');
  expect(stored.find(({ field_key }) => field_key === 'country_of_origin')?.value).toBe('FR');
});

test('responses have other members, in another order, and other headers', async () => {
  const { first, send, provider } = start();
  const product = await first.products.get('fahrradhelm');
  expect(Object.keys(product)).toEqual(expect.arrayContaining(['revision', 'group', 'variant']));
  expect(Object.keys(product).indexOf('name')).toBeLessThan(Object.keys(product).indexOf('id'));
  expect(product).toMatchObject({ id: expect.stringMatching(/^obj_/), completeness: expect.any(Number) });
  expect(product.created_at).toMatch(/T\d\d:\d\d:\d\d\+00:00$/);
  expect(product.unique_product_identifier).toBe('urn:artikelpass:nordlicht:fahrradhelm');
  const { latest_version, ...passport } = await first.passports.get('fahrradhelm');
  expect(Object.keys(latest_version)).not.toContain('salt');
  expect(latest_version.content_hash).toMatch(/^v0-[0-9A-F]{40}$/);
  expect(passport).toMatchObject({
    template_version: 7,
    values: [{ locale: 'und', field_key: 'test_reports' }, {}, {}, {}, {}],
  });
  const headers = { authorization: `Bearer ${provider.tenants[0]?.api_key}` };
  const response = await send('GET', '/api/v1/me', { headers });
  expect(response.headers.get('content-type')).toBe('application/json;charset="UTF-8"');
  expect(response.headers.get('x-region')).toBe('eu-central');
  expect(await response.json()).toMatchObject({ tenant: { country: 'de' } });
});

test('slugs have underscores and tildes, and lists begin with the newest product', async () => {
  const { first, service, send } = start();
  const name = 'Wollmütze Ostsee';
  const slugs = await Promise.all([1, 2, 3].map(async () => (await first.products.create({ name })).slug));
  expect(slugs.toSorted()).toEqual(['wollmtze_ostsee', 'wollmtze_ostsee~1', 'wollmtze_ostsee~2']);
  const { items, total } = await first.products.list({ search: 'WOLLMÜTZE o', limit: 2 });
  expect([total, items.map(({ slug }) => slug).length]).toEqual([0, 0]);
  const { items: newest } = await first.products.list({ search: 'OSTSEE', limit: 2 });
  expect(newest.map(({ slug }) => slugs.includes(slug))).toEqual([true, true]);
  expect((await first.products.get('wollmtze_ostsee~1')).slug).toBe('wollmtze_ostsee~1');
  expect((await first.products.list({ limit: 1 })).items[0]?.slug).toMatch(/^wollmtze_ostsee/);
  // Nothing shows the slug that the wrapped service has.
  await expect(first.products.get('alternative-product-0')).rejects.toThrow('not_found');
  service.activate('nordlicht', 'alternative-product-0');
  const page = await send('GET', `/p/nordlicht/${slugs[0]}`);
  expect([page.status, `${await page.text()}${[...page.headers]}`]).toEqual([
    200,
    expect.not.stringMatching(/alternative-/),
  ]);
});

test('updated counts the changed fields, and an update without an access level publishes', async () => {
  const { first } = start();
  const values = [
    { field_key: 'country_of_origin', value: 'DE' },
    { field_key: 'manufacturer_name', value: 'Other' },
    { field_key: 'test_reports', value: 'Prüfbericht 4711' },
  ];
  expect(await first.passports.put('fahrradhelm', values)).toMatchObject({ updated: 2 });
  const { values: stored } = await first.passports.get('fahrradhelm');
  expect(stored.find(({ field_key }) => field_key === 'test_reports')?.access_level).toBe('public');
});

test('the public side has another document, and other redirects', async () => {
  const { first, send, provider } = start();
  const inspector = provider.access_tokens.find(({ role }) => role === 'inspector')?.token;
  const document = await send('GET', `/p/nordlicht/fahrradhelm/jsonld?zugang=${inspector}`);
  const [node] = (await document.json())['@graph'];
  const { latest_version } = await first.passports.get('fahrradhelm');
  expect(node).toMatchObject({ '@type': 'gs1:Product', sha256: latest_version.content_hash });
  const names = node.additionalProperty.map(({ name }: { name: string }) => name);
  expect(names).toContain('substances_of_concern');
  expect(names).not.toContain('test_reports');
  const page = await send('GET', `/p/nordlicht/fahrradhelm?zugang=${inspector}`);
  expect(await page.text()).not.toContain('test_reports');

  const link = await send('GET', '/01/9520001000072/21/A-1?a=1');
  expect([link.status, link.headers.get('location')]).toEqual([302, '/p/nordlicht/fahrradhelm']);

  // The document counts as a view, and a role without one is left out.
  const { by_view_role, per_day } = await first.analytics.scans();
  expect([by_view_role, per_day.length]).toEqual([{ inspector: 2 }, 1]);
});

test('a draft with a GTIN has a carrier', async () => {
  const { first } = start();
  const { slug } = await first.products.create({ name: 'Entwurf', gtin: '96385074' });
  expect((await first.carriers.list(slug)).items).toMatchObject([{ type: 'gs1_qr' }, { type: 'nfc' }]);
});
