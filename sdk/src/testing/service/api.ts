import { blockingFindings, countFields, isTooOpen } from '../../../../openapi/src/rules/blocking.ts';
import { completeness, requirementsOn } from '../../../../openapi/src/rules/completeness.ts';
import { ContractError } from '../../../../openapi/src/rules/errors.ts';
import { serialsOf, uniqueKey, uniqueValues, valueInUseMessage } from '../../../../openapi/src/rules/item.ts';
import {
  byteLength,
  dayOf,
  hashedContent,
  hashedTextsOf,
  lastDays,
  maxValues,
  mergeValues,
  sha256,
  sizeProblem,
  timeOfChange,
  type ViewRole,
} from '../../../../openapi/src/rules/passport.ts';
import {
  fold,
  gtin14,
  productUrn,
  searchedText,
  slugFromName,
  suffixedSlug,
} from '../../../../openapi/src/rules/product.ts';
import { notReadyMessage } from '../../../../openapi/src/rules/status.ts';
import type { Template } from '../../check.ts';
import type {
  CarrierList,
  CreateProduct,
  Me,
  Passport,
  PassportValueInput,
  PassportWriteResult,
  Product,
  ProductList,
  ProductListItem,
  ProductQuery,
  ProductStatusChange,
  ScanStatistics,
} from '../../contract.ts';
import { operations } from '../../generated/samples.ts';
import { templates } from '../../generated/templates.ts';
import { pick, productOf, resource, sendJson, type TenantCall } from './http.ts';
import {
  latest,
  move,
  newId,
  type Scan,
  type State,
  type StoredProduct,
  type StoredTenant,
  type Version,
} from './state.ts';

export function getMe({ tenant }: TenantCall): Me {
  const { id, name, slug, country } = tenant;
  return {
    ...resource('me'),
    tenant: { ...resource('tenant'), id, name, slug, country: country.toUpperCase(), plan: 'business' },
    products_total: tenant.products.size,
  };
}

export function listProducts({ tenant, query }: TenantCall): ProductList {
  const { limit = 0, offset = 0, search = '', ...filter }: ProductQuery = query;
  const text = searchedText(search);
  const found = [...tenant.products.values()].filter(
    (product) => text !== undefined && fold(product.name).includes(text) && isListed(product, filter),
  );
  const page = found.slice(offset, offset + limit);
  const items = page.map((product) => pick<ProductListItem>(product, resource('listItem')));
  return { items, total: found.length, limit, offset };
}

function isListed(product: StoredProduct, { status, gtin, serial }: ProductQuery): boolean {
  if (status !== undefined && product.status !== status) return false;
  if (gtin !== undefined && !(product.gtin && gtin14(product.gtin) === gtin14(gtin))) return false;
  return serial === undefined || (product.serial_number ?? '') === serial;
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
    serial_number: null,
    completeness: 0,
    registry_status: 'none',
    unique_product_identifier: productUrn('dpp', tenant.slug, slug),
    created_at: now,
    updated_at: now,
    versions: [newVersion(state, 1, [], now)],
    activatedAt: null,
    confirmedOpen: [],
    isSample: false,
  };
  product.completeness = completenessOf(product);
  tenant.products.set(slug, product);
  return product;
}

export function setProductStatus(call: TenantCall): Product {
  const { state, mayPublish } = call;
  const product = productOf(call);
  if (!mayPublish) throw new ContractError('key_cannot_publish');
  const change = call.body as ProductStatusChange;
  if (product.status !== change.status) {
    if (change.status === 'active') refusePublication(state, product, change);
    move(state, product, change.status);
  }
  return pick<Product>(product, resource('product'));
}

/** @throws ContractError if the product cannot be published, otherwise keeps what the change confirms */
function refusePublication(state: State, product: StoredProduct, change: ProductStatusChange): void {
  const { tenants, now } = state;
  const { accept_findings, open = [] } = change;
  const gtin = product.gtin && gtin14(product.gtin);
  const others = [...tenants.values()].filter((tenant) => tenant !== product.tenant);
  const theirs = others.flatMap(({ products }) => [...products.values()]);
  const isTaken = theirs.some(
    (one) => one.status === 'active' && !one.isSample && gtin && one.gtin && gtin14(one.gtin) === gtin,
  );
  if (isTaken) throw new ContractError('gtin_in_use');
  const [inUse] = valuesInUse(state, product);
  if (inUse) throw new ContractError('value_in_use', valueInUseMessage(inUse.field_key, inUse.slug));
  const template = templateOf(product);
  const { values } = latest(product);
  const today = dayOf(now());
  const tooOpen = blockingFindings(template, values, fieldKeys, today)
    .filter(isTooOpen)
    .map(({ field_key }) => field_key);
  const confirmedOpen = tooOpen.filter((key) => open.includes(key) || product.confirmedOpen.includes(key));
  const blocking = blockingFindings(template, values, fieldKeys, today, { open: confirmedOpen });
  const { missing } = requirementsOn(template, values, today);
  const faults = accept_findings ? blocking.filter(isTooOpen) : blocking;
  const lacks = accept_findings ? [] : missing.map(({ key }) => key);
  if (faults.length + lacks.length > 0) throw new ContractError('not_ready', notReadyMessage(faults, lacks));
  product.confirmedOpen = confirmedOpen;
}

