/** The public entry against the reference server, and against other providers, through their ports. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from '../../sdk/src/index.ts';
import { createPublicClient, type PassportDocument, type PublicClient } from '../../sdk/src/public.ts';
import { verifyContentHash, verifyPassport } from '../../sdk/src/verify.ts';
import { createToken } from '../../server/src/access/token.ts';
import type { Client } from '../support/client.ts';
import { statusesOfPage } from '../support/documented.ts';
import { byteByByte, fakeFetch, html, json, refusal, siteUrl } from '../support/fake-fetch.ts';
import { ending } from '../support/files.ts';
import { useService } from '../support/service.ts';
import { rejection } from '../support/thrown.ts';

const gtin = '9520001000072';
const values = [
  { field_key: 'cable_length', value: 2, unit: 'm' },
  { field_key: 'halogen_free', value: null, is_unknown: true },
  { field_key: 'a_null', value: null, unit: 'kg' },
  { field_key: 'A', value: [1e21, 1e-7, -0, 0.1, 5e-324, true, [], {}] },
  { field_key: 'ä', value: { '\u{1f600}': 1, '\ufb33': 2, '10': 3, '9': 4, '': 5, '"\\\n\u2028': '"\\\n\u2028€/' } },
  { field_key: '@json', value: { '@type': '@json', '@value': [1] } },
  { field_key: 'substances_of_concern', value: ['lead'], access_level: 'restricted' },
  { field_key: 'voltage', value: '48', access_level: 'authority' },
];

describe('the reference server', () => {
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
  const inspector = async (): Promise<string> => {
    const grant = { product_id: null, role: 'inspector' as const, expiresAt: new Date(Date.now() + 60_000) };
    return (await createToken(service.database, client.tenant.id, grant, new Date())).token;
  };
  const keys = (document: PassportDocument | undefined) =>
    document?.additionalProperty.map(({ propertyID }) => propertyID);
  const open = ['@json', 'A', 'a_null', 'cable_length', 'halogen_free', 'ä'];
  const all = ['@json', 'A', 'a_null', 'cable_length', 'halogen_free', 'substances_of_concern', 'voltage', 'ä'];

  test('a GTIN leads to its passport, whose public values have their hash', async () => {
    for (const form of [gtin, `0${gtin}`, `${siteUrl}/01/0${gtin}`, `${siteUrl}/01/${gtin}/?linkType=all`]) {
      const { url, document } = await site.resolve(form);
      expect(url).toBe(`${siteUrl}/p/nordlicht/usb-c-kabel/jsonld`);
      expect(document).toEqual(await site.passports.document('nordlicht', 'usb-c-kabel'));
      expect(keys(document)).toEqual(open);
      expect(await verifyPassport(document as PassportDocument)).toMatchObject({ ok: true });
    }
  });

  test('a token opens its view, as an option or in the link; the public hash stays the same', async () => {
    const zugang = await inspector();
    const given = await site.resolve(gtin, { zugang });
    const scanned = await site.resolve(`${siteUrl}/01/0${gtin}?zugang=${zugang}`);
    expect(given).toEqual(scanned);
    expect(given.url).toBe(`${siteUrl}/p/nordlicht/usb-c-kabel/jsonld?zugang=${zugang}`);
    const document = given.document as PassportDocument;
    expect(keys(document)).toEqual(all);
    expect(document.hasDigitalProductPassport['dpp:viewRole']).toBe('inspector');
    expect(await verifyPassport(document)).toMatchObject({ ok: true });
  });

  test('the passport that the key reads has the content hash that the public document names', async () => {
    const api = createClient({ baseUrl: `${siteUrl}/api/v1`, apiKey: client.key });
    const check = await verifyContentHash(await api.passports.get('usb-c-kabel'));
    const { hasDigitalProductPassport: passport } = await site.passports.document('nordlicht', 'usb-c-kabel');
    expect(check).toEqual({ ok: true, expected: passport.identifier.value, actual: passport.identifier.value });
  });

  test('only a request for the page is a scan', async () => {
    const before = (await client.scans()).total;
    await site.resolve(gtin);
    await site.passports.document('nordlicht', 'usb-c-kabel');
    expect((await client.scans()).total).toBe(before);
    expect(await site.passports.page('nordlicht', 'usb-c-kabel')).toMatch(/^<!doctype html>/);
    expect((await client.scans()).total).toBe(before + 1);
  });

  test('a draft and an unknown product are not found', async () => {
    for (const unknown of ['96385074', '00000000000000', `${siteUrl}/01/96385074`]) {
      expect(await rejection(site.resolve(unknown))).toMatchObject({ name: 'ApiError', code: 'not_found' });
    }
    expect(await rejection(site.passports.document('nordlicht', 'ein-entwurf'))).toMatchObject({ code: 'not_found' });
  });
});

/** Serves until the test file ends. Returns its address. */
async function serve(response: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
  const server = createServer(response);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ending.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('another provider', () => {
  test('with only a page: the result is its address, and the page is not read to its end', async () => {
    const { promise: wasSent, resolve: closed } = Promise.withResolvers<boolean>();
    const siteUrl = await serve(({ url = '' }, response) => {
      if (url.startsWith('/01/')) return response.writeHead(302, { location: '/cable' }).end('Moved');
      response.on('close', () => closed(response.writableFinished));
      return response.writeHead(200, { 'content-type': 'text/html' }).end(Buffer.alloc(64 * 1024 * 1024, ' '));
    });
    const response = await createPublicClient({ siteUrl }).resolve(gtin);
    expect(response).toEqual({ url: `${siteUrl}/cable`, document: undefined });
    expect(await wasSent).toBe(false);
  });

  test('that leads to another host over http is not followed there', async () => {
    let visits = 0;
    const inside = await serve((_request, response) => {
      visits += 1;
      response.end('{}');
    });
    const siteUrl = await serve((_request, response) => response.writeHead(307, { location: inside }).end());
    const error = await rejection(createPublicClient({ siteUrl }).resolve(gtin));
    expect(error).toMatchObject({ code: 'redirect_refused' });
    expect(visits).toBe(0);
  });

  test('that sends a compression bomb: it is not unpacked to its end', async () => {
    const siteUrl = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/ld+json', 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      response.on('close', () => gzip.destroy());
      gzip.end(Buffer.alloc(64 * 1024 * 1024, ' '));
    });
    expect(await rejection(createPublicClient({ siteUrl }).resolve(gtin))).toMatchObject({
      name: 'UnexpectedResponseError',
      code: 'unexpected_response',
    });
  });

  test('that never ends its response: the signal ends the call', async () => {
    const siteUrl = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/ld+json' }).write('{');
    });
    const signal = AbortSignal.timeout(100);
    expect(await rejection(createPublicClient({ siteUrl }).resolve(gtin, {}, { signal }))).toMatchObject({
      name: 'AbortError',
      cause: { name: 'TimeoutError' },
    });
  });

  test('that is unreachable is a network error', async () => {
    const error = await rejection(createPublicClient({ siteUrl: 'http://127.0.0.1:1' }).resolve(gtin));
    expect(error).toMatchObject({ name: 'NetworkError', operation: 'resolveGtin', path: `/01/0${gtin}` });
  });
});

