import { fold, gtin14, productUrn, slugFromName, suffixedSlug } from '../../../../openapi/src/rules/product.ts';
import type { CarrierList, CreateProduct, Me, Product, ProductList, ProductListItem } from '../../contract.ts';
import { operations } from '../../generated/samples.ts';
import { productOf, type TenantCall } from './call.ts';
import { completenessOf, newVersion } from './passports.ts';
import { pick, resource } from './response.ts';
import { newId, type State, type StoredProduct, type StoredTenant } from './state.ts';

export function getMe({ tenant }: TenantCall): Me {
  const { id, name, slug, country } = tenant;
  return {
    ...resource('me'),
    tenant: { ...resource('tenant'), id, name, slug, country: country.toUpperCase(), plan: 'business' },
    products_total: tenant.products.size,
  };
}

export function listProducts({ tenant, query }: TenantCall): ProductList {
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
  const page = found.slice(offset, offset + limit);
  const items = page.map((product) => pick<ProductListItem>(product, resource('listItem')));
  return { items, total: found.length, limit, offset };
}

export function getProduct(call: TenantCall): Product {
  return pick<Product>(productOf(call), resource('product'));
}

export function createProduct({ state, tenant, body }: TenantCall): Product {
  return pick<Product>(addProduct(state, tenant, body as CreateProduct), resource('product'));
}

const inputFields = Object.keys(
  operations.find(({ operationId }) => operationId === 'createProduct')?.body?.schema.properties ?? {},
);

/** Stores a draft. A slug that is taken gets a suffix. */
export function addProduct(state: State, tenant: StoredTenant, input: CreateProduct): StoredProduct {
  const base = input.slug || slugFromName(input.name);
  let slug = base;
  for (let nth = 2; tenant.products.has(slug); nth += 1) slug = suffixedSlug(base, nth);
  const now = state.now().toISOString();
  const product: StoredProduct = {
    ...resource('product'),
    ...Object.fromEntries(inputFields.map((field) => [field, Reflect.get(input, field) ?? null])),
    tenant,
    id: newId(state),
    name: input.name,
    slug,
    status: 'draft',
    completeness: 0,
    registry_status: 'none',
    unique_product_identifier: productUrn('dpp', tenant.slug, slug),
    created_at: now,
    updated_at: now,
    versions: [newVersion(state, 1, [], now)],
    isSample: false,
  };
  product.completeness = completenessOf(product);
  tenant.products.set(slug, product);
  return product;
}

/** A product that was activated with a GTIN has one carrier. */
export function listCarriers(call: TenantCall): CarrierList {
  const { siteUrl, activated } = call.state;
  const product = productOf(call);
  if (product.gtin === null || !activated.has(product)) return { items: [] };
  const carrier = {
    ...resource('carrier'),
    id: product.id.replace('-7000-', '-7001-'),
    gs1_digital_link: `${siteUrl}/01/${gtin14(product.gtin)}`,
    nfc_tag_uid: null,
    created_at: product.created_at,
  };
  return { items: [carrier] };
}
