/** Providers that decide in an unusual way where the description leaves a choice. */
import { isRecord } from '@product-passport/openapi';
import type { CarrierList, CreateProduct, Me, ScanStatistics } from '@product-passport/sdk';
import { hasValidCheckDigit } from '@product-passport/sdk/gs1';
import { namedGroups } from '../../conformance/cases/products.ts';
import {
  type At,
  api,
  carriers,
  changeBody,
  changeJson,
  changeResponse,
  create,
  error,
  everywhere,
  type Handler,
  jsonOf,
  keyOf,
  list,
  matches,
  me,
  page,
  publicSide,
  resolver,
  respondWith,
  type Service,
  scans,
  type Unusual,
  type Wrap,
  withHeader,
  withStatus,
  write,
} from './alter.ts';

/** The requests with a body. */
const writes: readonly At[] = [create, write];

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The same view of a page, which does not count. */
const uncounted = (request: Request): Request => new Request(request, { headers: { 'sec-purpose': 'prefetch' } });

/** Longer than the suite waits for the count of one view, three times. */
const batch = 4500;

function countsInBatches(service: Service): Handler {
  const waiting: Request[] = [];
  let last = performance.now();
  return async (request) => {
    if (matches(page, request)) {
      waiting.push(request.clone());
      return service.fetch(uncounted(request));
    }
    if (performance.now() - last > batch) {
      last = performance.now();
      for (const view of waiting.splice(0)) await service.fetch(view);
    }
    return service.fetch(request);
  };
}

/** Counts only the first view of each visitor. */
function countsFirst(visitorOf: (request: Request) => string): Wrap {
  return (service) => {
    const seen = new Set<string>();
    return async (request) => {
      const isView = matches(page, request);
      const isFirst = isView && !seen.has(visitorOf(request));
      const response = await service.fetch(isView && !isFirst ? uncounted(request) : request);
      if (isFirst && response.status === 200) seen.add(visitorOf(request));
      return response;
    };
  };
}

/** Looks at the body before the provider does. */
function looksFirst(
  at: readonly At[],
  faultOf: (text: string, json: unknown, request: Request) => Response | undefined,
): Wrap {
  return (service) => async (request) => {
    const isLooked = keyOf(request) !== '' && at.some((one) => matches(one, request));
    const fault = isLooked ? faultOf(await request.clone().text(), await jsonOf(request), request) : undefined;
    return fault ?? service.fetch(request);
  };
}

/** Changes the text of every body. */
function readsAs(change: (text: string) => string): Wrap {
  return (service) => async (request) => {
    if (!writes.some((at) => matches(at, request))) return service.fetch(request);
    const text = await request.clone().text();
    const changed = change(text);
    return service.fetch(changed === text ? request : new Request(request, { body: changed }));
  };
}

const creationOf = (json: unknown): Partial<Record<string, unknown>> => (isRecord(json) ? json : {});
/** Whether its texts are well-formed Unicode, and its numbers finite. */
function isPlainJson(json: unknown): boolean {
  if (typeof json === 'string') return json.isWellFormed();
  if (typeof json === 'number') return Number.isFinite(json);
  if (typeof json !== 'object' || json === null) return true;
  return Object.entries(json).every(([name, value]) => name.isWellFormed() && isPlainJson(value));
}

const isLong = (value: unknown): boolean => typeof value === 'string' && [...value].length > 100;

