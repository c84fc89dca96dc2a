/** Providers that keep the description, and do what it leaves free in an unusual way. */

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { isRecord, readContract } from '@product-passport/openapi';
import { hasValidCheckDigit } from '@product-passport/sdk/gs1';
import { namedGroups } from '../../conformance/cases/products.ts';
import { at, type Call, jsonOf, type Route } from './call.ts';
import {
  type Change,
  counts,
  createdText,
  error,
  header,
  html,
  instead,
  members,
  notes,
  refuses,
  refusesCreation,
  remembers,
  responds,
  text,
  together,
  withBody,
  withHeader,
} from './change.ts';
import { target } from './families/public-side.ts';
import { type UnusualProvider, unusual } from './row.ts';

type Members = Readonly<Record<string, unknown>>;

/** Changes the text of every response of the API. */
const everyText = (change: (text: string) => string): Change =>
  responds(at.api, async (response) => withBody(response, change(await response.text())));

/** Changes every object in the JSON of the API. Passport values stay as they are. */
export function everyObject(change: (object: Members) => Members): Change {
  const deep = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(deep);
    if (typeof node !== 'object' || node === null) return node;
    const changed = Object.entries(node).map(([name, part]) => [name, name === 'value' ? part : deep(part)]);
    return change(Object.fromEntries(changed));
  };
  return responds(at.api, async (response) => withBody(response, JSON.stringify(deep(await jsonOf(response)))));
}

/** Changes a member of every object that has it. */
function everyMember(name: string, change: (value: unknown) => unknown): Change {
  return everyObject((object) => (name in object ? { ...object, [name]: change(object[name]) } : object));
}

