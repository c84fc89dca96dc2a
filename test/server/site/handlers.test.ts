/** How the addresses of a passport respond: representations, ETags and headers, what is kept, and what stays hidden. */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { revokeToken } from '../../../server/src/access/token.ts';
import { setImage } from '../../../server/src/images/store.ts';
import { Metrics } from '../../../server/src/metrics/metrics.ts';
import { closePublicList, openPublicList, updatePages } from '../../../server/src/tenants/store.ts';
import { type DatabaseKind, databaseKinds, newMigratedDatabase, onStatement } from '../../support/database.ts';
import { type Client, type Reply, type Service, startService, useService } from '../../support/service.ts';
import { newToken } from '../../support/tenant.ts';
import { sharedHeaders } from '../../support/wire.ts';

const siteUrl = 'https://passport.example.com';
const service = useService('SQLite', { siteUrl });
let client: Client;
const slug = 'pullover';
let path = '';

beforeAll(async () => {
  client = await service.newTenant();
  const product = { name: 'Pullover', slug, product_group: 'textile', gtin: '9520001000010' };
  path = await client.publish(product, [{ field_key: 'care_instructions', value: 'wash by hand' }]);
});

function get(headers: Record<string, string> = {}, query = '', at = path, method = 'GET'): Promise<Reply> {
  return client.call({ method, path: at, query, headers, key: null });
}

async function scans(): Promise<number> {
  return (await client.scans()).total;
}

