import { describe, expect, jest, test } from '@jest/globals';
import { createPublicClient, type Fetch } from '../../sdk/src/public.ts';
import { fakeFetch, hiddenRedirect, html, json, refusal, siteUrl } from '../support/fake-fetch.ts';
import { rejection } from '../support/thrown.ts';

const gtin = '09520001000072';
const document = { '@type': ['Product', 'gs1:Product'], hasDigitalProductPassport: {}, additionalProperty: [] };
const dpp = (body: unknown = document) =>
  new Response(JSON.stringify(body), { headers: { 'content-type': 'application/ld+json; charset=utf-8' } });
const to = (location: string, status = 307) => new Response(null, { status, headers: { location } });
const page = html(200, '<!doctype html><title>A page</title>');

/** Responds by address, to any other with a 404 that does not follow the contract, and records the requests. */
function web(responses: Record<string, Response | (() => Response)>) {
  const { fetch, requests } = fakeFetch((request) => {
    const response = responses[request.url];
    return typeof response === 'function' ? response() : (response?.clone() ?? html(404, 'nothing here'));
  });
  return {
    site: createPublicClient({ siteUrl, maxAttempts: 1, fetch }),
    requests,
    asked: () => requests.map(({ url }) => url),
  };
}

describe('a GTIN', () => {
  test.each([302, 303, 307, 308])(
    'is looked up on the site, and the %i to its document is followed',
    async (status) => {
      const { site, requests, asked } = web({
        [`${siteUrl}/01/${gtin}?linkType=gs1%3Adpp`]: to('/p/nordlicht/kabel/jsonld', status),
        [`${siteUrl}/p/nordlicht/kabel/jsonld`]: dpp(),
      });
      const url = `${siteUrl}/p/nordlicht/kabel/jsonld`;
      expect(await site.resolve(gtin)).toEqual({ url, document });
      expect(asked()).toEqual([`${siteUrl}/01/${gtin}?linkType=gs1%3Adpp`, url]);
      expect(requests.map(({ redirect, method }) => [redirect, method])).toEqual(Array(2).fill(['manual', 'GET']));
      expect(requests.map(({ headers }) => [...headers])).toEqual(
        Array(2).fill([['accept', 'application/ld+json,*/*;q=0.1']]),
      );
    },
  );

  test.each(['9520001000072', '952000100007', '95200010'])('%s is requested in its 14-digit form', async (short) => {
    const { site, asked } = web({});
    await rejection(site.resolve(short));
    expect(asked()[0]).toBe(`${siteUrl}/01/${short.padStart(14, '0')}?linkType=gs1%3Adpp`);
  });

  test('the response may be the document itself, with a media type in any letter case', async () => {
    const url = `${siteUrl}/01/${gtin}?linkType=gs1%3Adpp`;
    const loud = new Response(JSON.stringify(document), { headers: { 'content-type': 'Application/LD+JSON' } });
    expect(await web({ [url]: loud }).site.resolve(gtin)).toEqual({ url, document });
    expect(await web({ [url]: dpp() }).site.resolve(gtin)).toEqual({ url, document });
  });

  test.each(['', '1234567', '12345678901234567', 'nordlicht'])('%j is invalid, and nothing is sent', async (text) => {
    const { site, asked } = web({});
    expect(await rejection(site.resolve(text))).toMatchObject({ name: 'ArgumentError', argument: 'gtin' });
    expect(asked()).toEqual([]);
  });

  test('that does not exist is requested once', async () => {
    const { site, asked } = web({ [`${siteUrl}/01/${gtin}?linkType=gs1%3Adpp`]: refusal(404, 'not_found') });
    expect(await rejection(site.resolve(gtin))).toMatchObject({
      name: 'ApiError',
      code: 'not_found',
      operation: 'resolveGtin',
      path: `/01/${gtin}`,
    });
    expect(asked()).toHaveLength(1);
  });
});