/** Changes every time in the responses of the API. */
export function everyTime(change: (time: string) => string): Change {
  const changed = ([name, part]: [string, unknown]) =>
    [name, /_at$/.test(name) && typeof part === 'string' ? change(part) : part] as const;
  return everyObject((object) => Object.fromEntries(Object.entries(object).map(changed)));
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

export const unusualRepresentation: readonly UnusualProvider[] = [
  unusual('other-ids', 'Ids have prefixes and letters.').does(
    everyMember('id', (id) => `obj_${String(id).replaceAll('-', 'x')}`),
  ),
  unusual('extra-headers', 'Responses have headers of proxies and of a framework.').together([
    header(at.everywhere, 'server', 'nginx'),
    header(at.everywhere, 'via', '1.1 proxy'),
    header(at.everywhere, 'x-powered-by', 'PHP/8.4'),
    header(at.everywhere, 'set-cookie', 'session=1; HttpOnly'),
    header(at.everywhere, 'strict-transport-security', 'max-age=1'),
  ]),
  unusual('extra-vary', 'Responses vary by many headers.').header(at.everywhere, 'vary', 'Accept, Origin, Cookie'),
  unusual('cache-control', 'Responses of the API may be cached privately for a second.').header(
    at.everywhere,
    'cache-control',
    'private, max-age=1',
  ),
  unusual('extra-members', 'Every object has members that the description does not name.').does(
    everyObject((object) =>
      // Every member of by_view_role is a count.
      'consumer' in object ? object : { _links: { self: '/' }, ...object, etag: 'W/1', tags: [], deleted_at: null },
    ),
  ),
  unusual('reversed-members', 'The members of every object are in another order.').does(
    everyObject((object) => Object.fromEntries(Object.entries(object).reverse())),
  ),
  unusual('pretty-json', 'JSON is indented.').does(
    everyText((text) => text && `\n${JSON.stringify(JSON.parse(text), null, 4)}\n`),
  ),
  unusual('escaped-json', 'Letters beyond ASCII are escaped, as in PHP.').does(
    everyText((text) => text.replace(/[^\0-\x7f]/g, escaped).replaceAll('/', '\\/')),
  ),
  unusual('plain-content-type', 'The content type has no charset.').header(at.api, 'content-type', 'application/json'),
  unusual('other-plan', 'The plan has another name.').does(everyMember('plan', () => 'Händler Plus (jährlich)')),
  unusual('other-registry-status', 'registry_status has another value, and registry_id is a number.').together([
    everyMember('registry_status', () => 'queued'),
    everyMember('registry_id', () => 4711),
  ]),
  unusual('other-messages', 'Messages are French, and each has its own number.').counts((messages) =>
    everyMember('message', () => `Requête refusée (n° ${messages.next()}).`),
  ),
  unusual('times-with-offset', 'Times have the offset of the place.').does(
    everyTime((time) => new Date(Date.parse(time) + 2 * 3_600_000).toISOString().replace('Z', '+02:00')),
  ),
  unusual('times-in-microseconds', 'Times have six digits after the second.').does(
    everyTime((time) => time.replace('Z', '000Z')),
  ),
  unusual('challenge-with-realm', 'A 401 has a challenge with a realm.').header(
    at.api,
    'www-authenticate',
    (own) => own && 'Bearer realm="api", error="invalid_token"',
  ),
  unusual('no-findings', 'A write does not say how many of its values block.').header(
    at.write,
    'passport-findings',
    null,
  ),
  unusual('other-completeness', 'Completeness is counted in thousandths.').does(
    everyMember('completeness', (completeness) => Number(completeness) * 10),
  ),
  unusual('other-names', 'Group and model have other names.').does(
    everyObject(({ product_group, model, ...rest }) =>
      product_group === undefined ? rest : { ...rest, group: product_group, variant: model },
    ),
  ),
  unusual('values-newest-first', 'Values are read in another order.').elements(at.passport, 'values', (values) =>
    values.toReversed(),
  ),
  unusual('empty-members-left-out', 'Values leave out a unit that is null and marks that are false.').each(
    at.passport,
    'values',
    ({ unit, is_unknown, needs_review }) => ({
      unit: unit ?? undefined,
      is_unknown: is_unknown || undefined,
      needs_review: needs_review || undefined,
    }),
  ),
  unusual('prefixed-hash', 'Content hashes begin with their algorithm.').together([
    members(at.passport, ({ latest_version: version }) => ({
      latest_version: { ...version, content_hash: `sha256:${version.content_hash}` },
    })),
    text(at.document, (text) => text.replace(/"([0-9a-f]{64})"/g, '"sha256:$1"')),
  ]),
  unusual('page-with-nonce', 'Every response of the page differs, because it contains a nonce.').counts((pages) =>
    text(at.page, (text) => text.replace('<h1>', `<h1 data-nonce="n${pages.next()}">`)),
  ),
];

// Choices that the description leaves.

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Milliseconds. Longer than three waits of the suite for the count of one view. */
const batch = 4500;

const countsInBatches: Change = (service) => {
  const waiting: Call[] = [];
  let last = performance.now();
  return instead(at.everywhere, async (call) => {
    if (call.isAt(at.page)) {
      waiting.push(call);
      return call.uncounted.send();
    }
    if (performance.now() - last > batch) {
      last = performance.now();
      for (const view of waiting.splice(0)) await view.send();
    }
    return undefined;
  })(service);
};

/** Counts only the first view of each visitor. */
function countsOncePer(visitorOf: (call: Call) => string): Change {
  return remembers<boolean>((seen) =>
    instead(at.page, async (call) => {
      const visitor = visitorOf(call);
      const response = await (seen.has(visitor) ? call.uncounted : call).send();
      if (response.status === 200) seen.set(visitor, true);
      return response;
    }),
  );
}

/** Refuses a request with a key for its body, before the provider looks at it. */
function refusesText(
  routes: readonly Route[],
  status: number,
  code: string,
  isFaulty: (text: string, json: unknown, call: Call) => boolean,
): Change {
  const when = async (call: Call): Promise<boolean> =>
    call.key !== '' && isFaulty(await call.text(), await call.json(), call);
  return together(routes.map((route) => refuses(route, status, code, when)));
}

/** Whether its texts are well-formed Unicode, and its numbers finite. */
function isPlainJson(json: unknown): boolean {
  if (typeof json === 'string') return json.isWellFormed();
  if (typeof json === 'number') return Number.isFinite(json);
  if (typeof json !== 'object' || json === null) return true;
  return Object.entries(json).every(([name, value]) => name.isWellFormed() && isPlainJson(value));
}

/** Refuses a write of the first tenant for the keys of its fields. */
function refusesKeys(status: number, isFaulty: (key: unknown, known: readonly string[]) => boolean): Change {
  return refuses(at.write, status, 'unknown_field', async (call) => {
    const keys = (await call.elements()).filter(isRecord).map(({ field_key }) => field_key);
    const isOwn = call.key === call.provider.tenants[0]?.api_key;
    return isOwn && keys.some((key) => isFaulty(key, call.provider.field_keys));
  });
}

const writes: readonly Route[] = [at.create, at.write];
const isWhole = (gtin: unknown): gtin is string => typeof gtin === 'string' && /^(?:[0-9]{8}|[0-9]{12,14})$/.test(gtin);
const isLong = (value: unknown): boolean => typeof value === 'string' && [...value].length > 100;
const isUnnamed = (group: unknown): boolean => typeof group === 'string' && !namedGroups.includes(group);

/** The members of an operation's body, or of its elements, by the contract. */
function membersOf(operationId: string): string[] {
  const body = readContract().operations.find((each) => each.operationId === operationId)?.body;
  const schema = body?.schema as { items?: { properties: object }; properties?: object } | undefined;
  return Object.keys(schema?.items?.properties ?? schema?.properties ?? {});
}

const isOdd = ([name, value]: [string, unknown]): boolean =>
  ![...membersOf('createProduct'), ...membersOf('putPassport'), 'locale', 'updated_at'].includes(name) ||
  (value === null && name !== 'value' && name !== 'unit');

const loneSurrogates = /(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}|\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f][0-9a-f]{2})/gi;

