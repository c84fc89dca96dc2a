import type { CarrierList, CreateProduct, Me, Product, ProductList, ProductListItem } from '../../contract.ts';
import { routes } from '../../generated/routes.ts';
import { inputs } from '../../generated/samples.ts';
import { ServiceError } from './behaviour.ts';
import { integer, jsonOf, parameter, productOf, type TenantCall, textIn } from './call.ts';
import { completenessOf, firstVersion } from './passports.ts';
import type { StoredProduct, StoredTenant } from './records.ts';
import { fieldsOf, isAllowed, isObject, pick, resource } from './resource.ts';
import type { State } from './state.ts';

const isStatus = /^(draft|active|archived)$/;
const isGtin = /^(\d{8}|\d{12,14})$/;

export function getMe({ state, tenant }: TenantCall): Me {
  const { id, name, slug } = tenant;
  const country = state.behaviour.country(tenant.country);
  return {
    ...resource('me'),
    tenant: { ...resource('tenant'), id, name, slug, country, plan: state.behaviour.plan },
    products_total: tenant.products.size,
  };
}

export function listProducts(call: TenantCall): ProductList {
  const { state, tenant } = call;
  const { fold, newestFirst, refusesUnknownStatus } = state.behaviour;
  const limit = integer(call, 'limit', routes.listProducts.integers.limit);
  const offset = integer(call, 'offset', routes.listProducts.integers.offset);
  const search = fold(parameter(call, 'search') ?? '');
  const status = parameter(call, 'status');
  const isKnown = status !== undefined && isStatus.test(status);
  if (status !== undefined && !isKnown && refusesUnknownStatus) throw new ServiceError('invalid_request');

  const found = [...tenant.products.values()].filter(
    (product) => fold(product.name).includes(search) && (!isKnown || product.status === status),
  );
  if (newestFirst) found.reverse();
  const items = found.slice(offset, offset + limit).map((product) => itemOf(product, state));
  return { items, total: found.length, limit, offset };
}

export function getProduct(call: TenantCall): Product {
  return wholeOf(productOf(call), call.state);
}

export async function createProduct(call: TenantCall): Promise<Product> {
  const input = inputOf(await jsonOf(call), call.state);
  return wholeOf(addProduct(call.state, call.tenant, input), call.state);
}

/** Stores a draft. A slug that is taken gets a suffix. */
export function addProduct(state: State, tenant: StoredTenant, input: CreateProduct): StoredProduct {
  const { behaviour } = state;
  const base = input.slug ?? behaviour.slugOfName(input.name);
  let slug = base;
  for (let nth = 2; tenant.products.has(slug); nth += 1) slug = behaviour.suffixed(base, nth);
  const now = state.now();
  const time = behaviour.time(now);
  const product: StoredProduct = {
    ...resource('product'),
    ...fieldsOf('newProduct', input),
    tenant,
    id: behaviour.id(state.next()),
    carrierId: behaviour.id(state.next()),
    name: input.name,
    slug,
    status: 'draft',
    completeness: 0,
    registry_status: behaviour.registryStatus,
    unique_product_identifier: `urn:${behaviour.urnNamespace}:${tenant.slug}:${slug}`,
    created_at: time,
    updated_at: time,
    createdAt: now,
    updatedAt: now,
    values: new Map(),
    version: firstVersion(state),
  };
  tenant.products.set(slug, product);
  return product;
}

function inputOf(body: unknown, state: State): CreateProduct {
  const { behaviour } = state;
  if (!isObject(body)) throw new ServiceError('invalid_request');
  const name = behaviour.trim(textIn(body, 'name', state) ?? '');
  if (name === '') throw new ServiceError('name_required');
  const product_group = textIn(body, 'product_group', state);
  if (product_group !== undefined && !behaviour.groups.has(product_group))
    throw new ServiceError('unknown_product_group');
  const gtin = textIn(body, 'gtin', state);
  if (gtin !== undefined && !(isGtin.test(gtin) && behaviour.acceptsGtin(gtin))) throw new ServiceError('invalid_gtin');
  const given = textIn(body, 'slug', state);
  const slug = given === undefined ? undefined : behaviour.slugOfSlug(given);
  const hasSurplus = Object.keys(body).some((member) => !Object.hasOwn(inputs.newProduct, member));
  const hasRefusedNull = Object.values(body).includes(null) && !behaviour.acceptsNull;
  const isValid =
    isAllowed('newProduct', body) &&
    !hasRefusedNull &&
    !(hasSurplus && behaviour.refusesUnknownMember) &&
    !(given !== undefined && slug === undefined) &&
    [...name].length <= 500;
  if (!isValid) throw new ServiceError('invalid_request');
  return { ...fieldsOf('newProduct', body), name, slug, product_group, gtin };
}

function itemOf(product: StoredProduct, state: State): ProductListItem {
  return pick<ProductListItem>(wholeOf(product, state), resource('listItem'));
}

function wholeOf(product: StoredProduct, { behaviour }: State): Product {
  const completeness = completenessOf(product, behaviour);
  const updated_at = behaviour.time(product.updatedAt);
  return pick<Product>({ ...product, completeness, updated_at }, resource('product'));
}

/** A product with a GTIN has one carrier. */
export function listCarriers(call: TenantCall): CarrierList {
  const { state } = call;
  const { behaviour, activated } = state;
  const product = productOf(call);
  const link = linkOf(product, state);
  if (link === undefined || (behaviour.onlyActivatedHaveCarriers && !activated.has(product))) return { items: [] };
  const carrier = {
    ...resource('carrier'),
    id: product.carrierId,
    type: behaviour.carrierType,
    gs1_digital_link: link,
    nfc_tag_uid: behaviour.carrierTag,
    status: behaviour.carrierStatus,
    created_at: behaviour.time(product.createdAt),
  };
  return { items: [carrier] };
}

/** The GS1 Digital Link of a product with a GTIN. */
export function linkOf({ gtin }: StoredProduct, { siteUrl, behaviour }: State): string | undefined {
  return gtin === null ? undefined : `${siteUrl}/01/${behaviour.linkGtin(gtin)}`;
}
