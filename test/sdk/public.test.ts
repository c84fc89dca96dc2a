/** The public client: where `resolve` leads and what it never requests, pages, documents, and large and endless bodies. */
import { createServer } from 'node:http';
import { createGzip } from 'node:zlib';
import { describe, expect, jest, test } from '@jest/globals';
import { readContract } from '../../openapi/src/index.ts';
import { createPublicClient, type Fetch } from '../../sdk/src/public.ts';
import { connect, hiddenRedirect, html, json, refusal, siteUrl } from '../support/fake-fetch.ts';
import { listen } from '../support/serve.ts';
import { rejection } from '../support/thrown.ts';

const gtin = '09520001000072';
const link = `${siteUrl}/01/${gtin}`;
const asked = `${link}?linkType=gs1%3Adpp`;
const url = `${siteUrl}/p/nordlicht/kabel`;
const document = { '@type': ['Product', 'gs1:Product'], hasDigitalProductPassport: {}, additionalProperty: [] };
const dpp = new Response(JSON.stringify(document), {
  headers: { 'content-type': 'Application/LD+JSON; charset=utf-8' },
});
const to = (location: string, status = 307) => new Response(null, { status, headers: { location } });
const page = html(200, '<!doctype html><title>A page</title>');

/** Responds by address, to any other with a 404 that does not follow the contract. */
function web(responses: Record<string, Response | (() => Response)>) {
  const connected = connect((request) => {
    const response = responses[request.url];
    return typeof response === 'function' ? response() : (response?.clone() ?? html(404, 'nothing here'));
  });
  const { site, requests } = connected;
  return { site, requests, asked: () => requests.map(({ url }) => url) };
}

describe('a GTIN', () => {
  test.each([302, 303, 307, 308])(
    'is looked up on the site, and the %i to its document is followed',
    async (status) => {
      const {
        site,
        requests,
        asked: sent,
      } = web({ [asked]: to('/p/nordlicht/kabel/jsonld', status), [`${url}/jsonld`]: dpp });
      expect(await site.resolve(gtin)).toEqual({ url: `${url}/jsonld`, document });
      expect(sent()).toEqual([asked, `${url}/jsonld`]);
      expect(requests.map(({ redirect, method }) => `${redirect} ${method}`)).toEqual(Array(2).fill('manual GET'));
      const headers = [['accept', 'application/ld+json,*/*;q=0.1']];
      expect(requests.map((request) => [...request.headers])).toEqual([headers, headers]);
    },
  );

  test('that does not exist is requested once', async () => {
    const { site, requests } = web({ [asked]: refusal(404, 'not_found') });
    const missing = { name: 'ApiError', code: 'not_found', operation: 'resolveGtin', path: `/01/${gtin}` };
    expect(await rejection(site.resolve(gtin))).toMatchObject(missing);
    expect(requests).toHaveLength(1);
  });
});

describe('a scanned link', () => {
  test('is looked up on its own host, with its qualifiers and its query, but our link type', async () => {
    const host = 'https://id.other.example/dl';
    const sent = `${host}/01/${gtin}/10/A%2FB/21/7?17=271231&x=+y&linkType=gs1%3Adpp`;
    const cdn = 'https://cdn.other.example/passport';
    const provider = web({ [sent]: to(cdn), [cdn]: dpp });
    const scanned = `${host}/01/${gtin}/10/A%2FB/21/7?17=271231&LinkType=gs1:pip&x=%20y`;
    expect(await provider.site.resolve(scanned)).toEqual({ url: cdn, document });
    expect(provider.asked()).toEqual([sent, cdn]);
  });

  test.each([
    ...['', '1234567', '12345678901234567', 'nordlicht'].map((text) => ['gtin', text]),
    ...['http://id.other.example', 'http://localhost', 'http://127.0.0.1:3000', 'http://passport.example.com'].map(
      (root) => ['link', `${root}/01/${gtin}`],
    ),
    ['link', `ftp://id.other.example/01/${gtin}`],
    ['link', `https://u:p@id.other.example/01/${gtin}`],
    ['link', 'https://id.other.example/p/t/p'],
  ])('is refused as an invalid %s, and nothing is sent: %j', async (argument, bad) => {
    const { site, requests } = web({});
    expect(await rejection(site.resolve(bad as string))).toMatchObject({ name: 'ArgumentError', argument });
    expect(requests).toEqual([]);
  });

  test('may use http on the host of an http site', async () => {
    const { site, requests } = connect(dpp, { siteUrl: 'http://localhost:3000' });
    await site.resolve(`http://localhost:3000/01/${gtin}`);
    expect(await rejection(site.resolve(`http://localhost:3001/01/${gtin}`))).toMatchObject({ argument: 'link' });
    expect(requests).toHaveLength(1);
  });
});