/** Providers that read and check bodies in another way or another order, where the description names none. */
export const unusualChecks: readonly UnusualProvider[] = [
  unusual('strict-parser', 'A lone surrogate, and a number beyond the range of a double, are invalid JSON.').does(
    refusesText(writes, 400, 'invalid_json', (_, json) => json !== undefined && !isPlainJson(json)),
  ),
  unusual('surrogates-replaced', 'A lone surrogate is read as U+FFFD.').reads(writes, (text) =>
    text.replace(loneSurrogates, '\\ufffd'),
  ),
  unusual('empty-body-as-object', 'A body of zero bytes is an empty object.').reads(writes, (text) => text || '{}'),
  unusual('empty-body-411', 'A body of zero bytes gets 411 with a code of the provider.').does(
    refusesText(writes, 411, 'length_required', (text) => text === ''),
  ),
  unusual(
    'ten-groups',
    'The provider has the ten product groups that the description names, and checks the group first.',
  ).refusesCreation(400, 'unknown_product_group', ({ product_group }) => isUnnamed(product_group)),
  unusual('check-digit-first', 'A GTIN with a wrong check digit is refused, before anything else.').refusesCreation(
    400,
    'wrong_gtin',
    ({ gtin }) => isWhole(gtin) && !hasValidCheckDigit(gtin),
  ),
  unusual(
    'long-texts-refused',
    'A name, a model or a slug of more than 100 characters gets 422 with a code of the provider.',
  ).refusesCreation(422, 'too_long', ({ name, model, slug }) => [name, model, slug].some(isLong)),
  unusual(
    'members-checked-first',
    'A member that the description does not name, and one that is null, get 422 before anything else.',
  ).does(
    refusesText(writes, 422, 'unknown_member', (_, json, { method }) => {
      // A write that is not an array has the fault that the description names.
      const objects = Array.isArray(json) ? json : method === 'POST' ? [json] : [];
      return objects.filter(isRecord).some((one) => Object.entries(one).some(isOdd));
    }),
  ),
  unusual(
    'keys-checked-first',
    'A field key that the template does not have gets 422 before a missing one is noticed.',
  ).does(refusesKeys(422, (key, known) => key !== undefined && !known.includes(String(key)))),
  unusual('path-checked-first', 'An unknown product gets 404 before the body is read.').instead(
    at.write,
    async (call) => {
      const found = await call.get(call.path).send();
      return found.status === 404 ? found : undefined;
    },
  ),
  unusual(
    'last-fault-first',
    'Of the faults of a creation, the one in the last member is named: GTIN, then group, then name.',
  ).together([
    refusesCreation(400, 'unknown_product_group', ({ product_group }) => product_group === 'verify-unknown-group'),
    refusesCreation(400, 'gtin_length', ({ gtin }) => typeof gtin === 'string' && !isWhole(gtin)),
  ]),
];

