/** Mistakes of the resolver and of data carriers. */
import type { CarrierList, ProductList } from '@product-passport/sdk';
import {
  type At,
  carriers,
  changeJson,
  changeQuery,
  changeRequest,
  changeResponse,
  changeText,
  error,
  keysOf,
  type Mutant,
  resolver,
  respondWith,
  segments,
  withHeader,
  withPath,
  withStatus,
} from '../alter.ts';

type Carrier = CarrierList['items'][number];

/** Digital Links with and without key qualifiers. */
const links: At = { path: /^\/01\// };

function changeCarriers(change: (carrier: Carrier) => object) {
  return changeJson(carriers, (body: CarrierList) => ({ items: body.items.map(change) }));
}

/** Changes the target of a redirect. */
function changeTarget(change: (location: string) => string) {
  return changeResponse(resolver, (response) => {
    const location = response.headers.get('location');
    return location === null ? response : withHeader(response, 'location', change(location));
  });
}

/** The same Digital Link without the serial number of the provider's item. */
function withoutSerial(request: Request): Request {
  const { pathname, search } = new URL(request.url);
  return withPath(request, pathname.replace(/\/21\/A-2$/, '') + search);
}

export const digitalLink: readonly Mutant[] = [
  {
    id: 'redirect-301',
    mistake: 'The redirect is permanent, so that browsers keep it forever.',
    killedBy: 'GS1-1.redirect',
    because: '301',
    wrap: changeResponse(resolver, (response) => (response.status === 307 ? withStatus(response, 301) : response)),
  },
  {
    id: 'redirect-303',
    mistake: 'The redirect has status 303.',
    killedBy: 'GS1-1.redirect',
    because: '303',
    wrap: changeResponse(resolver, (response) => (response.status === 307 ? withStatus(response, 303) : response)),
  },
  {
    id: 'page-in-place-of-redirect',
    mistake: 'The resolver serves the page itself.',
    killedBy: 'GS1-1.redirect',
    because: '200',
    wrap: changeResponse(resolver, (response, request, service) => {
      const location = response.headers.get('location');
      return location === null ? response : service.fetch(withPath(request, new URL(location).pathname));
    }),
  },
  {
    id: 'redirect-to-home',
    mistake: 'The redirect leads to the home page.',
    killedBy: 'GS1-1.redirect',
    because: 'the target must be',
    wrap: changeTarget((location) => new URL('/', location).href),
  },
  {
    id: 'redirect-to-other-product',
    mistake: 'The redirect leads to another product.',
    killedBy: 'GS1-1.redirect',
    because: 'the target must be',
    wrap: changeTarget((location) => `${location}-2`),
  },
  {
    id: 'redirect-without-location',
    mistake: 'The redirect has no Location.',
    killedBy: 'GS1-1.redirect',
    because: 'the redirect must have a Location',
    wrap: changeResponse(resolver, (response) => {
      const headers = new Headers(response.headers);
      headers.delete('location');
      return new Response(response.body, { status: response.status, headers });
    }),
  },
  {
    id: 'item-of-model',
    mistake: 'The redirect ignores the serial number, so that every item opens the passport that was activated first.',
    killedBy: 'GS1-2.item',
    because: 'the target must be',
    claims: ['reference'],
    wrap: changeRequest(links, (request) => (request.url.includes('linkType=') ? request : withoutSerial(request))),
  },
  {
    id: 'item-only-in-redirect',
    mistake: 'The linkset ignores the serial number, and the redirect does not.',
    killedBy: 'GS1-2.item',
    because: 'the linkset must have the page',
    claims: ['reference'],
    wrap: changeRequest(links, (request) => (request.url.includes('linkType=') ? withoutSerial(request) : request)),
  },
  {
    id: 'gtin-not-found',
    mistake: 'The resolver compares the GTIN as text, so that a link with 14 digits finds no GTIN of 13.',
    killedBy: 'CAR-1.link-resolves',
    because: '404',
    wrap: respondWith(resolver, (request) =>
      /\/01\/0\d{13}$/.test(new URL(request.url).pathname) ? error(404, 'not_found') : undefined,
    ),
  },
  {
    id: 'draft-redirected',
    mistake: 'The resolver redirects the GTIN of a draft to its page.',
    killedBy: 'GS1-1.draft',
    because: 'must not lead to the page of the draft',
    wrap: respondWith(resolver, async (request, service) => {
      const headers = { authorization: `Bearer ${keysOf(service)[0]}` };
      const drafts = await service.fetch(new URL('/api/v1/products?status=draft&limit=200', request.url), { headers });
      const gtin = segments(request).at(-1)?.padStart(14, '0');
      const { items }: ProductList = await drafts.json();
      const draft = items.find((item) => item.gtin?.padStart(14, '0') === gtin);
      if (draft === undefined) return undefined;
      const location = new URL(`/p/${service.provider.tenants[0]?.slug}/${draft.slug}`, request.url).href;
      return new Response(null, { status: 307, headers: { location } });
    }),
  },
  {
    id: 'link-with-other-gtin',
    mistake: 'The Digital Link has another GTIN.',
    killedBy: 'CAR-1.link',
    because: 'the GTIN at the end of the link',
    wrap: changeCarriers((carrier) => ({
      ...carrier,
      gs1_digital_link: carrier.gs1_digital_link.replace(/\d+$/, '09520001000096'),
    })),
  },
  {
    id: 'link-to-page',
    mistake: 'The carrier has the address of the page in place of the Digital Link.',
    killedBy: 'CAR-1.link',
    because: 'the GTIN at the end of the link',
    wrap: changeCarriers((carrier) => ({
      ...carrier,
      gs1_digital_link: new URL('/p/nordlicht/fahrradhelm', carrier.gs1_digital_link).href,
    })),
  },
  {
    id: 'link-with-check-query',
    mistake: 'The Digital Link ends in a query, so that it does not end in the GTIN.',
    killedBy: 'CAR-1.link',
    because: 'the GTIN at the end of the link',
    wrap: changeCarriers((carrier) => ({ ...carrier, gs1_digital_link: `${carrier.gs1_digital_link}?utm=qr` })),
  },
  {
    id: 'carrier-without-id',
    mistake: 'A carrier has no id.',
    killedBy: 'HTTP-6.listCarriers',
    because: '/id',
    wrap: changeCarriers(({ id: _, ...rest }) => rest),
  },
  {
    id: 'carriers-as-array',
    mistake: 'The carriers are an array in place of an object with items.',
    killedBy: 'HTTP-6.listCarriers',
    because: 'object',
    wrap: changeJson(carriers, (body: CarrierList) => body.items),
  },
  {
    id: 'link-of-13-digits',
    mistake: 'The Digital Link has the GTIN with 13 digits.',
    killedBy: 'CAR-1.fourteen-digits',
    because: 'the link must have 14 digits',
    wrap: changeCarriers((carrier) => ({
      ...carrier,
      gs1_digital_link: carrier.gs1_digital_link.replace(/\/01\/0(?=\d{13}$)/, '/01/'),
    })),
  },
  {
    id: 'item-linkset-of-product',
    mistake: 'The linkset of an item names the page of its product, but the redirect leads to the page of the item.',
    killedBy: 'GS1-4.default-serial',
    because: 'the target of the redirect must be',
    wrap: changeText(links, (text) => text.replace(/\?(?:cpv|batch|serial|tpx)=[^"]+/g, '')),
  },
  {
    id: 'redirect-with-campaign',
    mistake: 'The redirect adds a query that the linkset does not have.',
    killedBy: 'GS1-4.default-model',
    because: 'the target of the redirect must be',
    wrap: changeResponse(links, (response) => {
      const location = response.headers.get('location');
      return location === null ? response : withHeader(response, 'location', `${location}?utm_source=qr`);
    }),
  },
  {
    id: 'qualifiers-unknown',
    mistake: 'A link with a batch or serial number that the provider does not know gets 404.',
    killedBy: 'GS1-4.default-batch',
    because: 'the response must be a redirect, has status 404',
    wrap: respondWith({ path: /^\/01\/\d+\/(?:10|21|22|235)\// }, (request) =>
      request.url.includes('linkType=') ? undefined : error(404, 'not_found'),
    ),
  },
  {
    id: 'type-ignored',
    mistake: 'The redirect leads to the page, whatever type of link is requested.',
    killedBy: 'GS1-4.types-model',
    because: 'the target for gs1:dpp must be',
    wrap: changeQuery(links, (query) => {
      if (query.get('linkType') !== 'linkset') query.delete('linkType');
    }),
  },
  {
    id: 'linkset-redirects-to-itself',
    mistake: 'linkType=linkset redirects to the same address.',
    killedBy: 'GS1-4.linkset-form',
    because: 'the linkset must not redirect to',
    wrap: respondWith(links, ({ url }) =>
      url.includes('linkType=linkset') ? new Response(null, { status: 307, headers: { location: url } }) : undefined,
    ),
  },
  {
    id: 'linkset-by-accept-only',
    mistake: 'linkType=linkset redirects to the page.',
    killedBy: 'GS1-4.linkset-by-type',
    because: 'the status must be 200, is 307',
    wrap: changeQuery(links, (query) => {
      if (query.get('linkType') === 'linkset') query.delete('linkType');
    }),
  },
  {
    id: 'linkset-by-type-only',
    mistake: 'Accept: application/linkset+json redirects to the page.',
    killedBy: 'GS1-4.linkset-by-accept',
    because: 'the status must be 200, is 307',
    wrap: changeRequest(links, (request) => {
      const headers = new Headers(request.headers);
      headers.delete('accept');
      return new Request(request, { headers });
    }),
  },
  {
    id: 'linkset-without-title',
    mistake: 'The links of the linkset have no title.',
    killedBy: 'GS1-4.linkset-form',
    because: 'must be a text',
    wrap: changeText(links, (text) => text.replaceAll('"title"', '"name"')),
  },
  {
    id: 'default-link-only',
    mistake: 'The linkset names the default link under no other type.',
    killedBy: 'GS1-4.default-link',
    because: 'a link of another type must have the href',
    wrap: changeText(links, (text) => text.replaceAll('/voc/pip"', '/voc/defaultLinkMulti"')),
  },
  {
    id: 'linkset-of-item-only',
    mistake: 'The linkset of an item lacks the links of its product.',
    killedBy: 'GS1-4.linkset-levels',
    because: 'the linkset of an item must have',
    wrap: changeJson(links, (body: { linkset: unknown[] }) => ({ linkset: body.linkset.slice(0, 1) })),
  },
  {
    id: 'linkset-empty',
    mistake: 'The linkset has no element.',
    killedBy: 'GS1-4.linkset-form',
    because: 'linkset must be an array with an element',
    wrap: changeJson(links, () => ({ linkset: [] })),
  },
  {
    id: 'unknown-type-redirects',
    mistake: 'A type of link that the product does not have leads to the page.',
    killedBy: 'GS1-4.unknown-type',
    because: 'the faulty request must get 404, gets 307',
    wrap: changeQuery(links, (query) => {
      if (query.get('linkType') === 'gs1:nosuchlt') query.delete('linkType');
    }),
  },
  {
    id: 'unknown-gtin-200',
    mistake: 'An unknown GTIN gets a page with status 200 that says so.',
    killedBy: 'GS1-4.unknown-gtin',
    because: 'an error must not have the status 200',
    wrap: changeResponse(links, (response) =>
      response.status === 404 ? new Response('<!doctype html><title>Unknown</title>') : response,
    ),
  },
  {
    id: 'syntax-not-checked',
    mistake: 'Whatever follows the GTIN is ignored.',
    killedBy: 'GS1-4.syntax-text',
    because: 'the faulty request must get 400, gets 307',
    wrap: (service) => async (request) => {
      const response = await service.fetch(request.clone());
      const { pathname } = new URL(request.url);
      const [link] = /^\/01\/\d+/.exec(pathname) ?? [];
      return response.status === 400 && link ? service.fetch(withPath(request, link)) : response;
    },
  },
  {
    id: 'resolver-without-options',
    mistake: 'The resolver refuses OPTIONS.',
    killedBy: 'GS1-4.methods',
    because: 'OPTIONS must name GET',
    wrap: respondWith({ method: 'OPTIONS', path: /^\/01\// }, () => error(405, 'method_not_allowed')),
  },
  {
    id: 'linkset-without-cors',
    mistake: 'Scripts of other sites cannot read the linkset.',
    killedBy: 'GS1-4.cors',
    because: 'Access-Control-Allow-Origin must be',
    wrap: changeResponse(links, (response) => {
      const headers = new Headers(response.headers);
      headers.delete('access-control-allow-origin');
      return new Response(response.body, { status: response.status, headers });
    }),
  },
  {
    id: 'redirect-loses-query',
    mistake: 'The redirect drops the query of the scanned link.',
    killedBy: 'GS1-4.query',
    because: 'the query of the target must be',
    wrap: changeQuery(links, (query) => {
      query.delete('17');
    }),
  },
  {
    id: 'no-description-file',
    mistake: 'The resolver does not describe itself.',
    killedBy: 'GS1-4.description-file',
    because: 'the status must be 200, is 404',
    wrap: respondWith({ path: /^\/\.well-known\// }, () => error(404, 'not_found')),
  },
  {
    id: 'link-with-name-of-key',
    mistake: 'The Digital Link names its key /gtin/ in place of /01/.',
    killedBy: 'CAR-1.link-resolves',
    because: 'the product must have a data carrier with a link',
    wrap: changeCarriers((carrier) => ({
      ...carrier,
      gs1_digital_link: carrier.gs1_digital_link.replace('/01/', '/gtin/'),
    })),
  },
  {
    id: 'two-default-links',
    mistake: 'The linkset has two default links, one for each language.',
    killedBy: 'GS1-4.default-model',
    because: 'the linkset must have exactly one gs1:defaultLink',
    wrap: changeText(links, (text) => text.replace(/(defaultLink":\[)(\{[^}]+\})/g, '$1$2,$2')),
  },
  {
    id: 'linkset-without-description',
    mistake: 'The linkset does not say what its anchor is.',
    killedBy: 'GS1-4.linkset-form',
    because: 'itemDescription must say what the anchor is',
    wrap: changeText(links, (text) => text.replace(/"itemDescription":"[^"]*",/g, '')),
  },
  {
    id: 'linkset-without-default',
    mistake: 'The linkset has no default link.',
    killedBy: 'GS1-4.default-link',
    because: 'the linkset must have a gs1:defaultLink',
    wrap: changeText(links, (text) => text.replace(/"[^"]+defaultLink":\[[^\]]*\],/g, '')),
  },
  {
    id: 'default-link-with-media-type',
    mistake: 'The default link of the linkset has a media type.',
    killedBy: 'GS1-4.default-link',
    because: 'gs1:defaultLink must have no type',
    wrap: changeText(links, (text) => text.replaceAll('defaultLink":[{', 'defaultLink":[{"type":"text/html",')),
  },
  {
    id: 'linkset-redirects',
    mistake: 'linkType=linkset redirects to a file outside of the resolver.',
    killedBy: 'GS1-4.linkset-form',
    because: 'the linkset must not redirect to',
    wrap: respondWith(links, ({ url }) =>
      url.includes('linkType=linkset') ? Response.redirect(url.replace('/01/', '/linksets/'), 307) : undefined,
    ),
  },
  {
    id: 'head-not-redirected',
    mistake: 'HEAD of a Digital Link gets 200 in place of the redirect.',
    killedBy: 'GS1-4.methods',
    because: 'status and target of HEAD must be',
    wrap: respondWith({ ...links, method: 'HEAD' }, () => new Response(null)),
  },
  {
    id: 'keys-by-name',
    mistake: 'The description of the resolver names its key gtin in place of 01.',
    killedBy: 'GS1-4.description-file',
    because: 'supportedPrimaryKeys must have 01',
    wrap: changeText({ path: /^\/\.well-known\// }, (text) => text.replace('["01"]', '["gtin"]')),
  },
  {
    id: 'links-lead-home',
    mistake: 'Every Digital Link redirects to the front page with 302.',
    claims: ['reference'],
    killedBy: 'GS1-2.qualifier-batch-serial',
    because: 'the target must be',
    wrap: changeResponse(links, (response) =>
      response.headers.has('location') ? withStatus(withHeader(response, 'location', '/'), 302) : response,
    ),
  },
  {
    id: 'location-with-404',
    mistake: 'The redirect of the resolver has the status 404.',
    claims: ['reference'],
    killedBy: 'GS1-1.all-lengths',
    because: 'the status must be a redirect, is 404',
    wrap: changeResponse(resolver, (response) => (response.status === 307 ? withStatus(response, 404) : response)),
  },
  {
    id: 'no-linkset',
    mistake: 'The resolver ignores linkType.',
    claims: ['reference'],
    killedBy: 'GS1-3.resolveGtinTpx-linkset',
    because: 'the status must be 200, is 307',
    wrap: changeQuery(links, (query) => query.delete('linkType')),
  },
  {
    id: 'no-resolver-description',
    mistake: 'The resolver does not describe itself.',
    claims: ['reference'],
    killedBy: 'GS1-2.resolver-description',
    because: 'the status must be 200, is 404',
    wrap: respondWith({ path: /^\/\.well-known\// }, () => error(404, 'not_found')),
  },
  {
    id: 'carrier-without-gtin',
    mistake: 'A product without a GTIN gets a data carrier with its slug.',
    claims: ['reference'],
    killedBy: 'CAR-1.without-gtin',
    because: 'items must be []',
    wrap: changeJson(carriers, ({ items }: CarrierList, { url }) => ({
      items: items.length > 0 ? items : [{ type: 'qr', gs1_digital_link: url }],
    })),
  },
];
