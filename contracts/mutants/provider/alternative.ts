/**
 * A provider that does everything differently that the description leaves free, at once: slugs, order, counts, hashes,
 * documents, statistics, checks and headers. A client or a suite that works with it relies on the description alone.
 */
import { isRecord, readContract } from '@product-passport/openapi';
import type { PassportDocument, PassportValue, Product } from '@product-passport/sdk';
import { at, type Route } from './call.ts';
import {
  also,
  asks,
  asksWith,
  type Change,
  created,
  error,
  header,
  ignores,
  instead,
  json,
  members,
  membersWith,
  onStatus,
  redirect,
  refuses,
  remembers,
  responds,
  text,
  withBody,
} from './change.ts';
import { wholeList } from './families/lists.ts';
import { storedValues } from './families/passports.ts';
import { type UnusualProvider, unusual } from './row.ts';
import { everyObject, everyTime, unusualBehaviour, unusualChecks, unusualRepresentation } from './unusual.ts';

const ownRefusal = () => error(400, 'anfrage_ungueltig');

const contentOf = ({ updated_at: _, ...value }: PassportValue): string => JSON.stringify(value);

/** Every write is a version, also one that changes nothing, and `updated` counts the changed fields. */
const everyWriteCounts: Change = remembers<{ readonly count: number; readonly time: string }>((rewrites) => [
  instead(at.write, async (call) => {
    const body = await call.json();
    if (!Array.isArray(body)) return undefined;
    const isStrange = (one: unknown): boolean =>
      isRecord(one) && typeof one.field_key === 'string' && !call.provider.field_keys.includes(one.field_key);
    // An absent access level or unit gets its default. The fields of the template are stored although others are refused.
    const accepted = body
      .filter((one) => !isStrange(one))
      .map((one) => (isRecord(one) ? { access_level: 'public', unit: null, ...one } : one));
    const contents = async () => (await storedValues(call))?.map(contentOf) ?? [];
    const before = await contents();
    const response = await call.withJson(accepted).send();
    if (response.status !== 200) return response;
    const updated = (await contents()).filter((content) => !before.includes(content)).length;
    if (updated === 0 && accepted.length > 0) {
      const count = (rewrites.get(call.slug)?.count ?? 0) + 1;
      rewrites.set(call.slug, { count, time: new Date().toISOString() });
    }
    if (accepted.length < body.length) return ownRefusal();
    return withBody(response, JSON.stringify({ ...Object(await response.json()), updated }));
  }),
  ...[at.passport, at.document, at.product].map((route: Route) =>
    text(route, (text, { segments }) => {
      const { count = 0, time } = rewrites.get(segments[3]) ?? rewrites.get(segments[2]) ?? {};
      return text
        .replace(/"([0-9a-f]{40})[0-9a-f]{24}"/g, (_hash, start: string) => `"v${count}-${start.toUpperCase()}"`)
        .replace(/"(updated_at|created_at)":"[^"]*"/g, (field, name) => (time ? `"${name}":"${time}"` : field));
    }),
  ),
]);

/** `Wool Hat Dún` gives `artikel~wool_hat_dn`. */
function slugOf(name: string): string {
  const words = name.toLowerCase().split(/[\s_-]+/);
  const plain = words.map((word) => word.replace(/[^a-z0-9]/g, '')).filter((word) => word !== '');
  return ['artikel', ...plain].join('_').replace('_', '~').slice(0, 40).replace(/_$/, '');
}

/** The inner service accepts neither `_` nor `~` in a slug, and trims names. */
const inward = (text: string): string => text.replaceAll('_', '-xu-').replaceAll('~', '-xt-');
const outward = (text: string): string => text.replaceAll('-xu-', '_').replaceAll('-xt-', '~').replaceAll('\ue000', '');

/** Slugs have underscores and tildes, and names are not trimmed. */
const otherSlugs: readonly Change[] = [
  created(({ name, slug }) => {
    if (typeof name !== 'string' || name.trim() === '' || !['string', 'undefined'].includes(typeof slug)) return {};
    const own = slug?.replace(/[^\w~-]/g, '') || slugOf(name);
    return { slug: inward(own), name: name.replace(/^\s|\s$/g, '\ue000$&\ue000') };
  }),
  asks({ path: /^\/(?:api\/v1\/products|p)\// }, (call) => {
    const { pathname, search } = new URL(call.url);
    return call.with({ path: inward(pathname) + search });
  }),
  responds(at.everywhere, async (response) => {
    const headers = new Headers(response.headers);
    for (const [name, value] of headers) headers.set(name, outward(value));
    const text = await response.text();
    return new Response(response.body && outward(text), { status: response.status, headers });
  }),
];

