/** A browser that follows a wrong address, or none, gets a page in its language. Programs get JSON. */
import { hash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { networkOf } from '../../../server/src/http/admission.ts';
import { addressLimit } from '../../../server/src/http/rate-limit.ts';
import { readScannedCode } from '../../../server/src/site/home.ts';
import { type Client, type Reply, useService } from '../../support/service.ts';

const service = useService('SQLite');
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

function get(path: string, accept: string, language = 'de'): Promise<Response> {
  const headers = { accept, 'accept-language': language };
  return fetch(`http://127.0.0.1:${service.port}${path}`, { headers, redirect: 'manual' });
}

test.each([
  ['/01/9520001000010', 404],
  ['/01/952', 400],
  ['/01/9520001000010/foo', 400],
  ['/p/nobody', 404],
  ['/nothing/here', 404],
])('%s is an error page for a browser and JSON for a program', async (path, status) => {
  const page = await get(path, browser);
  expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const html = await page.text();
  expect(html).toContain('<html lang="de">');
  expect(html).toContain('href="/?lang=de"');
  for (const accept of ['*/*', 'application/json', 'application/linkset+json']) {
    const json = await get(path, accept);
    expect([json.status, json.headers.get('content-type')]).toEqual([status, 'application/json; charset=utf-8']);
    expect(Object.keys((await json.json()) as object)).toEqual(['error']);
  }
});

test('/p leads a browser to the page that takes a code, and stays unknown to a program', async () => {
  for (const [path, to] of [
    ['/p', '/'],
    ['/p?lang=de&code=1', '/?lang=de'],
    ['/p?lang=//evil.example', '/?lang=%2F%2Fevil.example'],
  ] as const) {
    const { status, headers } = await get(path, browser);
    expect([status, headers.get('location')]).toEqual([303, to]);
  }
  expect((await get('/p', '*/*')).status).toBe(404);
});

test('/ takes a code, and explains one that it cannot read', async () => {
  const empty = await get('/', browser);
  expect(empty.status).toBe(200);
  expect(empty.headers.get('content-security-policy')).toContain("form-action 'self'");
  const home = await empty.text();
  expect(home).toContain('Digitale Produktpässe');
  expect(home).toContain('Der Code ist ein QR-Code oder ein Strichcode: auf dem eingenähten Etikett');
  const [, footer = ''] = /<footer class="foot">(.*)<\/footer>/s.exec(home) ?? [];
  expect(footer).toContain('<a href="/docs" hreflang="en">API-Referenz</a>');
  expect(footer).toContain('<a href="/docs#first-passport" hreflang="en">Eigenen Produktpass erstellen</a>');
  const [, fields = ''] =
    /<p id="first-passport">[^\n]*href="([^"]+)"/.exec(await (await get('/docs', browser)).text()) ?? [];
  expect(await (await get(fields, browser)).text()).toContain('Product groups and fields');
  const found = await get('/?code=9520001000010', browser);
  expect([found.status, found.headers.get('location')]).toEqual([303, '/01/9520001000010?lang=de']);
  for (const [serial, written] of [
    ['日', '%E6%97%A5'],
    ['\u0001ü"', '%01%C3%BC%22'],
    ['SN%2F1', 'SN%2F1'],
  ]) {
    const item = encodeURIComponent(`https://id.example/01/09520001000010/21/${serial}`);
    const { status, headers } = await get(`/?code=${item}`, browser);
    expect([status, headers.get('location')]).toEqual([303, `/01/09520001000010/21/${written}?lang=de`]);
  }
  // The limit of its length parts a pair of surrogates.
  const long = encodeURIComponent(`${'(01)09520001000010(21)'.padEnd(1999, '1')}😀`);
  expect((await get(`/?code=${long}`, browser)).headers.get('location')).toMatch(/1%EF%BF%BD\?lang=de$/);
  for (const code of ['9520001000011"><b>', '9520001000011']) {
    const wrong = await get(`/?code=${encodeURIComponent(code)}`, browser, 'en');
    const [, main] = /<main id="main">(.*)<\/main>/s.exec(await wrong.text()) ?? [];
    expect(`${wrong.status} ${main}`).toMatchSnapshot();
  }
  expect((await get('/', '*/*')).status).toBe(404);
});