export const unusualBehaviour: readonly UnusualProvider[] = [
  unusual('active-products-counted', 'products_total counts active products only.').members(
    at.me,
    ({ products_total }) => ({ products_total: Math.min(1, products_total) }),
  ),
  unusual('redirect-302', 'The resolver redirects with 302.').status(at.resolver, 307, 302),
  unusual('relative-location', 'The Location of the redirect is a path.').does(target((own) => new URL(own).pathname)),
  unusual('tracking-query', 'The redirect adds a query of its own.').does(target((own) => `${own}?src=qr`)),
  unusual('slow', 'Some responses take a quarter of a second.', { isAlone: true }).counts((requests) =>
    notes(at.everywhere, () => (requests.next() % 100 === 0 ? pause(250) : undefined)),
  ),
  unusual('large-limit-refused', 'A limit above 200 gets 400 with a code of the provider.').refuses(
    at.list,
    400,
    'limit_too_large',
    ({ query }) => Number(query.get('limit')) > 200,
  ),
  unusual('unknown-keys-refused', 'Only field keys of the template are accepted.').does(
    refusesKeys(400, (key, known) => typeof key === 'string' && key !== '' && !known.includes(key)),
  ),
  unusual('unknown-parameters-refused', 'A query parameter that the API does not have gets 400.').refuses(
    at.api,
    400,
    'unknown_parameter',
    ({ query }) => [...query.keys()].some((name) => !['status', 'search', 'limit', 'offset', 'days'].includes(name)),
  ),
  unusual('unknown-members-refused', 'A member that CreateProduct does not have gets 400.').refusesCreation(
    400,
    'unknown_member',
    (body) => Object.keys(body).some((name) => !membersOf('createProduct').includes(name)),
  ),
  unusual('public-errors-as-html', 'Errors of the public side are pages.').responds(at.publicSide, ({ status }) =>
    status < 400
      ? undefined
      : withHeader(html('Nicht gefunden', status), 'content-type', 'text/html; charset=iso-8859-1'),
  ),
  unusual('public-errors-as-text', 'A passport that is not public gets 410 as plain text.').onStatus(
    at.publicSide,
    404,
    () => new Response('gone', { status: 410, headers: { 'content-type': 'text/plain' } }),
  ),
  unusual('invalid-token-403', 'An invalid access token gets 403.').refuses(
    { ...at.publicSide, query: 'zugang=' },
    403,
    'forbidden',
    ({ provider, query }) =>
      !provider.access_tokens.some(({ token, revoked }) => token === query.get('zugang') && !revoked),
  ),
  unusual('no-head', 'HEAD gets 501.').instead(
    { ...at.everywhere, method: 'HEAD' },
    () => new Response(null, { status: 501 }),
  ),
  unusual('two-carriers', 'A product also has an NFC tag.').elements(at.carriers, 'items', (items) =>
    items.flatMap((carrier) => [
      carrier,
      { ...carrier, id: `${carrier.id}-nfc`, type: 'nfc', nfc_tag_uid: '04A224B1C36F80', status: 'printed' },
    ]),
  ),
  unusual('short-gtin-in-link', 'The Digital Link has the GTIN as it was given.').each(
    at.carriers,
    'items',
    ({ gs1_digital_link: link }) => ({
      gs1_digital_link: link.replace(/\/01\/0(\d{13})$/, '/01/$1'),
    }),
  ),
  unusual(
    'numbered-slugs',
    'Every slug ends in a number of the provider, in place of a number that the client sent.',
  ).counts((slugs) => createdText('slug', (slug) => `${slug.replace(/-\d+$/, '')}-${slugs.next()}`)),
  unusual('plus-as-plus', 'A plus in a query is a plus, as RFC 3986 has it.').asks(at.everywhere, (call) =>
    call.with({ path: call.url.replaceAll('+', '%2B') }),
  ),
  unusual('one-scan-of-each-role', 'The views of one visitor in one role count once a day.').does(
    countsOncePer(({ query }) => query.get('zugang') ?? ''),
  ),
  unusual('one-scan-of-each-visitor', 'The views of one visitor count once a day, in the role of the first view.').does(
    countsOncePer(() => 'the only visitor'),
  ),
  unusual('scans-counted-later', 'A view counts a little later.').asks(at.page, (call) => {
    setTimeout(() => call.send(), 50);
    return call.uncounted;
  }),
  unusual('scans-counted-in-batches', 'Views count some seconds later, many at once.', {
    only: ['SCAN-1.view-consumer', 'SCAN-1.top-products'],
    isAlone: true,
  }).does(countsInBatches),
  unusual(
    'days-without-scans-left-out',
    'per_day leaves out days without a scan, and begins with the latest.',
  ).elements(at.scans, 'per_day', (days) => days.filter(({ count }) => count > 0).toReversed()),
];

