import { linkResponse, resolverDescription, scannedIn } from '../../../../openapi/src/rules/digital-link.ts';
import {
  documentAddress,
  documentOf,
  dppAddress,
  pageAddress,
  type ShownPassport,
} from '../../../../openapi/src/rules/document.ts';
import { ContractError } from '../../../../openapi/src/rules/errors.ts';
import { linkTo } from '../../../../openapi/src/rules/http.ts';
import { opensAs, serialsOf } from '../../../../openapi/src/rules/item.ts';
import {
  dayOf,
  hashedPublicContent,
  hashedTextsOf,
  sha256,
  type ViewRole,
  visibleValues,
} from '../../../../openapi/src/rules/passport.ts';
import { gtin14 } from '../../../../openapi/src/rules/product.ts';
import { isView } from '../../../../openapi/src/rules/view.ts';
import * as de from '../../generated/languages/de.ts';
import * as en from '../../generated/languages/en.ts';
import { properties } from '../../generated/samples.ts';
import { labelOf } from '../../show.ts';
import { completenessOf, contentHash, templateOf } from './api.ts';
import { type Call, escaped, htmlPage, pageHeaders, preferred, represent, send } from './http.ts';
import { latest, type State, type StoredProduct, type Version } from './state.ts';

export interface View {
  readonly product: StoredProduct;
  readonly role: ViewRole;
  readonly refused: boolean;
}

/** The same error for a draft and for a product that does not exist. */
function notPublished(): ContractError {
  const help = 'Check the address, or the digits of the GTIN.';
  return new ContractError('not_found', `This address has no published passport. ${help}`);
}

export async function getPassportPage(call: Call): Promise<Response> {
  const { state, operation, request, sent } = call;
  const scanned = scannedIn(sent.parts);
  const view = requestedView(call, scanned.serial);
  const own = Object.keys(scanned).length > 0 ? { 'cache-control': 'private, no-store' } : {};
  if (opensAs(linked(view.product), scanned.serial) === 'other item') {
    return represent(call, 'text/html', otherItemPage(call, view, scanned.serial), { ...pageHeaders, ...own });
  }
  const type = preferred(request.headers.get('accept'), operation.types);
  const passport = await shownPassport(view, latest(view.product));
  if (type === 'application/ld+json') return sendDocument(call, passport, { ...own, vary: 'accept, accept-language' });
  const address = pageAddress(passport.path, state.siteUrl);
  const link = linksTo(view.product, linkTo(`${address}/jsonld`, 'application/ld+json', 'dpp'), state.siteUrl);
  return represent(call, 'text/html', passportPage(passport), { ...pageHeaders, link, ...own }, () => {
    if (isView(request.method, (name) => request.headers.get(name) ?? '')) countScan(state, view.product, view.role);
  });
}

/** The view of the item with the requested serial number, otherwise that of the address. */
function requestedView(call: Call, serial: string | undefined): View {
  const view = viewOf(call);
  const { tenant, gtin } = view.product;
  if (serial === undefined || gtin === null || serial === linked(view.product).public_serial) return view;
  const item = [...call.state.activated].find(
    (one) =>
      one.tenant === tenant &&
      one.status === 'active' &&
      one.gtin !== null &&
      gtin14(one.gtin) === gtin14(gtin) &&
      linked(one).public_serial === serial,
  );
  return item ? viewOf({ ...call, path: { ...call.path, product: item.slug } }) : view;
}

/** The page of an item that is asked for with the serial number of another one. It shows no value. */
function otherItemPage({ query }: Call, { product: { name, slug, tenant }, refused }: View, serial = ''): string {
  const notice = `<p role="note">No public passport is registered here for the item with serial number ${escaped(serial)}.</p>`;
  const token = query.zugang === undefined || refused ? '' : `?zugang=${encodeURIComponent(String(query.zugang))}`;
  const link = `<a href="/p/${tenant.slug}/${slug}${token}">Passport of another item of this model</a>`;
  return htmlPage(name, `${notice}<p>${escaped(tenant.name)}</p><p>${link}</p>`);
}

