/** With the reference behaviour, the service in memory responds to the same requests as the reference server does. */
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { claims } from '../../../contracts/conformance/claims.ts';
import { connectInProcess } from '../../../contracts/conformance/http/in-process.ts';
import { serviceWithStates } from '../../../contracts/conformance/plan.ts';
import { verify } from '../../../contracts/conformance/verify.ts';
import { createFakeService } from '../../../sdk/src/testing/service/index.ts';
import { useService } from '../../support/service.ts';

const siteUrl = 'http://passports.test';
const reference = useService('SQLite', { siteUrl });
const service = createFakeService({ siteUrl });

const list = '/api/v1/products';
const helmet = `${list}/helm`;
const scans = '/api/v1/analytics/scans';

/** Each request, as its method, path and body. `KEY` and `TENANT` stand for the tenant's. */
const requests: (readonly [method: string, path: string, body?: unknown, headers?: Record<string, string>])[] = [
  ...['/api/v1/me', '/api/v1', '/api/v1/none', '/none'].map((path) => ['GET', path] as const),
  ...['', 'Bearer', 'bearer KEY', 'Basic KEY', 'Bearer KEY x'].flatMap((authorization) => [
    ['GET', '/api/v1/me', undefined, { authorization }] as const,
    ['GET', '/api/v1/none', undefined, { authorization }] as const,
  ]),
  ...[
    ...['', '/', '?limit=0', '?limit=201', '?limit=1.5', '?limit=', '?limit=1&limit=2', '?offset=-1', '?offset=1'],
    ...['?offset=99999999999999999999', '?status=draft', '?status=other', '?status=', '?search=HEL', '?search=%25'],
    ...['?search=', '?search=gr%C3%96SSE', '?search=gro%CC%88sse', '?unknown=1', '/helm', '/HELM', '/%68elm', '/%2F'],
    ...['/helm/', '/helm/passport', '/helm/carriers', '/none/passport', '/none/carriers', '/groesse/carriers'],
  ].map((path) => ['GET', list + path] as const),
  ...[
    ...[{}, [], 'text', null, { name: null }, { name: 5 }, { name: ' ' }, { name: ' Helm ' }, { name: 'Ærø ß ı' }],
    ...[{ name: '漢字' }, { name: 'x'.repeat(150) }, { name: 'x'.repeat(501) }, { name: 'a', slug: 'A b' }],
    ...[
      { name: 'a', slug: 'helm' },
      { name: 'a', slug: '' },
      { name: 'a', slug: 7 },
      { name: 'a', model: 7 },
    ],
    ...[
      { name: 'a', gtin: '9520001000073' },
      { name: 'a', gtin: '123' },
      { name: 'a', gtin: 12345678 },
    ],
    ...[{ name: 'a', product_group: 'toy', model: 'T' }, { name: 'a', product_group: '' }, { product_group: 'none' }],
    ...[
      { name: 'a', product_group: 'none', gtin: '1' },
      { name: 'a', status: 'active', id: '1', gtin: null },
    ],
  ].map((body) => ['POST', list, JSON.stringify(body)] as const),
  ...['', '{', '{"name":NaN}'].flatMap((body) => [
    ['POST', list, body] as const,
    ['PUT', `${helmet}/passport`, body] as const,
  ]),
  ['POST', list, '{"name":"a"}', { 'content-type': 'text/plain' }],
  ...[
    ...[[], {}, null, [5], [null], [{ value: 1 }], [{ field_key: ' ', value: 1 }], [{ field_key: 5, value: 1 }]],
    ...[[{ field_key: 'a' }], [{ field_key: 'a', value: null }], [{ field_key: 'weight', value: 3 }]],
    ...[{ unit: null }, { unit: 5 }, { source: null }, { source: 'other' }, { access_level: 'other' }].map((more) => [
      { field_key: 'weight', value: 2, ...more },
    ]),
    ...[{ is_unknown: true }, { is_unknown: null }, { needs_review: 'yes' }, { locale: 'x', updated_at: 1 }].map(
      (more) => [{ field_key: 'weight', value: 2, ...more }],
    ),
    ...[[{ field_key: 'a', value: 1, source: 'other' }, { value: 1 }]],
    ...[['a', 'b', 'a'].map((field_key, index) => ({ field_key, value: index }))],
  ].map((body) => ['PUT', `${helmet}/passport`, JSON.stringify(body)] as const),
  ['PUT', `${list}/none/passport`, '[]'],
  ['PUT', `${list}/none/passport`, '{}'],
  ...['?days=0', '?days=1', '?days=999', '?days=x', ''].map((query) => ['GET', scans + query] as const),
  ...['DELETE', 'PATCH', 'HEAD', 'OPTIONS'].flatMap((method) => [[method, list] as const, [method, helmet] as const]),
  ['GET', '/p/TENANT/none/jsonld', undefined, { accept: 'text/html' }],
  ...['/p/TENANT/helm', '/p/TENANT/helm/jsonld', '/01/96385074', '/01/123', '/01/00000000000000'].flatMap((path) => [
    ...['DELETE', 'OPTIONS'].map((method) => [method, path] as const),
    ...['DELETE', 'GET'].map((method) => [method, path, undefined, { accept: 'text/html' }] as const),
  ]),
  ...['/p/none/helm', '/p/TENANT/groesse', '/p/TENANT/none/jsonld', '/p/TENANT/helm/jsonld', '/p/none'].map(
    (path) => ['GET', path] as const,
  ),
  ...['0', '1', '2', '3', '4', '02', 'x', ''].map(
    (version) => ['GET', `/p/TENANT/helm/jsonld?version=${version}`] as const,
  ),
  ...['?download', '?lang=de', '?lang=en', '?lang=xx', '?version=2&download'].map(
    (query) => ['GET', `/p/TENANT/helm/jsonld${query}`] as const,
  ),
  ...[
    ...['?batch=A1', '?serial=A%2F1', '?batch=', '?batch=A%20B', '?other=A1', '?batch=A1&zugang=x', '?cpv=A'],
    ...['abcdefghijklmnopqrstuvwxyz12', 'abcdefghijklmnopqrstuvwxyz123'].flatMap((text) => [
      `?tpx=${text}`,
      `?cpv=${text}`,
    ]),
  ].map((query) => ['GET', `/p/TENANT/helm${query}`] as const),
  ...['/22/V', '/10/B/21/S', '/235/T', '/10/abc%', '/10/%25', '/21/%FF', '/22/V?linkType=linkset'].map(
    (qualifiers) => ['GET', `/01/96385074${qualifiers}`] as const,
  ),
  ...['en', 'de-AT, en;q=0.5', 'en;q=0.1, de;q=0.9', 'de;q=0, en', 'xx', '*', 'en-GB'].map(
    (language) => ['GET', '/p/TENANT/helm/jsonld', undefined, { 'accept-language': language }] as const,
  ),
  ...[
    ...['image/png', '*/*', 'application/*', 'application/linkset+json', 'text/html;q=0.5, application/ld+json;q=0.6'],
    ...['application/ld+json;q=0.5, text/*', 'text/html;q=0, */*', 'application/linkset+json;q=0.4, text/html;q=0.3'],
  ].map((accept) => ['GET', '/01/96385074', undefined, { accept }] as const),
  ...['123', '00000000000000', '12345678901', '96385074', '00000096385074?a=b'].map(
    (gtin) => ['GET', `/01/${gtin}`] as const,
  ),
];