// Responses that are unusual on the wire. They need a connection.

/** Changes the bytes of every body. */
function everyBody(change: (bytes: Uint8Array) => BodyInit, header: string, value: string): Change {
  return responds(at.everywhere, async (response) => {
    const bytes = new Uint8Array(await response.arrayBuffer());
    const changed = new Response(bytes.length === 0 ? null : change(bytes), response);
    return bytes.length === 0 ? changed : withHeader(changed, header, value);
  });
}

const compressed = (compress: (bytes: Uint8Array) => Uint8Array, encoding: string): Change =>
  everyBody((bytes) => new Uint8Array(compress(bytes)), 'content-encoding', encoding);

/** The bytes one by one, up to the tenth, and then the rest. */
function inChunks(bytes: Uint8Array): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const byte of bytes.slice(0, 10)) controller.enqueue(Uint8Array.of(byte));
      controller.enqueue(bytes.slice(10));
      controller.close();
    },
  });
}

/** Each response in the next of these ways. */
export const inTurn = (ways: readonly UnusualProvider[]): Change =>
  counts((requests) =>
    instead(at.everywhere, ({ service, request }) => ways[requests.next() % ways.length]?.change(service)(request)),
  );

export const encodings: readonly UnusualProvider[] = [
  unusual('gzip', 'Bodies are compressed with gzip.').does(compressed(gzipSync, 'gzip')),
  unusual('brotli', 'Bodies are compressed with Brotli.').does(compressed(brotliCompressSync, 'br')),
  unusual('deflate', 'Bodies are compressed with deflate.').does(compressed(deflateSync, 'deflate')),
];

export const otherWays: readonly UnusualProvider[] = [
  unusual('chunked', 'Bodies come in small chunks.').does(everyBody(inChunks, 'transfer-encoding', 'chunked')),
  unusual('connection-close', 'The connection closes after every response.').does(
    everyBody((bytes) => new Uint8Array(bytes), 'connection', 'close'),
  ),
  unusual('rate-limited', 'Some requests get 429 with Retry-After, and succeed the second time.').counts((requests) =>
    instead(at.everywhere, () =>
      requests.next() % 50 === 0
        ? withHeader(error(429, 'rate_limited', 'Too many requests.'), 'retry-after', '0')
        : undefined,
    ),
  ),
];