test('a code is a Digital Link, an element string or a GTIN with a valid check digit', () => {
  const lines = [
    ...['https://id.example/01/09520001000010', 'https://id.example/a/01/09520001000010/21/SN%2F1?x=1#y'],
    ...['(01)09520001000010', '(01)09520001000010(21)SN/1(10)L 1', '40170725', '036000291452', ' 9520001 000010 '],
    ...['9520001000011', '(01)09520001000011', '123', 'javascript:alert(1)', 'https://id.example//evil.example/'],
  ].map((text) => `${text}: ${JSON.stringify(readScannedCode(text))}`);
  expect(lines.join('\n')).toMatchSnapshot();
});

test('robots and browsers find their files', async () => {
  for (const [path, type] of [
    ['/robots.txt', 'text/plain; charset=utf-8'],
    ['/favicon.ico', 'image/x-icon'],
    ['/apple-touch-icon.png', 'image/png'],
  ] as const) {
    const { status, headers } = await get(path, '*/*');
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, type]);
  }
  const robots = await (await get('/robots.txt', '*/*')).text();
  expect(robots).toContain(`\nSitemap: http://127.0.0.1:${service.port}/sitemap.xml\n`);
});

describe('the limit for an address', () => {
  const perMinute = 3;
  const service = useService('SQLite', { publicRateLimit: perMinute, trustProxy: 1 });
  let client: Client;
  let path = '';

  beforeAll(async () => {
    client = await service.newTenant();
    path = await client.publish({ name: 'Tasse', gtin: '9520001000010' });
  });

  function get(at: string, address: string, headers: Record<string, string> = {}): Promise<Reply> {
    return client.call({ path: at, headers: { ...headers, 'x-forwarded-for': address }, key: null });
  }

  test('counts every request without a valid key, and responds with 429 and Retry-After', async () => {
    const address = '192.0.2.1';
    for (const at of [path, `${path}/jsonld`, '/01/9520001000010'])
      expect((await get(at, address)).status).toBeLessThan(400);
    const page = await get(path, address, { 'accept-language': 'de' });
    expect(page.status).toBe(429);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('<h1>Einen Moment bitte</h1>');
    // Requests for a stylesheet would be refused, too.
    const [, style = ''] = /<style>([^<]+)<\/style>/.exec(page.text) ?? [];
    expect(page.text).not.toContain('rel="stylesheet"');
    expect(page.headers['content-security-policy']).toContain(`'sha256-${hash('sha256', style, 'base64')}'`);
    for (const at of [`${path}/jsonld`, '/01/9520001000010', '/01/0', `/p/${client.tenant.slug}/none/jsonld`]) {
      const { outcome, headers } = await get(at, address);
      expect(outcome).toBe('429 rate_limited');
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    }
    expect((await get(path, '192.0.2.2')).status).toBe(200);
    // The contract does not describe all of these paths.
    for (const at of ['/api/v1/me', '/none', '/docs', '/.well-known/gs1resolver']) {
      const response = await fetch(`http://127.0.0.1:${service.port}${at}`, {
        headers: { 'x-forwarded-for': address },
      });
      expect([response.status, ((await response.json()) as { error: object }).error]).toEqual([
        429,
        expect.objectContaining({ code: 'rate_limited' }),
      ]);
    }
    const key = `ppk_${'x'.repeat(43)}`;
    const invalid = { path: '/api/v1/me', headers: { 'x-forwarded-for': address }, key };
    expect((await client.call(invalid)).outcome).toBe('429 rate_limited');
    expect((await client.call({ path: '/api/v1/me', headers: { 'x-forwarded-for': address } })).status).toBe(200);
  });

  test('a client cannot choose its own address', async () => {
    const statuses: number[] = [];
    for (const spoofed of ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4'])
      statuses.push((await get(path, `${spoofed}, 192.0.2.78`)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test('counts the addresses of one IPv6 network together, as one person has all of them', async () => {
    const limitNetwork = addressLimit(1);
    const limit = (address: string): Promise<void> => limitNetwork(networkOf(address));
    await limit('2001:db8:1:2::1');
    await expect(limit('2001:db8:1:2:ffff:ffff:ffff:ffff')).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(limit('2001:0DB8:0001:0002::')).rejects.toMatchObject({ code: 'rate_limited' });
    await limit('2001:db8:1:3::1');
    await limit('192.0.2.1');
    await expect(limit('::ffff:192.0.2.1')).rejects.toMatchObject({ code: 'rate_limited' });
    await limit('192.0.2.2');
    await limit('::1');
  });
});