let tenants = 0;

/** A new tenant with the same products on both sides, and a function that sends a request of it to each side. */
async function sides() {
  tenants += 1;
  const named = { slug: `tenant-${tenants}`, name: 'Mandant GmbH', country: 'DE', language: 'en' };
  const client = await reference.newTenant({ ...named, plan: 'business' });
  const origin = `http://127.0.0.1:${reference.port}`;
  const sender = (fetch: typeof service.fetch, root: string, key: string) => {
    return async (...[method, path, body, more]: (typeof requests)[number]) => {
      const init = {
        method,
        redirect: 'manual' as const,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more },
        ...(typeof body === 'string' && { body }),
      };
      init.headers.authorization = init.headers.authorization.replace('KEY', key);
      return seen(await fetch(root + path.replace('TENANT', named.slug), init));
    };
  };
  const both = [
    sender(fetch, origin, client.key),
    sender(service.fetch, siteUrl, service.addTenant(named).apiKey),
  ] as const;
  for (const send of both) {
    const made: typeof send = async (...request) => {
      const response = await send(...request);
      expect({ request, ...response }).toMatchObject({ request, status: 200 });
      return response;
    };
    await made('POST', list, '{"name":"Helm","gtin":"96385074"}');
    await made('POST', list, '{"name":"Größe"}');
    await made('POST', list, JSON.stringify({ name: 'x'.repeat(120) }));
    const weight = { field_key: 'weight', value: 2, unit: 'kg', access_level: 'restricted' };
    const origin = { field_key: 'country_of_origin', value: 'DE' };
    await made('PUT', `${helmet}/passport`, JSON.stringify([weight, origin, { field_key: 'a', value: [1] }]));
  }
  await reference.activate(client, 'helm');
  service.activate(named.slug, 'helm');
  // The version before it was public, with a value that nobody may see any more.
  const hidden = [{ field_key: 'a', value: [1], access_level: 'authority' }];
  for (const send of both) await send('PUT', `${helmet}/passport`, JSON.stringify(hidden));
  return both;
}

