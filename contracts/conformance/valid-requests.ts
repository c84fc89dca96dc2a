/** A valid request of each operation that needs a key, for cases about what all of these operations have in common. */
import type { Operation } from '@product-passport/openapi';
import { passportPath } from './api.ts';
import type { Ask, Context } from './case.ts';
import { createControl } from './cases/products.ts';
import type { Need } from './claims.ts';

type Described = Pick<Operation, 'operationId' | 'method' | 'path'>;

/** @param purpose names the product that the request reads or writes */
export async function validRequest(
  { operationId, method, path }: Described,
  { world }: Pick<Context, 'world'>,
  purpose: string,
): Promise<Ask> {
  if (operationId === 'createProduct') return createControl;
  if (operationId === 'putPassport') return validWrite({ world }, purpose);
  if (!path.includes('{slug}')) return { method, path };
  const { slug } = await world.product(purpose);
  return { method, path: path.replace('{slug}', encodeURIComponent(slug.toWellFormed())) };
}

/** Writes one value to the passport of a product. */
export async function validWrite({ world }: Pick<Context, 'world'>, purpose: string): Promise<Ask> {
  const { slug } = await world.product(purpose);
  const values = [{ field_key: await world.fieldKey(), value: `Verify ${purpose}` }];
  return { method: 'PUT', path: passportPath(slug), json: values };
}

/** What the valid request needs. */
export function needsOf({ operationId }: Described): readonly Need[] {
  return operationId === 'putPassport' ? ['field key'] : [];
}
