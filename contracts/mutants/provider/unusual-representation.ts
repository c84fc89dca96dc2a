/** Providers whose responses look unusual. */
import { at, jsonOf } from './call.ts';
import { type Change, header, members, responds, text, withBody } from './change.ts';
import { type Unusual, unusual } from './row.ts';

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

function localTime(time: string): string {
  return new Date(Date.parse(time) + 2 * 3_600_000).toISOString().replace('Z', '+02:00');
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

export const unusualRepresentation: readonly Unusual[] = [
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
  unusual('times-with-offset', 'Times have the offset of the place.').does(everyTime(localTime)),
  unusual('times-in-microseconds', 'Times have six digits after the second.').does(
    everyTime((time) => time.replace('Z', '000Z')),
  ),
  unusual('challenge-with-realm', 'A 401 has a challenge with a realm.').header(
    at.api,
    'www-authenticate',
    (own) => own && 'Bearer realm="api", error="invalid_token"',
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