describe('an unwanted response is freed unread', () => {
  const unread = (init: ResponseInit) => {
    const freed = jest.fn<() => void>();
    const body = new ReadableStream({ cancel: freed }); // never gives anything, so it cannot be read
    return { freed, response: () => new Response(body, init) };
  };
  const [followed, refused] = ['/p/t/p/jsonld', 'http://id.other.example/'].map((location) => ({
    ...{ status: 307, headers: { location } },
  }));
  const ofPage = { headers: { 'content-type': 'text/html' } };

  test.each([
    ['a redirect that is followed', followed, { ok: true, value: { document } }],
    ['a redirect that is refused', refused, { ok: false, error: { code: 'redirect_refused' } }],
    ['a page', ofPage, { ok: true, value: { document: undefined } }],
  ])('%s', async (_what, init, expected) => {
    const { freed, response } = unread(init as ResponseInit);
    const provider = web({ [asked]: response, [`${siteUrl}/p/t/p/jsonld`]: dpp });
    expect(await provider.site.resolve(gtin).result()).toMatchObject(expected);
    expect(freed).toHaveBeenCalledTimes(1);
  });
});

describe('a token', () => {
  const zugang = 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln';

  test('is sent to the site alone, in place of a token in the link', async () => {
    const provider = web({});
    await rejection(provider.site.resolve(`${link}?zugang=old&a=b`, { zugang }));
    expect(provider.asked()[0]).toBe(`${link}?zugang=${zugang}&a=b&linkType=gs1%3Adpp`);
    const elsewhere = web({});
    const error = await rejection(elsewhere.site.resolve(`https://id.other.example/01/${gtin}`, { zugang }));
    expect(error).toMatchObject({ name: 'ArgumentError', argument: 'zugang' });
    expect(elsewhere.requests).toEqual([]);
  });

  test('in the link does not appear in an error', async () => {
    const { site } = connect(({ url }) => html(502, `GET ${url}`));
    const error = await rejection(site.resolve(`${link}?zugang=${zugang}`));
    expect(error).toMatchObject({ excerpt: expect.stringContaining('zugang=[secret]') });
    expect(JSON.stringify(error) + error).not.toContain(zugang);
  });
});

