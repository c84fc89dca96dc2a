/** Correct services of other hands, each written from the description of the API and the public vocabularies alone. */
import { gzipSync } from 'node:zlib';

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

/** The answer of the first entry whose path is that of the request, without the query. */
export const files =
  (entries: Readonly<Record<string, Answer | ((ask: Ask) => Answer)>>): LinkService['answer'] =>
  (ask) => {
    const found = entries[ask.path.split('?', 1)[0] ?? ''];
    return typeof found === 'function' ? found(ask) : found;
  };

const service = (name: string, link: string, entries: Parameters<typeof files>[0]): LinkService => ({
  ...{ name, link, answer: files(entries) },
});

export const correctServices: readonly LinkService[] = [
  service('static files: 302 to a relative address, no linkset, no header of a cache', '/01/09520001000072', {
    '/01/09520001000072': [302, { location: '/p/nordlicht/usb-cable' }],
    '/p/nordlicht/usb-cable': [200, html, page('USB cable')],
    '/p/nordlicht/usb-cable/jsonld': [200, jsonLd, product()],
  }),
  service('no hash in the document, a GTIN of 13 digits, 307 with the query passed on', '/01/9520001000072?17=271231', {
    '/01/9520001000072': ({ path, root }) => [
      307,
      { location: `${root}/p/nordlicht/usb-cable?${path.split('?')[1] ?? ''}`, 'cache-control': 'no-store' },
    ],
    '/p/nordlicht/usb-cable': [200, { ...html, 'cache-control': 'no-cache', etag: '"7"' }, page('USB cable')],
    '/p/nordlicht/usb-cable/jsonld': [200, jsonLd, product({ identifier: 'urn:dpp:nordlicht:usb-cable' })],
  }),
  service('everything compressed, whatever the client accepts', '/01/09520001000072', {
    '/01/09520001000072': [302, { location: '/p/nordlicht/usb-cable' }],
    '/p/nordlicht/usb-cable': [200, { ...html, 'content-encoding': 'gzip' }, gzipSync(page('USB cable'))],
    '/p/nordlicht/usb-cable/jsonld': [200, { ...jsonLd, 'content-encoding': 'GZIP' }, gzipSync(product())],
  }),
  service('a page in French with a script that only improves it, and a body in the redirect', '/01/09520001000072', {
    '/01/09520001000072': [302, { ...html, location: 'p/../../p/nordlicht/cable' }, 'Trouvé'],
    '/p/nordlicht/cable': [
      200,
      { 'content-type': 'text/html' },
      '<!DOCTYPE HTML><HTML LANG=fr><meta charset=utf-8><script src="/x.js"></script><h1>C&acirc;ble USB</h1><p>Fabricant : Nordlicht</p></HTML>',
    ],
    '/p/nordlicht/cable/jsonld': [200, jsonLd, product({ name: 'Câble USB' })],
  }),
  service(
    'the resolver and the pages have different hosts, and addresses get a slash at their end',
    '/01/09520001000072',
    {
      '/01/09520001000072': ({ other }) => [302, { location: `${other}/p/nordlicht/usb-cable` }],
      '/p/nordlicht/usb-cable': [301, { location: '/p/nordlicht/usb-cable/' }],
      '/p/nordlicht/usb-cable/': [200, html, page('USB cable')],
      '/p/nordlicht/usb-cable/jsonld': [308, { location: 'jsonld/' }],
      '/p/nordlicht/usb-cable/jsonld/': [200, jsonLd, product()],
    },
  ),
  {
    name: 'a linkset by Accept, with relative addresses; unknown products lead to the home page',
    link: '/01/09520001000072',
    answer: ({ path, accept }) => {
      const links = {
        linkset: [
          {
            anchor: '/01/09520001000072',
            'https://ref.gs1.org/voc/pip': [{ href: '/p/n/usb', title: 'Passport', hreflang: ['en'] }],
          },
        ],
      };
      if (path.startsWith('/01/09520001000072') && accept.includes('linkset'))
        return [200, { 'content-type': 'application/linkset+json' }, JSON.stringify(links)];
      if (path.startsWith('/01/')) return [302, { location: path.includes('0952') ? '/p/n/usb' : '/' }];
      if (path === '/p/n/usb') return [200, html, page('USB cable')];
      return path === '/p/n/usb/jsonld' ? [200, jsonLd, product()] : undefined;
    },
  },
  service(
    'a vocabulary of its own beside that of GS1, a @graph, and a context that is elsewhere',
    '/01/9520001000072',
    {
      '/01/9520001000072': [302, { location: '/p/nordlicht/usb-cable' }],
      '/p/nordlicht/usb-cable': [200, html, page('USB cable')],
      '/p/nordlicht/usb-cable/jsonld': [
        200,
        { 'content-type': 'application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"' },
        JSON.stringify({
          '@context': ['https://context.example/dpp.jsonld', { gs1: 'https://gs1.org/voc/' }],
          '@graph': [{ type: 'gs1:Product', 'gs1:gtin': '9520001000072', productName: 'USB cable', contentHash: hash }],
        }),
      ],
    },
  ),
  {
    name: 'a link with a token opens restricted values; the document without it is public',
    link: '/01/09520001000072?zugang=token-of-a-recycler',
    answer: ({ path }) => {
      if (path.startsWith('/01/0952'))
        return [307, { location: `/p/nordlicht/usb-cable?${path.split('?')[1] ?? ''}`, 'cache-control': 'no-store' }];
      if (path.startsWith('/p/nordlicht/usb-cable/jsonld')) return [200, jsonLd, product()];
      if (path.startsWith('/p/nordlicht/usb-cable'))
        return [200, html, page('USB cable', '<meta name="access_level" content="restricted">')];
      return [404, { 'content-type': 'application/problem+json' }, '{"title":"Nothing here"}'];
    },
  },
  service('a code with the address of the page itself, for a product without a GTIN', '/p/nordlicht/usb-cable', {
    '/p/nordlicht/usb-cable': [200, html, page('USB cable')],
    '/p/nordlicht/usb-cable/jsonld': [200, jsonLd, product({ gtin14: undefined })],
  }),
  {
    name: 'a wrong check digit, a cookie, a page without a language, and 400 for a query that it does not know',
    link: '/01/09520001000073',
    answer: ({ path }) => {
      if (path === '/01/09520001000073')
        return [302, { location: '/p/nordlicht/usb-cable', 'x-powered-by': 'Express' }];
      if (path.startsWith('/01/')) return [400, { 'content-type': 'text/plain' }, 'No.'];
      if (path === '/p/nordlicht/usb-cable')
        return [200, { ...html, 'set-cookie': 'session=1' }, '<h1>USB cable</h1><p>Maker: Nordlicht'];
      return path.endsWith('/jsonld') ? [200, jsonLd, product({ gtin14: '09520001000073' })] : undefined;
    },
  },
  service(
    'a document with values of all kinds, some of them unknown, and a related product',
    '/01/09520001000072/21/SN-1',
    {
      '/01/09520001000072/21/SN-1': [307, { location: '/dpp/p/nordlicht/usb-cable?serial=SN-1' }],
      '/dpp/p/nordlicht/usb-cable': [200, html, page('USB cable')],
      '/dpp/p/nordlicht/usb-cable/jsonld': [
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
  ),
];
