import { visibleValues } from '../access/rules.ts';
import { type View, viewOf } from '../access/token.ts';
import { ContractError } from '../contract/errors.ts';
import { type PassportReading, readPassport } from '../passports/read.ts';
import { publicContentHash } from '../passports/rules.ts';
import type { Version } from '../passports/version.ts';
import type { Services } from '../services.ts';
import { findTenant, type Tenant } from '../tenants/store.ts';
import { Recent } from './recent.ts';

/** A passport as a role sees it. It holds only the values that the role may see, so no renderer can leak another. */
export interface PublicPassport extends PassportReading {
  /** Always salted: from a hash without a salt, hidden values could be guessed. */
  version: Version & { salt: string };
  tenant: Tenant;
  view: View;
  publicContentHash: string;
}

/** No tenant has this id. */
const unusedId = '00000000-0000-0000-0000-000000000000';

/**
 * Reads the passport of an activated product, with the view that the token opens.
 *
 * @throws ContractError `not_found`
 */
export async function readPublicPassport(
  services: Services,
  path: { tenant: string; product: string },
  zugang: string | undefined,
): Promise<PublicPassport> {
  const { database } = services;
  const tenant = await findTenant(database, path.tenant);
  // Also reads for an unknown tenant, so that each 404 takes the same time.
  const passport = await readPassport(database, tenant?.id ?? unusedId, path.product, 'active');
  if (!tenant || !passport) throw new ContractError('not_found');
  // A migration gave every product a salted version before this server started. Only an older server that still writes
  // to the same database could make one without a salt, and its hash must not be published.
  const { salt } = passport.version;
  if (salt === null) throw new Error('The latest version has no salt: an older server writes to this database.');
  const view = await viewOf(services, { tenantId: tenant.id, productId: passport.product.id }, zugang);
  return {
    ...passport,
    version: { ...passport.version, salt },
    tenant,
    view,
    values: visibleValues(passport.values, view.role),
    publicContentHash: publicHash(passport),
  };
}

/** By content hash. For a passport with a million nodes the public hash takes longer than the rest of the page. */
const publicHashes = new Recent<string>(10_000);

function publicHash({ version, values }: PassportReading): string {
  const hash = publicHashes.get(version.content_hash) ?? publicContentHash(values);
  publicHashes.set(version.content_hash, hash);
  return hash;
}
