/** `/p/{tenant}`: the list of a tenant's public passports, if the tenant opened it. */

import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { closePublicList, openPublicList } from '../../../server/src/tenants/store.ts';
import { databaseKinds, onStatement } from '../../support/database.ts';
import { type Client, startService, useService } from '../../support/service.ts';
import { storeProducts } from '../../support/tenant.ts';
import { sharedHeaders } from '../../support/wire.ts';

const siteUrl = 'https://passport.example.com';
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const hostile = `<b>"Tasse' & Co`;

describe.each(databaseKinds)('the public list on %s', (kind) => {
  const service = useService(kind, { siteUrl, logLevel: 'info' });
  let client: Client;

  beforeAll(async () => {
    client = await service.newTenant({ slug: 'laden', name: 'Laden <i>&' });
    // 65 active products: three pages. The search finds them by Unicode's rules.
    const products = Array.from({ length: 65 }, (_, index) => ({
      name: `Größe ${index + 1}`,
      slug: `groesse-${index + 1}`,
      gtin: index === 0 ? '9520001000010' : null,
      status: 'active' as const,
    }));
    await storeProducts(service.database, client.tenant, products);
    const last = await client.create({ name: hostile, product_group: 'textile' });
    await service.activate(client, last.slug);
    await service.database('product_images').insert({
      tenant_id: client.tenant.id,
      product_id: last.id,
      sha256: 'a'.repeat(64),
      media_type: 'image/webp',
      width: 300,
      height: 200,
      created_at: new Date().toISOString(),
      bytes: Buffer.from('RIFF'),
    });
    await client.create('Entwurf');
    await client.publish('Archiv');
    await service.archive(client, 'archiv');
    await openPublicList(service.database, client.tenant.id, new Date());
  });

  async function get(query = '', path = '/p/laden', headers: Record<string, string> = {}) {
    const given = { accept: browser, 'accept-language': 'en', ...headers };
    const response = await fetch(`http://127.0.0.1:${service.port}${path}${query}`, { headers: given });
    const html = await response.text();
    const links = [...html.matchAll(/<a href="([^"]+)"[^>]*>(.*?)<\/a>/g)];
    const products = links.filter(([, href = '']) => /^\/p\/laden\/[^/]+\?lang=/.test(href));
    return { status: response.status, headers: response.headers, html, links, products };
  }

  test('shows the active products, oldest first, and links to the other pages', async () => {
    const { status, headers, html, products } = await get();
    expect([status, products.length]).toEqual([200, 30]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-language': 'en',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      etag: expect.stringMatching(/^W\//),
    });
    expect(headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(headers.get('vary')).toContain('accept-language');
    expect(html).not.toMatch(/<script|Entwurf|Archiv/);
    const [, main] = /<main id="main">(.*)<\/main>/s.exec(html) ?? [];
    // The products between look like the first one.
    expect(main?.replace(/(<li>.*?<\/li>).*(?=<li>(?!.*<li>.*Next page))/s, '$1\n…\n')).toMatchSnapshot('first page');
    const last = await get('?page=3');
    expect(last.html.replaceAll(/(?<=site\.)[0-9a-f]{16}/g, 'RANDOM')).toMatchSnapshot('last page');
    const etag = headers.get('etag') ?? '';
    expect((await get('', '/p/laden', { 'if-none-match': etag })).status).toBe(304);
    expect((await get('?lang=de', '/p/laden', { 'if-none-match': etag })).status).toBe(200);
    expect((await get('/')).status).toBe(200);
  });

  test.each([
    ['GRÖSSE 1', '11 product passports have “GRÖSSE 1” in their names'],
    [' größe 65 ', '1 product passport has “größe 65” in its name'],
    ['%', '0 product passports'],
    [hostile, '1 product passport has “&lt;b&gt;&quot;Tasse&#39; &amp; Co” in its name'],
    ['Entwurf', '0 product passports'],
    ['\0', '0 product passports'],
    ['9520001000010', '<span>1 product passport</span>'],
    ['0 952-0001 000010', '<span>1 product passport</span>'],
    ['９５２０\u200b００１0000-10', '<span>1 product passport</span>'],
    ['9520001000027', '0 product passports have “9520001000027” in their names'],
    ['{count}', '0 product passports have “{count}” in their names'],
  ])('a search for %j finds: %s', async (search, summary) => {
    const { status, html, products } = await get(`?search=${encodeURIComponent(search)}`);
    expect(status).toBe(200);
    expect(html).toContain(summary);
    expect(products).toHaveLength(Number(/\d+/.exec(summary)?.[0]));
    expect(html).toContain('<meta name="robots" content="noindex">');
  });

  test.each([
    ['?page=0', 1],
    ['?page=-1', 1],
    ['?page=1e9', 1],
    ['?page=%D9%A2', 1],
    ['?page=2&page=3', 2],
    ['?page=99999999999999999999999999', 3],
    ['?page=4', 3],
    [`?page=3&search=${'%F0%9F%92%A9'.repeat(1000)}`, 0],
    ['?search=%FF%C3&page=%FF', 0],
    ['?lang=xx&page=2', 2],
    ['?search=%C2%AD&page=2', 2],
    ['?&&==%&page=2', 2],
  ])('query %# gives the page that it names, or the nearest one', async (query, number) => {
    const { status, html, products } = await get(query);
    expect(status).toBe(200);
    if (number === 0) expect(products).toEqual([]);
    else expect(html).toContain(`Page ${number} of 3`);
    // A search has at most 200 characters.
    const [, shown = ''] = /value="([^"]*)"/.exec(html.slice(html.indexOf('id="search"'))) ?? [];
    expect(Array.from(shown).length).toBe(query.includes('%F0') ? 200 : shown.length);
  });

  test('counts items next to the list, and finds each by its GTIN or its public serial number', async () => {
    const akkus = await service.newTenant({ slug: 'akkus', name: 'Akkus' });
    await openPublicList(service.database, akkus.tenant.id, new Date());
    const gtin = '9520001000027';
    const serial = (value: string, more = {}) => [{ field_key: 'serial_number', value, ...more }];
    await akkus.publish({ name: 'Akku Modell', gtin });
    await akkus.publish({ name: 'Akku A', gtin }, serial('SN-1'));
    await akkus.publish({ name: 'Akku B', gtin }, serial('SN-2', { access_level: 'restricted' }));
    await akkus.publish({ name: 'Akku C', gtin: '95200002' }, serial('SN-1'));
    await akkus.publish({ name: 'SN-3' }, serial('SN-1', { is_unknown: true, value: null }));
    await akkus.publish({ name: 'Archiv', gtin }, serial('SN-4'));
    await service.archive(akkus, 'archiv');
    await akkus.create({ name: 'Entwurf', gtin });
    await akkus.write('entwurf', serial('SN-5'));
    const lines: string[] = [];
    for (const query of [
      ...['', '?lang=de', '?lang=pl', '?lang=fr', '?search=akku', `?search=${gtin}`, '?search=000095200002'],
      ...['?search=SN-1', '?search=sn-1', '?search=SN-2', '?search=SN-3', '?search=SN-4', '?search=SN-5'],
      ...['?search=SN%00', `?search=${encodeURIComponent("SN-1' OR '1'='1")}`, `?search=${'S'.repeat(29)}`],
    ]) {
      const { html } = await get(query, '/p/akkus');
      expect(html).not.toContain('SN-2</bdi>');
      const summary = [...html.matchAll(/<span>([^<]*)<\/span> (?=<|$)/g)].map(([, text]) => text);
      const rows = [...html.matchAll(/<li>.*?<\/li>/g)].filter(([row]) => row.includes('/p/akkus/'));
      const texts = rows.map(([row]) =>
        row
          .replaceAll(/<svg.*?<\/svg>|<[^>]+>/g, ' ')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      );
      lines.push(`${query} → ${summary.join(' · ')}: ${texts.join(' | ')}`);
    }
    expect(lines.join('\n')).toMatchSnapshot();
    await closePublicList(service.database, akkus.tenant.id);
  });

  test('has pages for a number that more products have, and shows the item that the link of a GTIN opens', async () => {
    const viele = await service.newTenant({ slug: 'nummern', name: 'Nummern' });
    await openPublicList(service.database, viele.tenant.id, new Date());
    const [ofModels, ofItems] = ['9520001000034', '9520001000041'];
    const stored = (name: string, gtin: string, serial: string | null = null) => ({
      ...{ name, slug: name.toLowerCase(), gtin, status: 'active' as const },
      ofPassport: { serial_number: serial, public_serial: serial },
    });
    await storeProducts(service.database, viele.tenant, [
      ...Array.from({ length: 31 }, (_, index) => stored(`Modell-${index}`, ofModels)),
      ...Array.from({ length: 31 }, (_, index) => stored(`Teil-${index}`, `952001${index + 10}`, '0001')),
      ...['Spaet', 'Frueh'].map((name) => stored(name, ofItems, name)),
    ]);
    await service.database('products').where({ slug: 'frueh' }).update({ activated_at: '2026-01-01T00:00:00.000Z' });
    const seen = async (query: string) => {
      const { html } = await get(query, '/p/nummern');
      const slugs = [...html.matchAll(/"\/p\/nummern\/([^"?]+)\?lang=/g)].map(([, slug]) => slug);
      const summary = /[0-9]+ product passports?(?=<)/.exec(html)?.[0];
      return [summary, /Page \d of \d/.exec(html)?.[0], slugs.length, slugs[0], html.includes('page=2" rel="next"')];
    };
    for (const [search, name] of [
      [ofModels, 'modell'],
      ['0001', 'teil'],
    ]) {
      expect(await seen(`?search=${search}`)).toEqual(['31 product passports', 'Page 1 of 2', 30, `${name}-0`, true]);
      const last = ['31 product passports', 'Page 2 of 2', 1, `${name}-30`, false];
      for (const page of [2, 3]) expect(await seen(`?search=${search}&page=${page}`)).toEqual(last);
    }
    for (const query of [`?search=${ofItems}`, `?search=${ofItems}&page=2`])
      expect(await seen(query)).toEqual(['1 product passport', undefined, 1, 'frueh', false]);
    await closePublicList(service.database, viele.tenant.id);
  });

  test('a tenant without an open list, an unknown one and an unfinished import get the same 404', async () => {
    await service.newTenant({ slug: 'zu', name: 'Geschlossen' });
    const imported = await service.newTenant({ slug: 'importing:neu', name: 'Neu' });
    await openPublicList(service.database, imported.tenant.id, new Date());
    const shown = async (path: string, accept: string) => {
      const statements: string[] = [];
      const stop = onStatement(service.database, ({ sql }) => statements.push(sql));
      const { status, html, headers } = await get('?page=2', path, { accept });
      stop();
      return { status, html, headers: sharedHeaders(Object.fromEntries(headers)), statements };
    };
    for (const accept of [browser, '*/*']) {
      const unknown = await shown('/p/nobody', accept);
      expect([unknown.status, unknown.statements.length]).toEqual([404, 1]);
      // A page for people says whether it is about passports.
      if (accept !== browser) expect(await shown('/no/page', accept)).toEqual({ ...unknown, statements: [] });
      expect(await shown('/p/zu', accept)).toEqual(unknown);
      expect(await shown(`/p/${'x'.repeat(5000)}`, accept)).toEqual(unknown);
      for (const path of ['/p/importing:neu', '/p/LADEN', '/p/laden%00'])
        expect(await shown(path, accept)).toEqual({ ...unknown, statements: [] });
    }
    await closePublicList(service.database, client.tenant.id);
    expect((await get()).status).toBe(404);
    await openPublicList(service.database, client.tenant.id, new Date());
    expect((await get()).status).toBe(200);
  });

  test('the site map names the active products of open lists, and nothing of other tenants', async () => {
    const hidden = await service.newTenant({ slug: 'verborgen', name: 'Verborgen' });
    await hidden.publish('Geheim');
    const many = await service.newTenant({ slug: 'viele', name: 'Viele' });
    const products = Array.from({ length: 5001 }, (_, index) => ({
      name: 'Teil',
      slug: `teil-${index + 1}`,
      status: index % 5000 === 0 ? ('active' as const) : ('draft' as const),
    }));
    // A statement has three seconds, on a busy machine too.
    for (const start of [0, 2000, 4000])
      await storeProducts(service.database, many.tenant, products.slice(start, start + 2000));
    await openPublicList(service.database, many.tenant.id, new Date());
    const at = (path: string, headers = {}) => fetch(`http://127.0.0.1:${service.port}${path}`, { headers });
    const locations = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address);
    const index = await at('/sitemap.xml');
    expect([index.status, index.headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8']);
    const xml = await index.text();
    expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<sitemapindex xmlns="[^"]+"><sitemap>/);
    expect(locations(xml)).toEqual(['laden.1', 'viele.1', 'viele.2'].map((part) => `${siteUrl}/sitemap.${part}.xml`));
    const part = await (await at('/sitemap.laden.1.xml')).text();
    expect(locations(part)).toHaveLength(67);
    expect(locations(part).slice(0, 2)).toEqual([`${siteUrl}/p/laden`, `${siteUrl}/p/laden/groesse-1`]);
    expect(part).toMatch(/<lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod><\/url><\/urlset>\n$/);
    expect(part).not.toMatch(/entwurf|archiv/);
    expect(locations(await (await at('/sitemap.viele.2.xml')).text())).toEqual([
      `${siteUrl}/p/viele`,
      `${siteUrl}/p/viele/teil-5001`,
    ]);
    const etag = index.headers.get('etag') ?? '';
    expect((await at('/sitemap.xml', { 'if-none-match': etag })).status).toBe(304);
    for (const path of ['verborgen.1', 'nobody.1', 'laden.2', 'viele.3', 'laden.0', 'laden.01', 'laden.1e1', 'laden'])
      expect([path, (await at(`/sitemap.${path}.xml`)).status]).toEqual([path, 404]);
    await closePublicList(service.database, many.tenant.id);
    expect((await at('/sitemap.viele.1.xml')).status).toBe(404);
  });

  test('counts no scan, and no search is in the log', async () => {
    const before = await client.scans();
    await get('?search=KANARIENVOGEL');
    expect(await client.scans()).toEqual(before);
    expect(service.logLines.length).toBeGreaterThan(0);
    expect(service.logLines.join()).not.toContain('KANARIENVOGEL');
  });
});

test('of the searches of public lists one runs for each tenant, and 50 wait', async () => {
  const service = await startService('PostgreSQL', { publicRateLimit: 0 });
  const client = await service.newTenant({ slug: 'laden' });
  await openPublicList(service.database, client.tenant.id, new Date());
  const statuses: number[] = [];
  let pages: Promise<void>[] = [];
  await service.database.transaction(async (transaction) => {
    await transaction.raw('LOCK TABLE products');
    pages = Array.from({ length: 60 }, async () => {
      const { status } = await fetch(`http://127.0.0.1:${service.port}/p/laden`);
      statuses.push(status);
    });
    while (statuses.length < 8) await setTimeout(10);
    // The others wait for the lock, for 3 seconds at most.
    await setTimeout(1000);
    expect(statuses).toEqual(Array(9).fill(503));
  });
  await Promise.all(pages);
  expect(statuses).toEqual([...Array(9).fill(503), ...Array(51).fill(200)]);
});
