/**
 * A provider that does everything differently that the description leaves free, at once: slugs, order, counts, hashes,
 * documents, statistics, checks and headers. A client or a suite that works with it relies on the description alone.
 */
import { isRecord } from '@product-passport/openapi';
import type {
  CreateProduct,
  Passport,
  PassportDocument,
  PassportValue,
  Product,
  ProductList,
  ProductListItem,
} from '@product-passport/sdk';
import { hasValidCheckDigit } from '@product-passport/sdk/gs1';
import { namedGroups } from '../../conformance/cases/products.ts';
import {
  also,
  api,
  asks,
  asksWith,
  type Change,
  carriers,
  create,
  document,
  error,
  everywhere,
  header,
  ignores,
  instead,
  json,
  jsonOf,
  keyOf,
  keysOf,
  links,
  list,
  matches,
  members,
  membersWith,
  ofProduct,
  onStatus,
  page,
  passport,
  pathOf,
  product,
  queryOf,
  readOf,
  redirect,
  refuses,
  type Service,
  scans,
  segments,
  text,
  together,
  withBody,
  withKey,
  withPath,
  withQuery,
  withText,
  write,
} from './change.ts';
import { type Unusual, unusual } from './row.ts';
import { unusualBehaviour } from './unusual-behaviour.ts';
import { everyObject, everyTime, unusualRepresentation } from './unusual-representation.ts';

const maxPage = 200;
const ownRefusal = () => error(400, 'anfrage_ungueltig');

/** A read of the service with the key of another request. */
async function read<Body>(service: Service, request: Request, path: string): Promise<Body | undefined> {
  const response = await service.fetch(readOf(request, path));
  return response.status === 200 ? ((await response.json()) as Body) : undefined;
}

/** All products of the tenant of a request, oldest first. */
async function allProducts(service: Service, request: Request, status: string | null): Promise<ProductListItem[]> {
  const items: ProductListItem[] = [];
  for (;;) {
    const query = new URLSearchParams({ limit: `${maxPage}`, offset: `${items.length}`, ...(status && { status }) });
    const found = await read<ProductList>(service, request, `/api/v1/products?${query}`);
    items.push(...(found?.items ?? []));
    if (!found || items.length >= found.total || found.items.length === 0) return items;
  }
}

const contentOf = ({ updated_at: _, ...value }: PassportValue): string => JSON.stringify(value);

/** Every write is a version, also one that changes nothing, and `updated` counts the changed fields. */
const everyWriteCounts: Change = (service) => {
  /** The writes that changed nothing, by slug. */
  const rewrites = new Map<string, { count: number; at: string }>();

  const written = instead(write, async (request) => {
    const body = await jsonOf(request);
    if (!Array.isArray(body)) return undefined;
    const valuesNow = async (): Promise<readonly PassportValue[]> =>
      (await read<Passport>(service, request, request.url))?.values ?? [];
    const isStrange = (one: unknown): boolean =>
      isRecord(one) && typeof one.field_key === 'string' && !service.provider.field_keys.includes(one.field_key);
    // An absent access level or unit gets its default. The fields of the template are stored although others are refused.
    const accepted = body
      .filter((one) => !isStrange(one))
      .map((one) => (isRecord(one) ? { access_level: 'public', unit: null, ...one } : one));
    const before = new Set((await valuesNow()).map(contentOf));
    const response = await service.fetch(withText(request, JSON.stringify(accepted)));
    if (response.status !== 200) return response;
    const updated = (await valuesNow()).filter((value) => !before.has(contentOf(value))).length;
    const [, , , slug = ''] = segments(request);
    if (updated === 0 && accepted.length > 0) {
      rewrites.set(slug, { count: (rewrites.get(slug)?.count ?? 0) + 1, at: new Date().toISOString() });
    }
    if (accepted.length < body.length) return ownRefusal();
    return withBody(response, JSON.stringify({ ...Object(await response.json()), updated }));
  });

  const rewritten = (text: string, request: Request): string => {
    const parts = segments(request);
    const { count = 0, at } = rewrites.get(parts[3] ?? '') ?? rewrites.get(parts[2] ?? '') ?? {};
    return text
      .replace(/"([0-9a-f]{40})[0-9a-f]{24}"/g, (_hash, start: string) => `"v${count}-${start.toUpperCase()}"`)
      .replace(/"(updated_at|created_at)":"[^"]*"/g, (field, name) => (at ? `"${name}":"${at}"` : field));
  };
  const shown = [passport, document, product].map((one) => text(one, rewritten));
  return together([written, ...shown])(service);
};

/** `Wollmütze Förde` gives `wollmtze_frde`. */
function underscored(name: string): string {
  const words = name.toLowerCase().split(/[\s_-]+/);
  const plain = words.map((word) => word.replace(/[^a-z0-9]/g, '')).filter((word) => word !== '');
  return plain.join('_').slice(0, 40) || 'artikel';
}

