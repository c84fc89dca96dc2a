/** Providers whose responses look unusual. */
import type { Passport } from '@product-passport/sdk';
import {
  api,
  changeJson,
  changeResponse,
  changeText,
  document,
  everywhere,
  jsonOf,
  page,
  passport,
  segments,
  type Unusual,
  type Wrap,
  withBody,
  withHeader,
} from './alter.ts';

type Members = Readonly<Record<string, unknown>>;

/** Changes every object in the JSON of the API. Passport values stay as they are. */
export function everyObject(change: (object: Members) => Members): Wrap {
  const deep = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(deep);
    if (typeof node !== 'object' || node === null) return node;
    const members = Object.entries(node).map(([name, part]) => [name, name === 'value' ? part : deep(part)]);
    return change(Object.fromEntries(members));
  };
  return changeResponse(api, async (response) => withBody(response, JSON.stringify(deep(await jsonOf(response)))));
}

/** Changes every time in the responses of the API. */
export function everyTime(change: (time: string) => string): Wrap {
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

export const unusualRepresentation: readonly Unusual[] = [
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
    freedom: 'Responses of the API may be cached privately for a second.',
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
    id: 'challenge-with-realm',
    freedom: 'A 401 has a challenge with a realm.',
    wrap: changeResponse(api, (response) =>
      response.status === 401
        ? withHeader(response, 'www-authenticate', 'Bearer realm="api", error="invalid_token"')
        : response,
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
