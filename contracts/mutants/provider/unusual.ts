/** Providers that keep the description, and do what it leaves free in an unusual way. The suite must accept them. */
import type { CarrierList, Passport, ScanStatistics } from '@product-passport/sdk';
import type { Mode } from '../../../sdk/src/testing/service/freedoms.ts';
import {
  changeJson,
  changeResponse,
  changeText,
  error,
  jsonOf,
  keyOf,
  respondWith,
  segments,
  type Wrap,
  withBody,
  withHeader,
  withStatus,
} from './alter.ts';
import {
  api,
  carriers,
  create,
  document,
  everywhere,
  list,
  page,
  passport,
  publicSide,
  resolver,
  scans,
  write,
} from './places.ts';

export interface Unusual {
  /** Lower case with hyphens. */
  readonly id: string;
  /** What the provider does, in one sentence. */
  readonly freedom: string;
  /** The choices of the provider that is wrapped. Default: those of the reference server. */
  readonly freedoms?: Mode;
  readonly wrap: Wrap;
}

type Members = Readonly<Record<string, unknown>>;

const unchanged: Wrap = (service) => service.fetch;

/** Changes every object in the JSON of the API. Passport values stay as they are. */
function everyObject(change: (object: Members) => Members): Wrap {
  const deep = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(deep);
    if (typeof node !== 'object' || node === null) return node;
    const members = Object.entries(node).map(([name, part]) => [name, name === 'value' ? part : deep(part)]);
    return change(Object.fromEntries(members));
  };
  return changeResponse(api, async (response) => withBody(response, JSON.stringify(deep(await jsonOf(response)))));
}

/** Changes every time in the responses of the API. */
function everyTime(change: (time: string) => string): Wrap {
  return everyObject((object) =>
    Object.fromEntries(
      Object.entries(object).map(([name, value]) => [
        name,
        /_at$/.test(name) && typeof value === 'string' ? change(value) : value,
      ]),
    ),
  );
}

function headers(added: Readonly<Record<string, string>>): Wrap {
  return changeResponse(everywhere, (response) =>
    Object.entries(added).reduce((changed, [name, value]) => withHeader(changed, name, value), response),
  );
}