test('Accept chooses between the page and the document, and a page alone is a scan', async () => {
  const lines: string[] = [];
  for (const accept of [
    ...['*/*', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html, application/ld+json'],
    ...['application/ld+json;q=0.5, text/html', 'application/ld+json, text/html', 'application/json', 'image/png'],
    ...['application/ld+json;q=0', '; q=x,,/', 'application/ld+json', 'application/ld+json, */*;q=0.1'],
    ...['text/html;q=0.9, application/ld+json', 'APPLICATION/LD+JSON'],
  ]) {
    const before = await scans();
    const { status, headers } = await get({ accept });
    lines.push(`${accept} → ${status} ${headers['content-type']}, ${(await scans()) - before} scans`);
  }
  expect(lines.join('\n')).toMatchSnapshot();
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
        expect([given, status, text, sent.etag, sent['cache-control']]).toEqual([given, 304, '', etag, 'no-cache']);
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
});

describe('headers', () => {
  test.each(['', '/jsonld', '?zugang=x', '?serial=1'])('of %j', async (end) => {
    const { headers, text } = await get({}, '', path + end);
    const [, style] = /<style>([^<]+)<\/style>/.exec(text) ?? [];
    const policy = headers['content-security-policy'];
    // The policy allows the style of the page.
    expect(policy?.toString().includes(hash('sha256', style ?? '', 'base64'))).toBe(
      style === undefined ? undefined : true,
    );
    const shown = JSON.stringify(sharedHeaders(headers), null, 1).replaceAll(/(?<="content-length": )"\d+"/g, 'LENGTH');
    expect(shown.replaceAll(/(?<=sha256-)[\w+/=]+|(?<="W\/)[^,]+/g, 'RANDOM')).toMatchSnapshot();
  });

  test('of the stylesheet, whose address changes with its content', async () => {
    // A passport has its style in the page.
    expect((await get()).text).not.toContain('rel="stylesheet"');
    const { text } = await get({}, '', '/p/niemand/nie');
    const [, address = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(text) ?? [];
    expect(address).toMatch(/^\/assets\/site\.[0-9a-f]{16}\.css$/);
    const response = await fetch(`http://127.0.0.1:${service.port}${address}`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/css; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    expect(await response.text()).toContain('prefers-color-scheme');
    const other = await fetch(`http://127.0.0.1:${service.port}${address.replace(/\.[0-9a-f]{16}/, '')}`);
    expect(other.status).toBe(404);
  });
});

describe('errors', () => {
  beforeAll(async () => void (await client.create({ name: 'Gescannt', gtin: '9520001099991' })));

  test.each([
    ...['/01/09520001099991/21/S1?zugang=x', '/01/09520001088889', '/01/09520001099992?lang=de', '/01/9520001099'],
    ...['/01/%3Cscript%3E', '/01/123456789012345', '/01/0952000109999%39', '/docs/nothing', '/nothing'],
  ])('%s says what was scanned, if it was a code, and where to go on', async (target) => {
    const response = await fetch(`http://127.0.0.1:${service.port}${target}`, { headers: { accept: 'text/html' } });
    const [, main] = /<main id="main">([\s\S]*)<\/main>/.exec(await response.text()) ?? [];
    expect(`${response.status} ${main}`).toMatchSnapshot();
  });

  test('500 is a page without internal details', async () => {
    await service.database.schema.renameTable('products', 'products_away');
    const { status, text } = await get();
    await service.database.schema.renameTable('products_away', 'products');
    expect(status).toBe(500);
    expect(text).toContain('<h1>Something went wrong</h1>');
  });
});

/** Counts the statements that read the values of passports. */
function countReads({ database }: Service): () => number {
  let reads = 0;
  const read = /from ["`]passport_values["`]/i;
  onStatement(database, ({ sql }) => {
    if (read.test(sql)) reads += 1;
  });
  return () => reads;
}

describe.each(databaseKinds)('what is kept, on %s', (kind: DatabaseKind) => {
  let service: Service;
  let other: Service;
  let client: Client;

  beforeAll(async () => {
    const address = await newMigratedDatabase(kind);
    service = await startService(kind, { on: address, siteUrl });
    other = await startService(kind, { on: address, siteUrl });
    client = await service.newTenant();
  });

  /** An active product with a value of each access level, and its page's path. */
  async function publish(name: string): Promise<{ slug: string; path: string }> {
    const path = await client.publish({ name, gtin: '9520001000010' }, [
      { field_key: 'open', value: `open ${name}` },
      { field_key: 'secret', value: `secret ${name}`, access_level: 'restricted' },
    ]);
    return { slug: path.split('/')[3] ?? '', path };
  }

  function view(path: string, query = 'lang=en', headers: Record<string, string> = {}): Promise<Reply> {
    return client.call({ path, query, headers, key: null });
  }

  test('the values of a version are read once for each form and language', async () => {
    const { slug, path } = await publish('Tasse');
    const reads = countReads(service);
    const pages = await Promise.all(Array.from({ length: 50 }, () => view(path)));
    expect(reads()).toBe(1);
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
    for (let count = 0; count < 3; count += 1) {
      await view(path, 'lang=de');
      await view(`${path}/jsonld`);
      await view(path, 'lang=en', { accept: 'application/ld+json' });
      await client.passport(slug);
    }
    expect(reads()).toBe(4);
  });

  test('a 304 reads no values, on an instance that has never rendered the page too', async () => {
    const { path } = await publish('Teller');
    const { headers } = await view(path);
    const reads = countReads(other);
    const outgoing = { method: 'GET', path: `${path}?lang=en`, headers: { 'if-none-match': headers.etag ?? '' } };
    expect((await other.send(outgoing)).status).toBe(304);
    expect(reads()).toBe(0);
  });

  test('a status that changes during a read is not kept under the status before', async () => {
    const { slug } = await publish('Kanne');
    const archiveAfter = async (turns: number) => {
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await service.archive(client, slug);
    };
    for (let round = 0; round < 21; round += 1) {
      await client.write(slug, [{ field_key: 'open', value: round }]);
      await Promise.all([client.passport(slug), archiveAfter(round % 7)]);
      await service.activate(client, slug);
      expect((await client.passport(slug)).product.status).toBe('active');
    }
  });

  test('the next request sees a new version, an archived and an activated product, of another instance too', async () => {
    const { slug, path } = await publish('Schale');
    const owner = other.clientOf(client);
    for (const at of [path, `${path}/jsonld`]) expect((await view(at)).text).toContain('open Schale');
    expect(JSON.stringify(await client.passport(slug))).toContain('open Schale');
    await owner.write(slug, [{ field_key: 'open', value: 'closed' }]);
    for (const at of [path, `${path}/jsonld`]) {
      // The list of versions names the old value.
      const text = (await view(at)).text.replace(/<details class="history">[\s\S]*?<\/details>/, '');
      expect(text).toContain('closed');
      expect(text).not.toContain('open Schale');
    }
    expect(JSON.stringify((await client.passport(slug)).values)).toContain('closed');
    await other.archive(owner, slug);
    for (const at of [path, `${path}/jsonld`]) expect((await view(at)).status).toBe(404);
    expect((await client.passport(slug)).product.status).toBe('archived');
    await other.activate(owner, slug);
    expect((await view(path)).text).toContain('closed');
  });

  test('each role has its own page, which links only to the token of its own request', async () => {
    const { path } = await publish('Kanne');
    const { id, token } = await newToken(service.database, client.tenant, 'recycler');
    const second = await newToken(service.database, client.tenant, 'recycler');
    const reads = countReads(service);
    const seen = async (zugang: string): Promise<string> =>
      (await view(path, new URLSearchParams({ zugang }).toString())).text;
    const pages = [await seen(token), await seen(second.token)];
    expect(reads()).toBe(1);
    for (const [page, own, foreign] of [
      [pages[0], token, second.token],
      [pages[1], second.token, token],
    ] as const) {
      expect(page).toContain('secret Kanne');
      expect(page).toContain(own);
      expect(page).not.toContain(foreign);
    }
    // All invalid tokens have one page, without them.
    const refused = await Promise.all([`"><script>'&`, 'x', 'y'].map(seen));
    expect([new Set(refused).size, reads()]).toEqual([1, 2]);
    expect(refused[0]).toContain('class="notice refused"');
    expect(refused[0]).not.toMatch(/secret Kanne|zugang=/);
    expect(await view(path)).toMatchObject({ status: 200, text: expect.not.stringContaining('secret Kanne') });
    await revokeToken(other.database, client.tenant.id, id, new Date());
    expect(await seen(token)).not.toContain('secret Kanne');
    expect(await seen(second.token)).toContain('secret Kanne');
  });
});

describe('a scanned batch or serial number is named on the page, and nothing keeps it', () => {
  const metrics = new Metrics();
  const service = useService('SQLite', { siteUrl, logLevel: 'info', metrics });
  let client: Client;
  let token = '';

  beforeAll(async () => {
    client = await service.newTenant();
    await client.publish({ name: 'Tasse', gtin: '9520001000010' });
    token = await client.token('recycler');
  });

  function visit(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    const operationId = path.startsWith('/01/') ? 'resolveGtin' : undefined;
    return client.call({ path, key: null, headers, ...(operationId ? { operationId } : {}) });
  }

  /** Follows a printed code, as a telephone does. */
  async function scan(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    const { status, headers: found } = await visit(path, headers);
    expect([status, found['cache-control']]).toEqual([307, 'private, no-store']);
    return visit((found.location ?? '').slice(siteUrl.length), headers);
  }

  /** What the page says about the item, as HTML and without tags. */
  function said({ text }: Reply): string | undefined {
    return /<p class="notice scanned">(.*?)<\/p>/.exec(text)?.[1]?.replaceAll(/<[^>]+>/g, '');
  }

  test.each([
    ['/235/T-1', 'You scanned third-party number T-1. This passport is for the model.'],
    ['/22/V/10/L1/21/SN1', 'You scanned variant V, batch L1, and serial number SN1. This passport is for the model.'],
    [
      '/21/%22%3Cb%3E%26%27%2F%25',
      'You scanned serial number &quot;&lt;b&gt;&amp;&#39;/%. This passport is for the model.',
    ],
    ['/21/a+b%2B', 'You scanned serial number a+b+. This passport is for the model.'],
    ['/21/S?serial=other&batch=x', 'You scanned batch x and serial number S. This passport is for the model.'],
  ])('/01/9520001000010%s: %s', async (path, sentence) => {
    for (const end of ['', `${path.includes('?') ? '&' : '?'}zugang=${token}`]) {
      const page = await scan(`/01/9520001000010${path}${end}`, { 'accept-language': 'en' });
      expect([page.status, said(page)]).toEqual([200, sentence]);
      expect(page.headers).toMatchObject({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' });
      expect(page.headers).not.toHaveProperty('etag');
      expect(page.headers.link).not.toMatch(/serial|batch|cpv|tpx/);
      expect(page.text).toContain(`<link rel="canonical" href="${siteUrl}/p/mandant-1/tasse">`);
      expect(page.text).toContain('<meta name="robots" content="noindex">');
    }
  });

  test('the links to the languages keep it, and the token', async () => {
    const page = await scan(`/01/9520001000010/10/L%2F1/21/%27%26x?zugang=${token}`);
    const [href = ''] = /(?<=<a href=")\?lang=de[^"]*/.exec(page.text) ?? [];
    const query = new URLSearchParams(href.replaceAll('&amp;', '&').replaceAll('&#39;', "'"));
    expect(Object.fromEntries(query)).toEqual({ lang: 'de', zugang: token, batch: 'L/1', serial: "'&x" });
    const german = await visit(`/p/mandant-1/tasse?${query}`);
    expect(said(german)).toContain('Sie haben gescannt: Charge L/1 und Seriennummer &#39;&amp;x.');
  });

  test.each([
    ['too long', 'x'.repeat(21)],
    ['empty', ''],
    ['a space', 'a b'],
    ['a letter beyond ASCII', 'ä'],
    ['a line end', 'a\n'],
  ])('a serial number with %s is ignored', async (_, serial) => {
    const page = await visit(`/p/mandant-1/tasse?serial=${encodeURIComponent(serial)}`);
    expect([page.status, said(page), page.headers['cache-control']]).toEqual([200, undefined, 'no-cache']);
    expect(page.headers.etag).toMatch(/^W\//);
  });

  test('neither the pages that are kept, nor a 304, mix items', async () => {
    const plain = await visit('/p/mandant-1/tasse?lang=en');
    const one = await visit('/p/mandant-1/tasse?lang=en&serial=ONE');
    const two = await visit('/p/mandant-1/tasse?lang=en&serial=TWO', { 'if-none-match': String(plain.headers.etag) });
    expect([one.text.includes('ONE'), two.status, said(two)?.includes('TWO'), two.text.includes('ONE')]).toEqual([
      true,
      200,
      true,
      false,
    ]);
    const reads = countReads(service);
    for (const query of ['serial=3', 'batch=4', 'batch=6&serial=5', 'cpv=7&batch=8&serial=9'])
      expect((await visit(`/p/mandant-1/tasse?lang=en&${query}`)).text).toContain(query.replaceAll('&', '&amp;'));
    expect(reads()).toBe(0);
    const again = await visit('/p/mandant-1/tasse?lang=en');
    expect([again.text, again.headers.etag]).toEqual([plain.text, plain.headers.etag]);
    expect(plain.text).not.toMatch(/class="notice|[0-9a-f]{32}-(?:serial|batch|zugang)/);
  });

  test('the document does not have it, and the linkset is that of the scanned item', async () => {
    for (const [accept, path] of [
      ['application/ld+json', '/p/mandant-1/tasse/jsonld'],
      ['application/linkset+json', undefined],
    ]) {
      const reply = await visit('/01/9520001000010/22/VARX/10/LOTX/21/SERX', { accept: accept ?? '' });
      expect(reply.headers.location).toBe(path && siteUrl + path);
      // The linkset and the header that names it belong to the item.
      const { link, ...others } = reply.headers;
      for (const text of [link, ...(path === undefined ? [reply.text] : [])])
        expect(text).toContain('/22/VARX/10/LOTX/21/SERX');
      expect(JSON.stringify([others, path === undefined ? '' : reply.text])).not.toMatch(/VARX|LOTX|SERX/);
      expect(reply.headers).toMatchObject({ 'cache-control': 'private, no-store' });
    }
    const document = await visit('/p/mandant-1/tasse?serial=SERX', { accept: 'application/ld+json' });
    expect(document.headers).toMatchObject({ 'cache-control': 'private, no-store' });
    expect(document.headers).not.toHaveProperty('etag');
  });

  test('neither the log, the metrics nor the database has it', async () => {
    const before = (await client.scans()).total;
    await scan('/01/9520001000010/22/CANARYVARIANT/10/CANARYBATCH/21/CANARYSERIAL');
    await visit('/p/mandant-1/none?serial=CANARYSERIAL');
    expect((await client.scans()).total).toBe(before + 1);
    const { filename } = service.database.client.connectionSettings;
    const files = readdirSync(dirname(filename)).map((name) => readFileSync(join(dirname(filename), name), 'latin1'));
    const kept = [...files, ...service.logLines, await metrics.text()].join('');
    expect(kept).toContain('getPassportPage');
    expect(kept).not.toContain('CANARY');
  });
});

describe.each(databaseKinds)('what is not public, on %s', (kind) => {
  const service = useService(kind);
  let client: Client;
  beforeAll(async () => {
    client = await service.newTenant();
    for (const name of ['Entwurf', 'Archiv', 'Aktiv']) {
      const { slug } = await client.create(name);
      await client.write(slug, [{ field_key: 'secret', value: 'geheim', access_level: 'authority' }]);
    }
    await service.activate(client, 'aktiv');
    await service.activate(client, 'archiv');
    await service.archive(client, 'archiv');
  });

  test('a 404 below a tenant has its look and links only if its list is open, and is the same for each product', async () => {
    const { id, slug } = client.tenant;
    await updatePages(service.database, id, { color: '#78350f', contact_url: 'https://maker.example/contact' });
    const pageOf = async (path: string) => {
      const { status, text, headers } = await client.call({ path, key: null });
      return { status, text, policy: headers['content-security-policy'] };
    };
    const hidden = await pageOf('/p/nobody/none');
    const products = ['none', 'entwurf', 'archiv', 'none/at/all'];
    for (const product of products.slice(0, 3)) expect(await pageOf(`/p/${slug}/${product}`)).toEqual(hidden);
    await openPublicList(service.database, id, new Date());
    const [first, ...others] = await Promise.all(
      products.slice(0, 3).map((product) => pageOf(`/p/${slug}/${product}`)),
    );
    expect(others).toEqual([first, first]);
    expect(first?.status).toBe(404);
    for (const part of ['class="tone"', `href="/p/${slug}?lang=de"`, 'href="https://maker.example/contact"'])
      expect([part, first?.text.includes(part), hidden.text.includes(part)]).toEqual([part, true, false]);
    const [, style = ''] = /<style>([^<]+)<\/style>/.exec(first?.text ?? '') ?? [];
    expect(first?.policy).toContain(hash('sha256', style, 'base64'));
    for (const path of ['/p/nobody/none', `/p/${slug.toUpperCase()}/none`]) expect(await pageOf(path)).toEqual(hidden);
    await closePublicList(service.database, id);
    expect(await pageOf(`/p/${slug}/none`)).toEqual(hidden);
  });

  /** The contract does not have the path of an image. */
  async function asked(path: string) {
    const statements: string[] = [];
    // Not the transaction of a view, which ends after its page is sent.
    const listen = ({ sql }: { sql: string }) => /^select/i.test(sql) && statements.push(sql);
    const stop = onStatement(service.database, listen);
    const { status } = await fetch(`http://127.0.0.1:${service.port}/p/${path}`);
    stop();
    return { status, statements };
  }

  const image = { bytes: Buffer.from('x'), width: 1, height: 1, alt: null };
  const ends = ['', '/jsonld', `/image/${hash('sha256', image.bytes, 'hex').slice(0, 16)}.webp`];

  /** A tenant that no request has named, with a draft, an archived and an active product. Each has the image. */
  async function threeProducts(): Promise<Client> {
    const own = await service.newTenant();
    for (const name of ['Entwurf', 'Archiv', 'Aktiv']) {
      const { id } = await own.create(name);
      await setImage(service.database, { tenantId: own.tenant.id, productId: id }, image, new Date());
    }
    for (const slug of ['archiv', 'aktiv']) await service.activate(own, slug);
    await service.archive(own, 'archiv');
    return own;
  }

  test.each(ends)('a 404 of …%s runs the same statements, whether the tenant is unknown or remembered', async (end) => {
    const none = await asked(`nobody/none${end}`);
    // A 404 of a page asks for the look of the tenant.
    expect([none.status, none.statements.length]).toEqual([404, end === '' ? 4 : 3]);
    expect(none.statements.join()).not.toContain('bytes');
    for (const hidden of ['none', 'entwurf', 'archiv']) {
      const { tenant } = await threeProducts();
      const replyTo = (product: string) => asked(`${tenant.slug}/${product}${end}`);
      for (let time = 0; time < 3; time += 1) {
        expect([hidden, time, await replyTo(hidden)]).toEqual([hidden, time, none]);
        if (time > 0) expect((await replyTo('aktiv')).status).toBe(200);
      }
    }
  });

  test('what is found is one look-up, also in a tenant that came back with another id', async () => {
    const own = await service.newTenant();
    await own.publish({ name: 'Tasse', slug: 'tasse' });
    const path = `${own.tenant.slug}/tasse/jsonld`;
    await asked(path);
    expect(await asked(path)).toMatchObject({ status: 200, statements: [expect.stringContaining('public_hash')] });
    await service.database('tenants').where({ id: own.tenant.id }).update({ slug: 'elsewhere' });
    expect(await asked(path)).toMatchObject({ status: 404 });
    const other = await service.newTenant({ slug: own.tenant.slug });
    expect(await asked(path)).toMatchObject({ status: 404 });
    await other.publish({ name: 'Tasse', slug: 'tasse' });
    expect(await asked(path)).toMatchObject({ status: 200 });
    expect((await asked(path)).statements).toHaveLength(1);
  });
});