const site = (...responses: Parameters<typeof fakeFetch>) =>
  createPublicClient({ siteUrl, maxAttempts: 1, fetch: fakeFetch(...responses).fetch });

describe('passports.page', () => {
  test('returns the HTML unchanged', async () => {
    const page = '<!doctype html><title>Größe</title>';
    expect(await site(html(200, page)).passports.page('t', 'p')).toBe(page);
  });

  const pageErrors: [number, string][] = [
    [404, 'not_found'],
    [429, 'rate_limited'],
    [500, 'internal_error'],
    [503, 'service_unavailable'],
  ];

  test('has these errors in the contract', () => {
    expect(statusesOfPage()).toEqual(['200', '304', ...pageErrors.map(([status]) => String(status))]);
  });

  test.each(pageErrors)('a %i page is the error %s', async (status, code) => {
    const error = await rejection(site(html(status, '<!doctype html>')).passports.page('t', 'p'));
    expect(error).toMatchObject({ name: 'ApiError', status, code });
  });

  test.each([
    ['a 502 page', html(502, '<h1>Bad Gateway</h1>')],
    ['an empty 404', new Response(null, { status: 404 })],
    ['an empty page', html(200, '')],
    ['JSON', json({ a: 1 })],
  ])('%s does not follow the contract', async (_name, response) => {
    expect(await rejection(site(response).passports.page('t', 'p'))).toMatchObject({ name: 'UnexpectedResponseError' });
  });
});

