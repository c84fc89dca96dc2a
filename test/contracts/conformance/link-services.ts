/** Services of other hands, each written from the description of the API and the public vocabularies alone. */
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type VerifyLinkOptions, verifyLink } from '../../../contracts/conformance/link/verify-link.ts';
import { reportOf } from '../../../contracts/conformance/report/report.ts';
import { listen } from '../../support/serve.ts';

export interface Ask {
  readonly path: string;
  readonly accept: string;
  /** Of the service, and of a second host that it redirects to. */
  readonly root: string;
  readonly other: string;
}

export type Answer = readonly [status: number, headers: Readonly<Record<string, string>>, body?: string | Buffer];

export interface LinkService {
  readonly name: string;
  /** Below the root of the service. */
  readonly link: string;
  /** `undefined` is a plain 404. */
  readonly answer: (ask: Ask) => Answer | undefined;
}

export const html = { 'content-type': 'text/html; charset=utf-8' };
export const jsonLd = { 'content-type': 'application/ld+json' };
const hash = 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2';

export const page = (text: string, head = '') =>
  `<!doctype html><html lang="en"><head><title>${text}</title>${head}</head><body><h1>${text}</h1><p>Maker: Nordlicht</p></body></html>`;

export const product = (more: object = {}) =>
  JSON.stringify({
    '@context': ['https://schema.org/', { gs1: 'https://ref.gs1.org/voc/' }],
    '@type': ['Product', 'gs1:Product'],
    name: 'USB cable',
    gtin14: '09520001000072',
    'gs1:productName': { '@value': 'USB cable', '@language': 'en' },
    identifier: { '@type': 'PropertyValue', propertyID: 'sha-256', value: hash },
    ...more,
  });

type Entry = Answer | ((ask: Ask) => Answer | undefined);

/** The answer of the first entry whose path is that of the request, without the query. */
const files =
  (entries: Readonly<Record<string, Entry>>): LinkService['answer'] =>
  (ask) => {
    const found = entries[ask.path.split('?', 1)[0] ?? ''];
    return typeof found === 'function' ? found(ask) : found;
  };

export const gtin = '/01/09520001000072';
export const passport = '/p/nordlicht/usb-cable';

/** A plain service: 302 from the link to the page, which has a document. `other` has what else it does, by path. */
const service = (name: string, other: Readonly<Record<string, Entry>> = {}, link = gtin): LinkService => ({
  name,
  link,
  answer: files({
    [link.split('?', 1)[0] ?? '']: [302, { location: passport }],
    [passport]: [200, html, page('USB cable')],
    [`${passport}/jsonld`]: [200, jsonLd, product()],
    ...other,
  }),
});

export const document = `${passport}/jsonld`;

/** A correct service with other answers at some paths. */
export const site = (entries: Readonly<Record<string, Entry>>) =>
  files({
    [gtin]: [302, { location: passport }],
    [passport]: [200, html, page('USB cable')],
    [document]: [200, jsonLd, product()],
    ...entries,
  });
export const at = (path: string, ...given: Answer) => site({ [path]: given });
export const pageOf = (body: string | Buffer, headers: Answer[1] = html) => at(passport, 200, headers, body);
export const doc = (more: object) => at(document, 200, jsonLd, product(more));
const links = (linkset: readonly unknown[]): Answer => [
  200,
  { 'content-type': 'application/linkset+json' },
  JSON.stringify({ linkset }),
];
export const linksetOf = (...linkset: readonly unknown[]) =>
  site({
    [gtin]: ({ accept }) => (accept.includes('linkset') ? links(linkset) : [302, { location: passport }]),
  });

export let root = '';
export let other = '';
/** On another address of the loopback interface, as a private network is. */
export let inside = '';
let answer: LinkService['answer'];
export const received: { url: string; headers: object }[] = [];

export function answerWith(given: LinkService['answer']): void {
  answer = given;
}

export async function serveLinks(): Promise<void> {
  const serve = () =>
    createServer(({ url = '', headers }, outgoing) => {
      received.push({ url: `http://${headers.host}${url}`, headers });
      const ask = { path: url, accept: headers.accept ?? '', root, other };
      const [status, all, body] = answer(ask) ?? [404, { 'content-type': 'text/plain' }, 'Not found'];
      outgoing.writeHead(status, all).end(body);
    });
  root = await listen(serve());
  other = await listen(serve());
  inside = await listen(serve(), '127.0.0.2');
}

export async function verified(link: string, given: LinkService['answer'], more: Partial<VerifyLinkOptions> = {}) {
  answerWith(given);
  received.length = 0;
  const { signal } = new AbortController();
  const { run: found, provider } = await verifyLink({ link, isPrivateAllowed: false, signal, ...more });
  return reportOf(found, provider);
}

const queryOf = ({ path }: Ask) => path.split('?')[1] ?? '';
const linkset = {
  anchor: gtin,
  'https://ref.gs1.org/voc/pip': [{ href: passport, title: 'Passport', hreflang: ['en'] }],
};

