/** A valid request of each operation, for cases about what many operations have in common. */
import type { Operation } from '@product-passport/openapi';
import { passportPath, productPath } from './api.ts';
import type { Ask, Context } from './case.ts';
import { createControl } from './cases/products.ts';
import type { Need } from './claims.ts';
import { type ActiveProduct, pagePath } from './world.ts';

/** @param purpose names the product that a request with a key reads or writes. Others are for the active product. */
export async function validRequest(
  operation: Operation,
  context: Pick<Context, 'world'>,
  purpose: string,
): Promise<Ask> {
  const { world } = context;
  const { operationId, method, path, side } = operation;
  if (operationId === 'createProduct') return createControl;
  if (operationId === 'putPassport') return validWrite(context, purpose);
  if (operationId === 'setProductStatus') return validStatus(context);
  if (!path.includes('{')) return { method, path };
  if (side.secured) return { method, path: pathOf(operation, await world.product(purpose)) };
  if (path.includes('{gtin}')) await world.gtin();
  const product = await world.activeProduct();
  const named = side.root === '/dpp/v1' ? await withDppIds(product, await world.site()) : product;
  return { method, path: pathOf(operation, named), ...requiredQuery(operation) };
}

/** Values of query parameters that a request must have. This time is after every change. */
const requiredValues: Readonly<Record<string, string>> = { date: '9999-12-31T23:59:59Z' };

/** The query that an operation requires. */
export function requiredQuery({ parameters }: Operation): { readonly query?: Readonly<Record<string, string>> } {
  const names = parameters.filter((one) => one.in === 'query' && one.required).map(({ name }) => name);
  return names.length > 0 ? { query: Object.fromEntries(names.map((name) => [name, requiredValues[name] ?? ''])) } : {};
}

/** A product with the values of the parameters that name it, or a public value of it, in the reads of EN 18222. */
export async function withDppIds<Product extends Pick<ActiveProduct, 'tenant' | 'slug' | 'api'>>(
  product: Product,
  site: string,
): Promise<Product & Record<'dppId' | 'productId' | 'elementIdPath', string>> {
  const { values } = await product.api.passport(product.slug);
  const shown = values.find(
    ({ access_level, is_unknown, value }) => access_level === 'public' && !is_unknown && value !== null,
  );
  const productId = site + pagePath(product);
  const elementIdPath = elementPath(shown?.field_key ?? 'verify-unknown');
  return Object.assign(Object.create(product), { dppId: `${productId}/jsonld`, productId, elementIdPath });
}

/** The path of a passport's element (RFC 9535). */
export function elementPath(key: string): string {
  return `$['${key.replaceAll(/['\\]/g, '\\$&')}']`;
}

/** Writes one value to the passport of a product. */
export async function validWrite({ world }: Pick<Context, 'world'>, purpose: string): Promise<Ask> {
  const { slug } = await world.product(purpose);
  const values = [{ field_key: await world.fieldKey(), value: `Verify ${purpose}` }];
  return { method: 'PUT', path: passportPath(slug), json: values };
}

/** Archives a product of its own, or repeats this. */
export async function validStatus({ world }: Pick<Context, 'world'>): Promise<Ask & { json: object }> {
  const key = world.publishingKey();
  const { slug } = await world.product('statuses');
  return { method: 'POST', path: `${productPath(slug)}/status`, key, json: { status: 'archived' } };
}

/** The path of a product, with the examples of the parameters that do not name it. */
export function pathOf({ path, parameters }: Operation, product: object = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const example = parameters.find((one) => one.name === name)?.example;
    return encodeURIComponent(String(Reflect.get(product, memberOf(name)) ?? example).toWellFormed());
  });
}

/** The member of a product that a parameter of a path names. */
const memberOf = (name: string): string => (name === 'product' ? 'slug' : name);

/** Parameters that a service may have in addition, and that must open nothing. */
const otherParameters = { view: 'inspector', role: 'inspector', download: '', serial: 'SN-1' };

/**
 * Requests of an operation about a product: a plain one, one with parameters that it does not have, one for each media
 * type, and some for each parameter that does not name the product.
 *
 * @param values of parameters, in place of a number, the example and an unknown value
 */
export function variationsOf(
  operation: Operation,
  product: object,
  values: Readonly<Record<string, readonly string[]>>,
): Ask[] {
  const { method, parameters, path, body, responses } = operation;
  const [example] = Object.values(body?.examples ?? {});
  const json = 'productId' in product && operation.method === 'POST' ? [product.productId] : example?.value;
  const required = requiredQuery(operation);
  const common = { method, ...(json !== undefined && { json }) };
  const plain = { ...common, path: pathOf(operation, product), ...required };
  const types = new Set(Object.values(responses).flatMap(({ content = {} }) => Object.keys(content)));
  return [
    plain,
    { ...plain, query: { ...required.query, ...otherParameters } },
    ...[...types].map((accept) => ({ ...plain, headers: { accept } })),
    ...parameters.flatMap(({ name, in: part, schema, example = schema.examples?.[0] }) => {
      const own = values[name] ?? ['1', String(example), 'verify unknown'];
      if (part === 'query') return own.map((value) => ({ ...plain, query: { ...required.query, [name]: value } }));
      if (part !== 'path' || (memberOf(name) in product && !(name in values))) return [];
      const pathWith = (value: string) => path.replace(`{${name}}`, encodeURIComponent(value));
      return own.map((value) => ({ ...plain, path: pathOf({ ...operation, path: pathWith(value) }, product) }));
    }),
  ];
}

/** What the valid request needs. */
export function needsOf({ operationId, path, side }: Operation): readonly Need[] {
  if (operationId === 'putPassport') return ['field key'];
  if (operationId === 'setProductStatus') return ['publishing key'];
  if (side.secured || !path.includes('{')) return [];
  return path.includes('{gtin}') ? ['active product', 'GTIN'] : ['active product'];
}