describe('passports.document', () => {
  test('returns the JSON-LD', async () => {
    const body = { '@context': 'https://schema.org/', '@type': 'Product' };
    const response = new Response(JSON.stringify(body), { headers: { 'content-type': 'application/ld+json' } });
    expect(await site(response).passports.document('t', 'p')).toEqual(body);
  });

  test('is complete when its characters arrive in pieces', async () => {
    const body = { name: 'Größe 5 € ✓ 🧵' };
    expect(await site(() => byteByByte(JSON.stringify(body))).passports.document('t', 'p')).toEqual(body);
  });

  test('a JSON error is an ApiError, an HTML page is not', async () => {
    expect(await rejection(site(refusal(404, 'not_found')).passports.document('t', 'p'))).toMatchObject({
      name: 'ApiError',
    });
    expect(await rejection(site(html(404, 'no')).passports.document('t', 'p'))).toMatchObject({
      name: 'UnexpectedResponseError',
    });
  });
});

describe('a body', () => {
  /** Sends for as long as it is read. */
  const endless = () => {
    let pulled = 0;
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(1024 * 1024).fill(32));
      },
      cancel() {
        cancelled = true;
      },
    });
    return { body, state: () => ({ pulled, cancelled }) };
  };

  test.each([200, 404, 502])('without an end is not read to its end: %i', async (status) => {
    const { body, state } = endless();
    const response = () => new Response(body, { status, headers: { 'content-type': 'application/ld+json' } });
    const error = await rejection(site(response).passports.document('t', 'p'));
    expect(error).toMatchObject({ name: 'UnexpectedResponseError', operation: 'getPassportJsonld', status });
    expect(state().cancelled).toBe(true);
    expect(state().pulled).toBeLessThan(status === 200 ? 80 : 5);
  });

  test('is no longer read after the signal fires', async () => {
    const controller = new AbortController();
    const { fetch } = fakeFetch(({ signal }) => {
      controller.abort('enough');
      signal.throwIfAborted();
      return json({});
    });
    const { signal } = controller;
    const error = await rejection(createPublicClient({ siteUrl, fetch }).passports.page('t', 'p', {}, { signal }));
    expect(error).toMatchObject({ name: 'AbortError', cause: 'enough', operation: 'getPassportPage' });
  });

  test('that breaks off is a network error', async () => {
    const broken = () => {
      const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
      return new Response(body, { headers: { 'content-type': 'text/html' } });
    };
    expect(await rejection(site(broken).passports.page('t', 'p'))).toMatchObject({
      name: 'NetworkError',
      cause: { name: 'TypeError', message: 'terminated' },
    });
  });
});

test('slugs and tokens with any characters arrive unchanged', async () => {
  const { fetch, requests } = fakeFetch(json({}));
  const text = 'a b?c#d&e=f+g;ß✓';
  const query = { zugang: text };
  await createPublicClient({ siteUrl: `${siteUrl}/base/`, fetch }).passports.document(text, text, query);
  const { pathname, searchParams, hash } = new URL(String(requests[0]?.url));
  expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'base', 'p', text, text, 'jsonld']);
  expect([Object.fromEntries(searchParams), hash]).toEqual([query, '']);
});
