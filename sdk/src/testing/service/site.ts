import { canonical } from '../../../../openapi/src/rules/canonical.ts';
import { sha256 } from '../../hash.ts';
import { ServiceError } from './behaviour.ts';
import { type Call, send } from './call.ts';
import { type PublicPassport, passportPage, publiclyHashed } from './document.ts';
import { completenessOf } from './passports.ts';
import { linkOf } from './products.ts';
import type { StoredProduct, ViewRole } from './records.ts';
import { countScan } from './scans.ts';
import type { State } from './state.ts';

const publicHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Date, Retry-After, X-Request-Id',
  'referrer-policy': 'no-referrer',
};

interface View {
  readonly product: StoredProduct;
  readonly role: ViewRole;
  readonly hasInvalidToken: boolean;
}

export async function getPassportPage(call: Call): Promise<Response> {
  const view = viewOf(call);
  const passport = await publicPassport(call.state, view);
  if (isScan(call)) countScan(call.state, view.product, view.role);
  const headers = { ...publicHeaders, 'cache-control': cacheControl(call) };
  return send(call.state, 200, 'text/html', passportPage(passport), headers);
}

export async function getPassportJsonld(call: Call): Promise<Response> {
  const { state } = call;
  const view = viewOf(call);
  const document = state.behaviour.document(await publicPassport(state, view));
  if (state.behaviour.documentCountsAsScan && isScan(call)) countScan(state, view.product, view.role);
  const headers = { ...publicHeaders, 'cache-control': cacheControl(call) };
  return send(state, 200, 'application/ld+json', JSON.stringify(document), headers);
}

export function resolveGtin(call: Call): Response {
  const { state, path, query } = call;
  const { behaviour } = state;
  const { gtin = '' } = path;
  if (!/^(\d{8}|\d{12,14})$/.test(gtin)) throw new ServiceError('invalid_gtin');
  const link = behaviour.linkGtin(gtin);
  const active = [...state.activated].filter(
    (product) => product.status === 'active' && product.gtin !== null && behaviour.linkGtin(product.gtin) === link,
  );
  const product = active.at(behaviour.sharedGtinLeadsTo);
  if (!product) throw new ServiceError('not_found');
  const target = new URL(pageOf(product, state));
  const parameters = [...query].filter(([name]) => name !== 'linkType');
  if (behaviour.redirectKeepsQuery) target.search = new URLSearchParams(parameters).toString();
  const location = behaviour.redirectIsAbsolute ? target.href : target.pathname + target.search;
  const headers = { ...publicHeaders, 'cache-control': cacheControl(call), location };
  return send(state, behaviour.redirect, undefined, null, headers);
}

/** The view that the `zugang` of the request opens. Throws if the passport is not public. */
function viewOf({ state, path, query }: Call): View {
  const product = state.tenants.get(path.tenant ?? '')?.products.get(path.product ?? '');
  if (product?.status !== 'active') throw new ServiceError('not_found');
  if (!query.has('zugang')) return { product, role: 'consumer', hasInvalidToken: false };
  const grant = state.tokens.get(query.getAll('zugang').join());
  const isValid =
    grant?.tenant === product.tenant && (grant.product ?? product) === product && grant.expiresAt > state.now();
  if (isValid) return { product, role: grant.role, hasInvalidToken: false };
  if (state.behaviour.refusesInvalidToken) throw new ServiceError('not_found');
  return { product, role: 'consumer', hasInvalidToken: true };
}

async function publicPassport(state: State, { product, role, hasInvalidToken }: View): Promise<PublicPassport> {
  const { siteUrl, behaviour } = state;
  const { tenant, version, name, gtin, model } = product;
  const levels = behaviour.levelsOf(role);
  const published = version.values.filter(({ access_level }) => access_level === 'public');
  return {
    ...{ name, gtin, model, siteUrl, role, hasInvalidToken },
    urn: product.unique_product_identifier,
    group: product.product_group,
    issuer: tenant.name,
    page: pageOf(product, state),
    link: linkOf(product, state),
    values: version.values.filter(({ access_level }) => levels.includes(access_level)),
    completeness: completenessOf(product, behaviour),
    language: behaviour.locale(tenant.country),
    templateVersion: behaviour.templateVersion,
    version: version.number,
    salt: version.salt,
    modified: behaviour.time(version.createdAt),
    contentHash: await behaviour.contentHash(version, behaviour.templateVersion),
    publicHash: await sha256(canonical(published.map(publiclyHashed))),
  };
}

function pageOf({ tenant, slug }: StoredProduct, { siteUrl }: State): string {
  return `${siteUrl}/p/${tenant.slug}/${slug}`;
}

function cacheControl({ query }: Call): string {
  return query.has('zugang') ? 'private, no-store' : 'no-cache';
}

function isScan({ request }: Call): boolean {
  const purposes = ['sec-purpose', 'purpose', 'x-moz'].map((name) => request.headers.get(name) ?? '');
  return request.method === 'GET' && !purposes.some((purpose) => purpose.includes('prefetch'));
}
