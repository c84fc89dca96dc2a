/** What a scanned serial number opens, for every role, in page, linkset, JSON-LD and API: the server and the fake agree. */
import { describe, expect, test } from '@jest/globals';
import { createFakeService } from '../../sdk/src/testing/service/index.ts';
import { databaseKinds } from '../support/database.ts';
import { startService } from '../support/service.ts';

type Role = 'shopper' | 'recycler' | 'inspector';

interface Reply {
  status: number;
  headers: { get(name: string): string | null };
  text: string;
}

/** A service with one tenant, whose key publishes. */
interface Scanned {
  siteUrl: string;
  tenant: string;
  apiKey: string;
  tokens: Record<Exclude<Role, 'shopper'>, string>;
  send(path: string, init?: { method?: string; body?: unknown; headers?: Record<string, string> }): Promise<Reply>;
}

function fake(): Scanned {
  const { provider, fetch, addToken } = createFakeService({ sample: false });
  const tenant = provider.tenants[0]?.slug ?? '';
  return {
    siteUrl: provider.site_url,
    tenant,
    apiKey: provider.publishing_api_key,
    tokens: { recycler: addToken({ tenant, role: 'recycler' }), inspector: addToken({ tenant, role: 'inspector' }) },
    async send(path, { body, ...init } = {}) {
      const json = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${provider.site_url}${path}`, { ...init, ...json, redirect: 'manual' });
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
  };
}

async function server(kind: (typeof databaseKinds)[number]): Promise<Scanned> {
  const siteUrl = 'https://passport.example.com';
  const service = await startService(kind, { siteUrl });
  const client = await service.publisherOf(await service.newTenant());
  return {
    siteUrl,
    tenant: client.tenant.slug,
    apiKey: '',
    tokens: { recycler: await client.token('recycler'), inspector: await client.token('inspector') },
    async send(path, { headers = {}, ...init } = {}) {
      const isPublic = !path.startsWith('/api/');
      const operation = path.startsWith('/01/') ? { operationId: 'resolveGtin' } : {};
      const reply = await client.call({ path, headers, ...init, ...(isPublic && { key: null }), ...operation });
      return {
        status: reply.status,
        headers: { get: (name) => reply.headers[name]?.toString() ?? null },
        text: reply.text,
      };
    },
  };
}

const withModel = '9520001000010';
const withoutModel = '9520001000027';
/** The products of a GTIN: slug, serial number and its level. Two are no items. */
const products: readonly (readonly [gtin: string, slug: string, serial?: string, level?: string, status?: string])[] = [
  [withModel, 'one', 'SN-1'],
  [withModel, 'model'],
  [withModel, 'second-model'],
  [withModel, 'hidden', 'HIDE-1', 'restricted'],
  [withModel, 'secret', 'HIDE-2', 'authority'],
  [withModel, 'draft', 'DRAFT-1', 'public', 'draft'],
  [withModel, 'gone', 'GONE-1', 'public', 'archived'],
  [withoutModel, 'alone', 'SN-2'],
  [withoutModel, 'alone-hidden', 'HIDE-3', 'restricted'],
];
/** What each link opens: an item by its own serial number, a model, or an item that has another one. */
const links: readonly (readonly [gtin: string, qualifier: string, opens: string, as: 'item' | 'model' | 'other'])[] = [
  [withModel, '', 'model', 'model'],
  [withModel, '/21/SN-1', 'one', 'item'],
  ...['SN-9', 'sn-1', 'HIDE-1', 'HIDE-2', 'DRAFT-1', 'GONE-1', 'SN-2'].map(
    (serial) => [withModel, `/21/${serial}`, 'model', 'model'] as const,
  ),
  [withoutModel, '', 'alone', 'item'],
  [withoutModel, '/21/SN-2', 'alone', 'item'],
  ...['SN-9', 'HIDE-3', 'SN-1'].map((serial) => [withoutModel, `/21/${serial}`, 'alone', 'other'] as const),
];

describe.each([
  ...databaseKinds.map((kind) => [`server on ${kind}`, () => server(kind)] as const),
  ['fake', async () => fake()] as const,
])('the %s', (_, start) => {
  test('opens the item, its model or a notice, for every role', async () => {
    const service = await start();
    await fill(service);
    for (const role of ['shopper', 'recycler', 'inspector'] as const) {
      for (const link of links) {
        const path = `/01/0${link[0]}${link[1]}`;
        expect([role, path, await opened(service, path, role)]).toEqual([role, path, expected(service, link, role)]);
      }
    }
  });
});

/** Nobody gets a value of an item by the number of another one. */
function expected({ tenant }: Scanned, [gtin, , opens, as]: (typeof links)[number], role: Role): object {
  const path = `/p/${tenant}/${opens}`;
  const api = `/01/0${gtin}`;
  if (as === 'other') return { page: path, document: `${path} 404`, dpp: [false, 404], api };
  const values = role === 'shopper' ? `MAKER-${opens}` : `MAKER-${opens} HEALTH-${opens}`;
  return { page: `${path} ${values}`, document: `${path}/jsonld ${values}`, dpp: [true, 307], api };
}

const apiOf =
  ({ apiKey, send }: Scanned) =>
  (method: string, path: string, body?: unknown) =>
    send(`/api/v1/products${path}`, {
      method,
      body,
      headers: { ...(apiKey && { authorization: `Bearer ${apiKey}` }), 'content-type': 'application/json' },
    });

async function fill(service: Scanned): Promise<void> {
  const api = apiOf(service);
  for (const [gtin, slug, serial, access_level = 'public', status = 'active'] of products) {
    await api('POST', '', { name: slug, slug, gtin });
    const maker = { field_key: 'manufacturer_name', value: `MAKER-${slug}` };
    const health = { field_key: 'state_of_health', value: `HEALTH-${slug}`, access_level: 'restricted' };
    const number = serial === undefined ? [] : [{ field_key: 'serial_number', value: serial, access_level }];
    await api('PUT', `/${slug}/passport`, [maker, health, ...number]);
    for (const next of status === 'draft' ? [] : new Set(['active', status])) {
      const reply = await api('POST', `/${slug}/status`, { status: next, accept_findings: true });
      expect([slug, reply.status]).toEqual([slug, 200]);
    }
  }
}

/** What a link opens by content negotiation, with the values that the role gets there. */
async function opened(service: Scanned, link: string, role: Role): Promise<object> {
  const { siteUrl, tokens, send } = service;
  const query = role === 'shopper' ? '' : `zugang=${tokens[role]}`;
  const at = (path: string, accept: string) => send(path, { headers: { accept } });
  const valuesIn = (text: string) => [...new Set(text.match(/(?:MAKER|HEALTH)-[\w-]+/g))].sort().reverse().join(' ');
  const targetOf = async (accept: string) => {
    const { headers } = await at(`${link}?${query}`, accept);
    const { pathname, search } = new URL(headers.get('location') ?? '');
    return { pathname, search, slug: pathname.split('/')[3] };
  };
  const toPage = await targetOf('text/html');
  const page = await at(toPage.pathname + toPage.search, 'application/ld+json, text/html');
  const toDocument = await targetOf('application/ld+json');
  // What the notice keeps back is not at the address of the document, either.
  const document = await at(`/p/${service.tenant}/${toDocument.slug}/jsonld${toDocument.search}`, '*/*');
  const [level] = JSON.parse((await at(`${link}?${query}`, 'application/linkset+json')).text).linkset;
  const carriers = await apiOf(service)('GET', `/${toPage.slug}/carriers`);
  return {
    page: `${toPage.pathname} ${valuesIn(page.text)}`.trim(),
    document: `${toDocument.pathname} ${document.status === 200 ? valuesIn(document.text) : document.status}`,
    dpp: [
      Object.keys(level).some((name) => name.endsWith('/dpp')),
      (await at(`${link}?linkType=gs1:dpp&${query}`, '*/*')).status,
    ],
    api: JSON.parse(carriers.text).items[0].gs1_digital_link.replace(siteUrl, ''),
  };
}