/** The unique values of a product that another active product of the tenant has: the one that was activated first. */
function valuesInUse({ activated }: State, product: StoredProduct): { field_key: string; slug: string }[] {
  const others = [...activated].filter(
    (one) => one !== product && one.tenant === product.tenant && one.status === 'active',
  );
  return uniqueKeys(product).flatMap(({ field_key, key }) => {
    const other = others.find((one) => uniqueKeys(one).some((theirs) => theirs.key === key));
    return other ? [{ field_key, slug: other.slug }] : [];
  });
}

function uniqueKeys(product: StoredProduct): { field_key: string; key: string }[] {
  return uniqueValues(templateOf(product), latest(product).values).flatMap((value) => {
    const key = uniqueKey(product.gtin, value);
    return key === undefined ? [] : [{ field_key: value.field_key, key }];
  });
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

export async function getPassport(call: TenantCall): Promise<Passport> {
  const product = productOf(call);
  const version = latest(product);
  const form = resource('value');
  return {
    ...resource('passport'),
    product: pick<Passport['product']>(product, resource('passport').product),
    template_version: templateOf(product).version,
    values: version.values.map((value) => pick(value, form)),
    latest_version: {
      ...resource('version'),
      content_hash: await contentHash(product, version),
      salt: version.salt,
      created_at: version.created_at,
    },
  };
}

export function putPassport(call: TenantCall): Response {
  const product = productOf(call);
  const named = writeValues(call.state, product, call.body as PassportValueInput[]);
  const confirmed = { open: product.confirmedOpen };
  const today = dayOf(call.state.now());
  const { values } = latest(product);
  const findings = blockingFindings(templateOf(product), values, fieldKeys, today, confirmed, named);
  const inUse = valuesInUse(call.state, product).filter(({ field_key }) => named.has(field_key));
  const result: PassportWriteResult = {
    ...resource('writeResult'),
    updated: named.size,
    completeness: product.completeness,
  };
  return sendJson(call.state, result, 200, { 'passport-findings': `${countFields([...findings, ...inUse])}` });
}

/** The keys of the fields of all templates. */
export const fieldKeys: ReadonlySet<string> = new Set(
  Object.values(templates).flatMap((template) => template?.fields.map(({ key }) => key) ?? []),
);

/** Updates the fields that exist, and creates the others. Returns the fields. */
export function writeValues(
  state: State,
  product: StoredProduct,
  inputs: readonly PassportValueInput[],
): ReadonlySet<string> {
  const before = latest(product);
  const at = timeOfChange(state.now(), product.updated_at);
  const { language } = product.tenant;
  const { values, changed, named } = mergeValues(before.values, [...inputs], language, at);
  if (values.length > maxValues) {
    throw new ContractError('invalid_request', `A passport can have at most ${maxValues} values.`);
  }
  const problem = sizeProblem(byteLength(hashedTextsOf(values), (text) => new TextEncoder().encode(text).length));
  if (problem) throw new ContractError('invalid_request', problem);
  if (changed.length > 0) {
    before.wasPublic = product.status === 'active';
    // With the fields of a later contract, which the merge does not know.
    const sent = new Map(inputs.map((input) => [input.field_key, input]));
    const written = values.map((value) =>
      changed.includes(value) ? { ...sent.get(value.field_key), ...value } : value,
    );
    product.versions.push(newVersion(state, before.number + 1, written, at));
    // A confirmation ends when the level changes.
    const levels = new Map(before.values.map((value) => [value.field_key, value.access_level]));
    const isKept = (key: string) => values.find((one) => one.field_key === key)?.access_level === levels.get(key);
    product.confirmedOpen = product.confirmedOpen.filter(isKept);
    product.updated_at = at;
    product.serial_number = serialsOf(values).serial_number;
    product.completeness = completenessOf(product);
  }
  return named;
}

export function completenessOf(product: StoredProduct, { values, created_at } = latest(product)): number {
  return completeness(templateOf(product), values, dayOf(new Date(created_at)));
}

export function templateOf({ product_group }: Pick<StoredProduct, 'product_group'>): Template {
  return templates[(product_group ?? 'other') as keyof typeof templates] ?? templates.other;
}

export function contentHash(product: StoredProduct, { salt, values }: Version): Promise<string> {
  return sha256(hashedContent(salt, templateOf(product).version, hashedTextsOf(values)));
}

function newVersion(state: State, number: number, values: Version['values'], created_at: string): Version {
  const salt = state.next().toString(16).padStart(32, '0');
  return { number, salt, values, created_at, wasPublic: false };
}

const roles = ['consumer', 'inspector', 'recycler'] as const satisfies readonly ViewRole[];

export function getScanStatistics({ state, tenant, query }: TenantCall): ScanStatistics {
  const days = Number(query.days);
  const period = lastDays(state.now(), days);
  const scans = tenant.scans.filter(({ day }) => period.includes(day));

  const perRole = roles.map((role) => [role, scans.filter((scan) => scan.role === role).length]);
  return {
    ...resource('scans'),
    days,
    total: scans.length,
    per_day: period.map((date) => ({ date, count: scans.filter(({ day }) => day === date).length })),
    by_view_role: Object.fromEntries(perRole),
    top_products: topProducts(scans).slice(0, 10),
  };
}

function topProducts(scans: readonly Scan[]): ScanStatistics['top_products'] {
  const products = [...new Set(scans.map(({ product }) => product))];
  return products
    .map((product) => {
      const { slug, name, serial_number } = product;
      return { slug, name, serial_number, count: scans.filter((scan) => scan.product === product).length };
    })
    .sort((a, b) => b.count - a.count || (a.slug < b.slug ? -1 : 1));
}