describe('a scanned link', () => {
  const host = 'https://id.other.example/dl';
  const link = `${host}/01/${gtin}/10/A%2FB/21/7?17=271231&LinkType=gs1:pip&x=%20y`;
  const asked = `${host}/01/${gtin}/10/A%2FB/21/7?17=271231&x=+y&linkType=gs1%3Adpp`;

  test('is looked up on its own host, with its qualifiers and its query, but our link type', async () => {
    const other = web({
      [asked]: to('https://cdn.other.example/passport'),
      'https://cdn.other.example/passport': dpp(),
    });
    expect(await other.site.resolve(link)).toEqual({ url: 'https://cdn.other.example/passport', document });
    expect(other.asked()).toEqual([asked, 'https://cdn.other.example/passport']);
  });

  test.each([
    `http://id.other.example/01/${gtin}`,
    `http://localhost/01/${gtin}`,
    `http://127.0.0.1:3000/01/${gtin}`,
    `http://passport.example.com/01/${gtin}`,
    `ftp://id.other.example/01/${gtin}`,
    `https://u:p@id.other.example/01/${gtin}`,
    'https://id.other.example/p/t/p',
  ])('%s is refused, and nothing is sent', async (bad) => {
    const { site, requests } = web({});
    expect(await rejection(site.resolve(bad))).toMatchObject({ name: 'ArgumentError', argument: 'link' });
    expect(requests).toEqual([]);
  });

  test('may use http on the host of an http site', async () => {
    const { fetch, requests } = fakeFetch(dpp());
    const local = createPublicClient({ siteUrl: 'http://localhost:3000', fetch });
    await local.resolve(`http://localhost:3000/01/${gtin}`);
    expect(await rejection(local.resolve(`http://localhost:3001/01/${gtin}`))).toMatchObject({ argument: 'link' });
    expect(requests).toHaveLength(1);
  });
});

