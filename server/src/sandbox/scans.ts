import type { ViewRole } from '@product-passport/openapi';
import Joi from 'joi';
import { secret } from '../database/installation.ts';
import { isCounted, visitorHash } from '../scans/rules.ts';
import { insertScans } from '../scans/store.ts';
import type { Services } from '../services.ts';
import { findPageSettings, type Tenant } from '../tenants/store.ts';
import { conflict, wholeNumber } from './input.ts';
import { requireProduct } from './move.ts';

const day = 86_400_000;

/** Page views of a product on one day. */
export interface ScansOfDay {
  days_ago: number;
  role: ViewRole;
  count: number;
}

export const scansForm = Joi.object<{ scans: ScansOfDay[] }>({
  scans: Joi.array()
    .items(
      Joi.object({
        days_ago: wholeNumber(0, 3650).required(),
        role: Joi.valid('consumer', 'recycler', 'inspector').default('consumer'),
        count: wholeNumber(1, 10_000).default(1),
      }),
    )
    .min(1)
    .max(1000)
    .required(),
});

/** Adds scans of one day, all from one visitor. */
export async function addScans(
  { database, now, countScans }: Pick<Services, 'database' | 'now' | 'countScans'>,
  tenant: Tenant,
  slug: string,
  { days_ago, role, count }: ScansOfDay,
): Promise<void> {
  const { id: productId, product_group } = await requireProduct({ database }, tenant, slug);
  const { scans_off_at } = await findPageSettings(database, tenant.id);
  if (!isCounted({ countScans }, { scans_off_at, product_group })) {
    throw conflict(
      `Views of ${slug} are not counted: its product group, the tenant or the server has scans off. Use another product.`,
    );
  }
  const at = new Date(now().getTime() - days_ago * day);
  // An address from the block reserved for documentation (RFC 5737).
  const hash = visitorHash(await secret(database, 'scan_secret'), at, '192.0.2.1');
  await insertScans(database, Array(count).fill({ tenantId: tenant.id, productId, at, role, visitorHash: hash }));
}
