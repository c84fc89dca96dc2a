/** A valid request of each operation, for cases about what many operations have in common. */
import type { Operation } from '@product-passport/openapi';
import { passportPath, productPath } from './api.ts';
import type { Ask, Context } from './case.ts';
import { createControl } from './cases/products.ts';
import type { Need } from './claims.ts';

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
  return { method, path: pathOf(operation, await world.activeProduct()) };
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
  const common = { method, ...(example && { json: example.value }) };
  const plain = { ...common, path: pathOf(operation, product) };
  const types = new Set(Object.values(responses).flatMap(({ content = {} }) => Object.keys(content)));
  return [
    plain,
    { ...plain, query: otherParameters },
    ...[...types].map((accept) => ({ ...plain, headers: { accept } })),
    ...parameters.flatMap(({ name, in: part, schema, example = schema.examples?.[0] }) => {
      const own = values[name] ?? ['1', String(example), 'verify unknown'];
      if (part === 'query') return own.map((value) => ({ ...plain, query: { [name]: value } }));
      if (part !== 'path' || memberOf(name) in product) return [];
      const pathWith = (value: string) => path.replace(`{${name}}`, encodeURIComponent(value));
      return own.map((value) => ({ ...common, path: pathOf({ ...operation, path: pathWith(value) }, product) }));
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
