import { type TokenRole, tokenRoles } from '@product-passport/openapi';
import Joi from 'joi';
import { revokeToken } from '../access/store.ts';
import { createToken } from '../access/token.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/store.ts';
import { wholeNumber } from './input.ts';
import { requireProduct } from './move.ts';

const tenYears = 10 * 365 * 86_400;

interface NewToken {
  role: TokenRole;
  /** The slug of the only product. */
  product?: string;
  expires_in_seconds: number;
  revoked: boolean;
}

export const tokenForm = Joi.object<NewToken>({
  role: Joi.valid(...tokenRoles).required(),
  product: Joi.string(),
  expires_in_seconds: wholeNumber(-tenYears, tenYears).default(365 * 86_400),
  revoked: Joi.boolean().default(false),
});

/** Creates an access token, also one that is expired or revoked. */
export async function newToken(
  { database, now }: Pick<Services, 'database' | 'now'>,
  tenant: Tenant,
  { role, product: slug, expires_in_seconds, revoked }: NewToken,
) {
  const product = slug === undefined ? null : await requireProduct({ database }, tenant, slug);
  const expiresAt = new Date(now().getTime() + expires_in_seconds * 1000);
  const grant = { product_id: product?.id ?? null, role, expiresAt };
  const { id, token, expires_at } = await createToken(database, tenant.id, grant, now());
  if (revoked) await revokeToken(database, tenant.id, id, now());
  return { id, token, role, product: product?.slug ?? null, expires_at, revoked };
}
