/** The SDK against the contract as a static mock: every method, without a `Prefer` header. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toArray } from '../../sdk/src/bulk.ts';
import { type Client, createClient } from '../../sdk/src/index.ts';
import { createPublicClient, type PublicClient } from '../../sdk/src/public.ts';
import { verifyContentHash, verifyPassport } from '../../sdk/src/verify.ts';
import { apiKey } from '../support/fake-fetch.ts';
import { type Mock, startMock } from '../support/program.ts';
import { rejection } from '../support/thrown.ts';

let mock: Mock;
let client: Client;
let site: PublicClient;

beforeAll(async () => {
  mock = await startMock();
  client = createClient({ baseUrl: `${mock.host}/api/v1`, apiKey, maxAttempts: 1 });
  site = createPublicClient({ siteUrl: client.siteUrl });
});
afterAll(() => mock.stop());

const slug = 'usb-c-cable-240-w-2-m';
const gtin = '09520001200045';
const three = ['merino-jumper-inis', 'travel-mug-quay', 'laundry-liquid-sea-breeze'];
const staticMock = {
  name: 'UnexpectedResponseError',
  code: 'unexpected_response',
  status: 200,
  message: expect.stringMatching(/ instead\. A static mock cannot do this: use the reference server[ :]/),
};

const ofApi: Record<string, () => Promise<void>> = {
  'me.get': async () => {
    expect((await client.me.get()).tenant.slug).toBe('skellig');
  },
  'products.list': async () => {
    const items = await toArray(client.products.list({ limit: 200, status: 'active' }));
    expect(items.map(({ slug }) => slug)).toEqual(three);
  },
  'products.create': async () => {
    expect(await client.products.create({ name: 'USB-C Cable' })).toMatchObject({ slug, status: 'draft' });
  },
  'products.get': async () => {
    expect(await client.products.get(slug)).toMatchObject({ status: 'active', registry_status: 'registered' });
  },
  'products.ensure': async () => {
    const error = await rejection(client.products.ensure({ name: 'Wool Hat', slug: 'wool-hat' }));
    expect(error).toMatchObject({ ...staticMock, operation: 'getProduct' });
    expect(String(error)).toContain('merino-jumper-inis');
  },
  'passports.get': async () => {
    expect(await verifyContentHash(await client.passports.get(slug))).toMatchObject({ ok: true });
  },
  'passports.put': async () => {
    expect(await client.passports.put(slug, [{ field_key: 'cable_length', value: 2 }])).toMatchObject({ updated: 3 });
  },
  'carriers.list': async () => {
    expect((await client.carriers.list(slug)).items.map(({ type }) => type)).toEqual(['qr', 'nfc']);
  },
  'analytics.scans': async () => {
    const { days, per_day } = await client.analytics.scans();
    expect(per_day).toHaveLength(days);
  },
  http: async () => {
    const { data, response } = await client.http.GET('/api/v1/products/{slug}', { params: { path: { slug } } });
    expect([data.slug, response.status]).toEqual([three[0], 200]);
  },
};

const ofPublic: typeof ofApi = {
  'passports.page': async () => {
    expect(await site.passports.page('skellig', slug)).toMatch(/^<!doctype html><html lang="en">/);
  },
  'passports.document': async () => {
    const document = await site.passports.document('skellig', slug);
    expect(await verifyPassport(document)).toMatchObject({ ok: true });
  },
  resolve: async () => {
    for (const asked of [gtin, `${mock.host}/01/${gtin}/10/LOT-42/21/SN001`]) {
      const { url, document } = await site.resolve(asked);
      expect(url).toBe(`${mock.host}/p/skellig/${slug}/jsonld`);
      expect(document?.name).toBe('USB-C Cable 240 W 2 m');
    }
  },
};

test.each(Object.entries({ ...ofApi, ...ofPublic }))('%s', async (_method, call) => {
  await call();
});
