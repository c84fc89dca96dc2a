/**
 * A small provider of the EU's read interface that speaks the dialect of each public source, so that the suite can be tried
 * without one. It has two passports: an item with two versions, and a model.
 */
import { isRecord, member } from '@product-passport/openapi';

/** How a provider writes what the sources write in different ways. */
export interface Speech {
  readonly lastUpdated?: 'lastUpdated' | 'lastUpdate';
  readonly isCapital?: boolean;
  readonly messages?: 'message' | 'messages';
  /** The member of a batch's body that has the product ids. `''`: the body is the list. */
  readonly asks?: readonly string[];
  readonly batch?: (ids: readonly string[], next: string | undefined) => unknown;
  /** Where every passport is inside of. */
  readonly envelope?: string;
  readonly children?: 'value' | 'elements';
  readonly hasTextNumbers?: boolean;
  /** The key below which all elements stand. */
  readonly section?: string;
  readonly isNormalisedOnly?: boolean;
  readonly isOldAtChange?: boolean;
  /** Statuses in place of 400 and 404. */
  readonly statuses?: Readonly<Partial<Record<'representation' | 'emptyCursor' | 'missingElement', number>>>;
  /** A header without which reads are refused. */
  readonly key?: string;
}

export const base = 'https://twin.example/dpp/v1';
export const item = {
  id: 'https://twin.example/p/volta/battery?v=ü 1',
  product: 'https://id.example/01/09520001200045/21/B-1',
};
export const model = { id: 'https://twin.example/p/volta/cable', product: 'https://id.example/01/09520001200052' };

/** The values of a version. The restricted one never leaves. */
export const restricted = { id: item.id, value: 'Zinc pyrithione, 0.2 percent', element: "$['biocide']" };
const values = (mass: number): Readonly<Record<string, unknown>> => ({
  mass: { value: mass, unit: 'kg' },
  maker: [{ value: 'Volta & Söhne', language: 'de' }],
  cells: [7, 12],
  manual: { contentType: 'application/pdf', url: 'https://twin.example/manual.pdf' },
  recycled: true,
  made: '2026-03-01',
});
const versions: Readonly<Record<string, readonly { at: string; values: Readonly<Record<string, unknown>> }[]>> = {
  [item.id]: [
    { at: '2026-04-01T10:00:00.000Z', values: values(12.5) },
    { at: '2026-05-01T10:00:00.000Z', values: values(13) },
  ],
  [model.id]: [{ at: '2026-04-01T10:00:00.000Z', values: values(1) }],
};
const passports = [item, model];

export interface Asked {
  readonly method: string;
  /** Each segment decoded once. `undefined` if it cannot be. */
  readonly segments: readonly string[] | undefined;
  readonly query: URLSearchParams;
  readonly json: unknown;
  readonly headers: Headers;
}

export interface Said {
  readonly status: number;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of `json`. */
  readonly text?: string;
}

export type Respond = (asked: Asked) => Said;

export function twin(speech: Speech = {}): Respond {
  const { messages = 'message', key } = speech;
  const refused: Refuse = (status, text) => ({
    status,
    json: { [messages]: [{ messageType: 'Error', code: String(status), text }] },
  });
  return (asked) => {
    const { method, segments, query, headers } = asked;
    if (key !== undefined && !headers.has(key)) return refused(401, 'A key is missing.');
    if (segments === undefined) return refused(400, 'The address has a wrong percent code.');
    const [root = '', id = '', , path = ''] = segments;
    if (root === 'dppsByProductIds') return batch(asked, speech, refused);
    if (method !== 'GET') return refused(405, 'Use GET.');
    const one = passports.find((each) => (root === 'dppsByProductId' ? each.product : each.id) === id);
    if (one === undefined) return refused(404, 'There is no such passport.');
    if (segments.length > 2) return element(one, path, { query, speech, refused });
    return root === 'dppsByIdAndDate' ? dated(one, { query, speech, refused }) : read(one, { query, speech, refused });
  };
}

type Refuse = (status: number, text: string) => Said;

interface Reading {
  readonly query: URLSearchParams;
  readonly speech: Speech;
  readonly refused: Refuse;
}

type Known = typeof item;

function headerOf({ id, product }: Known, at: string, { lastUpdated = 'lastUpdated', isCapital }: Speech): object {
  const word = (text: string) => (isCapital ? text.replace(/^./, (letter) => letter.toUpperCase()) : text);
  return {
    digitalProductPassportId: id,
    uniqueProductIdentifier: product,
    granularity: word(product.includes('/21/') ? 'item' : 'model'),
    dppSchemaVersion: 'EN 18223:2026',
    dppStatus: word('active'),
    [lastUpdated]: at,
    economicOperatorId: '0088:9520001000008',
    contentSpecificationIds: ['https://twin.example/ns/general'],
  };
}

