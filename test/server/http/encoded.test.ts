/** What is compressed: once, in the encoding that a client accepts, and never more than two bodies at a time. */
import { createHook } from 'node:async_hooks';
import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Encoded, Gapped } from '../../../server/src/http/encoded.ts';
import { openPublicList } from '../../../server/src/tenants/store.ts';
import { type Client, useService } from '../../support/service.ts';

describe('a body with gaps', () => {
  const long = Array.from({ length: 20_000 }, (_, index) => `${index * index} Größe`).join();
  test.each([
    ['between long pieces', `${long}@b@${long}@a@${long}`],
    ['between short pieces', `x@a@y@b@ü@a@${long}`],
    ['alone', '@a@'],
    ['next to each other, at the start and at the end', `@a@@b@${long}@b@@a@`],
    ['absent', long],
  ])('%s', async (_, text) => {
    const page = Gapped.of<'a' | 'b'>(text, /@([ab])@/);
    const gzipped = await page.gzipped();
    for (const a of ['', 'ä<', 'z'.repeat(65_535)]) {
      const whole = text.replaceAll(/@([ab])@/g, (_gap, name) => (name === 'a' ? a : 'B'));
      const plain = page.filled((gap) => (gap === 'a' ? a : 'B'));
      expect([plain.bytes.toString() === whole, plain.size]).toEqual([true, Buffer.byteLength(whole)]);
      const sent = gzipped?.filled((gap) => (gap === 'a' ? a : 'B'));
      // It also checks the checksum and the length.
      expect(gunzipSync(sent?.bytes ?? '').toString() === whole).toBe(true);
      expect(sent?.size).toBe(sent?.bytes.length);
    }
  });
});

test('at most two bodies are compressed at a time, a few wait, and the others stay as they are', async () => {
  const large = Encoded.of(Buffer.alloc(1_000_000));
  const page = Gapped.of(`${'x'.repeat(1_000_000)}@a@`, /@(a)@/);
  let all: (Promise<unknown> | undefined)[] = [];
  const count = await compressionsIn(async () => {
    all = Array.from({ length: 40 }, (_, index) => (index === 1 ? page : large).gzipped());
    expect(all.filter((one) => one === undefined)).toHaveLength(6);
    expect(await Encoded.of('short').gzipped()).toMatchObject({ isGzip: false });
  });
  expect(count).toBe(2);
  await Promise.all(all);
  const later = await Promise.all(Array.from({ length: 34 }, () => large.gzipped()));
  expect(later.every((one) => one && one.size < 10_000)).toBe(true);
});

/** The number of compressions that begin in `work`. */
async function compressionsIn(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init: (_, type) => {
      if (type === 'ZLIB') count += 1;
    },
  }).enable();
  await work();
  hook.disable();
  return count;
}

describe('a response', () => {
  const service = useService('SQLite');
  let client: Client;
  let token = '';

  beforeAll(async () => {
    client = await service.newTenant({ slug: 'laden' });
    const values = Array.from({ length: 200 }, (_, index) => ({
      field_key: `f${index}`,
      value: `${index}`.repeat(40),
    }));
    await client.publish({ name: 'Tasse', gtin: '9520001000010' }, values);
    token = await client.token('recycler');
    await openPublicList(service.database, client.tenant.id, new Date());
  });

  interface Received {
    status: number | undefined;
    headers: IncomingHttpHeaders;
    bytes: Buffer;
  }

  /** Its bytes, which this client does not decompress. */
  function get(path: string, headers: Record<string, string>, method = 'GET'): Promise<Received> {
    return new Promise((resolve, reject) => {
      const sent = request({ port: service.port, host: '127.0.0.1', path, headers, method }, async (response) => {
        const { statusCode: status, headers: received } = response;
        resolve({ status, headers: received, bytes: await buffer(response) });
      });
      sent.once('error', reject).end();
    });
  }

  const page = '/p/laden/tasse';
  test.each([
    ...[page, `${page}?lang=en`, `${page}/jsonld`, `${page}/jsonld?download`, `${page}/jsonld?version=2`],
    ...[`${page}?serial=1`, `${page}?serial=1&batch=2`, `${page}?zugang=x`, `${page}?zugang=TOKEN`],
    ...['/p/laden', '/', '/docs', '/openapi.yaml', '/openapi.json', '/ns/dpp'],
  ])('of %s is compressed once, and the same in each encoding', async (named) => {
    const path = named.replace('TOKEN', token);
    const of = (encoding: string, headers = {}, method = 'GET') =>
      get(path, { accept: '*/*', 'accept-encoding': encoding, ...headers }, method);
    const html = named.startsWith('/ns') ? {} : { accept: 'text/html' };
    const plain = await of('identity', html);
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    const first = await of('gzip', html);
    const count = await compressionsIn(async () => {
      for (const encoding of ['gzip', 'deflate, gzip;q=0.5, br', '*']) {
        const { headers, bytes } = await of(encoding, html);
        expect([headers['content-encoding'], headers['content-length']]).toEqual(['gzip', String(bytes.length)]);
        expect(bytes.equals(first.bytes)).toBe(true);
      }
    });
    expect(count).toBe(0);
    expect(gunzipSync(first.bytes).equals(plain.bytes)).toBe(true);
    expect(first.bytes.length).toBeLessThan(plain.bytes.length / 2);
    for (const encoding of ['', 'identity, gzip', 'gzip;q=0', 'br', 'deflate'])
      expect((await of(encoding, html)).headers['content-encoding']).toBe(undefined);
    for (const [encoding, { headers }] of [
      ['identity', plain],
      ['gzip', first],
    ] as const) {
      const head = await of(encoding, html, 'HEAD');
      expect({ ...head.headers, date: 0, 'x-request-id': 0 }).toEqual({ ...headers, date: 0, 'x-request-id': 0 });
      expect(head.bytes.length).toBe(0);
      expect(headers.vary).toMatch(/(?:^|, )accept-encoding$/);
      const { etag } = headers;
      expect(etag === undefined).toBe(/serial|zugang/.test(path));
      if (etag === undefined) continue;
      const unchanged = await of(encoding, { ...html, 'if-none-match': etag });
      expect([unchanged.status, unchanged.headers.etag, unchanged.headers.vary]).toEqual([304, etag, headers.vary]);
    }
  });

  test.each(['/?code=123', '/p/laden?search=Tasse', '/p/laden/nothing', '/01/09520001099991', '/nothing'])(
    'of %s, which anybody can vary, is not compressed',
    async (path) => {
      const headers = { accept: 'text/html', 'accept-encoding': 'gzip' };
      const count = await compressionsIn(async () => {
        const received = await get(path, headers);
        expect(received.headers['content-encoding']).toBe(undefined);
        expect(received.bytes.toString()).toContain('</html>');
      });
      expect(count).toBe(0);
    },
  );

  test('of the API is compressed if it is long', async () => {
    const headers = { authorization: `Bearer ${client.key}`, 'accept-encoding': 'gzip' };
    const long = await get('/api/v1/products/tasse/passport', headers);
    expect(long.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(JSON.parse(gunzipSync(long.bytes).toString()).values).toHaveLength(200);
    expect((await get('/api/v1/products', headers)).headers['content-encoding']).toBe(undefined);
  });
});