/** The passport as an HTML page. */
function passportPage({ row, values, view }: ShownPassport): string {
  const rows = values.map(({ field_key, value, unit, is_unknown }) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const shown = is_unknown || value === null ? 'unknown' : `${text} ${unit ?? ''}`.trim();
    return `<dt>${escaped(field_key)}</dt><dd>${escaped(shown)}</dd>`;
  });
  const notice = view.refused ? '<p role="note">The access link is not valid. This is the public view.</p>' : '';
  return htmlPage(
    row.name,
    `${notice}<p>${escaped(row.tenant_name)}</p><dl lang="${row.language}">${rows.join('')}</dl>`,
  );
}

export async function getPassportJsonld(call: Call): Promise<Response> {
  const { query, sent } = call;
  const view = viewOf(call);
  if (opensAs(linked(view.product), scannedIn(sent.parts).serial) === 'other item') throw notPublished();
  if (query.version !== undefined) return versionResponse(call, view, String(query.version));
  const passport = await shownPassport(view, latest(view.product));
  const file = { 'content-disposition': `attachment; filename="${view.product.slug}.jsonld"` };
  return sendDocument(call, passport, sent.parts.some(({ name }) => name === 'download') ? file : {});
}

/** The Digital Link of a GTIN, with and without key qualifiers. */
export async function resolveGtin(call: Call): Promise<Response> {
  const { state, path, sent, request } = call;
  const { gtin = '' } = path;
  const [first, ...others] = productsOfGtin(state, gtin);
  if (!first) throw notPublished();
  const response = linkResponse(
    {
      tenant: first.tenant.slug,
      products: [linked(first), ...others.map(linked)],
      isOperated: first.tenant.economic_operator_id !== null,
    },
    {
      path: { ...path, gtin },
      queryParts: sent.parts,
      preferred: (types) => preferred(request.headers.get('accept'), types),
    },
    { siteUrl: state.siteUrl, redirectStatus: 307 },
  );
  if ('body' in response) return represent(call, response.type, JSON.stringify(response.body), response.headers);
  const { status, headers, location } = response;
  const cache = { 'cache-control': sent.hasAccessToken ? 'private, no-store' : 'no-cache' };
  return send(state, status, undefined, null, { ...cache, ...headers, location });
}

export async function getResolverDescription(call: Call): Promise<Response> {
  return represent(call, 'application/json', JSON.stringify(resolverDescription(call.state.siteUrl)), {});
}

/** The active products that the Digital Links of a GTIN lead to. All are of one tenant. */
export function productsOfGtin({ activated }: State, gtin: string): StoredProduct[] {
  const found = [...activated].filter(
    (product) => product.status === 'active' && product.gtin !== null && gtin14(product.gtin) === gtin14(gtin),
  );
  const own = found.filter(({ isSample }) => !isSample);
  const products = own.length > 0 ? own : found;
  return products.filter(({ tenant }) => tenant === products[0]?.tenant);
}

export function linked({ slug, name, versions }: StoredProduct) {
  const { serial_number, public_serial } = serialsOf(versions.at(-1)?.values ?? []);
  return { slug, name, is_item: serial_number !== null, public_serial };
}

/** The view that the `zugang` of the request opens. Throws if the passport is not public. */
export function viewOf({ state, path, query }: Call): View {
  const product = state.tenants.get(path.tenant ?? '')?.products.get(path.product ?? '');
  if (product?.status !== 'active') throw notPublished();
  if (query.zugang === undefined) return { product, role: 'consumer', refused: false };
  const grant = state.tokens.get(String(query.zugang));
  const isValid =
    grant?.tenant === product.tenant && (grant.product ?? product) === product && grant.expiresAt > state.now();
  if (isValid) return { product, role: grant.role, refused: false };
  return { product, role: 'consumer', refused: true };
}