export const correctServices: readonly LinkService[] = [
  service('static files: 302 to a relative address, no linkset, no header of a cache'),
  service(
    'no hash in the document, a GTIN of 13 digits, 307 with the query passed on',
    {
      '/01/9520001000072': (ask) => [
        307,
        { location: `${ask.root}${passport}?${queryOf(ask)}`, 'cache-control': 'no-store' },
      ],
      [passport]: [200, { ...html, 'cache-control': 'no-cache', etag: '"7"' }, page('USB cable')],
      [`${passport}/jsonld`]: [200, jsonLd, product({ identifier: 'urn:dpp:nordlicht:usb-cable' })],
    },
    '/01/9520001000072?17=271231',
  ),
  service('everything compressed, whatever the client accepts', {
    [passport]: [200, { ...html, 'content-encoding': 'gzip' }, gzipSync(page('USB cable'))],
    [`${passport}/jsonld`]: [200, { ...jsonLd, 'content-encoding': 'GZIP' }, gzipSync(product())],
  }),
  service('a page in French with a script that only improves it, and a body in the redirect', {
    [gtin]: [302, { ...html, location: 'p/../../p/nordlicht/usb-cable' }, 'Trouvé'],
    [passport]: [
      200,
      { 'content-type': 'text/html' },
      '<!DOCTYPE HTML><HTML LANG=fr><meta charset=utf-8><script src="/x.js"></script><h1>C&acirc;ble USB</h1><p>Fabricant : Nordlicht</p></HTML>',
    ],
    [`${passport}/jsonld`]: [200, jsonLd, product({ name: 'Câble USB' })],
  }),
  service('the resolver and the pages have different hosts, and addresses get a slash at their end', {
    [gtin]: ({ other }) => [302, { location: other + passport }],
    [passport]: [301, { location: `${passport}/` }],
    [`${passport}/`]: [200, html, page('USB cable')],
    [`${passport}/jsonld`]: [308, { location: 'jsonld/' }],
    [`${passport}/jsonld/`]: [200, jsonLd, product()],
  }),
  service('a linkset by Accept, with relative addresses; unknown products lead to the home page', {
    [gtin]: ({ accept }) =>
      accept.includes('linkset')
        ? [200, { 'content-type': 'application/linkset+json' }, JSON.stringify({ linkset: [linkset] })]
        : [302, { location: passport }],
    '/01/09999999999994': [302, { location: '/' }],
  }),
  service(
    'a vocabulary of its own as well as that of GS1, a @graph, and a context that is elsewhere',
    {
      [`${passport}/jsonld`]: [
        200,
        { 'content-type': 'application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"' },
        JSON.stringify({
          '@context': ['https://context.example/dpp.jsonld', { gs1: 'https://gs1.org/voc/' }],
          '@graph': [{ type: 'gs1:Product', 'gs1:gtin': '9520001000072', productName: 'USB cable', contentHash: hash }],
        }),
      ],
    },
    '/01/9520001000072',
  ),
  service(
    'a link with a token opens restricted values; the document without it is public',
    {
      [gtin]: (ask) => [307, { location: `${passport}?${queryOf(ask)}`, 'cache-control': 'no-store' }],
      [passport]: [200, html, page('USB cable', '<meta name="access_level" content="restricted">')],
      '/01/09999999999994': [404, { 'content-type': 'application/problem+json' }, '{"title":"Nothing here"}'],
    },
    `${gtin}?zugang=token-of-a-recycler`,
  ),
  service(
    'a code with the address of the page itself, for a product without a GTIN',
    {
      [passport]: [200, html, page('USB cable')],
      [`${passport}/jsonld`]: [200, jsonLd, product({ gtin14: undefined })],
    },
    passport,
  ),
  service(
    'a wrong check digit, a cookie, a page without a language, and 400 for a query that it does not know',
    {
      '/01/09520001000073': ({ path }) =>
        path.includes('?')
          ? [400, { 'content-type': 'text/plain' }, 'No.']
          : [302, { location: passport, 'x-powered-by': 'Express' }],
      '/01/09999999999994': [400, { 'content-type': 'text/plain' }, 'No.'],
      [passport]: [200, { ...html, 'set-cookie': 'session=1' }, '<h1>USB cable</h1><p>Maker: Nordlicht'],
      [`${passport}/jsonld`]: [200, jsonLd, product({ gtin14: '09520001000073' })],
    },
    '/01/09520001000073',
  ),
  service(
    'a document with values of all kinds, some of them unknown, and a related product',
    {
      '/01/09520001000072/21/SN-1': [307, { location: `/dpp${passport}?serial=SN-1` }],
      [`/dpp${passport}`]: [200, html, page('USB cable')],
      [`/dpp${passport}/jsonld`]: [
        200,
        { ...jsonLd, 'cache-control': 'public, max-age=300' },
        product({
          category: 'cable',
          isAccessoryOrSparePartFor: { '@type': 'Product', name: 'Charger', gtin14: '09520001000089' },
          additionalProperty: [
            { '@type': 'PropertyValue', propertyID: 'max_power', value: 240, unitText: 'W', unitCode: 'WTT' },
            { '@type': 'PropertyValue', propertyID: 'materials', value: { '@type': '@json', '@value': [{ a: 1 }] } },
            { '@type': 'PropertyValue', propertyID: 'origin', description: 'unknown' },
          ],
        }),
      ],
    },
    '/01/09520001000072/21/SN-1',
  ),
];
