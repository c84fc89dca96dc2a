import { ContractError } from '../contract/errors.ts';
import type { Services } from '../http/app.ts';
import type { Handlers } from '../http/handlers.ts';
import { type PassportReading, readPassport } from '../passports/read.ts';
import { findActiveByGtin } from '../products/store.ts';
import { findTenant, type Tenant } from '../tenants/store.ts';
import { passportDocument } from './document.ts';
import { passportPage } from './page.ts';

export function siteHandlers(
  services: Services,
): Pick<Handlers, 'getPassportPage' | 'getPassportJsonld' | 'resolveGtin'> {
  const { database, siteUrl, redirectStatus } = services;
  return {
    async getPassportPage({ path }) {
      return passportPage(await publicPassport(services, path));
    },

    async getPassportJsonld({ path }) {
      const passport = await publicPassport(services, path);
      return passportDocument(passport, siteUrl());
    },

    async resolveGtin({ path, search }) {
      const found = await findActiveByGtin(database, path.gtin);
      if (!found) throw new ContractError('not_found');
      return { status: redirectStatus, location: `${siteUrl()}/p/${found.tenant_slug}/${found.slug}${search}` };
    },
  };
}

/** A passport as the public sees it. */
export interface PublicPassport extends PassportReading {
  tenant: Tenant;
}

/** The passport of an activated product, with its public values alone. */
async function publicPassport(
  { database }: Services,
  path: { tenant: string; product: string },
): Promise<PublicPassport> {
  const tenant = await findTenant(database, path.tenant);
  if (!tenant) throw new ContractError('not_found');
  const passport = await readPassport(database, tenant.id, path.product);
  if (passport?.product.status !== 'active') throw new ContractError('not_found');
  return { ...passport, tenant, values: passport.values.filter((value) => value.access_level === 'public') };
}
