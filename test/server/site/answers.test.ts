import { hash } from 'node:crypto';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ending } from '../../support/files.ts';
import { announcement, start } from '../../support/program.ts';
import { type Client, type Reply, useService } from '../../support/service.ts';
import { send, sharedHeaders } from '../../support/wire.ts';

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
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
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
