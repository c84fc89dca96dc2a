/**
 * Twenty right and twenty wrong links, as services of other makes have them. They were written from the manual's page about
 * `verify link`, without a look at its code.
 */
import { createServer, type ServerResponse } from 'node:http';
import { beforeAll, expect, test } from '@jest/globals';
import { verifyLink } from '../../../contracts/conformance/link/verify-link.ts';
import { reportOf } from '../../../contracts/conformance/report/report.ts';
import { listen } from '../../support/serve.ts';

const gtin = '9520001200045';
const other = '9520001300011';
const eight = '95200012';

/** What a service has at its addresses, as far as it differs from the usual one. */
interface Service {
  /** What the printed link leads to, after the host. Default: the Digital Link with 14 digits. */
  readonly link?: string;
  readonly page?: string | Buffer;
  readonly pageType?: string;
  readonly document?: unknown;
  readonly gtin?: string;
  readonly linkset?: unknown;
  /** Where a Digital Link leads. Default: the page, with 307. */
  readonly location?: string;
  readonly status?: number;
  /** Whether any GTIN leads to the page. */
  readonly isOpen?: boolean;
  /** What is at other addresses. */
  readonly pages?: Readonly<Record<string, string>>;
}

let served: Service = {};
let site = '';
/** Another service on this machine. */
let elsewhere = '';