/** The refusal of a body that the reference server accepts: another group, more members, a wrong check digit. */
function refusalOf({ name, product_group: group, gtin, ...rest }: CreateProduct): Response | undefined {
  // The description names the code for a missing name.
  if (typeof name !== 'string' || name.trim() === '') return undefined;
  if (typeof group === 'string' && !namedGroups.includes(group)) return error(400, 'unknown_product_group');
  const isKnown = (member: string): boolean => member === 'slug' || member === 'model';
  const others = Object.entries(rest);
  if (group === null || gtin === null || others.some(([member, value]) => value === null || !isKnown(member))) {
    return ownRefusal();
  }
  return /^(?:\d{8}|\d{12,14})$/.test(String(gtin)) && !hasValidCheckDigit(String(gtin))
    ? error(400, 'gtin_ungueltig')
    : undefined;
}

/** Slugs have underscores and tildes. Inside the service each product has a numbered slug. */
const otherSlugs: Change = (service) => {
  const made: { readonly slug: string; readonly name: string }[] = [];
  // By tenant and slug.
  const inner = new Map<string, string>();
  const reserved = new Set<string>();
  const tenantOf = (key: string): string => service.provider.tenants.find(({ api_key }) => api_key === key)?.slug ?? '';
  const innerForm = /alternative-product-(\d+)/g;
  const outer = (text: string): string => text.replace(innerForm, (own, at) => made[Number(at)]?.slug ?? own);

  async function freeSlug(request: Request, base: string): Promise<string> {
    for (let nth = 0; ; nth += 1) {
      const slug = nth === 0 ? base : `${base}~${nth}`;
      const place = `${tenantOf(keyOf(request))} ${slug}`;
      const isReserved = reserved.has(place);
      // Before the first pause, because products are created at the same time.
      reserved.add(place);
      if (!isReserved && !(await read(service, request, `/api/v1/products/${slug}`))) return slug;
    }
  }

  async function created(request: Request): Promise<Response> {
    const body = await jsonOf(request);
    if (!isRecord(body)) return service.fetch(request);
    const { name, slug } = body;
    const refusal = refusalOf(body as unknown as CreateProduct);
    if (refusal) return refusal;
    const isOdd = typeof name !== 'string' || (slug !== undefined && typeof slug !== 'string');
    if (isOdd) return service.fetch(request);
    const own = await freeSlug(request, slug?.replace(/[^\w~-]/g, '') || underscored(name));
    const number = made.push({ slug: own, name }) - 1;
    const numbered = `alternative-product-${number}`;
    inner.set(`${tenantOf(keyOf(request))} ${own}`, numbered);
    return service.fetch(withText(request, JSON.stringify({ ...body, slug: numbered })));
  }

  /** The request for the numbered slug. */
  function inward(request: Request): Request {
    const parts = new URL(request.url).pathname.split('/');
    const [at, tenant] = parts[1] === 'p' ? [3, parts[2] ?? ''] : [4, tenantOf(keyOf(request))];
    const slug = parts[at];
    if (slug === undefined || !(matches(ofProduct, request) || parts[1] === 'p')) return request;
    const numbered = inner.get(`${tenant} ${slug}`) ?? (slug.match(innerForm) ? 'none' : slug);
    return withPath(request, parts.with(at, numbered).join('/') + new URL(request.url).search);
  }

  return async (request) => {
    const response = await (matches(create, request) ? created(request) : service.fetch(inward(request)));
    const text = await response.text();
    const json = await jsonOf(new Response(text));
    const named = isRecord(json) ? JSON.stringify(withNames(json)) : text;
    const headers = new Headers(response.headers);
    for (const name of ['link', 'location']) if (headers.has(name)) headers.set(name, outer(headers.get(name) ?? ''));
    return new Response(response.body && outer(named), { status: response.status, headers });
  };

  /** Names as they were sent: this provider does not trim them. */
  function withNames(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(withNames);
    if (!isRecord(node)) return node;
    const members = Object.entries(node).map(([member, part]) => [member, member === 'value' ? part : withNames(part)]);
    const [, at] = /^alternative-product-(\d+)$/.exec(String(node.slug)) ?? [];
    return { ...Object.fromEntries(members), ...(at !== undefined && { name: made[Number(at)]?.name }) };
  }
};

const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Lists begin with the newest product, and a search folds ASCII only. */
const newestFirst = onStatus(list, 200, async (response, request, service) => {
  const { limit, offset }: ProductList = await response.clone().json();
  const search = foldAscii(queryOf(request, 'search') ?? '');
  const all = await allProducts(service, request, queryOf(request, 'status'));
  const found = all.filter(({ name }) => foldAscii(name).includes(search)).reverse();
  const body = { items: found.slice(offset, offset + limit), total: found.length, limit, offset };
  return withBody(response, JSON.stringify(body));
});

