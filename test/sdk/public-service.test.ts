/** The public client: pages, documents, large and endless bodies, and the reference server. */
import { createServer } from 'node:http';
import { createGzip } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from '../../sdk/src/index.ts';
import { createPublicClient, type PassportDocument, type PublicClient } from '../../sdk/src/public.ts';
import { verifyContentHash, verifyPassport } from '../../sdk/src/verify.ts';
import type { Client } from '../support/client.ts';
import { statusesOfPage } from '../support/documented.ts';
import { byteByByte, connect, html, json, refusal, siteUrl } from '../support/fake-fetch.ts';
import { listen } from '../support/serve.ts';
import { useService } from '../support/service.ts';
import { rejection } from '../support/thrown.ts';

const gtin = '9520001000072';

describe('the reference server', () => {
  const values = [
    { field_key: 'halogen_free', value: null, is_unknown: true },
    { field_key: 'a_null', value: null, unit: 'kg' },
    { field_key: 'A', value: [1e21, 1e-7, -0, 0.1, 5e-324, true, [], {}] },
    { field_key: 'ä', value: { '\u{1f600}': 1, '\ufb33': 2, '10': 3, '9': 4, '': 5, '"\\\n\u2028': '"\\\n\u2028€/' } },
    { field_key: '@json', value: { '@type': '@json', '@value': [1] } },
    { field_key: 'voltage', value: '48', access_level: 'authority' },
  ];
  const service = useService('SQLite');
  let client: Client;
  let site: PublicClient;
  let siteUrl: string;
  beforeAll(async () => {
    client = await service.newTenant({ slug: 'nordlicht' });
    await client.create({ name: 'USB-C-Kabel', gtin });
    await client.write('usb-c-kabel', values);
    await service.activate(client, 'usb-c-kabel');
    await client.create({ name: 'Ein Entwurf', gtin: '96385074' });
    siteUrl = `http://127.0.0.1:${service.port}`;
    site = createPublicClient({ siteUrl });
  });
  const keys = (document: PassportDocument) => document.additionalProperty.map(({ propertyID }) => propertyID);
  const open = ['@json', 'A', 'a_null', 'halogen_free', 'ä'];

  test('a GTIN and a link lead to the passport, whose values have both hashes; that is no scan', async () => {
    const before = (await client.scans()).total;
    const api = createClient({ baseUrl: `${siteUrl}/api/v1`, apiKey: client.key });
    const content = await verifyContentHash(await api.passports.get('usb-c-kabel'));
    for (const form of [gtin, `0${gtin}`, `${siteUrl}/01/0${gtin}`, `${siteUrl}/01/${gtin}/?linkType=all`]) {
      const { url, document } = (await site.resolve(form)) as { url: string; document: PassportDocument };
      expect(url).toBe(`${siteUrl}/p/nordlicht/usb-c-kabel/jsonld`);
      expect(document).toEqual(await site.passports.document('nordlicht', 'usb-c-kabel'));
      expect(keys(document)).toEqual(open);
      expect(await verifyPassport(document)).toMatchObject({ ok: true });
      expect(content).toMatchObject({ ok: true, expected: document.hasDigitalProductPassport.identifier.value });
    }
    expect((await client.scans()).total).toBe(before);
    expect(await site.passports.page('nordlicht', 'usb-c-kabel')).toMatch(/^<!doctype html>/);
    expect((await client.scans()).total).toBe(before + 1);
  });
});

