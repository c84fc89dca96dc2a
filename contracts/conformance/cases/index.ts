/** All cases, in the order in which they run. */
import type { Contract } from '@product-passport/openapi';
import type { Case } from '../case.ts';
import type { WholeRunCase } from '../whole-run.ts';
import { authentication } from './authentication.ts';
import { completenessCases } from './completeness.ts';
import { digitalLink, digitalLinkPaths } from './digital-link.ts';
import { gs1Standards } from './gs1-standards.ts';
import { leaks } from './hidden-values.ts';
import { http, httpHeaders } from './http.ts';
import { methods } from './methods.ts';
import { paging } from './paging.ts';
import { passportLimits } from './passport-limits.ts';
import { passportRaces } from './passport-races.ts';
import { passportRefusals } from './passport-refusals.ts';
import { passportValues } from './passport-values.ts';
import { passportVersions } from './passport-versions.ts';
import { passports } from './passports.ts';
import { productRefusals } from './product-refusals.ts';
import { products } from './products.ts';
import { publicPages } from './public-pages.ts';
import { responses } from './responses.ts';
import { scans } from './scans.ts';
import { search } from './search.ts';
import { tenancy } from './tenancy.ts';

export interface Suite {
  readonly cases: readonly Case[];
  /** Checked after the cases, over all requests of the run. */
  readonly wholeRunCases: readonly WholeRunCase[];
}

export function suiteOf(contract: Contract): Suite {
  return {
    // Tenancy first: what it stores must not appear in any later response of another tenant.
    cases: [
      ...tenancy(contract),
      ...authentication(contract),
      ...http,
      ...methods(contract),
      ...paging,
      ...search,
      ...products,
      ...productRefusals,
      ...passports,
      ...passportRefusals,
      ...passportValues,
      ...passportVersions,
      ...completenessCases,
      ...passportRaces,
      ...passportLimits,
      ...publicPages,
      ...digitalLink,
      ...digitalLinkPaths(contract),
      ...gs1Standards,
      ...scans,
    ],
    wholeRunCases: [...httpHeaders, ...responses(contract), ...leaks],
  };
}
