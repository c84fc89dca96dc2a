import { hash } from 'node:crypto';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createToken } from '../../../server/src/access/token.ts';
import type { Client, Reply } from '../../support/client.ts';
import { ending } from '../../support/ending.ts';
import { announcement, start } from '../../support/program.ts';
import { useService } from '../../support/service.ts';
import { send, sharedHeaders } from '../../support/wire.ts';

const siteUrl = 'https://passport.example.com';
const service = useService('SQLite', { siteUrl });
const values = [{ field_key: 'care_instructions', value: 'wash by hand' }];
let client: Client;
let slug = '';
let path = '';

beforeAll(async () => {
  client = await service.newTenant();
  ({ slug } = await client.create({ name: 'Pullover', product_group: 'textile', gtin: '9520001000010' }));
  await client.write(slug, values);
  await service.activate(client, slug);
  path = `/p/${client.tenant.slug}/${slug}`;
});

function get(headers: Record<string, string> = {}, query = '', at = path, method = 'GET'): Promise<Reply> {
  return client.call({ method, path: at, query, headers, key: null });
}

async function scans(): Promise<number> {
  return (await client.scans()).total;
}

describe('negotiation', () => {
  test.each([
    ['text/html', undefined],
    ['text/html', '*/*'],
    ['text/html', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
    ['text/html', 'application/ld+json;q=0.5, text/html'],
    ['text/html', 'text/html, application/ld+json'],
    ['application/ld+json', 'application/ld+json, text/html'],
    ['text/html', 'application/json'],
    ['text/html', 'image/png'],
    ['text/html', 'application/ld+json;q=0'],
    ['text/html', '; q=x,,/'],
    ['application/ld+json', 'application/ld+json'],
    ['application/ld+json', 'application/ld+json, */*;q=0.1'],
    ['application/ld+json', 'text/html;q=0.9, application/ld+json'],
    ['application/ld+json', 'APPLICATION/LD+JSON'],
  ])('%s for Accept: %s', async (type, accept) => {
    const before = await scans();
    const { status, headers, text } = await get(accept === undefined ? {} : { accept });
    expect([status, headers['content-type']]).toEqual([200, `${type}; charset=utf-8`]);
    expect(headers.vary?.toLowerCase().split(/, ?/)).toEqual(expect.arrayContaining(['accept', 'accept-language']));
    expect(await scans()).toBe(before + (type === 'text/html' ? 1 : 0));
    if (type !== 'text/html') expect(text).toBe((await get({}, '', `${path}/jsonld`)).text);
  });
});

describe('PUB-6 a conditional request', () => {
  test('gets 304 for each form of the ETag, and counts no scan', async () => {
    const { headers } = await get();
    const etag = headers.etag ?? '';
    const strong = etag.replace('W/', '');
    const before = await scans();
    for (const given of [etag, strong, '*', `"a", ${etag}`, `${strong},"b"`, ` ${etag} `]) {
      for (const method of ['GET', 'HEAD']) {
        const { status, text, headers: sent } = await get({ 'if-none-match': given }, '', path, method);
        expect([given, status, text]).toEqual([given, 304, '']);
        expect(sent.etag).toBe(etag);
        expect(sent['cache-control']).toBe('no-cache');
        expect(sent.vary?.toLowerCase()).toContain('accept-language');
      }
    }
    expect(await scans()).toBe(before);
    for (const given of ['"a"', strong.slice(1, -1), '', `${etag}x`])
      expect((await get({ 'if-none-match': given })).status).toBe(200);
    expect(await scans()).toBe(before + 4);
    expect((await get({ 'if-modified-since': new Date(Date.now() + 1e6).toUTCString() })).status).toBe(200);
  });

  test('gets 304 with compression too', async () => {
    const { headers } = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(headers.get('content-encoding')).toBe('gzip');
    expect((await get({ 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304);
  });

  test('each language, form, content and status has its own ETag', async () => {
    const tagOf = async (...asked: Parameters<typeof get>): Promise<string | undefined> =>
      (await get(...asked)).headers.etag;
    const first = [await tagOf(), await tagOf({}, 'lang=en'), await tagOf({ accept: 'application/ld+json' })];
    expect(new Set(first).size).toBe(3);
    expect(await tagOf({}, '', `${path}/jsonld`)).toBe(first[2]);
    expect((await get({ 'if-none-match': first[2] ?? '' }, '', `${path}/jsonld`)).status).toBe(304);
    expect(await tagOf({}, 'lang=de')).toBe(first[0]);
    await client.write(slug, [{ field_key: 'care_instructions', value: 'wash at 30 °C' }]);
    for (const accept of ['text/html', 'application/ld+json'])
      expect((await get({ 'if-none-match': first.join(), accept })).status).toBe(200);
    const second = (await tagOf()) ?? '';
    expect(first).not.toContain(second);
    await service.archive(client, slug);
    expect((await get({ 'if-none-match': second })).status).toBe(404);
    await service.activate(client, slug);
    expect((await get({ 'if-none-match': second })).status).toBe(304);
  });

  test('with a valid or invalid token never gets 304', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000);
    const grant = { product_id: null, role: 'inspector' as const, expiresAt };
    const { token } = await createToken(service.database, client.tenant.id, grant, new Date());
    const { headers: open } = await get();
    for (const zugang of [token, 'x', '']) {
      for (const at of [path, `${path}/jsonld`]) {
        for (const given of ['*', open.etag ?? '']) {
          const { status, headers } = await get({ 'if-none-match': given }, `zugang=${zugang}`, at);
          expect(status).toBe(200);
          expect(headers.etag).toBeUndefined();
          expect(headers['cache-control']).toBe('private, no-store');
          expect(headers['referrer-policy']).toBe('no-referrer');
          expect(headers.link).not.toContain('zugang');
        }
      }
    }
  });
});

describe('headers', () => {
  const policyWith = (style: string): string =>
    [
      "default-src 'none'",
      `style-src 'self' 'sha256-${hash('sha256', style, 'base64')}'`,
      "img-src 'self' data:",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; ');

  test('of the page', async () => {
    const { headers, text } = await get();
    const [, style = ''] = /<style>([^<]+)<\/style>/.exec(text) ?? [];
    expect(headers).toMatchObject({
      'content-security-policy': policyWith(style),
      'content-language': 'de',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'access-control-allow-origin': '*',
      link: `<${siteUrl}${path}/jsonld>; rel="alternate dpp"; type="application/ld+json"`,
    });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  test('of the JSON-LD document', async () => {
    const { headers } = await get({}, '', `${path}/jsonld`);
    expect(headers.link).toBe(`<${siteUrl}${path}>; rel="alternate"; type="text/html"`);
    expect(headers['content-security-policy']).toBeUndefined();
  });

  test('of the stylesheet, whose address changes with its content', async () => {
    // A passport has its style in the page.
    expect((await get()).text).not.toContain('rel="stylesheet"');
    const { text } = await get({}, '', '/p/niemand/nie');
    const [, address = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(text) ?? [];
    expect(address).toMatch(/^\/assets\/site\.[0-9a-f]{16}\.css$/);
    const response = await fetch(`http://127.0.0.1:${service.port}${address}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toContain('prefers-color-scheme');
    const other = await fetch(`http://127.0.0.1:${service.port}${address.replace(/\.[0-9a-f]{16}/, '')}`);
    expect(other.status).toBe(404);
  });
});

describe('errors', () => {
  test('PUB-1 a draft, an archived and an unknown product give the same bytes, in the language of the reader', async () => {
    await client.create('Entwurf');
    await client.create('Alt');
    await service.activate(client, 'alt');
    await service.archive(client, 'alt');
    const of = (product: string) => `/p/${client.tenant.slug}/${product}`;
    for (const [lang, title] of [
      ['en', 'Passport not found'],
      ['de', 'Produktpass nicht gefunden'],
    ]) {
      const seen = await Promise.all(
        [of('entwurf'), of('alt'), of('nie'), `/p/niemand/${slug}`].map(async (at) => {
          for (const query of [`lang=${lang}&zugang=x`, `lang=${lang}`]) {
            const { status, headers, text } = await get({ 'accept-language': lang ?? '' }, query, at);
            expect([status, headers['content-language'], headers['content-security-policy']]).toEqual([
              404,
              lang,
              policyOf(headers),
            ]);
            expect(text).toContain(`<h1>${title}</h1>`);
          }
          const { headers, text } = await get({ 'accept-language': lang ?? '' }, '', at);
          return JSON.stringify([sharedHeaders(headers), text]);
        }),
      );
      expect(new Set(seen).size).toBe(1);
    }
    expect((await get({ accept: 'application/ld+json' }, '', of('nie'))).headers['content-type']).toBe(
      'text/html; charset=utf-8',
    );
  });

  test('a failed scan says what was scanned, the same for a draft and an unknown number', async () => {
    await client.create({ name: 'Gescannt', gtin: '9520001099991' });
    const pageOf = async (target: string) => {
      const response = await fetch(`http://127.0.0.1:${service.port}${target}`, { headers: { accept: 'text/html' } });
      return { status: response.status, text: await response.text() };
    };
    const draft = await pageOf('/01/09520001099991/21/S1?zugang=x');
    const unknown = await pageOf('/01/09520001088889');
    expect(draft.status).toBe(404);
    expect(draft.text).toContain('This code says 09520001099991; no passport is published under it.');
    expect(draft.text.replaceAll('09520001099991', '')).toBe(unknown.text.replaceAll('09520001088889', ''));
    expect(draft.text).not.toMatch(/last digit|typing/);
    const misread = await pageOf('/01/09520001099992?lang=de');
    expect(misread.text).toContain(
      'Dieser Code sagt 09520001099992; unter dieser Nummer ist kein Pass veröffentlicht.',
    );
    expect(misread.text).toContain('Die letzte Ziffer prüft die anderen, und 2 passt nicht');
    expect(await pageOf('/01/9520001099')).toMatchObject({
      status: 400,
      text: expect.stringContaining('This code says 9520001099, and a GTIN has 8, 12, 13 or 14 digits.'),
    });
    for (const other of ['/01/%3Cscript%3E', '/01/123456789012345', '/01/0952000109999%39']) {
      const { status, text } = await pageOf(other);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).not.toMatch(/This code says|123456789012345|script/);
    }
  });

  test.each(['/docs/nothing', '/nothing'])('%s does not speak of passports and shops', async (target) => {
    const response = await fetch(`http://127.0.0.1:${service.port}${target}`, { headers: { accept: 'text/html' } });
    const [, main = ''] = /<main>([\s\S]*)<\/main>/.exec(await response.text()) ?? [];
    expect([response.status, main]).toEqual([404, expect.stringContaining('<h1>Page not found</h1>')]);
    expect(main).not.toMatch(/passport|shop|scan/i);
    expect(main.includes('href="/docs"')).toBe(target.startsWith('/docs'));
  });

  test('405 is a page', async () => {
    const { status, headers, text } = await get({ 'accept-language': 'de' }, '', path, 'POST');
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(text).toContain('<h1>Diese Seite ist nur zum Lesen da</h1>');
  });

  test('500 is a page without internal details', async () => {
    await service.database.schema.renameTable('products', 'products_away');
    const { status, text } = await get();
    await service.database.schema.renameTable('products_away', 'products');
    expect(status).toBe(500);
    expect(text).toContain('<h1>Something went wrong</h1>');
  });
});

function policyOf(headers: Reply['headers']): unknown {
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'self'; img-src 'self' data:; form-action/,
  );
  expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|http/);
  return headers['content-security-policy'];
}

test('a page that failed for lack of file descriptors works once there are some', async () => {
  const serve = 'product-passport serve --demo --json --port 0 --database :memory:';
  const server = await start(`bash -c "ulimit -n 64; exec ${serve}"`, /\}\n/);
  ending.defer(async () => void (await server.stop()));
  const port = Number(new URL(announcement(server.said()).site_url).port);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  ending.defer(() => agent.destroy());
  const statusOf = async (path: string): Promise<number> =>
    (await send(port, agent, { method: 'GET', path, headers: {} })).status;
  // Keeps a connection open for the requests below.
  expect(await statusOf('/p/nordlicht/none')).toBe(404);

  const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  // The server closes a connection if it has no file descriptor left.
  await Promise.race(sockets.map((socket) => once(socket.resume(), 'close')));
  const path = '/p/nordlicht/usb-c-kabel-240-w-2-m';
  expect(await statusOf(path)).toBe(500);
  for (const socket of sockets) socket.destroy();

  let status = await statusOf(path);
  for (const end = Date.now() + 5000; status !== 200 && Date.now() < end; status = await statusOf(path))
    await setTimeout(50);
  expect(status).toBe(200);
});