/** What a response says, without what differs from run to run, and without the text of errors. */
async function seen(response: Response) {
  const text = await response.text();
  const varying = /^(id|created_at|updated_at|dateModified|salt|content_hash|message|completeness|dpp:completeness)$/;
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
  const body = isJson
    ? JSON.parse(text, (name, value) => {
        if (value?.name === 'content_hash') return typeof value.value;
        return varying.test(name) ? typeof value : value;
      })
    : text.slice(0, 15);
  const names = ['content-type', 'cache-control', 'www-authenticate', 'location', 'content-disposition', 'allow'];
  return { status: response.status, headers: names.map((name) => response.headers.get(name)), body };
}

let forReading: ReturnType<typeof sides> | undefined;

test.each(requests)('%s %s %s', async (...request) => {
  const isRead = request[0] === 'GET';
  if (isRead) forReading ??= sides();
  const [ofReference, ofService] = await ((isRead && forReading) || sides());
  expect(await ofService(...request)).toEqual(await ofReference(...request));
});

test('the conformance suite finds only what the manual says that the fake service leaves out', async () => {
  const { provider, fetch } = await serviceWithStates({ siteUrl });
  const connection = connectInProcess(fetch, siteUrl);
  const { results } = await verify({ provider, claims, connection, seed: 1, generated: 0 });
  const manual = await readFile('sdk/README.md', 'utf8');
  const [, table = ''] = /It leaves out:\n\n((?:\|.*\n)+)/.exec(manual) ?? [];
  const [, , ...rows] = table.trim().split('\n');
  const listed = rows.flatMap((row) => [...(row.split('|')[3] ?? '').matchAll(/`([^`]+)`/g)].map(([, id = '']) => id));
  const form = new RegExp(`^(${listed.map((id) => id.replace('<operation>', '[A-Za-z]+')).join('|')})$`);
  const failed = results.filter(({ status }) => status !== 'passed').map(({ id }) => id);
  expect(failed.filter((id) => !form.test(id))).toEqual([]);
  for (const id of listed) expect(failed).toContain(id.replace('<operation>', 'getMe'));
  expect(results.length).toBeGreaterThan(700);
});
