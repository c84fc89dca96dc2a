import { visibleValues } from '../access/rules.ts';
import { type View, viewOf } from '../access/token.ts';
import { ContractError } from '../contract/errors.ts';
import type { Services } from '../http/app.ts';
import type { Handlers } from '../http/handlers.ts';
import { type PassportReading, readPassport } from '../passports/read.ts';
import { publicContentHash } from '../passports/rules.ts';
import type { ScanRecorder } from '../scans/recorder.ts';
import { findTenant, type Tenant } from '../tenants/store.ts';
import { passportDocument } from './document.ts';
import { passportPage } from './page.ts';

export function siteHandlers(
  services: Services,
  recorder: ScanRecorder,
): Pick<Handlers, 'getPassportPage' | 'getPassportJsonld'> {
  const { siteUrl, now } = services;
  return {
    async getPassportPage({ path, query, visit: { address, isView } }) {
      const passport = await publicPassport(services, path, query.zugang);
      const page = passportPage(passport);
      if (isView) {
        const { tenant, product, view } = passport;
        // On disk before the page is sent, so that no page is served that does not count.
        await recorder.record({ tenantId: tenant.id, productId: product.id, at: now(), role: view.role, address });
      }
      return page;
    },

    async getPassportJsonld({ path, query }) {
      const passport = await publicPassport(services, path, query.zugang);
      return passportDocument(passport, siteUrl());
    },
  };
}

/** A passport as a role sees it. Its values are those that the role may see: no renderer gets another. */
export interface PublicPassport extends PassportReading {
  tenant: Tenant;
  view: View;
  publicContentHash: string;
}

/** The passport of an activated product, with the view that the token opens. */
async function publicPassport(
  services: Services,
  path: { tenant: string; product: string },
  zugang: string | undefined,
): Promise<PublicPassport> {
  const { database } = services;
  const tenant = await findTenant(database, path.tenant);
  if (!tenant) throw new ContractError('not_found');
  const passport = await readPassport(database, tenant.id, path.product);
  if (passport?.product.status !== 'active') throw new ContractError('not_found');
  const view = await viewOf(services, { tenantId: tenant.id, productId: passport.product.id }, zugang);
  return {
    ...passport,
    tenant,
    view,
    values: visibleValues(passport.values, view.role),
    publicContentHash: publicContentHash(passport.values),
  };
}
