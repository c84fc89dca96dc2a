import { ContractError } from '../../../../openapi/src/rules/errors.ts';
import { productUrn } from '../../../../openapi/src/rules/product.ts';
import type { CarrierList, CreateProduct, Me, Product, ProductList, ProductListItem } from '../../contract.ts';
import { operations } from '../../generated/samples.ts';
import { productOf, type TenantCall } from './call.ts';
import { completenessOf, newVersion } from './passports.ts';
import { pick, resource } from './resource.ts';
import type { State, StoredProduct, StoredTenant } from './state.ts';

export function getMe({ state, tenant }: TenantCall): Me {
  const { id, name, slug } = tenant;
  const country = state.behaviour.country(tenant.country);
  return {
    ...resource('me'),
    tenant: { ...resource('tenant'), id, name, slug, country, plan: state.behaviour.plan },
    products_total: tenant.products.size,
  };
}

export function listProducts({ state, tenant, query }: TenantCall): ProductList {
  const { fold, newestFirst } = state.behaviour;
  const {
    limit,
    offset,
    status,
    search = '',
  } = query as { limit: number; offset: number; status?: string; search?: string };
  const text = fold(search);
  const found = [...tenant.products.values()].filter(
    (product) => fold(product.name).includes(text) && (status === undefined || product.status === status),
  );
  if (newestFirst) found.reverse();
  const items = found.slice(offset, offset + limit).map((product) => itemOf(product, state));
  return { items, total: found.length, limit, offset };
}

export function getProduct(call: TenantCall): Product {
  return wholeOf(productOf(call), call.state);
}

export function createProduct({ state, tenant, body }: TenantCall): Product {
  const input = body as CreateProduct;
  if (input.gtin && !state.behaviour.acceptsGtin(input.gtin)) throw new ContractError('invalid_gtin');
  return wholeOf(addProduct(state, tenant, input), state);
}

const inputFields = Object.keys(
  operations.find(({ operationId }) => operationId === 'createProduct')?.body?.schema.properties ?? {},
);

/** Stores a draft. A slug that is taken gets a suffix. */
export function addProduct(state: State, tenant: StoredTenant, input: CreateProduct): StoredProduct {
  const { behaviour } = state;
  const base = input.slug ? behaviour.slugOfSlug(input.slug) : behaviour.slugOfName(input.name);
  let slug = base;
  for (let nth = 2; tenant.products.has(slug); nth += 1) slug = behaviour.suffixed(base, nth);
  const now = state.now();
  const time = behaviour.time(now);
  const product: StoredProduct = {
    ...resource('product'),
    ...Object.fromEntries(inputFields.map((field) => [field, Reflect.get(input, field) ?? null])),
    tenant,
    id: behaviour.id(state.next()),
    carrierId: behaviour.id(state.next()),
    name: input.name,
    slug,
    status: 'draft',
    completeness: 0,
    registry_status: behaviour.registryStatus,
    unique_product_identifier: productUrn(behaviour.urnNamespace, tenant.slug, slug),
    created_at: time,
    updated_at: time,
    createdAt: now,
    updatedAt: now,
    versions: [newVersion(state, 1, [], now)],
    isSample: false,
  };
  tenant.products.set(slug, product);
  return product;
}

function itemOf(product: StoredProduct, state: State): ProductListItem {
  return pick<ProductListItem>(wholeOf(product, state), resource('listItem'));
}

function wholeOf(product: StoredProduct, state: State): Product {
  const completeness = completenessOf(product, state);
  const updated_at = state.behaviour.time(product.updatedAt);
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
function linkOf({ gtin }: StoredProduct, { siteUrl, behaviour }: State): string | undefined {
  return gtin === null ? undefined : `${siteUrl}/01/${behaviour.linkGtin(gtin)}`;
}