/** A draft with a GTIN has a carrier too. */
const draftsHaveCarriers = membersWith(
  carriers,
  (request) => readOf(request, pathOf(request).replace(/\/carriers$/, '')),
  ({ items }, { gtin, id, created_at }: Product) => {
    const gs1_digital_link = `http://passports.test/01/${gtin?.padStart(14, '0')}`;
    const own = { id: `${id}-c`, type: 'gs1_qr', gs1_digital_link, nfc_tag_uid: null, status: 'printed', created_at };
    return { items: items.length > 0 || gtin === null ? items : [own] };
  },
);

/** The last product with exactly this GTIN has the Digital Link. The redirect is relative, and has no query. */
const otherResolver = onStatus({ method: 'GET', path: links.path }, 307, async (response, request, service) => {
  const [, gtin = ''] = segments(request);
  const found: string[] = [];
  for (const { slug: tenant, api_key } of service.provider.tenants) {
    const items = await allProducts(service, withKey(request, api_key), 'active');
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
  onStatus(page, 200, async (response, request, service) => {
    const { pathname, search } = new URL(request.url);
    const shown = await read<PassportDocument>(service, request, `${pathname}/jsonld${search}`);
    const hidden = shown ? authorityKeys(shown) : [];
    const isHidden = (row: string, key: string): string => (hidden.includes(key) ? '' : row);
    return withBody(response, (await response.text()).replace(/<dt>(.*?)<\/dt><dd>.*?<\/dd>/g, isHidden));
  }),
  json(document, flat),
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
const documentsCount = also(document, 200, (request) => {
  const { pathname, search } = new URL(request.url);
  return withPath(request, pathname.replace(/\/jsonld$/, '') + search);
});

/** A role without a view is left out. */
const viewedRolesOnly = members(scans, ({ by_view_role: roles }) => ({
  by_view_role: Object.fromEntries(Object.entries(roles).filter(([, count]) => count > 0)),
}));

/** Repeated parameters, an unknown status and another content type are ignored. */
const lenient: readonly Change[] = [
  asks(api, (request) =>
    withQuery(request, (query) => {
      for (const [name, value] of [...query].reverse()) query.set(name, value);
    }),
  ),
  ignores(api, 'status', (status) => !['draft', 'active', 'archived'].includes(status)),
  ...[create, write].map((at) => asksWith(at, 'content-type', 'application/json')),
];

const ranges: Readonly<Record<string, readonly [number, number]>> = {
  limit: [1, maxPage],
  offset: [0, Number.MAX_SAFE_INTEGER],
  days: [1, 365],
};

/** A number outside its range is refused. */
const refusesOutside = instead(api, (request, service) => {
  if (!keysOf(service).includes(keyOf(request))) return undefined;
  const isOutside = [...new URL(request.url).searchParams].some(([name, text]) => {
    const [minimum, maximum] = (Object.hasOwn(ranges, name) && ranges[name]) || [];
    if (minimum === undefined || maximum === undefined || !/^-?\d+$/.test(text)) return false;
    return Number(text) < minimum || Number(text) > maximum;
  });
  return isOutside ? ownRefusal() : undefined;
});

const servedPaths: readonly RegExp[] = [
  /^\/api\/v1\/(?:me|products|analytics\/scans)$/,
  /^\/api\/v1\/products\/[^/]+(?:\/(?:passport|carriers))?$/,
  /^(?!\/api\/).*[^/]$/,
];

/** An unknown path, a slash at the end and another method get 404, also without a key. */
const notFound: readonly Change[] = [
  onStatus(everywhere, 405, () => error(404, 'not_found')),
  refuses(everywhere, 404, 'not_found', (request) => !servedPaths.some((form) => form.test(pathOf(request)))),
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
  ...['x-content-type-options', 'x-request-id', 'www-authenticate'].map((name) => header(everywhere, name, null)),
  header(everywhere, 'cache-control', (own) => (own === 'no-store' ? null : own)),
  header(everywhere, 'content-type', (own) => own?.replace(/; charset=utf-8$/, ';charset="UTF-8"') ?? null),
  header(everywhere, 'server', 'Passdienst/7'),
  header(everywhere, 'x-region', 'eu-central'),
  header(everywhere, 'vary', (own) => own ?? 'authorization'),
];

/** Freedoms that other providers take one at a time. */
const shared: readonly string[] = [
  'invalid-token-403',
  'public-errors-as-text',
  'no-head',
  'short-gtin-in-link',
  'two-carriers',
  'days-without-scans-left-out',
  'other-completeness',
  'other-ids',
  'other-plan',
  'other-registry-status',
  'other-messages',
  'other-names',
  'empty-members-left-out',
  'reversed-members',
  'values-newest-first',
];

export const alternative: Unusual = unusual(
  'alternative',
  'Everything that the description leaves free is done differently.',
  { isAlone: true },
).does(
  together([
    everyWriteCounts,
    otherSlugs,
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
    ...[...unusualRepresentation, ...unusualBehaviour]
      .filter(({ id }) => shared.includes(id))
      .map(({ change }) => change),
    ...otherHeaders,
  ]),
);
