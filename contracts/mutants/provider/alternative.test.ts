/** The alternative provider does differently what the description leaves free, and the reference does not. */
import { expect, test } from '@jest/globals';
import { createClient } from '@product-passport/sdk';
import { createFakeService } from '@product-passport/sdk/testing';
import { createJudge } from '../../judge/judge.ts';
import { alternative } from './alternative.ts';

const judge = createJudge(undefined, { profile: 'description' });
const siteUrl = 'http://passports.test';

/** Clients of a new provider. Every response is judged by the description. */
function start(behaviour: 'reference' | 'alternative') {
  const service = createFakeService({ siteUrl });
  const handle = behaviour === 'alternative' ? alternative.change(service) : service.fetch;
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { method } = request;
    const { pathname: path } = new URL(request.url);
    const response = await handle(request);
    const { status, headers } = response;
    const findings = judge.response({ method, path, status, headers, body: await response.clone().text() });
    const failures = findings.filter(({ severity }) => severity === 'failure');
    if (failures.length > 0) throw new Error(`${method} ${path}: ${JSON.stringify(failures)}`);
    return response;
  };
  const { provider } = service;
  const apiKey = provider.tenants[0]?.api_key ?? '';
  const first = createClient({ baseUrl: provider.base_url, apiKey, fetch, maxAttempts: 1 });
  const send = (method: string, path: string, init: RequestInit = {}) =>
    fetch(siteUrl + path, { method, redirect: 'manual', ...init });
  /** The status and the code of a response to the first tenant. */
  const outcome = async (method: string, path: string, body?: string) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const response = await send(method, `/api/v1${path}`, { headers, ...(body !== undefined && { body }) });
    const value = await response.json();
    return [response.status, value.error?.code ?? value] as const;
  };
  return { service, provider, first, send, outcome };
}

test('numbers outside their range, an invalid token and an unknown field are refused', async () => {
  const { send, outcome } = start('alternative');
  for (const path of ['/products?limit=201', '/products?offset=-1', '/analytics/scans?days=366']) {
    expect(await outcome('GET', path)).toEqual([400, 'anfrage_ungueltig']);
  }
  expect((await send('GET', '/p/nordlicht/fahrradhelm?zugang=forged')).status).toBe(403);
  const gtin = JSON.stringify({ name: 'A', gtin: '9520001000073' });
  expect(await outcome('POST', '/products', gtin)).toEqual([400, 'gtin_ungueltig']);
});

test('names keep their spaces, and other product groups are known', async () => {
  const create = (behaviour: 'reference' | 'alternative', facts: object) =>
    start(behaviour).outcome('POST', '/products', JSON.stringify(facts));
  const named = { name: ' Reifen ' };
  expect(await create('alternative', named)).toEqual([200, expect.objectContaining(named)]);
  expect(await create('reference', named)).toEqual([200, expect.objectContaining({ name: 'Reifen' })]);
  const tyre = { name: 'Reifen', product_group: 'tyre' };
  expect(await create('alternative', tyre)).toEqual([200, expect.objectContaining({ group: 'tyre' })]);
});

test('an unknown path of the API needs no key, and a known one does', async () => {
  const statusOf = async (behaviour: 'reference' | 'alternative', path: string) =>
    (await start(behaviour).send('GET', `/api/v1${path}`)).status;
  expect([await statusOf('alternative', '/nothing'), await statusOf('alternative', '/me')]).toEqual([404, 401]);
  expect([await statusOf('reference', '/nothing'), await statusOf('reference', '/me')]).toEqual([401, 401]);
});

test('a name without letters has a slug too, and a null or unknown member is refused', async () => {
  const { first, outcome } = start('alternative');
  expect((await first.products.create({ name: '漢字' })).slug).toBe('artikel');
  for (const more of [{ model: null }, { colour: 'red' }]) {
    const body = JSON.stringify({ name: 'A', ...more });
    expect(await outcome('POST', '/products', body)).toEqual([400, 'anfrage_ungueltig']);
  }
});

test('each write is a version, also one that changes nothing, except that of no values', async () => {
  const { first } = start('alternative');
  const hash = async () => (await first.passports.get('fahrradhelm')).latest_version.content_hash;
  const values = [{ field_key: 'country_of_origin', value: 'DE' }];
  await first.passports.put('fahrradhelm', values);
  const before = await hash();
  await first.passports.put('fahrradhelm', []);
  expect(await hash()).toBe(before);
  await first.passports.put('fahrradhelm', values);
  expect(await hash()).not.toBe(before);
});

test('a write stores the valid elements beside an invalid one', async () => {
  const { first, outcome } = start('alternative');
  const body = JSON.stringify([
    { field_key: 'unknown_field', value: 1 },
    { field_key: 'country_of_origin', value: 'FR' },
  ]);
  expect(await outcome('PUT', '/products/fahrradhelm/passport', body)).toEqual([400, 'anfrage_ungueltig']);
  const { values } = await first.passports.get('fahrradhelm');
  expect(values.find(({ field_key }) => field_key === 'country_of_origin')?.value).toBe('FR');
});

test('responses have other members, in another order, and other headers', async () => {
  const { first, send, provider } = start('alternative');
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
  const { first, service, send } = start('alternative');
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
  const { first } = start('alternative');
  const values = [
    { field_key: 'country_of_origin', value: 'DE' },
    { field_key: 'manufacturer_name', value: 'Other' },
    { field_key: 'test_reports', value: 'Prüfbericht 4711' },
  ];
  expect(await first.passports.put('fahrradhelm', values)).toMatchObject({ updated: 2 });
  const { values: stored } = await first.passports.get('fahrradhelm');
  expect(stored.find(({ field_key }) => field_key === 'test_reports')?.access_level).toBe('public');
});

test('the public side has another document, other redirects and other errors', async () => {
  const { first, send, outcome, provider } = start('alternative');
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
  for (const [path, status] of [
    ['/01/09520001000072', 410],
    ['/p/nordlicht/none', 410],
    ['/p/nordlicht/fahrradhelm/', 410],
  ] as const) {
    expect((await send('GET', path)).status).toBe(status);
  }
  expect(await outcome('DELETE', '/me')).toEqual([404, 'not_found']);

  // The document counts as a view, and a role without one is left out.
  const { by_view_role, per_day } = await first.analytics.scans();
  expect([by_view_role, per_day.length]).toEqual([{ inspector: 2 }, 1]);
});

test('a draft with a GTIN has a carrier, and a repeated parameter and an unknown status are ignored', async () => {
  const { first, outcome } = start('alternative');
  const { slug } = await first.products.create({ name: 'Entwurf', gtin: '96385074' });
  expect((await first.carriers.list(slug)).items).toMatchObject([{ type: 'gs1_qr' }, { type: 'nfc' }]);
  expect(await outcome('GET', '/products?limit=1&limit=x&status=none')).toMatchObject([200, { limit: 1, total: 4 }]);
});