describe('another provider', () => {
  test('with only a page: the result is its address, and the page is not read to its end', async () => {
    const { promise: wasSent, resolve: closed } = Promise.withResolvers<boolean>();
    const server = createServer(({ url = '' }, response) => {
      if (url.startsWith('/01/')) return response.writeHead(302, { location: '/cable' }).end('Moved');
      response.on('close', () => closed(response.writableFinished));
      return response.writeHead(200, { 'content-type': 'text/html' }).end(Buffer.alloc(64 * 1024 * 1024, ' '));
    });
    const siteUrl = await listen(server);
    const found = await createPublicClient({ siteUrl }).resolve(gtin);
    expect(found).toEqual({ url: `${siteUrl}/cable`, document: undefined });
    expect(await wasSent).toBe(false);
  });

  test('that sends a compression bomb: it is not unpacked to its end', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/ld+json', 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      response.on('close', () => gzip.destroy());
      gzip.end(Buffer.alloc(64 * 1024 * 1024, ' '));
    });
    const siteUrl = await listen(server);
    const error = await rejection(createPublicClient({ siteUrl }).resolve(gtin));
    expect(error).toMatchObject({ name: 'UnexpectedResponseError', code: 'unexpected_response' });
  });
});

describe('passports.page', () => {
  const pageErrors = { 404: 'not_found', 429: 'rate_limited', 500: 'internal_error', 503: 'service_unavailable' };

  test('returns the HTML unchanged, and has the errors of the contract', async () => {
    const page = '<!doctype html><title>Größe</title>';
    expect(await connect(html(200, page)).site.passports.page('t', 'p')).toBe(page);
    expect(statusesOfPage()).toEqual(['200', '304', ...Object.keys(pageErrors)]);
  });

  test.each(Object.entries(pageErrors))('a %i page is the error %s', async (status, code) => {
    const error = await rejection(connect(html(Number(status), '<!doctype html>')).site.passports.page('t', 'p'));
    expect(error).toMatchObject({ name: 'ApiError', status: Number(status), code });
  });

  test.each([
    ['a 502 page', html(502, '<h1>Bad Gateway</h1>')],
    ['an empty 404', new Response(null, { status: 404 })],
    ['an empty page', html(200, '')],
    ['JSON', json({ a: 1 })],
  ])('%s does not follow the contract', async (_name, response) => {
    const error = await rejection(connect(response).site.passports.page('t', 'p'));
    expect(error).toMatchObject({ name: 'UnexpectedResponseError' });
  });
});

describe('passports.document', () => {
  test('is complete when its characters arrive in pieces', async () => {
    const body = { name: 'Größe 5 € ✓ 🧵' };
    expect(await connect(() => byteByByte(JSON.stringify(body))).site.passports.document('t', 'p')).toEqual(body);
  });

  test('a JSON error is an ApiError, an HTML page is not', async () => {
    const failure = (response: Response) => rejection(connect(response).site.passports.document('t', 'p'));
    expect(await failure(refusal(404, 'not_found'))).toMatchObject({ name: 'ApiError' });
    expect(await failure(html(404, 'no'))).toMatchObject({ name: 'UnexpectedResponseError' });
  });

  test('slugs and tokens with any characters arrive unchanged', async () => {
    const text = 'a b?c#d&e=f+g;ß✓';
    const { site, requests } = connect(json({}), { siteUrl: `${siteUrl}/base/` });
    await site.passports.document(text, text, { zugang: text });
    const { pathname, searchParams, hash } = new URL(String(requests[0]?.url));
    expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'base', 'p', text, text, 'jsonld']);
    expect([Object.fromEntries(searchParams), hash]).toEqual([{ zugang: text }, '']);
  });
});

// In MiB: 64 Mi characters of a value, and 64 Ki of an error.
test.each([
  [200, 80],
  [404, 5],
  [502, 5],
])('the body of a %i without an end is read for less than %i MiB', async (status, max) => {
  let [pulled, isCancelled] = [0, false];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(1024 * 1024).fill(32));
    },
    cancel() {
      isCancelled = true;
    },
  });
  const response = () => new Response(body, { status, headers: { 'content-type': 'application/ld+json' } });
  const error = await rejection(connect(response).site.passports.document('t', 'p'));
  expect(error).toMatchObject({ name: 'UnexpectedResponseError', operation: 'getPassportJsonld', status });
  expect(isCancelled).toBe(true);
  expect(pulled).toBeLessThan(max);
});
