/** What generated requests use of the provider: one product of the suite, and the public paths of an active product. */
import type { Operation } from '@product-passport/openapi';
import type { Context } from '../case.ts';
import { NotTested } from '../check.ts';
import type { Existing } from './requests.ts';

/** @throws NotTested if a write has no field key to use */
export async function existingFor({ operationId, path }: Operation, context: Context): Promise<Existing> {
  const { world } = context;
  if (operationId === 'putPassport') {
    const { slug } = await world.product('generated');
    const first = await world.fieldKey(0);
    return { path: { slug }, fieldKeys: [first, await world.fieldKey(1).catch(() => first)] };
  }
  return { path: path.includes('{') ? await pathValues(operationId, context) : {}, fieldKeys: [] };
}

async function pathValues(operationId: string, { world, api }: Context): Promise<Existing['path']> {
  const tenant = world.tenant().slug;
  const own = async () => (await world.product('generated')).slug;
  // A page of an active product would count scans.
  if (operationId === 'getPassportPage') return { tenant, product: await own() };
  if (operationId === 'getPassportJsonld') {
    const active = await ifTested(world.activeProduct());
    return active === undefined ? { tenant, product: await own() } : { tenant: active.tenant, product: active.slug };
  }
  if (operationId === 'resolveGtin') {
    const link = await ifTested(world.link());
    return link === undefined ? {} : { gtin: link.split('/').at(-1) };
  }
  const slug = await ifTested(own());
  return { slug: slug ?? (await api.list({ limit: 1 })).items[0]?.slug };
}

/** `undefined` if the provider lacks the state, or if the run may not create it. */
async function ifTested<Value>(state: Promise<Value>): Promise<Value | undefined> {
  try {
    return await state;
  } catch (error) {
    if (error instanceof NotTested) return undefined;
    throw error;
  }
}