function localTime(time: string): string {
  const shifted = new Date(Date.parse(time) + 2 * 3_600_000).toISOString();
  return shifted.replace('Z', '+02:00');
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

export const unusual: readonly Unusual[] = [
  {
    id: 'different',
    freedom: 'Everything that the description leaves free is done differently.',
    freedoms: 'different',
    wrap: unchanged,
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
    id: 'other-ids',
    freedom: 'Ids have prefixes and letters.',
    wrap: everyObject((object) =>
      typeof object.id === 'string' ? { ...object, id: `obj_${object.id.replaceAll('-', 'x')}` } : object,
    ),
  },
  {
    id: 'extra-headers',
    freedom: 'Responses have headers of proxies and of a framework.',
    wrap: headers({
      server: 'nginx',
      via: '1.1 proxy',
      'x-powered-by': 'PHP/8.4',
      'set-cookie': 'session=1; HttpOnly',
      'strict-transport-security': 'max-age=1',
    }),
  },
  { id: 'extra-vary', freedom: 'Responses vary by many headers.', wrap: headers({ vary: 'Accept, Origin, Cookie' }) },
  {
    id: 'cache-control',
    freedom: 'Responses of the API may be kept privately for a second.',
    wrap: headers({ 'cache-control': 'private, max-age=1' }),
  },
  {
    id: 'extra-members',
    freedom: 'Every object has members that the description does not name.',
    wrap: everyObject((object) =>
      // Every member of by_view_role is a count.
      'consumer' in object ? object : { _links: { self: '/' }, ...object, etag: 'W/1', tags: [], deleted_at: null },
    ),
  },
  {
    id: 'reversed-members',
    freedom: 'The members of every object are in another order.',
    wrap: everyObject((object) => Object.fromEntries(Object.entries(object).reverse())),
  },
  {
    id: 'pretty-json',
    freedom: 'JSON is indented.',
    wrap: changeResponse(api, async (response) =>
      withBody(response, `\n${JSON.stringify(await jsonOf(response), null, 4)}\n`),
    ),
  },
  {
    id: 'escaped-json',
    freedom: 'Letters beyond ASCII are escaped, as in PHP.',
    wrap: changeResponse(api, async (response) => {
      const text = await response.text();
      const escaped = text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
      return withBody(response, escaped.replaceAll('/', '\\/'));
    }),
  },
  {
    id: 'plain-content-type',
    freedom: 'The content type has no charset.',
    wrap: changeResponse(api, (response) => withHeader(response, 'content-type', 'application/json')),
  },
  {
    id: 'slow',
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
    id: 'other-plan',
    freedom: 'The plan has another name.',
    wrap: everyObject((object) => ('plan' in object ? { ...object, plan: 'Händler Plus (jährlich)' } : object)),
  },
  {
    id: 'other-registry-status',
    freedom: 'registry_status has another value, and registry_id is a number.',
    wrap: everyObject((object) =>
      'registry_status' in object
        ? { ...object, registry_status: 'queued', ...('registry_id' in object && { registry_id: 4711 }) }
        : object,
    ),
  },
  {
    id: 'other-messages',
    freedom: 'Messages are French, and each has its own number.',
    wrap: (service) => {
      let count = 0;
      return everyObject((object) => {
        count += 1;
        return 'message' in object ? { ...object, message: `Requête refusée (n° ${count}).` } : object;
      })(service);
    },
  },
  { id: 'times-with-offset', freedom: 'Times have the offset of the place.', wrap: everyTime(localTime) },
  {
    id: 'times-in-microseconds',
    freedom: 'Times have six digits after the second.',
    wrap: everyTime((time) => time.replace('Z', '000Z')),
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
    id: 'challenge-with-realm',
    freedom: 'A 401 has a challenge with a realm.',
    wrap: changeResponse(api, (response) =>
      response.status === 401
        ? withHeader(response, 'www-authenticate', 'Bearer realm="api", error="invalid_token"')
        : response,
    ),
  },
  {
    id: 'no-head',
    freedom: 'HEAD gets 501.',
    wrap: respondWith(everywhere, (request) =>
      request.method === 'HEAD' ? new Response(null, { status: 501 }) : undefined,
    ),
  },
  {
    id: 'other-completeness',
    freedom: 'Completeness is counted in thousandths.',
    wrap: everyObject((object) =>
      typeof object.completeness === 'number' ? { ...object, completeness: object.completeness * 10 } : object,
    ),
  },
  {
    id: 'other-names',
    freedom: 'Group and model have other names.',
    wrap: everyObject(({ product_group, model, ...rest }) =>
      product_group === undefined ? rest : { ...rest, group: product_group, variant: model },
    ),
  },
  {
    id: 'values-newest-first',
    freedom: 'Values are read in another order.',
    wrap: changeJson(passport, (body: Passport) => ({ ...body, values: body.values.toReversed() })),
  },
  {
    id: 'empty-members-left-out',
    freedom: 'Values leave out a unit that is null and marks that are false.',
    wrap: changeJson(passport, (body: Passport) => ({
      ...body,
      values: body.values.map((value) =>
        Object.fromEntries(
          Object.entries(value).filter(([name, part]) => name === 'value' || (part !== null && part !== false)),
        ),
      ),
    })),
  },
  {
    id: 'prefixed-hash',
    freedom: 'Content hashes begin with their algorithm.',
    wrap: (service) => {
      const prefixed = changeJson(passport, (body: Passport) => ({
        ...body,
        latest_version: { ...body.latest_version, content_hash: `sha256:${body.latest_version.content_hash}` },
      }));
      const documents = changeText(document, (text) => text.replace(/"([0-9a-f]{64})"/g, '"sha256:$1"'));
      return (request) =>
        segments(request).at(-1) === 'jsonld' ? documents(service)(request) : prefixed(service)(request);
    },
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
  {
    id: 'page-with-nonce',
    freedom: 'Every response of the page differs, because it contains a nonce.',
    wrap: (service) => {
      let count = 0;
      return changeText(page, (text) => {
        count += 1;
        return text.replace('<h1>', `<h1 data-nonce="n${count}">`);
      })(service);
    },
  },
];