const path = '/p/skellig/copper-kettle';
const html = (text: string, head = '<title>Product passport</title>') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}</head><body>${text}</body></html>`;

const passport = (more: object = {}) => ({
  '@context': ['https://schema.org/', { gs1: 'https://ref.gs1.org/voc/', dpp: 'https://passport.example/ns#' }],
  '@type': ['Product', 'gs1:Product'],
  '@id': `${site}/01/0${gtin}`,
  name: 'Copper Kettle',
  gtin,
  brand: { '@type': 'Brand', name: 'Skellig' },
  additionalProperty: [
    { '@type': 'PropertyValue', propertyID: 'material', name: 'Material', value: 'Brushed stainless steel' },
    { '@type': 'PropertyValue', propertyID: 'care', name: 'Care', value: 'Rinse by hand only' },
  ],
  'dpp:contentHash': 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
  ...more,
});

beforeAll(async () => {
  const server = createServer(({ url = '/', headers }, response) => {
    const { pathname, searchParams } = new URL(url, site);
    const wantsLinks = searchParams.get('linkType') === 'linkset' || /linkset/.test(headers.accept ?? '');
    if (pathname.startsWith('/01/')) return resolve(response, pathname.split('/')[2] ?? '', wantsLinks);
    const { page = html('<h1>Copper Kettle</h1>'), pageType = 'text/html; charset=utf-8' } = served;
    if (pathname === path) return send(response, 200, pageType, page);
    if (pathname === `${path}/jsonld`) return send(response, 200, 'application/ld+json', served.document ?? passport());
    const text = served.pages?.[pathname];
    return send(response, text === undefined ? 404 : 200, 'text/html; charset=utf-8', text ?? 'Not found');
  });
  site = await listen(server);
  const second = createServer((_, response) => send(response, 200, 'text/html', html('<h1>Copper Kettle</h1>')));
  elsewhere = await listen(second);
});

function resolve(response: ServerResponse, asked: string, wantsLinks: boolean): void {
  const { linkset, status = 307, location = path } = served;
  const isKnown = asked.padStart(14, '0') === (served.gtin ?? gtin).padStart(14, '0');
  if (!isKnown && !served.isOpen) send(response, 404, 'text/plain', 'Not found');
  else if (linkset !== undefined && wantsLinks) send(response, 200, 'application/linkset+json', linkset);
  else response.writeHead(status, { location }).end();
}

function send(response: ServerResponse, status: number, type: string, body: unknown): void {
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': type }).end(bytes);
}

async function outcomeOf(service: Service) {
  served = service;
  const link = `${site}${service.link ?? `/01/0${gtin}`}`;
  const { run, provider } = await verifyLink({ link, signal: new AbortController().signal, isPrivateAllowed: false });
  const { verdict, because = '', findings } = reportOf(run, provider);
  const notes = run.results.flatMap(({ warnings }) => warnings);
  return { verdict, because, notes, titles: findings.map(({ title, reason = title }) => reason) };
}

const filler = '<p>Find out here how to use, repair and recycle what you bought from us.</p>';
const latin = Buffer.from(html('<h1>Wasserk\u00f6cher</h1>').replace('<meta charset="utf-8">', ''), 'latin1');
const withLinkset = (anchor: string) => ({
  linkset: [{ anchor, 'https://ref.gs1.org/voc/dpp': [{ href: `${site}${path}`, type: 'text/html' }] }],
});

test.each<[what: string, service: () => Service, isSeen: boolean]>([
  ['the name in a heading', () => ({}), true],
  ['the GTIN with 13 digits', () => ({ page: html(`${filler}<p>GTIN ${gtin}</p>`) }), true],
  ['the GTIN in groups', () => ({ page: html(`${filler}<p>EAN 9 520001 200045</p>`) }), true],
  [
    'a GTIN with 8 digits',
    () => ({
      link: `/01/000000${eight}`,
      gtin: eight,
      document: passport({ '@id': `${site}/01/000000${eight}`, gtin: eight, gtin8: eight }),
      page: html(`${filler}<p>${eight}</p>`),
    }),
    true,
  ],
  ['the name as title of a picture', () => ({ page: html(`${filler}<img src="k.webp" title="Copper Kettle">`) }), true],
  ['the name as alt of a picture', () => ({ page: html(`${filler}<img src="k.webp" alt="Copper Kettle">`) }), true],
  ['the name as aria-label', () => ({ page: html(`${filler}<section aria-label="Copper Kettle"></section>`) }), true],
  [
    'two values, under a name in another language',
    () => ({ page: html('<h1>Kupferkessel</h1><p>Brushed stainless steel</p><p>Rinse by hand only</p>') }),
    true,
  ],
  [
    'a page in Japanese, with a script',
    () => ({ page: html('銅製のやかんの製品情報です<script src="a.js"></script>') }),
    false,
  ],
  [
    'a page in Polish',
    () => ({ page: html('<h1>Czajnik miedziany</h1><p>Paszport produktu od producenta.</p>') }),
    false,
  ],
  [
    'a letter that cannot be read',
    () => ({
      document: passport({ name: 'Wasserk\u00f6cher' }),
      page: html('<h1>Wasserk\ufffdcher</h1>'),
    }),
    true,
  ],
  [
    'a form for dealers next to the product',
    () => ({ page: html('<form><input type="password" name="p"></form><h1>Copper Kettle</h1>') }),
    true,
  ],
  [
    'links to other products',
    () => ({
      page: html(`<h1>Copper Kettle</h1><a href="/01/0${other}">Teapot</a> <a href="/p/skellig/teapot">${other}</a>`),
    }),
    true,
  ],
  ['the GLN of the maker', () => ({ page: html('<h1>Copper Kettle</h1><p>GLN: 9520001000003</p>') }), true],
  [
    'its own structured data and canonical address',
    () => ({
      page: html(
        '<h1>Copper Kettle</h1>',
        `<link rel="canonical" href="${site}/01/0${gtin}"><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","gtin13":"${gtin}"}</script>`,
      ),
    }),
    true,
  ],
  [
    'help about access levels, on the page and in the document',
    () => ({
      page: html('<h1>Copper Kettle</h1><p>Fields with access_level: restricted are open to recyclers.</p>'),
      document: passport({ description: 'Fields with access_level: restricted are open to recyclers.' }),
    }),
    true,
  ],
  ['a serial number that nobody registered', () => ({ link: `/01/0${gtin}/21/K-77` }), true],
  ['302 to a relative address', () => ({ status: 302, location: `..${path}` }), true],
  ['the address of the page itself', () => ({ link: path }), true],
  [
    'another character set, with its name in the header',
    () => ({
      document: passport({ name: 'Wasserk\u00f6cher' }),
      page: latin,
      pageType: 'text/html; charset=iso-8859-1',
    }),
    true,
  ],
])('a right link: %s', async (_what, service, isSeen) => {
  const { verdict, because, titles } = await outcomeOf(service());
  expect({ verdict, titles }).toEqual({ verdict: 'conformant', titles: [] });
  expect(/nobody saw the product/i.test(because)).toBe(!isSeen);
});

const picture = Buffer.from(
  `89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61${'00ff9c81fe03d47f'.repeat(40)}`,
  'hex',
);