describe('an unwanted response', () => {
  const url = `${siteUrl}/01/${gtin}?linkType=gs1%3Adpp`;
  const unread = (init: ResponseInit) => {
    const freed = jest.fn<() => void>();
    const body = new ReadableStream({ cancel: freed }); // never gives anything, so it cannot be read
    return { freed, response: () => new Response(body, init) };
  };

  test('is freed unread: a redirect that is followed', async () => {
    const { freed, response } = unread({ status: 307, headers: { location: '/p/t/p/jsonld' } });
    const provider = web({ [url]: response, [`${siteUrl}/p/t/p/jsonld`]: dpp() });
    expect(await provider.site.resolve(gtin)).toMatchObject({ document });
    expect(freed).toHaveBeenCalledTimes(1);
  });

  test('is freed unread: a redirect that is refused', async () => {
    const { freed, response } = unread({ status: 307, headers: { location: 'http://id.other.example/' } });
    expect(await rejection(web({ [url]: response }).site.resolve(gtin))).toMatchObject({ code: 'redirect_refused' });
    expect(freed).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['a page', { headers: { 'content-type': 'text/html' } }],
    ['a redirect', { status: 307, headers: { location: '/p/t/p' } }],
  ])('is freed unread: %s that arrives after the signal fired', async (_what, init) => {
    const { freed, response } = unread(init);
    const late = Promise.withResolvers<Response>();
    const controller = new AbortController();
    const { signal } = controller;
    const call = rejection(
      createPublicClient({ siteUrl, maxAttempts: 1, fetch: () => late.promise }).resolve(gtin, {}, { signal }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect(await call).toMatchObject({ name: 'AbortError', phase: 'headers' });
    late.resolve(response());
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(freed).toHaveBeenCalledTimes(1);
  });

  test('is freed unread: a page', async () => {
    const { freed, response } = unread({ headers: { 'content-type': 'text/html' } });
    expect(await web({ [url]: response }).site.resolve(gtin)).toMatchObject({ document: undefined });
    expect(freed).toHaveBeenCalledTimes(1);
  });
});

describe('a token', () => {
  const zugang = 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln';

  test('is sent to the site, in place of a token in the link', async () => {
    const { site, asked } = web({});
    await rejection(site.resolve(`${siteUrl}/01/${gtin}?zugang=old&a=b`, { zugang }));
    expect(asked()[0]).toBe(`${siteUrl}/01/${gtin}?zugang=${zugang}&a=b&linkType=gs1%3Adpp`);
  });

  test('is not sent to another host', async () => {
    const { site, requests } = web({});
    const error = await rejection(site.resolve(`https://id.other.example/01/${gtin}`, { zugang }));
    expect(error).toMatchObject({ name: 'ArgumentError', argument: 'zugang' });
    expect(requests).toEqual([]);
  });

  test('in the link does not appear in an error', async () => {
    const { fetch } = fakeFetch(({ url }) => html(502, `GET ${url}`));
    const error = await rejection(
      createPublicClient({ siteUrl, maxAttempts: 1, fetch }).resolve(`${siteUrl}/01/${gtin}?zugang=${zugang}`),
    );
    expect(error).toMatchObject({ excerpt: expect.stringContaining('zugang=[secret]') });
    expect(JSON.stringify(error) + error).not.toContain(zugang);
  });
});

describe('a provider without the link type', () => {
  const asked = `${siteUrl}/01/${gtin}?linkType=gs1%3Adpp`;
  const url = `${siteUrl}/p/nordlicht/kabel`;

  test("that leads to the contract's page: its document is read, and the page is not", async () => {
    const provider = web({
      [asked]: to('/p/nordlicht/kabel/?linkType=gs1:dpp'),
      [`${url}/jsonld?linkType=gs1:dpp`]: dpp(),
    });
    expect(await provider.site.resolve(gtin)).toEqual({ url: `${url}/jsonld?linkType=gs1:dpp`, document });
    expect(provider.asked()).toEqual([asked, `${url}/jsonld?linkType=gs1:dpp`]);
  });

  test.each([
    ['no document', html(404, '')],
    ['a refusal', refusal(404, 'not_found')],
    ['a page again', page],
    ['another document', json({ linkset: [] })],
  ])('nor a document, but %s: the result is the address of the page', async (_what, response) => {
    const provider = web({ [asked]: to('/p/nordlicht/kabel'), [`${url}/jsonld`]: response });
    expect(await provider.site.resolve(gtin)).toEqual({ url, document: undefined });
  });

  test.each([
    ['/login?next=/p/nordlicht/kabel', `${siteUrl}/login?next=/p/nordlicht/kabel`],
    ['/p/nordlicht/kabel/jsonld', `${siteUrl}/p/nordlicht/kabel/jsonld`],
    ['/p/nordlicht/jsonld-kabel', `${siteUrl}/p/nordlicht/jsonld-kabel/jsonld`],
    ['/base/p/nordlicht/kabel/?a=/b/c', `${siteUrl}/base/p/nordlicht/kabel/jsonld?a=/b/c`],
  ])('that leads to %s: %s is read', async (location, read) => {
    const provider = web({ [asked]: to(location), [read]: dpp() });
    expect(await provider.site.resolve(gtin)).toEqual({ url: read, document });
    expect(provider.asked()).toEqual([asked, read]);
  });

  test.each([
    ['the home page', '/', page],
    ['a page that is forbidden', '/login', html(403, '')],
    ['another address that is not there', '/p/nordlicht/kabel/jsonld/', html(404, '')],
    ['an address without https', 'http://passport.example.com/p/nordlicht/kabel/jsonld', dpp()],
    ['no address', '', page],
    ['the page', '/p/nordlicht/kabel', page],
    ['itself', '/p/nordlicht/kabel/jsonld', to('/p/nordlicht/kabel/jsonld')],
    ['a document of another kind', '/kabel.json', json([{ linkset: [] }])],
  ])('and whose document leads to %s: the result is the address of the page', async (_what, location, there) => {
    const target = new URL(location || siteUrl, siteUrl).href;
    const provider = web({ [asked]: to('/p/nordlicht/kabel'), [target]: there, [`${url}/jsonld`]: to(location) });
    expect(await provider.site.resolve(gtin)).toEqual({ url, document: undefined });
    expect(provider.asked()).not.toContain(url);
    expect(provider.asked().length).toBeLessThanOrEqual(8);
  });

  test.each(['/p/nordlicht/kabel/', '/p/nordlicht/kabel?lang=en', '/p/nordlicht/kabel#top'])(
    'and whose document leads to %s: the page is not read either',
    async (location) => {
      const { href } = new URL(location, siteUrl);
      const { pathname, search } = new URL(location, siteUrl);
      const again = `${siteUrl}${pathname.replace(/\/$/, '')}/jsonld${search}`;
      const provider = web({
        [asked]: to('/p/nordlicht/kabel'),
        [`${url}/jsonld`]: to(location),
        [again]: to(location),
      });
      expect(await provider.site.resolve(gtin)).toEqual({ url: expect.stringContaining(url), document: undefined });
      expect(provider.asked()).not.toContain(url);
      expect(provider.asked()).not.toContain(href);
      expect(provider.asked().length).toBeLessThanOrEqual(4);
    },
  );

  test('and whose product has another slug now: its document is read, and no page is', async () => {
    const renamed = `${siteUrl}/p/nordlicht/neu`;
    const provider = web({
      [asked]: to('/p/nordlicht/kabel'),
      [`${url}/jsonld`]: to(renamed, 301),
      [`${renamed}/jsonld`]: dpp(),
    });
    expect(await provider.site.resolve(gtin)).toEqual({ url: `${renamed}/jsonld`, document });
    expect(provider.asked()).not.toContain(renamed);
    const bare = web({ [asked]: to('/p/nordlicht/kabel'), [`${url}/jsonld`]: to(renamed, 301) });
    expect(await bare.site.resolve(gtin)).toEqual({ url: renamed, document: undefined });
  });

  test('that responds with 404, for a link that looks like a page: the plain link is requested', async () => {
    const link = `${siteUrl}/01/${gtin}/10/p/21/5`;
    const provider = web({ [link]: to('/documents/5'), [`${siteUrl}/documents/5`]: dpp() });
    expect(await provider.site.resolve(link)).toEqual({ url: `${siteUrl}/documents/5`, document });
    expect(provider.asked()).toEqual([`${link}?linkType=gs1%3Adpp`, link, `${siteUrl}/documents/5`]);
  });

  test('and whose document has moved: it is read there', async () => {
    const moved = `${siteUrl}/documents/kabel`;
    const provider = web({ [asked]: to('/p/nordlicht/kabel'), [`${url}/jsonld`]: to(moved), [moved]: dpp() });
    expect(await provider.site.resolve(gtin)).toEqual({ url: moved, document });
  });

  test('that shows its page at the link: the result is the plain link', async () => {
    const provider = web({ [asked]: page });
    expect(await provider.site.resolve(gtin)).toEqual({ url: `${siteUrl}/01/${gtin}`, document: undefined });
  });

  test('that leads elsewhere: the result is that address', async () => {
    const shop = 'https://shop.example/cable?utm=1';
    for (const response of [page, new Response('%PDF', { headers: { 'content-type': 'application/pdf' } }), json({})]) {
      const provider = web({ [asked]: to(shop), [shop]: response });
      expect(await provider.site.resolve(gtin)).toEqual({ url: shop, document: undefined });
      expect(provider.asked()).toEqual([asked, shop]);
    }
  });

  test('that responds with 404: the plain link is requested', async () => {
    const shop = 'https://shop.example/cable';
    const provider = web({ [`${siteUrl}/01/${gtin}`]: to(shop), [shop]: page });
    expect(await provider.site.resolve(gtin)).toEqual({ url: shop, document: undefined });
    expect(provider.asked()).toEqual([asked, `${siteUrl}/01/${gtin}`, shop]);
  });

  test('and without a plain link is an error', async () => {
    const provider = web({});
    expect(await rejection(provider.site.resolve(gtin))).toMatchObject({ code: 'unexpected_response', status: 404 });
    expect(provider.asked()).toEqual([asked, `${siteUrl}/01/${gtin}`]);
  });

  test.each([429, 500, 503])(
    'and whose document fails with %i: that is an error, and no missing document',
    async (status) => {
      const provider = web({ [asked]: to('/p/nordlicht/kabel'), [`${url}/jsonld`]: refusal(status, 'not_now') });
      expect(await rejection(provider.site.resolve(gtin))).toMatchObject({ name: 'ApiError', status, code: 'not_now' });
    },
  );

  test('nor a redirect, but a linkset: the error says what a static mock cannot do', async () => {
    const linkset = new Response('{"linkset":[{}]}', { headers: { 'content-type': 'application/linkset+json' } });
    for (const responses of [{ [asked]: linkset }, { [asked]: to('/links'), [`${siteUrl}/links`]: linkset }]) {
      expect(await rejection(web(responses).site.resolve(gtin))).toMatchObject({
        name: 'UnexpectedResponseError',
        code: 'unexpected_response',
        message: expect.stringContaining('got a linkset instead. A static mock cannot do this'),
        excerpt: '{"linkset":[{}]}',
      });
    }
  });

  test('broken JSON is an error', async () => {
    const broken = () => new Response('{', { headers: { 'content-type': 'application/ld+json' } });
    expect(await rejection(web({ [asked]: broken }).site.resolve(gtin))).toMatchObject({ code: 'unexpected_response' });
  });
});

describe('a redirect', () => {
  const asked = `${siteUrl}/01/${gtin}?linkType=gs1%3Adpp`;

  test.each([
    ['from https to http', 'http://passport.example.com/p/t/p/jsonld'],
    ['to this machine', 'http://127.0.0.1:8080/admin'],
    ['with a password', 'https://u:p@passport.example.com/p/t/p/jsonld'],
    ['to a script', 'javascript:alert(1)'],
    ['to a file', 'file:///etc/passwd'],
    ['to nowhere', 'https://'],
    ['to nothing', ''],
  ])('%s is refused', async (_what, location) => {
    const provider = web({ [asked]: to(location) });
    const error = await rejection(provider.site.resolve(gtin));
    expect(error).toMatchObject({ name: 'UnexpectedResponseError', code: 'redirect_refused', status: 307 });
    expect(String(error)).not.toContain('u:p');
    expect(provider.asked()).toEqual([asked]);
  });

  test('to itself ends', async () => {
    const provider = web({ [asked]: to(asked) });
    expect(await rejection(provider.site.resolve(gtin))).toMatchObject({ code: 'redirect_refused' });
    expect(provider.asked()).toHaveLength(8);
  });
});

describe('in a browser, which hides redirects and follows them itself', () => {
  function browser(end: string, responses: Record<string, Response>) {
    const seen: string[] = [];
    const fetch = async (...[address, init]: Parameters<Fetch>) => {
      const request = new Request(address, init);
      seen.push(`${request.redirect} ${request.url}`);
      const resolves = new URL(request.url).pathname.startsWith('/01/');
      if (resolves && request.redirect === 'manual') return hiddenRedirect();
      const url = resolves ? end : request.url;
      return Object.defineProperty((responses[url] ?? html(404, '')).clone(), 'url', { value: url });
    };
    return { site: createPublicClient({ siteUrl, maxAttempts: 1, fetch }), seen };
  }
  const asked = `${siteUrl}/01/${gtin}?linkType=gs1%3Adpp`;
  const url = `${siteUrl}/p/nordlicht/kabel`;

  test('the document is found', async () => {
    const { site, seen } = browser(`${url}/jsonld`, { [`${url}/jsonld`]: dpp() });
    expect(await site.resolve(gtin)).toEqual({ url: `${url}/jsonld`, document });
    expect(seen).toEqual([`manual ${asked}`, `follow ${asked}`]);
  });

  test('a document beside the page that redirects: the result is the address of the page', async () => {
    const home = `${siteUrl}/`;
    for (const target of [url, home]) {
      const sent: string[] = [];
      const fetch = async (...[address, init]: Parameters<Fetch>) => {
        const request = new Request(address, init);
        sent.push(request.url);
        if (request.redirect === 'manual') return hiddenRedirect();
        return Object.defineProperty(page.clone(), 'url', { value: request.url === asked ? url : target });
      };
      const found = await createPublicClient({ siteUrl, maxAttempts: 1, fetch }).resolve(gtin);
      expect(found).toEqual({ url, document: undefined });
      expect(sent).toEqual([asked, asked, `${url}/jsonld`, `${url}/jsonld`]);
    }
  });

  test("a provider without the link type: the document beside the contract's page, or another page", async () => {
    const beside = browser(url, { [url]: page, [`${url}/jsonld`]: dpp() });
    expect(await beside.site.resolve(gtin)).toEqual({ url: `${url}/jsonld`, document });
    expect(beside.seen.slice(2)).toEqual([`manual ${url}/jsonld`]);

    const shop = 'https://shop.example/cable';
    expect(await browser(shop, { [shop]: page }).site.resolve(gtin)).toEqual({ url: shop, document: undefined });
  });
});
