/** A valid request of each operation, for cases about what many operations have in common. */
import type { Operation } from '@product-passport/openapi';
import { passportPath } from './api.ts';
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
  const { operationId, method, path } = operation;
  if (operationId === 'createProduct') return createControl;
  if (operationId === 'putPassport') return validWrite(context, purpose);
  if (!path.includes('{')) return { method, path };
  if (path.includes('{slug}')) return { method, path: pathOf(operation, await world.product(purpose)) };
  const { tenant, slug: product } = await world.activeProduct();
  const gtin = path.includes('{gtin}') ? await world.gtin() : '';
  return { method, path: pathOf(operation, { tenant, product, gtin }) };
}

/** Writes one value to the passport of a product. */
export async function validWrite({ world }: Pick<Context, 'world'>, purpose: string): Promise<Ask> {
  const { slug } = await world.product(purpose);
  const values = [{ field_key: await world.fieldKey(), value: `Verify ${purpose}` }];
  return { method: 'PUT', path: passportPath(slug), json: values };
}

/** The path with these values, or with the examples of its parameters. */
export function pathOf({ path, parameters }: Operation, values: object = {}): string {
  const examples = Object.fromEntries(parameters.map(({ name, example }) => [name, example]));
  const all: Readonly<Record<string, unknown>> = { ...examples, ...values };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(all[name]).toWellFormed()));
}

/** What the valid request needs. */
export function needsOf({ operationId, path, secured }: Operation): readonly Need[] {
  if (operationId === 'putPassport') return ['field key'];
  if (secured || !path.includes('{')) return [];
  return path.includes('{gtin}') ? ['active product', 'GTIN'] : ['active product'];
}