describe('a provider', () => {
  const shop = 'https://shop.example/cable?utm=1';
  const [moved, renamed] = [`${siteUrl}/documents/kabel`, `${siteUrl}/p/nordlicht/neu`];
  const looksLikePage = `${link}/10/p/21/5`;
  const pdf = new Response('%PDF', { headers: { 'content-type': 'application/pdf' } });
  const toPage = { [asked]: to('/p/nordlicht/kabel') };
  /** The responses by address; the address of the result, which has a document if a request got one; all requests. */
  type Row = [what: string, responses: Record<string, Response>, found: string, requests: string[]];
  const found: Row[] = [
    ['gives the document at once', { [asked]: dpp }, asked, [asked]],
    [
      'leads to its page: the document of the page is read, and the page is not',
      { [asked]: to('/p/nordlicht/kabel/?linkType=gs1:dpp'), [`${url}/jsonld?linkType=gs1:dpp`]: dpp },
      `${url}/jsonld?linkType=gs1:dpp`,
      [asked, `${url}/jsonld?linkType=gs1:dpp`],
    ],
    ...(
      [
        ['/login?next=/p/nordlicht/kabel', '/login?next=/p/nordlicht/kabel'],
        ['/p/nordlicht/kabel/jsonld', '/p/nordlicht/kabel/jsonld'],
        ['/p/nordlicht/jsonld-kabel', '/p/nordlicht/jsonld-kabel/jsonld'],
        ['/base/p/nordlicht/kabel/?a=/b/c', '/base/p/nordlicht/kabel/jsonld?a=/b/c'],
      ] as const
    ).map(([location, read]): Row => {
      const address = siteUrl + read;
      return [`leads to ${location}`, { [asked]: to(location), [address]: dpp }, address, [asked, address]];
    }),
    [
      'has another slug for the product now: no page is read',
      { ...toPage, [`${url}/jsonld`]: to(renamed, 301), [`${renamed}/jsonld`]: dpp },
      `${renamed}/jsonld`,
      [asked, `${url}/jsonld`, `${renamed}/jsonld`],
    ],
    [
      'has moved the document',
      { ...toPage, [`${url}/jsonld`]: to(moved), [moved]: dpp },
      moved,
      [asked, `${url}/jsonld`, moved],
    ],
    [
      'knows no link type, for a link that looks like a page: the plain link is requested',
      { [looksLikePage]: to(moved), [moved]: dpp },
      moved,
      [`${looksLikePage}?linkType=gs1%3Adpp`, looksLikePage, moved],
    ],
  ];
  const pageOnly: Row[] = [
    ...(
      [
        ['no document', html(404, '')],
        ['a refusal', refusal(404, 'not_found')],
        ['a page again', page],
        ['another document', json({ linkset: [] })],
      ] as const
    ).map(([what, response]): Row => {
      return [`has ${what} of its page`, { ...toPage, [`${url}/jsonld`]: response }, url, [asked, `${url}/jsonld`]];
    }),
    [
      'has another slug for the product now, and no document',
      { ...toPage, [`${url}/jsonld`]: to(renamed, 301) },
      renamed,
      [asked, `${url}/jsonld`, `${renamed}/jsonld`],
    ],
    ['shows its page at the link', { [asked]: page }, link, [asked]],
    ...[page, pdf, json({})].map((response): Row => {
      return ['leads elsewhere', { [asked]: to(shop), [shop]: response }, shop, [asked, shop]];
    }),
    ['knows no link type', { [link]: to(shop), [shop]: page }, shop, [asked, link, shop]],
  ];
  test.each([...found, ...pageOnly])('that %s', async (_what, responses, address, requests) => {
    const provider = web(responses);
    const [scanned = ''] = requests[0]?.split('?') ?? [];
    const hasDocument = Object.values(responses).includes(dpp);
    expect(await provider.site.resolve(scanned)).toEqual({
      url: address,
      document: hasDocument ? document : undefined,
    });
    expect(provider.asked()).toEqual(requests);
  });

  test.each([
    ['the home page', '/', page],
    ['a page that is forbidden', '/login', html(403, '')],
    ['another address that is not there', '/p/nordlicht/kabel/jsonld/', html(404, '')],
    ['an address without https', 'http://passport.example.com/p/nordlicht/kabel/jsonld', dpp],
    ['no address', '', page],
    ['the page', '/p/nordlicht/kabel', page],
    ['the page with a slash', '/p/nordlicht/kabel/', page],
    ['the page with a query', '/p/nordlicht/kabel?lang=en', page],
    ['the page with a fragment', '/p/nordlicht/kabel#top', page],
    ['itself', '/p/nordlicht/kabel/jsonld', to('/p/nordlicht/kabel/jsonld')],
    ['a document of another kind', '/kabel.json', json([{ linkset: [] }])],
  ])('whose document leads to %s: the result is the page, which is not read', async (_what, location, there) => {
    const { href, pathname, search } = new URL(location, siteUrl);
    const again = `${siteUrl}${pathname.replace(/\/$/, '')}/jsonld${search}`;
    const own = { [`${url}/jsonld`]: to(location), ...(pathname.startsWith('/p/') && { [again]: to(location) }) };
    const provider = web({ ...toPage, [href]: there, ...own });
    expect(await provider.site.resolve(gtin)).toEqual({ url: expect.stringContaining(url), document: undefined });
    const pages = provider.asked().filter((address) => /\/kabel\/?([?#].*)?$/.test(address));
    expect(pages).toEqual([]);
    expect(provider.asked().length).toBeLessThanOrEqual(8);
  });

  const linkset = new Response('{"linkset":[{}]}', { headers: { 'content-type': 'application/linkset+json' } });
  const broken = new Response('{', { headers: { 'content-type': 'application/ld+json' } });
  const unexpected = { name: 'UnexpectedResponseError', code: 'unexpected_response' };
  const ofMock = expect.stringContaining('got a linkset instead. A static mock cannot do this');
  const isLinkset = { ...unexpected, message: ofMock, excerpt: '{"linkset":[{}]}' };
  test.each<[string, Record<string, Response>, object]>([
    ['has no link', {}, { ...unexpected, status: 404 }],
    ['sends broken JSON', { [asked]: broken }, unexpected],
    ['sends a linkset, as a static mock', { [asked]: linkset }, isLinkset],
    ['leads to a linkset', { [asked]: to('/links'), [`${siteUrl}/links`]: linkset }, isLinkset],
    ...[429, 500, 503].map((status): [string, Record<string, Response>, object] => {
      const failed = { ...toPage, [`${url}/jsonld`]: refusal(status, 'not_now') };
      return [`fails with ${status} for the document`, failed, { name: 'ApiError', status, code: 'not_now' }];
    }),
    ...[
      ...['http://passport.example.com/p/t/p/jsonld', 'http://127.0.0.1:8080/admin', 'javascript:alert(1)', ''],
      ...['https://u:p@passport.example.com/p/t/p/jsonld', 'file:///etc/passwd', 'https://'],
    ].map((location): [string, Record<string, Response>, object] => {
      const refused = { name: 'UnexpectedResponseError', code: 'redirect_refused', status: 307 };
      return [`redirects to "${location}"`, { [asked]: to(location) }, refused];
    }),
  ])('that %s is an error', async (_what, responses, expected) => {
    const error = await rejection(web(responses).site.resolve(gtin));
    expect(error).toMatchObject(expected);
    expect(String(error)).not.toContain('u:p');
  });

  test('that redirects to itself is an error after eight requests', async () => {
    const provider = web({ [asked]: to(asked) });
    expect(await rejection(provider.site.resolve(gtin))).toMatchObject({ code: 'redirect_refused' });
    expect(provider.asked()).toHaveLength(8);
  });
});

describe('in a browser, which hides redirects and follows them itself', () => {
  /** @param ends where each redirect ends; an address without an end does not redirect */
  function browser(ends: Record<string, string>, responses: Record<string, Response>) {
    const seen: string[] = [];
    const fetch: Fetch = async (address, init) => {
      seen.push(`${init.redirect} ${address}`);
      const end = ends[address];
      if (init.redirect === 'manual' && end) return hiddenRedirect();
      const response = responses[end ?? address]?.clone() ?? html(404, '');
      return Object.defineProperty(response, 'url', { value: end ?? address });
    };
    return { site: createPublicClient({ siteUrl, maxAttempts: 1, fetch }), seen };
  }
  const shop = 'https://shop.example/cable';
  const [manual, follow] = [`manual ${asked}`, `follow ${asked}`];
  const guess = `manual ${url}/jsonld`;
  const hidden = (end: string) => ({ [asked]: url, [`${url}/jsonld`]: end });

  test.each([
    ['the document is found', { [asked]: `${url}/jsonld` }, `${url}/jsonld`, [manual, follow]],
    ["the document of the contract's page is read", { [asked]: url }, `${url}/jsonld`, [manual, follow, guess]],
    ['another page is the result', { [asked]: shop }, shop, [manual, follow]],
    ['a document that redirects to the page', hidden(url), url, [manual, follow, guess, `follow ${url}/jsonld`]],
    ['a document that redirects home', hidden(`${siteUrl}/`), url, [manual, follow, guess, `follow ${url}/jsonld`]],
  ])('%s', async (_what, ends, found, requests) => {
    const pages = Object.fromEntries([url, shop, `${siteUrl}/`].map((address) => [address, page]));
    const { site, seen } = browser(ends, { ...pages, [`${url}/jsonld`]: dpp });
    expect(await site.resolve(gtin)).toEqual({
      url: found,
      document: found.endsWith('/jsonld') ? document : undefined,
    });
    expect(seen).toEqual(requests);
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
    const operation = readContract().operations.find(({ operationId }) => operationId === 'getPassportPage');
    expect(Object.keys(operation?.responses ?? {})).toEqual(['200', '304', ...Object.keys(pageErrors)]);
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

test('a body without an end is read for less than 80 MiB', async () => {
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
  const response = () => new Response(body, { headers: { 'content-type': 'application/ld+json' } });
  const error = await rejection(connect(response).site.passports.document('t', 'p'));
  expect(error).toMatchObject({ name: 'UnexpectedResponseError', operation: 'getPassportJsonld', status: 200 });
  expect(isCancelled).toBe(true);
  expect(pulled).toBeLessThan(80); // 64 Mi characters
});
