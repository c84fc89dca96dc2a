/** The day of an ERP, by the SDK alone: at the server on both databases, and at the fake service. */
import { expect, test } from '@jest/globals';
import { type Client, createClient } from '../../sdk/src/index.ts';
import { createPublicClient, type PublicClient } from '../../sdk/src/public.ts';
import { createFakeService, type PlatformFetch } from '../../sdk/src/testing.ts';
import { startServer } from '../../server/src/testing.ts';
import { newPostgresDatabase } from '../support/database.ts';
import { ending } from '../support/files.ts';
import { rejection } from '../support/thrown.ts';

const gtin = '9520001000072';

/** Loses the response of the first change of a status that succeeds. */
function losing(fetch: PlatformFetch): { fetch: PlatformFetch; sent: string[] } {
  const sent: string[] = [];
  return {
    sent,
    async fetch(url, init) {
      const response = await fetch(url, init);
      if (!String(url).endsWith('/status')) return response;
      sent.push(`${response.status}`);
      if (response.ok && sent.filter((status) => status === '200').length === 1) throw new TypeError('terminated');
      return response;
    },
  };
}

interface Service {
  baseUrl: string;
  apiKey: string | undefined;
  tenant: string | undefined;
  fetch: PlatformFetch;
}

async function startedServer(database?: string): Promise<Service> {
  const server = await startServer({ publish: true, ...(database && { database }) });
  ending.defer(() => server.stop());
  return { ...server, tenant: server.tenants[0]?.slug, fetch };
}

async function fake(): Promise<Service> {
  const { provider, fetch } = createFakeService({ sample: false });
  const { base_url: baseUrl, publishing_api_key: apiKey, tenants } = provider;
  return { baseUrl, apiKey, tenant: tenants[0]?.slug, fetch };
}

test.each<[string, () => Promise<Service>]>([
  ['SQLite', () => startedServer()],
  ['PostgreSQL', async () => startedServer(await newPostgresDatabase())],
  ['the fake', fake],
])('an ERP creates, publishes, finds, corrects and archives batteries, on %s', async (_, start) => {
  const { baseUrl, apiKey = '', tenant = '', fetch } = await start();
  const wire = losing(fetch);
  const client: Client = createClient({ baseUrl, apiKey, fetch: wire.fetch });
  const site: PublicClient = createPublicClient({ siteUrl: client.siteUrl, fetch });

  const battery = { name: 'E-Bike Battery', product_group: 'battery', gtin } as const;
  const model = await client.products.ensure({ ...battery, slug: 'battery' });
  for (const serial of ['SN-1', 'SN-2']) {
    const { product } = await client.products.ensure({ ...battery, slug: `battery-${serial.toLowerCase()}` });
    await client.passports.put(product.slug, [
      { field_key: 'serial_number', value: serial },
      { field_key: 'battery_weight', value: 3.4, unit: 'kg' },
    ]);
  }
  expect([model.created, (await client.products.list()).total]).toEqual([true, 3]);

  const publish = { status: 'active', accept_findings: true } as const;
  expect(await rejection(client.products.setStatus('battery', { status: 'active' }))).toMatchObject({
    code: 'not_ready',
  });
  for (const slug of ['battery', 'battery-sn-1', 'battery-sn-2']) {
    expect(await client.products.setStatus(slug, publish)).toMatchObject({ slug, status: 'active' });
  }
  // The response of the second change was lost. The call read the product, and did not send the change again.
  expect(wire.sent).toEqual(['409', '200', '200', '200']);

  expect(await client.products.find({ gtin })).toMatchObject({ slug: 'battery', serial_number: null });
  const found = await client.products.find({ gtin: `0${gtin}`, serial: 'SN-2' });
  expect(found).toMatchObject({ slug: 'battery-sn-2', serial_number: 'SN-2', status: 'active' });
  expect(await client.products.find({ gtin, serial: 'SN-3' })).toBeUndefined();

  const slug = found?.slug ?? '';
  await client.passports.put(slug, [{ field_key: 'battery_weight', value: 3.6, unit: 'kg' }]);
  const document = await site.passports.document(tenant, slug);
  expect(document.additionalProperty).toContainEqual(
    expect.objectContaining({ propertyID: 'battery_weight', value: 3.6 }),
  );
  expect(document['@id']).toBe(`${client.siteUrl}/01/0${gtin}/21/SN-2`);

  await client.products.setStatus(slug, { status: 'archived' });
  expect(await client.products.find({ gtin, serial: 'SN-2' })).toMatchObject({ slug, status: 'archived' });
  expect(await rejection(site.passports.document(tenant, slug))).toMatchObject({ code: 'not_found' });
  await client.products.ensure({ ...battery, slug: 'battery-2' });
  const twice = await rejection(client.products.find({ gtin }));
  expect(twice).toMatchObject({ name: 'AmbiguousError', slugs: ['battery', 'battery-2'] });
  expect(await client.products.find({ gtin, status: 'active' })).toMatchObject({ slug: 'battery' });
});