const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Lists begin with the newest product, and a search folds ASCII only. */
const newestFirst = members(at.list, async ({ limit, offset }, call) => {
  const search = foldAscii(call.query.get('search') ?? '');
  const found = (await wholeList(call)).filter(({ name }) => foldAscii(name).includes(search)).reverse();
  return { items: found.slice(offset, offset + limit), total: found.length };
});

/** A draft with a GTIN has a carrier too. */
const draftsHaveCarriers = membersWith(
  at.carriers,
  (call) => call.get(call.path.replace(/\/carriers$/, '')),
  ({ items }, { gtin, id, created_at }: Product) => {
    const gs1_digital_link = `http://passports.test/01/${gtin?.padStart(14, '0')}`;
    const own = { id: `${id}-c`, type: 'gs1_qr', gs1_digital_link, nfc_tag_uid: null, status: 'printed', created_at };
    return { items: items.length > 0 || gtin === null ? items : [own] };
  },
);

/** The last product with exactly this GTIN has the Digital Link. The redirect is relative, and has no query. */
const otherResolver = onStatus({ ...at.links, method: 'GET' }, 307, async (response, call) => {
  const [, gtin] = call.segments;
  const found: string[] = [];
  for (const { slug: tenant, api_key } of call.provider.tenants) {
    const items = await wholeList(call.with({ key: api_key }).get('/api/v1/products?status=active'));
    for (const item of items.filter((one) => one.gtin === gtin).reverse()) found.push(`/p/${tenant}/${item.slug}`);
  }
  const [address] = found;
  if (address === undefined) return error(404, 'not_found');
  const [, tail = ''] = /(\/jsonld)?(?:\?.*)?$/.exec(response.headers.get('location') ?? '') ?? [];
  return redirect(`${address}${tail}`, 302);
});

/** The keys of the values in a document that an authority alone may see. */
const authorityKeys = ({ additionalProperty }: PassportDocument): readonly string[] =>
  additionalProperty.filter((one) => one['dpp:accessLevel'] === 'authority').map(({ propertyID }) => propertyID);

/** An inspector sees what a recycler sees, in another document. */
const inspectorsSeeLess: readonly Change[] = [
  text(at.page, async (text, call) => {
    const { pathname, search } = new URL(call.url);
    const hidden = authorityKeys(await call.get(`${pathname}/jsonld${search}`).reply());
    return text.replace(/<dt>(.*?)<\/dt><dd>.*?<\/dd>/g, (row, key: string) => (hidden.includes(key) ? '' : row));
  }),
  json(at.document, flat),
];

/** Another document in the same vocabularies. */
function flat(given: PassportDocument): object {
  const hidden = authorityKeys(given);
  const { name, gtin14, url, additionalProperty, hasDigitalProductPassport: node } = given;
  return {
    '@context': { '@vocab': 'https://schema.org/', gs1: 'https://ref.gs1.org/voc/' },
    '@graph': [
      {
        '@type': 'gs1:Product',
        'gs1:productName': name,
        'gs1:gtin': gtin14,
        url,
        sha256: node.identifier.value,
        additionalProperty: additionalProperty
          .filter(({ propertyID }) => !hidden.includes(propertyID))
          .map(({ propertyID, value }) => ({
            '@type': 'PropertyValue',
            name: propertyID,
            value: JSON.stringify(value),
          })),
      },
    ],
  };
}

/** A read of the document counts as a view. */
const documentsCount = also(at.document, 200, (call) => call.with({ path: call.url.replace(/\/jsonld(?=\?|$)/, '') }));

/** A role without a view is left out. */
const viewedRolesOnly = members(at.scans, ({ by_view_role: roles }) => ({
  by_view_role: Object.fromEntries(Object.entries(roles).filter(([, count]) => count > 0)),
}));