/** Providers that read and check bodies in another way or another order, where the description names none. */
export const unusualChecks: readonly Unusual[] = [
  {
    id: 'strict-parser',
    freedom: 'A lone surrogate, and a number beyond the range of a double, are invalid JSON.',
    wrap: looksFirst(writes, (text, json) =>
      json === undefined || isPlainJson(json) ? undefined : error(400, 'invalid_json', `${text.length} bytes`),
    ),
  },
  {
    id: 'surrogates-replaced',
    freedom: 'A lone surrogate is read as U+FFFD.',
    wrap: readsAs((text) =>
      text.replace(
        /(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}|\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f][0-9a-f]{2})/gi,
        '\\ufffd',
      ),
    ),
  },
  {
    id: 'empty-body-as-object',
    freedom: 'A body of zero bytes is an empty object.',
    wrap: readsAs((text) => (text === '' ? '{}' : text)),
  },
  {
    id: 'empty-body-411',
    freedom: 'A body of zero bytes gets 411 with a code of the provider.',
    wrap: looksFirst(writes, (text) => (text === '' ? error(411, 'length_required') : undefined)),
  },
  {
    id: 'ten-groups',
    freedom: 'The provider has the ten product groups that the description names, and checks the group first.',
    wrap: looksFirst([create], (_text, json) => {
      const { product_group: group } = creationOf(json);
      return typeof group === 'string' && !namedGroups.includes(group)
        ? error(400, 'unknown_product_group')
        : undefined;
    }),
  },
  {
    id: 'check-digit-first',
    freedom: 'A GTIN with a wrong check digit is refused, before anything else.',
    wrap: looksFirst([create], (_text, json) => {
      const { gtin } = creationOf(json);
      const isWhole = typeof gtin === 'string' && /^(?:[0-9]{8}|[0-9]{12,14})$/.test(gtin);
      return isWhole && !hasValidCheckDigit(gtin) ? error(400, 'wrong_gtin') : undefined;
    }),
  },
  {
    id: 'long-texts-refused',
    freedom: 'A name, a model or a slug of more than 100 characters gets 422 with a code of the provider.',
    wrap: looksFirst([create], (_text, json) => {
      const { name, model, slug } = creationOf(json);
      return [name, model, slug].some(isLong) ? error(422, 'too_long') : undefined;
    }),
  },
  {
    id: 'members-checked-first',
    freedom: 'A member that the description does not name, and one that is null, get 422 before anything else.',
    wrap: looksFirst(writes, (_text, json, { method }) => {
      const known = ['name', 'slug', 'product_group', 'gtin', 'model', 'field_key', 'value', 'unit', 'source'];
      const all = [...known, 'access_level', 'is_unknown', 'needs_review', 'locale', 'updated_at'];
      // A write that is not an array has the fault that the description names.
      const objects = (Array.isArray(json) ? json : method === 'POST' ? [json] : []).filter(isRecord);
      const isOdd = ([name, value]: [string, unknown]): boolean =>
        !all.includes(name) || (value === null && name !== 'value' && name !== 'unit');
      return objects.some((one) => Object.entries(one).some(isOdd)) ? error(422, 'unknown_member') : undefined;
    }),
  },
  {
    id: 'keys-checked-first',
    freedom: 'A field key that the template does not have gets 422 before a missing one is noticed.',
    wrap: respondWith(write, async (request, { provider }) => {
      const body = await jsonOf(request);
      const keys = Array.isArray(body) ? body.filter(isRecord).map(({ field_key }) => field_key) : [];
      const isOdd = keys.some((key) => key !== undefined && !provider.field_keys.includes(String(key)));
      return isOdd && keyOf(request) === provider.tenants[0]?.api_key ? error(422, 'unknown_field') : undefined;
    }),
  },
  {
    id: 'path-checked-first',
    freedom: 'An unknown product gets 404 before the body is read.',
    wrap: respondWith(write, async (request, service) => {
      const { headers } = request;
      const { pathname } = new URL(request.url);
      const found = await service.fetch(new Request(new URL(pathname, request.url), { headers }));
      return found.status === 404 ? found : undefined;
    }),
  },
  {
    id: 'last-fault-first',
    freedom: 'Of the faults of a creation, the one in the last member is named: GTIN, then group, then name.',
    wrap: looksFirst([create], (_text, json) => {
      const { product_group: group, gtin } = creationOf(json);
      if (typeof gtin === 'string' && !/^(?:[0-9]{8}|[0-9]{12,14})$/.test(gtin)) return error(400, 'gtin_length');
      return group === 'verify-unknown-group' ? error(400, 'unknown_product_group') : undefined;
    }),
  },
];

export const unusualBehaviour: readonly Unusual[] = [
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
      if (!matches(page, request)) return service.fetch(request);
      const later = request.clone();
      setTimeout(() => service.fetch(later), 50);
      return service.fetch(uncounted(request));
    },
  },
  {
    id: 'scans-counted-in-batches',
    freedom: 'Views count some seconds later, many at once.',
    only: ['SCAN-1.view-consumer', 'SCAN-1.top-products'],
    isAlone: true,
    wrap: countsInBatches,
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