test.each<[what: string, service: () => Service, reason: RegExp]>([
  [
    'a log-in at the address of the passport',
    () => ({ page: html(`${filler}<form>Sign in <input name="u"><input type="password" name="p"></form>`) }),
    /password/i,
  ],
  [
    'a redirect to a log-in without a password field',
    () => ({ location: '/signin', pages: { '/signin': html(`${filler}<form>Your mail <input type="email"></form>`) } }),
    /passport|\/p\//i,
  ],
  [
    'a shell that only script fills',
    () => ({ page: html('<div id="root">Loading</div><script src="/app.js"></script>', '<title>App</title>') }),
    /script/i,
  ],
  ['a picture that is sent as a page', () => ({ page: picture, pageType: 'text/html' }), /text|characters|picture/i],
  [
    'the page of another product, by its GTIN',
    () => ({ page: html(`<h1>Teapot</h1><p>GTIN: ${other}</p>${filler}`) }),
    /another|other|GTIN/i,
  ],
  [
    'the page of another product, by its canonical address',
    () => ({
      page: html(`<h1>Teapot</h1>${filler}`, `<link rel="canonical" href="https://shop.example/01/0${other}">`),
    }),
    /another|other|GTIN/i,
  ],
  [
    'the page of another product, by its structured data',
    () => ({
      page: html(
        `<h1>Teapot</h1>${filler}`,
        `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","gtin13":"${other}"}</script>`,
      ),
    }),
    /another|other|GTIN/i,
  ],
  [
    'a document that is not UTF-8',
    () => ({ document: Buffer.from(JSON.stringify(passport({ description: 'Kessel f\u00fcr Tee' })), 'latin1') }),
    /UTF-8/,
  ],
  [
    'a document without anything',
    () => ({ document: { '@context': 'https://schema.org/', '@graph': [] } }),
    /nothing|empty|no /i,
  ],
  [
    'a document with an identifier alone',
    () => ({ document: { '@context': 'https://schema.org/', '@id': `${site}/01/0${gtin}` } }),
    /nothing|only|no /i,
  ],
  [
    'a document about another GTIN, in its @id',
    () => ({ document: passport({ '@id': `${site}/01/0${other}`, gtin: undefined }) }),
    /GTIN/,
  ],
  [
    'a document about another GTIN, in its Digital Link',
    () => ({
      document: passport({
        '@id': 'urn:dpp:skellig:copper-kettle',
        gtin: undefined,
        'gs1:hasGS1DigitalLink': { '@id': `https://id.example/01/0${other}` },
      }),
    }),
    /GTIN/,
  ],
  [
    'a restricted value, whose level is an IRI',
    () => ({
      document: passport({
        additionalProperty: [
          {
            '@type': 'PropertyValue',
            propertyID: 'substances',
            value: 'Lead in the solder, 0.3 percent',
            'dpp:accessLevel': { '@id': 'https://passport.example/ns#restricted' },
          },
        ],
      }),
    }),
    /substances is restricted \((?!.*solder)/,
  ],
  ['a linkset of texts', () => ({ linkset: { linkset: [`${site}${path}`] } }), /link/i],
  ['a linkset of another GTIN', () => ({ linkset: withLinkset(`${site}/01/0${other}`) }), /anchor|GTIN/i],
  [
    'a context in a file',
    () => ({ document: passport({ '@context': ['https://schema.org/', 'file:///srv/dpp.jsonld'] }) }),
    /file:/,
  ],
  [
    'a context at a private address',
    () => ({ document: passport({ '@context': ['https://schema.org/', 'http://192.168.7.20/dpp.jsonld'] }) }),
    /192\.168\.7\.20|private/,
  ],
  ['a resolver that knows every GTIN', () => ({ isOpen: true }), /same passport. Expected: 404/],
  [
    'a document with a comma too many',
    () => ({ document: '{"@context":"https://schema.org/",\n"name":"Copper Kettle",}' }),
    /JSON.*line 2|line 2/i,
  ],
  [
    'a redirect to another port of this machine',
    () => ({ location: `${elsewhere}${path}` }),
    /private|loopback|port|127/i,
  ],
])('a wrong link: %s', async (_what, service, reason) => {
  const { verdict, titles } = await outcomeOf(service());
  expect(verdict).toBe('not conformant');
  expect(titles.join('\n')).toMatch(reason);
});
