/** The page names a scanned batch or serial number, and nothing keeps it. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { Metrics } from '../../../server/src/metrics/metrics.ts';
import { type Client, type Reply, useService } from '../../support/service.ts';

const siteUrl = 'https://passport.example.com';
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
  ['/21/SN-1', 'You scanned serial number SN-1. This passport is for the model.'],
  ['/10/L.1', 'You scanned batch L.1. This passport is for the model.'],
  ['/22/V', 'You scanned variant V. This passport is for the model.'],
  ['/235/T-1', 'You scanned third-party number T-1. This passport is for the model.'],
  ['/10/L1/21/SN1', 'You scanned batch L1 and serial number SN1. This passport is for the model.'],
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