function read(one: Known, { query, speech, refused }: Reading, version = versions[one.id]?.at(-1)): Said {
  const { statuses = {}, envelope } = speech;
  const form = query.get('representation') ?? 'compressed';
  const isKnown = ['compressed', 'full'].includes(form) || statuses.representation === 200;
  if (!isKnown) return refused(400, 'The representation must be compressed or full.');
  if (version === undefined) return refused(404, 'There was no such passport.');
  const elements = inSection(version.values, speech);
  const shown = form === 'full' ? { elements: elementsOf(elements, speech) } : elements;
  const passport = { ...headerOf(one, version.at, speech), ...shown };
  return { status: 200, json: envelope === undefined ? passport : { statusCode: 'Success', [envelope]: passport } };
}

function inSection(elements: object, { section }: Speech): object {
  return section === undefined ? elements : { [section]: elements };
}

function dated(one: Known, reading: Reading): Said {
  const text = reading.query.get('date') ?? '';
  const time = Date.parse(text);
  const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(time);
  if (!isTime || !isDay(text)) return reading.refused(400, 'date must be a time.');
  const end = reading.speech.isOldAtChange ? time - 1 : time;
  const version = versions[one.id]?.findLast(({ at }) => Date.parse(at) <= end);
  return version === undefined ? reading.refused(404, 'There was no passport.') : read(one, reading, version);
}

function element(one: Known, path: string, { query, speech, refused }: Reading): Said {
  const steps = stepsOf(path, speech.isNormalisedOnly === true);
  if (steps === undefined) return refused(400, 'The path is not one.');
  const own: unknown = inSection(versions[one.id]?.at(-1)?.values ?? {}, speech);
  const found = steps.reduce((at, step) => (isRecord(at) ? at[step] : undefined), own);
  if (found === undefined) return refused(speech.statuses?.missingElement ?? 404, 'There is no such element.');
  const json = query.get('representation') === 'full' ? elementOf(String(steps.at(-1)), found, speech) : found;
  return { status: 200, json: speech.envelope === undefined ? json : { statusCode: 'Success', payload: json } };
}

function elementsOf(of: object, speech: Speech): unknown[] {
  return Object.entries(of).map(([id, value]) => elementOf(id, value, speech));
}

function elementOf(elementId: string, value: unknown, speech: Speech): unknown {
  const { children = 'elements' } = speech;
  const one = (objectType: string, members: object) => ({ elementId, objectType, ...members });
  if (Array.isArray(value) && isRecord(value[0])) return one('MultiLanguageDataElement', { value });
  if (Array.isArray(value)) {
    const list = value.map((each, index) => elementOf(`${elementId}-${index}`, each, speech));
    return one('MultiValuedDataElement', { [children]: children === 'value' ? value : list });
  }
  if (isRecord(value) && 'url' in value) return one('RelatedResource', value);
  if (isRecord(value)) return one('DataElementCollection', { elements: elementsOf(value, speech) });
  const type = typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'decimal') : typeof value;
  const written = speech.hasTextNumbers && typeof value === 'number' ? String(value) : value;
  return one('SingleValuedDataElement', {
    valueDataType: `xsd:${/^\d{4}-/.test(String(value)) ? 'date' : type}`,
    value: written,
  });
}

function batch({ method, json, query }: Asked, speech: Speech, refused: Refuse): Said {
  if (method !== 'POST') return refused(405, 'Use POST.');
  const { asks = ['productIds', 'productId', ''] } = speech;
  const lists = asks.map((name) => (name === '' ? json : member(json, name)));
  const ids = lists.find((list): list is unknown[] => Array.isArray(list) && list.length > 0);
  if (ids === undefined) return refused(400, 'The body must name product ids.');
  const { limit = '100', cursor = 'after-0' } = asks.includes('productIdentifiers')
    ? Object(json)
    : Object.fromEntries(query);
  const isIgnored = cursor === '' && speech.statuses?.emptyCursor === 200;
  if (!/^[1-9]\d*$/.test(limit)) return refused(400, 'limit must be a number above 0.');
  if (!/^after-\d$/.test(cursor) && !isIgnored) return refused(400, 'cursor must be one of this service.');
  const found = passports.filter(({ product }) => ids.includes(product)).map(({ id }) => id);
  const start = Number(cursor.slice('after-'.length));
  const end = start + Number(limit);
  const next = end < found.length ? `after-${end}` : undefined;
  const page = found.slice(start, end);
  if (speech.batch !== undefined) return { status: 200, json: speech.batch(page, next) };
  const link = `<${base}/dppsByProductIds?limit=${limit}&cursor=${next}>; rel="next"`;
  return { status: 200, json: page, headers: next === undefined ? {} : { link } };
}

