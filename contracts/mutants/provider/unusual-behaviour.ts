/** Providers that decide in an unusual way where the description leaves a choice. */
import type { CarrierList, CreateProduct, Me, ScanStatistics } from '@product-passport/sdk';
import {
  api,
  carriers,
  changeBody,
  changeJson,
  changeResponse,
  create,
  error,
  everywhere,
  jsonOf,
  keyOf,
  list,
  me,
  page,
  publicSide,
  resolver,
  respondWith,
  scans,
  type Unusual,
  type Wrap,
  withHeader,
  withStatus,
  write,
} from './alter.ts';

const unchanged: Wrap = (service) => service.fetch;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Counts only the first view of each visitor. */
function countsFirst(visitorOf: (request: Request) => string): Wrap {
  return (service) => {
    const seen = new Set<string>();
    return async (request) => {
      const isView = request.method === 'GET' && page.path.test(new URL(request.url).pathname);
      const isFirst = isView && !seen.has(visitorOf(request));
      const response = await service.fetch(
        isView && !isFirst ? new Request(request, { headers: { 'sec-purpose': 'prefetch' } }) : request,
      );
      if (isFirst && response.status === 200) seen.add(visitorOf(request));
      return response;
    };
  };
}

export const unusualBehaviour: readonly Unusual[] = [
  {
    id: 'alternative',
    freedom: 'Everything that the description leaves free is done differently.',
    behaviour: 'alternative',
    wrap: unchanged,
  },
  {
    id: 'active-products-counted',
    freedom: 'products_total counts active products only.',
    wrap: changeJson(me, (body: Me) => ({ ...body, products_total: Math.min(1, body.products_total) })),
  },
  {
    id: 'redirect-302',
    freedom: 'The resolver redirects with 302.',
    wrap: changeResponse(resolver, (response) => (response.status === 307 ? withStatus(response, 302) : response)),
  },
  {
    id: 'relative-location',
    freedom: 'The Location of the redirect is a path.',
    wrap: changeResponse(resolver, (response) => {
      const location = response.headers.get('location');
      return location === null ? response : withHeader(response, 'location', new URL(location).pathname);
    }),
  },
  {
    id: 'tracking-query',
    freedom: 'The redirect adds a query of its own.',
    wrap: changeResponse(resolver, (response) => {
      const location = response.headers.get('location');
      return location === null ? response : withHeader(response, 'location', `${location}?src=qr`);
    }),
  },
  {
    id: 'slow',
    isAlone: true,
    freedom: 'Some responses take a quarter of a second.',
    wrap: (service) => {
      let count = 0;
      return async (request) => {
        count += 1;
        if (count % 100 === 0) await pause(250);
        return service.fetch(request);
      };
    },
  },
  {
    id: 'large-limit-refused',
    freedom: 'A limit above 200 gets 400 with a code of the provider.',
    wrap: respondWith(list, (request) =>
      Number(new URL(request.url).searchParams.get('limit')) > 200 ? error(400, 'limit_too_large') : undefined,
    ),
  },
  {
    id: 'unknown-keys-refused',
    freedom: 'Only field keys of the template are accepted.',
    wrap: respondWith(write, async (request, service) => {
      const body = await jsonOf(request);
      const keys: unknown[] = Array.isArray(body) ? body.map((element) => element?.field_key ?? undefined) : [];
      const isStrange = keys.some(
        (key) => typeof key === 'string' && key !== '' && !service.provider.field_keys.includes(key),
      );
      return isStrange && keyOf(request) === service.provider.tenants[0]?.api_key
        ? error(400, 'unknown_field')
        : undefined;
    }),
  },
  {
    id: 'unknown-parameters-refused',
    freedom: 'A query parameter that the API does not have gets 400.',
    wrap: respondWith(api, (request) => {
      const known = ['status', 'search', 'limit', 'offset', 'days'];
      const names = [...new URL(request.url).searchParams.keys()];
      return names.some((name) => !known.includes(name)) ? error(400, 'unknown_parameter') : undefined;
    }),
  },
  {
    id: 'unknown-members-refused',
    freedom: 'A member that CreateProduct does not have gets 400.',
    wrap: respondWith(create, async (request) => {
      const known = ['name', 'slug', 'product_group', 'gtin', 'model'];
      const names = Object.keys(((await jsonOf(request)) ?? {}) as object);
      return names.some((name) => !known.includes(name)) ? error(400, 'unknown_member') : undefined;
    }),
  },
  {
    id: 'public-errors-as-html',
    freedom: 'Errors of the public side are pages.',
    wrap: changeResponse(publicSide, (response) =>
      response.status < 400
        ? response
        : new Response('<!doctype html><title>Nicht gefunden</title>', {
            status: response.status,
            headers: { 'content-type': 'text/html; charset=iso-8859-1' },
          }),
    ),
  },
  {
    id: 'public-errors-as-text',
    freedom: 'A passport that is not public gets 410 as plain text.',
    wrap: changeResponse(publicSide, (response) =>
      response.status === 404
        ? new Response('gone', { status: 410, headers: { 'content-type': 'text/plain' } })
        : response,
    ),
  },
  {
    id: 'invalid-token-403',
    freedom: 'An invalid access token gets 403.',
    wrap: respondWith(publicSide, (request, { provider }) => {
      const token = new URL(request.url).searchParams.get('zugang');
      const isValid = provider.access_tokens.some((one) => one.token === token && !one.revoked);
      return token === null || isValid ? undefined : error(403, 'forbidden');
    }),
  },
  {
    id: 'no-head',
    freedom: 'HEAD gets 501.',
    wrap: respondWith(everywhere, (request) =>
      request.method === 'HEAD' ? new Response(null, { status: 501 }) : undefined,
    ),
  },
  {
    id: 'two-carriers',
    freedom: 'A product also has an NFC tag.',
    wrap: changeJson(carriers, ({ items }: CarrierList) => ({
      items: items.flatMap((carrier) => [
        carrier,
        { ...carrier, id: `${carrier.id}-nfc`, type: 'nfc', nfc_tag_uid: '04A224B1C36F80', status: 'printed' },
      ]),
    })),
  },
  {
    id: 'short-gtin-in-link',
    freedom: 'The Digital Link has the GTIN as it was given.',
    wrap: changeJson(carriers, ({ items }: CarrierList) => ({
      items: items.map((carrier) => ({
        ...carrier,
        gs1_digital_link: carrier.gs1_digital_link.replace(/\/01\/0(\d{13})$/, '/01/$1'),
      })),
    })),
  },
  {
    id: 'numbered-slugs',
    freedom: 'Every slug ends in a number of the provider, in place of a number that the client sent.',
    wrap: (service) => {
      let count = 0;
      return changeBody(create, (body: CreateProduct) => {
        count += 1;
        return typeof body?.slug === 'string' ? { ...body, slug: `${body.slug.replace(/-\d+$/, '')}-${count}` } : body;
      })(service);
    },
  },
  {
    id: 'plus-as-plus',
    freedom: 'A plus in a query is a plus, as RFC 3986 has it.',
    wrap: (service) => (request) => service.fetch(new Request(request.url.replaceAll('+', '%2B'), request)),
  },
  {
    id: 'one-scan-of-each-role',
    freedom: 'The views of one visitor in one role count once a day.',
    wrap: countsFirst((request) => new URL(request.url).searchParams.get('zugang') ?? ''),
  },
  {
    id: 'one-scan-of-each-visitor',
    freedom: 'The views of one visitor count once a day, in the role of the first view.',
    wrap: countsFirst(() => 'the only visitor'),
  },
  {
    id: 'scans-counted-later',
    freedom: 'A view counts a little later.',
    wrap: (service) => async (request) => {
      const isView = request.method === 'GET' && page.path.test(new URL(request.url).pathname);
      if (!isView) return service.fetch(request);
      const later = request.clone();
      setTimeout(() => service.fetch(later), 50);
      return service.fetch(new Request(request, { headers: { 'sec-purpose': 'prefetch' } }));
    },
  },
  {
    id: 'days-without-scans-left-out',
    freedom: 'per_day leaves out days without a scan, and begins with the latest.',
    wrap: changeJson(scans, (body: ScanStatistics) => ({
      ...body,
      per_day: body.per_day.filter(({ count }) => count > 0).toReversed(),
    })),
  },
];
