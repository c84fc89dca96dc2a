/** Mistakes of the resolver and of data carriers. */
import type { CarrierList } from '@product-passport/sdk';
import {
  carriers,
  changeJson,
  changeResponse,
  error,
  type Mutant,
  resolver,
  respondWith,
  withHeader,
  withPath,
  withStatus,
} from '../alter.ts';

type Carrier = CarrierList['items'][number];

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

export const digitalLink: readonly Mutant[] = [
  {
    id: 'redirect-301',
    mistake: 'The redirect is permanent, so that browsers keep it for ever.',
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
    id: 'gtin-not-found',
    mistake: 'The resolver compares the GTIN as text, so that a link with 14 digits finds no GTIN of 13.',
    killedBy: 'CAR-1.link-resolves',
    because: '404',
    wrap: respondWith(resolver, (request) =>
      /\/01\/0\d{13}$/.test(new URL(request.url).pathname) ? error(404, 'not_found') : undefined,
    ),
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
];