/** Whether the day of a time exists. */
function isDay(text: string): boolean {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
}

/** The names of a path, `$['a']['b']` or `$.a.b`. */
function stepsOf(path: string, isNormalisedOnly: boolean): readonly string[] | undefined {
  const form = isNormalisedOnly ? /^\$(?:\['[^']+'\])+$/ : /^\$(?:\['[^']+'\]|\.\w+)+$/;
  return form.test(path)
    ? [...path.matchAll(/\['([^']+)'\]|\.(\w+)/g)].map(([, one, other]) => one ?? other ?? '')
    : undefined;
}

/** What the twin's provider shows by the first interface: two active products, a draft and an archived one. */
export async function firstInterface(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const [, slug = ''] = /^\/(?:api\/v1\/products|p\/volta)\/(\w+)/.exec(pathname) ?? [];
  const { id, product } = slug === 'battery' ? item : model;
  const products: Readonly<Record<string, readonly string[]>> = {
    active: ['cable', 'battery'],
    draft: ['draft'],
    archived: ['old'],
  };
  const named = (products[searchParams.get('status') ?? ''] ?? []).map((one) => ({ slug: one }));
  const properties = Object.entries(versions[id]?.at(-1)?.values ?? {}).map(([propertyID, value]) => ({
    propertyID,
    value,
  }));
  const secret = { field_key: 'biocide', value: restricted.value, access_level: 'restricted' };
  const bodies: readonly (readonly [end: string, json: unknown])[] = [
    ['/me', { tenant: { slug: 'volta' } }],
    ['/products', { items: named, total: named.length }],
    ['/passport', { values: slug === 'battery' ? [secret] : [] }],
    [
      '/jsonld',
      { '@id': product, 'gs1:dpp': id, url: `https://twin.example/p/volta/${slug}`, additionalProperty: properties },
    ],
  ];
  const [, json] = bodies.find(([end]) => pathname.endsWith(end)) ?? [];
  return Response.json(json ?? null, { status: json === undefined ? 404 : 200 });
}

/** Serves a provider in this process. */
export function serve(respond: Respond): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const body = await request.text();
    const {
      status,
      json,
      text = JSON.stringify(json),
      headers = {},
    } = respond({
      method: request.method,
      segments: decoded(pathname.slice('/dpp/v1/'.length).split('/')),
      query: searchParams,
      json: parsed(body),
      headers: request.headers,
    });
    return new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } });
  };
}

function decoded(segments: readonly string[]): readonly string[] | undefined {
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The providers of the public sources. The last two put the passport inside of an envelope. */
export const sources: Readonly<Record<string, Speech>> = {
  'BaSyx Go': {
    lastUpdated: 'lastUpdate',
    isCapital: true,
    messages: 'messages',
    asks: ['productIds'],
    batch: (items, cursor) => ({ items, ...(cursor && { cursor }) }),
    hasTextNumbers: true,
    section: 'https://twin.example/ns/general',
    isNormalisedOnly: true,
    statuses: { emptyCursor: 200, missingElement: 400 },
  },
  openEPCIS: {
    asks: ['productIds'],
    batch: (dppIds, nextCursor) => ({ dppIds, ...(nextCursor && { nextCursor }) }),
    children: 'value',
  },
  OwnYourData: {
    asks: [''],
    batch: (payload, nextCursor) => ({ statusCode: 'Success', payload, ...(nextCursor && { nextCursor }) }),
    isOldAtChange: true,
    statuses: { representation: 200 },
  },
  OpenDPP: { asks: ['productId'], key: 'x-api-key', children: 'value' },
  CIR4FUN: {
    asks: ['productIdentifiers'],
    batch: (dppIdentifiers, nextCursor) => ({ payload: { dppIdentifiers, ...(nextCursor && { nextCursor }) } }),
    messages: 'messages',
    envelope: 'payload',
  },
  'UA-CloudLibrary': {
    asks: ['productIds'],
    batch: (data, nextCursor) => ({ data, pagination: { ...(nextCursor && { nextCursor }), hasMore: !!nextCursor } }),
    envelope: 'data',
  },
};