/** Repeated parameters, an unknown status and another content type are ignored. */
const lenient: readonly Change[] = [
  asks(at.api, (call) => {
    const first = new URLSearchParams(Object.fromEntries([...call.query].reverse()));
    return call.with({ path: `${call.path}?${first}` });
  }),
  ignores(at.api, 'status', (status) => !['draft', 'active', 'archived'].includes(status)),
  ...[at.create, at.write].map((route) => asksWith(route, 'content-type', 'application/json')),
];

const parameters = readContract().operations.flatMap((operation) => operation.parameters);

/** A number outside its range is refused. */
const refusesOutside = refuses(at.api, 400, 'anfrage_ungueltig', ({ key, keys, query }) => {
  const isOutside = parameters.some(({ name, schema: { 'x-clamp': range } }) => {
    const text = query.get(name) ?? '';
    if (range === undefined || !/^-?\d+$/.test(text)) return false;
    return Number(text) < range.minimum || Number(text) > range.maximum;
  });
  return keys.includes(key) && isOutside;
});

const servedPaths: readonly RegExp[] = [
  /^\/api\/v1\/(?:me|products|analytics\/scans)$/,
  /^\/api\/v1\/products\/[^/]+(?:\/(?:passport|carriers))?$/,
  /^(?!\/api\/).*[^/]$/,
];

/** An unknown path, a slash at the end and another method get 404, also without a key. */
const notFound: readonly Change[] = [
  onStatus(at.everywhere, 405, () => error(404, 'not_found')),
  refuses(at.everywhere, 404, 'not_found', ({ path }) => !servedPaths.some((form) => form.test(path))),
];

const german: Readonly<Record<string, string>> = {
  invalid_gtin: 'gtin_ungueltig',
  invalid_request: 'anfrage_ungueltig',
};

/** Codes that the description does not name are German, values have no language, and times have no fraction. */
const otherForms: readonly Change[] = [
  everyObject(({ salt: _, ...object }) => ({
    ...object,
    ...('id' in object && { revision: 1 }),
    ...('template_version' in object && { template_version: 7 }),
    ...('locale' in object && { locale: 'und' }),
    ...('country' in object && { country: String(object.country).toLowerCase() }),
    ...('code' in object && { code: german[String(object.code)] ?? object.code }),
    ...(typeof object.unique_product_identifier === 'string' && {
      unique_product_identifier: object.unique_product_identifier.replace('urn:dpp:', 'urn:artikelpass:'),
    }),
  })),
  everyTime((time) => `${time.slice(0, 19)}+00:00`),
];

const otherHeaders: readonly Change[] = [
  ...['x-content-type-options', 'x-request-id', 'www-authenticate'].map((name) => header(at.everywhere, name, null)),
  header(at.everywhere, 'cache-control', (own) => (own === 'no-store' ? null : own)),
  header(at.everywhere, 'content-type', (own) => own?.replace(/; charset=utf-8$/, ';charset="UTF-8"') ?? null),
  header(at.everywhere, 'server', 'Passdienst/7'),
  header(at.everywhere, 'x-region', 'eu-central'),
  header(at.everywhere, 'vary', (own) => own ?? 'authorization'),
];

/** Freedoms that other providers take one at a time. */
const shared: readonly string[] = [
  'ten-groups',
  'check-digit-first',
  'members-checked-first',
  'invalid-token-403',
  'public-errors-as-text',
  'no-head',
  'short-gtin-in-link',
  'two-carriers',
  'days-without-scans-left-out',
  'other-completeness',
  'no-findings',
  'other-ids',
  'other-plan',
  'other-registry-status',
  'other-messages',
  'other-names',
  'empty-members-left-out',
  'reversed-members',
  'values-newest-first',
];

export const alternative: UnusualProvider = unusual(
  'alternative',
  'Everything that the description leaves free is done differently.',
  { isAlone: true },
).together([
  everyWriteCounts,
  ...otherSlugs,
  newestFirst,
  draftsHaveCarriers,
  otherResolver,
  ...inspectorsSeeLess,
  documentsCount,
  viewedRolesOnly,
  refusesOutside,
  ...lenient,
  ...notFound,
  ...otherForms,
  ...[...unusualRepresentation, ...unusualBehaviour, ...unusualChecks]
    .filter(({ id }) => shared.includes(id))
    .map(({ change }) => change),
  ...otherHeaders,
]);