/** An older version: its public values that are still public. */
async function versionResponse(call: Call, { product, refused }: View, text: string): Promise<Response> {
  const last = latest(product);
  const number = /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : 0;
  const version = product.versions[number - 1];
  const isPublic = version === last || version?.wasPublic;
  if (!version || !isPublic || number <= last.number - maxVersions) throw notPublished();
  const shown = await pastOf({ product, refused }, version);
  const address = documentAddress(shown.path, call.state.siteUrl, number);
  return sendDocument(call, shown, {}, address);
}

/** A version as everybody may see it: the values that were public then and are public now. */
export async function pastOf({ product, refused }: Omit<View, 'role'>, version: Version): Promise<ShownPassport> {
  const shown = await shownPassport({ product, role: 'consumer', refused }, version);
  const publicNow = new Set(visibleValues(latest(product).values, 'consumer').map(({ field_key }) => field_key));
  const values = shown.values.filter(({ field_key }) => publicNow.has(field_key));
  return { ...shown, values, publicContentHash: await sha256(hashedPublicContent(hashedTextsOf(values))) };
}

/** Versions that a history goes back. */
export const maxVersions = 50;

function sendDocument(
  call: Call,
  passport: ShownPassport,
  headers: Readonly<Record<string, string>>,
  address?: string,
): Promise<Response> {
  const { request, query } = call;
  const { siteUrl } = call.state;
  const group = passport.row.product_group ?? 'other';
  const words = wordsFor(query.lang, request.headers.get('accept-language'), passport.row.language);
  const labels = new Map(templateOf(passport.row).fields.map(({ key }) => [key, labelOf(words, key, group)]));
  const document = documentOf(passport, { siteUrl, labels, properties: properties[group] ?? {}, address });
  const product = call.state.tenants.get(passport.path.tenant)?.products.get(passport.path.product);
  const link = linksTo(product, linkTo(pageAddress(passport.path, siteUrl), 'text/html'), siteUrl);
  const isFile = headers['content-disposition'] !== undefined;
  const body = isFile ? `${JSON.stringify(document, null, 2)}\n` : JSON.stringify(document);
  return represent(call, 'application/ld+json', body, { vary: 'accept-language', link, ...headers });
}

/** The `Link` header: the other representation, and the read of EN 18222 if the tenant has an economic operator. */
function linksTo(product: StoredProduct | undefined, link: string, siteUrl: string): string {
  if (!product || product.tenant.economic_operator_id === null) return link;
  const read = dppAddress({ tenant: product.tenant.slug, product: product.slug }, siteUrl);
  return `${link}, ${linkTo(read, 'application/json')}`;
}

/** The labels that a reader gets. */
function wordsFor(lang: unknown, acceptLanguage: string | null, usual: string): typeof de | typeof en {
  const offered = [usual, 'en', 'de'];
  const language = offered.includes(String(lang)) ? String(lang) : preferred(acceptLanguage, offered);
  return language === 'de' ? de : en;
}

export async function shownPassport({ product, role, refused }: View, version: Version): Promise<ShownPassport> {
  const { tenant, slug, product_group } = product;
  return {
    path: { tenant: tenant.slug, product: slug },
    row: {
      ...product,
      ...linked(product),
      product_group: product_group as ShownPassport['row']['product_group'],
      completeness: completenessOf(product, version),
      language: tenant.language,
      tenant_name: tenant.name,
      version: version.number,
      template_version: templateOf(product).version,
      versioned_at: version.created_at,
      content_hash: await contentHash(product, version),
      salt: version.salt,
    },
    view: { role, refused },
    values: visibleValues(version.values, role),
    publicContentHash: await sha256(hashedPublicContent(hashedTextsOf(version.values))),
  };
}

/** Counts a view of a passport page, unless the law forbids it for the product group. */
function countScan({ now }: State, product: StoredProduct, role: ViewRole): void {
  if (templateOf(product).scans === false) return;
  product.tenant.scans.push({ product, role, day: dayOf(now()) });
}
