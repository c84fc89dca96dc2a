import { sentQueryText } from '../../../../openapi/src/rules/digital-link.ts';
import { type PassportPath, pageAddress, type ShownPassport } from '../../../../openapi/src/rules/document.ts';
import {
  compressed,
  dppOf,
  elementAt,
  elementSteps,
  instantOf,
  type NamedProduct,
  namedProduct,
  pageOfIds,
  passportPathOf,
  type Representation,
} from '../../../../openapi/src/rules/dpp.ts';
import { ContractError } from '../../../../openapi/src/rules/errors.ts';
import { openedBy } from '../../../../openapi/src/rules/item.ts';
import { templateOf } from './api.ts';
import { type Call, preferred, represent, send } from './http.ts';
import { linked, maxVersions, pastOf, productsOfGtin, shownPassport, type View, viewOf } from './site.ts';
import { latest, type State, type StoredProduct } from './state.ts';

/** The same error for a passport that does not exist, and for a tenant without an operator. */
function noPassport(): ContractError {
  return new ContractError('not_found', 'There is no published passport with this identifier.');
}

export async function readDppById(call: Call): Promise<Response> {
  return respondWith(call, viewAt(call, passportPathOf(call.path.dppId ?? '', call.state.siteUrl)));
}

export async function readDppByProductId(call: Call): Promise<Response> {
  const { state, path } = call;
  const named = namedProduct(path.productId ?? '', state.siteUrl);
  return respondWith(call, viewAt(call, pathOf(state, named)));
}

export async function readDppIdsByProductIds({ state, body, query, ...call }: Call): Promise<Response> {
  const { limit, cursor } = query as { limit: number; cursor: string | undefined };
  const page = await pageOfIds(body as string[], { limit, cursor }, state.siteUrl, async (all) =>
    all.map((named) => pathOf(state, named)),
  );
  return represent({ state, body, query, ...call }, 'application/json', JSON.stringify(page.body), page.headers);
}

export async function readDppVersionByIdAndDate(call: Call): Promise<Response> {
  const { state, path, query } = call;
  const instant = instantOf(String(query.date));
  if (instant === undefined) throw new ContractError('invalid_request', 'date must be a time that exists.');
  const view = viewAt({ ...call, query: {} }, passportPathOf(path.dppId ?? '', state.siteUrl));
  const { product } = view;
  const version = [...product.versions].reverse().find(({ created_at }) => created_at <= instant);
  const isKnown = version && version.number > latest(product).number - maxVersions;
  const isPublic = version === latest(product) || version?.wasPublic;
  if (!isKnown || !isPublic || product.activatedAt === null || instant < product.activatedAt) throw noPassport();
  return send200(call, await pastOf(view, version));
}

export async function readDataElement(call: Call): Promise<Response> {
  const { state, path, query } = call;
  const steps = elementSteps(path.elementIdPath ?? '');
  if (!steps) throw new ContractError('invalid_request', "elementIdPath must be a path such as $['a'][0] or $.a.");
  const detail = 'There is no published passport with this identifier, or it has no element at this path.';
  const missing = new ContractError('not_found', detail);
  const view = viewAt(call, passportPathOf(path.dppId ?? '', state.siteUrl), missing);
  const { elements = [] } = bodyOf(state, await shownPassport(view, latest(view.product)), 'full');
  const element = elementAt(elements, steps);
  if (!element) throw missing;
  const body = query.representation === 'full' ? element : compressed(element);
  return represent(call, 'application/json', JSON.stringify(body), {});
}

function viewAt(call: Call, path: PassportPath | undefined, error = noPassport()): View {
  const product = path && call.state.tenants.get(path.tenant)?.products.get(path.product);
  if (product?.status !== 'active' || product.tenant.economic_operator_id === null) throw error;
  return viewOf({ ...call, path: { ...path } });
}

/** The path of the active product that an identifier names, if its tenant has an operator. */
function pathOf(state: State, named: NamedProduct | undefined): PassportPath | undefined {
  const product = named && productOf(state, named);
  const isShown = product?.status === 'active' && product.tenant.economic_operator_id !== null;
  return isShown ? { tenant: product.tenant.slug, product: product.slug } : undefined;
}

function productOf(state: State, named: NamedProduct): StoredProduct | undefined {
  if ('path' in named) {
    const product = state.tenants.get(named.path.tenant)?.products.get(named.path.product);
    return named.urn === undefined || named.urn === product?.unique_product_identifier ? product : undefined;
  }
  const { gtin, serial } = named;
  const [first, ...others] = productsOfGtin(state, gtin).map((product) => ({ product, ...linked(product) }));
  const opened = first && openedBy([first, ...others], serial);
  const isNamed = opened?.public_serial === (serial ?? null) && opened.is_item === (serial !== undefined);
  return isNamed ? opened.product : undefined;
}

/** The passport, or the way to its page for those who prefer HTML. */
async function respondWith(call: Call, view: View): Promise<Response> {
  const { state, request, sent } = call;
  const { tenant, slug } = view.product;
  if (preferred(request.headers.get('accept'), ['application/json', 'text/html']) === 'text/html') {
    const query = sentQueryText(sent.parts);
    const location = `${pageAddress({ tenant: tenant.slug, product: slug }, state.siteUrl)}${query && `?${query}`}`;
    const cache = { 'cache-control': sent.hasAccessToken ? 'private, no-store' : 'no-cache' };
    return send(state, 307, undefined, null, { ...cache, vary: 'accept', location });
  }
  return send200(call, await shownPassport(view, latest(view.product)), { vary: 'accept' });
}

function send200(call: Call, passport: ShownPassport, headers: Record<string, string> = {}): Promise<Response> {
  const { representation = 'compressed' } = call.query as { representation?: Representation };
  const body = bodyOf(call.state, passport, representation);
  return represent(call, 'application/json', JSON.stringify(body), headers);
}

function bodyOf({ siteUrl, tenants }: State, passport: ShownPassport, representation: Representation) {
  const { path, row, values } = passport;
  const { economic_operator_id = null, facility_id = null } = tenants.get(path.tenant) ?? {};
  const { fields } = templateOf(row);
  return dppOf(
    { path, values, row: { ...row, economic_operator_id, facility_id } },
    { siteUrl, fields },
    representation,
  );
}
